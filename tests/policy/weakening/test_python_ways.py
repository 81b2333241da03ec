"""Ways of Python and pytest from guards to clocks, each beside the honest change that looks like it."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN

Files = dict[str, str]

TEST = "def test_a():\n    assert app.total([1]) == 1\n"
BASE: Files = {
    "app/__init__.py": "",
    "app/core.py": "def total(numbers):\n    return sum(numbers)\n",
    "requirements.txt": "numpy>=1.26\nOpenCV-Contrib-Python\n",
    "tests/test_a.py": f"import app\n\n{TEST}",
}


def around(head: str, **others: str) -> Files:
    """The base with another text before its test, and other files by their names with `__` for `/`."""
    added = {name.replace("__", "/") + ".py": text for name, text in others.items()}
    return {**BASE, **added, "tests/test_a.py": f"{head}\n{TEST}"}


def of(text: str) -> Files:
    return {"app.py": "", "tests/test_a.py": text}


UNITTEST = "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        "
PYTEST = "import pytest\nclass TestA:\n    def test_a(self):\n        "
WAIT = """import time
from kv import Cache
def test_a(monkeypatch):
    cache = Cache(0.05)
    cache.put(1)
    time.sleep(0.06)
    assert cache.get() is None
"""
NO_WAIT = WAIT.replace("    time.sleep(0.06)\n", "")
MOVED = WAIT.replace(
    "    cache = ", "    now = [0.0]\n    monkeypatch.setattr(time, 'monotonic', lambda: now[0])\n    cache = "
)
MOVED = MOVED.replace("time.sleep(0.06)", "now[0] = 0.06")
STOPPED = WAIT.replace("    cache = ", "    monkeypatch.setattr(time, 'monotonic', lambda: 5.0)\n    cache = ")
PROPERTY = """from hypothesis import given, strategies as st
@given(st.text(alphabet="ab", max_size=60))
def test_a(text):
    assert app.decode(app.encode(text)) == text
"""
ANY_TEXT = 'st.text(alphabet="ab", max_size=60)'
TABLE = """import pytest
from datetime import date
ROWS = [(1, date(2024, 3, 1)), (2, date(2024, 3, 2))]
@pytest.mark.parametrize(("n", "day"), ROWS)
def test_a(n, day):
    assert app.day(n) == day
"""
ROWS = """import pytest
@pytest.mark.parametrize("action", [{}])
def test_a(action):
    assert app.may(app.GHOST, action) is False
"""
HOOK = "def pytest_ignore_collect(collection_path):\n    return True if collection_path.name == {!r} else None\n"


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(
            BASE,
            around("import pytest\npytest.importorskip('numpy')\nimport app\n"),
            id="a module that is declared: it warns",
        ),
        pytest.param(
            BASE,
            around("import pytest\npytest.importorskip('redis_om')\nimport app\n", app__cache="import redis_om\n"),
            id="a module that production imports: it warns",
        ),
        pytest.param(
            BASE,
            around(
                "import pytest, shutil\nimport app\n"
                "pytestmark = pytest.mark.skipif(shutil.which('git') is None, reason='')\n"
            ),
            id="a program that machines have: it warns",
        ),
        pytest.param(
            BASE,
            around(
                "import pytest\nfrom app.flags import HAS_FAST\n"
                "pytestmark = pytest.mark.skipif(not HAS_FAST, reason='')\nimport app\n",
                app__flags="try:\n    import fast\n    HAS_FAST = True\nexcept ImportError:\n    HAS_FAST = False\n",
            ),
            id="a switch of production that a branch decides: it warns",
        ),
    ],
)
def test_warns(base: Files, head: Files) -> None:
    assert {WARN} == severities(base, head)


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(
            BASE,
            {**BASE, "tests/test_b.py": f"import pytest\npytest.importorskip('nobody_has_it')\n{TEST}"},
            id="a new test for a module that nobody else has",
        ),
        pytest.param(
            of(f"{UNITTEST}self.assertAlmostEqual(app.feet(100), 30.48)\n"),
            of(f"{PYTEST}assert app.feet(100) == pytest.approx(30.48)\n"),
            id="from unittest to approx",
        ),
        pytest.param(of(WAIT), of(MOVED), id="a clock of its own in the place of a pause"),
        pytest.param(
            of(PROPERTY),
            of(PROPERTY.replace(ANY_TEXT, 'st.text(alphabet=st.sampled_from(["a", "b"]), max_size=60)')),
            id="the same letters in a list",
        ),
        pytest.param(of(TABLE), of(TABLE.replace("), ROWS)", "), [r for r in ROWS if r[0] < 9])")), id="every row"),
        pytest.param(
            of("def test_a():\n    for n in [1, 2, 3]:\n        assert app.day(n) == n\n"),
            of(
                "def table():\n    return [1, 2, 3]\n"
                "def test_a():\n    for n in table():\n        assert app.day(n) == n\n"
            ),
            id="a table that a function returns",
        ),
        pytest.param(
            of(ROWS.format('"read", "write"')),
            of(ROWS.format('"write"') + '\n\ndef test_read():\n    assert app.may(app.GHOST, "read") is False\n'),
            id="a row that became a test of its own",
        ),
        pytest.param(BASE, {**BASE, "conftest.py": HOOK.format("_build")}, id="a folder that holds no tests"),
        pytest.param(
            BASE,
            around("from flaky import flaky\nimport app\n@flaky(max_runs=3, min_passes=3)"),
            id="a test that has to pass each time",
        ),
    ],
)
def test_allows(base: Files, head: Files) -> None:
    assert set() == severities(base, head)


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(
            BASE,
            around("import pytest\npytest.importorskip('rapidfuzz_ext')\nimport app\n"),
            id="a module that nothing speaks of",
        ),
        pytest.param(
            BASE,
            around(
                "import pytest, shutil\n"
                "needs = pytest.mark.skipif(not shutil.which('soffice7'), reason='')\nimport app\n@needs"
            ),
            id="a program that nothing speaks of",
        ),
        pytest.param(
            BASE,
            around(
                "import pytest\nfrom app.flags import FAST\n"
                "pytestmark = pytest.mark.skipif(not FAST, reason='')\nimport app\n",
                app__flags="FAST = False\n",
            ),
            id="a switch that production holds off",
        ),
        pytest.param(
            of(f"{UNITTEST}self.assertAlmostEqual(app.feet(100), 30.48)\n"),
            of(f"{PYTEST}assert app.feet(100) == pytest.approx(30.48, rel=0.1)\n"),
            id="from unittest to a wide approx",
        ),
        pytest.param(of(NO_WAIT), of(STOPPED.replace("    time.sleep(0.06)\n", "")), id="a clock that stands still"),
        pytest.param(
            of(PROPERTY), of(PROPERTY.replace(ANY_TEXT, 'st.sampled_from(["", "a", "ab"])')), id="a few values"
        ),
        pytest.param(of(TABLE), of(TABLE.replace("), ROWS)", "), [r for r in ROWS if r[0] == 1])")), id="one row less"),
        pytest.param(of(ROWS.format('"read", "write"')), of(ROWS.format('"write"')), id="a row that is gone"),
        pytest.param(BASE, {**BASE, "conftest.py": HOOK.format("test_a.py")}, id="a file of tests"),
        pytest.param(
            BASE,
            {**BASE, "conftest.py": "def pytest_configure(config):\n    config.args[:] = ['tests/smoke']\n"},
            id="what pytest is given",
        ),
    ],
)
def test_blocks(base: Files, head: Files) -> None:
    assert BLOCK in severities(base, head)


def severities(base: Files, head: Files) -> set[str]:
    sides = ({path: text.encode() for path, text in one.items()} for one in (base, head))
    return {one.severity for one in judge_files(*sides).findings}
