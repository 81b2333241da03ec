"""E_ASSERT_WEAKENED: tests that still run and say less than they did at the base.

What an existing test asserted is looked for at the head: in the same test, in new or moved tests, in rows of a
parametrised test. Only what nothing else took over counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.inventory import CLOSE, DECIDED, IS_SET, TEST, Assertion, CollectedTest
from agentgate_git.model.record import Record
from agentgate_git.policy.weakening import loss_reasons as reasons
from agentgate_git.policy.weakening import loss_signs as signs
from agentgate_git.policy.weakening.added_conditions import (
    added_condition,
    in_words,
    is_asked_for,
    is_of_one_value,
    is_off_in_ci,
)
from agentgate_git.policy.weakening.assertion_ledger import Account, Books, Settled
from agentgate_git.policy.weakening.assertion_order import is_any_of, is_item_of, is_made_round, is_opposite
from agentgate_git.policy.weakening.assertion_pool import (
    EDITED,
    FROM_OTHER_FILE,
    GUARDED,
    HANDED,
    LOST,
    LOWERED,
    VOID,
    WIDENED,
    Loss,
)
from agentgate_git.policy.weakening.before_act import before_act
from agentgate_git.policy.weakening.commented_out import CommentedOut
from agentgate_git.policy.weakening.left_uncompared import left_out_more, shown
from agentgate_git.policy.weakening.other_values import (
    is_bound_moved,
    is_computed,
    is_crash,
    is_crash_let_in,
    is_little_left,
    is_of_private,
    is_put_in_order,
    is_shorter,
    is_slower,
    is_unrelated,
    is_wide,
)
from agentgate_git.policy.weakening.own_results import (
    is_after_the_end,
    is_of_own_result,
    is_of_same_arguments,
    is_only_if_raised,
    is_only_if_rejected,
    is_only_without_error,
)
from agentgate_git.policy.weakening.property_thinned import are_tests_now, thinned
from agentgate_git.policy.weakening.subject_changes import SubjectChanges
from agentgate_git.policy.weakening.test_matching import LIVE, Matched, Pair, is_helper
from agentgate_git.policy.weakening.unasked import not_awaited, unasked

_ASK = "put it back, or ask a human to adopt the change"
_SHOWN = 90
_SYSTEM = ("sys.", "os.", "platform.", "TYPE_CHECKING", "version", "hasattr")
# Warnings of one file that are shown one by one.
_MANY = 8
_MIN_SUBJECT = 6
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
    return tuple(_grouped(_told_of(change.matched, change.books, change.subject, change.hidden)))


def _told_of(matched: Matched, books: Books, changes: SubjectChanges, hidden: CommentedOut) -> Iterator[_Told]:
    fresh = tuple(place.test for place in matched.fresh if place.test.kind == TEST)
    thinner = {id(one): found for one in matched.pairs if (found := _thinned(one, changes, fresh))}
    for account in books.accounts:
        pair = account.pair
        verdicts = [*_verdicts(account, changes, hidden)]
        verdicts += [*_left_out(pair)]
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


def _thinned(pair: Pair, changes: SubjectChanges, fresh: tuple[CollectedTest, ...]) -> _Verdict | None:
    if pair.new is None or not (_is_tried(pair.new.test) or _is_rule(pair.old.test)) or not _is_tried(pair.old.test):
        return None
    found = thinned(pair.old.test, pair.new.test)
    if found is None or (found.is_arguable and found.severity != BLOCK and changes.has_any):
        return None
    if any(not found.is_moved_by.isdisjoint(one.calls) and one.assertions for one in fresh):
        return None
    if are_tests_now(found.lost, pair.old.test, fresh):
        return None
    if found.is_of_domain and changes.has_any:
        return _Verdict(WARN, found.text, pair.new.test.line)
    has_reason = bool(fresh) or changes.has_any or pair.old.test.body != pair.new.test.body
    severity = WARN if found.severity == BLOCK and found.is_arguable and has_reason else found.severity
    return _Verdict(severity, found.text, pair.new.test.line)


def _left_out(pair: Pair) -> Iterator[_Verdict]:
    """Comparisons that are the same but for what they leave out."""
    new = pair.new.test.assertions if pair.new is not None and pair.new.test.state in LIVE else ()
    lines = {one.text: one.line for one in new if not one.void}
    for text, added in left_out_more((one.text for one in pair.old.test.assertions), lines):
        yield _Verdict(WARN, f"leaves {shown(added)} out of a comparison", lines[text])


def _is_tried(test: CollectedTest) -> bool:
    """True for tests that run, and for the rules of a state machine, which its test runs."""
    return test.state in LIVE or _is_rule(test)


def _is_rule(test: CollectedTest) -> bool:
    return any(name == "rule" for name, _ in test.knobs)


def _verdicts(account: Account, changes: SubjectChanges, hidden: CommentedOut) -> Iterator[_Verdict]:
    pair = account.pair
    if pair.new is None or not (pair.new.test.state in LIVE or is_helper(pair.new)):
        return
    if command := unasked(pair):
        text = f"no longer asks whether `{command}` ended well"
        yield _Verdict(WARN if changes.has_any else BLOCK, text, pair.new.test.line)
    if name := not_awaited(pair):
        text = f"asks whether there is a coroutine, which nothing awaits, in place of what `{name}()` gives"
        yield _Verdict(BLOCK, text, pair.new.test.line)
    if act := before_act(pair):
        text = f"asserts nothing behind `{act}()` any more: what it asserted of that stands before it"
        yield _Verdict(WARN if changes.has_any else BLOCK, text, pair.new.test.line)
    lost = [one for one in account.losses if one.kind in (LOST, VOID)]
    if lost and (not account.live_left or signs.is_only_quiet(pair)):
        first = next((one for one in lost if one.kind == VOID), lost[0])
        is_clear = (
            not all(signs.is_about_equality(one, pair) for one in lost)
            and any(one.kind == VOID or signs.says_something(one.old) for one in lost)
            and signs.is_checking(pair)
            and not (signs.is_documentation(pair) and all(one.kind == LOST for one in lost))
            and not (changes.has_any and all(map(reasons.is_of_deprecation, lost)))
        )
        yield _Verdict(BLOCK if is_clear else WARN, f"asserts nothing any more: {_told(first)}", _line(first, pair))
        return
    is_cut_out = bool(lost) and not changes.has_any and signs.is_cut_out(pair)
    for loss in account.losses:
        if loss.kind in (LOST, EDITED, LOWERED) and hidden.has_script(pair.old.path, loss.old.text):
            text = f"asserts {_shown(loss.old)} only where the file is run as a script"
            yield _Verdict(BLOCK if signs.is_clear(loss, pair, changes) else WARN, text, _line(loss, pair))
            continue
        is_replaced = changes.has_any and signs.is_asserted_of_same(loss, pair)
        is_hidden = loss.kind == LOST and hidden.has_check(pair.old.path, loss.old.text) and not is_replaced
        if is_hidden and signs.is_clear(loss, pair, changes):
            yield _Verdict(BLOCK, f"asserts {_shown(loss.old)} only in a comment", _line(loss, pair))
            continue
        if loss.kind == LOST:
            verdict = _lost(loss, pair, changes, is_cut_out=is_cut_out)
        else:
            verdict = _verdict(loss, pair, changes, account.helpers)
        if verdict is not None:
            yield verdict


def _verdict(loss: Loss, pair: Pair, changes: SubjectChanges, helpers: frozenset[str]) -> _Verdict | None:
    line = _line(loss, pair)
    old = _shown(loss.old)
    if reasons.is_for_other_machines(loss, pair):
        # Another value is expected where the tests run; the old one stays for where none does.
        return None if changes.has_any else _Verdict(WARN, f"cannot fail there any more: {_told(loss)}", line)
    if loss.kind == VOID:
        is_clear = signs.is_checking(pair) and not signs.is_about_equality(loss, pair)
        is_clear = is_clear and not (loss.new is not None and loss.new.relation == IS_SET and changes.has_any)
        return _Verdict(BLOCK if is_clear else WARN, f"cannot fail there any more: {_told(loss)}", line)
    if loss.kind == HANDED and loss.new is not None:
        return _Verdict(WARN, f"asserts {old}, which a stand-in for {loss.new.subject} hands over now", line)
    if loss.kind == LOWERED:
        if reasons.is_other_half_asserted(loss, pair) or reasons.is_extent_told(loss, pair):
            return None
        severity = BLOCK if _is_clearly_less(loss, pair, changes) else WARN
        return _Verdict(severity, f"asserts less: {_became(loss)}", line)
    if loss.kind == WIDENED:
        is_sure = is_wide(loss) or (is_crash_let_in(loss) and not changes.has_any)
        severity = BLOCK if is_sure and signs.is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"lets more pass: {_became(loss)}", line)
    if loss.kind == GUARDED:
        return _guarded(loss, pair, changes)
    if loss.kind == EDITED and loss.new is not None:
        return _edited(loss, loss.new, pair, changes, helpers)
    return None


def _is_clearly_less(loss: Loss, pair: Pair, changes: SubjectChanges) -> bool:
    """True for a weaker assertion where nothing explains it."""
    if loss.new is not None and is_any_of(loss.old, loss.new):
        return not changes.has_any and signs.is_clear(loss, pair, changes)
    if loss.new is not None and is_made_round(loss.old, loss.new):
        return not changes.has_any and signs.is_clear(loss, pair, changes)
    if loss.new is not None and is_item_of(loss.old, loss.new):
        return reasons.is_key_left(loss, pair) and signs.is_clear(loss, pair, changes)
    if not (signs.is_steep(loss) or signs.is_order_lost(loss, pair)) or not signs.is_clear(loss, pair, changes):
        return False
    if changes.has_any and (reasons.is_left_out(loss) or not signs.is_of_old_value(loss)):
        return False
    if changes.has_any and (reasons.is_kept_whole(loss) or reasons.is_end_of_pattern(loss)):
        return False
    if changes.has_any and (signs.is_said_in_parts(loss, pair) or signs.is_of_message(loss)):
        return False
    return not (signs.is_subclass_let_in(loss) or signs.is_about_equality(loss, pair))


def _guarded(loss: Loss, pair: Pair, changes: SubjectChanges) -> _Verdict | None:
    """An assertion that is made under a condition now."""
    condition = added_condition(loss)
    message = f"asserts {_shown(loss.old)} only when {in_words(condition)}"
    if is_off_in_ci(condition) and not is_off_in_ci(loss.old.condition):
        return _Verdict(BLOCK, message, _line(loss, pair))
    if is_asked_for(condition) and not is_asked_for(loss.old.condition):
        is_clear = not changes.has_any and signs.is_clear(loss, pair, changes)
        return _Verdict(BLOCK if is_clear else WARN, message, _line(loss, pair))
    if signs.is_other_way(loss, pair):
        return None
    if reasons.is_of_new_rows(loss, pair):
        return None
    if reasons.is_row_left_out(loss, pair):
        return _Verdict(BLOCK if signs.is_clear(loss, pair, changes) else WARN, message, _line(loss, pair))
    if loss.old.condition or any(word in condition for word in _SYSTEM):
        # What the machine decides is for an outside reason, as a skip under the same condition is.
        return _Verdict(WARN, message, _line(loss, pair))
    if reasons.is_asked_both_ways(loss, pair):
        return None
    left = pair.new.test.assertions if pair.new else ()
    is_untold = is_after_the_end(loss) or is_only_without_error(loss)
    if is_untold or is_only_if_rejected(loss, left) or is_only_if_raised(loss, left):
        severity = BLOCK if signs.is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, message, _line(loss, pair))
    is_own = signs.is_of_bound_value(loss) or (
        len(loss.old.subject) >= _MIN_SUBJECT and loss.old.subject in condition and "except" not in condition
    )
    is_own = is_own or reasons.is_of_own_state(loss, pair) or DECIDED in condition
    is_own = is_own or (is_of_one_value(condition) and not changes.has_any)
    # `[ "$x" = 1 ] || exit 0` of shell is a comparison as well, which the grammar does not read alike everywhere.
    is_own = is_own and not loss.old.text.startswith(condition)
    is_clear = is_own and not signs.new_of(loss, pair, CLOSE) and signs.is_clear(loss, pair, changes)
    return _Verdict(BLOCK if is_clear else WARN, message, _line(loss, pair))


def _lost(loss: Loss, pair: Pair, changes: SubjectChanges, *, is_cut_out: bool) -> _Verdict | None:
    """An assertion that nothing took over, of a test of which the half may be gone."""
    line, old = _line(loss, pair), _shown(loss.old)
    if signs.is_branch_gone(loss, pair) or signs.is_given_up(loss, pair):
        return None
    if signs.is_only_asked(loss, pair):
        severity = BLOCK if signs.is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"only asks whether {old}, and asserts it no more", line)
    if signs.is_said_twice(loss, pair) or signs.is_of_set_up(loss, pair):
        return None
    if pair.new is not None and is_only_if_rejected(loss, pair.new.test.assertions):
        severity = BLOCK if signs.is_clear(loss, pair, changes) else WARN
        return _Verdict(severity, f"asserts no more that {old}, and looks at a failure only if there is one", line)
    is_peak = not changes.has_any and (is_cut_out or signs.is_peak(loss, pair) or signs.is_extent(loss))
    is_clear = (is_peak or signs.is_dropped_match(loss, pair)) and signs.is_clear(loss, pair, changes)
    return _Verdict(BLOCK if is_clear else WARN, f"does not assert any more that {old}", line)


def _edited(
    loss: Loss, new: Assertion, pair: Pair, changes: SubjectChanges, helpers: frozenset[str]
) -> _Verdict | None:
    """An assertion of another value, which is as strong."""
    if new.relation.startswith(FROM_OTHER_FILE) and new.relation.removeprefix(FROM_OTHER_FILE) in helpers:
        return None
    if signs.is_in_parts(loss, pair) or reasons.is_waited_for(loss):
        return None
    is_clear = not changes.has_any and signs.is_clear(loss, pair, changes)
    if is_of_own_result(loss):
        is_sure = is_clear or (is_of_same_arguments(loss) and signs.is_clear(loss, pair, changes))
        return _Verdict(BLOCK if is_sure else WARN, f"compares it with what it gives itself: {_became(loss)}", new.line)
    if signs.is_part(loss, pair):
        return _Verdict(BLOCK if is_clear else WARN, f"asserts only a part of it: {_became(loss)}", new.line)
    if is_shorter(loss):
        is_steep = is_clear and is_little_left(loss)
        return _Verdict(BLOCK if is_steep else WARN, f"asserts less: {_became(loss)}", new.line)
    if is_bound_moved(loss):
        return _Verdict(BLOCK if is_clear else WARN, f"lets more pass: {_became(loss)}", new.line)
    has_reason = changes.has_reason(pair.new.path if pair.new else "")
    if not has_reason and (is_opposite(loss.old, new) or signs.is_of_other_value(loss)):
        is_told = is_slower(loss) or is_crash(loss) or is_computed(loss)
        severity = BLOCK if is_clear and is_told else WARN
        what = "nothing that it reaches" if changes.has_any else "nothing else"
        return _Verdict(severity, f"asserts something else and {what} changed: {_became(loss)}", new.line)
    if not has_reason and is_put_in_order(loss):
        return _Verdict(WARN, f"puts in order what it asserts the order of: {_became(loss)}", new.line)
    if is_of_private(loss.old, new):
        return _Verdict(WARN, f"asks a private part of the same module: {_became(loss)}", new.line)
    if is_unrelated(loss, pair) and not changes.explain(pair.old, loss.old):
        return _Verdict(WARN, f"does not assert any more that {_shown(loss.old)}", new.line)
    return None


def _became(loss: Loss) -> str:
    return f"{_shown(loss.old)} became {_shown(loss.new) if loss.new else ''}"


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
