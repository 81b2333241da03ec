"""E_ASSERT_WEAKENED: tests that still run and say less than they did at the base.

What an existing test asserted is looked for at the head: in the same test, in new or moved tests, in rows of a
parametrised test. Only what nothing else took over counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.inventory import CLOSE, PRESENT, STRENGTHS, TEST, Assertion
from agentgate_git.model.record import Record
from agentgate_git.policy.assertion_ledger import (
    CHECKERS,
    EDITED,
    FROM_OTHER_FILE,
    GUARDED,
    LOST,
    LOWERED,
    VOID,
    WIDENED,
    Account,
    Books,
    Loss,
    is_same_value,
    rank,
    settle,
)
from agentgate_git.policy.property_thinned import thinned
from agentgate_git.policy.subject_changes import SubjectChanges, subject_changes
from agentgate_git.policy.test_matching import LIVE, Matched, Pair, is_helper, match_tests

_ASK = "put it back, or ask a human to adopt the change"
_SHOWN = 90
_SYSTEM = ("sys.", "os.", "platform.", "TYPE_CHECKING", "version", "hasattr")
_WIDE = 10.0
_MATCHING = " matching"
# Comparisons without order: where a value has none, they are right.
_ORDERLESS = frozenset(("sorted", "set", "frozenset", "Counter"))
_SEVERITIES = (BLOCK, WARN, ADVICE)


class _Verdict(Record):
    severity: str
    message: str
    line: int


class _Told(Record):
    """A verdict on one test, with where it stands."""

    path: str
    name: str
    verdict: _Verdict


def assert_findings(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> tuple[Finding, ...]:
    """Findings for a whole change set, one for each test that lost force, the worst of what it lost."""
    matched = match_tests((one.tests for one in before), (one.tests for one in after))
    return tuple(_grouped(_told_of(matched, settle(matched, after), subject_changes(before, after))))


def _told_of(matched: Matched, books: Books, changes: SubjectChanges) -> Iterator[_Told]:
    has_fresh = any(place.test.kind == TEST for place in matched.fresh)
    thinner = {id(one): found for one in matched.pairs if (found := _thinned(one, changes, has_fresh))}
    for account in books.accounts:
        pair = account.pair
        verdicts = [*_verdicts(account, changes)]
        other = thinner.pop(id(pair), None)
        verdicts += [other] if other else []
        if verdicts and pair.new is not None:
            worst = min(verdicts, key=lambda one: _SEVERITIES.index(one.severity))
            more = f" (and {len(verdicts) - 1} more)" if len(verdicts) > 1 else ""
            yield _Told(pair.new.path, pair.new.test.name, worst._replace(message=worst.message + more))
    for pair in matched.pairs:
        if id(pair) in thinner:
            yield _Told(pair.old.path, pair.old.test.name, thinner[id(pair)])
    for place in matched.fresh:
        new = thinned(None, place.test)
        if new and new.severity == BLOCK and place.test.kind != TEST:
            yield _Told(place.path, place.test.name, _Verdict(BLOCK, new.text, place.test.line))


def _grouped(told: Iterable[_Told]) -> Iterator[Finding]:
    """One finding for each line: a test that several classes inherit is one test to its reader."""
    groups: dict[tuple[str, int, str, str], list[str]] = {}
    for one in told:
        last = one.name.rpartition("::")[2]
        groups.setdefault((one.path, one.verdict.line, last, one.verdict.severity), []).append(
            f"{one.name} {one.verdict.message}"
        )
    for (path, line, _, severity), messages in groups.items():
        others = f" (so in {len(messages) - 1} more)" if len(messages) > 1 else ""
        step = code.next_step(code.ASSERT_WEAKENED) if severity == BLOCK else _ASK
        yield Finding(code.ASSERT_WEAKENED, severity, path, messages[0] + others, step, line=line)


def _thinned(pair: Pair, changes: SubjectChanges, has_fresh: bool) -> _Verdict | None:
    if pair.new is None or pair.new.test.state not in LIVE or pair.old.test.state not in LIVE:
        return None
    found = thinned(pair.old.test, pair.new.test)
    if found is None:
        return None
    has_reason = has_fresh or changes.has_any or pair.old.test.body != pair.new.test.body
    severity = WARN if found.severity == BLOCK and found.is_arguable and has_reason else found.severity
    return _Verdict(severity, found.text, pair.new.test.line)


def _verdicts(account: Account, changes: SubjectChanges) -> Iterator[_Verdict]:
    pair = account.pair
    if pair.new is None or not (pair.new.test.state in LIVE or is_helper(pair.new)):
        return
    lost = [one for one in account.losses if one.kind in (LOST, VOID)]
    if lost and not account.live_left:
        first = next((one for one in lost if one.kind == VOID), lost[0])
        is_clear = any(one.kind == VOID or _says_something(one.old) for one in lost) and _is_checking(pair)
        yield _Verdict(BLOCK if is_clear else WARN, f"asserts nothing any more: {_told(first)}", _line(first, pair))
        return
    for loss in account.losses:
        verdict = _verdict(loss, pair, changes)
        if verdict is not None:
            yield verdict


def _verdict(loss: Loss, pair: Pair, changes: SubjectChanges) -> _Verdict | None:
    line = _line(loss, pair)
    old = _shown(loss.old)
    new = _shown(loss.new) if loss.new else ""
    if loss.kind == VOID:
        return _Verdict(BLOCK if _is_checking(pair) else WARN, f"cannot fail there any more: {_told(loss)}", line)
    if loss.kind == LOWERED:
        is_clear = _is_steep(loss) and _is_clear(loss, pair, changes)
        severity = BLOCK if is_clear else WARN
        return _Verdict(severity, f"asserts less: {old} became {new}", line)
    if loss.kind == WIDENED:
        severity = BLOCK if _is_wide(loss) and _is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"lets more pass: {old} became {new}", line)
    if loss.kind == GUARDED:
        condition = loss.new.condition if loss.new else ""
        if any(word in condition for word in _SYSTEM):
            return None
        return _Verdict(WARN, f"asserts {old} only when {condition}", line)
    if loss.kind == LOST:
        severity = BLOCK if _is_dropped_match(loss, pair) and _is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"does not assert any more that {old}", line)
    if loss.kind == EDITED and not changes.has_any and loss.new is not None and not is_same_value(loss.old, loss.new):
        return _Verdict(WARN, f"asserts something else and nothing else changed: {old} became {new}", line)
    return None


def _is_clear(loss: Loss, pair: Pair, changes: SubjectChanges) -> bool:
    """True where nothing but the test explains what it lost: it stands in its place, and so does what it looks at."""
    return _is_in_place(pair) and _is_checking(pair) and not changes.explain(pair.old, loss.old)


def _is_dropped_match(loss: Loss, pair: Pair) -> bool:
    """True for the words of an error that is still expected of the same call."""
    word = loss.old.relation.removesuffix(_MATCHING)
    if pair.new is None or word == loss.old.relation:
        return False
    return any(one.relation == word and one.subject == loss.old.subject for one in pair.new.test.assertions)


def _says_something(one: Assertion) -> bool:
    """False for what hardly any value fails (being there, or None where nothing is returned), and for what may be a
    call of the code under test: `verify(x)` of another file.
    """
    if one.relation.startswith(FROM_OTHER_FILE):
        return one.relation.removeprefix(FROM_OTHER_FILE).lstrip("_").lower().startswith("assert")
    return one.strength != PRESENT and not (one.relation == "==" and one.expected == "None")


def _is_checking(pair: Pair) -> bool:
    """True for tests, and for helpers of other files that are there to assert something, by their names."""
    name = pair.old.test.name.rpartition("::")[2].lstrip("_").lower()
    return not is_helper(pair.old) or name.startswith(CHECKERS)


def _told(loss: Loss) -> str:
    if loss.kind == VOID and loss.new is not None:
        return f"{_shown(loss.new)}, and {loss.new.void}"
    return f"{_shown(loss.old)} is gone"


def _line(loss: Loss, pair: Pair) -> int:
    if loss.new is not None:
        return loss.new.line
    return pair.new.test.line if pair.new else 0


def _shown(one: Assertion) -> str:
    text = " ".join(one.text.split())
    return f"`{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}`"


def _is_in_place(pair: Pair) -> bool:
    return pair.new is not None and pair.new.path == pair.old.path


def _is_steep(loss: Loss) -> bool:
    """A value that was told apart from others no longer is: beyond argument where no production code changed."""
    if loss.new is None or loss.old.relation.startswith(FROM_OTHER_FILE):
        return False
    if loss.new.relation.split(" ")[0] in _ORDERLESS:
        return False
    has_told_values = rank(loss.old) <= STRENGTHS.index(CLOSE)
    return has_told_values or loss.new.strength == PRESENT


def _is_wide(loss: Loss) -> bool:
    if loss.new is None or not loss.old.tolerance or not loss.new.tolerance:
        return False
    old, new = float(loss.old.tolerance), float(loss.new.tolerance)
    return new >= _WIDE * old
