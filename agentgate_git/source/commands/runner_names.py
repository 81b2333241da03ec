"""The names of programs that run tests and checks, of tools that do so when asked, and of what stands before them."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of

TEST = "test"
LINT = "lint"
HOOKS = "hooks"


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# Programs by the last part of their path.
TEST_PROGRAMS = words_of("""
    _mocha ava avocado bats behat behave busted codecept ctest cucumber cucumber-js cutest cypress detest detox
    django-admin-test ginkgo gotestsum green hypothesis jasmine jest k6 karma kcov lab lein-test lit maestro
    minitest mocha molecule mutmut newman nextest nightwatch nose2 nosetests nox nunit3-console parallel_rspec
    parallel_test paratest pest phpspec phpunit playwright protractor prove py.test py.test3 pytest pytest-3
    qunit robot rspec schemathesis shellspec shunit2 stestr storybook-test stryker tap tape taurus testcafe
    testem testr tox trial twisted-trial uvu vitest vstest.console vstest.console.exe ward wdio web-test-runner
    wtr xunit.console zope-testrunner
""")
LINT_PROGRAMS = words_of("""
    actionlint bandit basedpyright biome black brakeman bundle-audit bundler-audit check-manifest checkov
    checkwash clang-format clang-tidy
    codespell commitlint cppcheck credo deptry detect-secrets detekt dialyzer diff-cover diff-quality diffgate
    eslint flake8 gitleaks
    golangci-lint golint gosec govulncheck grype hadolint hlint import-linter interrogate isort ktlint lint-imports
    luacheck markdownlint markdownlint-cli2 mypy osv-scanner oxlint phan php-cs-fixer
    phpcs phpstan pip-audit prettier psalm
    pycodestyle pydocstyle pyflakes pylint pyre pyright pytype reek refurb rubocop ruff safety semgrep
    shellcheck shfmt slotscheck sorbet sqlfluff srb standard standardrb staticcheck stylelint swiftlint tach
    tamperguard tfsec trivy trufflehog tsc tslint twine-check ty vale vulture xo yamllint zizmor
""")
HOOK_PROGRAMS = words_of("""
    agentgate git-agentgate lefthook lint-staged overcommit pre-commit prek
""")
# `TOOL VERB`: general tools that run tests or checks when they are asked to.
VERB_TOOLS = words_of("""
    anchor ant artisan aube b2 bazel bazelisk buck buck2 bun cabal cargo cmake composer conan cross crystal
    dagger dart dbt deno dodo doit dotnet dune earthly elm-test fastlane flutter forge gmake go gradle gradlew
    gradlew.bat grunt gulp hardhat hatch helm inv invoke julia just lein lerna mage make melos meson mill mix
    moon msbuild mvn mvnw ng nimble ninja nix npm nx opam pants pdm perl please plz pnpm poe rails rake
    react-scripts rebar3 rscript ruby rush sbt scons shards skaffold stack swift task terraform tilt truffle
    turbo vue-cli-service waf wireit xcodebuild xmake yarn zig
""")
VERB = pattern_of(
    r"(?:^|[-_:.+/])(?:tests?|specs?|pytest|unit|units|unittests?|integration|e2e|jest|vitest|coverage|cov|runtests?|"
    r"checks?|verify|ci|tox|nox|testall|testonly|build_and_test|citest|quicktest|fulltest|doctests?|smoke|acceptance)"
    r"(?:$|[-_:.+/0-9*])|(?<!la)(?<!con)(?<!at)(?<!fas)(?<!grea)tests?$",
    re.IGNORECASE,
)
LINT_VERB = pattern_of(
    r"(?:^|[-_:./])(?:lint|lints|linting|lintall|clippy|vet|typecheck|type-check|types?|mypy|flake8|ruff|eslint|"
    r"format-check|fmt-check|check-format|style|static|analy[sz]e|spotlesscheck|checkstyle\w*|tsc)(?:$|[-_:./0-9])",
    re.IGNORECASE,
)
TEST_NAME = pattern_of(
    r"(?:^|[-_./])(?:run[-_]?)?(?:all[-_]?)?(?:unit|py|ci|system|smoke)?[-_]?tests?(?:$|[-_.0-9])|^t/|runtests?", re.I
)
# A script by what kind of tests it runs, and one that stands in a folder for them and runs all there is.
TEST_KIND = pattern_of(r"(?:run[-_])?(?:e2e|smoke|integration|acceptance|functional|units?|specs?)", re.IGNORECASE)
RUNS_ALL = pattern_of(
    r"(?:^|/)(?:ci|tests?|integration|e2e|acceptance|functional|smoke|specs?)/(?:run|run[-_]all|all|main|start|entry(?:point)?)(?:\.\w+)?$",
    re.I,
)
CHECK_NAME = pattern_of(r"(?:^|[-_./])(?:checks?|lint|verify|gate|validate|ci)(?:$|[-_.0-9])", re.IGNORECASE)
PREPARES = pattern_of(
    r"install|setup|set[-_]up|prepare|download|clean|build|compile|deploy|publish|upload|report|release|docs?\b|fetch|"
    r"bootstrap|requirements|cache|serve|server|start|stop|docker|image|venv|seed|migrat|summary|result|badge|notify|"
    r"generat|watch|update|fix|format(?!-check)|list|help|version|env\b|deps?\b|fixture|data\b|log\b|logs\b|wait",
    re.IGNORECASE,
)
# What stands before a command, with the number of plain words it takes for itself.
_TAKES_0 = """
    sudo env time nice exec command nohup stdbuf unbuffer xvfb-run npx bunx uvx catchsegv strace
    dbus-run-session valgrind wine retry nick-fields/retry c8 nyc cross-env dotenv with-env travis_retry
    travis_wait call winpty ionice chronic & @ eatmydata mpirun mpiexec eval start-server-and-test unshare bwrap
    arch doas xargs
"""
_TAKES_1 = """
    timeout gtimeout coverage setarch faketime gosu su-exec micromamba kcov taskset
"""
WRAPPERS = {**dict.fromkeys(_TAKES_0.split(), 0), **dict.fromkeys(_TAKES_1.split(), 1)}
# Tools that run a command when the word after their name says so.
_RUNNING = """
    poetry run
    pipenv run
    uv run
    pdm run
    hatch run
    rye run
    pixi run
    conda run
    mamba run
    micromamba run
    pipx run
    bundle exec
    pnpm exec dlx
    yarn exec dlx run
    npm exec x
    bun x
    nix develop shell
    mise exec run
    asdf exec
    direnv exec
    composer exec
    coverage run
    doppler run
    rtx exec
    spin run
"""
RUNNING = {row[0]: tuple(row[1:]) for line in _RUNNING.strip().split("\n") if (row := line.split())}
# Wrappers that measure coverage of what they run.
MEASURING = words_of("c8 coverage kcov nyc")
INTERPRETERS = pattern_of(r"(?:\w*[_-])?(?:env)?(?:python|pypy|jython)[0-9.]*(?:[_-]\w+)?|py")
SHELLS = words_of("""
    bash busybox cmd dash fish ksh powershell pwsh sh zsh
""")
SCRIPT_HOSTS = words_of("""
    bun deno groovy julia lua node perl php rscript ruby ts-node tsx
""")
VALUED = words_of("""
    --cwd --directory --env --extra --filter --group --name --package --prefix --project --python --signal
    --with --workspace -C -I -L -P -W -X -e -g -k -n -p -s -u -w
""")
PYTHON_VALUED = words_of("""
    --check-hash-based-pycs -W -X
""")
NO_RUN = words_of("""
    --fixtures --help --init --list-files --markers --setup-plan --showConfig --showlocals-help --version -V
""")
# Options by which programs of tests choose among them: GoogleTest, doctest, Boost, and those that many take.
CHOOSING = words_of("""
    --gtest_filter --test-case --test-case-exclude --test-suite --test-suite-exclude --subcase --subcase-exclude
    --source-file --source-file-exclude -tc -tce -ts -tse -sc -sce -sf -sfe --run_test --test_filter --exclude --skip
    --gtest_list_tests --list-test-cases --list-test-suites --list-tests -ltc -lts -nr --no-exitcode -ne
""")
MAX_WRAPPERS = 8
