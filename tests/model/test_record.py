"""Records: what NamedTuple would be."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import NamedTuple

import pytest

from agentgate_git.model.record import Record


class Ours(Record):
    one: int
    two: str = "2"
    three: tuple[int, ...] = ()


class Theirs(NamedTuple):
    one: int
    two: str = "2"
    three: tuple[int, ...] = ()


class OtherNames(Record):
    first: int
    second: str = "second"
    third: tuple[int, ...] = (3,)


class Empty(Record):
    pass


ARGUMENTS: list[tuple[tuple[int, ...], dict[str, object]]] = [
    ((1,), {}),
    ((1, 2, 3), {}),
    ((), {"one": 1}),
    ((1,), {"three": (3,)}),
    ((), {"two": "x", "one": 1}),
]


@pytest.mark.parametrize(("args", "named"), ARGUMENTS)
def test_it_is_made_and_read_as_a_named_tuple_is(args: tuple[int, ...], named: dict[str, object]) -> None:
    ours, theirs = Ours(*args, **named), Theirs(*args, **named)  # type: ignore[arg-type]
    assert tuple(theirs) == ours
    assert theirs._asdict() == ours._asdict()
    assert repr(theirs).replace("Theirs", "Ours") == repr(ours)
    assert (theirs.one, theirs.two, theirs.three) == (ours.one, ours.two, ours.three)
    assert tuple(theirs._replace(two="y")) == ours._replace(two="y")


@pytest.mark.parametrize(("args", "named"), [((), {}), ((1, 2, 3, 4), {}), ((1,), {"four": 4}), ((1,), {"one": 1})])
def test_wrong_arguments_are_refused(args: tuple[int, ...], named: dict[str, object]) -> None:
    for record in (Ours, Theirs):
        with pytest.raises(TypeError):
            record(*args, **named)  # type: ignore[arg-type]


def test_records_of_one_length_keep_their_own_names_and_defaults() -> None:
    assert (1, "second", (3,)) == OtherNames(first=1)
    assert (1, "2", ()) == Ours(one=1)
    assert ["first", "second", "third"] == list(inspect.signature(OtherNames).parameters)
    assert ["one", "two", "three"] == list(inspect.signature(Ours).parameters)


def test_copies_are_equal() -> None:
    made = OtherNames(1, third=(4,))
    assert made == copy.deepcopy(made) == pickle.loads(pickle.dumps(made))
    assert () == Empty()


def test_a_field_without_a_default_behind_one_with_is_refused() -> None:
    with pytest.raises(TypeError, match="without a default"):
        type(Record)("Bad", (Record,), {"__annotations__": {"a": int, "b": int}, "a": 1})
