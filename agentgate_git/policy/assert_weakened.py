"""E_ASSERT_WEAKENED: tests that still run and say less than they did at the base.

What an existing test asserted is looked for at the head: in the same test, in new or moved tests, in rows of a
parametrised test. Only what nothing else took over counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.inventory import (
    CLOSE,
    DOCTEST_OF,
    EXACT,
    PATTERN,
    PRESENT,
    SOUGHT,
    STRENGTHS,
    TEST,
    TYPE,
    Assertion,
)
from agentgate_git.model.pattern import pattern_of
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
    Settled,
)
from agentgate_git.policy.assertion_order import is_alike, is_opposite, is_same_value, literals_of, rank, said_in
from agentgate_git.policy.property_thinned import thinned
from agentgate_git.policy.subject_changes import SubjectChanges, subject_changes
from agentgate_git.policy.test_matching import LIVE, Matched, Pair, is_helper

_ASK = "put it back, or ask a human to adopt the change"
_SHOWN = 90
_SYSTEM = ("sys.", "os.", "platform.", "TYPE_CHECKING", "version", "hasattr")
_WIDE = 10.0
_CALLED = pattern_of(r"[^\W\d]\w*\(")
# Warnings of one file that are shown one by one.
_MANY = 8
_MIN_SUBJECT = 6
_MATCHING = " matching"
# Comparisons without order: where a value has none, they are right.
_ORDERLESS = frozenset(("sorted", "set", "frozenset", "Counter"))
_ERROR = pattern_of(r"\b(?:value|exception|exc_?info|exc|err(?:or)?|e|message|msg|warning)\b")
_IDENTITY = ("==", "is", "has type")
_ABOUT_EQUALITY = pattern_of(
    r"(?:^|_)(?:eq|ne|equal\w*|same\w*|identi\w*|reflexiv\w*|singleton\w*|hash\w*|compar\w*)(?:_|$)", re.I
)
_SEVERITIES = (BLOCK, WARN, ADVICE)


TYPE_CHECKING = False
if TYPE_CHECKING:
    _Group = tuple[str, int, str, str]


class _Verdict(Record):
    severity: str
    message: str
    line: int


class _Told(Record):
    """A verdict on one test, with where it stands."""

    path: str
    name: str
    verdict: _Verdict


def assert_findings(change: Settled) -> tuple[Finding, ...]:
    """Findings for a whole change set, one for each test that lost force, the worst of what it lost."""
    changes = subject_changes(change.before, change.after)
    return tuple(_grouped(_told_of(change.matched, change.books, changes)))


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
    groups: dict[_Group, list[_Told]] = {}
    for one in told:
        last = one.name.rpartition("::")[2]
        groups.setdefault((one.path, one.verdict.line, last, one.verdict.severity), []).append(one)
    for (path, line, _, severity), found in _merged(groups):
        others = f" (so in {len(found) - 1} more)" if len(found) > 1 else ""
        message = f"{found[0].name} {found[0].verdict.message}{others}"
        step = code.next_step(code.ASSERT_WEAKENED) if severity == BLOCK else _ASK
        tests = tuple(dict.fromkeys(f"{one.path}::{one.name}" for one in found))
        yield Finding(code.ASSERT_WEAKENED, severity, path, message, step, line=line, tests=tests)


def _merged(groups: dict[_Group, list[_Told]]) -> Iterator[tuple[_Group, list[_Told]]]:
    """One group for the warnings of a file where there are many: a change that hits them all is one change."""
    per_file = Counter(path for path, _, _, severity in groups if severity != BLOCK)
    gathered: dict[str, list[_Told]] = {}
    for key, found in groups.items():
        if key[3] != BLOCK and per_file[key[0]] > _MANY:
            gathered.setdefault(key[0], []).extend(found)
        else:
            yield key, found
    for path, found in gathered.items():
        yield (path, found[0].verdict.line, "", WARN), found


def _thinned(pair: Pair, changes: SubjectChanges, has_fresh: bool) -> _Verdict | None:
    if pair.new is None or pair.new.test.state not in LIVE or pair.old.test.state not in LIVE:
        return None
    found = thinned(pair.old.test, pair.new.test)
    if found is None or (found.is_arguable and found.severity != BLOCK and changes.has_any):
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
        is_clear = (
            not all(_is_about_equality(one, pair) for one in lost)
            and any(one.kind == VOID or _says_something(one.old) for one in lost)
            and _is_checking(pair)
            and not (_is_documentation(pair) and all(one.kind == LOST for one in lost))
        )
        yield _Verdict(BLOCK if is_clear else WARN, f"asserts nothing any more: {_told(first)}", _line(first, pair))
        return
    for loss in account.losses:
        verdict = _verdict(loss, pair, changes, account.helpers)
        if verdict is not None:
            yield verdict


def _verdict(loss: Loss, pair: Pair, changes: SubjectChanges, helpers: frozenset[str]) -> _Verdict | None:
    line = _line(loss, pair)
    old = _shown(loss.old)
    new = _shown(loss.new) if loss.new else ""
    if loss.kind == VOID:
        is_clear = _is_checking(pair) and not _is_about_equality(loss, pair)
        return _Verdict(BLOCK if is_clear else WARN, f"cannot fail there any more: {_told(loss)}", line)
    if loss.kind == LOWERED:
        is_explained = changes.has_any and not _is_of_old_value(loss)
        is_clear = _is_steep(loss) and not is_explained and _is_clear(loss, pair, changes)
        is_clear = is_clear and not (changes.has_any and (_is_said_in_parts(loss, pair) or _is_of_message(loss)))
        is_clear = is_clear and not (_is_subclass_let_in(loss) or _is_about_equality(loss, pair))
        severity = BLOCK if is_clear else WARN
        return _Verdict(severity, f"asserts less: {old} became {new}", line)
    if loss.kind == WIDENED:
        severity = BLOCK if _is_wide(loss) and _is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"lets more pass: {old} became {new}", line)
    if loss.kind == GUARDED:
        condition = loss.new.condition if loss.new else ""
        if any(word in condition for word in _SYSTEM):
            return None
        is_own = len(loss.old.subject) >= _MIN_SUBJECT and loss.old.subject in condition and "except" not in condition
        is_clear = is_own and not _new_of(loss, pair, CLOSE) and _is_clear(loss, pair, changes)
        severity = BLOCK if is_clear else WARN
        return _Verdict(severity, f"asserts {old} only when {condition}", line)
    if loss.kind == LOST:
        is_peak = not changes.has_any and _is_peak(loss, pair)
        severity = BLOCK if (is_peak or _is_dropped_match(loss, pair)) and _is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"does not assert any more that {old}", line)
    if loss.kind != EDITED or loss.new is None:
        return None
    if loss.new.relation.startswith(FROM_OTHER_FILE) and loss.new.relation.removeprefix(FROM_OTHER_FILE) in helpers:
        return None
    if _is_in_parts(loss, pair):
        return None
    if _is_part(loss, pair):
        severity = BLOCK if not changes.has_any and _is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"asserts only a part of it: {old} became {new}", line)
    if not changes.has_any and (is_opposite(loss.old, loss.new) or not is_same_value(loss.old, loss.new)):
        return _Verdict(WARN, f"asserts something else and nothing else changed: {old} became {new}", line)
    return None


def _is_clear(loss: Loss, pair: Pair, changes: SubjectChanges) -> bool:
    """True where nothing but the test explains what it lost: it stands in its place, and so does what it looks at."""
    return _is_in_place(pair) and _is_checking(pair) and not changes.explain(pair.old, loss.old)


def _is_peak(loss: Loss, pair: Pair) -> bool:
    """True when it told values apart and nothing that the test still asserts does."""
    closest = STRENGTHS.index(CLOSE)
    if pair.new is None or rank(loss.old) > closest or loss.old.relation.startswith(FROM_OTHER_FILE):
        return False
    called = _CALLED.search(loss.old.subject)
    left = [one for one in pair.new.test.assertions if not one.void]
    if is_helper(pair.old) and _is_checking(pair):
        return all(rank(one) > closest for one in left)
    return all(
        rank(one) > closest and (is_alike(loss.old, one) or (called is not None and called[0] in one.text))
        for one in left
    ) and not any(one.relation.startswith(("raises", "warns")) for one in left)


def _is_in_parts(loss: Loss, pair: Pair) -> bool:
    """True when every value that was expected of the whole is expected of its parts now."""
    if loss.new is None or pair.new is None or loss.old.subject not in loss.new.subject:
        return False
    wanted = literals_of(loss.old.expected)
    return bool(wanted) and loss.new.subject != loss.old.subject and wanted <= _left(pair)


def _left(pair: Pair) -> frozenset[str]:
    """The values in what a test still asserts."""
    tests = pair.new.test.assertions if pair.new else ()
    return frozenset(value for one in tests if not one.void for value in literals_of(one.text))


def _new_of(loss: Loss, pair: Pair, strength: str) -> tuple[Assertion, ...]:
    """What the test asserts now, always, of the same thing and did not before, as closely as `strength` or closer."""
    if pair.new is None:
        return ()
    known = {one.text for one in pair.old.test.assertions}
    new = (one for one in pair.new.test.assertions if not (one.void or one.condition or one.text in known))
    return tuple(one for one in new if rank(one) <= STRENGTHS.index(strength) and is_alike(loss.old, one))


def _is_said_in_parts(loss: Loss, pair: Pair) -> bool:
    """True for a value of which several things are asserted now: how many it holds, and of what type."""
    return len({one.subject for one in _new_of(loss, pair, TYPE)}) > 1


def _is_of_message(loss: Loss) -> bool:
    """True for the words of an error, which Python words anew, that are still sought, all of them."""
    if loss.new is None or loss.new.strength != SOUGHT or not _ERROR.search(loss.old.subject):
        return False
    return loss.new.expected.strip("'\"") in (text := loss.old.expected.strip("()',\"")) and len(text) <= len(
        loss.new.expected
    )


def _is_subclass_let_in(loss: Loss) -> bool:
    """True for a type that was asked for by identity and may be a subclass now."""
    if loss.new is None or loss.new.relation not in ("isinstance", "issubclass"):
        return False
    return loss.new.expected == loss.old.expected and loss.old.relation in _IDENTITY


def _is_about_equality(loss: Loss, pair: Pair) -> bool:
    """True where a test of `==` itself compares a thing with itself, or with something else as unequal."""
    if loss.new is None or not _ABOUT_EQUALITY.search(pair.old.test.name.rpartition("::")[2]):
        return False
    called = _CALLED.findall(loss.new.subject)
    is_thing = all(name.lstrip("_")[:1].isupper() for name in called)
    return loss.new.relation == "!=" if loss.kind != VOID else "itself" in loss.new.void and is_thing


def _is_part(loss: Loss, pair: Pair) -> bool:
    """True when only some of the values that were expected are expected of anything in the test now."""
    if loss.new is None or pair.new is None or loss.old.strength != EXACT or loss.new.subject == loss.old.subject:
        return False
    before, after = literals_of(loss.old.expected), literals_of(loss.new.expected)
    is_of_another = bool(_CALLED.search(loss.new.subject)) and not is_alike(loss.old, loss.new)
    if not (after and after < before) or is_of_another:
        return False
    return not before <= _left(pair) | said_in(loss.new.expected)


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
    return not is_helper(pair.old) or pair.old.test.marker == PATTERN or name.startswith(CHECKERS)


def _is_documentation(pair: Pair) -> bool:
    """True for examples in a docstring: which of them are shown is for those who write the documentation."""
    return pair.old.test.name.startswith(DOCTEST_OF)


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


def _is_of_old_value(loss: Loss) -> bool:
    """True when what stands there now is the old value seen less closely, not another value."""
    if loss.new is None or loss.new.strength not in (CLOSE, SOUGHT):
        return True
    return is_same_value(loss.old, loss.new) or loss.new.expected.strip("'\"") in loss.old.expected


def _is_wide(loss: Loss) -> bool:
    if loss.new is None or not loss.old.tolerance or not loss.new.tolerance:
        return False
    old, new = float(loss.old.tolerance), float(loss.new.tolerance)
    return new >= _WIDE * old
