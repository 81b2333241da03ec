"""Kills that stand where nobody can tell a broken tree from a whole one, and kills that do not."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentgate_git.model.falsification import (
    FALSIFIED,
    ONLY_WEAK,
    STRONG,
    UNCONFIRMED,
    Falsification,
    Kill,
    Mutant,
    SymbolResult,
)
from agentgate_git.model.symbol import SymbolChange
from agentgate_git.runner.confirm import confirmed
from agentgate_git.runner.credit_run import CreditObserver, CreditRequest
from agentgate_git.runner.rewriting import Sources, Wanted, rewritten
from agentgate_git.source.python.changed_symbols import changed_symbols
from testing.credit import credit_request

SHOP = "def total(items):\n    return sum(items) * 3\n\n\nKINDS = total([1])\n"
CASE = "tests/test_shop.py::test_a"


def claim(
    tmp_path: Path, tests: str, mutant: Mutant, shop: str = SHOP, name: str = "total", case: str = CASE
) -> SymbolResult:
    """What becomes of a search that says that a case killed this mutant of a symbol."""
    (judged,) = Claims(tmp_path, shop, tests, ((name, mutant, case),)).judged()
    return judged


class Claims(CreditObserver):
    """A search that says of symbols of a shop which mutants were killed, and by which cases."""

    def __init__(self, tmp_path: Path, shop: str, tests: str, claimed: tuple[tuple[str, Mutant, str], ...]) -> None:
        files = {"shop.py": shop, "tests/test_shop.py": f"import shop\n{tests}\n"}
        request = credit_request(tmp_path / "project", files, old={"shop.py": "def total(items):\n    return 0\n"})
        names = [name for name, _, _ in claimed]
        self.request = request._replace(symbols=tuple(each for each in request.symbols if each.name in names))
        self.trees = 0
        self.seen: list[tuple[int, int]] = []
        self._sources = {"shop.py": shop.encode()}
        self._above = tmp_path
        results = tuple(
            SymbolResult("shop.py", name, FALSIFIED, (case,), Kill(case, mutant, "said"), (mutant,))
            for name, mutant, case in claimed
        )
        cases = tuple(case for _, _, case in claimed)
        self._found = Falsification(results, cases, (), "CPython", cases=cases)

    def judged(self) -> tuple[SymbolResult, ...]:
        """What is left of them."""
        return confirmed(self._found, self.request, self._sources, self._place, self).symbols

    def confirmed(self, done: int, count: int) -> None:
        self.seen.append((done, count))

    @contextmanager
    def _place(self, changed: Mapping[str, bytes]) -> Iterator[CreditRequest]:
        self.trees += 1
        directory = self._above / f"tree-{self.trees}"
        shutil.copytree(self.request.directory, directory)
        for path, data in changed.items():
            (directory / path).write_bytes(data)
        yield self.request._replace(directory=str(directory))


UNIFORM = Mutant("uniform", "uniform of total", STRONG)
HONEST_TEST = "def test_a(): assert 9 == shop.total([1, 2])"
AT_IMPORT = SHOP.replace("total([1])", "{0: 'nothing', 3: 'one'}[total([1])]")
STANDING: dict[str, tuple[str, Mutant, str]] = {
    "as it was claimed": (SHOP, UNIFORM, "uniform"),
    "there is no such mutant, and another will do": (SHOP, UNIFORM._replace(label="uniform of all"), "revert"),
    "the mutant breaks the import, and another does not": (AT_IMPORT, UNIFORM, "revert"),
}


@pytest.mark.parametrize(("shop", "mutant", "kind"), STANDING.values(), ids=STANDING)
def test_a_kill_that_stands(tmp_path: Path, shop: str, mutant: Mutant, kind: str) -> None:
    judged = claim(tmp_path, HONEST_TEST, mutant, shop)
    assert judged.kill is not None, judged
    assert (FALSIFIED, CASE, kind) == (judged.state, judged.kill.test, judged.kill.mutant.kind)
    assert judged.kill.message.startswith("AssertionError"), "its own words, not those of the claim"


def test_a_mutant_that_changes_the_id_of_the_case(tmp_path: Path) -> None:
    tests = "import pytest\n@pytest.mark.parametrize('kind', shop.KINDS)\ndef test_a(kind): assert kind == 7"
    mutant = Mutant("operator", "8 for 7 in module:KINDS", STRONG)
    shop = "def total(items):\n    return 0\n\n\nKINDS = [7]\n"
    judged = claim(tmp_path, tests, mutant, shop, "module:KINDS", f"{CASE}[7]")
    assert (mutant, "AssertionError: assert 8 == 7") == (judged.kill and judged.kill[1:])


FALLING: dict[str, tuple[str, Mutant, str]] = {
    "it never failed": ("def test_a(): shop.total([1])", UNIFORM, "passes where the file itself is broken"),
    "computed at import": (
        "OLD = shop.total([1, 2])\ndef test_a(): assert OLD == shop.total([1, 2])",
        UNIFORM,
        "passes where the file itself is broken",
    ),
    "it looks at the file": (
        "def test_a(): assert 'agentgate' not in open('shop.py').read()",
        UNIFORM,
        "opens the source of what was broken",
    ),
    "it has a child look at the file": (
        "import subprocess\ndef test_a(): assert b'agentgate' not in subprocess.check_output(['cat', 'shop.py'])",
        UNIFORM,
        "it fails where nothing is broken",
    ),
}


@pytest.mark.parametrize(("tests", "mutant", "why"), FALLING.values(), ids=FALLING)
def test_a_kill_that_does_not_stand(tmp_path: Path, tests: str, mutant: Mutant, why: str) -> None:
    judged = claim(tmp_path, tests, mutant)
    assert (ONLY_WEAK, None, "suspect") == (judged.state, judged.kill, judged.mutants[0].verdict)
    assert why in judged.untried[0]


TWO = "def total(items):\n    return sum(items) * 3\n\n\ndef count(items):\n    return len(items)\n"
OTHER_CASE = "tests/test_shop.py::test_b"
OF_TWO = (("total", UNIFORM, CASE), ("count", UNIFORM._replace(label="uniform of count"), OTHER_CASE))
OPENED = "open('left', 'w').close()"


def test_a_case_that_does_not_pass_beside_another_is_asked_by_itself(tmp_path: Path) -> None:
    test_a = f"def test_a():\n    {OPENED}\n    assert 9 == shop.total([1, 2])\n"
    test_b = "import os\ndef test_b(): assert 2 + os.path.exists('left') == shop.count([1, 2])"
    claims = Claims(tmp_path, TWO, test_a + test_b, OF_TWO)
    assert [CASE, OTHER_CASE] == [each.kill and each.kill.test for each in claims.judged()]
    assert (4, [(0, 2), (1, 2), (2, 2)]) == (claims.trees, claims.seen)


def test_cases_of_one_file_share_a_tree_and_see_neither_each_other_nor_which_symbol_is_broken(tmp_path: Path) -> None:
    look = "subprocess.check_output(['sed', '1,/def count/d', 'shop.py'])"
    test_a = f"import subprocess\ndef test_a():\n    shop.left = 1\n    assert b'agentgate' in {look}\n"
    test_b = "def test_b(): assert 2 + hasattr(shop, 'left') == shop.count([1, 2])"
    claims = Claims(tmp_path, TWO, test_a + test_b, OF_TWO)
    first, second = claims.judged()
    assert (3, ONLY_WEAK, FALSIFIED) == (claims.trees, first.state, second.state)
    assert "it passes where the file itself is broken" in first.untried[0]


def test_a_kill_that_there_is_no_time_for_earns_nothing_and_says_so(tmp_path: Path) -> None:
    claims = Claims(tmp_path, TWO, HONEST_TEST, OF_TWO)
    claims.request = claims.request._replace(confirmation_seconds=0.0)
    for judged in claims.judged():
        assert (UNCONFIRMED, None, "suspect", True) == (
            judged.state,
            judged.kill,
            judged.mutants[0].verdict,
            judged.is_spent,
        )
        assert "was not confirmed: the 0 s for all kills were over" in judged.untried[0]
    assert 0 == claims.trees


def test_nothing_but_the_broken_symbol_tells_the_broken_file_from_the_other() -> None:
    new = {"shop.py": TWO.encode(), "other.py": b"def other():\n    return 1\n"}
    changes = changed_symbols({}, new).changes
    made = rewritten(Sources(new, {}, changes), [Wanted(each, "uniform") for each in changes], 60)
    for change, text in zip(changes, made.broken, strict=True):
        same, broken = (ast.parse(each) for each in (made.same[change.path], text or b""))
        unlike = [a.name for a, b in zip(same.body, broken.body, strict=True) if ast.dump(a) != ast.dump(b)]  # type: ignore[attr-defined]
        assert [change.name] == unlike


EVERY_SHAPE = """
from __future__ import annotations
import asyncio

LIMIT: int = 3
NAMES = ["a", "b"]
print(LIMIT)


def plain(a, *, b=2):
    '''Docstring.'''
    if a:
        return a + b
    return None


def silent(items):
    items.append(1)


def numbers(n):
    yield n
    yield from range(n)


async def waited(n):
    await asyncio.sleep(0)
    return n


def outer():
    def inner():
        return 1
    return inner


class Shape:
    sides = 3

    @property
    def size(self):
        return self.sides * 2

    def __hidden(self):
        return 7

    def shown(self):
        return self.__hidden()
"""
SEEN = """
import asyncio
items = []
silent(items)
seen = [LIMIT, NAMES, plain(1), plain(0), plain.__doc__, items, list(numbers(2)), asyncio.run(waited(4)), outer()(),
        Shape.sides, Shape().size, Shape().shown()]
"""


def test_a_file_that_only_looks_different_means_the_same() -> None:
    changes = changed_symbols({}, {"shop.py": EVERY_SHAPE.encode()}).changes
    sources = Sources({"shop.py": EVERY_SHAPE.encode()}, {}, changes)
    made = rewritten(sources, [Wanted(each, "uniform") for each in changes], 60)
    same = made.same["shop.py"].decode()
    assert ast.dump(ast.parse(same)) != ast.dump(ast.parse(EVERY_SHAPE))
    assert ran(EVERY_SHAPE) == ran(same)
    broken = {change.name: text for change, text in zip(changes, made.broken, strict=True) if text is not None}
    assert {"plain", "numbers", "waited", "outer", "Shape.size", "Shape.<body>", "module:LIMIT"} <= broken.keys()
    for name, text in broken.items():
        assert ran(EVERY_SHAPE) != ran(text.decode()) or name == "silent", name


def test_what_is_no_python_is_not_written_anew() -> None:
    change = SymbolChange("a.py", "f", "function", "added", "credit")
    sources = Sources({"a.py": b"def f(:"}, {}, (change,))
    assert ({}, (None,)) == tuple(rewritten(sources, [Wanted(change, "uniform")], 60))


def ran(source: str) -> str:
    """What the shapes give, in words; of functions their type alone."""
    space: dict[str, object] = {"__name__": "shop"}
    exec(compile(source + SEEN, "shop.py", "exec"), space)
    return repr(space["seen"])
