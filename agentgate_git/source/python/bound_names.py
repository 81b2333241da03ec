"""The names that changed statements of a Python file may give another meaning, told from chunks of its text.

Whatever may reach every test of the file without being named in it is not followed: that is `Unsure`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.chunks import ASSIGNMENT, CLASS, FUNCTION, IMPORT, TEXT, Chunk
from agentgate_git.source.python.source import read_python

# Names that decide for a module, a class or a run without being mentioned.
DECIDES = pattern_of(
    rb"_*(?:async_?)?(?:[sS]et_?[uU]p|[tT]ear_?[dD]own)"
    rb"(?:_?(?:Module|Package|Class|Method|Function|TestData|All)|_(?:module|package|class|method|function|all))?$"
    rb"|_*(?:pytest_|pytestmark|collect_ignore|load_tests)|__"
)
_FIXTURE_SELECTS = pattern_of(rb"\b(?:autouse|name)\b")
# What reaches a fixture without writing its name as a parameter.
_REACHES_FIXTURES = frozenset((b"usefixtures", b"getfixturevalue", b"getattr", b"vars", b"__dict__", b"indirect"))
# An assignment of which one line tells, without parsing it, that it binds its name alone.
_ONE_VALUE = pattern_of(rb"[A-Za-z_]\w* = (?:[A-Za-z_]\w*|\d+|\"\w*\"|'\w*')(?:[ ]*#[^\n]*)?")


class Unsure(Exception):
    """What changed may reach every test of the file."""


def touched(gone: Iterable[Chunk], fresh: Iterable[Chunk]) -> set[bytes]:
    """The names that mean something else than before."""
    names: set[bytes] = set()
    sides = tuple(gone), tuple(fresh)
    for chunk in chain(*sides):
        if chunk.kind != IMPORT and chunk.text:
            names.update(bound(chunk))
    before, after = (Counter(_imported(side)) for side in sides)
    moved = (one for one in before.keys() | after.keys() if (before[one], after[one]) != (1, 1))
    return names | {name for name, _ in moved}


def _imported(chunks: tuple[Chunk, ...]) -> Iterator[tuple[bytes, str]]:
    """The names that imports bind, each with what it stands for; all are parsed at once, since a start costs most."""
    imports = [chunk for chunk in chunks if chunk.kind == IMPORT]
    if not all(chunk.is_plain for chunk in imports):
        raise Unsure
    for statement in _parsed(b"\n".join(chunk.text for chunk in imports)) if imports else ():
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            raise Unsure
        origin = "." * statement.level + (statement.module or "") if isinstance(statement, ast.ImportFrom) else ""
        for one in statement.names:
            yield _checked(one.asname or one.name.partition(".")[0]), f"{origin}:{one.name}"


def bound(chunk: Chunk) -> set[bytes]:
    """The names that a changed statement may give another meaning."""
    if not chunk.is_plain:
        raise Unsure
    if chunk.kind in (FUNCTION, CLASS):
        name = chunk.name
        if DECIDES.match(name):
            raise Unsure
        if not chunk.head or is_test(chunk):
            return {name}
        if _FIXTURE_SELECTS.search(chunk.text[: chunk.head]):
            raise Unsure
        return {name, *_REACHES_FIXTURES}
    if chunk.kind == TEXT:
        return set()
    if chunk.kind == ASSIGNMENT and _ONE_VALUE.fullmatch(chunk.text):
        return {name_of(chunk)}
    return set(_stored(chunk))


def _stored(chunk: Chunk) -> Iterator[bytes]:
    """What other statements bind; those that do more are not followed where tests could be what they do it to."""
    for statement in _parsed(chunk.text):
        for node in ast.walk(statement):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name):
                    yield _checked(name)
                case ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                    yield _checked(name)
                case ast.alias(name=name, asname=other):
                    yield _checked(other or name.partition(".")[0])
                case ast.Expr(value=value) if not isinstance(value, ast.Constant):
                    raise Unsure
                case ast.Attribute(ctx=context) | ast.Subscript(ctx=context) if not isinstance(context, ast.Load):
                    raise Unsure
                case ast.Raise() | ast.Assert() | ast.Match() | ast.Global():
                    raise Unsure


def name_of(chunk: Chunk) -> bytes:
    """The one name of a definition or of an assignment to a plain name."""
    if not chunk.name or DECIDES.match(chunk.name):
        raise Unsure
    return chunk.name


def _parsed(text: bytes) -> list[ast.stmt]:
    # A statement of a class stands behind its indent, and is read as one that stands behind an `if`.
    is_inner = text.startswith(b" ")
    tree = read_python(b"if 1:\n" + text if is_inner else text).tree
    if tree is None:
        raise Unsure
    match tree.body:
        case [ast.If(body=body)] if is_inner:
            return body
    return tree.body


def _checked(name: str) -> bytes:
    found = name.encode("utf-8", "replace")
    if name == "*" or DECIDES.match(found):
        raise Unsure
    return found


def is_test(chunk: Chunk) -> bool:
    """True for a function that a runner may take for a test, and for a class that may hold some."""
    return chunk.name.startswith(b"test") if chunk.kind == FUNCTION else b"test" in chunk.name.lower()
