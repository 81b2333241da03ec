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
from collections import Counter
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.chunks import ASSIGNMENT, CLASS, FUNCTION, IMPORT, TEXT, Chunk, split_class
from agentgate_git.source.python.cuts import (
    Body,
    changed_classes,
    common_statements,
    is_most,
    split_kept,
    weight_of,
    words_of,
    write_cut,
)
from agentgate_git.source.python.source import MAX_BYTES, read_python

# Names that decide for a module, a class or a run without being mentioned.
_DECIDES = pattern_of(
    rb"_*(?:async_?)?(?:set_?[uU]p|[sS]et_?[uU]p|tear_?[dD]own|Tear_?[dD]own)|_*(?:pytest_|pytestmark|collect_ignore|load_tests)|__"
)
_FIXTURE_SELECTS = pattern_of(rb"\b(?:autouse|name)\b")
# What reaches a fixture without writing its name as a parameter.
_REACHES_FIXTURES = frozenset((b"usefixtures", b"getfixturevalue", b"getattr", b"vars", b"__dict__", b"indirect"))
_STOPS = (b"skip", b"xfail")
# An assignment of which one line tells, without parsing it, that it binds its name alone.
_ONE_VALUE = pattern_of(rb"[A-Za-z_]\w* = (?:[A-Za-z_]\w*|\d+|\"\w*\"|'\w*')(?:[ ]*#[^\n]*)?")
_MAX_NAMES = 200


class _Unsure(Exception):
    """What changed may reach every test of the file."""


def reduce_pair(old: bytes, new: bytes) -> tuple[bytes, bytes]:
    """Both versions without what need not be compared; the versions themselves where that is not certain.

    Also where what changed is most of them: little would be left out. Only tests and plain functions go, since others
    may decide for all tests of the file.
    """
    if max(len(old), len(new)) > MAX_BYTES:
        return old, new
    before, after = split_kept(old), split_kept(new)
    if before is None or after is None:
        return old, new
    common = common_statements(before, after)
    gone, fresh = ([chunk for chunk in side if chunk.text not in common] for side in (before, after))
    if is_most(sum(weight_of(chunk.text) for chunk in (*gone, *fresh) if chunk.kind != CLASS), old, new):
        return old, new
    try:
        dropped, classes = _left_out(common, gone, fresh)
    except _Unsure:
        return old, new
    return write_cut(before, dropped, classes), write_cut(after, dropped, classes)


def _left_out(
    common: dict[bytes, Chunk], gone: list[Chunk], fresh: list[Chunk]
) -> tuple[set[bytes], dict[bytes, Body]]:
    """The texts of statements that are left out, and the classes of which only a part is, by their text."""
    changed = [*gone, *fresh]
    names = _touched(gone, fresh)
    kept = _affected(common.values(), names)
    loose = {text: chunk for text, chunk in common.items() if text not in kept and _is_loose(chunk)}
    classes: dict[bytes, Body] = {}
    for one, other in changed_classes(changed):
        classes.update(_class_bodies(one, other, names))
    for chunk in common.values():
        if chunk.kind == CLASS and chunk.text not in loose and _is_test(chunk):
            classes.update(_class_bodies(chunk, chunk, names))
    classes.update(_canary(loose))
    _hold_mentioned(common, changed, loose, classes)
    return set(loose), classes


def _touched(gone: list[Chunk], fresh: list[Chunk]) -> set[bytes]:
    """The names that mean something else than before."""
    names: set[bytes] = set()
    for chunk in (*gone, *fresh):
        if chunk.kind != IMPORT and chunk.text:
            names.update(_bound(chunk))
    before, after = (Counter(_imported(side)) for side in (gone, fresh))
    moved = (one for one in before.keys() | after.keys() if (before[one], after[one]) != (1, 1))
    return names | {name for name, _ in moved}


def _imported(chunks: list[Chunk]) -> Iterator[tuple[bytes, str]]:
    """The names that imports bind, each with what it stands for."""
    imports = [chunk for chunk in chunks if chunk.kind == IMPORT]
    if not all(chunk.is_plain for chunk in imports):
        raise _Unsure
    for statement in _parsed(b"\n".join(chunk.text for chunk in imports)):
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            raise _Unsure
        origin = "." * statement.level + (statement.module or "") if isinstance(statement, ast.ImportFrom) else ""
        for one in statement.names:
            yield _checked(one.asname or one.name.partition(".")[0]), f"{origin}:{one.name}"


def _bound(chunk: Chunk) -> set[bytes]:
    """The names that a changed statement may give another meaning."""
    if not chunk.is_plain:
        raise _Unsure
    if chunk.kind in (FUNCTION, CLASS):
        name = chunk.name
        if _DECIDES.match(name):
            raise _Unsure
        if not chunk.head or _is_test(chunk):
            return {name}
        if _FIXTURE_SELECTS.search(chunk.text[: chunk.head]):
            raise _Unsure
        return {name, *_REACHES_FIXTURES}
    if chunk.kind == TEXT:
        return set()
    if chunk.kind == ASSIGNMENT and _ONE_VALUE.fullmatch(chunk.text):
        return {_name(chunk)}
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
                    raise _Unsure
                case ast.Attribute(ctx=context) | ast.Subscript(ctx=context) if not isinstance(context, ast.Load):
                    raise _Unsure
                case ast.Raise() | ast.Assert() | ast.Match() | ast.Global():
                    raise _Unsure


def _name(chunk: Chunk) -> bytes:
    if not chunk.name or _DECIDES.match(chunk.name):
        raise _Unsure
    return chunk.name


def _parsed(text: bytes) -> list[ast.stmt]:
    tree = read_python(text).tree
    if tree is None:
        raise _Unsure
    return tree.body


def _checked(name: str) -> bytes:
    found = name.encode("utf-8", "replace")
    if name == "*" or _DECIDES.match(found):
        raise _Unsure
    return found


def _affected(chunks: Collection[Chunk], names: set[bytes]) -> set[bytes]:
    """The texts of unchanged statements whose meaning may change with `names`; the names they bind join these."""
    kept = {chunk.text for chunk in chunks if not chunk.is_plain}
    for chunk in chunks:
        if not chunk.is_plain and chunk.kind not in (TEXT, IMPORT):
            names.add(_name(chunk))
    everything = b"\0".join(chunk.text for chunk in chunks)
    # To look for each of very many names takes longer than to look at each word.
    pending = list(names if len(names) <= _MAX_NAMES else names & words_of(everything))
    while pending:
        name = pending.pop()
        if name not in everything:
            continue
        for chunk in chunks:
            if name in chunk.text and chunk.text not in kept and chunk.kind != IMPORT and name in words_of(chunk.text):
                kept.add(chunk.text)
                fresh = _bound(chunk) - names
                names |= fresh
                pending.extend(fresh)
        if len(names) > _MAX_NAMES:
            raise _Unsure
    return kept


def _class_bodies(one: Chunk, other: Chunk, names: AbstractSet[bytes]) -> Iterator[tuple[bytes, Body]]:
    """Both versions of a class with the methods that are left out; nothing where something else in it changed."""
    before, after = split_class(one), split_class(other)
    if before is None or after is None or (before.header, before.indent) != (after.header, after.indent):
        return
    if not names.isdisjoint(words_of(before.header) - {one.name}):
        return
    common = common_statements(before.chunks, after.chunks)
    changed = [chunk for parts in (before, after) for chunk in parts.chunks if chunk.text not in common]
    if not all(_is_method(chunk) for chunk in changed):
        return
    try:
        kept = _affected(common.values(), {*names, *(chunk.name for chunk in changed)})
    except _Unsure:
        return
    loose = {text: chunk for text, chunk in common.items() if text not in kept and _is_method(chunk)}
    _hold_one(loose)
    for chunk, parts in ((one, before), (other, after)):
        yield chunk.text, Body(parts, set(loose))


def _canary(loose: dict[bytes, Chunk]) -> Iterator[tuple[bytes, Body]]:
    """Hold one test: a function, else one method of a class."""
    if _hold_one(loose):
        return
    classes = [chunk for chunk in loose.values() if _is_test(chunk)]
    if not classes:
        return
    smallest = min(classes, key=lambda chunk: len(chunk.text))
    del loose[smallest.text]
    yield from _class_bodies(smallest, smallest, frozenset())


def _hold_one(loose: dict[bytes, Chunk]) -> bool:
    """Take the smallest test function out of `loose`, one that seems to run if there is such; False for none."""
    tests = [text for text, chunk in loose.items() if chunk.kind == FUNCTION and _is_test(chunk)]
    running = [text for text in tests if not any(word in text for word in _STOPS)]
    if tests:
        del loose[min(running or tests, key=len)]
    return bool(tests)


def _hold_mentioned(
    common: dict[bytes, Chunk], changed: list[Chunk], loose: dict[bytes, Chunk], classes: dict[bytes, Body]
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
        for name in droppable.keys() & words_of(text):
            for held in droppable.pop(name):
                wanted.append(held)
                loose.pop(held, None)
                for one in classes.values():
                    one.dropped.discard(held)


def _is_test(chunk: Chunk) -> bool:
    return chunk.name.startswith(b"test") if chunk.kind == FUNCTION else b"test" in chunk.name.lower()


def _is_loose(chunk: Chunk) -> bool:
    """True for what takes part in what it is mentioned in, and in nothing else."""
    if chunk.kind not in (FUNCTION, CLASS) or not chunk.is_plain:
        return False
    return not _DECIDES.match(chunk.name) and (not chunk.head or _is_test(chunk))


def _is_method(chunk: Chunk) -> bool:
    return chunk.kind == FUNCTION and chunk.is_plain and _is_test(chunk)
