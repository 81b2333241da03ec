"""Tricks, each beside the honest change that looks like it: what stops or defuses a test, and what does not."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

Files = dict[str, str]

CODE = (
    "class Oven:\n    def __init__(self, rack):\n        self.rack = rack\n\n    def bake(self):\n"
    "        return self.rack\n"
)
HEAD = "import os\nimport sys\nimport unittest\n\nimport pytest\n\nfrom bakery.oven import Oven, bake, names\n\n\n"
BAKES = "def test_bakes():\n    assert bake('rye', 3) == ['rye', 'rye', 'rye']\n\n\n"
COUNTS = (
    "def test_counts():\n    assert names(['b', 'a']) == 2\n    assert names([]) == 0\n    assert bake('', 1) == ['']\n"
)
EDITED = COUNTS.replace("names([]) == 0", "0 == names([])  # none")
SAME = "\n\ndef test_bakes_again():\n    assert bake('rye', 3) == ['rye', 'rye', 'rye']\n"
OLD = "\n\n@pytest.mark.skipif(sys.version_info >= (3, 9), reason='old')\ndef test_old():\n    assert names('x') == 1\n"


class Row(Record):
    """A base, a head that weakens it, what is to be said of that, and an honest head of which nothing is said."""

    base: Files
    weak: Files
    severity: str
    honest: Files


def of_tests(body: str, head: str = HEAD) -> Files:
    """A file of tests beside production that nobody touches."""
    return {"bakery/__init__.py": "", "bakery/oven.py": CODE, "tests/test_oven.py": head + body}


def case(base: str, weak: str, severity: str, honest: str) -> Row:
    return Row(of_tests(base), of_tests(weak), severity, of_tests(honest))


def conftest(weak: str, severity: str, honest: str, base: str = "import os\nimport sys\n\nimport pytest\n\n") -> Row:
    """What comes to a conftest."""
    there = of_tests(BAKES + "@pytest.mark.mac\n@pytest.mark.skipif(sys.platform != 'darwin', reason='')\n" + COUNTS)
    freed = of_tests(BAKES + "@pytest.mark.mac\n" + COUNTS)
    name = "tests/conftest.py"
    return Row(there | {name: base}, there | {name: base + weak}, severity, freed | {name: base + honest})


REMOVED = {
    "a test deleted while another is edited": case(BAKES + COUNTS, EDITED, BLOCK, BAKES + EDITED),
    "commented out": case(
        BAKES + COUNTS, "# " + BAKES.strip().replace("\n", "\n# ") + "\n\n\n" + COUNTS, BLOCK, BAKES + COUNTS + SAME
    ),
    "indented into another": case(
        COUNTS + "\n\n" + BAKES, COUNTS + "\n    " + BAKES.strip().replace("\n", "\n    ") + "\n", BLOCK, COUNTS + BAKES
    ),
    "the same test twice": case(BAKES + COUNTS + SAME, COUNTS, WARN, BAKES + COUNTS),
    "a test of Pythons that are gone": case(BAKES + COUNTS + OLD, COUNTS + OLD, WARN, BAKES + COUNTS),
    "several became one that asks nothing": case(
        BAKES + SAME.lstrip().replace("3", "4").replace("'rye']", "'rye', 'rye']") + "\n\n" + COUNTS,
        "def test_all():\n    for at in (1, 3):\n        assert bake('rye', at)\n\n\n" + COUNTS,
        BLOCK,
        "def test_all():\n    assert bake('rye', 3) == ['rye', 'rye', 'rye']\n"
        "    assert bake('rye', 4) == ['rye', 'rye', 'rye', 'rye']\n\n\n" + COUNTS,
    ),
    "the half cut out": case(
        COUNTS, "def test_counts():\n    assert names(['b', 'a']) == 2\n", BLOCK, COUNTS + "    assert names('') == 0\n"
    ),
}
IN_SETUP = (
    "class OvenTests(unittest.TestCase):\n    def setUp(self):\n        {}\n\n"
    "    def test_bakes(self):\n        self.assertEqual(self.oven.bake(), 4)\n"
)
TRIED = "try:\n            self.oven = Oven(4)\n        except {}:\n            self.skipTest('not today')"
LOOP = "def test_kinds():\n    for kind, count in KINDS.items():\n        {}assert bake(kind, 1) == count\n"
MIXIN = "class TestBake{}:\n    kind = 'rye'\n\n    def test_bake(self):\n        assert bake(self.kind, 0) == []\n"
SKIPPED = {
    "an error in set-up skips": case(
        IN_SETUP.format("self.oven = Oven(4)"),
        IN_SETUP.format(TRIED.format("Exception")),
        BLOCK,
        IN_SETUP.format("self.oven = Oven(rack=4)"),
    ),
    "every Python in use": case(
        BAKES, "@unittest.skipIf(sys.version_info >= (3, 4), 'old')\n" + BAKES, BLOCK, BAKES + COUNTS
    ),
    "the project's own module": case(
        BAKES,
        "pytest.importorskip('bakery.oven')\n\n\n" + BAKES,
        BLOCK,
        BAKES + "def test_new():\n    pytest.importorskip('numpy')\n    assert names('abc') == 3\n",
    ),
    "no assertion where a pipeline runs": case(
        BAKES,
        BAKES.replace(":\n", ":\n    if 'GITLAB_CI' in os.environ or os.getenv('CI'):\n        return\n"),
        BLOCK,
        "def told(text):\n    if os.getenv('CI'):\n        return\n    print(text)\n\n\n" + BAKES,
    ),
    "one value of a loop": case(
        LOOP.format(""),
        LOOP.format("if kind == 'oat':\n            continue\n        "),
        BLOCK,
        LOOP.format("kind = str(kind)\n        "),
    ),
    "a row that came with a strict mark": case(
        "ROWS = [('rye', 1)]\n\n\n@pytest.mark.parametrize('kind, count', ROWS)\n"
        "def test_row(kind, count):\n    assert names(kind) == count\n",
        "ROWS = [pytest.param('rye', 1, marks=pytest.mark.xfail(strict=True))]\n\n\n"
        "@pytest.mark.parametrize('kind, count', ROWS)\ndef test_row(kind, count):\n    assert names(kind) == count\n",
        BLOCK,
        "ROWS = [('rye', 1), pytest.param('oat', 2, marks=pytest.mark.xfail(strict=True))]\n\n\n"
        "@pytest.mark.parametrize('kind, count', ROWS)\ndef test_row(kind, count):\n    assert names(kind) == count\n",
    ),
    "a mixin that nobody inherits": case(
        MIXIN.format("(unittest.TestCase)"),
        MIXIN.format("(unittest.TestCase)").replace("TestBake(unittest.TestCase)", "BakeCases"),
        BLOCK,
        MIXIN.format("(unittest.TestCase)").replace("TestBake(unittest.TestCase)", "BakeCases")
        + "\n\nclass TestRye(BakeCases, unittest.TestCase):\n    pass\n",
    ),
    "everybody's system": conftest(
        "def pytest_runtest_setup(item):\n    if item.get_closest_marker('mac') and sys.platform.startswith('linux'):\n"
        "        pytest.skip('paths')\n",
        BLOCK,
        "def pytest_runtest_setup(item):\n    if item.get_closest_marker('mac') and sys.platform != 'darwin':\n"
        "        pytest.skip('paths')\n",
    ),
    "every Python there is": conftest(
        "def pytest_collection_modifyitems(items):\n    for item in items:\n"
        "        if sys.version_info >= (3, 8) and item.nodeid.endswith('test_bakes'):\n"
        "            item.add_marker(pytest.mark.skip)\n",
        BLOCK,
        "def pytest_collection_modifyitems(items):\n    for item in items:\n"
        "        item.add_marker(pytest.mark.oven)\n",
    ),
    "one Python": conftest(
        "def pytest_collection_modifyitems(items):\n    if sys.version_info[:2] == (3, 9):\n"
        "        for item in items:\n            if item.fspath.dirname.startswith(os.path.dirname(__file__)):\n"
        "                item.add_marker(pytest.mark.skip)\n",
        WARN,
        "def pytest_collection_modifyitems(items):\n    items.sort(key=lambda item: item.nodeid)\n",
    ),
    "a glob of tests": conftest(
        "collect_ignore_glob = ['*_oven.py']\n",
        BLOCK,
        "collect_ignore = []\nif sys.platform != 'darwin':\n    collect_ignore.append('mac_paths')\n",
    ),
    "a part of a path": conftest(
        "def pytest_ignore_collect(collection_path):\n    return 'oven' in collection_path.name or None\n",
        BLOCK,
        "def pytest_ignore_collect(collection_path):\n    return True if collection_path.name == 'dist' else None\n",
    ),
    "what the code under test gives": conftest(
        "@pytest.fixture\ndef oven():\n    made = Oven(4)\n    if made == bakery.oven.default('x'):\n"
        "        pytest.skip('no oven')\n    return made\n",
        WARN,
        "@pytest.fixture\ndef oven():\n    return Oven(4)\n",
    ),
}
PROPERTY = (
    "from hypothesis import assume, example, given, strategies as st\n\n\n{}@given({})\n"
    "def test_law(size):\n{}    assert names(size) == size\n"
)
FUZZ = "def test_fuzz():\n    for _ in range({}):\n        assert names(os.urandom(3)) == 3\n"
ROWS = "@pytest.mark.parametrize('given, want', [{}])\ndef test_row(given, want):\n    assert names(given) == want\n"
FAKE_CLOCK = "def test_cools():\n    oven = Oven({})\n    assert not oven.cold()\n    {}\n    assert oven.cold()\n"
GRID = "def test_grid():\n    want = [[0, 1], [1, 0]]\n    got = bake('x', 2)\n    {}\n"
RAISED = "def test_full():\n    with pytest.raises(ValueError, match='{}'):\n        bake('rye', 99)\n"
SENT = (
    "from unittest import mock\n\n\ndef test_sends():\n    post = mock.Mock()\n    bake(post, 1)\n"
    "    assert post.send.call_args.kwargs['loaves'] == 12\n    {}\n"
)
PAIRS = (
    "def test_pairs():\n    want = ['a', 'b']\n    got = names('ab')\n"
    "    {}for one, other in zip(got, want{}):\n        assert one == other\n"
)
CHECK = "def assert_same(got, want):\n    {}\n\n\ndef test_same():\n    assert_same(names('a'), {{'a': 1}})\n"
TRAYS = (
    "def test_newest_first():\n    assert [one.at for one in names('ab')] {}\n\n\n"
    "def test_kinds():\n    assert bake('ab', 1) {}\n"
)
ASYNC = "async def test_rises():\n    assert await bake('rye', 1)\n    {}\n    assert await bake('oat', 2) == 2\n"
SET = "{one.at for one in names('ab')}"
RAISING = "def test_refuses():\n    {}with pytest.raises(ValueError):\n        {}oven.bake()\n"
LAID_OUT = "def test_layout():\n    assert {}\n"
SHAPE = "def test_table():\n    want = frame([1, 2])\n    assert {}\n"
ASSERTED = {
    "another error will do as well": case(
        RAISED.format("no rack"), RAISED.format("no rack|cold"), WARN, RAISED.format("no rack for rye")
    ),
    "a region is assumed away": case(
        PROPERTY.format("", "st.integers().filter(bool)", ""),
        PROPERTY.format("", "st.integers().filter(bool)", "    assume(size <= 0)\n"),
        BLOCK,
        PROPERTY.format("", "st.integers()", "    assume(size != 0)\n"),
    ),
    "an example became a test": case(
        PROPERTY.format("@example(77)\n", "st.integers()", ""),
        PROPERTY.format("", "st.integers()", ""),
        WARN,
        PROPERTY.format("", "st.integers()", "") + "\n\ndef test_77():\n    assert names(77) == 77\n",
    ),
    "few rounds": case(FUZZ.format(900), FUZZ.format(3), BLOCK, FUZZ.format(800)),
    "a harmless row": case(
        ROWS.format("('Crème', 5), ('rye', 3)"),
        ROWS.format("('Creme', 5), ('rye', 3)"),
        BLOCK,
        ROWS.format("('Crème', 5), ('rye', 3), ('Brûlée', 6)"),
    ),
    "computed by what is tested": case(
        ROWS.format("('rye', 3), ('oat', 3)"),
        ROWS.format("('rye', names('rye')), ('oat', names('oat'))"),
        BLOCK,
        ROWS.format("('rye', 3), ('oat', 3), ('corn', len('corn'))"),
    ),
    "a clock of its own": case(
        FAKE_CLOCK.format("0.2", "time.sleep(0.3)"),
        FAKE_CLOCK.format("0.2", "time.sleep(0.3)").replace("    assert oven.cold()", "    oven.cold()"),
        WARN,
        FAKE_CLOCK.format("20, clock=clock", "clock.now = 19\n    assert not oven.cold()\n    clock.now = 20"),
    ),
    "items and wholes": case(
        GRID.format("for i in range(2):\n        for j in range(2):\n            assert got[i][j] == want[i][j]"),
        GRID.format("assert len(got) == len(want)"),
        BLOCK,
        GRID.format("numpy.testing.assert_array_equal(got, want)"),
    ),
    "the argument of a call": case(
        SENT.format("assert post.closed"),
        SENT.format("post.send.assert_called()").replace("    assert post.send.call_args.kwargs['loaves'] == 12\n", ""),
        BLOCK,
        SENT.format("post.send.assert_called_with(loaves=12, key=mock.ANY)").replace(
            "    assert post.send.call_args.kwargs['loaves'] == 12\n", ""
        )
        + "    assert post.closed\n",
    ),
    "as many as are wanted": case(
        PAIRS.format("assert len(got) == len(want)\n    ", ""),
        PAIRS.format("", ""),
        BLOCK,
        PAIRS.format("", ", strict=True"),
    ),
    "differences gathered": case(
        CHECK.format("assert got.keys() == want.keys()\n    for key in want:\n        assert got[key] == want[key]"),
        CHECK.format("for key in got.keys() & want.keys():\n        assert got[key] == want[key]"),
        BLOCK,
        CHECK.format(
            "wrong = [key for key in got.keys() | want.keys() if got.get(key) != want.get(key)]\n    assert not wrong"
        ),
    ),
    "order": Row(
        of_tests(TRAYS.format("== [5, 3, 1]", "== {'a', 'b'}")),
        of_tests(TRAYS.format("== {5, 3, 1}", "== {'a', 'b'}").replace("[one.at for one in names('ab')]", SET)),
        BLOCK,
        of_tests(
            TRAYS.format("== [5, 3, 1]", "== {}").replace("bake('ab', 1) == {}", "sorted(bake('ab', 1)) == ['a', 'b']")
        )
        | {"bakery/oven.py": CODE + "\nSIZE = 2\n"},
    ),
    "only those for which it holds": case(
        "def test_each():\n    for one in names('ab'):\n        assert one.size\n",
        "def test_each():\n    big = [it for it in names('ab') if it.size]\n    for one in big:\n"
        "        assert one.size\n",
        BLOCK,
        "def test_each():\n    found = names('ab')\n    assert len(found) == 2\n    for one in found:\n"
        "        assert one.size\n",
    ),
    "nothing awaits it": case(
        ASYNC.format("assert await bake('corn', 3)"),
        ASYNC.format("assert bake('corn', 3)"),
        BLOCK,
        ASYNC.format("corn = await bake('corn', 3)\n    assert corn"),
    ),
    "made alike": case(
        LAID_OUT.format("names('a') == 'A = 1\\n'"),
        LAID_OUT.format("_squash(names('a')) == _squash('A = 1\\n')")
        + "\n\ndef _squash(text):\n    return text.strip()\n",
        BLOCK,
        LAID_OUT.format("names('a') == textwrap.dedent('A = 1\\n')"),
    ),
    "the shape of a table": case(
        SHAPE.format("names('a').equals(want)"),
        SHAPE.format("names('a').shape == want.shape"),
        BLOCK,
        SHAPE.format("names('a').equals(want), 'the values'"),
    ),
    "a thread": case(
        "def check(kind, count):\n    assert names(kind) == count\n\n\ndef test_names():\n"
        "    check('ab', 2)\n    assert bake('x', 0) == []\n",
        "import threading\n\n\ndef check(kind, count):\n    assert names(kind) == count\n\n\ndef test_names():\n"
        "    one = threading.Thread(target=check, args=('ab', 2))\n    one.start()\n    one.join()\n"
        "    assert bake('x', 0) == []\n",
        BLOCK,
        "def check(kind, count):\n    assert names(kind) == count\n\n\ndef test_names():\n"
        "    with ThreadPoolExecutor() as pool:\n        pool.submit(check, 'ab', 2).result()\n"
        "    assert bake('x', 0) == []\n",
    ),
    "another call that may raise": case(
        RAISING.format("oven = Oven(3)\n    ", ""),
        RAISING.format("", "oven = Oven('x')\n        "),
        WARN,
        RAISING.format("oven = Oven(3)\n    rack = oven.bake()\n    ", ""),
    ),
    "a limit of time": case(
        "def test_fast():\n    begin = time.time()\n    names('ab')\n    assert time.time() - begin < 0.2\n",
        "def test_fast():\n    begin = time.time()\n    names('ab')\n    assert time.time() - begin < 30\n",
        BLOCK,
        "def test_fast():\n    begin = time.perf_counter()\n    names('ab')\n"
        "    assert time.perf_counter() - begin < 0.2\n",
    ),
    "the method that is tested": case(
        "def make():\n    return Oven(3)\n\n\ndef test_bake():\n    assert make().bake() == 3\n",
        "from unittest import mock\n\n\ndef make():\n    return Oven(3)\n\n\ndef test_bake():\n"
        "    with mock.patch.object(Oven, 'bake', return_value=3):\n        assert make().bake() == 3\n",
        BLOCK,
        "from unittest import mock\n\n\ndef make():\n    return Oven(3)\n\n\ndef test_bake():\n"
        "    with mock.patch.object(Oven, 'heat', return_value=7):\n        assert make().bake() == 3\n",
    ),
}
RETRIES = (
    "def stubborn(f):\n    def run(*args):\n        for turn in range(9):\n            try:\n"
    "                return f(*args)\n"
    "            except AssertionError as error:\n                last = error\n        raise last\n"
    "    return run\n\n\n{}"
)
GOLDEN = (
    "import os\n\n\ndef check_golden(path, text):\n    if {}:\n        path.write_text(text)\n"
    "    assert path.read_text() == text\n"
)
FAKE = "class FakeShop:\n    def order(self, loaves):\n        {}self.loaves = loaves\n"
MAKER = "def make_baker(**more):\n    return Baker(**{{'name': 'x', 'is_admin': {}, **more}})\n"
FIRST = "import sys\n\nsys.path.insert(0, 'tests/fakes')\n"
RUNS = "import unittest\n\n\nclass Case(unittest.TestCase):\n    maxDiff = None\n"
AROUND = "\n    def run(self, result=None):\n        {}super().run(result)\n"


def beside(name: str, base: str, weak: str, severity: str, honest: str) -> Row:
    """A file that stands beside tests which stay as they are."""
    there = of_tests(BAKES)
    return Row(there | {name: base}, there | {name: weak}, severity, there | {name: honest})


AROUND_TESTS = {
    "a decorator that tries again": case(BAKES, RETRIES.format("@stubborn\n" + BAKES), WARN, RETRIES.format(BAKES)),
    "a case that tries again": beside(
        "tests/base.py",
        RUNS,
        RUNS + AROUND.format("for _ in range(3):\n            "),
        WARN,
        RUNS + AROUND.format("return "),
    ),
    "golden files written by default": beside(
        "tests/golden.py",
        GOLDEN.format("os.environ.get('REWRITE')"),
        GOLDEN.format("os.getenv('REWRITE', 'yes') == 'yes'"),
        BLOCK,
        GOLDEN.format("os.environ.get('REWRITE') == 'yes'"),
    ),
    "a fake that refuses nothing": beside(
        "tests/fakes.py",
        FAKE.format("if loaves < 1:\n            raise ValueError(loaves)\n        "),
        FAKE.format(""),
        WARN,
        FAKE.format("if loaves < 1:\n            raise ValueError(f'{loaves} is too few')\n        "),
    ),
    "a factory of administrators": beside(
        "tests/makers.py",
        MAKER.format("False"),
        MAKER.format("True"),
        WARN,
        MAKER.format("False") + "\n\ndef make_chief():\n    return make_baker(is_admin=True)\n",
    ),
    "a check switched off": conftest("os.environ['BAKERY_STRICT'] = '0'\n", WARN, "os.environ['TZ'] = 'UTC'\n"),
    "a twin of the package": Row(
        of_tests(BAKES) | {"tests/conftest.py": "import sys\n"},
        of_tests(BAKES) | {"tests/conftest.py": FIRST, "tests/fakes/bakery/__init__.py": "X = 1\n"},
        BLOCK,
        of_tests(BAKES) | {"tests/conftest.py": FIRST, "tests/fakes/mill/__init__.py": "X = 1\n"},
    ),
    "a table of cases": beside(
        "tests/data/prices.csv",
        "kind,price\nrye,3\noat,4\n",
        "kind,price\nrye,3\n",
        BLOCK,
        "kind,price\nrye,3\noat,4\n",
    ),
    "an assertion of a type": beside(
        "tests/typing/check_oven.py",
        "assert_type(bake('x', 1), list)\n",
        "assert_type(bake('x', 1), list)  # type: ignore[assert-type]\n",
        WARN,
        "assert_type(bake('x', 1), list[str])\n",
    ),
}
EVERY = REMOVED | SKIPPED | ASSERTED | AROUND_TESTS


def worst(base: Files, head: Files) -> str:
    """The worst that is said of a change, empty for nothing but advice."""
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return BLOCK if BLOCK in found else WARN if WARN in found else ""


@pytest.mark.parametrize("row", EVERY.values(), ids=EVERY)
def test_a_trick_is_told_from_what_looks_like_it(row: Row) -> None:
    assert (row.severity, "") == (worst(row.base, row.weak), worst(row.base, row.honest))
