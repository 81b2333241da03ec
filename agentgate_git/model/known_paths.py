"""Names and folders that decide how a project is tested and judged: the one list for roles, guards and readers.

Read in a git hook for every staged path, so: plain sets, folded names, no imports.
"""

from __future__ import annotations

# Files that a CI system or a hook manager looks for at the top of the tree.
CI_TOP_FILES = frozenset(
    (
        *("codeowners", "lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json"),
        *(".lefthook.yml", ".lefthook.yaml", ".lefthook.toml", ".lefthook.json"),
        *("lefthook-local.yml", "lefthook-local.yaml", "lefthook-local.toml", "lefthook-local.json"),
        *(".huskyrc", ".huskyrc.json", ".huskyrc.js", ".huskyrc.yaml", ".huskyrc.yml"),
        *(".overcommit.yml", ".simple-git-hooks.json", ".simple-git-hooks.js", "simple-git-hooks.json"),
        *(".gitlab-ci.yml", ".gitlab-ci.yaml", ".travis.yml", ".travis.yaml", "bitbucket-pipelines.yml"),
        *("appveyor.yml", ".appveyor.yml", ".drone.yml", ".drone.star", ".drone.jsonnet", ".woodpecker.yml"),
        *(".woodpecker.yaml", ".cirrus.yml", ".cirrus.star", ".zuul.yaml", ".zuul.yml", "zuul.yaml", ".build.yml"),
        *("cloudbuild.yaml", "cloudbuild.yml", "cloudbuild.json", "buildspec.yml", "buildspec.yaml", "wercker.yml"),
        *("shippable.yml", "codeship-services.yml", "codeship-steps.yml", "codefresh.yml", "bors.toml"),
        *(".mergify.yml", ".kodiak.toml", ".packit.yaml", ".packit.yml", ".prow.yaml", ".evergreen.yml"),
        *(".scrutinizer.yml", ".taskcluster.yml", ".vela.yml", "screwdriver.yaml"),
    )
)
# Files that decide so in whatever folder they stand.
CI_NAMES = frozenset(
    (
        *(".pre-commit-config.yaml", ".pre-commit-config.yml", ".pre-commit-hooks.yaml", "prek.toml", "jenkinsfile"),
        *("entropy.baseline.yaml",),
    )
)
CI_TOP_FOLDERS = frozenset(
    (
        *(".agentgate", ".husky", ".lefthook", ".lefthook-local", ".githooks", ".git-hooks"),
        *(".circleci", ".gitlab-ci", ".buildkite", ".azure-pipelines", ".jenkins", ".appveyor", ".drone"),
        *(".woodpecker", ".semaphore", ".teamcity", ".tekton", ".zuul.d", "zuul.d", ".builds", ".codefresh"),
        *(".harness", ".bazelci", ".mergify", ".ci"),
    )
)
# Folders of a forge: workflows, the scripts they call beside them, and prose.
FORGE_FOLDERS = frozenset((".github", ".gitlab", ".gitea", ".forgejo", ".azuredevops", ".bitbucket"))

# What test runners, build tools and coverage read, in whatever folder they stand.
CONFIG_NAMES = frozenset(
    (
        *("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "tox.toml", "setup.cfg"),
        *("pyproject.toml", "setup.py", "unittest.cfg", "nose.cfg", ".noserc", "nose2.cfg", ".coveragerc"),
        *("makefile", "gnumakefile", "bsdmakefile", "justfile", ".justfile", "taskfile.yml", "taskfile.yaml"),
        *("package.json", "manifest.in", "hatch.toml", "mypy.ini", ".mypy.ini", "ruff.toml", ".ruff.toml", ".flake8"),
        *(".pylintrc", "pylintrc"),
        *("pyrightconfig.json", "codecov.yml", ".codecov.yml", "codecov.yaml", ".codecov.yaml", ".coveragerc.toml"),
        *("cargo.toml", "cmakelists.txt", "ctestcustom.cmake", "pom.xml", "build.gradle", "build.gradle.kts"),
        *("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml", ".rspec", "rakefile"),
        *("tsconfig.json", "composer.json", "deno.json", "deno.jsonc", "nx.json"),
        *(
            ".golangci.yml",
            ".golangci.yaml",
            "bunfig.toml",
            "build.xml",
            ".nycrc",
            "nextest.toml",
        ),
        *(
            "tarpaulin.toml",
            ".tarpaulin.toml",
            "dart_test.yaml",
            ".simplecov",
            "turbo.json",
            "pants.toml",
            ".bazelrc",
            "procfile.test",
            "robot.toml",
            "jasmine.json",
            "jasmine-browser.json",
        ),
        *("vitest.workspace.ts", "vitest.workspace.js", "vitest.workspace.mts", "vitest.workspace.mjs"),
    )
)
# Configuration of JavaScript tools: `NAME.config.EXTENSION` and `.NAMErc…`.
JS_TOOLS = frozenset(
    (
        *("jest", "vitest", "vite", "playwright", "cypress", "karma", "mocha", "ava", "wdio", "nightwatch", "jasmine"),
        *("c8", "nyc", "web-test-runner", "testem", "stryker", "eslint", "playwright-ct", "jest-e2e", "codecept"),
        *("karma.conf", "wdio.conf", "protractor.conf", "nightwatch.conf", "codecept.conf", "stryker.conf", "testcafe"),
    )
)

TEST_FOLDERS = frozenset(("test", "tests", "testing"))
# What tests of other languages are held against by its folder, and what it is where specs or such lie above it.
_KEPT_FOLDERS = frozenset(("approvals", "golden", "goldens", "__snapshots__", "__fixtures__", "testdata"))
_SPEC_FOLDERS = frozenset(("spec", "specs", "__tests__", "e2e"))
_GIVEN_FOLDERS = frozenset(("fixtures", "snapshots", "cassettes", "expected", "samples", "data"))


def is_of_tests(path: str) -> bool:
    """True for a path in a folder of tests, or in one of what they are given or held against."""
    folders = frozenset(path.lower().split("/")[:-1])
    if folders & TEST_FOLDERS or folders & _KEPT_FOLDERS:
        return True
    return bool(folders & _SPEC_FOLDERS and folders & _GIVEN_FOLDERS)
