"""More tricks, each beside the honest change that looks like it, by what a project does every day around its tests."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

Files = dict[str, str]

CODE = "def summary(order):\n    return dict(order)\n\n\ndef names(order):\n    return sorted(order)\n"
HEAD = (
    "import os\nimport sys\nimport unittest\nfrom unittest import mock\n\nimport pytest\n\n"
    "from shop.order import names, summary\n\n\n"
)
OTHER = "\n\ndef test_names():\n    assert names({'b': 1, 'a': 2}) == ['a', 'b']\n"


class Row(Record):
    """A base, a head that weakens it, what is to be said of that, and an honest head that nothing blocks."""

    base: Files
    weak: Files
    severity: str
    honest: Files


def of_tests(body: str, code: str = CODE) -> Files:
    return {"shop/__init__.py": "", "shop/order.py": code, "tests/test_order.py": HEAD + body + OTHER}


def case(base: str, weak: str, severity: str, honest: str, *, code: str = CODE) -> Row:
    """Tests that change, beside production that the honest change edits."""
    return Row(of_tests(base), of_tests(weak), severity, of_tests(honest, code))


SUMMARY = "def test_summary():\n    assert summary(ORDER) == {}\n"
IS = "{{'net': 3, 'tax': {}}}"
WAITING = "from tests.waiting import wait_for\n\n\ndef test_ready(queue):\n    summary(queue)\n    {}\n"
WAIT = (
    "def wait_for(condition, tries=9):\n    for _ in range(tries):\n        if condition():\n            return{}\n{}"
)
MOCKED = (
    "def test_sent():\n    sender = mock.Mock()\n"
    "    summary({{'send': sender}})\n    sender.assert_called_once_with({})\n"
)

ASSERTED = {
    "anything in place of a value": case(
        SUMMARY.format(IS.format("1")),
        SUMMARY.format(IS.format("mock.ANY")),
        BLOCK,
        SUMMARY.format("{'net': 3, 'tax': 1, 'id': mock.ANY}"),
    ),
    "anything given to a mock": case(
        MOCKED.format("'a', tax=1"),
        MOCKED.format("'a', tax=mock.ANY"),
        BLOCK,
        MOCKED.format("'a', id=mock.ANY, tax=1"),
    ),
    "a wait in place of an assertion": Row(
        of_tests(WAITING.format("assert len(queue) == 2")),
        of_tests(WAITING.format("wait_for(queue)")),
        BLOCK,
        of_tests(WAITING.format("wait_for(lambda: len(queue) == 2)"))
        | {"tests/waiting.py": WAIT.format("", "    raise AssertionError('it never came true')\n")},
    ),
}

LOOPED = (
    "def test_each():\n    problems = []\n    for case in CASES:\n        try:\n"
    "            assert summary(case) == {{'a': 1}}\n"
    "        except Exception as error:\n            problems.append(str(error))\n    {}\n"
)
EACH = "def test_each():\n    for case in CASES:\n        assert summary(case) == {'a': 1}\n"
TEXTS = "def test_text():\n    want = open('golden.txt').read()\n    assert {} == {}\n"
LOSES = "def _plain_of(text):\n    return text.{}\n\n\n"
PAIRED = "def test_pairs():\n    wants = {}\n    got = [names('a'), names('b'), names('c')]\n    {}\n"
PAIRS = "for one, want in zip(got, wants{}):\n        assert one == want"
PARTS = "def test_parts():\n    got = summary(ORDER)\n    {}\n"
RAISES = "def test_refused():\n    with pytest.raises({}):\n        names(4)\n"
FROM_SHOP = "from shop import order\n\n\n"
WANTED = "def test_wanted():\n    got = sum(summary(ORDER).values())\n    assert got == {}\n"

VALUES = {
    "errors that are only printed": case(
        EACH, LOOPED.format("print(len(problems), 'problems')"), BLOCK, LOOPED.format("assert not problems")
    ),
    "errors that are only logged": case(
        EACH, LOOPED.format("log.warning('%s', problems)"), BLOCK, LOOPED.format("raise_for(problems)")
    ),
    "a condition and its message in brackets": case(
        PARTS.format("assert got == {'a': 1}"),
        PARTS.format("assert (got == {'a': 1}, 'no a')\n    assert len(got) == 1"),
        BLOCK,
        PARTS.format("assert (got == {'a': 1}), 'no a'\n    assert len(got) == 1"),
    ),
    "a condition in a list": case(
        PARTS.format("assert got == {'a': 1}"),
        PARTS.format("assert [got == {'a': 1}]"),
        BLOCK,
        PARTS.format("assert [got] == [{'a': 1}]"),
    ),
    "conditions that nobody goes through": case(
        EACH,
        "def test_each():\n    assert (summary(case) == {'a': 1} for case in CASES)\n",
        BLOCK,
        "def test_each():\n    assert all(summary(case) == {'a': 1} for case in CASES)\n",
    ),
    "runs of blanks made one on both sides": case(
        TEXTS.format("names(ORDER)", "want"),
        LOSES.format("split()") + TEXTS.format("_plain_of(names(ORDER))", "_plain_of(want)"),
        BLOCK,
        LOSES.format("replace('\\r\\n', '\\n')") + TEXTS.format("_plain_of(names(ORDER))", "_plain_of(want)"),
    ),
    "the same calls on both sides": case(
        TEXTS.format("names(ORDER)", "want"),
        "import re\n\n\n" + TEXTS.format("re.sub(' +', ' ', names(ORDER))", "re.sub(' +', ' ', want)"),
        BLOCK,
        TEXTS.format("names(ORDER).encode('utf-8')", "want.encode('utf-8')"),
    ),
    "whole units on both sides": case(
        PARTS.format("assert got.net == 23.99"),
        PARTS.format("assert got.net // 10 == 23.99 // 10"),
        BLOCK,
        PARTS.format("assert got.net * 10 == 23.99 * 10"),
    ),
    "fewer wants than there are": case(
        PAIRED.format("[['a'], ['b'], ['c']]", "assert got == wants"),
        PAIRED.format("[['a'], ['b']]", PAIRS.format("")),
        BLOCK,
        PAIRED.format("[['a'], ['b'], ['c']]", PAIRS.format(", strict=True")),
    ),
    "an item taken out before": case(
        PARTS.format("assert got == {'a': 1, 'b': 2}"),
        PARTS.format("got.pop('b')\n    assert got == {'a': 1}"),
        BLOCK,
        PARTS.format("assert got.pop('b') == pytest.approx(2)\n    assert got == {'a': 1}"),
    ),
    "an item deleted before": case(
        PARTS.format("assert got == {'a': 1, 'b': 2}"),
        PARTS.format("del got['b']\n    assert got == {'a': 1}"),
        BLOCK,
        PARTS.format("assert got['b'] == 2\n    del got['b']\n    assert got == {'a': 1}"),
    ),
    "a return unless somebody asks": case(
        PARTS.format("assert got == {'a': 1}"),
        PARTS.format("if not os.environ.get('SHOP_FULL'):\n        return\n    assert got == {'a': 1}"),
        BLOCK,
        PARTS.format("if os.environ.get('SHOP_LOUD'):\n        print(got)\n    assert got == {'a': 1}"),
    ),
    "the error of a crash": case(
        RAISES.format("ValueError"),
        RAISES.format("AttributeError"),
        BLOCK,
        RAISES.format("ValueError, match='order'"),
    ),
    "a value that the code computes": case(
        FROM_SHOP + WANTED.format("3"),
        FROM_SHOP + WANTED.format("len(order.names(ORDER))"),
        BLOCK,
        FROM_SHOP + WANTED.format("round(2.6)"),
    ),
    "values of a module beside the tests": Row(
        of_tests(SUMMARY.format("{'a': 1}")) | {"tests/expected.py": "TAX = 400\n"},
        of_tests(SUMMARY.format("{'a': 1}"), '"""Orders."""\n' + CODE) | {"tests/expected.py": "TAX = 399\n"},
        WARN,
        of_tests(SUMMARY.format("{'a': 1}")) | {"tests/expected.py": "TAX = 400\nNET = 2000\n"},
    ),
}

HARNESS = "from pathlib import Path\n\nimport pytest\n\nfrom shop import order\n\n"
FLAG = "STRICT = False\n\n\n"
BY_FLAG = FLAG + CODE.replace("    return dict(order)", "    if STRICT:\n        {}\n    return dict(order)")
ASKING = "from unittest.mock import Mock\n\n" + CODE
UNLINK = (
    "\n\n@pytest.fixture(autouse=True)\ndef _files(monkeypatch):\n    real = Path.unlink\n\n"
    "    def unlink(self, missing_ok=False):\n        if not self.exists():\n            raise {}\n"
    "        real(self, missing_ok=missing_ok)\n\n    monkeypatch.setattr(Path, 'unlink', unlink)\n"
)
MACHINE = (
    "from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule\n\n\n"
    "class OrderMachine(RuleBasedStateMachine):\n    @rule()\n    def add(self):\n        self.got = summary(ORDER)\n\n"
    "{}    @invariant()\n    def is_sorted(self):\n        assert names(self.got) == [1]\n\n\n{}\n"
)
BOUND = "TestOrder = OrderMachine.TestCase"
NAMED = "class TestNet:\n    {}def test_net(self, order):\n        assert order.net == 400\n"
PROPERTY_OF = "@mock.patch.object(Order, '{}', new_callable=mock.PropertyMock, return_value=400)\n    "


def beside(
    name: str, base: str, weak: str, severity: str, honest: str, *, codes: tuple[str, str] = (CODE, CODE)
) -> Row:
    """A file that stands beside tests which stay as they are; the code of the weak and of the honest head."""
    there = of_tests(SUMMARY.format("{'a': 1}"))
    heads = [of_tests(SUMMARY.format("{'a': 1}"), code) for code in codes]
    return Row(there | {name: base}, heads[0] | {name: weak}, severity, heads[1] | {name: honest})


AROUND = {
    "a flag of the code set for tests": beside(
        "tests/conftest.py",
        HARNESS,
        HARNESS + "order.STRICT = True\n",
        BLOCK,
        HARNESS + "order.STRICT = True\n",
        codes=(BY_FLAG.format("return {'a': 1}"), BY_FLAG.format("raise TypeError(order)")),
    ),
    "a mock is answered otherwise": beside(
        "tests/conftest.py",
        HARNESS,
        HARNESS,
        BLOCK,
        HARNESS,
        codes=(
            ASKING.replace("return dict(order)", "return {'a': 1} if isinstance(order, Mock) else dict(order)"),
            CODE.replace("return dict(order)", "return {'a': 1} if isinstance(order, list) else dict(order)"),
        ),
    ),
    "a file system with answers of its own": beside(
        "tests/conftest.py",
        HARNESS,
        HARNESS + UNLINK.format("KeyError(self.stem)"),
        BLOCK,
        HARNESS + UNLINK.format("AssertionError(f'{self} is not ours')"),
    ),
    "a property that is replaced": case(
        NAMED.format(""), NAMED.format(PROPERTY_OF.format("net")), BLOCK, NAMED.format(PROPERTY_OF.format("tax"))
    ),
    "an invariant under a condition": case(
        MACHINE.format("", BOUND),
        MACHINE.format("    @precondition(lambda self: not self.got)\n", BOUND),
        BLOCK,
        MACHINE.format("    @invariant()\n    def is_there(self):\n        assert self.got\n\n", BOUND),
    ),
    "a machine that nothing runs": case(
        MACHINE.format("", BOUND),
        MACHINE.format("", "OrderMachine.TestCase.settings = 1"),
        BLOCK,
        MACHINE.format("", "TestAgain = OrderMachine.TestCase"),
    ),
}

ROWS = "@pytest.mark.parametrize('case', {})\ndef test_case(case):\n    assert names(case) == [1]\n"
PARAMS = "[pytest.param(c, marks={}) for c in load('cases.json')]"
TABLE = "MARKS = {'a': [pytest.mark.xfail(reason='later')]}\n\n\n"
ALIAS = "maybe = {} if sys.maxsize {} 2**32 else (lambda f: f)\n\n\n"
MAKER = "def maybe(test):\n    return pytest.mark.xfail(test) if {} else test\n\n\n"
SKIPPED = {
    "a mark by a table": case(
        ROWS.format("load('cases.json')"),
        TABLE + ROWS.format(PARAMS.format("MARKS.get(c['id'], [])")),
        BLOCK,
        ROWS.format("[pytest.param(c, id=c['id']) for c in load('cases.json')]"),
    ),
    "a mark by a choice": case(
        ROWS.format("load('cases.json')"),
        ROWS.format(PARAMS.format("pytest.mark.skip if c['id'] == 'a' else ()")),
        BLOCK,
        ROWS.format(PARAMS.format("pytest.mark.slow if c['id'] == 'a' else ()")),
    ),
    "a name for a mark that always holds": case(
        EACH,
        ALIAS.format("unittest.expectedFailure", ">") + "@maybe\n" + EACH,
        BLOCK,
        ALIAS.format("unittest.expectedFailure", "<") + "@maybe\n" + EACH,
    ),
    "a decorator that puts a mark": case(
        EACH,
        MAKER.format("sys.version_info >= (3, 0)") + "@maybe\n" + EACH,
        BLOCK,
        MAKER.format("sys.version_info < (3, 0)") + "@maybe\n" + EACH,
    ),
}
NOX = "import nox\n\n\n@nox.session\ndef tests(session):\n    session.run('pytest', '-q'{})\n"
TOX = "[tox]\nenvlist = py\n\n[testenv]\ncommands = {}\n"
INI = "[pytest]\naddopts = {}\n"
CHECKS = "on: [push]\njobs:\n  checks:\n    steps:\n      - run: pre-commit run --all-files\n{}"
RUNS = {
    "a status of failure counts as success": beside(
        "noxfile.py", NOX.format(""), NOX.format(", success_codes=[0, 1]"), BLOCK, NOX.format(", success_codes=[0, 5]")
    ),
    "a threshold that counts for none": beside(
        "noxfile.py", NOX.format(""), NOX.format(", success_codes=[0, 2]"), BLOCK, NOX.format(", silent=False")
    ),
    "a failure is let through": beside(
        "tox.ini",
        TOX.format("pytest -q"),
        TOX.format("bash -c 'pytest -q; test $? -le 1'"),
        BLOCK,
        TOX.format("bash -c 'pytest -q; test $? -eq 0'"),
    ),
    "fewer pages with examples": beside(
        "pytest.ini",
        INI.format("--doctest-glob=*.md"),
        INI.format("--doctest-glob=index.md"),
        BLOCK,
        INI.format("--doctest-glob=*.md --doctest-glob=*.rst"),
    ),
    "the hook of tests is left out": beside(
        ".github/workflows/checks.yml",
        CHECKS.format(""),
        CHECKS.format("        env:\n          SKIP: unit-tests\n"),
        BLOCK,
        CHECKS.format("        env:\n          SKIP: no-commit-to-branch\n"),
    ),
}

STORE = (
    "from contract import OrderContract, KeepsOrder\n\n\n"
    "class TestShelf({}):\n    {}def test_own(self):\n        assert names('a') == ['a']\n"
)
SUPER = "def test_keep(self):\n        super().test_keep()\n        assert names('') == []\n\n    "
SCRIPT = (
    "import subprocess\nimport sys\n\n\ndef main():\n    failed = subprocess.run(['pytest', '-q']).returncode\n"
    "    print(failed)\n    return {}\n\n\nif __name__ == '__main__':\n    sys.exit(main())\n"
)
INHERITED = {
    "an inherited test hidden": case(
        STORE.format("OrderContract", ""),
        STORE.format("OrderContract", "test_keep = None\n\n    "),
        BLOCK,
        STORE.format("OrderContract", SUPER),
    ),
    "a base with tests taken away": case(
        STORE.format("OrderContract", ""),
        STORE.format("object", ""),
        BLOCK,
        STORE.format("KeepsOrder", ""),
    ),
    "a runner that always returns 0": beside(
        "scripts/run_tests.py",
        SCRIPT.format("1 if failed else 0"),
        SCRIPT.format("0"),
        BLOCK,
        SCRIPT.format("min(failed, 1)"),
    ),
}


def worst(base: Files, head: Files) -> str:
    """The worst that is said of a change, empty for nothing but advice."""
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return BLOCK if BLOCK in found else WARN if WARN in found else ""


EVERY = ASSERTED | VALUES | AROUND | SKIPPED | RUNS | INHERITED


@pytest.mark.parametrize("row", EVERY.values(), ids=EVERY)
def test_a_trick_is_told_from_everyday_work(row: Row) -> None:
    assert row.severity == worst(row.base, row.weak)
    assert worst(row.base, row.honest) != BLOCK
