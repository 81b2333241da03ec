"""E_GATE_CONFIG: what a head makes of settings and steps of its base, allow rows first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.model.code import GATE_CONFIG
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.policy.settings.gate_config import config_findings

CASES = [
    case
    for name in ("gate_config.yaml", "gate_kinds.yaml")
    for case in yaml.safe_load((Path(__file__).parents[2] / "cases" / name).read_text(encoding="utf-8"))
]
SEVERITIES = {"allowed": "", "advised": ADVICE, "warned": WARN, "blocked": BLOCK}

Files = dict[str, str]


def findings(base: Files, head: Files) -> tuple[Finding, ...]:
    old, new = ([read_facts(path, text.encode()) for path, text in side.items()] for side in (base, head))
    return tuple(config_findings(old, new))


def worst(found: tuple[Finding, ...]) -> str:
    severities = {finding.severity for finding in found}
    return next((one for one in (BLOCK, WARN, ADVICE) if one in severities), "")


def rows() -> Iterator[object]:
    for kind, severity in SEVERITIES.items():
        for case in CASES:
            for name, (there, now) in case.get(kind, {}).items():
                yield pytest.param(
                    case["path"], case["base"], there, now, severity, id=f"{kind}: {case['path']}: {name}"
                )


@pytest.mark.parametrize(("path", "base", "there", "now", "severity"), tuple(rows()))
def test_a_change_of_one_file_has_its_severity(path: str, base: str, there: str, now: str, severity: str) -> None:
    assert 1 == base.count(there)
    found = findings({path: base}, {path: base.replace(there, now)})
    assert severity == worst(found)
    assert {GATE_CONFIG} >= {finding.code for finding in found}


WORKFLOW = ".github/workflows/ci.yml"
STEPS = "on: [push]\njobs:\n  test:\n    steps:\n"
PYTEST = STEPS + "      - run: pytest -q\n"
TWICE = STEPS + "      - run: pytest tests/unit\n      - run: pytest tests/slow\n"
INI = "[tool:pytest]\naddopts = -ra\ntestpaths = tests\nxfail_strict = true\n"
TOML = '[tool.pytest.ini_options]\naddopts = "-ra"\ntestpaths = ["tests"]\nxfail_strict = true\n'

JEST = "test('adds', () => { expect(1 + 1).toBe(2); });\n"
SCRIPTS = '{"scripts": {"test": "jest --ci"}}'
SBT = 'Test / testOptions += Tests.Argument(TestFrameworks.ScalaCheck, "-minSuccessfulTests", "%d")\n'

SILENT: dict[str, tuple[Files, Files]] = {
    "a new project, of which failures never counted": (
        {"settings.gradle": "include 'core'\n"},
        {"settings.gradle": "include 'core', 'lab'\n", "lab/build.gradle": "test {\n  ignoreFailures = true\n}\n"},
    ),
    "what coverage leaves out, moved to another file": (
        {".coveragerc": "[run]\nomit = checks/*.py\n", "pyproject.toml": "[tool.pytest.ini_options]\n"},
        {"pyproject.toml": "[tool.pytest.ini_options]\n[tool.coverage]\nrun.omit = ['checks/*.py']\n"},
    ),
    "a script behind another that tells": (
        {"package.json": '{"scripts": {"test": "vitest run"}}'},
        {"package.json": '{"scripts": {"test": "npm run test:all", "test:all": "vitest run"}}'},
    ),
    "sources of tests under a name": (
        {"CMakeLists.txt": "add_executable(unit a_test.cpp b_test.cpp)\ngtest_discover_tests(unit)\n"},
        {
            "CMakeLists.txt": (
                "set(ALL b_test.cpp a_test.cpp)\nadd_executable(unit ${ALL})\ngtest_discover_tests(unit)\n"
            )
        },
    ),
    "a source of tests that is gone with its line": (
        {
            "CMakeLists.txt": "add_executable(unit a_test.cpp b_test.cpp)\ngtest_discover_tests(unit)\n",
            "b_test.cpp": "TEST(B, Runs) {}\n",
        },
        {"CMakeLists.txt": "add_executable(unit a_test.cpp)\ngtest_discover_tests(unit)\n"},
    ),
    "a module that is gone with its folder": (
        {
            "pom.xml": "<project><modules><module>api</module><module>old</module></modules></project>",
            "old/pom.xml": "<project/>",
        },
        {"pom.xml": "<project><modules><module>api</module></modules></project>"},
    ),
    "a script of tests that is gone with its name": (
        {"check.sh": "for t in a b; do sh tests/t_$t.sh; done\n", "tests/t_b.sh": "set -e\n[ $x = 1 ]\n"},
        {"check.sh": "for t in a; do sh tests/t_$t.sh; done\n"},
    ),
    "a folder as a pattern": (
        {"package.json": '{"scripts": {"test": "node --test test/"}}'},
        {"package.json": '{"scripts": {"test": "node --test \'test/**/*.test.js\'"}}'},
    ),
    "a selection that a new run completes": (
        {WORKFLOW: PYTEST},
        {WORKFLOW: STEPS + "      - run: pytest -m 'not slow'\n      - run: pytest -m slow\n"},
    ),
    "packages that a new run takes": (
        {WORKFLOW: STEPS + "      - run: go test ./...\n"},
        {
            WORKFLOW: STEPS
            + "      - run: go test $(go list ./... | grep -v /store)\n      - run: go test ./store/...\n"
        },
    ),
    "a file of tests moved and kept its name": (
        {"tests/a.test.ts": JEST},
        {"tests/unit/a.test.ts": JEST},
    ),
    "a file of tests is called otherwise, and taken": (
        {"tests/a.test.ts": JEST, "vitest.config.ts": "export default { test: {} }"},
        {"tests/a.unit.ts": JEST, "vitest.config.ts": "export default { test: { include: ['tests/**/*.unit.ts'] } }"},
    ),
    "a file of tests stands where all are run": (
        {"test/a.test.js": JEST},
        {"test/a.js": JEST},
    ),
    "a run is given a new file that says how it is shown": (
        {"package.json": SCRIPTS},
        {
            "package.json": SCRIPTS.replace("jest", "jest -c jest.ci.config.js"),
            "jest.ci.config.js": "module.exports = { ...require('./jest.config'), maxWorkers: 2 };",
        },
    ),
    "a new file of a runner that leaves out none": (
        {"Cargo.toml": "[package]\nname='a'\n"},
        {"Cargo.toml": "[package]\nname='a'\n", ".config/nextest.toml": "[profile.default]\ndefault-filter='all()'\n"},
    ),
    "the settings of a runner are called otherwise": (
        {"tests/a.runsettings": "<RunSettings><R><TestCaseFilter>Name!~A</TestCaseFilter></R></RunSettings>"},
        {"tests/ci.runsettings": "<RunSettings><R><TestCaseFilter>Name!~A</TestCaseFilter></R></RunSettings>"},
    ),
    "nothing changed": ({WORKFLOW: PYTEST}, {WORKFLOW: PYTEST}),
    "the run moved into a script": (
        {WORKFLOW: PYTEST},
        {WORKFLOW: PYTEST.replace("pytest -q", "./ci/checks.sh"), "ci/checks.sh": "set -e\npytest -q\n"},
    ),
    "another system took the run over": (
        {".travis.yml": "script:\n  - pytest -q\n"},
        {WORKFLOW: PYTEST},
    ),
    "a focus that nothing has": (
        {"spec/spec_helper.rb": "RSpec.configure do |config|\nend\n"},
        {
            "spec/spec_helper.rb": "RSpec.configure do |config|\n  config.filter_run :focus\n"
            "  config.run_all_when_everything_filtered = true\nend\n"
        },
    ),
    "projects of a build that are called tests": (
        {"settings.gradle": "include ':json'\n"},
        {"settings.gradle": "include ':json'\ninclude ':json-tests'\n"},
    ),
    "a change of a playground starts nothing": (
        {WORKFLOW: PYTEST.replace("on: [push]", "on:\n  push:\n    branches: [main]")},
        {
            WORKFLOW: PYTEST.replace(
                "on: [push]", "on:\n  push:\n    branches: [main]\n    paths-ignore: ['sandbox/**']"
            )
        },
    ),
    "the settings moved to another file": (
        {"setup.cfg": INI, "pyproject.toml": ""},
        {"setup.cfg": "", "pyproject.toml": TOML},
    ),
    "two jobs became one with a matrix": (
        {WORKFLOW: STEPS + "      - run: tox\n  other:\n    steps:\n      - run: tox\n"},
        {WORKFLOW: STEPS.replace("steps", "strategy: {matrix: {py: [1, 2]}}\n    steps") + "      - run: tox\n"},
    ),
    "a step is loosened that runs no tests": (
        {WORKFLOW: PYTEST + "      - run: docker rm -f db\n"},
        {WORKFLOW: PYTEST + "      - run: docker rm -f db || true\n"},
    ),
    "a new run beside the old one is loose": (
        {WORKFLOW: PYTEST},
        {WORKFLOW: PYTEST + "  nightly:\n    continue-on-error: true\n    steps:\n      - run: pytest -q --pre\n"},
    ),
    "an option moved from the command to the configuration": (
        {WORKFLOW: STEPS + "      - run: pytest -m 'not slow'\n", "setup.cfg": "[tool:pytest]\n"},
        {WORKFLOW: PYTEST, "setup.cfg": "[tool:pytest]\naddopts = -m 'not slow'\n"},
    ),
    "an option moved from the configuration to the command": (
        {"tox.ini": "[testenv]\ncommands = pytest\n[pytest]\naddopts = --doctest-modules\n"},
        {"tox.ini": "[testenv]\ncommands = pytest --doctest-modules\n[pytest]\n"},
    ),
    "a project starts": ({}, {WORKFLOW: PYTEST, "setup.cfg": INI, "a.toml": "", "Makefile": "test:\n\t-pytest\n"}),
    "one test runner took another's place": (
        {"package.json": '{"scripts":{"test":"jest"},"jest":{"coverageThreshold":{"global":{"lines":90}}}}'},
        {
            "package.json": '{"scripts":{"test":"vitest run"}}',
            "vitest.config.ts": "export default { test: { coverage: { thresholds: { lines: 90 } } } }",
        },
    ),
    "a job moved to another pipeline that every change starts": (
        {WORKFLOW: PYTEST},
        {WORKFLOW: STEPS + "      - run: ruff check\n", ".github/workflows/unit.yml": PYTEST},
    ),
    "the folder of a run got another name": (
        {"ci/test.sh": "set -e\ncd old\npytest -q\n"},
        {"ci/test.sh": "set -e\ncd new\npytest -q\n"},
    ),
    "two runs in two folders in another order": (
        {"Makefile": "test:\n\tcd a && pytest -q\n\tcd b && pytest -q\n"},
        {"Makefile": "test:\n\tcd b && pytest -q\n\tcd a && pytest -q\n"},
    ),
    "coverage is measured for the first time": (
        {"pyproject.toml": "[project]\n"},
        {"pyproject.toml": '[project]\n[tool.coverage.run]\nsource = ["a"]\nomit = ["a/old.py"]\n'},
    ),
    "coverage gets a file of its own": ({}, {".coveragerc": "[report]\nfail_under = 90\n"}),
    "a test file moved to another folder of tests": (
        {"tests/test_a.py": "def test_a():\n    assert 1\n"},
        {"tests/unit/test_a.py": "def test_a():\n    assert 1\n"},
    ),
    "pytest got a file of its own": (
        {"pyproject.toml": TOML},
        {"pyproject.toml": "", "pytest.ini": INI.replace("tool:pytest", "pytest")},
    ),
    "coverage got a file of its own that asks for more": (
        {"pyproject.toml": '[tool.coverage.run]\nsource = ["a"]\n[tool.coverage.report]\nfail_under = 95\n'},
        {"pyproject.toml": "", ".coveragerc": "[run]\nsource = a\n[report]\nfail_under = 97\n"},
    ),
    "a file of tests moved to a folder that is entered": (
        {"tests/test_a.py": "def test_a():\n    assert 1\n", "setup.cfg": INI + "norecursedirs = manual\n"},
        {"tests/unit/test_a.py": "def test_a():\n    assert 1\n", "setup.cfg": INI + "norecursedirs = manual\n"},
    ),
    "a pre-commit hook became another": (
        {".pre-commit-config.yaml": "repos:\n- repo: a\n  hooks:\n  - id: flake8\n  - id: isort\n"},
        {".pre-commit-config.yaml": "repos:\n- repo: a\n  hooks:\n  - id: ruff-check\n"},
    ),
}


@pytest.mark.parametrize(("base", "head"), SILENT.values(), ids=SILENT)
def test_what_moved_or_came_beside_is_nothing(base: Files, head: Files) -> None:
    assert () == findings(base, head)


CSPROJ = '<Project><ItemGroup><PackageReference Include="xunit" /></ItemGroup></Project>'

PLAN = '{"testTargets": [{%s"target": {"name": "AppTests"}}]}'
XCTEST = "import XCTest\nfinal class NewTests: XCTestCase {\n func testA() { XCTAssertEqual(f(), 1) }\n}\n"

LOUD: dict[str, tuple[str, Files, Files]] = {
    "a new class of tests that a plan leaves out": (
        WARN,
        {"App.xctestplan": PLAN % ""},
        {"App.xctestplan": PLAN % '"skippedTests": ["NewTests"], ', "Tests/NewTests.swift": XCTEST},
    ),
    "a new script that a build applies, and that ignores failures": (
        WARN,
        {"build.gradle": "test {\n  useJUnitPlatform()\n}\n"},
        {
            "build.gradle": "test {\n  useJUnitPlatform()\n}\napply from: 'gradle/again.gradle'\n",
            "gradle/again.gradle": "test {\n  ignoreFailures = true\n}\n",
        },
    ),
    "what coverage leaves out, moved to another file with more": (
        WARN,
        {".coveragerc": "[run]\nomit = checks/*.py\n", "pyproject.toml": "[tool.pytest.ini_options]\n"},
        {"pyproject.toml": "[tool.pytest.ini_options]\n[tool.coverage]\nrun.omit = ['checks/*.py', 'app/old/*']\n"},
    ),
    "a file of tests has a name that no runner takes": (
        BLOCK,
        {"tests/a.test.ts": JEST},
        {"tests/unit/a.tests.ts": JEST},
    ),
    "a file of tests has a name that AVA passes over": (
        BLOCK,
        {"test/slug.js": JEST},
        {"test/_slug.js": JEST},
    ),
    "a run is given a new file that names one test": (
        BLOCK,
        {"package.json": SCRIPTS},
        {
            "package.json": SCRIPTS.replace("jest", "jest -c jest.ci.config.js"),
            "jest.ci.config.js": "module.exports = { ...common, testMatch: ['**/test/money.test.js'] };",
        },
    ),
    "a run is given a new file that leaves one out": (
        BLOCK,
        {"package.json": SCRIPTS},
        {
            "package.json": SCRIPTS.replace("jest", "jest --config=ci/jest.config.js"),
            "ci/jest.config.js": "module.exports = { testPathIgnorePatterns: ['/dist/', 'test/cart.test.js'] };",
        },
    ),
    "a new file of a runner that leaves out a test": (
        BLOCK,
        {"Cargo.toml": "[package]\nname='a'\n"},
        {
            "Cargo.toml": "[package]\nname='a'\n",
            ".config/nextest.toml": "[profile.default]\ndefault-filter='not test(a)'\n",
        },
    ),
    "a new file of a runner that skips a tag": (
        BLOCK,
        {"test/a_test.dart": "void main() { test('a', () {}); }"},
        {
            "test/a_test.dart": "void main() { test('a', () {}, tags: 'odd'); }",
            "dart_test.yaml": "tags:\n  odd:\n    skip: later\n",
        },
    ),
    "new settings of a run that leave out tests": (
        BLOCK,
        {"a.csproj": CSPROJ},
        {
            "a.csproj": CSPROJ.replace("</Project>", "<PropertyGroup><X>1</X></PropertyGroup></Project>"),
            "ci.runsettings": "<RunSettings><R><TestCaseFilter>Name!~A</TestCaseFilter></R></RunSettings>",
        },
    ),
    "a selection that another run only completes at night": (
        WARN,
        {WORKFLOW: PYTEST},
        {
            WORKFLOW: STEPS
            + "      - run: pytest -m 'not slow'\n"
            + "      - if: github.event_name == 'schedule'\n        run: pytest -m slow\n"
        },
    ),
    "a script that starts the tests behind an exit": (
        BLOCK,
        {"package.json": '{"scripts": {"test": "vitest run"}}'},
        {"package.json": '{"scripts": {"test": "npm run test:all || exit 0", "test:all": "vitest run"}}'},
    ),
    "rules of a template that wait for a hand": (
        BLOCK,
        {".gitlab-ci.yml": "unit:\n  script: go test ./...\n"},
        {
            ".gitlab-ci.yml": (
                ".rare:\n  rules:\n    - if: $CI_COMMIT_TAG\n    - when: manual\n"
                "unit:\n  extends: [.rare]\n  script: go test ./...\n"
            )
        },
    ),
    "a part of the folder of tests": (
        BLOCK,
        {"mix.exs": "defmodule A do\n  def project do\n    [app: :a]\n  end\nend\n"},
        {"mix.exs": 'defmodule A do\n  def project do\n    [app: :a, test_paths: ["test/quick"]]\n  end\nend\n'},
    ),
    "properties that sbt tries once": (
        BLOCK,
        {"build.sbt": SBT % 200},
        {"build.sbt": SBT % 2},
    ),
    "a source of tests that is built no more": (
        BLOCK,
        {"CMakeLists.txt": "add_executable(unit a_test.cpp b_test.cpp)\ngtest_discover_tests(unit)\n"},
        {"CMakeLists.txt": "add_executable(unit a_test.cpp)\ngtest_discover_tests(unit)\n"},
    ),
    "a run moved to a pipeline that only a hand starts": (
        BLOCK,
        {WORKFLOW: PYTEST},
        {
            WORKFLOW: STEPS + "      - run: ruff check\n",
            ".github/workflows/full.yml": PYTEST.replace("on: [push]", "on: workflow_dispatch"),
        },
    ),
    "a run moved to a pipeline that only the clock starts": (
        BLOCK,
        {WORKFLOW: PYTEST + "      - run: ./scripts/e2e.sh\n"},
        {
            WORKFLOW: STEPS + "      - run: ./scripts/e2e.sh\n",
            ".github/workflows/full.yml": PYTEST.replace("on: [push]", "on: {schedule: [{cron: '1 1 * * *'}]}"),
        },
    ),
    "a run of one folder became a second one of another": (
        BLOCK,
        {"Makefile": "test:\n\tcd billing && pytest -q\n\tcd search && pytest -q\n"},
        {"Makefile": "test:\n\tcd search && pytest -q tests\n\tcd search && pytest -q\n"},
    ),
    "a step of one folder became a second one of another": (
        BLOCK,
        {
            WORKFLOW: STEPS
            + "      - {run: npm test, working-directory: web}\n      - {run: npm test, working-directory: api}\n"
        },
        {
            WORKFLOW: STEPS
            + "      - {run: npm test, working-directory: web}\n      - {run: npm test, working-directory: web}\n"
        },
    ),
    "a file of tests moved aside": (
        WARN,
        {"tests/test_a.py": "def test_a():\n    assert 1\n"},
        {"examples/test_a.py": "def test_a():\n    assert 1\n"},
    ),
    "a file that pytest reads first, and that names one file": (
        WARN,
        {},
        {"pytest.ini": "[pytest]\ntestpaths = tests/test_a.py\n"},
    ),
    "a file that pytest reads instead, and that names a part": (
        BLOCK,
        {"pyproject.toml": TOML},
        {"pyproject.toml": TOML, "pytest.ini": "[pytest]\ntestpaths = tests/test_a.py\n"},
    ),
    "a file that pytest reads instead, and that is loose": (
        WARN,
        {"pyproject.toml": TOML},
        {"pyproject.toml": TOML, "pytest.toml": '[pytest]\ntestpaths = ["tests"]\n'},
    ),
    "a file that coverage reads instead, and that asks for less": (
        BLOCK,
        {"pyproject.toml": "[tool.coverage.report]\nfail_under = 95\n"},
        {"pyproject.toml": "[tool.coverage.report]\nfail_under = 95\n", ".coveragerc": "[report]\nfail_under = 60\n"},
    ),
    "a file that mypy reads instead": (
        WARN,
        {"pyproject.toml": "[tool.mypy]\nstrict = true\n"},
        {"pyproject.toml": "[tool.mypy]\nstrict = true\n", "mypy.ini": "[mypy]\nfiles = a\n"},
    ),
    "a file of tests moved to a folder that pytest does not enter": (
        BLOCK,
        {"tests/test_a.py": "def test_a():\n    assert 1\n", "setup.cfg": INI + "norecursedirs = manual\n"},
        {"tests/manual/test_a.py": "def test_a():\n    assert 1\n", "setup.cfg": INI + "norecursedirs = manual\n"},
    ),
    "a file of tests moved out of the folders of tests": (
        BLOCK,
        {"tests/test_a.py": "def test_a():\n    assert 1\n", "setup.cfg": INI},
        {"checks/test_a.py": "def test_a():\n    assert 1\n", "setup.cfg": INI},
    ),
    "a file that coverage reads first, and that asks for none": (
        BLOCK,
        {},
        {".coveragerc": "[report]\nfail_under = 0\n"},
    ),
    "a new file of tests that one target leaves out": (
        WARN,
        {"build.gradle": "test {\n  useJUnitPlatform()\n}\n"},
        {
            "build.gradle": "test {\n  useJUnitPlatform()\n  exclude '**/NewTest.java'\n}\n",
            "src/test/java/NewTest.java": "class NewTest { @Test void a() { assertEquals(3, f()); } }\n",
        },
    ),
    "a focus and nothing else": (
        BLOCK,
        {"spec/spec_helper.rb": "RSpec.configure do |config|\nend\n"},
        {"spec/spec_helper.rb": "RSpec.configure do |config|\n  config.filter_run :smoke\nend\n"},
    ),
    "a file that tests is gone": (WARN, {".travis.yml": "script: pytest -q\n"}, {}),
    "a copy of another run replaces nothing": (
        WARN,
        {"ci/test.sh": "set -e\n./runtests unit\n./runtests smoke\n"},
        {"ci/test.sh": "set -e\n./runtests smoke\n./runtests smoke\n"},
    ),
    "a moved run that lost its force": (
        BLOCK,
        {WORKFLOW: PYTEST},
        {WORKFLOW: PYTEST.replace("pytest -q", "./ci/checks.sh"), "ci/checks.sh": "pytest -q || true\n"},
    ),
    "one of two runs of the same place": (
        BLOCK,
        {WORKFLOW: TWICE},
        {WORKFLOW: TWICE.replace("tests/slow", "tests/slow || true")},
    ),
    "a file that pytest reads before the others": (
        WARN,
        {},
        {"pytest.ini": "[pytest]\naddopts = --deselect tests/test_a.py::test_b\n"},
    ),
    "a section that names what is no test any more": (
        BLOCK,
        {},
        {"unittest.cfg": "[unittest]\ntest-method-prefix = it\n"},
    ),
    "a threshold that a command lowers": (
        BLOCK,
        {"pyproject.toml": "[tool.coverage.report]\nfail_under = 90\n"},
        {
            "pyproject.toml": "[tool.coverage.report]\nfail_under = 0\n",
            "Makefile": "t:\n\tpytest --cov-fail-under=10\n",
        },
    ),
}


@pytest.mark.parametrize(("severity", "base", "head"), LOUD.values(), ids=LOUD)
def test_what_lost_its_force_over_several_files_is_found(severity: str, base: Files, head: Files) -> None:
    assert severity == worst(findings(base, head))


def test_a_finding_names_the_run_its_place_and_the_line() -> None:
    head = PYTEST.replace("pytest -q", "pytest -q || true")
    (found,) = findings({WORKFLOW: PYTEST}, {WORKFLOW: head})
    assert (WORKFLOW, 5) == (found.path, found.line)
    assert "`pytest` in test: a failure no longer counts, `|| true`" == found.message
