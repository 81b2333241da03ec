"""Examples in docstrings are tests that stand beside code: the head's code with the base's examples."""

from __future__ import annotations

import ast

from agentgate_git.model.record import Record

_PROMPT = ">>>"
_Owner = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class _Edit(Record):
    """Replace the bytes from `start` to `end`."""

    start: int
    end: int
    text: bytes


def with_examples_of(base: bytes, head: bytes) -> bytes:
    """The head's source where each docstring that shows examples at the base is as the base has it.

    A docstring that the head took away is put back. What the head no longer defines is left out, and a source that
    cannot be read, is no UTF-8, or has other line ends than newlines, stays as it is.
    """
    if _PROMPT.encode() not in base or b"\r" in base + head or b"\f" in base + head:
        return head
    try:
        owners, texts = _owners(ast.parse(head.decode())), _examples(ast.parse(base.decode()), base)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return head
    starts = _line_starts(head)
    edits = [_edit(owners[name], text, head, starts) for name, text in texts.items() if name in owners]
    for edit in sorted(edits, reverse=True):
        head = head[: edit.start] + edit.text + head[edit.end :]
    return head


def _examples(module: ast.Module, source: bytes) -> dict[str, bytes]:
    """The literals of docstrings that show examples, as they are written, by the qualified name of their owner."""
    starts = _line_starts(source)
    found = {}
    for name, owner in _owners(module).items():
        docstring = _docstring(owner)
        if docstring is not None and _PROMPT in str(docstring.value):
            start, end = _span(docstring, starts)
            found[name] = source[start:end]
    return found


def _owners(module: ast.Module) -> dict[str, _Owner]:
    """Whatever can have a docstring that doctest reads; of several definitions of a name the last."""
    owners: dict[str, _Owner] = {}
    waiting: list[tuple[str, _Owner]] = [("", module)]
    while waiting:
        name, owner = waiting.pop(0)
        owners[name] = owner
        if isinstance(owner, (ast.Module, ast.ClassDef)):
            inner = (each for each in owner.body if isinstance(each, _Owner))
            waiting.extend((f"{name}.{each.name}", each) for each in inner if not isinstance(each, ast.Module))
    return owners


def _docstring(owner: _Owner) -> ast.Constant | None:
    match owner.body:
        case [ast.Expr(value=ast.Constant(value=str()) as constant), *_]:
            return constant
    return None


def _edit(owner: _Owner, text: bytes, source: bytes, starts: list[int]) -> _Edit:
    docstring = _docstring(owner)
    if docstring is not None:
        return _Edit(*_span(docstring, starts), text)
    if not owner.body:
        return _Edit(0, 0, text + b"\n")
    first = owner.body[0]
    line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", ()))])
    if isinstance(owner, ast.Module):
        return _Edit(starts[line - 1], starts[line - 1], text + b"\n")
    at = starts[first.lineno - 1] + first.col_offset
    margin = source[starts[line - 1] :][: first.col_offset]
    if margin.strip():  # the body stands behind the colon
        return _Edit(at, at, text + b"; ")
    return _Edit(starts[line - 1], starts[line - 1], margin + text + b"\n")


def _span(node: ast.expr, starts: list[int]) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _line_starts(source: bytes) -> list[int]:
    """Where each line begins; columns of `ast` are bytes of UTF-8 from there."""
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts
