"""What each option of a test tool does, as tables: a mark, and the options that set it."""

from __future__ import annotations

from agentgate_git.source.commands.runner_names import words_of

IGNORED = "ignored"
OFF = "off"
MERGED = "merged"
NARROWED = "narrowed"
FILTERED = "filtered"
PATHS = "paths"
RETRIED = "retried"
HOLLOW = "hollow"
REWRITES = "rewrites"
UNPLUGGED = "unplugged"
WIDER = "wider"
THRESHOLD = "threshold"
MEASURED = "measured"
UNMEASURED = "unmeasured"
SPARED = "spared"
GRADED = "graded"


def _table(text: str) -> dict[str, str]:
    """Lines of `MARK: OPTION OPTION …`; an option of another tool's meaning that does nothing stands under `none`."""
    rows = (line.split() for line in text.strip().split("\n"))
    marks = [(row[0].rstrip(":"), row[1:]) for row in rows]
    return {option: "" if mark == "none" else mark for mark, options in marks for option in options}


ANY = _table("""
    ignored: --exit-zero --no-fail --soft-fail --fail-never --ignore-errors --ignore-failures --nostatusrc --no-error
    ignored: --passWithNoTests --pass-with-no-tests --allow-empty --failure-exit-code=0 --exit-status=0 --exit-code=0
    ignored: --issues-exit-code=0
    off: --dry-run --list --list-tests --listTests --collect-only
    retried: --retries --retry --reruns --rerun-fails --rerun-failing-tests
    rewrites: --update-snapshots --update-goldens --update-golden --update
""")
_PYTEST = _table("""
    narrowed: -k --deselect --deselect-from-file --ignore --ignore-glob --lf --last-failed --sw --stepwise --testmon
    narrowed: --picked --exclude-tests
    filtered: -m
    off: --co --collect-only --collectonly --setup-only --setup-plan
    narrowed: -o --override-ini
    unplugged: -c --config-file --noconftest -p -W --pythonwarnings --disable-plugin-autoload
    ignored: --continue-on-collection-errors --suppress-no-test-exit-code --suppress-tests-failed-exit-code
    retried: --reruns --force-flaky --max-runs --retries
    spared: --only-rerun --rerun-except
    rewrites: --snapshot-update --force-regen --regen-all --inline-snapshot --record-mode --vcr-record --golden-update
    rewrites: --update-data --accept --mpl-generate-path
    hollow: --assert
    wider: --doctest-modules --doctest-glob --runslow --run-slow --runintegration
    none: --doctest-continue-on-failure --strict-markers --runxfail --nf --mypy-ignore-missing-imports
    none: --allow-skipping
    threshold: --no-cov --cov-fail-under
    measured: --cov
""")
_COVERAGE = _table("""
    threshold: --fail-under
    unmeasured: --omit
    none: -i --ignore-errors
""")
_JEST = _table("""
    config: -c --config
    narrowed: -t --testNamePattern --testPathIgnorePatterns -o --onlyChanged --changedSince --findRelatedTests
    narrowed: --onlyFailures -f
    off: --showConfig --clearCache --init
    paths: --testPathPattern --testPathPatterns
    rewrites: -u --updateSnapshot
    none: --ci
    filtered: --selectProjects --ignoreProjects
    measured: --coverage --collectCoverage
""")
_VITEST = _table("""
    config: -c --config
    narrowed: -t --testNamePattern --exclude --changed --typecheck.only
    paths: --dir
    rewrites: -u --update
    off: --standalone --clearCache
    ignored: --dangerouslyIgnoreUnhandledErrors
    measured: --coverage --coverage.enabled
    retried: --retry
    filtered: --project
""")
_MOCHA = _table("""
    config: --config --package
    narrowed: -g --grep -f --fgrep -i --invert --ignore --exclude
    ignored: --pass-on-failing-test-suite
    retried: --retries
    wider: --forbid-only --forbid-pending
""")
_PLAYWRIGHT = _table("""
    config: -c --config
    narrowed: -g --grep --grep-invert -gv --last-failed --only-changed
    rewrites: -u --update-snapshots
    retried: --retries
    hollow: --ignore-snapshots
    wider: --forbid-only
    filtered: --project
""")
_GO = _table("""
    narrowed: -run --run -skip -test.run -test.skip
    filtered: -short -test.short
    off: -list -n
    none: -exec
    wider: -race -msan -asan -tags
    rewrites: -update
""")
_CARGO = _table("""
    narrowed: --skip --exclude
    paths: --lib --doc --bins --bin --test --tests --examples -p --package
    off: --no-run
    filtered: -E --filter-expr
    retried: --retries
    none: --exact --all-targets --partition --no-tests
    wider: --workspace --all --all-features --features -F
""")
_MAVEN = _table("""
    narrowed: -Dtest -Dit.test -Dsurefire.excludes
    off: -DskipTests -Dmaven.test.skip -DskipITs -DskipUnitTests -Dskip.tests -DskipTest -Dsurefire.skip
    off: -Dmaven.test.skip.exec -Dcheckstyle.skip -Dspotbugs.skip
    ignored: -Dmaven.test.failure.ignore -fn --fail-never -DtestFailureIgnore
    filtered: -Dgroups -DexcludedGroups
    retried: -Dsurefire.rerunFailingTestsCount -Dfailsafe.rerunFailingTestsCount
    paths: -pl --projects
    none: -Dsurefire.failIfNoSpecifiedTests --update-snapshots
""")
_GRADLE = _table("""
    narrowed: --tests -PexcludeTests
    off: -x --exclude-task -m -PskipTests -DskipTests -Pskip.tests
    ignored: -PignoreFailures
    filtered: -DexcludeTags
""")
_PHPUNIT = _table("""
    config: -c --configuration
    narrowed: --filter --exclude-filter --exclude-testsuite --exclude
    filtered: --group --exclude-group --testsuite
    off: --list-tests
    none: --do-not-fail-on-risky
    ignored: --dont-report-useless-tests --do-not-fail-on-empty-test-suite
""")
_RSPEC = _table("""
    filtered: --tag -t
    narrowed: -e --example --exclude-pattern --only-failures --next-failure -E --example-matches
    paths: -P --pattern
    ignored: --failure-exit-code
    none: --no-fail-on-empty --error-exit-code
""")
_CTEST = _table("""
    narrowed: -R --tests-regex -E --exclude-regex -I --rerun-failed --exclude-from-file --tests-from-file
    filtered: -L --label-regex -LE --label-exclude
    off: -N --show-only
    retried: --repeat
    ignored: --no-tests=ignore
""")
_DOTNET = _table("""
    config: -s --settings
    narrowed: --filter --treenode-filter /TestCaseFilter --TestCaseFilter --where --filter-not-class
    narrowed: --filter-not-method --filter-class --filter-method
    off: -t --list-tests
    ignored: --ignore-exit-code
    filtered: --filter-not-trait --filter-trait
    retried: --retry-failed-tests
""")
_MIX = _table("""
    filtered: --exclude --only
    ignored: --exit-status
    narrowed: --failed --stale
""")
_SWIFT = _table("""
    narrowed: --filter --skip -skip-testing -only-testing
    retried: -retry-tests-on-failure
    none: --skip-build -test-iterations
    filtered: -skip-test-configuration
""")
_DART = _table("""
    narrowed: -n --name -N --plain-name
    filtered: -t --tags -x --exclude-tags
    rewrites: --update-goldens
""")
_MAKE = _table("""
    ignored: -i --ignore-errors
    off: -n --just-print -t --touch -q
""")
_BAZEL = _table("""
    narrowed: --test_filter
    filtered: --test_tag_filters --test_size_filters --test_lang_filters
    none: --build_tests_only --nobuild_tests_only --notest_keep_going
    retried: --flaky_test_attempts
""")
_ROBOT = _table("""
    filtered: -i --include -e --exclude --skip
    narrowed: -t --test -s --suite
    ignored: --skiponfailure --noncritical -n --runemptysuite
    off: --dryrun
""")
_TAGS = _table("""
    filtered: --tags -t --wip
    off: --dry-run -d
    narrowed: -n --name
""")
_DJANGO = _table("""
    filtered: --exclude-tag --tag
    narrowed: -k
""")
_UNITTEST = _table("""
    narrowed: -k -p --pattern
""")
_NOSE = _table("""
    narrowed: -e --exclude -m --match --exclude-dir --exclude-test
    filtered: -a -A
    off: --collect-only
""")
_TOX = _table("""
    off: --notest -n -l --list-envs --listenvs
    narrowed: --skip-env
""")
_NOX = _table("""
    off: -l --list --no-run --install-only
""")
_MINITEST = _table("""
    narrowed: -n --name -e --exclude --ignore-testcase --ignore-name -x
""")
_BATS = _table("""
    narrowed: -f --filter --filter-status --negative-filter
    filtered: --filter-tags
    off: -c --count
""")
_NODE = _table("""
    narrowed: --test-name-pattern --test-skip-pattern --test-only
    rewrites: --test-update-snapshots
""")
_DENO = _table("""
    narrowed: --filter --ignore
    ignored: --permit-no-files
    off: --no-run
""")
_AVA = _table("""
    config: --config
    narrowed: -m --match
    rewrites: -u --update-snapshots
""")
_GINKGO = _table("""
    narrowed: --skip --focus --skip-package --skip-file --focus-file -skip -focus -skipPackage
    retried: --flake-attempts
    filtered: --label-filter
    off: --dry-run
""")
_BINARY = _table("""
    narrowed: --gtest_filter --test-case --test-case-exclude --test-suite --test-suite-exclude --subcase
    narrowed: --subcase-exclude --source-file --source-file-exclude -tc -tce -ts -tse -sc -sce -sf -sfe --run_test
    narrowed: --test_filter --exclude --skip
    off: --gtest_list_tests --list-test-cases --list-test-suites --list-tests --no-run -ltc -lts -nr --count
    ignored: --no-exitcode -ne
    none: --update
""")
_CYPRESS = _table("""
    config: --config-file -C
    paths: --spec -s
""")
_SBT = _table("""
    filtered: -l -n
""")
_NPM = _table("""
    paths: --workspace -w --filter -F --prefix
    narrowed: --exclude
    condition: --if-present
    ignored: --audit-level
    none: --workspaces --include-workspace-root --recursive -r
""")
_MONOREPO = _table("""
    paths: --filter -F --scope --projects -p --package --only --to
    narrowed: --exclude --ignore --no-scope
    off: --dry --dry-run --graph
    none: --cache-dir --update
""")
_CHECKERS = _table("""
    wider: -D --deny --max-warnings --strict --warnings-as-errors
""")
_CLIPPY = _table("""
    wider: -D --deny -F --forbid
    hollow: -A --allow --cap-lints
""")
_USERS = (
    (_PYTEST, "pytest"),
    (_COVERAGE, "coverage report; diff-cover; diff-quality"),
    (_CLIPPY, "cargo clippy"),
    (_CHECKERS, "eslint; stylelint; oxlint; tsc; mypy"),
    (_JEST, "jest; react-scripts test; bun test"),
    (_VITEST, "vitest"),
    (_MOCHA, "mocha; _mocha"),
    (_PLAYWRIGHT, "playwright test"),
    (_GO, "go test; gotestsum"),
    (_CARGO, "cargo test; cargo nextest; cross test"),
    (_MAVEN, "mvn"),
    (_GRADLE, "gradle"),
    (_PHPUNIT, "phpunit; pest; paratest; artisan test"),
    (_RSPEC, "rspec; parallel_rspec"),
    (_CTEST, "ctest"),
    (_DOTNET, "dotnet test; vstest.console; nunit3-console"),
    (_MIX, "mix test"),
    (_SWIFT, "swift test; xcodebuild test"),
    (_DART, "flutter test; dart test"),
    (_MAKE, "make"),
    (_BAZEL, "bazel test; bazelisk test"),
    (_ROBOT, "robot"),
    (_TAGS, "behave; cucumber; cucumber-js; behat"),
    (_DJANGO, "manage.py test"),
    (_UNITTEST, "unittest"),
    (_NOSE, "nosetests; nose2"),
    (_TOX, "tox"),
    (_NOX, "nox"),
    (_MINITEST, "minitest"),
    (_BATS, "bats"),
    (_NODE, "node --test"),
    (_DENO, "deno test"),
    (_AVA, "ava"),
    (_GINKGO, "ginkgo"),
    (_CYPRESS, "cypress run"),
    (_BINARY, "binary"),
    (_SBT, "sbt"),
    (_NPM, "npm; yarn; pnpm"),
    (_MONOREPO, "turbo; nx; lerna; rush; melos; lage; ultra"),
)
TOOLS = {tool: table for table, tools in _USERS for tool in tools.split("; ")}
# First words by which a runner of tests does something else than run them.
OTHER_WORK = {
    "vitest": words_of("list init bench related"),
    "mocha": words_of("init"),
    "ava": words_of("reset-cache"),
}
# Options that take no value.
FLAGS = words_of("""
    -race -msan -asan
    --strict --warnings-as-errors --accept --all --all-features --allow-empty --bins --ci --co --collect-only
    --collectonly
    --continue-on-collection-errors --coverage --dangerouslyIgnoreUnhandledErrors --disable-plugin-autoload
    --do-not-fail-on-empty-test-suite --doc --doctest-modules --dont-report-useless-tests --dry-run --dryrun
    --exact --examples --exit-zero --fail-never --failed --forbid-only --forbid-pending --force-flaky
    --force-regen --golden-update --if-present --ignore-errors --ignore-failures --ignore-snapshots --invert
    --last-failed --lf --lib --list --list-tests --listTests --next-failure --no-cov --no-error --no-fail --no-run
    --noconftest --nostatusrc --notest --only-changed --only-failures --onlyChanged --onlyFailures
    --pass-on-failing-test-suite --pass-with-no-tests --passWithNoTests --permit-no-files --picked --regen-all
    --rerun-failed --run-slow --runemptysuite --runintegration --runslow --setup-only --setup-plan
    --snapshot-update --soft-fail --stale --stepwise --suppress-no-test-exit-code
    --suppress-tests-failed-exit-code --sw --test-only --testmon --tests --update --update-data --update-goldens
    --update-snapshots --updateSnapshot --wip --workspace -N -fn -i -l -n  -retry-tests-on-failure -short -u
    --clearCache --init --showConfig --standalone --typecheck.only
    --gtest_list_tests --list-test-cases --list-test-suites -ltc -lts -nr --no-exitcode -ne
""")
# Options whose next word is their value, and no path.
_VALUED = """
    pytest: --alluredir --basetemp --benchmark-json --browser --cache-file --capture --color --confcutdir
    pytest: --count --cov --cov-config --cov-report --dc --dist --driver --ds --durations --group --html
    pytest: --import-mode --junit-xml --junitxml --log-cli-level --log-level --maxfail --numprocesses
    pytest: --pyargs- --randomly-seed --report-log --rootdir --rsyncdir --splits --tb --timeout
    pytest: --tx -W -n -r
    go test: -bench -benchtime -count -covermode -coverpkg -coverprofile -cpu -fuzz -fuzztime -gcflags -json-
    go test: -ldflags -mod -o -p -parallel -shuffle -timeout -vet
    cargo test: --color --config --jobs --manifest-path --message-format --profile --target --target-dir
    cargo test: --test-threads -Z -j
    unittest: --start-directory --top-level-directory -s -t
    rspec: --format --options --order --out --require --seed -I -O -f -o -r
    mocha: --config --extension --file --import --jobs --loader --package --reporter --reporter-options
    mocha: --require --timeout --ui -O -R -j -r -t -u
    jest: --config --coverageDirectory --coverageReporters --env --maxWorkers --outputFile --reporters
    jest: --rootDir --shard --testTimeout -c -w
    vitest: --config --coverage.provider --environment --maxWorkers --mode --outputFile --pool --reporter
    vitest: --root --shard --testTimeout -c -r
    phpunit: --bootstrap --cache-result-file --configuration --coverage-clover --coverage-html --coverage-text
    phpunit: --coverage-xml --log-junit -c -d
    bats: --code-quote-style --formatter --gather-test-outputs-in --jobs --line-reference-format --output
    bats: --parallel-binary-name --report-formatter --setup-suite-file -F -j -o
    ava: --concurrency --config --node-arguments --timeout -T -c
    behave: --color --define --format --junit-directory --logging-level --outfile --stage -D -f -o
    manage.py test: --parallel --pythonpath --settings --testrunner --top-level-directory --verbosity -t -v
    mix test: --formatter --max-cases --max-failures --partitions --seed --slowest --timeout
    node --test: --import --loader --require --test-concurrency --test-reporter --test-reporter-destination
    node --test: --test-timeout -r
    nosetests: --config --cover-package --process-timeout --processes --verbosity --where --xunit-file -c -w
    prove: --archive --exec --formatter --jobs --source -I -P -a -e -j
    robot: --log --loglevel --listener --name --output --outputdir --pythonpath --report --variable --variablefile
    robot: -L -N -P -V -d -l -o -r -v
    trial: --jobs --logfile --random --reporter --temp-directory -j -l -z
"""
VALUE_OPTIONS: dict[str, set[str]] = {}
for _line in _VALUED.strip().split("\n"):
    _name, _, _words = _line.partition(":")
    VALUE_OPTIONS.setdefault(_name.strip(), set()).update(_words.split())
PATH_TOOLS = frozenset(
    (
        *("ava", "bats", "behave", "cargo test", "ctest", "go test", "jest", "manage.py test", "mix test", "mocha"),
        *("node --test", "nosetests", "phpunit", "prove", "pytest", "robot", "rspec", "trial", "unittest", "vitest"),
    )
)
