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
        """Compiled once for each number of fields, and then given their names: compiling takes the time."""
        template = _templates.get(len(fields))
        if template is None:
            values = "".join(f"_{position}, " for position in range(len(fields)))
            template = eval(f"lambda _cls, {values}: _new(_cls, ({values}))", _NAMES)  # noqa: S307 - nothing of others
            _templates[len(fields)] = template
        code = template.__code__.replace(co_name="__new__", co_qualname="__new__", co_varnames=("_cls", *fields))
        return type(template)(code, _NAMES, "__new__", tuple(defaults.values()))

    _NAMES = {"_new": tuple.__new__}
    _templates = {}

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
