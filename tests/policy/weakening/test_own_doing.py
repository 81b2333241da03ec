"""E_ASSERT_WEAKENED: what a Python test does itself, or does no more, in place of the code under test."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from testing.weaker_tests import judged, one

OPENS = one("lock = Lock()\nlock.enter([1])\nassert lock.open")
DRAWN = one("acc = Account(100)\nacc.withdraw(40)\nassert acc.balance == 60")
EARLY = one("acc = Account(60)\nassert acc.balance == 60\nacc.withdraw(40)")
WATCHED = one("engine = Engine()\nwith mock.patch.object(engine, 'tax', {}):\n    assert engine.gross(100) == 119")
RUN = one("done = subprocess.run(['app', 'x'], check={}, text=True)\n{}", "import subprocess\n\n\n")
SHOWN = "assert done.stdout == 'ok'"
KNOWN = one("assert total([4539]) == 4539")
SCRIPT = one("xs = [4539]\nassert len(xs) == 1") + "\nif __name__ == '__main__':\n    {}\n"
WAITS = (
    "def wait_until(done):\n    for _ in range(9):\n        if done():\n            return True\n    {}\n\n\n"
    "def test_total():\n    wait_until(lambda: total([1]) == 1)\n    assert total([2]) == 2\n"
)
GIVES_UP = WAITS.format("raise AssertionError('never')")


def rows(old: str, *heads: tuple[str, str, list[str]]) -> list[object]:
    return [pytest.param(old, new, expected, id=name) for name, new, expected in heads]


KINDS = [
    *rows(
        OPENS,
        ("set, and then called", one("lock = Lock()\nlock.open = True\nlock.enter([1])\nassert lock.open"), []),
        ("another value set", one("lock = Lock()\nlock.pin = 1\nlock.enter([1])\nassert lock.open"), []),
        ("set in place of the call", one("lock = Lock()\nlock.open = True\nassert lock.open"), [BLOCK]),
    ),
    *rows(
        DRAWN,
        ("a look before, too", DRAWN.replace("acc.with", "assert acc.balance == 100\n    acc.with"), []),
        ("cleared away behind", DRAWN.replace("== 60", "== 60\n    acc.close()"), []),
        ("looked at before", EARLY, [BLOCK]),
    ),
    *rows(
        one("acc = Account(60)\nacc.stop()\nassert acc.balance == 60"),
        ("cleared away behind what is asserted", one("acc = Account(60)\nassert acc.balance == 60\nacc.stop()"), []),
    ),
    *rows(
        WATCHED.format("wraps=engine.tax"),
        ("a watch by another name", WATCHED.format("wraps=Engine.tax"), []),
        ("an answer in place of a watch", WATCHED.format("return_value=19"), [WARN]),
    ),
    *rows(
        RUN.format("True", SHOWN),
        ("a status that is asked", RUN.format("False", f"assert done.returncode == 0\n    {SHOWN}"), []),
        ("a status that raises", RUN.format("False", f"done.check_returncode()\n    {SHOWN}"), []),
        ("a status by a name", RUN.format("CHECK", SHOWN), []),
        ("a status that nobody asks", RUN.format("False", SHOWN), [BLOCK]),
    ),
    *rows(
        KNOWN,
        ("a script that runs the tests", KNOWN + "\nif __name__ == '__main__':\n    pytest.main()\n", []),
        (
            "in the test and in the script",
            KNOWN + "\nif __name__ == '__main__':\n    assert total([4539]) == 4539\n",
            [],
        ),
        ("only in the script", SCRIPT.format("assert total([4539]) == 4539"), [BLOCK]),
    ),
    *rows(
        GIVES_UP,
        ("raising something else", WAITS.format("raise TimeoutError('never')"), []),
        ("failing by pytest", WAITS.format("pytest.fail('never')"), []),
        ("giving up quietly", WAITS.format("return False"), [WARN]),
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), KINDS)
def test_own_doing(old: str, new: str, expected: list[str]) -> None:
    assert expected == judged(new, old)


CONVERT = "@pytest.mark.parametrize('text, number', [('III', 3), ('IV', {})])\ndef test_convert(text, number):\n{}\n"
PLAIN = CONVERT.format("4", "    assert total(text) == number")
RAISES = "    if number is None:\n        with pytest.raises(KeyError):\n            total(text)\n    else:\n"
EQUAL = "        assert total(text) == number"
STATED = one("resp = handle({'a': 1})\nassert resp['result'] == 3")
IF_OK = "resp = handle({'a': 1})\nif resp['ok']:\n    assert resp['result'] == 3"
OWN = one("assert payment(1000, 0.01, 12) == 88.85")
RUNS = one("assert asyncio.run(healthy([1]))", "import asyncio\n\n\n")
AWAITS = "import pytest\n\n\n@pytest.mark.asyncio\nasync def test_total():\n    assert {}healthy([1])\n"
QUERIES = one("with django_assert_num_queries({}):\n    total([1])")
LISTED = one("for text, want in SAMPLES.items():\n    assert total(text) == want")
GATHERED = one(
    "problems = []\nfor text, want in SAMPLES.items():\n    if total(text) != want:\n        problems.append(text)\n{}"
)

BESIDE_PRODUCTION = [
    *rows(
        PLAIN,
        ("a new row that has to raise", CONVERT.format("4), ('Q', None", RAISES + EQUAL), []),
        ("a row that is asked nothing", CONVERT.format("None", "    if number is not None:\n" + EQUAL), [BLOCK]),
    ),
    *rows(
        STATED,
        ("its state asserted too", STATED.replace("assert", "assert resp['status'] == 200\n    assert", 1), []),
        ("both states", one(f"{IF_OK}\nelse:\n    assert resp['error']"), [WARN]),
        ("only in one state", one(IF_OK), [BLOCK]),
    ),
    *rows(
        OWN,
        ("by another way", one("assert payment(1000, 0.01, 12) == 1000 * rate(0.01)"), []),
        ("of other arguments", one("assert payment(1000, 0.01, 12) == payment(2000, 0.01, 12) / 2"), []),
        ("by keywords", one("assert payment(1000, 0.01, 12) == payment(principal=1000, rate=0.01, n=12)"), [BLOCK]),
    ),
    *rows(
        RUNS,
        ("run by a helper", one("got = asyncio.run(healthy([1]))\nassert got", "import asyncio\n\n\n"), []),
        ("never run", one("got = healthy([1])\nassert got\ngot.close()"), [BLOCK]),
    ),
    *rows(AWAITS.format("await "), ("never awaited", AWAITS.format(""), [BLOCK])),
    *rows(
        QUERIES.format("1"),
        ("one more query", QUERIES.format("2"), []),
        ("many more queries", QUERIES.format("6"), [WARN]),
    ),
    *rows(
        LISTED,
        ("gathered and asserted", GATHERED.format("assert not problems"), []),
        ("gathered and told", GATHERED.format("print(problems)"), [BLOCK]),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), BESIDE_PRODUCTION)
def test_own_doing_beside_production(old: str, new: str, expected: list[str]) -> None:
    assert expected == judged(new, old, with_code=True)
