"""Fingerprints of code: equal for code that does the same in the same words, whatever its layout and place."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from typing import Any

from agentgate_git.model.record import Record

_LENGTH = 16
_IGNORED = frozenset(("ctx", "type_comment", "kind"))


class Shape(Record):
    """Some statements: 16 hex digits over their syntax, and the last names of what they call.

    `digest` is empty for statements that neither call nor assert anything: many bodies are alike in that.
    """

    digest: str
    calls: frozenset[str]


def shape_of(statements: Iterable[ast.stmt]) -> Shape:
    """The shape of some statements; comments, layout and line numbers do not count."""
    parts: list[str] = []
    calls: set[str] = set()
    says_something = False
    stack: list[Any] = list(statements)[::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.AST):
            fields = item._fields
            parts.append(f"({type(item).__name__}{len(fields)}")
            stack.extend([getattr(item, field, None) for field in reversed(fields) if field not in _IGNORED])
            if isinstance(item, ast.Call):
                calls.add(getattr(item.func, "attr", "") or getattr(item.func, "id", ""))
            says_something = says_something or isinstance(item, ast.Call | ast.Assert)
        elif isinstance(item, list):
            parts.append(f"[{len(item)}")
            stack.extend(reversed(item))
        else:
            value = hex(item) if isinstance(item, int) else repr(item)  # repr refuses numbers of many digits
            parts.append(f"={type(item).__name__}:{value}")
    text = "".join(parts).encode("utf-8", "backslashreplace")
    return Shape(hashlib.sha256(text).hexdigest()[:_LENGTH] if says_something else "", frozenset(calls))


def digest_of(text: str) -> str:
    """16 hex digits over a text."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_LENGTH]
