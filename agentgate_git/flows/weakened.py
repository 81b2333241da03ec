"""What a change set takes away from tests: first on what is left of each pair of files when equal parts are out.

Most changes take nothing away, and for them that is all. Where the small look finds anything, or cannot read a file,
the whole files are read and only what they say counts, so a finding never rests on a part of a file.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.flows.facts_cache import FactsCache
from agentgate_git.flows.head_files import HeadFiles, HeadTree, is_set_in
from agentgate_git.flows.read_facts import is_read, read_facts
from agentgate_git.flows.taken_files import taken_files
from agentgate_git.model.change import ABSENT, GITLINK, SYMLINK, Change
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.policy.never_set import never_set, variables_asked
from agentgate_git.policy.taken import modules_taken
from agentgate_git.policy.weakening import weakening_findings
from agentgate_git.source.python.doctests import defined_names
from agentgate_git.source.python.reduce import reduce_pair
from agentgate_git.source.roles import holds_tests

_NOT_A_FILE = (ABSENT, GITLINK, SYMLINK)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Sides = tuple[FileFacts | None, FileFacts | None]


class _Pair(Record):
    """One path with its blob on each side, empty where there is no file."""

    path: str
    old: Oid
    new: Oid


def weakened(
    cache: FactsCache, changes: Iterable[Change], forbidden: tuple[str, ...], head: HeadFiles | HeadTree
) -> tuple[Finding, ...]:
    """The findings on the files that changed.

    `forbidden` are the markers the manifest forbids; `head` has the files that did not change, for what decides for
    tests that did.
    """
    pairs = [_pair(row) for row in changes if is_read(row.path)]
    if any(one.old and one.new for one in pairs):
        before, after = _split(_reduced(cache, one, forbidden) for one in pairs)
        if not modules_taken(before, after) and not weakening_findings(before, after):
            return ()
    before, after = _split(_sides(cache, one, forbidden) for one in pairs)
    return with_head(before, after, head, forbidden)


def with_head(
    before: tuple[FileFacts, ...], after: tuple[FileFacts, ...], head: HeadFiles | HeadTree, forbidden: tuple[str, ...]
) -> tuple[Finding, ...]:
    """The findings on facts of whole files, with what they rest on in files of the head that did not change."""
    others = taken_files(before, after, head.find, forbidden)
    unset = frozenset(name for name in variables_asked(before, after) if not is_set_in(head, name))
    if unset:
        after = never_set(after, unset)
    return weakening_findings((*before, *others), (*after, *others))


def _pair(row: Change) -> _Pair:
    old = "" if row.old_mode in _NOT_A_FILE else row.old_oid
    return _Pair(row.path, old, "" if row.new_mode in _NOT_A_FILE else row.new_oid)


def _split(sides: Iterable[Sides]) -> tuple[tuple[FileFacts, ...], tuple[FileFacts, ...]]:
    pairs = tuple(sides)
    return tuple(old for old, _ in pairs if old), tuple(new for _, new in pairs if new)


def _sides(cache: FactsCache, pair: _Pair, forbidden: tuple[str, ...]) -> Sides:
    old, new = (cache.of(pair.path, oid, forbidden) if oid else None for oid in (pair.old, pair.new))
    return old, new


def _reduced(cache: FactsCache, pair: _Pair, forbidden: tuple[str, ...]) -> Sides:
    """The facts of both sides without what stands in both; those of the whole files where nothing could go."""
    if not pair.old or not pair.new or pair.old == pair.new or not pair.path.endswith(".py"):
        return _sides(cache, pair, forbidden)
    whole = cache.data(pair.old), cache.data(pair.new)
    left = reduce_pair(*whole, has_tests=holds_tests(pair.path))
    if left[0] is whole[0] and left[1] is whole[1]:
        return _sides(cache, pair, forbidden)
    old, new = (_complete(read_facts(pair.path, part, forbidden), data) for part, data in zip(left, whole, strict=True))
    return old, new


def _complete(facts: FileFacts, data: bytes) -> FileFacts:
    """With the names that the whole file defines: that one is still there counts against who took out its test."""
    return facts._replace(defines=defined_names(data))
