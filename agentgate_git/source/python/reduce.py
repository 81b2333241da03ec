"""Two versions of a Python file without the tests that are the same in both: what is left is quick to compare.

A test that did not change and that nothing which changed can reach says the same in both versions, so it takes no
part in what is lost between them. Lines keep their numbers. One unchanged test is always left, and one in every
class that changed, so that what decides for all tests of a file still shows on one.

Findings on the reduced pair are not findings on the file; only that there are none carries over. Whatever is doubtful
leaves both versions as they are: a doubtful cut, a changed statement at module level that is more than an import or
an assignment, a changed function that pytest or unittest calls by its name, a changed fixture that names itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

from agentgate_git.source.python.bound_names import DECIDES, Unsure, bound, is_test, name_of, touched
from agentgate_git.source.python.chunks import CLASS, FUNCTION, IMPORT, TEXT, Chunk, split_class
from agentgate_git.source.python.cuts import (
    Body,
    changed_classes,
    code_words,
    common_statements,
    is_most,
    split_kept,
    weight_of,
    words_of,
    write_cut,
)
from agentgate_git.source.python.source import MAX_BYTES

_STOPS = (b"skip", b"xfail")
_MAX_NAMES = 200


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
    except Unsure:
        return old, new
    return write_cut(before, dropped, classes), write_cut(after, dropped, classes)


def _left_out(
    common: dict[bytes, Chunk], gone: list[Chunk], fresh: list[Chunk]
) -> tuple[set[bytes], dict[bytes, Body]]:
    """The texts of statements that are left out, and the classes of which only a part is, by their text."""
    changed = [*gone, *fresh]
    names = touched(gone, fresh)
    kept = _affected(common.values(), names)
    loose = {text: chunk for text, chunk in common.items() if text not in kept and _is_loose(chunk)}
    classes: dict[bytes, Body] = {}
    for one, other in changed_classes(changed):
        classes.update(_class_bodies(one, other, names))
    for chunk in common.values():
        if chunk.kind == CLASS and chunk.text not in loose and is_test(chunk):
            classes.update(_class_bodies(chunk, chunk, names))
    classes.update(_canary(loose))
    _hold_mentioned(common, changed, loose, classes, names)
    return set(loose), classes


def _affected(chunks: Collection[Chunk], names: set[bytes], owner: bytes = b"") -> set[bytes]:
    """The texts of unchanged statements whose meaning may change with `names`; the names they bind join these.

    Of a class (`owner`) the methods that Python calls by itself stand for the class.
    """
    kept = {chunk.text for chunk in chunks if not chunk.is_plain}
    for chunk in chunks:
        if not chunk.is_plain and chunk.kind not in (TEXT, IMPORT):
            names.add(name_of(chunk))
    everything = b"\0".join(chunk.text for chunk in chunks)
    # To look for each of very many names takes longer than to look at each word.
    pending = list(names if len(names) <= _MAX_NAMES else names & words_of(everything))
    while pending:
        name = pending.pop()
        if name not in everything:
            continue
        for chunk in chunks:
            if (
                name in chunk.text
                and chunk.text not in kept
                and chunk.kind != IMPORT
                and name in code_words(chunk.text)
            ):
                kept.add(chunk.text)
                is_called = owner and chunk.kind == FUNCTION and chunk.name.startswith(b"__")
                fresh = ({owner} if is_called else bound(chunk)) - names
                names |= fresh
                pending.extend(fresh)
        if len(names) > _MAX_NAMES:
            raise Unsure
    return kept


def _class_bodies(one: Chunk, other: Chunk, names: AbstractSet[bytes]) -> Iterator[tuple[bytes, Body]]:
    """Both versions of a class with the methods that are left out; nothing where something else in it changed."""
    before, after = split_class(one), split_class(other)
    if before is None or after is None or (before.header, before.indent) != (after.header, after.indent):
        return
    if not names.isdisjoint(words_of(before.header) - {one.name}):
        return
    common = common_statements(before.chunks, after.chunks)
    gone, fresh = ([chunk for chunk in parts.chunks if chunk.text not in common] for parts in (before, after))
    try:
        kept = _affected(common.values(), {*names, *touched(gone, fresh)}, one.name)
    except Unsure:
        return
    loose = {text: chunk for text, chunk in common.items() if text not in kept and _is_method(chunk)}
    _hold_one(loose)
    for chunk, parts in ((one, before), (other, after)):
        yield chunk.text, Body(parts, set(loose))


def _canary(loose: dict[bytes, Chunk]) -> Iterator[tuple[bytes, Body]]:
    """Hold one test: a function, else one method of a class."""
    if _hold_one(loose):
        return
    classes = [chunk for chunk in loose.values() if is_test(chunk)]
    if not classes:
        return
    smallest = min(classes, key=lambda chunk: len(chunk.text))
    del loose[smallest.text]
    yield from _class_bodies(smallest, smallest, frozenset())


def _hold_one(loose: dict[bytes, Chunk]) -> bool:
    """Take the smallest test function out of `loose`, one that seems to run if there is such; False for none."""
    tests = [text for text, chunk in loose.items() if chunk.kind == FUNCTION and is_test(chunk)]
    running = [text for text in tests if not any(word in text for word in _STOPS)]
    if tests:
        del loose[min(running or tests, key=len)]
    return bool(tests)


def _hold_mentioned(
    common: dict[bytes, Chunk],
    changed: list[Chunk],
    loose: dict[bytes, Chunk],
    classes: dict[bytes, Body],
    names: AbstractSet[bytes],
) -> None:
    """Take out of what is left out whatever is mentioned in what is kept; of a class of tests one is enough."""
    wanted = [chunk.text for chunk in (*changed, *common.values()) if chunk.text not in loose]
    mentioned: set[bytes] = set()
    droppable: dict[bytes, list[bytes]] = {}
    for text, chunk in loose.items():
        droppable.setdefault(chunk.name, []).append(text)
    for body in classes.values():
        _add_methods(droppable, body)
    while wanted:
        text = wanted.pop()
        if text in classes:
            parts, left_out = classes[text]
            wanted.append(parts.header)
            wanted.extend(chunk.text for chunk in parts.chunks if chunk.text not in left_out)
            continue
        found = code_words(text)
        mentioned |= found
        while held := [text for name in droppable.keys() & found for text in droppable.pop(name)]:
            found = frozenset()
            wanted += held
            for one in classes.values():
                one.dropped.difference_update(held)
            for chunk in [loose.pop(one) for one in held if one in loose]:
                for key, body in _class_bodies(chunk, chunk, names) if chunk.kind == CLASS and is_test(chunk) else ():
                    classes[key] = body
                    _add_methods(droppable, body)
                    found = frozenset(mentioned)


def _add_methods(droppable: dict[bytes, list[bytes]], body: Body) -> None:
    """Add the methods that are left out of a class, by their names."""
    for chunk in body.parts.chunks:
        if chunk.text in body.dropped:
            droppable.setdefault(chunk.name, []).append(chunk.text)


def _is_loose(chunk: Chunk) -> bool:
    """True for what takes part in what it is mentioned in, and in nothing else."""
    if chunk.kind not in (FUNCTION, CLASS) or not chunk.is_plain:
        return False
    return not DECIDES.match(chunk.name) and (not chunk.head or is_test(chunk))


def _is_method(chunk: Chunk) -> bool:
    return chunk.kind == FUNCTION and chunk.is_plain and (is_test(chunk) or _is_loose(chunk))
