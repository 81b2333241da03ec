"""Kills that stand where nobody can tell a broken tree from a whole one, and kills that do not."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentgate_git.model.falsification import FALSIFIED, ONLY_WEAK, STRONG, Falsification, Kill, Mutant, SymbolResult
from agentgate_git.runner.confirm import confirmed, rewritten
from agentgate_git.runner.credit_run import CreditRequest
from agentgate_git.source.python.changed_symbols import changed_symbols
from testing.credit import credit_request

SHOP = "def total(items):\n    return sum(items) * 3\n\n\nKINDS = total([1])\n"
CASE = "tests/test_shop.py::test_a"


def claim(
    tmp_path: Path, tests: str, mutant: Mutant, shop: str = SHOP, name: str = "total", case: str = CASE
) -> SymbolResult:
    """What becomes of a search that says that a case killed this mutant of a symbol."""
    files = {"shop.py": shop, "tests/test_shop.py": f"import shop\n{tests}\n"}
    request = credit_request(tmp_path / "project", files, old={"shop.py": "def total(items):\n    return 0\n"})
    request = request._replace(symbols=tuple(each for each in request.symbols if each.name == name))
    result = SymbolResult("shop.py", name, FALSIFIED, (case,), Kill(case, mutant, "said"), (mutant,))
    found = Falsification((result,), (case,), (), "CPython", cases=(case,))
    count = 0

    @contextmanager
    def place(changed: Mapping[str, bytes]) -> Iterator[CreditRequest]:
        nonlocal count
        count += 1
        directory = tmp_path / f"tree-{count}"
        shutil.copytree(request.directory, directory)
        for path, data in changed.items():
            (directory / path).write_bytes(data)
        yield request._replace(directory=str(directory))

    (judged,) = confirmed(found, request, {"shop.py": shop.encode()}, place).symbols
    return judged


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
    rows = [{**each._asdict(), "mutant": "uniform", "label": "", "place": 0} for each in changes]
    made = rewritten(rows, {"shop.py": EVERY_SHAPE.encode()}, {})
    same = made.same["shop.py"].decode()
    assert ast.dump(ast.parse(same)) != ast.dump(ast.parse(EVERY_SHAPE))
    assert ran(EVERY_SHAPE) == ran(same)
    broken = {change.name: text for change, text in zip(changes, made.broken, strict=True) if text is not None}
    assert {"plain", "numbers", "waited", "outer", "Shape.size", "Shape.<body>", "module:LIMIT"} <= broken.keys()
    for name, text in broken.items():
        assert ran(EVERY_SHAPE) != ran(text.decode()) or name == "silent", name


def test_what_is_no_python_is_not_written_anew() -> None:
    row = {"path": "a.py", "name": "f", "old_path": ""}
    assert ({}, ()) == tuple(rewritten([row], {"a.py": b"def f(:"}, {}))


def ran(source: str) -> str:
    """What the shapes give, in words; of functions their type alone."""
    space: dict[str, object] = {"__name__": "shop"}
    exec(compile(source + SEEN, "shop.py", "exec"), space)
    return repr(space["seen"])
