"""`Record`: typing.NamedTuple for readers and type checkers, without importing typing at run time.

A commit hook is started for every commit; importing `typing` alone doubles the start of Python
(docs/adr/0002-light-imports.md). Subclasses list annotated fields, defaults last, exactly as with
NamedTuple: immutable, compared by value, unpackable.
"""

from __future__ import annotations

__all__ = ["Record"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as Record
else:
    from _collections import _tuplegetter

    def _field(position: int, name: str) -> object:
        return _tuplegetter(position, f"Field {position}: {name}.")

    class _RecordType(type):
        """Turns a class body with annotations into a tuple subclass with named fields."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, (tuple,), {"__slots__": ()})
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            required = fields[: len(fields) - len(defaults)]
            if any(field in defaults for field in required):
                raise TypeError(f"{name}: a field without a default follows one with a default")
            members = {field: _field(position, field) for position, field in enumerate(fields)}
            body.setdefault("__slots__", ())
            body.update(members, _fields=fields, _field_defaults=defaults, __new__=_make_new(fields, defaults))
            body.setdefault("__repr__", _repr)
            body.update(_replace=_replace, _asdict=_asdict, __getnewargs__=_newargs)
            return super().__new__(cls, name, bases, body)

    def _make_new(fields, defaults):
        arguments = ", ".join(f"{f}=_d[{f!r}]" if f in defaults else f for f in fields)
        values = ", ".join(fields) + ("," if fields else "")
        code = f"lambda _cls{', ' if fields else ''}{arguments}: _new(_cls, ({values}))"
        new = eval(code, {"_new": tuple.__new__, "_d": defaults})  # noqa: S307 - field names of our own source
        new.__name__ = "__new__"
        return new

    def _repr(self):
        shown = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({shown})"

    def _replace(self, **changes):
        made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise TypeError(f"{type(self).__name__} has no field {next(iter(changes))}")
        return made

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _newargs(self):
        return tuple(self)

    class Record(metaclass=_RecordType):
        """Base of every record: a tuple with named, typed fields."""
