"""The same search in every Python of this machine: recording works by another mechanism from 3.12 on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agentgate_git.model.falsification import FALSIFIED, NEVER_FALSIFIED, NOT_EXECUTED
from testing import suites
from testing.credit import falsify
from testing.pythons import minor_of, of_machine, pure_packages

PYTHONS = [python for python in of_machine() if minor_of(python) >= 11]
CODE = """
    from functools import lru_cache, wraps

    RATE = 3

    def total(items):
        return sum(items) * RATE

    def loud(function):
        @wraps(function)
        def call(text):
            return function(text).upper()
        return call

    @loud
    def name(text):
        return text + "!"

    @lru_cache
    def square(x):
        return x * x

    class Cart:
        limit = 3

        def __init__(self):
            self.__items = []

        def add(self, item):
            if len(self.__items) >= self.limit:
                raise ValueError("full")
            self.__items.append(item)
            return self

        @property
        def size(self):
            return len(self.__items)

    def count(n):
        for number in range(n):
            yield number

    async def fetch(x):
        return [each async for each in ticks(x)]

    async def ticks(x):
        yield x + 1

    def only_called(x):
        return x

    def in_a_thread(x):
        return x

    def never_called():
        return 1
    """
TESTS = """
    import asyncio
    import threading
    import pytest
    import shop

    def test_total(): assert shop.total([1, 2]) == 9
    def test_name(): assert shop.name("a") == "A!"
    def test_square(): assert shop.square(3) == 9
    def test_cart(): assert shop.Cart().add(1).add(2).size == 2
    def test_full():
        with pytest.raises(ValueError): shop.Cart().add(1).add(2).add(3).add(4)
    def test_count(): assert list(shop.count(3)) == [0, 1, 2]
    def test_fetch(): assert asyncio.run(shop.fetch(1)) == [2]
    def test_only_called(): shop.only_called(1)
    def test_in_a_thread():
        seen = []
        thread = threading.Thread(target=lambda: seen.append(shop.in_a_thread(5)))
        thread.start()
        thread.join()
        assert seen == [5]
    """
EXPECTED = {
    **dict.fromkeys(
        (
            *("module:RATE", "total", "loud", "loud.<locals>.call", "name", "square", "count", "fetch", "ticks"),
            *("Cart.<body>", "Cart.__init__", "Cart.add", "Cart.size", "in_a_thread"),
        ),
        FALSIFIED,
    ),
    "only_called": NEVER_FALSIFIED,
    "never_called": NOT_EXECUTED,
}


@pytest.mark.parametrize("python", [Path(sys.executable), *PYTHONS], ids=lambda path: "-".join(path.parts[-3:]))
def test_every_kind_of_symbol(python: Path, tmp_path: Path) -> None:
    environment = suites.environment(PYTHONPATH=str(pure_packages(tmp_path / "packages")))
    files = {"shop.py": CODE, "test_shop.py": TESTS}
    found = falsify(tmp_path / "project", files, python=str(python), environment=environment)
    assert () == found.problems
    assert EXPECTED == {result.name: result.state for result in found.symbols}
    assert ("test_shop.py::test_in_a_thread",) == next(
        result.executed_by for result in found.symbols if result.name == "in_a_thread"
    )
