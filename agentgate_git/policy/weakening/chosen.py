"""Tests that are still there, and that the runs of the project choose no more: by a mark, or by where they lie.

The runs of the head are asked about a test as it was and as it is: what became of the runs is for others to judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import AS_MARKED, NOT_COLLECTED, RUNS, SKIPPED, TEST, CollectedTest
from agentgate_git.model.record import Record
from agentgate_git.policy.weakening.chosen_runs import ProjectRuns

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]

# Each is asked of each run of the project.
_MAX_CHOICES = 200
_LEAD = f"{AS_MARKED} "


class Choice(Record):
    """What a run chooses a test by: where it lies, and the marks on it."""

    path: str
    marks: frozenset[str]


def choices_changed(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[tuple[Choice, Choice], ...]:
    """What tests were chosen by, and are chosen by now, for those of Python of which it is not the same."""
    return tuple(dict.fromkeys((old, new) for _, _, old, new in _changed(tuple(before), tuple(after))))


def without_unchosen(before: Side, after: Side, runs: ProjectRuns) -> Side:
    """The head, with the tests stopped that a run chose as they were, and that none chooses as they are."""
    stopped: dict[tuple[str, str], str] = {}
    known: dict[tuple[Choice, Choice], str] = {}
    for path, test, old, new in _changed(before, after):
        if (old, new) not in known:
            if len(known) == _MAX_CHOICES:
                continue
            known[old, new] = runs.why_not(old.path, old.marks, new.path, new.marks)
        if known[old, new]:
            stopped[path, test.name] = known[old, new]
    if not stopped:
        return after
    return tuple(one._replace(tests=one.tests._replace(tests=_judged(one, stopped))) for one in after)


def _judged(file: FileFacts, stopped: dict[tuple[str, str], str]) -> tuple[CollectedTest, ...]:
    return tuple(_stopped(test, stopped.get((file.path, test.name), "")) for test in file.tests.tests)


def _stopped(test: CollectedTest, why: str) -> CollectedTest:
    if not why or test.state != RUNS:
        return test
    state = SKIPPED if why.startswith(AS_MARKED) else NOT_COLLECTED
    return test._replace(state=state, marker=why)


def _changed(before: Side, after: Side) -> Iterator[tuple[str, CollectedTest, Choice, Choice]]:
    """Tests that ran and run, with what they were and are chosen by."""
    old: dict[tuple[str, str], Choice] = {}
    gone: dict[tuple[str, str], Choice] = {}
    left = {(one.path, test.name) for one in after for test in _tests(one)}
    for one in before:
        for test in _tests(one):
            old[one.path, test.name] = choice = Choice(one.path, _marks(test))
            if test.body and (one.path, test.name) not in left:
                gone.setdefault((test.name.rpartition("::")[2], test.body), choice)
    for one in after:
        for test in _tests(one):
            was = old.get((one.path, test.name))
            if was is None and test.body:
                was = gone.get((test.name.rpartition("::")[2], test.body))
            now = Choice(one.path, _marks(test))
            if was is not None and was != now:
                yield one.path, test, was, now


def _tests(file: FileFacts) -> Iterator[CollectedTest]:
    """The tests of a file of Python that run."""
    if file.path.endswith(".py"):
        yield from (test for test in file.tests.tests if test.kind == TEST and test.state == RUNS)


def _marks(test: CollectedTest) -> frozenset[str]:
    return frozenset(one.removeprefix(_LEAD) for one in test.takes if one.startswith(_LEAD))
