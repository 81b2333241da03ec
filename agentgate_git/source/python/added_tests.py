"""Changes of a test file that only add tests which run as they stand: nothing that was there can mean less for them.

A new test is plain where it has no decorator but rows, no word that could stop it or do anything to a run, and uses
nothing of the file that could stop it. Whatever is doubtful is not plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import TEST
from agentgate_git.source.languages.silences import may_silence
from agentgate_git.source.python.chunks import CLASS, FUNCTION, IMPORT, TEXT, Chunk, split_class
from agentgate_git.source.python.cuts import changed_classes, common_statements, split_kept, words_of
from agentgate_git.source.python.source import MAX_BYTES
from agentgate_git.source.python.traits.read import may_have_traits
from agentgate_git.source.test_names import PYTHON

_STOPS = pattern_of(rb"skip|xfail|pytestmark|__|\breturn\b|\byield\b", re.I)
_HELD_BACK = pattern_of(rb"skip|xfail|pytestmark|__test__|collect_ignore|load_tests", re.I)
_ROWS = b"@pytest.mark.parametrize("


def only_adds_tests(path: str, old: bytes, new: bytes) -> bool:
    """True when the new version has all statements of the old one in their order, and plain new tests beside them."""
    if max(len(old), len(new)) > MAX_BYTES:
        return False
    before, after = split_kept(old), split_kept(new)
    if before is None or after is None:
        return False
    common = common_statements(before, after)
    gone = [chunk for chunk in before if chunk.text not in common and chunk.text]
    added = [chunk for chunk in after if chunk.text not in common and chunk.text]
    grown = tuple(changed_classes([*gone, *added]))
    opened = {chunk.text for pair in grown for chunk in pair}
    if any(chunk.text not in opened for chunk in gone) or _is_held_back(before):
        return False
    fresh = [chunk for chunk in added if chunk.text not in opened]
    return _are_plain(path, fresh, before, old) and all(_only_grows(path, one, other, before) for one, other in grown)


def _only_grows(path: str, old: Chunk, new: Chunk, module: tuple[Chunk, ...]) -> bool:
    """True for a class that has only plain tests more."""
    before, after = split_class(old), split_class(new)
    if before is None or after is None or before.header != after.header or _HELD_BACK.search(before.header):
        return False
    common = common_statements(before.chunks, after.chunks)
    if any(chunk.text not in common for chunk in before.chunks if chunk.text) or _is_held_back(before.chunks):
        return False
    added = [chunk for chunk in after.chunks if chunk.text not in common and chunk.text]
    return all(chunk.kind == FUNCTION for chunk in added) and _are_plain(
        path, added, (*module, *before.chunks), old.text
    )


def _is_held_back(chunks: Iterable[Chunk]) -> bool:
    """True where what is no test, and no class of its own, may stop tests that do not name it."""
    for chunk in chunks:
        is_quiet = chunk.kind in (TEXT, CLASS) or (chunk.kind == FUNCTION and b"test" in chunk.name[:6])
        if not is_quiet and _HELD_BACK.search(chunk.text):
            is_asked_for = chunk.kind == FUNCTION and b"autouse" not in chunk.text and b"set" not in chunk.name.lower()
            if not is_asked_for:
                return True
    return False


def _are_plain(path: str, added: list[Chunk], around: tuple[Chunk, ...], old: bytes) -> bool:
    known = {chunk.name for chunk in around if chunk.name}
    names = [chunk.name for chunk in added if chunk.kind == FUNCTION]
    stoppers = {
        chunk.name
        for chunk in around
        if chunk.kind == FUNCTION and not chunk.name.startswith(b"test") and _HELD_BACK.search(chunk.text)
    }
    if len(set(names)) != len(names) or not known.isdisjoint(names):
        return False
    for chunk in added:
        used = words_of(chunk.text)
        if chunk.kind == IMPORT:
            if not chunk.is_plain or b"*" in chunk.text or not _imported(chunk).isdisjoint(words_of(old)):
                return False
        elif chunk.kind != FUNCTION or not _is_plain(path, chunk) or not stoppers.isdisjoint(used):
            return False
    return True


def _is_plain(path: str, chunk: Chunk) -> bool:
    own = chunk.text[chunk.head :].lstrip(b" ")
    decorators = [line.strip() for line in chunk.text[: chunk.head].split(b"\n") if line.lstrip().startswith(b"@")]
    return (
        chunk.is_plain
        and chunk.name.startswith(b"test")
        and own.startswith(b"def ")
        and all(line.startswith(_ROWS) for line in decorators)
        and not _STOPS.search(chunk.text)
        and not may_have_traits(path, TEST, chunk.text)
        and not may_silence(PYTHON, chunk.text)
    )


def _imported(chunk: Chunk) -> frozenset[bytes]:
    """The names of an import that it may bind."""
    return words_of(chunk.text.rpartition(b"import ")[2]) - {b"as"}
