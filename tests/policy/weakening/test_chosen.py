"""Tests that stand as they stood, and that no run of the project chooses any more, each beside what chooses them."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK

Files = dict[str, str]

PLAIN = "import pytest\nfrom app import total\n\n\ndef test_a():\n    assert total([1]) == 1\n"
SLOW = PLAIN.replace("def test_a", "@pytest.mark.slow\ndef test_a")
OPTION = "def pytest_addoption(parser):\n    parser.addoption('--runslow', action='store_true', default=False)\n\n\n"
SKIPS = """def pytest_collection_modifyitems(config, items):
    if config.getoption("--runslow"):
        return
    skip = pytest.mark.skip(reason="need --runslow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
"""
RUNTEST = """def pytest_runtest_setup(item):
    for mark in ("slow", "gpu"):
        if item.get_closest_marker(mark) is not None and not item.config.getoption(f"--run{mark}"):
            pytest.skip("not asked for")
"""
DROPS = """def pytest_collection_modifyitems(config, items):
    if not config.option.runslow:
        items[:] = [one for one in items if "slow" not in one.keywords]
"""
BY_VARIABLE = """def pytest_runtest_setup(item):
    if any(one.name == "slow" for one in item.iter_markers()) and os.environ.get("RUN_SLOW") != "1":
        pytest.skip("not asked for")
""".replace('any(one.name == "slow" for one in item.iter_markers())', 'item.get_closest_marker("slow")')
AUTOUSE = """@pytest.fixture(autouse=True)
def leave_out(request):
    if request.node.get_closest_marker("slow") and not request.config.getoption("runslow"):
        pytest.skip("not asked for")
"""
ONLY_WITH = """def pytest_collection_modifyitems(config, items):
    if config.getoption("--runslow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip)
"""
CI = "on: [push]\njobs:\n  test:\n    steps:\n      - run: {}\n"
INI = '[tool.pytest.ini_options]\naddopts = "{}"\n'


def around(text: str, conftest: str = "", ci: str = "pytest", ini: str = "-ra", **others: str) -> Files:
    added = dict(others)
    return {
        "app.py": "def total(numbers):\n    return sum(numbers)\n",
        "pyproject.toml": INI.format(ini),
        ".github/workflows/ci.yml": CI.format(ci),
        "tests/test_a.py": text,
        **({"conftest.py": f"import os\nimport pytest\n\n\n{OPTION}{conftest}"} if conftest else {}),
        **added,
    }


def moved(path: str, ci: str, text: str = PLAIN) -> Files:
    files = around(PLAIN, ci=ci)
    del files["tests/test_a.py"]
    return {**files, path: text}


ALLOWED = {
    "a mark that nothing leaves out": {},
    "the pipeline gives the option": {"conftest": SKIPS, "ci": "pytest --runslow"},
    "the hook leaves it out with the option alone": {"conftest": ONLY_WITH},
    "another run takes the mark": {"ci": "pytest -m 'not slow' && pytest -m slow"},
    "another run takes everything": {
        "ci": "pytest -m 'not slow' tests && tox",
        "tox.ini": "[testenv]\ncommands = pytest\n",
    },
    "a run that nobody can see into": {"ci": "pytest -m 'not slow' && ./scripts/more-tests.sh"},
}
BLOCKED = {
    "a hook of the conftest": {"conftest": SKIPS},
    "a hook before each test": {"conftest": RUNTEST},
    "a hook that drops them": {"conftest": DROPS},
    "a variable that nobody sets": {"conftest": BY_VARIABLE},
    "a fixture for all tests": {"conftest": AUTOUSE},
    "addopts": {"ini": "-ra -m 'not slow'"},
    "the only run": {"ci": "pytest -m 'not (slow or gpu)' tests"},
    "tox": {"ci": "tox", "tox.ini": '[testenv]\ncommands = pytest -m "not slow"\n'},
}


def worst(base: Files, head: Files) -> list[str]:
    """The codes of what blocks."""
    old, new = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    return [one.code for one in judge_files(old, new).findings if one.severity == BLOCK]


@pytest.mark.parametrize("given", [pytest.param(row, id=name) for name, row in ALLOWED.items()])
def test_a_mark_is_allowed(given: Files) -> None:
    assert [] == worst(around(PLAIN, **given), around(SLOW, **given))


@pytest.mark.parametrize("given", [pytest.param(row, id=name) for name, row in BLOCKED.items()])
def test_a_mark_is_left_out(given: Files) -> None:
    assert ["E_SKIP_MARKER"] == worst(around(PLAIN, **given), around(SLOW, **given))


@pytest.mark.parametrize("given", [pytest.param(row, id=name) for name, row in BLOCKED.items()])
def test_a_new_test_may_be_slow(given: Files) -> None:
    new = "\n\n@pytest.mark.slow\ndef test_b():\n    assert total([]) == 0\n"
    assert [] == worst(around(PLAIN, **given), around(PLAIN + new, **given))


def test_a_mark_that_is_misspelt_is_in_no_run() -> None:
    ci = "pytest -m db && pytest -m 'not db' tests/unit"
    known, misspelt = (PLAIN.replace("def test_a", f"@pytest.mark.{mark}\ndef test_a") for mark in ("db", "bd"))
    assert ["E_SKIP_MARKER"] == worst(around(known, ci=ci), around(misspelt, ci=ci))
    assert [] == worst(around(known, ci="pytest"), around(misspelt, ci="pytest"))


@pytest.mark.parametrize(
    ("path", "ci", "codes"),
    [
        pytest.param("tests/unit/models/test_a.py", "pytest tests/unit", [], id="beneath what the run is given"),
        pytest.param("tests/it/test_a.py", "pytest tests/unit && pytest tests/it", [], id="another run looks there"),
        pytest.param("tests/it/test_a.py", "pytest", [], id="a run that looks everywhere"),
        pytest.param("tests/it/test_a.py", "pytest $WHERE", [], id="a run that a variable tells where to look"),
        pytest.param("tests/it/test_a.py", "pytest tests/unit", ["E_SKIP_MARKER"], id="where no run looks"),
        pytest.param("tests/it/test_a.py", "cd tests && pytest unit", ["E_SKIP_MARKER"], id="from another folder"),
    ],
)
def test_a_test_that_moves(path: str, ci: str, codes: list[str]) -> None:
    assert codes == worst(moved("tests/unit/test_a.py", ci), moved(path, ci))


def test_a_tag_of_django_is_left_out_by_the_command() -> None:
    base = (
        "from django.test import TestCase, tag\n\n\nclass TestA(TestCase):\n    def test_a(self):\n        self.ask()\n"
    )
    head = base.replace("class", '@tag("wip")\nclass')
    without = "python manage.py test --exclude-tag wip"
    both = f"python manage.py test --tag wip && {without}"
    assert ["E_SKIP_MARKER"] == worst(around(base, ci=without), around(head, ci=without))
    for ci in (both, "python manage.py test"):
        assert [] == worst(around(base, ci=ci), around(head, ci=ci))
