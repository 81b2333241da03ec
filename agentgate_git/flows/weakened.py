"""What a change set takes away from tests: first on what is left of each pair of files when equal parts are out.

Most changes take nothing away, and for them that is all. Files on which the small look finds anything are read whole,
and only what is found then counts.
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
from agentgate_git.source.facts import bare_facts, is_production, with_names, with_silences
from agentgate_git.source.python.quiet import told_apart
from agentgate_git.source.python.reduce import reduce_pair
from agentgate_git.source.roles import holds_tests

_NOT_A_FILE = (ABSENT, GITLINK, SYMLINK)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Sides = tuple[FileFacts | None, FileFacts | None]
    Bytes = tuple[bytes, bytes]


class Pair(Record):
    """One path with its blob on each side, empty where there is no file."""

    path: str
    old: Oid
    new: Oid

    @staticmethod
    def of(row: Change) -> Pair:
        """The files of a row of git's."""
        old = "" if row.old_mode in _NOT_A_FILE else row.old_oid
        return Pair(row.path, old, "" if row.new_mode in _NOT_A_FILE else row.new_oid)


def weakened(
    cache: FactsCache, pairs: Iterable[Pair], forbidden: tuple[str, ...], head: HeadFiles | HeadTree
) -> tuple[Finding, ...]:
    """The findings on the files that changed.

    `forbidden` are the markers the manifest forbids; `head` has the files that did not change, for what decides for
    tests that did.
    """
    pairs = [one for one in pairs if is_read(one.path)]
    production = {one: _production(cache, one, forbidden) for one in pairs if is_production(one.path)}
    others = [one for one in pairs if one not in production]
    told = [sides for sides in production.values() if sides]
    if not others and not told:
        return ()
    parts = {one: _reduced(cache, one, forbidden) for one in others}
    untold = (_bare(one) for one, sides in production.items() if not sides)
    before, after = _split((*told, *untold, *parts.values()))
    if not modules_taken(before, after) and not weakening_findings(before, after):
        return ()
    named = [sides or _names(cache, one) for one, sides in production.items()]
    found = _with_head(*_split((*named, *parts.values())), head, forbidden)
    suspects = {one.path for one in found}
    whole = {one: _sides(cache, one, forbidden) if one.path in suspects else sides for one, sides in parts.items()}
    if all(whole[one] is sides for one, sides in parts.items()):
        return found
    return _with_head(*_split((*named, *whole.values())), head, forbidden)


def _with_head(
    before: tuple[FileFacts, ...], after: tuple[FileFacts, ...], head: HeadFiles | HeadTree, forbidden: tuple[str, ...]
) -> tuple[Finding, ...]:
    """The findings on facts of whole files, with what they rest on in files of the head that did not change."""
    others = taken_files(before, after, head.find, forbidden)
    unset = frozenset(name for name in variables_asked(before, after) if not is_set_in(head, name))
    if unset:
        after = never_set(after, unset)
    return weakening_findings((*before, *others), (*after, *others))


def _split(sides: Iterable[Sides]) -> tuple[tuple[FileFacts, ...], tuple[FileFacts, ...]]:
    pairs = tuple(sides)
    return tuple(old for old, _ in pairs if old), tuple(new for _, new in pairs if new)


def _production(cache: FactsCache, pair: Pair, forbidden: tuple[str, ...]) -> Sides | None:
    """The facts of both versions of a production file as far as they differ; None when no check can tell them apart."""
    old, new = (cache.data(oid) if oid else b"" for oid in (pair.old, pair.new))
    apart = told_apart(pair.path, old, new) if pair.old != pair.new else None
    if apart is None:
        return None
    sides = _facts_of(cache, pair, (old, new), (apart.old, apart.new), forbidden)
    if not apart.has_comments:
        return sides
    before, after = (one and with_silences(one, data) for one, data in zip(sides, (old, new), strict=True))
    return before, after


def _bare(pair: Pair) -> Sides:
    """That a production file changed, which excuses less than its names do."""
    facts = bare_facts(pair.path)
    return facts if pair.old else None, facts if pair.new else None


def _names(cache: FactsCache, pair: Pair) -> Sides:
    old, new = (with_names(bare_facts(pair.path), cache.data(oid)) if oid else None for oid in (pair.old, pair.new))
    return old, new


def _sides(cache: FactsCache, pair: Pair, forbidden: tuple[str, ...]) -> Sides:
    old, new = (cache.of(pair.path, oid, forbidden) if oid else None for oid in (pair.old, pair.new))
    return old, new


def _reduced(cache: FactsCache, pair: Pair, forbidden: tuple[str, ...]) -> Sides:
    """The facts of both sides without what stands in both; those of the whole files where nothing could go."""
    if (
        not pair.old
        or not pair.new
        or pair.old == pair.new
        or not (holds_tests(pair.path) and pair.path.endswith(".py"))
    ):
        return _sides(cache, pair, forbidden)
    whole = cache.data(pair.old), cache.data(pair.new)
    return _facts_of(cache, pair, whole, reduce_pair(*whole), forbidden)


def _facts_of(cache: FactsCache, pair: Pair, whole: Bytes, parts: Bytes, forbidden: tuple[str, ...]) -> Sides:
    """The facts of parts of both versions, with all names: one still there counts against who took out its test."""
    if parts[0] is whole[0] and parts[1] is whole[1]:
        return _sides(cache, pair, forbidden)
    old, new = (
        with_names(read_facts(pair.path, part, forbidden), data) if oid else None
        for oid, part, data in zip((pair.old, pair.new), parts, whole, strict=True)
    )
    return old, new
