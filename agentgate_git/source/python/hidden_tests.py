"""Whether two versions of a production file hold the same tests, told without parsing either.

Production may hold what looks like a test: `def test_client` of a framework, a self-test that a project collects by a
setting of its own. Reading all of it again for every change would cost more than all other files of many a project.
It is the same in both versions where no such function or class changed, and nothing that it names, nor what that
names. Whatever is doubtful is not the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from agentgate_git.model.record import Record
from agentgate_git.source.python.bound_names import Unsure, touched
from agentgate_git.source.python.chunks import CLASS, FUNCTION, IMPORT, TEXT, Chunk, split_class
from agentgate_git.source.python.cuts import changed_classes, code_words, common_statements, split_kept
from agentgate_git.source.python.source import MAX_BYTES, seems_test
from agentgate_git.source.word_lines import lines_with

# What makes a line assert something, perhaps in a function that a project collects by a name of its own.
_ASSERTS = (b"assert", b"Assert", b"ail(", b"exit(")


class _Leaf(Record):
    """A statement of the module, or one in a class (`owner`) that changed or may hold tests, or the head of such."""

    chunk: Chunk
    owner: bytes = b""
    is_head: bool = False

    def holds_tests(self) -> bool:
        """True for what decides for tests by being changed; the head of a class does for all in it."""
        return self.is_head or seems_test(self.chunk.text)

    def uses(self) -> frozenset[bytes]:
        """The names in its code."""
        used = code_words(self.chunk.text)
        return used - {self.owner} if self.is_head else used

    def binds(self) -> set[bytes]:
        """The names that mean something else when it does; what Python calls by itself stands for its class."""
        if self.is_head or (self.owner and self.chunk.kind == FUNCTION and self.chunk.name.startswith(b"__")):
            return {self.owner}
        return touched((self.chunk,), ())


@lru_cache(maxsize=8)
def may_differ_in_tests(old: bytes, new: bytes) -> bool:
    """False for two versions of a production file that surely hold the same tests, or none."""
    if not seems_test(old) and not seems_test(new):
        return False
    before, after = (split_kept(data) if data and len(data) <= MAX_BYTES else None for data in (old, new))
    if before is None or after is None or _asserting(old) != _asserting(new):
        return True
    try:
        return _may_differ(before, after)
    except Unsure:
        return True


def _asserting(data: bytes) -> list[bytes]:
    """The lines that may assert something."""
    return [data[start:end] for start, end in lines_with(_ASSERTS, data)]


def _may_differ(before: tuple[Chunk, ...], after: tuple[Chunk, ...]) -> bool:
    """True where a test changed, or where what changed reaches one."""
    common = common_statements(before, after)
    gone, fresh = ([chunk for chunk in side if chunk.text not in common] for side in (before, after))
    opened: set[bytes] = set()
    changed: list[_Leaf] = []
    same: list[_Leaf] = []
    names: set[bytes] = set()
    for one, other in changed_classes([*gone, *fresh]):
        for leaf, is_same in _opened(one, other):
            (same if is_same else changed).append(leaf)
        names.add(one.name)
        opened |= {one.text, other.text}
    gone, fresh = ([chunk for chunk in side if chunk.text not in opened] for side in (gone, fresh))
    for chunk in common.values():
        if chunk.kind == CLASS and seems_test(chunk.text):
            same += (leaf for leaf, _ in _opened(chunk, chunk))
        else:
            same.append(_Leaf(chunk))
    if any(seems_test(chunk.text) for chunk in (*gone, *fresh, *(leaf.chunk for leaf in changed))):
        return True
    for leaf in changed:
        names |= leaf.binds()
    return _reach_tests(names | touched(gone, fresh), same)


def _opened(one: Chunk, other: Chunk) -> Iterator[tuple[_Leaf, bool]]:
    """The head and the statements of both versions of a class, each with whether it is the same in both."""
    before, after = split_class(one), split_class(other)
    if before is None or after is None or (before.header, before.indent) != (after.header, after.indent):
        raise Unsure
    common = common_statements(before.chunks, after.chunks)
    yield _Leaf(Chunk(before.header, b"", CLASS, one.name, 0, before.header.isascii()), one.name, is_head=True), True
    yield from ((_Leaf(chunk, one.name), True) for chunk in common.values())
    differing = [[chunk for chunk in side.chunks if chunk.text not in common] for side in (before, after)]
    if len({frozenset(chunk.name for chunk in side if chunk.name.startswith(b"__")) for side in differing}) > 1:
        raise Unsure  # a class with a constructor is no test class
    yield from ((_Leaf(chunk, one.name), False) for side in differing for chunk in side)


def _reach_tests(names: set[bytes], leaves: list[_Leaf]) -> bool:
    """True where a test uses one of the names, or something that does."""
    if not all(leaf.chunk.is_plain for leaf in leaves):
        return True
    users: dict[bytes, list[_Leaf]] = {}
    for leaf in leaves:
        if leaf.chunk.kind not in (TEXT, IMPORT):
            for name in leaf.uses():
                users.setdefault(name, []).append(leaf)
    fresh = list(names)
    while fresh:
        for leaf in users.pop(fresh.pop(), ()):
            if leaf.holds_tests():
                return True
            fresh += leaf.binds()
    return False
