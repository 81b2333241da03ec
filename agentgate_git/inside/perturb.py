"""What a broken symbol gives instead of its value: of the same type where that can be, and never equal to it.

A changed value shows whether a test looks at it; a value of another type would crash whoever uses it, and a crash
says nothing about the test.
"""

from __future__ import annotations

import copy
import datetime
import enum
import functools
import inspect
import numbers
from collections import abc
from pathlib import PurePath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AsyncIterator, Callable, Dict, Iterator, Tuple

    Change = Callable[[Any, int], Any]

_DEPTH = 3
_MANY = 1000
_MARK = "~"


def uniform(value: Any) -> Any:
    """Another value, whatever the arguments were."""
    return _changed(value, 1, _DEPTH)


def keyed(value: Any, arguments: Tuple[Any, ...]) -> Any:
    """Another value that depends on the arguments; equal arguments give equal ones."""
    step = _key(arguments)
    if isinstance(value, bool):
        return value if step % 2 else not value
    return _changed(value, step % 97 + 1, _DEPTH)


def each(values: Any) -> Iterator[Any]:
    """For `yield from`: every item changed."""
    for value in values:
        yield _changed(value, 1, _DEPTH)


def identity(value: Any) -> int:
    """For `__hash__`: another number for every object."""
    return id(value) >> 4


def _changed(value: Any, step: int, depth: int) -> Any:
    for types, change in _CHANGES:
        if isinstance(value, types):
            return change(value, step)
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return _container(value, step, depth)
    return _object(value, step, depth)


def _number(value: Any, step: int) -> Any:
    if value != value:
        return type(value)(0)
    if value + step != value:
        return value + step
    return value / 2 if value / 2 != value else -value


def _text(value: Any, step: int) -> Any:
    """Both ends change, so that neither `startswith` nor `endswith` is blind to it."""
    mark = _MARK * (step % 5 + 1)
    if isinstance(value, bytes):
        return mark.encode() + value + mark.encode()
    return mark + value + mark


def _member(value: enum.Enum, step: int) -> Any:
    members = list(type(value))
    if value not in members:
        return None
    return members[(members.index(value) + 1 + step % max(1, len(members) - 1)) % len(members)]


def _date(value: Any, step: int) -> Any:
    try:
        return value + datetime.timedelta(days=step)
    except OverflowError:
        return value - datetime.timedelta(days=step)


_CHANGES: Tuple[Tuple[Any, Change], ...] = (
    (enum.Enum, _member),
    (bool, lambda value, _: not value),
    (numbers.Number, _number),
    ((str, bytes), _text),
    (datetime.date, _date),
    (datetime.timedelta, lambda value, step: value + datetime.timedelta(seconds=step)),
    (PurePath, lambda value, step: value / (_MARK * (step % 5 + 1))),
    (type(None), lambda _, step: _MARK * (step % 5 + 1)),
)


def _container(value: Any, step: int, depth: int) -> Any:
    """Changed items, as many as before; an empty one gets one, and so does one whose items stay as they are."""
    if depth == 0 or len(value) > _MANY:
        return type(value)() if len(value) else value
    if isinstance(value, dict):
        return _mapping(value, step, depth)
    items = [_changed(item, step, depth - 1) for item in value]
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(items)
    if isinstance(value, list):
        items.append(items[-1] if items else None)
    made = _rebuilt(value, items or [None])
    return made if made != value else _rebuilt(value, [*items, None])


def _mapping(value: Dict[Any, Any], step: int, depth: int) -> Any:
    made = copy.copy(value)
    for key, item in value.items():
        made[key] = _changed(item, step, depth - 1)
    if not made or made == value:
        made[_MARK] = None
    return made


def _rebuilt(value: Any, items: Any) -> Any:
    try:
        return type(value)(items)
    except (TypeError, ValueError):
        return items


def _object(value: Any, step: int, depth: int) -> Any:
    if isinstance(value, type) or depth == 0:
        return None
    if inspect.isawaitable(value):
        return _awaited(value, step, depth)
    if hasattr(value, "__anext__"):
        return _async_items(value, step, depth)
    if isinstance(value, abc.Iterator):
        return (_changed(item, step, depth - 1) for item in value)
    if hasattr(value, "dtype"):
        return value + step
    state = getattr(value, "__dict__", None)
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    if (isinstance(state, dict) and state and not inspect.isroutine(value)) or slots:
        return _copied(value, [*(state or ()), *slots], step, depth)
    return _wrapped(value, step, depth) if callable(value) else None


def _slots(kind: Any) -> Tuple[str, ...]:
    names = kind.__dict__.get("__slots__", ())
    found = (names,) if isinstance(names, str) else tuple(names)
    return tuple(name for name in found if name not in ("__weakref__", "__dict__"))


def _copied(value: Any, names: Any, step: int, depth: int) -> Any:
    """The same object with other plain attributes; None when it has none, or cannot be copied."""
    try:
        made = copy.copy(value)
        changed = False
        for name in names:
            item = getattr(value, name, None)
            if isinstance(item, (str, bytes, numbers.Number, list, tuple, dict, set, frozenset)):
                object.__setattr__(made, name, _changed(item, step, depth - 1))
                changed = True
    except (TypeError, AttributeError, ValueError):
        return None
    return made if changed else None


def _wrapped(value: Any, step: int, depth: int) -> Any:
    def call(*args: Any, **keywords: Any) -> Any:
        return _changed(value(*args, **keywords), step, depth - 1)

    try:
        return functools.wraps(value)(call)
    except (TypeError, AttributeError):
        return call


async def _awaited(value: Any, step: int, depth: int) -> Any:
    return _changed(await value, step, depth - 1)


async def _async_items(value: Any, step: int, depth: int) -> AsyncIterator[Any]:
    async for item in value:
        yield _changed(item, step, depth - 1)


def _key(value: Any, depth: int = _DEPTH) -> int:
    """A number that is the same for equal plain data in every process; of other objects their attributes count."""
    return sum((place + 1) * ord(letter) for place, letter in enumerate(_shown(value, depth)[:_MANY]))


def _shown(value: Any, depth: int) -> str:
    if value is None or isinstance(value, (str, bytes, numbers.Number, datetime.date, datetime.timedelta, PurePath)):
        return repr(value)
    if depth == 0:
        return type(value).__name__
    if isinstance(value, (list, tuple)):
        return "[{}]".format(",".join(_shown(item, depth - 1) for item in list(value)[:_MANY]))
    if isinstance(value, (set, frozenset)):
        return "{{{}}}".format(",".join(sorted(_shown(item, depth - 1) for item in value)))
    if isinstance(value, dict):
        rows = ("{}:{}".format(_shown(key, depth - 1), _shown(item, depth - 1)) for key, item in value.items())
        return "{{{}}}".format(",".join(rows))
    state = getattr(value, "__dict__", None)
    return type(value).__name__ + (_shown(state, depth - 1) if isinstance(state, dict) else "")
