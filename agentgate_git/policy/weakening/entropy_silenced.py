"""E_ENTROPY_SILENCED: what differed from run to run was frozen, seeded or taken out so that a test turns green.

A clock, a seed or a stub that comes with a new test is that test's own. An existing test that loses what it looked
at, a harness that freezes for every test, and a product whose clock or chance became a constant are findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.inventory import CONDITIONAL, RUNS
from agentgate_git.model.inventory import TEST as A_TEST
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.model.role import HARNESS, PRODUCTION, TEST
from agentgate_git.policy.weakening.trait_changes import Arrival, Changes, plain

_FREEZE = "entropy.freeze."
_FIXED = "entropy.fixed."
_WAIT = f"{_FREEZE}concurrency"
_SLEEP = "sleep("
_READ = "entropy.read."
_NAMES = {
    "clock": "the clock",
    "rng": "chance",
    "tz": "the time zone",
    "locale": "the locale",
    "network": "the network",
    "fs": "the file system",
    "order": "the order",
    "concurrency": "the timing",
}
# Freezing these for every test blocks; the others are what suites do for good reasons, and warn.
_BLOCKS_SUITE = frozenset(("clock", "rng", "fs"))
_IS_UTC = pattern_of(r"\bTZ\b.*['\"]UTC['\"]")
_LOOSE_MODES = frozenset(("all", "new_episodes", "any", "true"))


class _Silenced(Record):
    path: str
    line: int
    message: str
    severity: str


def entropy_findings(changes: Changes) -> Iterable[Finding]:
    """Findings for the traits of a whole change set."""
    found = (
        *_frozen(changes),
        *_unseeded(changes),
        *_constants(changes),
        *_moved(changes),
        *_zones(changes),
        *_recordings(changes),
    )
    for one in found:
        step = code.next_step(code.ENTROPY_SILENCED)
        if one.severity == WARN:
            step = "repair what depends on it, or ask a human to adopt the change"
        yield Finding(code.ENTROPY_SILENCED, one.severity, one.path, one.message, step, line=one.line)


def _frozen(changes: Changes) -> Iterator[_Silenced]:
    """What is frozen that was not: by the product, by the harness, in an existing test."""
    waits = {
        (one.file.path, one.trait.owner)
        for one in changes.lost(lambda kind: kind.startswith(_WAIT))
        if _SLEEP in one.trait.what
    }
    for arrival in changes.new(lambda kind: kind.startswith(_FREEZE)):
        file, trait = arrival
        if plain(trait.kind) != trait.kind and (file.path, trait.owner) in waits:
            continue  # a clock that the test moves on by itself, in the place of a pause
        other = changes.reworded(arrival)
        source = plain(trait.kind).split(".")[2]
        if other is not None and (source == "concurrency" or not _is_reseeded(other, trait)):
            continue  # a pause that is longer or shorter freezes no more than the one before
        if file.role == PRODUCTION:
            yield from _in_product(arrival, source, changes)
        elif ".suite" in trait.kind:
            yield from _for_suite(arrival, source, changes)
        elif changes.is_existing_test(file.path, trait.owner):
            yield from _in_test(arrival, source, changes)


def _in_product(arrival: Arrival, source: str, changes: Changes) -> Iterator[_Silenced]:
    file, trait = arrival
    if file.path not in changes.before and source == "locale":
        return
    is_sure = ".suite" in trait.kind and source in ("clock", "fs", "network")
    yield _said(file, trait, f"production freezes {_NAMES[source]}", BLOCK if is_sure else WARN)


def _for_suite(arrival: Arrival, source: str, changes: Changes) -> Iterator[_Silenced]:
    file, trait = arrival
    is_told = source != "network" and _is_shared(file)  # what answers for the network may be there for new tests alone
    if file.role != HARNESS and not _had_tests(file.path, changes) and not is_told:
        return
    if source == "tz" and (_IS_UTC.search(trait.what) or trait.what == "time.tzset()"):
        return  # the zone that those who keep none mean
    is_replaced = " = " in trait.what and trait.what.partition(" = ")[0].count(".") > 0
    is_sure = source in _BLOCKS_SUITE and is_replaced and trait.kind == plain(trait.kind)
    yield _said(file, trait, f"every test now runs with {_NAMES[source]} frozen", BLOCK if is_sure else WARN)


def _is_shared(file: FileFacts) -> bool:
    """True for a file of another language that lies among tests and holds none: what it does, it does for others."""
    return (
        file.role == TEST
        and file.language not in ("", "python")
        and not any(one.state in (RUNS, CONDITIONAL) and one.kind == A_TEST for one in file.tests.tests)
    )


def _had_tests(path: str, changes: Changes) -> bool:
    old = changes.before.get(path)
    return old is not None and bool(old.tests.tests)


def _in_test(arrival: Arrival, source: str, changes: Changes) -> Iterator[_Silenced]:
    """An existing test is frozen: a stub of the network or a pause beside a repair is how tests become stable."""
    file, trait = arrival
    is_sure = source in ("clock", "rng") and "derandomize" not in trait.what
    if changes.repairs() and not is_sure and source != "fs":
        return
    is_held = trait.kind == plain(trait.kind)
    severity = BLOCK if is_sure and is_held and not changes.repairs() else WARN
    yield _said(file, trait, f"an existing test now runs with {_NAMES[source]} frozen", severity)


def _unseeded(changes: Changes) -> Iterator[_Silenced]:
    """An existing test that lost its seed, and got no other: it now looks at another input in every run, or at none."""
    tests = {(path, test.name) for path, head in changes.after.items() for test in head.tests.tests}
    seeds = [
        (path, one)
        for path, head in changes.after.items()
        for one in head.traits
        if one.kind.startswith(f"{_FREEZE}rng")
    ]
    seeded = {(path, one.owner) for path, one in seeds}
    whole = {path for path, one in seeds if ".suite" in one.kind}
    for arrival in changes.lost(lambda kind: kind == f"{_FREEZE}rng"):
        file, trait = arrival
        place = (file.path, trait.owner)
        if place in tests and place not in seeded and file.path not in whole:
            yield _Silenced(file.path, 0, f"{trait.owner}: an existing test lost its seed (`{trait.what}`)", WARN)


def _is_reseeded(before: Trait, after: Trait) -> bool:
    """True for the same call with another constant: a seed or an instant that was looked for."""
    return before.what.partition("(")[0] == after.what.partition("(")[0] and "(" in after.what


def _constants(changes: Changes) -> Iterator[_Silenced]:
    """Functions of the product that read a clock or chance, and now hold a constant in its place."""
    gained = {arrival.trait.kind for arrival in changes.new(lambda kind: kind.startswith(_READ))}
    fixed = {
        (arrival.file.path, arrival.trait.owner, plain(arrival.trait.kind).split(".")[2]): arrival
        for arrival in changes.new(lambda kind: kind.startswith(_FIXED))
    }
    for (path, owner, source), read in _lost_reads(changes).items():
        head = changes.after.get(path)
        if head is None or not changes.defines(head, owner):
            continue
        if (path, owner, source) in fixed:
            there = fixed[path, owner, source].trait
            message = f"{owner}: `{there.what}` stands where production read {_NAMES[source]}"
            yield _Silenced(path, there.line, message, BLOCK)
        elif read.kind not in gained and not changes.has(path, read.kind, read.owner):
            message = f"{owner}: production no longer reads {_NAMES[source]} (`{read.what}` is gone)"
            yield _Silenced(path, 0, message, WARN)


def _moved(changes: Changes) -> Iterator[_Silenced]:
    """A clock that tests move on, and that now goes another way than they tell it."""
    for arrival in changes.new(lambda kind: kind == "entropy.moved.clock"):
        file, trait = arrival
        old = changes.before.get(file.path)
        if old is not None and changes.defines(old, trait.owner):
            severity = WARN if changes.repairs() else BLOCK
            yield _said(file, trait, "a clock of the tests no longer moves as far as it is told", severity)


def _lost_reads(changes: Changes) -> dict[tuple[str, str, str], Trait]:
    """What functions of the product read: one place each that the head lost, or that it seeds."""
    found = {}
    for arrival in changes.lost(lambda kind: kind in (f"{_READ}clock", f"{_READ}rng")):
        if arrival.file.role == PRODUCTION:
            found[arrival.file.path, arrival.trait.owner, arrival.trait.kind.split(".")[2]] = arrival.trait
    for path, file in changes.before.items():
        for trait in file.traits if file.role == PRODUCTION else ():
            if trait.kind == f"{_READ}rng":
                found.setdefault((path, trait.owner, "rng"), trait)
    return found


def _zones(changes: Changes) -> Iterator[_Silenced]:
    """Instants with a zone that became instants without one."""
    for arrival in changes.new(lambda kind: kind == "entropy.naive.tz"):
        file, trait = arrival
        had_zone, was_naive = (
            changes.had(file.path, kind, trait.owner) for kind in ("entropy.read.tz", "entropy.naive.tz")
        )
        if file.role == PRODUCTION and had_zone and not was_naive:
            yield _said(file, trait, "an instant lost its time zone", WARN)


def _recordings(changes: Changes) -> Iterator[_Silenced]:
    """Recorded traffic that is written anew, or that no longer binds the test."""
    for arrival in changes.new(lambda kind: kind == "entropy.record"):
        old = changes.before.get(arrival.file.path)
        modes = {one.what for one in old.traits if one.kind == "entropy.record"} if old else set()
        if modes and not modes & _LOOSE_MODES and arrival.trait.what in _LOOSE_MODES:
            yield _said(arrival.file, arrival.trait, "recorded traffic is no longer what tests run against", BLOCK)
    for arrival in changes.lost(lambda kind: kind == "entropy.match"):
        head = changes.after.get(arrival.file.path)
        if head is not None and any(one.kind == "entropy.match" for one in head.traits):
            yield _said(head, arrival.trait, "requests are no longer matched by this", BLOCK)
    rewritten = []
    for arrival in changes.lost(lambda kind: kind == "entropy.answer"):
        if arrival.file.path in changes.after and arrival.file.path not in rewritten:
            rewritten.append(arrival.file.path)
            is_alone = not any(one.role != "data" for one in changes.after.values())
            message = "recorded answers were changed, which tests expected as they were"
            yield _Silenced(arrival.file.path, arrival.trait.line, message, BLOCK if is_alone else WARN)


def _said(file: FileFacts, trait: Trait, message: str, severity: str) -> _Silenced:
    place = f"{trait.owner}: " if trait.owner else ""
    return _Silenced(file.path, trait.line, f"{place}{message} (`{trait.what}`)", severity)
