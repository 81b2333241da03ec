"""Which paths are guarded, and which changes touch one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.change import ABSENT, GITLINK, SYMLINK, Change
from agentgate_git.model.code import GUARDED_PATH
from agentgate_git.policy.guarded_names import is_guarded
from agentgate_git.policy.guarded_paths import guarded_changes, guarded_finding

OLD, NEW, ZERO = "1" * 40, "2" * 40, "0" * 40
FILE = "100644"


def added(path: str, mode: str = FILE) -> Change:
    return Change(path, "A", ABSENT, mode, ZERO, NEW)


def deleted(path: str) -> Change:
    return Change(path, "D", FILE, ABSENT, OLD, ZERO)


FREE = [
    "README.md",
    "src/app.py",
    "tests/test_app.py",
    "docs/index.md",
    ".gitignore",
    "entropy.yaml",
    "src/hooks/useThing.ts",
    "hooks/README.md",
    "vendor/.github/workflows/ci.yml",
    ".github/ISSUE_TEMPLATE/bug.yml",
    ".github/pull_request_template.md",
    ".github/FUNDING.yml",
    "src/CODEOWNERS",
    "docs/jenkins.md",
    "entropy.baseline.yaml.orig",
    "my.github/workflows/ci.yml",
    "ci/notes.txt",
    "src/update",
]
GUARDED = [
    "entropy.baseline.yaml",
    "services/billing/entropy.baseline.yaml",
    ".agentgate/policy.yaml",
    ".agentgate/allowed_signers",
    ".pre-commit-config.yaml",
    ".pre-commit-hooks.yaml",
    "prek.toml",
    "lefthook.yml",
    ".husky/pre-commit",
    ".githooks/anything",
    "hooks/pre-push",
    "tools/git-hooks/commit-msg",
    ".github/workflows/ci.yml",
    ".github/actions/setup/action.yml",
    ".github/scripts/test.sh",
    ".github/dependabot.yml",
    ".gitlab-ci.yml",
    ".gitlab/ci/test.yml",
    ".gitea/workflows/ci.yml",
    ".forgejo/workflows/ci.yml",
    ".circleci/config.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    "build/azure-pipelines-nightly.yaml",
    "Jenkinsfile",
    "deploy/Jenkinsfile.nightly",
    "bitbucket-pipelines.yml",
    ".buildkite/pipeline.yml",
    ".cirrus.yml",
    ".drone.yml",
    ".woodpecker/test.yml",
    ".builds/debian.yml",
    "cloudbuild.yaml",
    "buildspec.yml",
    ".mergify.yml",
    "CODEOWNERS",
    ".github/CODEOWNERS",
    "docs/CODEOWNERS",
    ".gitlab/CODEOWNERS",
]


@pytest.mark.parametrize("path", FREE)
def test_free(path: str) -> None:
    assert not is_guarded(path)


@pytest.mark.parametrize("path", GUARDED)
def test_guarded(path: str) -> None:
    assert is_guarded(path)


SPELLINGS = {
    "upper case": ".GitHub/Workflows/CI.yml",
    "long s": ".github/workflow\u017f/ci.yml",
    "Kelvin sign": ".build\u212aite/pipeline.yml",
    "dropped by HFS+": ".git\u200chub/workflows/ci.yml",
    "baseline in capitals": "ENTROPY.BASELINE.YAML",
}


@pytest.mark.parametrize("path", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_that_some_file_system_takes_for_the_same_name(path: str) -> None:
    assert is_guarded(path)


def test_composed_and_decomposed_names_are_the_same() -> None:
    assert is_guarded("policy/re\u0301gle.txt", ["policy/r\u00e9gle.txt"])
    assert is_guarded("policy/r\u00e9gle.txt", ["policy/re\u0301gle.txt"])


PATTERNS = [
    ("migrations/**", "migrations/0001.sql", True),
    ("migrations/**", "app/migrations/0001.sql", False),
    ("migrations/", "app/migrations/0001.sql", True),
    ("migrations", "migrations/deep/er.sql", True),
    ("/secrets", "secrets/key", True),
    ("/secrets", "app/secrets/key", False),
    ("*.sql", "a/b/c.sql", True),
    ("*.sql", "c.sqlx", False),
    ("*.SQL", "c.sql", True),
    ("a?c/*.py", "abc/x.py", True),
    ("a?c/*.py", "abc/d/x.txt", False),
    ("a/**/d", "a/d", True),
    ("a/**/d", "a/b/c/d/e", True),
    ("**/d", "a/b/d", True),
    ("a*b*c", "aXbYc", True),
    ("a*b*c", "aXbY", False),
    ("**", "anything", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), PATTERNS)
def test_patterns_of_the_policy(pattern: str, path: str, expected: bool) -> None:
    assert expected == is_guarded(path, [pattern])


ABOVE = {
    "free: an ordinary submodule": (added("vendor/lib", GITLINK), (), False),
    "free: an ordinary link": (added("current", SYMLINK), (), False),
    "submodule for .github": (added(".github", GITLINK), (), True),
    "link for .github": (added(".github", SYMLINK), (), True),
    "file for .agentgate": (added(".agentgate"), (), True),
    "link for docs, where CODEOWNERS may stand": (added("docs", SYMLINK), (), True),
    "submodule above a pattern": (added("deploy", GITLINK), ("deploy/prod/**",), True),
    "submodule beside a pattern": (added("deployed", GITLINK), ("deploy/prod/**",), False),
    "submodule inside a pattern": (added("deploy/prod/x", GITLINK), ("deploy/prod/**",), True),
}


@pytest.mark.parametrize(("change", "patterns", "expected"), ABOVE.values(), ids=ABOVE)
def test_b18_what_stands_on_or_above_a_guarded_path_counts(
    change: Change, patterns: tuple[str, ...], expected: bool
) -> None:
    assert [change] * expected == list(guarded_changes([change], patterns))


@pytest.mark.parametrize(
    "path",
    [
        ".gitattributes",
        "docs/.gitattributes",
        ".gitmodules",
        "tests/.gitignore",
        "pkg/tests/data/.gitignore",
        ".pre-commit-config.yaml",
        ".git-blame-ignore-revs",
    ],
)
def test_b49_files_that_steer_git_are_guarded_in_any_folder(path: str) -> None:
    assert is_guarded(path)


@pytest.mark.parametrize("old", [".github/workflows/ci.yml", "entropy.baseline.yaml"])
def test_b50_moving_a_guarded_file_away_is_seen_as_its_deletion(old: str) -> None:
    rows = [deleted(old), added("docs.yml")]
    assert rows[:1] == list(guarded_changes(rows))


NAMES = [
    "sp ace",
    "t\tx",
    "new\nline",
    'quo"te',
    "a b/x",
    "t\u011b",
    "bad\udce5",
    "{a => b}",
    ":colon",
    "-dash",
    " lead",
]


@pytest.mark.parametrize("name", NAMES)
def test_b54_odd_names_are_compared_as_they_are(name: str) -> None:
    assert is_guarded(f".github/workflows/{name}.yml")
    assert not is_guarded(f"src/{name}.yml")
    assert is_guarded(f"src/{name}.yml", [f"src/{name}.yml"])


DEEDS = {
    "added": (added("x"), "a guarded path is added"),
    "deleted": (deleted("x"), "a guarded path is deleted or moved away"),
    "changed": (Change("x", "M", FILE, FILE, OLD, NEW), "a guarded path is changed"),
    "mode": (Change("x", "M", FILE, "100755", OLD, OLD), "a guarded path changes its mode from 100644 to 100755"),
    "link": (Change("x", "T", FILE, SYMLINK, OLD, NEW), "a guarded path is replaced by a symbolic link"),
    "submodule": (Change("x", "T", FILE, GITLINK, OLD, NEW), "a guarded path is replaced by a submodule"),
}


@pytest.mark.parametrize(("change", "message"), DEEDS.values(), ids=DEEDS)
def test_the_finding_says_what_happened(change: Change, message: str) -> None:
    finding = guarded_finding(change, OLD)
    assert (GUARDED_PATH, "x", OLD, message) == (finding.code, finding.path, finding.commit, finding.message)
    assert finding.is_blocking()


@given(st.text(max_size=60), st.lists(st.text("ab*?/.", min_size=1, max_size=8), max_size=3))
def test_no_path_or_pattern_crashes(path: str, patterns: list[str]) -> None:
    assert is_guarded(path, patterns) in (True, False)
    assert is_guarded(path.swapcase(), patterns) in (True, False)


@given(st.text(max_size=40), st.lists(st.text("ab*?/.", min_size=1, max_size=8), max_size=3))
def test_patterns_only_add(path: str, patterns: list[str]) -> None:
    assert is_guarded(path, patterns) >= is_guarded(path)
