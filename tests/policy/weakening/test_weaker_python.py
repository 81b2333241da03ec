"""E_ASSERT_WEAKENED: what Python tests no longer tell apart or no longer do, each beside honest changes like it."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.assertion_ledger import settled
from agentgate_git.policy.weakening.overlap_lost import overlap_findings
from testing.weaker_tests import BASE, facts, judged, one

COPIED = one("xs = [1, 2]\nbefore = {}\ntotal(xs)\nassert xs == before")
STATUS = one("done = subprocess.run(['app', 'x'], text=True)\nassert done.returncode == 0", "import subprocess\n")
STARTED = one("subprocess.run(['app', 'x'], text=True{})", "import subprocess\n")
SHAPED = one("match total(1):\n    case {'a': 1, 'b': b}:\n        assert b == 2\n    case other:\n        {}")
RAISING = one("with pytest.raises({}):\n    total(None)", "from app.errors import BadSum, Lost\n")
ALL = one("assert {}(total([n]) == 3 for n in make())")
KEY = one("row = make()\nassert {} == {}")
LOOPED = one("for n in make():\n    assert total([n]) == 3")
ROWS = "ROWS = [([1, 2], 3), ([4], 4)]\n\n\ndef check(row):\n    assert total(row[0]) == row[1]\n\n\n"
GONE_THROUGH = one("for row in ROWS:\n    check(row)", ROWS)
WITHIN = one("assert abs(total(1) - make()) < {}", "from datetime import timedelta\nLIMIT = timedelta(minutes=5)\n\n\n")
AT_MOST = one("assert total([1]) <= {}", "SLACK = 20\n\n\n")
ROUGH = one("assert total(1) == pytest.approx(877.46, abs=NEAR)", "NEAR = 0.5\n\n\n")
FOLDED = one("assert total('istanbul') == 'İstanbul'")
CAUGHT = one("with pytest.raises(ValueError):\n    total(None)")
TRIED = one("try:\n    total(None)\nexcept ValueError as error:\n    {}\n{}")
HOOKS = "HOOKS = []\n\n\n"
KEPT = "def check():\n    assert total([1, 2]) == 3\n"
SUM = (
    "from app.sums import Summary\n\n\nclass TestSum:\n    def setup_method(self):\n        self.summary = Summary()\n"
)
OWN = SUM + "{}    def test_total(self{}):\n        assert self.summary.total() == 'three'\n"
PATCHED = "    @mock.patch.object(Summary, '{}', return_value='three')\n"
FIRED = one("with responses.RequestsMock(assert_all_requests_are_fired={}) as mocked:\n"
            "    mocked.get('https://x')\n    total(1)", "import responses\n\n\n")  # fmt: skip


def rows(old: str, *heads: tuple[str, str, list[str]]) -> list[object]:
    return [pytest.param(old, new, expected, id=name) for name, new, expected in heads]


KINDS = [
    *rows(
        COPIED.format("[1, 2]"),
        ("a copy of what is then handed on", COPIED.format("list(xs)"), [WARN]),
        ("a slice of what is then handed on", COPIED.format("xs[:]"), [WARN]),
        ("another name for the same", COPIED.format("xs"), [BLOCK]),
        ("a copy of what nothing changes", one("xs = total(1)\nbefore = list(xs)\nassert xs == before"), [BLOCK]),
    ),
    *rows(
        STATUS,
        ("a command that has to end well", STARTED.format(", check=True"), []),
        ("a command that raises", STARTED.format("").replace("run(", "check_call("), []),
        ("a command alone", STARTED.format(""), [BLOCK]),
        ("a command that may fail", STARTED.format(", check=False"), [BLOCK]),
        ("another command that has to end well", STARTED.format(", check=True").replace("'x'", "'y'"), [BLOCK]),
    ),
    *rows(
        one("assert total(1) == {'a': 1, 'b': 2}"),
        ("a shape, or it fails", SHAPED.replace("{}", "pytest.fail(str(other))"), [WARN]),
        ("a shape, or nothing", SHAPED.replace("{}", "print(other)"), [BLOCK]),
    ),
    *rows(
        RAISING.format("BadSum"),
        ("the same in a tuple", RAISING.format("(BadSum,)"), []),
        ("another of its own", RAISING.format("(BadSum, Lost)"), [WARN]),
        ("what a defect raises", RAISING.format("(BadSum, KeyError)"), [BLOCK]),
    ),
    *rows(
        ALL.format("all"),
        ("each in a loop", LOOPED, []),
        ("any of them", ALL.format("any"), [BLOCK]),
    ),
    *rows(
        one("assert 'a' in make(1)"),
        ("the same in other words", one("assert any(x == 'a' for x in make(1))"), []),
        ("by an attribute", one("assert any(x.name == 'a' for x in make(1))"), []),
    ),
    *rows(LOOPED, ("any of what was gone through", ALL.format("any"), [BLOCK])),
    *rows(
        one("assert np.all(total([1]) == make())", "import numpy as np\n\n\n"),
        ("a method for the function", one("assert (total([1]) == make()).all()"), []),
        ("any of an array", one("assert np.any(total([1]) == make())", "import numpy as np\n\n\n"), [BLOCK]),
    ),
    *rows(
        KEY.format("row['a']", "'x'"),
        ("another default", KEY.format("row.get('a', 'none')", "'x'"), []),
        ("the default is what is expected", KEY.format("row.get('a', 'x')", "'x'"), [BLOCK]),
        ("or what is expected", KEY.format("(row['a'] or 'x')", "'x'"), [BLOCK]),
    ),
    *rows(
        KEY.format("row['a']", "False"),
        ("absence says the same", KEY.format("row.get('a', False)", "False"), []),
    ),
    *rows(
        LOOPED,
        ("a condition that ends it", LOOPED.replace("== 3\n", "== 3\n        if n > 4:\n            break\n", 1), []),
        ("the first of them", LOOPED.replace("== 3\n", "== 3\n        break\n", 1), [BLOCK]),
    ),
    *rows(
        GONE_THROUGH,
        ("a list of what map gives", one("list(map(check, ROWS))", ROWS), []),
        ("a comprehension", one("[check(row) for row in ROWS]", ROWS), []),
        ("a map alone", one("map(check, ROWS)", ROWS), [BLOCK]),
        ("a map under a name", one("done = map(check, ROWS)", ROWS), [BLOCK]),
        ("a generator alone", one("(check(row) for row in ROWS)", ROWS), [BLOCK]),
        ("a generator under a name", one("done = (check(row) for row in ROWS)", ROWS), [BLOCK]),
    ),
    *rows(
        WITHIN.format("timedelta(seconds=1)"),
        ("a second in milliseconds", WITHIN.format("timedelta(milliseconds=1000)"), []),
        ("two seconds", WITHIN.format("timedelta(seconds=2)"), [WARN]),
        ("a day", WITHIN.format("timedelta(days=1)"), [BLOCK]),
        ("a name for five minutes", WITHIN.format("LIMIT"), [BLOCK]),
    ),
    *rows(
        AT_MOST.format("3.5"),
        ("a name for the same", one("limit = 3.5\nassert total([1]) <= limit"), []),
        ("twenty times as much", AT_MOST.format("3.5 * SLACK"), [BLOCK]),
    ),
    *rows(
        ROUGH,
        ("the same width", ROUGH.replace("NEAR)", "0.5)"), []),
        ("to the hundred", one("assert round(total(1), -2) == round(877.46, -2)"), [BLOCK]),
    ),
    *rows(
        FOLDED,
        ("in bytes", one("assert total('istanbul').encode('utf-8') == 'İstanbul'.encode('utf-8')"), []),
        ("without what is no ASCII", one("assert total('istanbul').encode('ascii', 'ignore')[-7:] == "
                                         "'İstanbul'.encode('ascii', 'ignore')[:]"), [BLOCK]),
    ),
    *rows(
        one("assert total(1) == {'a': 'x', 'b': 'y'}"),
        ("anything of its type", one("assert total(1) == {'a': IsStr(), 'b': 'y'}",
                                     "from dirty_equals import IsStr\n\n\n"), [BLOCK]),
        ("anything", one("assert total(1) == IsAnything()", "from dirty_equals import IsAnything\n\n\n"), [BLOCK]),
    ),
    *rows(
        CAUGHT,
        ("or it fails", TRIED.format("assert str(error) == 'x'", "else:\n    pytest.fail('nothing')"), []),
        ("a flag that is asked", TRIED.format("caught = error", "assert caught is not None"), [WARN]),
        ("only if it is raised", TRIED.format("assert str(error) == 'x'", ""), [BLOCK]),
    ),
    *rows(
        BASE,
        ("on a list that is gone through", one(KEPT + "HOOKS.append(check)\nfor one in HOOKS:\n    one()", HOOKS), []),
        ("on the list of the runner", one(KEPT + "request.addfinalizer(check)", "", "request"), []),
        ("on a list of another file", one(KEPT + "make().append(check)"), []),
        ("on a list that nothing reads", one(KEPT + "HOOKS.append(check)", HOOKS), [BLOCK]),
        ("on a list of its own", one(KEPT + "late = []\nlate.append(check)"), [BLOCK]),
        ("when the interpreter ends", one(KEPT + "atexit.register(check)", "import atexit\n\n\n"), [BLOCK]),
    ),
    *rows(
        OWN.format("", ""),
        ("another method of its class", OWN.format(PATCHED.format("parts"), ", _"), [WARN]),
        ("the method that is asked", OWN.format(PATCHED.format("total"), ", _"), [BLOCK]),
    ),
    *rows(
        FIRED.format("True"),
        ("the same with an answer", FIRED.format("True").replace("'https://x'", "'https://x', json={}"), []),
        ("requests that need not be made", FIRED.format("False"), [BLOCK]),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("base", "head", "expected"), KINDS)
def test_what_a_test_still_tells_apart(base: str, head: str, expected: list[str]) -> None:
    assert expected == judged(head, base)


MEETING = one("meet = threading.Barrier(2)\npool = ThreadPoolExecutor(2)\npool.submit(total, meet)\nassert meet.broken")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(MEETING.replace("ThreadPoolExecutor(2)", "make()"), [], id="another pool"),
        pytest.param(MEETING.replace("Barrier(2)", "Event()"), [], id="another way to wait"),
        pytest.param(MEETING.replace("threading.Barrier(2)", "make()"), [WARN], id="no barrier"),
    ],
)
def test_threads_that_wait_for_one_another(head: str, expected: list[str]) -> None:
    change = settled(facts({"tests/test_a.py": MEETING}), facts({"tests/test_a.py": head}))
    assert expected == [finding.severity for finding in overlap_findings(change)]
