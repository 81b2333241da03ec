"""E_SKIP_MARKER: base and head of a change set, allow rows first."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import SKIP_MARKER
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.skip_marker import skip_findings
from agentgate_git.source.python.tests import read_inventory

HEAD = "import sys, unittest\nimport pytest\nfrom app import total\n\n"
A = "def test_a():\n    assert total([1, 2]) == 3\n"
B = "def test_b():\n    assert total([]) == 0\n"
SKIP = "@pytest.mark.skip(reason='flaky')\n"
GUARD = "@pytest.mark.skipif(not has_db(), reason='')\n"

BASE = "class Base:\n    def test_a(self):\n        assert total(1)\n"

CASE = "class ATest(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(total([1, 2]), 3)\n"
CASES = "class Base(unittest.TestCase):\n    maxDiff = None\n" + CASE.replace("unittest.TestCase", "Base")
CHOSEN = (
    "ROWS = [(1, 'one'), (2, 'two'), (3, 'three')]\n"
    "@pytest.mark.parametrize('a, b', ROWS)\ndef test_p(a, b):\n    assert total(a) == b\n"
)
BACKED = (
    "@pytest.fixture(params=[3, 4])\ndef data(request):\n    return range(request.param)\n"
    "def test_d(data):\n    assert total(data) == 3\n"
)

Files = dict[str, str]
ONE: Files = {"tests/test_a.py": A + B}


def of_base(body: str) -> tuple[Files, Files]:
    """A test case whose base class in the same file gets a method."""
    there = "    maxDiff = None\n"
    return {"tests/test_a.py": CASES}, {"tests/test_a.py": CASES.replace(there, there + body)}


def changed(text: str, there: str, now: str) -> tuple[Files, Files]:
    """A file of tests before and after one change."""
    assert 1 == text.count(there)
    return {"tests/test_a.py": text}, {"tests/test_a.py": text.replace(there, now)}


def findings(base: Files, head: Files) -> list[tuple[str, str, str]]:
    inventories = [
        [read_inventory(path, (HEAD + text).encode()) for path, text in side.items()] for side in (base, head)
    ]
    return [(finding.code, finding.severity, finding.path) for finding in skip_findings(*inventories)]


def blocked(path: str = "tests/test_a.py") -> list[tuple[str, str, str]]:
    return [(SKIP_MARKER, BLOCK, path)]


def warned(path: str = "tests/test_a.py") -> list[tuple[str, str, str]]:
    return [(SKIP_MARKER, WARN, path)]


ALLOWED: dict[str, tuple[Files, Files]] = {
    "nothing changed": (ONE, ONE),
    "test edited": (ONE, {"tests/test_a.py": A.replace("3", "4") + B}),
    "test added": (ONE, {"tests/test_a.py": A + B + "def test_c():\n    assert c\n"}),
    "skip removed": ({"tests/test_a.py": SKIP + A}, {"tests/test_a.py": A}),
    "skip reworded": ({"tests/test_a.py": SKIP + A}, {"tests/test_a.py": "@unittest.skip('x')\n" + A}),
    "skip moved with its test": ({"tests/test_a.py": SKIP + A}, {"tests/unit/test_b.py": SKIP + A}),
    "guard kept, test edited": ({"tests/test_a.py": GUARD + A}, {"tests/test_a.py": GUARD + A.replace("3", "4")}),
    "guard removed": ({"tests/test_a.py": GUARD + A}, {"tests/test_a.py": A}),
    "guard that never holds here": (ONE, {"tests/test_a.py": "@pytest.mark.skipif(sys.platform == 'win32')\n" + A + B}),
    "renamed test": (ONE, {"tests/test_a.py": A.replace("test_a", "test_sum") + B}),
    "moved file": (ONE, {"tests/unit/test_sums.py": A + B}),
    "moved into a class": (
        ONE,
        {"tests/test_a.py": "class TestA:\n    def test_a(self):\n        assert total([1, 2]) == 3\n" + B},
    ),
    "test removed": (ONE, {"tests/test_a.py": A}),
    "new test with a guard": (ONE, {"tests/test_a.py": A + B + GUARD + "def test_c():\n    assert c\n"}),
    "an xfail becomes strict": (
        {"tests/test_a.py": "@pytest.mark.xfail(strict=False)\n" + A},
        {"tests/test_a.py": "@pytest.mark.xfail(strict=True)\n" + A},
    ),
    "an xfail leaves it to the configuration": (
        {"tests/test_a.py": "@pytest.mark.xfail(strict=False)\n" + A},
        {"tests/test_a.py": "@pytest.mark.xfail(reason='#1')\n" + A},
    ),
    "new strict xfail": (
        ONE,
        {"tests/test_a.py": A + B + "@pytest.mark.xfail(strict=True)\ndef test_c():\n    assert c\n"},
    ),
    "body moved into a helper that the test calls": (
        ONE,
        {"tests/test_a.py": A.replace("test_a", "check") + "def test_a():\n    check()\n" + B},
    ),
    "tests moved into a base class of another file": (
        {"tests/test_a.py": BASE.replace("Base", "TestA")},
        {
            "tests/bases.py": BASE,
            "tests/test_a.py": "from tests.bases import Base\nclass TestA(Base):\n    pass\n",
        },
    ),
    "one of two heirs dropped": (
        {"tests/test_a.py": BASE + "class TestA(Base):\n    x = 1\nclass TestB(Base):\n    y = 2\n"},
        {"tests/test_a.py": BASE + "class TestA(Base):\n    x = 1\n"},
    ),
    "test with an empty body removed": (
        {"tests/test_a.py": A + "def test_b():\n    pass\n"},
        {"tests/test_a.py": A + "def helper():\n    pass\n"},
    ),
    "new helper": (ONE, {"tests/test_a.py": A + B, "tests/helpers.py": "def helper():\n    return 1\n"}),
    "fixture that skips nothing": (
        ONE,
        {"tests/conftest.py": "@pytest.fixture(autouse=True)\ndef x(tmp_path):\n    pass\n"},
    ),
    "new fixture that is named like a test": (
        ONE,
        {"tests/test_a.py": A + B + "@pytest.fixture\ndef test_client():\n    return connect()\n"},
    ),
    "decorator that wraps": (
        ONE,
        {"tests/test_a.py": "def timed(f):\n    def wrapper(*a):\n        f(*a)\n    return wrapper\n@timed\n" + A + B},
    ),
    "words about skipping": (ONE, {"tests/test_a.py": A + B + "# @pytest.mark.skip\n"}),
    "run under another locale": of_base(
        "    def run(self, result=None):\n        set_locale('C')\n        return super().run(result)\n"
    ),
    "a class that refuses misspelled names": of_base(
        "    def __init_subclass__(cls, **more):\n        super().__init_subclass__(**more)\n"
        "        for name in vars(cls):\n            if name.startswith('tset'):\n"
        "                raise TypeError(name)\n"
    ),
    "a class that marks its tests": of_base(
        "    def __init_subclass__(cls, **more):\n        for name in ('test_a',):\n"
        "            setattr(cls, name, pytest.mark.slow(getattr(cls, name)))\n"
    ),
    "a property beside the tests": changed(
        CASE, "    def test_a", "    @property\n    def sample(self):\n        return 1\n    def test_a"
    ),
    "an async test of an async case": changed(
        CASE.replace("TestCase", "IsolatedAsyncioTestCase"), "    def test_a", "    async def test_a"
    ),
    "an async test that a decorator runs": changed(CASE, "    def test_a", "    @run_async\n    async def test_a"),
    "a table and more": changed(CHOSEN, "'a, b', ROWS", "'a, b', ROWS[:] + [(4, 'four')]"),
    "a table in two parts": changed(CHOSEN, "'a, b', ROWS", "'a, b', [*ROWS[2:], *ROWS[:2]]"),
    "a fixture that loses its parameters": changed(BACKED, "[3, 4]", "[]"),
    "another parameter of a fixture": changed(BACKED, "[3, 4]", "[3, pytest.param(4, id='even'), 5]"),
    "a mark that selects on a parameter of a fixture": changed(
        BACKED, "[3, 4]", "[3, pytest.param(4, marks=pytest.mark.slow)]"
    ),
    "another implementation of Python": (
        ONE,
        {
            "tests/test_a.py": "import platform\n"
            "@pytest.mark.skipif(platform.python_implementation() == 'PyPy', reason='')\n" + A + B
        },
    ),
}

BLOCKED: dict[str, tuple[Files, Files]] = {
    "skip added": (ONE, {"tests/test_a.py": SKIP + A + B}),
    "every Python": (
        ONE,
        {"tests/test_a.py": "@pytest.mark.skipif(sys.version_info >= (3,), reason='later')\n" + A + B},
    ),
    "xfail added": (ONE, {"tests/test_a.py": "@pytest.mark.xfail\n" + A + B}),
    "strict xfail added": (ONE, {"tests/test_a.py": "@pytest.mark.xfail(strict=True)\n" + A + B}),
    "skip added and test edited": (ONE, {"tests/test_a.py": SKIP + A.replace("3", "4") + B}),
    "skip added and test renamed": (ONE, {"tests/test_a.py": SKIP + A.replace("test_a", "test_sum") + B}),
    "guard turned into a skip": ({"tests/test_a.py": GUARD + A}, {"tests/test_a.py": SKIP + A}),
    "name that is not collected": (ONE, {"tests/test_a.py": A.replace("test_a", "check_a") + B}),
    "body hidden under another name": (
        ONE,
        {"tests/test_a.py": A.replace("test_a", "_a") + "def test_a():\n    pass\n" + B},
    ),
    "test turned into a fixture": (ONE, {"tests/test_a.py": "@pytest.fixture()\n" + A + B}),
    "test turned into a fixture by another name": (
        ONE,
        {"tests/test_a.py": "from pytest import fixture as ready\n@ready\n" + A + B},
    ),
    "test turned into a fixture afterwards": (ONE, {"tests/test_a.py": A + "test_a = pytest.fixture(test_a)\n" + B}),
    "test turned into a prepared fixture": (
        ONE,
        {"tests/test_a.py": "ready = pytest.fixture(scope='module')\n@ready\n" + A + B},
    ),
    "decorator that returns nothing": (ONE, {"tests/test_a.py": "def off(f):\n    pass\n@off\n" + A + B}),
    "decorator that returns None": (ONE, {"tests/test_a.py": "def off(f):\n    return None\n@off\n" + A + B}),
    "decorator that sets a mark": (
        ONE,
        {"tests/test_a.py": "def off(f):\n    f.pytestmark = [pytest.mark.skip]\n    return f\n@off\n" + A + B},
    ),
    "decorator that puts a skip in place": (
        ONE,
        {"tests/test_a.py": "def off(f):\n    def g():\n        pytest.skip('x')\n    return g\n@off\n" + A + B},
    ),
    "decorator with a reason that puts a skip in place": (
        ONE,
        {
            "tests/test_a.py": "def off(why):\n    def deco(f):\n        def g():\n            pytest.skip(why)\n"
            "        return g\n    return deco\n@off('x')\n" + A + B
        },
    ),
    "decorator that sets __test__": (
        ONE,
        {"tests/test_a.py": "def off(f):\n    setattr(f, '__test__', False)\n    return f\n@off\n" + A + B},
    ),
    "body hidden by a second definition": (ONE, {"tests/test_a.py": A + "def test_a():\n    pass\n" + B}),
    "run that leaves before one test": of_base(
        "    def run(self, result=None):\n        if self._testMethodName.endswith('a'):\n            return result\n"
        "        return super().run(result)\n"
    ),
    "run that runs only some tests": of_base(
        "    def run(self, result=None):\n        if self.id() != 'tests.test_a.ATest.test_a':\n"
        "            super().run(result)\n"
    ),
    "__call__ that leaves": of_base(
        "    def __call__(self, *given):\n        if 'test_a' in self.id():\n            return\n"
        "        super().__call__(*given)\n"
    ),
    "a set-up that asks for the name of the test": of_base(
        "    def setUp(self):\n        if self._testMethodName in self.unstable:\n            self.skipTest('x')\n"
    ),
    "a class that decorates one test": of_base(
        "    def __init_subclass__(cls, **more):\n        for name in ('test_a',):\n"
        "            method = cls.__dict__.get(name)\n            if method is not None:\n"
        "                setattr(cls, name, unittest.skip('x')(method))\n"
    ),
    "a class that takes one test away": of_base(
        "    def __init_subclass__(cls, **more):\n"
        "        super().__init_subclass__(**more)\n        cls.test_a = None\n"
    ),
    "a class that expects failures by a list": of_base(
        "    broken = ('test_a',)\n    def __init_subclass__(cls, **more):\n        for name in ['test_a', 'test_q']:\n"
        "            if hasattr(cls, name):\n"
        "                setattr(cls, name, unittest.expectedFailure(getattr(cls, name)))\n"
    ),
    "a test that is a property": changed(CASE, "    def test_a", "    @property\n    def test_a"),
    "a test that is a cached property": changed(
        CASE, "    def test_a", "    @functools.cached_property\n    def test_a"
    ),
    "a test that nothing awaits": changed(CASE, "    def test_a", "    async def test_a"),
    "the ends of a table": changed(CHOSEN, "'a, b', ROWS", "'a, b', ROWS[:1] + ROWS[2:]"),
    "the ends of a table, unpacked": changed(CHOSEN, "'a, b', ROWS", "'a, b', [*ROWS[:1], *ROWS[2:]]"),
    "rows of a table by their numbers": changed(CHOSEN, "'a, b', ROWS", "'a, b', [ROWS[0], ROWS[-1]]"),
    "a part of a table by another name": changed(
        CHOSEN, "@pytest.mark.parametrize('a, b', ROWS)", "SOME = ROWS[1:] + []\n@pytest.mark.parametrize('a, b', SOME)"
    ),
    "a parameter of a fixture is expected to fail": changed(
        BACKED, "[3, 4]", "[3, pytest.param(4, marks=pytest.mark.xfail(reason='even'))]"
    ),
    "a parameter of a fixture is skipped": changed(
        BACKED, "params=[3, 4]", "params=(3, pytest.param(4, marks=[pytest.mark.skip]))"
    ),
    "every implementation of Python": (
        ONE,
        {
            "tests/test_a.py": "import platform\n"
            "@pytest.mark.skipif(platform.python_implementation() in ('CPython', 'PyPy'), reason='')\n" + A + B
        },
    ),
    "a skip in the place of a failure": (
        ONE,
        {
            "tests/test_a.py": "def calm(test):\n    def wrapper(*given):\n        try:\n            test(*given)\n"
            "        except AssertionError as error:\n            pytest.skip(str(error))\n    return wrapper\n@calm\n"
            + A
            + B
        },
    ),
    "an expected failure in the place of a failure": (
        ONE,
        {
            "tests/test_a.py": A.replace(
                "    assert total([1, 2]) == 3\n",
                "    try:\n        assert total([1, 2]) == 3\n    except (AssertionError, ValueError):\n"
                "        pytest.xfail('x')\n",
            )
            + B
        },
    ),
    "a table without some rows": changed(
        "ROWS = [1, 2, 3]\n@pytest.mark.parametrize('a', ROWS)\ndef test_p(a):\n    assert total(a)\n",
        "'a', ROWS",
        "'a', set(ROWS) - {2}",
    ),
}

WARNED: dict[str, tuple[Files, Files]] = {
    "a test of a base class that may await nothing": changed(
        CASE.replace("unittest.TestCase", "BaseTestCase"), "    def test_a", "    async def test_a"
    ),
    "a strict xfail that is strict no more": (
        {"tests/test_a.py": "@pytest.mark.xfail(strict=True)\n" + A},
        {"tests/test_a.py": "@pytest.mark.xfail\n" + A},
    ),
    "an xfail that may pass, whatever the configuration says": (
        {"tests/test_a.py": "@pytest.mark.xfail\n" + A},
        {"tests/test_a.py": "@pytest.mark.xfail(strict=False)\n" + A},
    ),
    "new test that may fail and may pass": (
        ONE,
        {"tests/test_a.py": A + B + "@pytest.mark.xfail(strict=False)\ndef test_c():\n    assert c\n"},
    ),
    "a Python that a project may be past": (
        ONE,
        {"tests/test_a.py": "@pytest.mark.skipif(sys.version_info >= (3, 8), reason='gone')\n" + A + B},
    ),
    "guard added": (ONE, {"tests/test_a.py": GUARD + A + B}),
    "decorator that puts a skip in place or not": (
        ONE,
        {
            "tests/test_a.py": "def off(f):\n    if has_db():\n        return f\n    def g():\n"
            "        pytest.skip('x')\n    return g\n@off\n" + A + B
        },
    ),
    "decorator that may skip": (
        ONE,
        {
            "tests/test_a.py": "def db(f):\n    def g():\n        if not has_db():\n            pytest.skip('x')\n"
            "        f()\n    return g\n@db\n" + A + B
        },
    ),
    "second guard added": (
        {"tests/test_a.py": GUARD + A},
        {"tests/test_a.py": GUARD + "@pytest.mark.skipif(sys.platform == 'linux')\n" + A},
    ),
    "guard of a kind the file already used": (
        {"tests/test_a.py": A + GUARD + B},
        {"tests/test_a.py": GUARD + A + GUARD + B},
    ),
    "new test that is skipped": (ONE, {"tests/test_a.py": A + B + SKIP + "def test_c():\n    assert c\n"}),
    "new test that is expected to fail": (
        ONE,
        {"tests/test_a.py": A + B + "@pytest.mark.xfail\ndef test_c():\n    assert c\n"},
    ),
    "expected failure turned into a skip": (
        {"tests/test_a.py": "@pytest.mark.xfail\n" + A},
        {"tests/test_a.py": SKIP + A},
    ),
}


ROWS = "@pytest.mark.parametrize('a, b', [(1, 'one'), (2, 'two')])\ndef test_p(a, b):\n    assert total(a) == b\n"
TABLE = "CASES = [(1, 'one'), (2, 'two')]\n" + ROWS.replace("[(1, 'one'), (2, 'two')]", "CASES")
OF_CLASS = "class TestA:\n    def test_a(self):\n        assert total([1, 2]) == 3\n"
STOPPED_ROWS: dict[str, tuple[str, str, list[tuple[str, str, str]]]] = {
    "a new row with a mark": (
        ROWS,
        ROWS.replace("'two')]", "'two'), pytest.param(3, 'x', marks=pytest.mark.slow)]"),
        [],
    ),
    "a filter that leaves nothing out": (TABLE, TABLE.replace("', CASES", "', [c for c in CASES if c[0] > 0]"), []),
    "a mark on a row under a condition": (
        ROWS,
        ROWS.replace("(2, 'two')", "pytest.param(2, 'two', marks=pytest.mark.skipif(no_db()))"),
        warned(),
    ),
    "a filter that cannot be judged": (TABLE, TABLE.replace("', CASES", "', [c for c in CASES if ok(c)]"), warned()),
    "a mark on a row": (ROWS, ROWS.replace("(2, 'two')", "pytest.param(2, 'two', marks=pytest.mark.xfail)"), blocked()),
    "marks of a row in a variable": (
        ROWS,
        "OFF = [pytest.mark.skip]\n" + ROWS.replace("(2, 'two')", "pytest.param(2, 'two', marks=OFF)"),
        blocked(),
    ),
    "a filter that leaves a row out": (
        TABLE,
        TABLE.replace("', CASES", "', [c for c in CASES if c[0] != 2]"),
        blocked(),
    ),
    "a slice": (TABLE, TABLE.replace("', CASES", "', CASES[:1]"), blocked()),
    "a skip for the value of a row": (
        ROWS,
        ROWS.replace("    assert", "    if b == 'two':\n        pytest.skip('x')\n    assert"),
        blocked(),
    ),
    "a condition in a text that always holds": (A, "@pytest.mark.skipif('sys.version_info >= (3,)')\n" + A, blocked()),
    "a condition on the size of numbers": (A, "@unittest.skipIf(sys.maxsize > 2**16, '')\n" + A, blocked()),
    "a condition on 64 bits": (A, "@unittest.skipIf(sys.maxsize > 2**32, '')\n" + A, blocked()),
    "a name that is bound anew": (A, A + "test_a = make(lambda: None)\n", blocked()),
    "a loop over the globals": (
        OF_CLASS,
        OF_CLASS + "for one in ('TestA',):\n    globals()[one].pytestmark = [pytest.mark.skip]\n",
        blocked(),
    ),
    "a method that its class deletes": (OF_CLASS, OF_CLASS + "    del test_a\n", blocked()),
    "a name that is decorated": (A, A + "test_a = timed(test_a)\n", []),
}


@pytest.mark.parametrize("row", STOPPED_ROWS.values(), ids=STOPPED_ROWS.keys())
def test_rows_names_and_conditions(row: tuple[str, str, list[tuple[str, str, str]]]) -> None:
    base, head, expected = row
    assert expected == findings({"tests/test_a.py": base}, {"tests/test_a.py": head})


@pytest.mark.parametrize(("base", "head"), ALLOWED.values(), ids=ALLOWED)
def test_allows(base: Files, head: Files) -> None:
    assert [] == findings(base, head)


@pytest.mark.parametrize(("base", "head"), BLOCKED.values(), ids=BLOCKED)
def test_blocks(base: Files, head: Files) -> None:
    assert blocked() == findings(base, head)


@pytest.mark.parametrize(("base", "head"), WARNED.values(), ids=WARNED)
def test_warns(base: Files, head: Files) -> None:
    assert warned() == findings(base, head)


def test_a_test_that_is_moved_and_skipped_is_found_where_it_went() -> None:
    assert blocked("tests/unit/test_b.py") == findings(ONE, {"tests/unit/test_b.py": SKIP + A + B})


def test_a_file_that_is_renamed_out_of_collection_stops_its_tests() -> None:
    assert blocked("tests/checks.py") == findings(ONE, {"tests/checks.py": A + B})


CONFTESTS = {
    "unconditional": ("@pytest.fixture(autouse=True)\ndef x():\n    pytest.skip()\n", BLOCK),
    "by name": (
        "@pytest.fixture(autouse=True)\ndef x(item):\n    if item.node.name == 'test_a':\n        pytest.skip()\n",
        BLOCK,
    ),
    "by hook": ("def pytest_runtest_setup(item):\n    pytest.skip()\n", BLOCK),
    "under a condition": (
        "@pytest.fixture(autouse=True)\ndef x():\n    if not has_db():\n        pytest.skip()\n",
        WARN,
    ),
}


@pytest.mark.parametrize(("text", "severity"), CONFTESTS.values(), ids=CONFTESTS)
def test_a_conftest_that_skips_stands_before_tests_of_other_files(text: str, severity: str) -> None:
    assert [(SKIP_MARKER, severity, "tests/conftest.py")] == findings(ONE, {"tests/conftest.py": text})


MARKS = """
def pytest_collection_modifyitems(items):
    for item in items:
        if {}:
            item.add_marker('skip')
"""
PICKING = [
    "item.name.startswith('test_a')",
    "'test_a' in item.nodeid",
    "item.originalname == wanted",
    "item.fspath.basename == wanted",
    "wanted in str(item.path)",
    "item.location[2] == wanted",
    "getattr(item, 'name') == wanted",
    "item.function.__name__ == wanted",
    "'test_a' in item.keywords",
]


@pytest.mark.parametrize("condition", PICKING)
def test_a_hook_that_picks_tests_by_name_blocks(condition: str) -> None:
    before = MARKS.format("'slow' in item.keywords")
    after = before + "\n".join(MARKS.format(condition).splitlines()[3:]) + "\n"
    assert blocked("tests/conftest.py") == findings(ONE, {"tests/conftest.py": MARKS.format(condition)})
    assert blocked("tests/conftest.py") == findings({"tests/conftest.py": before}, {"tests/conftest.py": after})


@pytest.mark.parametrize(
    "condition",
    [
        "'slow' in item.keywords",
        "'slow' in [m.name for m in item.iter_markers()]",
        "isinstance(item, TestCaseFunction) and 'slow' in item.keywords and not test_connection()",
        "os.name == name",
        "os.environ.get('test_db')",
        "backend.name in broken",
    ],
)
def test_a_hook_that_picks_tests_by_what_they_need_warns(condition: str) -> None:
    assert warned("tests/conftest.py") == findings(ONE, {"tests/conftest.py": MARKS.format(condition)})


IGNORE = "collect_ignore = ['test_a.py']\n"
HOOK = "def pytest_ignore_collect(collection_path):\n    return {}\n"
IGNORES: dict[str, tuple[str, str, list[str]]] = {
    "no test": ("", "collect_ignore = ['setup.py', 'docs/conf.py', 'data']\n", []),
    "unchanged": (IGNORE, IGNORE + "import app\n", []),
    "dropped": (IGNORE, "", []),
    "hook that ignores nothing": ("", HOOK.format("None"), []),
    "file": ("", IGNORE, [BLOCK]),
    "another file": (IGNORE, IGNORE + "collect_ignore += ['test_b.py']\n", [BLOCK]),
    "glob": ("", "collect_ignore_glob = ['test_*.py']\n", [BLOCK]),
    "hook": ("", HOOK.format("True"), [BLOCK]),
    "hook that names a file": ("", HOOK.format("collection_path.name == 'test_a.py'"), [BLOCK]),
    "hook that names a file elsewhere": (
        "",
        "OFF = {'test_a.py'}\n" + HOOK.format("collection_path.name in OFF"),
        [BLOCK],
    ),
    "hook that names a file on one system": (
        "",
        HOOK.format("sys.platform == 'win32' and collection_path.name == 'test_a.py'"),
        [WARN],
    ),
    "hook that asks": ("", HOOK.format("collection_path.suffix == '.txt'"), [WARN]),
    "folder": ("", "collect_ignore = ['legacy']\n", [WARN]),
    "file on one system": ("", f"if sys.platform == 'win32':\n    {IGNORE}", [WARN]),
    "file on new Pythons": ("", f"if sys.version_info >= (3, 13):\n    {IGNORE}", [WARN]),
    "guard dropped": (f"if sys.version_info >= (3, 13):\n    {IGNORE}", IGNORE, [BLOCK]),
}


@pytest.mark.parametrize(("base", "head", "expected"), IGNORES.values(), ids=IGNORES)
def test_a_conftest_that_ignores_tests(base: str, head: str, expected: list[str]) -> None:
    found = findings({"tests/conftest.py": base}, {"tests/conftest.py": head})
    assert [(SKIP_MARKER, severity, "tests/conftest.py") for severity in expected] == found


def test_a_conftest_that_moves_keeps_what_it_ignores() -> None:
    assert [] == findings({"tests/conftest.py": IGNORE}, {"tests/unit/conftest.py": IGNORE})


def test_an_ignored_file_warns_when_it_is_new_and_blocks_when_its_tests_are_not() -> None:
    head = {"tests/conftest.py": IGNORE, "tests/test_a.py": A}
    assert warned("tests/conftest.py") == findings({}, head)
    assert blocked("tests/conftest.py") == findings({"tests/test_sums.py": A}, head)


def test_an_ignored_file_is_named() -> None:
    (finding,) = skip_findings([], [read_inventory("conftest.py", b"collect_ignore = ['tests/test_a.py']\n")])
    assert "collect_ignore now keeps tests/test_a.py from being collected" == finding.message


def test_one_marker_is_one_finding_that_names_the_tests() -> None:
    base = [read_inventory("tests/test_a.py", (HEAD + A + B).encode())]
    head = [read_inventory("tests/test_a.py", (HEAD + "pytestmark = pytest.mark.skip\n" + A + B).encode())]
    (finding,) = skip_findings(base, head)
    assert "test_a, test_b ran at the base and are now skipped (pytest.mark.skip)" == finding.message
    assert 5 == finding.line


def test_a_forbidden_marker_blocks_where_the_manifest_forbids_it() -> None:
    marked = (HEAD + "@pytest.mark.network\n" + A).encode()
    base = [read_inventory("tests/test_a.py", (HEAD + A).encode(), ("network",))]
    assert [BLOCK] == [
        one.severity for one in skip_findings(base, [read_inventory("tests/test_a.py", marked, ("network",))])
    ]
    assert () == skip_findings(base, [read_inventory("tests/test_a.py", marked)])
