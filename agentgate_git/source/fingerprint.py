"""Fingerprints of code: equal for code that does the same in the same words, whatever its layout and place."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from typing import Any

_LENGTH = 16
_IGNORED = frozenset(("ctx", "type_comment", "kind"))


def fingerprint(statements: Iterable[ast.stmt]) -> str:
    """16 hex digits over the syntax of some statements; comments, layout and line numbers do not count."""
    parts: list[str] = []
    stack: list[Any] = list(statements)[::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, ast.AST):
            fields = item._fields
            parts.append(f"({type(item).__name__}{len(fields)}")
            stack.extend([getattr(item, field, None) for field in reversed(fields) if field not in _IGNORED])
        elif isinstance(item, list):
            parts.append(f"[{len(item)}")
            stack.extend(reversed(item))
        else:
            value = hex(item) if isinstance(item, int) else repr(item)  # repr refuses numbers of many digits
            parts.append(f"={type(item).__name__}:{value}")
    text = "".join(parts).encode("utf-8", "backslashreplace")
    return hashlib.sha256(text).hexdigest()[:_LENGTH]
