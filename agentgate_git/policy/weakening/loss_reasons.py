"""What explains a loss by what stands beside it: the other half of a condition, the other branch, a new field."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from agentgate_git.model.inventory import BUT_FOR, EXACT, SOUGHT, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_order import is_item_of, items_of, literals_of
from agentgate_git.policy.weakening.assertion_pool import LOST, VOID, Loss
from agentgate_git.policy.weakening.loss_signs import new_of
from agentgate_git.policy.weakening.test_matching import Pair

_QUOTES = "'\"`/"
_SIGNS = "*.?+^$"
_MIN_TEXT = 4
_BOTH = "&&"
_NOT = "!"
_STATE = pattern_of(r"is(Visible|Hidden|Enabled|Disabled|Checked|Editable)")
_PATTERN = pattern_of(r"/((?:[^/\\\n]|\\.)+)/\w*")
_MANY = 100
_WORD = pattern_of(r"\w{2,}")
_DEPRECATED = pattern_of(r"(?i:deprecat)|\bFutureWarning\b")
_EXTENTS = ("len ", "keys ", "set ", "sorted ", "shape ")
_MIN_CALL = 6
# How many rows are looked at.
_MOST = 100
# Between the names of parameters and a row of their values.
_NAMED = ": "
# Before a row of a loop over what stands there.
_EACH = "each "


def is_other_half_asserted(loss: Loss, pair: Pair) -> bool:
    """True for what fails only under one more condition now, where more is asserted when that does not hold.

    `a != b` may become `a && !b` and `!a && b`. What is asserted of other rows than before may need such conditions.
    """
    if loss.new is None or pair.new is None or loss.new.relation != _BOTH:
        return False
    if pair.old.test.rows != pair.new.test.rows:
        return True
    parts = loss.new.subject.split(_BOTH)
    added = [part.strip("()") for part in parts if part.strip("()") not in loss.old.subject]
    known = {one.text for one in pair.old.test.assertions}
    told = [f"{one.text} {one.condition}" for one in pair.new.test.assertions if one.text not in known]
    told.remove(next(one for one in told if one.startswith(loss.new.text)))
    return any(_says(_opposite(part), text) for part in added for text in told)


def is_for_other_machines(loss: Loss, pair: Pair) -> bool:
    """True for what is only asserted where no tests run, of a test that newly asserts as much where they do."""
    if loss.kind != VOID or loss.new is None or not loss.new.asks or pair.new is None:
        return False
    return len(pair.new.test.assertions) <= _MANY and bool(new_of(loss, pair, loss.old.strength))


def is_left_out(loss: Loss) -> bool:
    """True for a whole value of which a part is left out now."""
    return loss.new is not None and BUT_FOR in loss.new.relation and BUT_FOR not in loss.old.relation


def is_extent_told(loss: Loss, pair: Pair) -> bool:
    """True for a whole that is compared item by item now, where how many items there are, or which, is asserted too."""
    if loss.new is None or pair.new is None or not is_item_of(loss.old, loss.new):
        return False
    live = (one for one in pair.new.test.assertions if not (one.void or one.condition))
    return any(one.relation.startswith(_EXTENTS) and one.subject == loss.old.subject for one in live)


def is_key_left(loss: Loss, pair: Pair) -> bool:
    """True for a dict that stands there whole, where the test goes through some of its keys, which stand there too."""
    if pair.new is None or loss.old.expected[:1] != "{":
        return False
    asked = {row.removeprefix(_EACH) for row in pair.new.test.rows if row.startswith(_EACH)}
    keys = {item.partition(": ")[0] for item in items_of(loss.old.expected)}
    return bool(asked) and bool(keys - asked) and asked < keys | asked


def is_waited_for(loss: Loss) -> bool:
    """True for a state of a page that was asked at once, `page.isVisible(x)`, and that an assertion waits for now."""
    found = _STATE.fullmatch(loss.old.relation) if loss.old.subject.startswith("await ") else None
    return found is not None and loss.new is not None and loss.new.relation == f"toBe{found[1]}"


def is_kept_whole(loss: Loss) -> bool:
    """True for a value of several parts of which all are still sought: only more may stand beside them."""
    if loss.new is None or loss.old.strength != EXACT or loss.new.strength != SOUGHT:
        return False
    old, new = loss.old.expected, loss.new.expected
    value, among = old.strip(_QUOTES), new.strip(_QUOTES + _SIGNS)
    is_text = old[:1] in _QUOTES
    if is_text and value in among and len(value) < len(among) and loss.old.subject == loss.new.subject:
        return len(value) >= _MIN_TEXT  # all of it is sought, and more words with it
    is_same = old == new and loss.old.subject == loss.new.subject
    return is_same and loss.old.expected[:1] == "{" and bool(literals_of(loss.old.expected))


def is_end_of_pattern(loss: Loss) -> bool:
    """True for a text that was expected, where a pattern asks now how it begins or ends, in several of its words."""
    if loss.new is None or loss.new.strength != SOUGHT or loss.old.subject != loss.new.subject:
        return False
    found = _PATTERN.fullmatch(loss.new.expected)
    if found is None or not (found[1].startswith("^") or found[1].endswith("$")):
        return False
    asked = _WORD.findall(found[1])
    return len(asked) > 1 and frozenset(asked) <= frozenset(_WORD.findall(loss.old.expected))


def is_asked_both_ways(loss: Loss, pair: Pair) -> bool:
    """True for `(a != nil) == flag` that became one assertion of `a` where the flag is set and one where it is not."""
    if loss.new is None or pair.new is None or not loss.old.expected:
        return False
    flag = loss.old.expected
    of_same = [one for one in pair.new.test.assertions if not one.void and one.subject and _is_word(one, loss)]
    asked = {one.condition for one in of_same}
    return any(one in asked for one in (f"!({flag})", f"not {flag}", f"!{flag}")) and flag in asked


def _is_word(one: Assertion, loss: Loss) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(one.subject)}(?![\w(])", loss.old.subject) is not None


def is_of_new_rows(loss: Loss, pair: Pair) -> bool:
    """True for a condition on a parameter where all rows are still there, and what others ask is asserted otherwise."""
    if loss.new is None or pair.new is None or not _names_of_rows(pair).intersection(_WORD.findall(loss.new.condition)):
        return False
    if _beyond(pair.old.test.rows, pair.new.test.rows):
        return False
    live = (one for one in pair.new.test.assertions if not one.void)
    return any(_is_opposite(one.condition, loss.new.condition) for one in live)


def is_row_left_out(loss: Loss, pair: Pair) -> bool:
    """True for a condition that a parameter is there, where a row that had a value has None now in its place."""
    if loss.new is None or pair.new is None or " None" not in loss.new.condition:
        return False
    if not _names_of_rows(pair).intersection(_WORD.findall(loss.new.condition)):
        return False
    fresh = _beyond(pair.new.test.rows, pair.old.test.rows)
    has_none = any("None" in items_of(row.partition(_NAMED)[2]) for row in fresh[:_MOST])
    return has_none and bool(_beyond(pair.old.test.rows, pair.new.test.rows))


@lru_cache(maxsize=4)
def _beyond(rows: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    """The rows of one test that another has not; asked again for each of its assertions."""
    return tuple(Counter(rows) - Counter(others))


def is_of_own_state(loss: Loss, pair: Pair) -> bool:
    """True for an assertion about what a call gives, made only when what it gives says so, and nothing otherwise."""
    if loss.new is None or pair.new is None:
        return False
    whole = _first_call(loss.old.subject)
    if len(whole) < _MIN_CALL or whole == loss.old.subject or whole not in loss.new.condition:
        return False
    live = (one for one in pair.new.test.assertions if not one.void)
    return not any(_is_opposite(one.condition, loss.new.condition) for one in live)


def _first_call(subject: str) -> str:
    """The first call that a subject begins with, with what it is given."""
    depth = 0
    for at, sign in enumerate(subject):
        depth += (sign == "(") - (sign == ")")
        if sign == ")" and not depth:
            return subject[: at + 1]
    return ""


def _names_of_rows(pair: Pair) -> frozenset[str]:
    tests = (pair.old.test, pair.new.test) if pair.new is not None else (pair.old.test,)
    return frozenset(name for test in tests for row in test.rows[:1] for name in row.partition(_NAMED)[0].split(","))


def _is_opposite(one: str, other: str) -> bool:
    return bool(one and other) and (one == f"not {other}" or other == f"not {one}")


def _opposite(part: str) -> str:
    return part.removeprefix(_NOT).strip("()") if part.startswith(_NOT) else f"{_NOT}{part}"


def _says(part: str, text: str) -> bool:
    """True for a text with a condition that is not negated there."""
    return re.search(rf"(?<![\w.!]){re.escape(part)}(?![\w(])", text) is not None


def is_of_deprecation(loss: Loss) -> bool:
    """True for a warning that something will go, which ends when it has gone: `warns DeprecationWarning`."""
    told = f"{loss.old.relation} {loss.old.expected}"
    return loss.kind == LOST and _DEPRECATED.search(told) is not None
