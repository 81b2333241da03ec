"""Two versions of a Python file without the tests that are the same in both: what is left is quick to compare.

A test that did not change and that nothing which changed can reach says the same in both versions, so it takes no
part in what is lost between them. Lines keep their numbers. One unchanged test is always left, and one in every
class that changed, so that what decides for all tests of a file still shows on one.

Findings on the reduced pair are not findings on the file; only that there are none carries over. Whatever is doubtful
leaves both versions as they are: a doubtful cut, a changed statement at module level that is more than an import or
an assignment, a changed function that pytest or unittest calls by its name, a changed fixture that names itself.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

from agentgate_git.model.record import Record
from agentgate_git.source.python.chunks import CLASS, FUNCTION, IMPORT, TEXT, Chunk, Parts, split_class, split_module
from agentgate_git.source.python.source import MAX_BYTES, read_python

_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
# Names that decide for a module, a class or a run without being mentioned.
_DECIDES = re.compile(
    rb"_*(?:async_?)?(?:set_?[uU]p|[sS]et_?[uU]p|tear_?[dD]own|Tear_?[dD]own)|_*(?:pytest_|pytestmark|collect_ignore|load_tests)|__"
)
_FIXTURE_SELECTS = re.compile(rb"\b(?:autouse|name)\b")
# What reaches a fixture without writing its name as a parameter.
_REACHES_FIXTURES = frozenset((b"usefixtures", b"getfixturevalue", b"getattr", b"vars", b"__dict__", b"indirect"))
_STOPS = (b"skip", b"xfail")
_MAX_NAMES = 200
_MAX_KEPT = 8 << 10

TYPE_CHECKING = False
if TYPE_CHECKING:
    Statements = tuple[Chunk, ...]


class _Unsure(Exception):
    """What changed may reach every test of the file."""


class _Body(Record):
    """The statements of a module or a class, and those of them that are left out, by their text."""

    parts: Parts
    dropped: set[bytes]


def reduce_pair(old: bytes, new: bytes, *, has_tests: bool = True) -> tuple[bytes, bytes]:
    """Both versions without what need not be compared; the versions themselves where that is not certain.

    Of a file that tests are collected from, only tests and plain functions go, since others may decide for all tests
    of the file; of one that has none (`has_tests` is False), every function, method and class that nothing reaches.
    """
    if max(len(old), len(new)) > MAX_BYTES:
        return old, new
    before, after = _split(old), _split(new)
    if before is None or after is None:
        return old, new
    try:
        dropped, classes = _left_out(before, after, has_tests)
    except _Unsure:
        return old, new
    return _written(before, dropped, classes), _written(after, dropped, classes)


@lru_cache(maxsize=64)
def _split(data: bytes) -> Statements | None:
    return split_module(data)


def _left_out(before: Statements, after: Statements, has_tests: bool) -> tuple[set[bytes], dict[bytes, _Body]]:
    """The texts of statements that are left out, and the classes of which only a part is, by their text."""
    common = _common(before, after)
    changed = [chunk for side in (before, after) for chunk in side if chunk.text not in common]
    names = _touched(changed, has_tests)
    kept = _affected(common.values(), names, has_tests)
    loose = {text: chunk for text, chunk in common.items() if text not in kept and _is_loose(chunk, has_tests)}
    classes: dict[bytes, _Body] = {}
    for one, other in _changed_classes(changed):
        classes.update(_class_bodies(one, other, names, has_tests))
    for chunk in common.values():
        if chunk.kind == CLASS and chunk.text not in loose and (_is_test(chunk) or not has_tests):
            classes.update(_class_bodies(chunk, chunk, names, has_tests))
    if has_tests:
        classes.update(_canary(loose))
    _hold_mentioned(common, changed, loose, classes)
    return set(loose), classes


def _common(before: Statements, after: Statements) -> dict[bytes, Chunk]:
    """The statements that stand once in each version, in the same order, by their text."""
    counts = [Counter(chunk.text for chunk in side) for side in (before, after)]
    one, other = (
        [chunk.text for chunk in side if chunk.text and all(count[chunk.text] == 1 for count in counts)]
        for side in (before, after)
    )
    if one != other:
        head = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), len(one))
        rest = zip(reversed(one[head:]), reversed(other[head:]), strict=False)
        tail = next((at for at, (left, right) in enumerate(rest) if left != right), 0)
        one = one[:head] + one[len(one) - tail :]
    known = frozenset(one)
    return {chunk.text: chunk for chunk in after if chunk.text in known}


def _touched(changed: list[Chunk], has_tests: bool) -> set[bytes]:
    """The names that mean something else than before."""
    names: set[bytes] = set()
    imported: Counter[tuple[bytes, str]] = Counter()
    for chunk in changed:
        if chunk.kind == IMPORT:
            imported.update(set(_imports(chunk, has_tests)))
        elif chunk.text:
            names.update(_bound(chunk, has_tests))
    return names | {name for (name, _), count in imported.items() if count != 2}


def _imports(chunk: Chunk, has_tests: bool) -> Iterator[tuple[bytes, str]]:
    """The names that an import binds, each with what it stands for."""
    for statement in _parsed(chunk):
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            raise _Unsure
        origin = "." * statement.level + (statement.module or "") if isinstance(statement, ast.ImportFrom) else ""
        for one in statement.names:
            yield _checked(one.asname or one.name.partition(".")[0], has_tests), f"{origin}:{one.name}"


def _bound(chunk: Chunk, has_tests: bool) -> set[bytes]:
    """The names that a changed statement may give another meaning."""
    if not chunk.is_plain:
        raise _Unsure
    if chunk.kind in (FUNCTION, CLASS):
        name = chunk.name
        if has_tests and _DECIDES.match(name):
            raise _Unsure
        if not chunk.head or not has_tests or _is_test(chunk):
            return {name}
        if _FIXTURE_SELECTS.search(chunk.text[: chunk.head]):
            raise _Unsure
        return {name, *_REACHES_FIXTURES}
    if chunk.kind == TEXT:
        return set()
    return set(_stored(chunk, has_tests))


def _stored(chunk: Chunk, has_tests: bool) -> Iterator[bytes]:
    """What other statements bind; those that do more are not followed where tests could be what they do it to."""
    for statement in _parsed(chunk):
        for node in ast.walk(statement):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name):
                    yield _checked(name, has_tests)
                case ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                    yield _checked(name, has_tests)
                case ast.alias(name=name, asname=other):
                    yield _checked(other or name.partition(".")[0], has_tests)
                case ast.Name(id=name) if not has_tests:
                    yield _checked(name, has_tests)
                case ast.Expr(value=value) if has_tests and not isinstance(value, ast.Constant):
                    raise _Unsure
                case ast.Attribute(ctx=context) | ast.Subscript(ctx=context) if has_tests and not isinstance(
                    context, ast.Load
                ):
                    raise _Unsure
                case ast.Raise() | ast.Assert() | ast.Match() | ast.Global() if has_tests:
                    raise _Unsure


def _name(chunk: Chunk, has_tests: bool) -> bytes:
    if not chunk.name or (has_tests and _DECIDES.match(chunk.name)):
        raise _Unsure
    return chunk.name


def _parsed(chunk: Chunk) -> list[ast.stmt]:
    tree = read_python(chunk.text).tree if chunk.is_plain else None
    if tree is None:
        raise _Unsure
    return tree.body


def _checked(name: str, has_tests: bool) -> bytes:
    found = name.encode("utf-8", "replace")
    if name == "*" or (has_tests and _DECIDES.match(found)):
        raise _Unsure
    return found


def _affected(chunks: Collection[Chunk], names: set[bytes], has_tests: bool) -> set[bytes]:
    """The texts of unchanged statements whose meaning may change with `names`; the names they bind join these."""
    kept = {chunk.text for chunk in chunks if not chunk.is_plain}
    for chunk in chunks:
        if not chunk.is_plain and chunk.kind not in (TEXT, IMPORT):
            names.add(_name(chunk, has_tests))
    everything = b"\0".join(chunk.text for chunk in chunks)
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in everything:
            continue
        for chunk in chunks:
            if name in chunk.text and chunk.text not in kept and chunk.kind != IMPORT and name in _words(chunk.text):
                kept.add(chunk.text)
                fresh = _bound(chunk, has_tests) - names
                names |= fresh
                pending.extend(fresh)
        if len(names) > _MAX_NAMES:
            raise _Unsure
    return kept


def _changed_classes(changed: list[Chunk]) -> Iterator[tuple[Chunk, Chunk]]:
    """Classes that stand in both versions and changed."""
    found: dict[bytes, list[Chunk]] = {}
    for chunk in changed:
        if chunk.kind == CLASS:
            found.setdefault(chunk.name, []).append(chunk)
    for chunks in found.values():
        if len(chunks) == 2 and chunks[0].text != chunks[1].text:
            yield chunks[0], chunks[1]


def _class_bodies(
    one: Chunk, other: Chunk, names: AbstractSet[bytes], has_tests: bool
) -> Iterator[tuple[bytes, _Body]]:
    """Both versions of a class with the methods that are left out; nothing where something else in it changed."""
    before, after = split_class(one), split_class(other)
    if before is None or after is None or (before.header, before.indent) != (after.header, after.indent):
        return
    if not names.isdisjoint(_words(before.header) - {one.name}):
        return
    common = _common(before.chunks, after.chunks)
    changed = [chunk for parts in (before, after) for chunk in parts.chunks if chunk.text not in common]
    if not all(_is_method(chunk, has_tests) for chunk in changed):
        return
    try:
        kept = _affected(common.values(), {*names, *(chunk.name for chunk in changed)}, has_tests)
    except _Unsure:
        return
    loose = {text: chunk for text, chunk in common.items() if text not in kept and _is_method(chunk, has_tests)}
    if has_tests:
        _hold_one(loose)
    for chunk, parts in ((one, before), (other, after)):
        yield chunk.text, _Body(parts, set(loose))


def _canary(loose: dict[bytes, Chunk]) -> Iterator[tuple[bytes, _Body]]:
    """Hold one test: a function, else one method of a class."""
    if _hold_one(loose):
        return
    classes = [chunk for chunk in loose.values() if _is_test(chunk)]
    if not classes:
        return
    smallest = min(classes, key=lambda chunk: len(chunk.text))
    del loose[smallest.text]
    yield from _class_bodies(smallest, smallest, frozenset(), has_tests=True)


def _hold_one(loose: dict[bytes, Chunk]) -> bool:
    """Take the smallest test function out of `loose`, one that seems to run if there is such; False for none."""
    tests = [text for text, chunk in loose.items() if chunk.kind == FUNCTION and _is_test(chunk)]
    running = [text for text in tests if not any(word in text for word in _STOPS)]
    if tests:
        del loose[min(running or tests, key=len)]
    return bool(tests)


def _hold_mentioned(
    common: dict[bytes, Chunk], changed: list[Chunk], loose: dict[bytes, Chunk], classes: dict[bytes, _Body]
) -> None:
    """Take out of what is left out whatever is mentioned in what is kept."""
    wanted = [chunk.text for chunk in (*changed, *common.values()) if chunk.text not in loose]
    inner = {chunk.text: (chunk.name, body) for body in classes.values() for chunk in body.parts.chunks}
    droppable: dict[bytes, list[bytes]] = {}
    for text, chunk in loose.items():
        droppable.setdefault(chunk.name, []).append(text)
    for text, (name, body) in inner.items():
        if text in body.dropped:
            droppable.setdefault(name, []).append(text)
    while wanted:
        text = wanted.pop()
        if text in classes:
            parts, left_out = classes[text]
            wanted.append(parts.header)
            wanted.extend(chunk.text for chunk in parts.chunks if chunk.text not in left_out)
            continue
        for name in droppable.keys() & _words(text):
            for held in droppable.pop(name):
                wanted.append(held)
                loose.pop(held, None)
                for one in classes.values():
                    one.dropped.discard(held)


def _written(chunks: Statements, dropped: Collection[bytes], classes: dict[bytes, _Body]) -> bytes:
    """The statements with their gaps; of those left out only the line ends."""
    parts: list[bytes] = []
    for chunk in chunks:
        body = classes.get(chunk.text)
        if chunk.text in dropped:
            parts.append(b"\n" * chunk.text.count(b"\n"))
        elif body is not None and body.dropped:
            parts.append(_written_class(body))
        else:
            parts.append(chunk.text)
        parts.append(chunk.gap)
    return b"".join(parts)


def _written_class(body: _Body) -> bytes:
    parts = [body.parts.header]
    for chunk in body.parts.chunks:
        is_dropped = chunk.text in body.dropped
        parts.append(body.parts.indent + b"pass" + b"\n" * chunk.text.count(b"\n") if is_dropped else chunk.text)
        parts.append(chunk.gap)
    return b"".join(parts)


def _is_test(chunk: Chunk) -> bool:
    return chunk.name.startswith(b"test") if chunk.kind == FUNCTION else b"test" in chunk.name.lower()


def _is_loose(chunk: Chunk, has_tests: bool) -> bool:
    """True for what takes part in what it is mentioned in, and in nothing else."""
    if chunk.kind not in (FUNCTION, CLASS) or not chunk.is_plain:
        return False
    return not has_tests or (not _DECIDES.match(chunk.name) and (not chunk.head or _is_test(chunk)))


def _is_method(chunk: Chunk, has_tests: bool) -> bool:
    return chunk.kind == FUNCTION and chunk.is_plain and (not has_tests or _is_test(chunk))


def _words(text: bytes) -> frozenset[bytes]:
    return (_kept_find_words if len(text) <= _MAX_KEPT else _find_words)(text)


def _find_words(text: bytes) -> frozenset[bytes]:
    return frozenset(_WORD.findall(text))


_kept_find_words = lru_cache(maxsize=4096)(_find_words)
