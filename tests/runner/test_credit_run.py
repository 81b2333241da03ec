"""Which cases earn credit: pytest processes on small projects, a symbol and its tests a row."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.model.falsification import (
    FALSIFIED,
    NEVER_FALSIFIED,
    NOT_EXECUTED,
    ONLY_WEAK,
    Falsification,
    SymbolResult,
)
from agentgate_git.model.sandbox import BUBBLEWRAP
from agentgate_git.runner.box import Box
from agentgate_git.runner.credit_run import find_kills
from agentgate_git.runner.search_memory import SearchMemory
from testing.credit import credit_request, falsify, result_of

# The production code, the symbol, the tests; there they find the code as `shop`.
Row = tuple[str, str, str]
TOTAL = """
def total(items):
    return sum(items) * 3
"""
HONEST: dict[str, Row] = {
    "equality": (
        TOTAL,
        "total",
        """
def test_a(): assert shop.total([1, 2]) == 9
""",
    ),
    "bounds": (
        TOTAL,
        "total",
        """
def test_a(): assert 8 < shop.total([1, 2]) < 10
""",
    ),
    "metamorphic": (
        """
def area(a, b):
    return a * b
""",
        "area",
        """
def test_a(): assert shop.area(3, 5) == shop.area(5, 3) and shop.area(3, 10) == 2 * shop.area(3, 5)
""",
    ),
    "order_does_not_matter": (
        """
def key(items):
    return sorted(items)[0]
""",
        "key",
        """
def test_a(): assert shop.key([3, 1, 20]) == shop.key([20, 3, 1])
""",
    ),
    "idempotence": (
        """
def clean(text):
    return ' '.join(text.split())
""",
        "clean",
        """
def test_a(): assert shop.clean(shop.clean('a  b')) == shop.clean('a  b')
""",
    ),
    "raises": (
        """
def check(x):
    if x < 0:
        raise ValueError('negative')
""",
        "check",
        """
import pytest
def test_a():
    with pytest.raises(ValueError): shop.check(-1)
""",
    ),
    "boundary": (
        """
def is_full(n):
    if n >= 10:
        return True
    return False
""",
        "is_full",
        """
def test_a(): assert shop.is_full(10)
""",
    ),
    "starts_with": (
        """
def name():
    return 'order-17'
""",
        "name",
        """
def test_a(): assert shop.name().startswith('order')
""",
    ),
    "stored_attribute": (
        """
class C:
    def __init__(self, size):
        self.size = size
""",
        "C.__init__",
        """
def test_a(): assert shop.C(3).size == 3
""",
    ),
    "effect_on_a_list": (
        """
def add(items, x):
    items.append(x)
""",
        "add",
        """
def test_a():
    items = []
    shop.add(items, 1)
    assert items == [1]
""",
    ),
    "factory": (
        """
class P:
    def __init__(self, x): self.x = x
def make(x):
    return P(x)
""",
        "make",
        """
def test_a(): assert shop.make(3).x == 3
""",
    ),
    "function_that_makes_functions": (
        """
def adder(n):
    def add(m):
        return n + m
    return add
""",
        "adder",
        """
def test_a(): assert shop.adder(2)(3) == 5
""",
    ),
    "nested_function": (
        """
def adder(n):
    def add(m):
        return n + m
    return add
""",
        "adder.<locals>.add",
        """
def test_a(): assert shop.adder(2)(3) == 5
""",
    ),
    "decorator_s_wrapper": (
        """
import functools
def twice(f):
    @functools.wraps(f)
    def call(*args):
        return 2 * f(*args)
    return call
@twice
def one():
    return 1
""",
        "twice.<locals>.call",
        """
def test_a(): assert shop.one() == 2
""",
    ),
    "decorated": (
        """
import functools
def twice(f):
    @functools.wraps(f)
    def call(*args):
        return 2 * f(*args)
    return call
@twice
def one():
    return 1
""",
        "one",
        """
def test_a(): assert shop.one() == 2
""",
    ),
    "lru_cache": (
        """
from functools import lru_cache
@lru_cache
def square(x):
    return x * x
""",
        "square",
        """
def test_a(): assert shop.square(3) == 9
""",
    ),
    "cached_at_import_of_the_tests": (
        """
from functools import lru_cache
@lru_cache
def square(x):
    return x * x
""",
        "square",
        """
shop.square(3)
def test_a(): assert shop.square(4) == 16
""",
    ),
    "property": (
        """
class C:
    @property
    def area(self):
        return 4
""",
        "C.area",
        """
def test_a(): assert shop.C().area == 4
""",
    ),
    "setter": (
        """
class C:
    @property
    def a(self):
        return self._a
    @a.setter
    def a(self, x):
        self._a = x * 2
""",
        "C.a",
        """
def test_a():
    c = shop.C()
    c.a = 2
    assert c.a == 4
""",
    ),
    "mangled_names": (
        """
class C:
    def __secret(self):
        return self.__x + 1
    def show(self):
        self.__x = 1
        return self.__secret()
""",
        "C.__secret",
        """
def test_a(): assert shop.C().show() == 2
""",
    ),
    "super_and_its_cell": (
        """
class A:
    def f(self):
        return 1
class B(A):
    def f(self):
        return super().f() + 1
""",
        "B.f",
        """
def test_a(): assert shop.B().f() == 2
""",
    ),
    "generator": (
        """
def count(n):
    for i in range(n):
        yield i
""",
        "count",
        """
def test_a(): assert list(shop.count(3)) == [0, 1, 2]
""",
    ),
    "yield_from": (
        """
def count(n):
    yield from range(n)
""",
        "count",
        """
def test_a(): assert list(shop.count(3)) == [0, 1, 2]
""",
    ),
    "context_manager": (
        """
from contextlib import contextmanager
@contextmanager
def opened():
    yield 7
""",
        "opened",
        """
def test_a():
    with shop.opened() as x:
        assert x == 7
""",
    ),
    "async": (
        """
async def fetch(x):
    return x + 1
""",
        "fetch",
        """
import asyncio
def test_a(): assert asyncio.run(shop.fetch(1)) == 2
""",
    ),
    "async_generator": (
        """
async def ticks():
    yield 1
    yield 2
""",
        "ticks",
        """
import asyncio
async def all_of():
    return [x async for x in shop.ticks()]
def test_a(): assert asyncio.run(all_of()) == [1, 2]
""",
    ),
    "hash": (
        """
class C:
    def __eq__(self, other): return True
    def __hash__(self):
        return 7
""",
        "C.__hash__",
        """
def test_a(): assert len({shop.C(), shop.C()}) == 1
""",
    ),
    "unittest_case": (
        TOTAL,
        "total",
        """
import unittest
class TestTotal(unittest.TestCase):
    def test_a(self): self.assertEqual(shop.total([1]), 3)
""",
    ),
    "unittest_subtest": (
        TOTAL,
        "total",
        """
import unittest
class TestTotal(unittest.TestCase):
    def test_a(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(shop.total([n]), 3 * n)
""",
    ),
    "parametrized_with_odd_ids": (
        TOTAL,
        "total",
        """
import pytest
@pytest.mark.parametrize('n', [1, 2], ids=['a::b', 'x[y] z'])
def test_a(n): assert shop.total([n]) == 3 * n
""",
    ),
    "fixture_of_the_module": (
        TOTAL,
        "total",
        """
import pytest
@pytest.fixture(scope='module')
def seen(): return shop.total([1])
def test_a(seen): assert seen
def test_b(seen): assert seen == 3
""",
    ),
    "mock_asked_what_it_got": (
        """
def send(client, text):
    client.post(text + '!')
""",
        "send",
        """
from unittest.mock import Mock
def test_a():
    client = Mock()
    shop.send(client, 'hi')
    client.post.assert_called_once_with('hi!')
""",
    ),
    "class_attribute": (
        """
class C:
    limit = 5
""",
        "C.<body>",
        """
def test_a(): assert shop.C.limit == 5
""",
    ),
    "dataclass_default": (
        """
from dataclasses import dataclass
@dataclass
class C:
    size: int = 5
""",
        "C.<body>",
        """
def test_a(): assert shop.C().size == 5
""",
    ),
    "value": (
        """
RATE = 3
""",
        "module:RATE",
        """
def test_a(): assert shop.RATE == 3
""",
    ),
    "pattern": (
        """
import re
WORD = re.compile('[a-z]+$')
""",
        "module:WORD",
        """
def test_a(): assert shop.WORD.match('abc')
""",
    ),
    "statement_of_the_module": (
        """
HANDLERS = {}
HANDLERS['a'] = 1
""",
        "<module>",
        """
def test_a(): assert shop.HANDLERS['a'] == 1
""",
    ),
}
# The same where the process is not left as it was.
ALONE: dict[str, Row] = {
    "imported_by_the_test_itself": (
        TOTAL,
        "total",
        """
def test_a():
    import shop
    assert shop.total([1]) == 3
""",
    ),
    "frozen_objects": (
        TOTAL,
        "total",
        """
import shop
import gc
gc.freeze()
def test_a(): assert shop.total([1]) == 3
""",
    ),
    "threads_at_collection": (
        TOTAL,
        "total",
        """
import shop
import threading
stop = threading.Event()
threading.Thread(target=stop.wait, daemon=True).start()
def test_a(): assert shop.total([1]) == 3
""",
    ),
    "after_a_case_that_ends_the_process": (
        TOTAL,
        "total",
        """
import shop
import os
def test_exit(): os._exit(0)
def test_a(): assert shop.total([1]) == 3
""",
    ),
}
WORTHLESS: dict[str, tuple[str, str, str, str]] = {
    "assert_true": (
        TOTAL,
        "total",
        """
def test_a():
    shop.total([1])
    assert True
""",
        NEVER_FALSIFIED,
    ),
    "no_assertion": (
        TOTAL,
        "total",
        """
def test_a(): shop.total([1])
""",
        NEVER_FALSIFIED,
    ),
    "compared_with_itself": (
        TOTAL,
        "total",
        """
def test_a(): assert shop.total([1]) == shop.total([1])
""",
        NEVER_FALSIFIED,
    ),
    "compared_with_itself_by_variables": (
        TOTAL,
        "total",
        """
def test_a():
    expected = shop.total([1])
    assert shop.total([1]) == expected
""",
        NEVER_FALSIFIED,
    ),
    "objects_compared_with_themselves": (
        """
class T: pass
def value(thing):
    return 3
""",
        "value",
        """
def test_a(): assert shop.value(shop.T()) == shop.value(shop.T())
""",
        NEVER_FALSIFIED,
    ),
    "or_true": (
        TOTAL,
        "total",
        """
def test_a(): assert shop.total([1]) == 3 or True
""",
        NEVER_FALSIFIED,
    ),
    "a_tuple": (
        TOTAL,
        "total",
        """
import warnings
def test_a(): assert (shop.total([1]) == 3, 'wrong')
""",
        NEVER_FALSIFIED,
    ),
    "swallowed": (
        TOTAL,
        "total",
        """
def test_a():
    try:
        assert shop.total([1]) == 3
    except AssertionError:
        pass
""",
        NEVER_FALSIFIED,
    ),
    "always_equal": (
        TOTAL,
        "total",
        """
class Any:
    def __eq__(self, other): return True
def test_a(): assert shop.total([1]) == Any()
""",
        NEVER_FALSIFIED,
    ),
    "mock_of_itself": (
        TOTAL,
        "total",
        """
from unittest.mock import patch
def test_a():
    with patch('shop.total', return_value=3): assert shop.total([1]) == 3
""",
        NOT_EXECUTED,
    ),
    "of_the_right_type": (
        TOTAL,
        "total",
        """
def test_a(): assert isinstance(shop.total([1]), object)
""",
        NEVER_FALSIFIED,
    ),
    "only_a_crash": (
        """
def first(items):
    return [items[0]]
def use(items):
    return first(items)[0] + 1
""",
        "use",
        """
def test_a(): shop.use([1])
""",
        ONLY_WEAK,
    ),
    "assertion_in_production": (
        """
def total(items):
    return 3
def checked():
    assert total([1]) == 3
""",
        "total",
        """
def test_a(): shop.checked()
""",
        ONLY_WEAK,
    ),
    "expected_to_fail": (
        TOTAL,
        "total",
        """
import pytest
@pytest.mark.xfail
def test_a(): assert shop.total([1]) == 4
""",
        NOT_EXECUTED,
    ),
    "skipped_after_the_call": (
        TOTAL,
        "total",
        """
import pytest
def test_a():
    shop.total([1])
    pytest.skip('later')
""",
        NOT_EXECUTED,
    ),
    "ends_the_process": (
        TOTAL,
        "total",
        """
import os
def test_a():
    shop.total([1])
    os._exit(0)
""",
        NOT_EXECUTED,
    ),
    "ends_the_process_when_it_would_fail": (
        TOTAL,
        "total",
        """
import os
def test_a():
    if shop.total([1]) != 3: os._exit(0)
""",
        ONLY_WEAK,
    ),
    "never_called": (
        TOTAL,
        "total",
        """
def test_a(): assert 3 == 3
""",
        NOT_EXECUTED,
    ),
    "fails_only_after_another": (
        TOTAL,
        "total",
        """
ready = []
def test_a(): ready.append(1)
def test_b():
    shop.total([1])
    assert ready
""",
        NEVER_FALSIFIED,
    ),
    "looks_at_the_code": (
        TOTAL,
        "total",
        """
CODE = shop.total.__code__
def test_a():
    shop.total([1])
    assert shop.total.__code__ is CODE
""",
        ONLY_WEAK,
    ),
    "endless_when_broken": (
        """
def step(x):
    return x + 1
""",
        "step",
        """
def test_a():
    x = 0
    while x != 1: x = shop.step(x)
""",
        ONLY_WEAK,
    ),
}


def project(rows: dict[str, Row]) -> dict[str, str]:
    """One project of all rows: each has a module and a test file of its own."""
    files = {}
    for name, (code, _, tests) in rows.items():
        files[f"shop_{name}.py"] = code
        tests = tests.replace("patch('shop.", f"patch('shop_{name}.")
        files[f"test_{name}.py"] = f"import shop_{name} as shop\n{tests}"
    return files


def result(found: Falsification, row: str, name: str) -> SymbolResult:
    return next(each for each in found.symbols if (each.path, each.name) == (f"shop_{row}.py", name))


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Falsification:
    """In a box, which must not matter."""
    directory = tmp_path_factory.mktemp("honest") / "project"
    box = Box(BUBBLEWRAP, writable=(str(directory),))
    return find_kills(credit_request(directory, project(HONEST))._replace(box=box))


@pytest.fixture(scope="module")
def worthless(tmp_path_factory: pytest.TempPathFactory) -> Falsification:
    rows = {row: (code, name, tests) for row, (code, name, tests, _) in WORTHLESS.items()}
    return falsify(tmp_path_factory.mktemp("worthless") / "project", project(rows), symbol_seconds=4, mutants=8)


@pytest.mark.parametrize("row", HONEST)
def test_a_case_that_fails_when_the_symbol_is_broken(row: str, honest: Falsification) -> None:
    found = result(honest, row, HONEST[row][1])
    assert (FALSIFIED, ()) == (found.state, honest.problems), found
    assert found.kill is not None
    assert found.kill.test.startswith(f"test_{row}.py::")
    assert found.kill.test in found.executed_by


@pytest.mark.parametrize("row", WORTHLESS)
def test_a_case_that_does_not(row: str, worthless: Falsification) -> None:
    _, name, _, state = WORTHLESS[row]
    found = result(worthless, row, name)
    assert (state, None, ()) == (found.state, found.kill, worthless.problems), found


@pytest.mark.parametrize("row", ALONE)
def test_a_case_in_a_process_of_its_own_kind(row: str, tmp_path: Path) -> None:
    code, name, tests = ALONE[row]
    found = falsify(tmp_path / "project", {"shop.py": code, "test_shop.py": tests})
    assert (FALSIFIED, ()) == (result_of(found, name).state, found.problems)


def test_what_is_remembered_is_not_searched_again(tmp_path: Path) -> None:
    shop = TOTAL + "\ndef count(items):\n    return len(items)\n\nKINDS = [1]\n"
    tests = "import shop\ndef test_a(): assert (9, 2, [1]) == (shop.total([1, 2]), shop.count([1, 2]), shop.KINDS)\n"
    request = credit_request(tmp_path / "project", {"shop.py": shop, "test_shop.py": tests})
    memory = SearchMemory()
    first = find_kills(request, None, memory)
    assert {"total", "count", "module:KINDS"} == {change.name for change in memory.events}
    forgotten = next(change for change in memory.events if change.name == "count")
    del memory.events[forgotten]
    again = find_kills(request, None, memory)
    assert ((), ()) == (first.problems, again.problems)
    for name in ("total", "module:KINDS"):
        assert untimed(first, name) == untimed(again, name)
    assert result_of(first, "count").effort.seconds != result_of(again, "count").effort.seconds


def untimed(found: Falsification, name: str) -> SymbolResult:
    """Without the seconds of the unbroken run, which is made each time."""
    result = result_of(found, name)
    return result._replace(effort=result.effort._replace(covering_seconds=0.0))
