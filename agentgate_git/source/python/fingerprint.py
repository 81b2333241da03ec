"""Fingerprints of code: equal for code that does the same in the same words, whatever its layout and place."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from typing import Any

from agentgate_git.model.record import Record

_LENGTH = 16
DELETES = "__delitem__"
_IGNORED = frozenset(("ctx", "type_comment", "kind"))
# What is written of a kind of node, and its fields in the order in which they go onto the stack.
_KINDS: dict[type, tuple[str, tuple[str, ...]]] = {}


class Shape(Record):
    """Some statements: 16 hex digits over their syntax, and the last names of what they call.

    A `del` of an item is a call of DELETES. `digest` is empty for statements that neither call nor assert anything:
    many bodies are alike in that.
    """

    digest: str
    calls: frozenset[str]


def shape_of(statements: Iterable[ast.stmt]) -> Shape:
    """The shape of some statements; comments, layout and line numbers do not count."""
    parts: list[str] = []
    write = parts.append
    calls: set[str] = set()
    says_something = False
    stack: list[Any] = list(statements)[::-1]
    push, pop = stack.append, stack.pop
    while stack:
        item = pop()
        kind = type(item)
        if kind is ast.Name:
            write(f"(Name={item.id}")
        elif kind is ast.Attribute:
            write(f"(Attribute={item.attr}")
            push(item.value)
        elif kind is list:
            write(f"[{len(item)}")
            stack += item[::-1]
        elif kind in _KINDS or issubclass(kind, ast.AST):
            head, fields = _KINDS.get(kind) or _kind(kind)
            write(head)
            for field in fields:
                push(getattr(item, field, None))
            if kind is ast.Call:
                says_something = True
                calls.add(getattr(item.func, "attr", "") or getattr(item.func, "id", ""))
            elif kind is ast.Assert:
                says_something = True
            elif kind is ast.Delete and any(isinstance(one, ast.Subscript) for one in item.targets):
                calls.add(DELETES)
        else:
            # repr refuses numbers of many digits
            write(f"={kind.__name__}:{hex(item) if isinstance(item, int) else repr(item)}")
    text = "".join(parts).encode("utf-8", "backslashreplace")
    return Shape(hashlib.sha256(text).hexdigest()[:_LENGTH] if says_something else "", frozenset(calls))


def _kind(kind: type[ast.AST]) -> tuple[str, tuple[str, ...]]:
    fields = tuple(field for field in reversed(kind._fields) if field not in _IGNORED)
    found = _KINDS[kind] = (f"({kind.__name__}{len(fields)}", fields)
    return found


def digest_of(text: str) -> str:
    """16 hex digits over a text."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_LENGTH]
