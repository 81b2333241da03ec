"""What is read of each file that changed: of both versions only what tells them apart.

Many files are shared out to several processes.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.flows.change_sets.workers import core_count, in_order
from agentgate_git.model.change import ABSENT, GITLINK, SYMLINK, Change
from agentgate_git.model.config_paths import config_format
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.source.facts import bare_facts, is_production, refused_facts, with_names, with_silences
from agentgate_git.source.python.added_tests import only_adds_tests
from agentgate_git.source.python.cuts import is_most, weight_of
from agentgate_git.source.python.hidden_tests import may_differ_in_tests
from agentgate_git.source.python.quiet import told_apart
from agentgate_git.source.python.reduce import reduce_pair
from agentgate_git.source.python.source import overwork_of_both, seems_test
from agentgate_git.source.roles import holds_tests

_NOT_A_FILE = (ABSENT, GITLINK, SYMLINK)
_JOB = 16
_MANY = 128

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Sides = tuple[FileFacts | None, FileFacts | None]
    Bytes = tuple[bytes, bytes]
    Job = tuple["Pair", ...]
    Answer = TypeVar("Answer")


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


class Part(Record):
    """The facts of both versions of a file as far as they differ.

    None where no check can tell them apart, and where tests were added that only count if something else is found.
    Production whose tests may have changed counts for tests; it is `is_left` where nobody asked for what it says yet.
    """

    pair: Pair
    sides: Sides | None
    is_production: bool
    is_left: bool = False


def read_parts(
    cache: FactsCache, pairs: Job, forbidden: tuple[str, ...], *, leaves_production: bool = False
) -> Iterator[Part]:
    """What is to be read of each pair, in their order; production only where it is not left for later."""
    return _shared_out(cache, pairs, lambda own, job: tuple(_parts(own, job, forbidden, leaves_production)))


def read_whole(cache: FactsCache, pairs: Job, forbidden: tuple[str, ...]) -> Iterator[Sides]:
    """The facts of both whole versions of each pair, in their order."""
    return _shared_out(cache, pairs, lambda own, job: tuple(whole_sides(own, pair, forbidden) for pair in job))


def _shared_out(
    cache: FactsCache, pairs: Job, read: Callable[[FactsCache, Job], tuple[Answer, ...]]
) -> Iterator[Answer]:
    """What is read of each pair, in their order; of many pairs in several processes, each with a cache of its own."""
    jobs = tuple(pairs[at : at + _JOB] for at in range(0, len(pairs), _JOB))
    fresh = cache.fresh if len(pairs) >= _MANY and core_count() > 1 else None
    if fresh is None:
        for job in jobs:
            yield from read(cache, job)
        return

    @contextmanager
    def opened() -> Iterator[Callable[[Job], bytes]]:
        with fresh() as other:
            yield lambda job: pickle.dumps(read(other, job))

    for answer in in_order(jobs, opened, core_count()):
        yield from pickle.loads(answer)  # noqa: S301 - what a forked process of our own wrote into our pipe


def whole_sides(cache: FactsCache, pair: Pair, forbidden: tuple[str, ...], *, is_full: bool = True) -> Sides:
    """The facts of both whole versions; of Python that is too much to be compared, that it is not read.

    Without `is_full` those of production whose tests, if there are any, are the same in both, and without names.
    """
    if pair.path.endswith(".py") and _are_two(pair):
        whole = cache.data(pair.old), cache.data(pair.new)
        problem = overwork_of_both(*whole)
        if problem:
            before, after = (with_names(refused_facts(pair.path, problem), data) for data in whole)
            return before, after
    sides = (pair.old, pair.new)
    old, new = (cache.of(pair.path, oid, forbidden, is_full=is_full) if oid else None for oid in sides)
    return old, new


def _parts(cache: FactsCache, pairs: Job, forbidden: tuple[str, ...], leaves_production: bool) -> Iterator[Part]:
    cache.fetch(oid for pair in pairs for oid in (pair.old, pair.new) if oid)
    for pair in pairs:
        if is_production(pair.path) and not config_format(pair.path) and not _changes_tests(cache, pair):
            sides = None if leaves_production else read_production(cache, pair, forbidden)
            yield Part(pair, sides, is_production=True, is_left=leaves_production)
        else:
            sides = None if _only_adds_tests(cache, pair) else read_tests(cache, pair, forbidden)
            yield Part(pair, sides, is_production=False)


def read_production(cache: FactsCache, pair: Pair, forbidden: tuple[str, ...]) -> Sides | None:
    """The facts of both versions of a production file as far as they differ; None when no check can tell them apart.

    Nor can any where neither version says anything: what such files define counts once something else is found.
    """
    old, new = (cache.data(oid) if oid else b"" for oid in (pair.old, pair.new))
    apart = told_apart(pair.path, old, new) if pair.old != pair.new else None
    if apart is None:
        return None
    sides = _facts_of(cache, pair, (old, new), (apart.old, apart.new), forbidden, is_full=False)
    if apart.has_comments:
        sides = _each(with_silences, sides, (old, new))
    nothing = bare_facts(pair.path)
    return None if all(one in (None, nothing) for one in sides) else _each(with_names, sides, (old, new))


def _each(fill: Callable[[FileFacts, bytes], FileFacts], sides: Sides, whole: Bytes) -> Sides:
    """Both sides, each filled from the bytes of its version."""
    before, after = (one and fill(one, data) for one, data in zip(sides, whole, strict=True))
    return before, after


def read_tests(cache: FactsCache, pair: Pair, forbidden: tuple[str, ...]) -> Sides:
    """The facts of both versions of a file that is no production, of Python tests without what stands in both."""
    if not _are_two(pair) or not _holds_tests(cache, pair):
        return whole_sides(cache, pair, forbidden)
    whole = cache.data(pair.old), cache.data(pair.new)
    return _facts_of(cache, pair, whole, reduce_pair(*whole), forbidden)


def _only_adds_tests(cache: FactsCache, pair: Pair) -> bool:
    is_test = _are_two(pair) and pair.path.endswith(".py") and holds_tests(pair.path)
    return is_test and only_adds_tests(pair.path, cache.data(pair.old), cache.data(pair.new))


def _are_two(pair: Pair) -> bool:
    return bool(pair.old and pair.new) and pair.old != pair.new


def _changes_tests(cache: FactsCache, pair: Pair) -> bool:
    """True for a production file in which tests are defined, and may not be the same in both versions."""
    old, new = (cache.data(oid) if oid else b"" for oid in (pair.old, pair.new))
    return may_differ_in_tests(old, new)


def _holds_tests(cache: FactsCache, pair: Pair) -> bool:
    """True for a Python file that tests are collected from by its name, or in which some are defined."""
    return pair.path.endswith(".py") and (holds_tests(pair.path) or defines_tests(cache, pair))


def defines_tests(cache: FactsCache, pair: Pair) -> bool:
    """True where one of the versions of a Python file defines what looks like a test."""
    return any(seems_test(cache.data(oid)) for oid in (pair.old, pair.new) if oid)


def _facts_of(
    cache: FactsCache, pair: Pair, whole: Bytes, parts: Bytes, forbidden: tuple[str, ...], *, is_full: bool = True
) -> Sides:
    """The facts of parts of both versions, with all names: one still there counts against who took out its test."""
    if is_most(sum(map(weight_of, parts)), *whole):
        # Which are kept, and stand on one side of the next change too.
        return whole_sides(cache, pair, forbidden, is_full=is_full)
    old, new = (
        read_facts(pair.path, part, forbidden, is_full=is_full) if oid else None
        for oid, part in zip((pair.old, pair.new), parts, strict=True)
    )
    return _each(with_names, (old, new), whole) if is_full else (old, new)
