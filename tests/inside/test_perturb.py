"""Values that are changed are of the same type and never equal."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentgate_git.inside.perturb import each, identity, keyed, uniform


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    name: str


class Slotted:
    __slots__ = ("size",)

    def __init__(self, size: int) -> None:
        self.size = size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and other.size == self.size

    __hash__ = None  # type: ignore[assignment]


Pair = collections.namedtuple("Pair", "a b")
VALUES: dict[str, Any] = {
    "true": True,
    "zero": 0,
    "large_int": 10**30,
    "float": 1.5,
    "large_float": 1e300,
    "infinite": float("inf"),
    "complex": 1j,
    "decimal": decimal.Decimal("1.5"),
    "fraction": fractions.Fraction(1, 3),
    "text": "abc",
    "no_text": "",
    "bytes": b"abc",
    "list": [1, 2],
    "empty_list": [],
    "list_of_objects": [object()],
    "tuple": (1, "a"),
    "empty_tuple": (),
    "named_tuple": Pair(1, 2),
    "set": {1, 2},
    "empty_set": set(),
    "frozenset": frozenset("a"),
    "dict": {"a": 1},
    "empty_dict": {},
    "ordered": collections.OrderedDict(a=1),
    "default_dict": collections.defaultdict(list, a=[1]),
    "counter": collections.Counter("a"),
    "nested": {"a": [{"b": (1, 2)}]},
    "date": datetime.date(2026, 1, 1),
    "last_date": datetime.date.max,
    "datetime": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
    "duration": datetime.timedelta(1),
    "path": Path("a/b"),
    "member": Colour.RED,
    "dataclass": Point(1, "a"),
    "slots": Slotted(3),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_another_value_of_the_same_type(value: Any) -> None:
    for changed in (uniform(value), keyed(value, (1, 2)), keyed(value, (2, 2))):
        assert type(value) is type(changed)
    assert value != uniform(value)


def test_none_becomes_something() -> None:
    assert uniform(None) is not None


def test_neither_end_of_a_text_stays() -> None:
    assert not uniform("order-17").startswith("order")
    assert not uniform("order-17").endswith("17")


def test_arguments_decide_what_a_keyed_value_is() -> None:
    assert keyed(7, ([1, 2],)) == keyed(7, ([1, 2],))
    assert keyed(7, ([1, 2],)) != keyed(7, ([2, 1],))
    assert keyed(7, (Point(1, "a"),)) == keyed(7, (Point(1, "a"),))
    assert keyed(7, (object(),)) == keyed(7, (object(),))
    assert keyed(7, ({"a", "b", "c"},)) == keyed(7, ({"c", "b", "a"},))


def test_what_is_made_later_is_changed_when_it_is_made() -> None:
    async def fetch() -> int:
        return 1

    def numbers() -> Iterator[int]:
        yield 1

    assert asyncio.run(uniform(fetch())) == 2
    assert [2] == list(uniform(numbers()))
    assert [2] == list(uniform(iter([1])))
    assert [2, 3] == list(each([1, 2]))
    assert uniform(lambda x: x)(1) == 2


def test_classes_and_bare_objects_become_nothing() -> None:
    assert uniform(Point) is None
    assert uniform(object()) is None


def test_equal_objects_have_different_identities() -> None:
    first, second = Slotted(1), Slotted(1)
    assert identity(first) != identity(second)
