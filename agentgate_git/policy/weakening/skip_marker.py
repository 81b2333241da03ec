"""E_SKIP_MARKER: tests that ran at the base and are kept from running at the head.

Inventories are compared, not lines: adding, moving or rewording a marker that changes nothing is nothing. A
test is found again by its path and name, else by its body, so a test that was moved or renamed is the same test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model import code
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.inventory import (
    CONDITIONAL,
    EXPECTED_FAIL,
    NOT_COLLECTED,
    ON_DEMAND,
    ROW,
    RUNS,
    SETUP,
    SKIPPED,
    CollectedTest,
    Inventory,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.policy.weakening.set_apart import is_of_other_system, needs_own_module, takes_out

_LIVE = (RUNS, CONDITIONAL)
_STOPPED = (SKIPPED, EXPECTED_FAIL, NOT_COLLECTED)
_SHOWN = 5
_STRICT = "xfail(strict=True)"
_IS_NOW = {
    SKIPPED: "skipped",
    EXPECTED_FAIL: "expected to fail",
    NOT_COLLECTED: "not collected",
    CONDITIONAL: "skipped under a condition",
}
_ASK = "take it out, or ask a human to adopt the change"
_OF_TEST = r"name|path|nodeid|originalname|fspath|location"
_PICKS = pattern_of(
    r"\b(?:\w*item|\w*node|\w*test|func|function|it|i|t)\.(?:name|path)\b"
    r"|\.(?:nodeid|originalname|fspath|location|reportinfo)\b"
    r"|\b(?:function|obj|module|cls)\.__(?:name|qualname|file)__"
    rf"|getattr\(\w*(?:item|node|test), '(?:{_OF_TEST})'"
    r"|_testMethodName\b|\bself\.id\(\)"
)
# A test case that asks which of its tests runs, and a handler of what a failed assertion raises.
_OWN_NAME = pattern_of(r"_testMethodName\b|\bself\.id\(\)|\brequest\.node\.(?:name|nodeid|originalname)\b")
_AFTER_FAILURE = pattern_of(
    r"except \(?(?:\w+, )*(?:builtins\.)?(?:AssertionError|Exception|BaseException|TypeError|AttributeError|KeyError"
    r"|IndexError|ValueError|NameError|ZeroDivisionError|RecursionError)\b|except after "
)
# What a handler tries that nobody takes for the code under test: it asks the system, the network, another program.
_ASKS_OUTSIDE = pattern_of(
    r"\bimport\b|\bsubprocess\b|\bsocket\b|\bconnect|\bclient\b|\bdocker|\burlopen|\brequests?\.|\bos\.|\blocale\.|\bping\(|"
    r"\bwhich\(|\bload_?library|\bversion|\bdatabase|\bserver|\bdriver|\bbrowser|\bdownload|\bfetch|\bcheck_(?:output|call)"
    r"|\bget_distribution|\bctypes|\bsys\.|\bplatform\.|\bgetfixturevalue|\bopen\(",
    re.I,
)
# A fixture that compares what the code under test gives with something, and skips by what comes of it.
_BY_RESULT = pattern_of(r"(?:not )?\(?[\w.]+(?:\[[^\]]*\])* (?:==|!=) (?:\w+\.)*\w+\([^()]*\)\)?")
# A loop that leaves out one of the values that it goes through.
_IN_LOOP = pattern_of(
    r"for each of [^;]+; \(?\w+ (?:== (?:'[^']*'|-?\d+)|in [(\[{](?:'[^']*'|-?\d+)(?:, (?:'[^']*'|-?\d+))*,?[)\]}])\)?"
)
# The same in other languages: what a runner calls the test that is about to run.
_PICKS_ELSEWHERE = pattern_of(
    r"\b(?:currentTest|testInfo|task|ctx\.task|test\.info\(\)|t|suite\.T\(\)|s\.T\(\)|example|meta|metadata)(?:\.|->)"
    r"(?:fullTitle|title|name|Name|fullName|description|full_description|metadata)\b"
    r"|\bmeta(?:data)?\[:(?:full_)?description\]|\bcurrent_test_info\(\)|\bCurrentContext\.Test\b|\bBATS_TEST_\w+"
    r"|\bgetTestMethod\(|\bgetDisplayName\(|\b(?:test|data|get)Name\(|\bdataName\(|\bmethod_name\b|\btestCase\.name\b"
    r"|(?<![\w.$])name(?:\.(?:contains|hasPrefix|hasSuffix|Contains|StartsWith|rfind|find|start_with\?|include\?)\(|==)"
    r"|\.include\?\(name\)|(?<![\w.])test_?name\b"
)
_ASKS_VALUE = pattern_of(r"""\(?[\w.]+ ?===? ?(?:'([^']{2,})'|"([^"]{2,})")\)?""")
_NO_WORD = pattern_of(r"\W+")
_LITERAL = pattern_of(r"'[^']*'|\"[^\"]*\"")
_TEST_NAME = pattern_of(r"(?:^|[^\w.])test_\w|\w_test\.py\b|\bTest[A-Z]\w*")
_SYSTEM = pattern_of(r"\b(?:sys|platform)\.|environ|getenv|getoption|getini")


class _Place(Record):
    path: str
    name: str


class _Loss(Record):
    """One test that runs less than before, and where the head says so."""

    path: str
    test: CollectedTest
    was: str
    severity: str


def skip_findings(base: Iterable[Inventory], head: Iterable[Inventory]) -> tuple[Finding, ...]:
    """Findings for a whole change set: inventories of the changed files at the base and at the head.

    One finding for each marker, which names the tests it stops. What stops an existing test blocks; a condition on
    one warns, and so does a new test that arrives switched off.
    """
    before, after = tuple(base), tuple(head)
    return tuple(_by_marker(_losses(before, after)))


def _losses(base: tuple[Inventory, ...], head: tuple[Inventory, ...]) -> Iterator[_Loss]:
    old, new = _by_place(base), _by_place(head)
    finder = _Finder(old, new, frozenset(name for one in head for name in one.inherits))
    found_again: set[_Place] = set()
    freed: set[str] = set()
    paths = frozenset(one.path for one in (*base, *head))
    for place, test in old.items():
        there = finder.find(place, test)
        if there is not None:
            found_again.add(there)
            if test.state == CONDITIONAL:
                freed.update(_new_conditions(new[there], test))
            yield from _loss(test, new[there], there, paths)
    unreadable = {one.path for one in base if one.problem}
    fresh = {one.path for one in head} - {one.path for one in base} - {place.path for place in found_again}
    for place, test in new.items():
        is_new = place not in old and place not in found_again and place.path not in unreadable
        if is_new and not (test.kind == SETUP and any(one in test.condition for one in freed)):
            yield from _arrival(test, place, frozenset(fresh))


def _by_place(inventories: Iterable[Inventory]) -> dict[_Place, CollectedTest]:
    """Tests by path and name; of several definitions of one name the last that is collected."""
    places: dict[_Place, CollectedTest] = {}
    shadowed = 0
    for inventory in inventories:
        for test in inventory.tests:
            place = _Place(inventory.path, test.name)
            other = places.get(place)
            if other is None:
                places[place] = test
                continue
            shadowed += 1
            kept, hidden = (other, test) if test.state == NOT_COLLECTED else (test, other)
            places[place] = kept
            places[_Place(inventory.path, f"{test.name} ({shadowed})")] = hidden
    return places


class _Finder:
    """Finds tests of the base at the head."""

    def __init__(
        self, old: Mapping[_Place, CollectedTest], new: Mapping[_Place, CollectedTest], inherited: frozenset[str]
    ) -> None:
        self._new = new
        self._running: set[str] = set()
        # Of the tests that arrived or stopped with a body: the first in whatever state, live, and not collected.
        self._arrived: dict[tuple[str, str, str], _Place] = {}
        for place, test in new.items():
            if test.state in _LIVE or place.name.rpartition("::")[0].rpartition("::")[2] in inherited:
                self._running.add(test.body)
            if test.body and (place not in old or old[place].state not in _LIVE):
                for state in ("", "live" if test.state in _LIVE else test.state):
                    self._arrived.setdefault((test.body, test.kind, state), place)

    def find(self, place: _Place, test: CollectedTest) -> _Place | None:
        """Where a test stands now; None when it is gone, or its body runs elsewhere.

        A test of the same name with another body is the same test, unless its old body went somewhere else and
        stopped there.
        """
        same = self._new.get(place)
        if same is not None and same.body == test.body:
            return self._inherited(place, same) or place
        arrived, running, hidden = (
            self._arrived.get((test.body, test.kind, state)) for state in ("", "live", NOT_COLLECTED)
        )
        if same is None and running is not None:
            return running
        if test.body in self._running:
            return None if same is None else place
        if same is None:
            return arrived
        return hidden if hidden is not None and test.state in _LIVE else place

    def _inherited(self, place: _Place, same: CollectedTest) -> _Place | None:
        """Where a test runs now that only stands in a mixin any more: in a class of its file that came with it."""
        other = self._arrived.get((same.body, same.kind, "live")) if same.state == NOT_COLLECTED else None
        if other is None or other.path != place.path:
            return None
        return other if other.name.rpartition("::")[2] == place.name.rpartition("::")[2] else None


def _loss(before: CollectedTest, after: CollectedTest, place: _Place, paths: frozenset[str]) -> Iterator[_Loss]:
    was_live = before.state in _LIVE
    if was_live and after.state in _STOPPED:
        yield _Loss(place.path, after, before.state, BLOCK)
        return
    new = _new_conditions(before, after) if was_live and after.state == CONDITIONAL else frozenset()
    if new or (before.state == EXPECTED_FAIL and after.state in (SKIPPED, NOT_COLLECTED)):
        picks = any(_picks_elsewhere(condition, place.path) for condition in new)
        picks = picks or (after.kind == SETUP and any(_names_a_test(condition) for condition in new))
        picks = picks or any(_is_row_of(before, one) or _picks_itself(after, one) for one in new)
        picks = picks or any(_OWN_NAME.search(one) or _is_after_failure(one) for one in new)
        picks = picks or _leaves_out_by_value(before, after, new)
        picks = picks or any(needs_own_module(one, place.path, paths) for one in new)
        yield _Loss(place.path, after, before.state, BLOCK if picks else WARN)


def _new_conditions(before: CollectedTest, after: CollectedTest) -> frozenset[str]:
    known = frozenset(before.condition.split("; ")) if before.state == CONDITIONAL else frozenset()
    new = frozenset(after.condition.split("; ")) - known
    if _STRICT in after.marker and set(before.rows) <= set(after.rows):
        # A row that came with a strict mark says what is not done yet.
        return frozenset(one for one in new if not one.startswith(ROW) or _is_row_of(before, one))
    return new


def _is_after_failure(condition: str) -> bool:
    """True for a handler of what a defect raises, around what the test itself is about to use."""
    found = _AFTER_FAILURE.match(condition)
    if found is None:
        return False
    return "AssertionError" in found[0] or not _ASKS_OUTSIDE.search(condition.partition(" after ")[2])


def _leaves_out_by_value(before: CollectedTest, after: CollectedTest, new: frozenset[str]) -> bool:
    """True for a fixture that skips by what the code under test answered, and a test that skips one of its values."""
    if after.kind == SETUP:
        return any(_BY_RESULT.fullmatch(one) and not _SYSTEM.search(one) and "." in one for one in new)
    known = before.condition
    fresh = after.condition.removeprefix(known).strip("; ")
    return _IN_LOOP.fullmatch(fresh) is not None


def _picks_elsewhere(condition: str, path: str) -> bool:
    """True for a condition of a file of another language than Python that asks which test is about to run."""
    return not path.endswith(".py") and _PICKS_ELSEWHERE.search(condition) is not None


def _picks_itself(test: CollectedTest, condition: str) -> bool:
    """True for a condition that is true of the test by its own name."""
    name = test.name.rpartition("::")[2]
    return bool(_PICKS.search(condition)) and any(name == text[1:-1] for text in _LITERAL.findall(condition))


def _is_row_of(test: CollectedTest, condition: str) -> bool:
    """True for a condition that is a row of parameters, stopped wherever it runs, which the test had.

    So is one that asks for nothing but a value of a row: `name == "one too many"`.
    """
    asked = _ASKS_VALUE.fullmatch(condition)
    if asked:
        value = asked[1] or asked[2]
        return any(f"'{value}'" in row or f'"{value}"' in row for row in test.rows)
    if not condition.startswith(ROW):
        return False
    row = _NO_WORD.sub("", condition.removeprefix(ROW).partition("…")[0])
    known = (*test.rows, *test.fixed)
    return bool(row) and any(_NO_WORD.sub("", one.partition(": ")[2] or one).startswith(row) for one in known)


def _arrival(test: CollectedTest, place: _Place, fresh: frozenset[str]) -> Iterator[_Loss]:
    """A new test that is switched off warns; a strict xfail says something, a condition is what new tests have.

    A new fixture or hook of a conftest, or a path that it ignores, stands before tests that ran without it: but not
    before those of a `fresh` file, which came with it.
    """
    if test.kind == SETUP:
        if test.state in _STOPPED:
            yield _Loss(place.path, test, "", WARN if _ignored_path(test, place) in fresh else BLOCK)
        elif test.state == CONDITIONAL and not is_of_other_system(test):
            picks = _names_a_test(test.condition) or _picks_elsewhere(test.condition, place.path)
            picks = picks or takes_out(test, place.path)
            yield _Loss(place.path, test, "", BLOCK if picks else WARN)
    elif test.condition.startswith("nothing sets ") and ", which does " in test.marker:
        return  # a new test that asks for what its author has at hand, by a mark that others share
    elif (test.state == SKIPPED and ON_DEMAND not in test.marker) or (
        test.state == EXPECTED_FAIL and "strict" not in test.marker
    ):
        yield _Loss(place.path, test, "", WARN)


def _ignored_path(test: CollectedTest, place: _Place) -> str:
    """The path that a `collect_ignore` entry means, which counts from its conftest."""
    folder = place.path.rpartition("/")[0]
    entry = test.name.partition(" ")[2]
    return f"{folder}/{entry}" if folder else entry


def _names_a_test(condition: str) -> bool:
    """True for a condition that picks tests by their own name, id or file, or that holds the name of a test."""
    if _PICKS.search(condition):
        return True
    return not _SYSTEM.search(condition) and any(_TEST_NAME.search(text) for text in _LITERAL.findall(condition))


def _by_marker(losses: Iterable[_Loss]) -> Iterator[Finding]:
    grouped: dict[tuple[str, int, str, str, str, bool], list[_Loss]] = {}
    for loss in losses:
        test = loss.test
        key = (loss.path, test.line, test.marker, test.state, loss.severity, bool(loss.was))
        grouped.setdefault(key, []).append(loss)
    for (path, line, *_), group in grouped.items():
        first = group[0]
        step = code.next_step(code.SKIP_MARKER) if first.severity == BLOCK else _ASK
        tests = tuple(f"{loss.path}::{loss.test.name}" for loss in group if loss.test.kind != SETUP)
        yield Finding(code.SKIP_MARKER, first.severity, path, _message(group), step, line=line, tests=tests)


def _message(group: list[_Loss]) -> str:
    first = group[0]
    test = first.test
    names = [loss.test.name for loss in group]
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    cause = f"{test.marker}: {test.condition}" if test.condition else test.marker
    listed, _, ignored = test.name.partition(" ")
    if ignored and test.kind == SETUP:
        reason = f" ({test.condition})" if test.condition else ""
        return f"{listed} now keeps {ignored} from being collected{reason}"
    if test.kind == SETUP:
        return f"{shown} stands before tests that ran without it and leaves them {_IS_NOW[test.state]} ({cause})"
    if not first.was:
        return f"{shown} {'is' if len(names) == 1 else 'are'} new and {_IS_NOW[test.state]} ({cause})"
    return f"{shown} ran at the base and {'is' if len(names) == 1 else 'are'} now {_IS_NOW[test.state]} ({cause})"
