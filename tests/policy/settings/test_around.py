"""Changes of pipelines, scripts and settings that files which did not change decide about."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import ADVICE, BLOCK, WARN

Files = dict[str, str]


def worst(base: Files, head: Files) -> str:
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    severities = {one.severity for one in judge_files(*sides).findings}
    return next((one for one in (BLOCK, WARN, ADVICE) if one in severities), "")


GITLAB = "include:\n  - local: /ci/templates.yml\ntests:\n  extends: .python\n  script:\n    - pytest -q\n"
TEMPLATE = ".python:\n  image: python\n{}"


@pytest.mark.parametrize(
    ("top", "template", "severity"),
    [
        (GITLAB, "  interruptible: true\n", ""),
        (GITLAB.replace("include", "# include").replace("  - local: /ci", "#"), "  allow_failure: true\n", ""),
        (GITLAB.replace("extends: .python", "extends: .other"), "  allow_failure: true\n", ""),
        (f"{GITLAB}  allow_failure: false\n", "  allow_failure: true\n", ""),
        (GITLAB, "  allow_failure: true\n", BLOCK),
        (GITLAB, "  when: manual\n", BLOCK),
        (GITLAB, "  rules:\n    - if: $CI_COMMIT_TAG\n", BLOCK),
        (GITLAB.replace("  - local: /ci/templates.yml", "  - 'ci/*.yml'"), "  allow_failure: true\n", BLOCK),
    ],
)
def test_a_template_that_the_pipeline_includes(top: str, template: str, severity: str) -> None:
    base = {".gitlab-ci.yml": top, "ci/templates.yml": TEMPLATE.format("")}
    assert severity == worst(base, {**base, "ci/templates.yml": TEMPLATE.format(template)})


@pytest.mark.parametrize(
    ("changes", "severity"),
    [
        ("[src/**/*, tests/**/*]", ""),
        ("['**/*.py']", ""),
        ("[tests/**/*, .gitlab-ci.yml]", BLOCK),
        ("[docs/**/*, test_*.py]", BLOCK),
    ],
)
def test_rules_that_leave_the_sources_out(changes: str, severity: str) -> None:
    base = "pytest:\n  script:\n    - pytest\n"
    head = f"pytest:\n  rules:\n    - changes: {changes}\n  script:\n    - pytest\n"
    assert severity == worst({".gitlab-ci.yml": base}, {".gitlab-ci.yml": head})


@pytest.mark.parametrize(("paths", "severity"), [("[src/**, tests/**]", ""), ("['tests/**', '.github/**']", BLOCK)])
def test_paths_of_a_trigger_that_leave_the_sources_out(paths: str, severity: str) -> None:
    text = "on:\n  push:{}\njobs:\n  a:\n    steps:\n      - run: pytest\n"
    path = ".github/workflows/a.yml"
    assert severity == worst({path: text.format("")}, {path: text.format(f"\n    paths: {paths}")})


SCRIPT = '[tool.hatch.envs.default.scripts]\n{} = "{}"\n'
WORKFLOW = "on: [push]\njobs:\n  a:\n    steps:\n      - run: {}\n"


@pytest.mark.parametrize(
    ("run", "command", "severity"),
    [
        ("hatch run test", "pytest -q tests", ""),
        ("hatch run lint", "python -m compileall -q app", WARN),
        ("hatch run test", "./run_tests.sh", ""),
        ("hatch run test", "./do.sh", WARN),
        ("hatch run test", "python -m compileall -q app", BLOCK),
        ("pipx run hatch run default:test", "echo ok", BLOCK),
        ("hatch run test", "pytest --version", BLOCK),
    ],
)
def test_a_script_that_a_pipeline_starts(run: str, command: str, severity: str) -> None:
    base = {
        "pyproject.toml": SCRIPT.format("test", "pytest {args:tests}"),
        ".github/workflows/a.yml": WORKFLOW.format(run),
    }
    assert severity == worst(base, {**base, "pyproject.toml": SCRIPT.format("test", command)})


MAIN = "on:\n  push:\n    branches: [main]\n{}jobs:\n  a:\n    steps:\n      - run: pytest\n"


@pytest.mark.parametrize(
    ("others", "severity"),
    [
        ({".github/workflows/b.yml": MAIN.format("  pull_request:\n")}, WARN),
        ({".gitlab-ci.yml": "a:\n  script: [pytest]\n"}, WARN),
        ({".github/workflows/b.yml": "on: [pull_request]\njobs:\n  a:\n    steps:\n      - run: ruff check\n"}, BLOCK),
        ({}, BLOCK),
    ],
)
def test_reviews_start_the_tests_no_more(others: Files, severity: str) -> None:
    base = {".github/workflows/a.yml": MAIN.format("  pull_request:\n"), **others}
    assert severity == worst(base, {**base, ".github/workflows/a.yml": MAIN.format("")})


INSTALL = "on: [push]\njobs:\n  a:\n    steps:\n      - run: pip install {}\n      - run: pytest tests\n"


@pytest.mark.parametrize(
    ("what", "severity"),
    [
        ("'.[test,docs]'", ""),
        ("-e . && pip install 'coverage[toml]'", ""),
        ("'dist/app.whl[test]'", ""),
        ("'app[test]'", WARN),
        ("'app[test]==2.0'", WARN),
    ],
)
def test_a_job_that_installs_what_was_released(what: str, severity: str) -> None:
    path = ".github/workflows/a.yml"
    assert severity == worst({path: INSTALL.format("-e '.[test]'")}, {path: INSTALL.format(what)})


RC = "[run]\nbranch = True\nsource = app\n[report]\nfail_under = 85\n"


@pytest.mark.parametrize(
    ("report", "severity"),
    [
        ('[tool.coverage.run]\nbranch = true\nsource = ["app"]\n[tool.coverage.report]\nfail_under = 85\n', ""),
        ('[tool.coverage.run]\nbranch = true\nsource = ["app"]\n', WARN),
        ('[tool.coverage.run]\nsource = ["app"]\n', BLOCK),
    ],
)
def test_settings_that_move_and_leave_a_threshold_behind(report: str, severity: str) -> None:
    assert severity == worst({".coveragerc": RC, "pyproject.toml": ""}, {"pyproject.toml": report})


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ("bandit -r src", "bandit -r src -x tests", ""),
        ("bandit -r src --severity-level high", "bandit -r src --severity-level medium", ""),
        ("bandit -r src", "bandit -r src --severity-level high", WARN),
        ("bandit -r src", "bandit -lll -r src", WARN),
        ("shellcheck a.sh", "shellcheck --severity=error a.sh", WARN),
    ],
)
def test_a_checker_that_tells_less(before: str, after: str, severity: str) -> None:
    path = ".github/workflows/a.yml"
    assert severity == worst({path: WORKFLOW.format(before)}, {path: WORKFLOW.format(after)})


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("exclude = build/\n", ""),
        ("exclude = src/ledger/\n", WARN),
        ("exclude = ^src/ledger/money\\.py$\n", WARN),
        ("follow_imports = silent\n", ""),
        ("follow_imports = skip\n", WARN),
    ],
)
def test_mypy_that_looks_at_less(line: str, severity: str) -> None:
    base = "[mypy]\nfiles = src\nwarn_return_any = True\n"
    assert severity == worst({"mypy.ini": base}, {"mypy.ini": base + line})


COUNTS = """import subprocess, sys
import xml.etree.ElementTree as ET
subprocess.run([sys.executable, "-m", "pytest", "--junitxml=out.xml", "tests"])
suite = ET.parse("out.xml").getroot()[0]
bad = {}
sys.exit(1 if bad else 0)
"""
BOTH = 'int(suite.get("failures")) + int(suite.get("errors"))'


@pytest.mark.parametrize(
    ("bad", "severity"),
    [
        ('int(suite.get("errors", 0)) + int(suite.get("failures", 0))', ""),
        ('len(suite.findall(".//failure")) + len(suite.findall(".//error"))', ""),
        ('int(suite.get("errors"))', BLOCK),
        ('suite.attrib["failures"] != "0"', BLOCK),
    ],
)
def test_a_script_that_counts_what_failed(bad: str, severity: str) -> None:
    path = "scripts/check_results.py"
    assert severity == worst({path: COUNTS.format(BOTH)}, {path: COUNTS.format(bad)})


RUNNER = "from django.test.runner import DiscoverRunner\n\n\nclass Quiet(DiscoverRunner):\n    pass\n"


@pytest.mark.parametrize(
    ("method", "severity"),
    [
        ("def suite_result(self, suite, result):\n        return super().suite_result(suite, result)\n", ""),
        ("def suite_result(self, suite, result):\n        return len(result.failures) + len(result.errors)\n", ""),
        ("def run_tests(self, labels):\n        return super().run_tests(labels)\n", ""),
        ("def suite_result(self, suite, result):\n        return 0\n", BLOCK),
        ("def suite_result(self, suite, result):\n        return len(result.errors)\n", BLOCK),
        ("def run_tests(self, labels):\n        super().run_tests(labels)\n        return 0\n", BLOCK),
    ],
)
def test_a_runner_of_djangos_that_says_how_it_ended(method: str, severity: str) -> None:
    path = "core/runner.py"
    assert severity == worst({path: RUNNER}, {path: RUNNER.replace("pass", method)})
