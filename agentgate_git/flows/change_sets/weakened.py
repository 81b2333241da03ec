"""What a change set takes away from tests: first on what is left of each pair of files when equal parts are out.

Most changes take nothing away, and for them that is all. Files on which the small look finds anything are read whole,
and only what is found then counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.flows.change_sets.apart import apart_paths, with_apart
from agentgate_git.flows.change_sets.changed_parts import (
    Pair,
    Part,
    defines_tests,
    read_parts,
    read_production,
    read_tests,
    read_whole,
)
from agentgate_git.flows.change_sets.discovery import packages_lost, with_undiscovered
from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.change_sets.head_files import HeadFiles, HeadTree, empty_globs, left_out_by, unset_in
from agentgate_git.flows.change_sets.included_pipelines import included_findings
from agentgate_git.flows.change_sets.pipelines_around import pipelines_around
from agentgate_git.flows.change_sets.project_runs import without_unrun
from agentgate_git.flows.change_sets.read_facts import is_read
from agentgate_git.flows.change_sets.started_scripts import with_started
from agentgate_git.flows.change_sets.taken_files import rests_on_others, taken_files, with_told
from agentgate_git.model.code import ASSERT_WEAKENED
from agentgate_git.model.facts import OF_BOTH, FileFacts
from agentgate_git.model.finding import Finding
from agentgate_git.model.role import TEST
from agentgate_git.policy.weakening.checks import weakening_findings
from agentgate_git.policy.weakening.chosen import choices_changed
from agentgate_git.policy.weakening.left_out import tags_gained, without_left_out
from agentgate_git.policy.weakening.never_set import never_set, variables_asked, waits_for_runs
from agentgate_git.policy.weakening.no_files import globs_gained, without_files
from agentgate_git.policy.weakening.subject_changes import subject_changes
from agentgate_git.source.facts import bare_facts, with_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.flows.change_sets.changed_parts import Sides


def weakened(
    cache: FactsCache,
    pairs: Iterable[Pair],
    forbidden: tuple[str, ...],
    head: HeadFiles | HeadTree,
    asked: frozenset[str] | None = None,
) -> tuple[Finding, ...]:
    """The findings on the files that changed, and on the pipeline that includes some of them (`_own`)."""
    pairs = tuple(pairs)
    own = _own(cache, pairs, forbidden, head, asked)
    included = included_findings(cache, pairs, head) if asked is None else ()
    return (*own, *(one for one in included if one not in own))


def _own(
    cache: FactsCache,
    pairs: tuple[Pair, ...],
    forbidden: tuple[str, ...],
    head: HeadFiles | HeadTree,
    asked: frozenset[str] | None,
) -> tuple[Finding, ...]:
    """The findings on the files that changed; none where none of them lies at a path that is `asked` for, if any is.

    `forbidden` are the markers the manifest forbids; `head` has the files that did not change, for what decides for
    tests that did.
    """
    changed = tuple(one for one in pairs if is_read(one.path))
    wanted = changed if asked is None else tuple(one for one in changed if one.path in asked)
    parts = tuple(read_parts(cache, wanted, forbidden))
    if not any(one.sides for one in parts):
        return ()
    if len(parts) < len(changed):
        parts = _with_others(cache, changed, parts, forbidden)
    before, after = _split(one.sides or _bare(one.pair) for one in parts if one.sides or one.is_production)
    # Production that is not read yet excuses nothing; for what is read it is asked later whether a test reaches it.
    is_open = subject_changes(before, after).has_any
    tests = frozenset(one.path for one in after if is_open and one.role == TEST and one.path.endswith(".py"))
    found = weakening_findings(before, with_apart(after, tests))
    is_any = any(asked is None or one.path in asked for one in found)
    if not is_any and not rests_on_others(before, after) and not _may_be_chosen_anew(before, after):
        return ()
    sides = {one.pair: one.sides or _told_late(cache, one, forbidden) for one in parts}
    is_all = all(one.sides for one in parts)
    before, after = _split(sides.values())
    old = {one.path: one.old for one in changed if one.old}
    doubted = tuple(dict.fromkeys(one.path for one in found if one.code == ASSERT_WEAKENED))
    apart = apart_paths(doubted, before, after, head, lambda path: cache.data(old[path]) if path in old else None)
    known = found if is_all and not (is_open and doubted) else None
    found = _with_head(before, with_apart(after, apart), head, forbidden, known)
    suspects = {one.path for one in found}
    named = [one for one in parts if one.pair.path in suspects]
    unread = tuple(one.pair for one in named if not one.is_production or defines_tests(cache, one.pair))
    read = zip(unread, read_whole(cache, unread, forbidden), strict=True)
    whole = {one: both for one, both in read if not _is_refused(both)}
    if all(sides[one] == both for one, both in whole.items()):
        return found
    before, after = _split({**sides, **whole}.values())
    return _with_head(before, with_apart(after, apart), head, forbidden)


def _may_be_chosen_anew(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> bool:
    """True where what the head runs may leave out tests that stand as they stood."""
    is_chosen = bool(choices_changed(before, after) or packages_lost(before, after))
    return is_chosen or waits_for_runs(before, after)


def _with_others(
    cache: FactsCache, changed: tuple[Pair, ...], parts: tuple[Part, ...], forbidden: tuple[str, ...]
) -> tuple[Part, ...]:
    """Those parts and those of the other files that changed, in their order.

    What others do to tests may show on the files that were asked for. What production says shows on itself alone, and
    can but excuse what is found.
    """
    known = {one.pair: one for one in parts}
    others = tuple(one for one in changed if one not in known)
    known.update((one.pair, one) for one in read_parts(cache, others, forbidden, leaves_production=True))
    return tuple(known[one] for one in changed)


def _with_head(
    before: tuple[FileFacts, ...],
    after: tuple[FileFacts, ...],
    head: HeadFiles | HeadTree,
    forbidden: tuple[str, ...],
    known: tuple[Finding, ...] | None = None,
) -> tuple[Finding, ...]:
    """The findings on facts, with what they rest on in files of the head that did not change.

    `known` are those on the facts alone, None where nobody looked. Each step gives back the very facts that it has
    nothing to say of.
    """
    others = (*taken_files(before, after, head.find, forbidden), *pipelines_around(before, after, head))
    unset = unset_in(head, variables_asked(before, after))
    left_out = left_out_by(head, tags_gained(before, after))
    old, new = with_undiscovered(before, after, head)
    new = without_files(new, empty_globs(head, globs_gained(old, new)))
    new = without_unrun(old, with_told(old, new, head.find, forbidden), head)
    old, new = with_started(old, new, head.find)
    if left_out:
        new = without_left_out(old, new, left_out)
    if unset:
        new = never_set(new, unset)
    if known is not None and not others and old is before and new is after:
        return known
    return weakening_findings((*old, *others), (*new, *others))


def _is_refused(sides: Sides) -> bool:
    """True for versions that are too much to be read whole: what parts of them say has to do."""
    return any((one.tests.problem or one.problem).startswith(OF_BOTH) for one in sides if one)


def _split(sides: Iterable[Sides]) -> tuple[tuple[FileFacts, ...], tuple[FileFacts, ...]]:
    pairs = tuple(sides)
    return tuple(old for old, _ in pairs if old), tuple(new for _, new in pairs if new)


def _bare(pair: Pair) -> Sides:
    """That a production file changed, which excuses less than its names do."""
    facts = bare_facts(pair.path)
    return facts if pair.old else None, facts if pair.new else None


def _told_late(cache: FactsCache, part: Part, forbidden: tuple[str, ...]) -> Sides:
    """What only counts once something is found: the names that production defines, tests that were added."""
    pair = part.pair
    if not part.is_production:
        return read_tests(cache, pair, forbidden)
    if part.is_left and (sides := read_production(cache, pair, forbidden)):
        return sides
    old, new = (with_names(bare_facts(pair.path), cache.data(oid)) if oid else None for oid in (pair.old, pair.new))
    return old, new
