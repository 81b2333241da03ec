"""What a loss looks like: the signs by which it is beyond argument, or by which something explains it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from agentgate_git.model.inventory import (
    CLOSE,
    DOCTEST_OF,
    EXACT,
    GIVES_UP,
    IS_THERE,
    NONE,
    PATTERN,
    PRESENT,
    SOUGHT,
    STRENGTHS,
    TAKES_TEST,
    TYPE,
    Assertion,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_ledger import CHECKERS
from agentgate_git.policy.weakening.assertion_order import (
    RANKS,
    is_alike,
    is_same_value,
    items_of,
    literals_in,
    literals_of,
    rank,
    said_in,
)
from agentgate_git.policy.weakening.assertion_pool import FROM_OTHER_FILE, VOID, Loss
from agentgate_git.policy.weakening.subject_changes import SubjectChanges
from agentgate_git.policy.weakening.test_matching import Pair, is_helper

_CALLED = pattern_of(r"(?<!\w)[^\W\d]\w*\(")
_TIMES = ("toHaveBeenCalledTimes", "toBeCalledTimes", "toHaveBeenCalledOnce", "toHaveBeenCalledExactlyOnceWith")
_MIN_SUBJECT = 6
_MATCHING = " matching"
# What only asks that a call comes back, in whatever words.
_QUIET = "does not throw"
# Comparisons without order: where a value has none, they are right.
_ORDERLESS = frozenset(("sorted", "set", "frozenset", "Counter"))
_ERROR = pattern_of(r"\b(?:value|exception|exc_?info|exc|err(?:or)?|e|message|msg|warning)\b")
_NOTHING = ("false", "null")
_TAKES = pattern_of(
    r"next|pop|shift|take|read|poll|recv|receive|dequeue|rand|remove|get\w*AndI|\+\+|--|await|yield", re.I
)
_OWN = pattern_of(r"assert_?[A-Za-z]\w*")
# What prepares or clears away in Go, whose error is asked for each time.
_SET_UP = frozenset(
    (
        *("MkdirTemp", "TempDir", "TempFile", "CreateTemp", "Chdir", "Getwd", "Setenv", "Unsetenv", "Mkdir"),
        "MkdirAll",
        *("RemoveAll", "Remove", "Close", "Rel", "Abs", "NewRequest", "ReadAll", "Listen", "Hostname", "Executable"),
    )
)
_LEFT_EARLY = "return before"
_TOKEN = pattern_of(r"\w+")
_BOUND = pattern_of(r"(?:if )?(?:let|var) (?:mut |ref )?(?:(?:Ok|Some|Err)\((?:mut |ref |&)?)?([a-z_]\w*)\)?=")
_ABOUT_ORDER = pattern_of(
    r"(?:^|_)(?:order\w*|sort\w*|reverse\w*|newest|oldest|latest|earliest|first|last|rank\w*|top|prior\w*|asc\w*|desc\w*)(?:_|$)",
    re.I,
)
_EXTENTS = (
    ("len ==", pattern_of(r"(?:\w+\.)*len\([^()]+\)").fullmatch),
    ("keys ==", pattern_of(r"[^()]+\.keys\(\)").fullmatch),
)
_TAKES_OUT = frozenset(("pop", "popitem", "remove", "discard", "popleft", "__delitem__", "difference_update"))
_DISPLAYS = ("{", "[", "(")
_IDENTITY = ("==", "is", "has type")
_ABOUT_EQUALITY = pattern_of(
    r"(?:^|_)(?:eq|ne|equal\w*|same\w*|identi\w*|reflexiv\w*|singleton\w*|hash\w*|compar\w*)(?:_|$)", re.I
)


def is_clear(loss: Loss, pair: Pair, changes: SubjectChanges) -> bool:
    """True where nothing but the test explains what it lost: it stands in its place, and so does what it looks at."""
    return _is_in_place(pair) and is_checking(pair) and not changes.explain(pair.old, loss.old)


def is_peak(loss: Loss, pair: Pair) -> bool:
    """True when it told values apart and nothing that the test still asserts does."""
    closest = STRENGTHS.index(CLOSE)
    if pair.new is None or rank(loss.old) > closest or loss.old.relation.startswith(FROM_OTHER_FILE):
        return False
    called = _CALLED.search(loss.old.subject)
    left = [one for one in pair.new.test.assertions if not one.void]
    if is_helper(pair.old) and is_checking(pair):
        return all(rank(one) > closest for one in left)
    return all(
        rank(one) > closest
        and (is_alike(loss.old, one) or (called is not None and called[0] in one.text) or one.relation == _QUIET)
        for one in left
    ) and not any(one.relation.startswith(("raises", "warns")) for one in left)


def is_only_quiet(pair: Pair) -> bool:
    """True where nothing is left but that a call comes back, which was not all before."""
    left = [one for one in pair.new.test.assertions if not one.void] if pair.new else []
    before = [one for one in pair.old.test.assertions if not one.void]
    is_quiet = bool(left) and all(one.relation == _QUIET for one in left)
    return is_quiet and any(rank(one) <= STRENGTHS.index(CLOSE) for one in before)


def is_in_parts(loss: Loss, pair: Pair) -> bool:
    """True when every value that was expected of the whole is expected of its parts now."""
    if loss.new is None or pair.new is None or loss.old.subject not in loss.new.subject:
        return False
    wanted = literals_of(loss.old.expected)
    return bool(wanted) and loss.new.subject != loss.old.subject and wanted <= _left(pair)


def is_other_way(loss: Loss, pair: Pair) -> bool:
    """True for what is asserted under a condition now where the test asserts as much of the same call without it."""
    called = _CALLED.search(loss.old.subject)
    if loss.new is None or pair.new is None or called is None:
        return False
    return any(
        bool(one.condition)
        and loss.new.condition in (f"not {one.condition}", one.condition.removeprefix("not "))
        and loss.new.condition != one.condition
        and rank(one) <= rank(loss.old)
        and called[0] in one.subject
        and not one.void
        for one in pair.new.test.assertions
    )


def is_of_bound_value(loss: Loss) -> bool:
    """True for what is asserted of a value only where the condition finds one: `if let Ok(x) = f() { assert!(x) }`."""
    if loss.new is not None and loss.new.condition.endswith(IS_THERE):
        return loss.new.condition.removesuffix(IS_THERE).rpartition(" and ")[2] in loss.old.subject
    found = _BOUND.search(loss.new.condition) if loss.new is not None else None
    return found is not None and re.search(rf"\b{re.escape(found[1])}\b", loss.old.subject) is not None


def is_only_asked(loss: Loss, pair: Pair) -> bool:
    """True for what decides now whether other assertions are made, and is none itself."""
    if pair.new is None or len(loss.old.text) < _MIN_SUBJECT:
        return False
    before = {one.condition for one in pair.old.test.assertions}
    asked = (one.condition for one in pair.new.test.assertions if one.condition not in before)
    wanted = loss.old.text
    if any(wanted in condition and f"not {wanted}" not in condition for condition in asked):
        return True
    inner = wanted[wanted.find("(") + 1 : -1] if wanted.endswith(")") else wanted
    left = pair.new.test.condition if pair.new.test.marker.startswith(_LEFT_EARLY) else ""
    return len(inner) >= _MIN_SUBJECT and inner in left and pair.old.test.condition != left


def is_given_up(loss: Loss, pair: Pair) -> bool:
    """True for a helper that gave up in the end, of which the test makes no use any more."""
    return loss.old.relation == GIVES_UP and pair.new is not None and loss.old.via not in ("", *pair.new.test.calls)


def is_said_twice(loss: Loss, pair: Pair) -> bool:
    """True for what was asserted twice in a row and still is once, of what is the same whenever it is asked."""
    if pair.new is None or _TAKES.search(loss.old.subject):
        return False
    lines = sorted(one.line for one in pair.old.test.assertions if one.text == loss.old.text)
    is_in_a_row = any(second - first == 1 for first, second in pairwise(lines))
    return is_in_a_row and any(one.text == loss.old.text and not one.void for one in pair.new.test.assertions)


def _left(pair: Pair) -> frozenset[str]:
    """The values in what a test still asserts."""
    tests = pair.new.test.assertions if pair.new else ()
    return frozenset(value for one in tests if not one.void for value in literals_of(one.text))


def new_of(loss: Loss, pair: Pair, strength: str) -> tuple[Assertion, ...]:
    """What the test asserts now, always, of the same thing and did not before, as closely as `strength` or closer."""
    if pair.new is None:
        return ()
    known = {one.text for one in pair.old.test.assertions}
    new = (one for one in pair.new.test.assertions if not (one.void or one.condition or one.text in known))
    limit = RANKS[strength]
    return tuple(one for one in new if rank(one) <= limit and is_alike(loss.old, one))


def is_branch_gone(loss: Loss, pair: Pair) -> bool:
    """True for what was asserted in one branch where what the other asserted is asserted always now."""
    asked = loss.old.condition
    if not asked or pair.new is None:
        return False
    others = {one.text for one in pair.old.test.assertions if one.condition and _is_opposite(one.condition, asked)}
    return any(one.text in others and not one.condition and not one.void for one in pair.new.test.assertions)


def _is_opposite(one: str, other: str) -> bool:
    return one == f"not {other}" or other == f"not {one}"


def is_asserted_of_same(loss: Loss, pair: Pair) -> bool:
    """True where the test asserts as much of the same thing in another way."""
    left = pair.new.test.assertions if pair.new else ()
    return any(one.subject == loss.old.subject and not one.void and rank(one) <= rank(loss.old) for one in left)


def is_said_in_parts(loss: Loss, pair: Pair) -> bool:
    """True for a value of which several things are asserted now: how many it holds, and of what type.

    Of the calls of a mock it is how many they are that is said beside the one that is looked for.
    """
    mock, _, calls = loss.old.subject.rpartition(".mock.")
    if calls == "calls" and pair.new is not None:
        return any(one.subject == mock and one.relation in _TIMES and not one.void for one in pair.new.test.assertions)
    return len({one.subject for one in new_of(loss, pair, TYPE)}) > 1


def is_of_message(loss: Loss) -> bool:
    """True for the words of an error, which Python words anew, that are still sought, all of them."""
    if loss.new is None or loss.new.strength != SOUGHT or not _ERROR.search(loss.old.subject):
        return False
    return loss.new.expected.strip("'\"") in (text := loss.old.expected.strip("()',\"")) and len(text) <= len(
        loss.new.expected
    )


def is_subclass_let_in(loss: Loss) -> bool:
    """True for a type that was asked for by identity and may be a subclass now."""
    if loss.new is None or loss.new.relation not in ("isinstance", "issubclass"):
        return False
    return loss.new.expected == loss.old.expected and loss.old.relation in _IDENTITY


def is_about_equality(loss: Loss, pair: Pair) -> bool:
    """True where a test of `==` itself compares a thing with itself, or with something else as unequal."""
    if loss.new is None or not _ABOUT_EQUALITY.search(pair.old.test.name.rpartition("::")[2]):
        return False
    called = _CALLED.findall(loss.new.subject)
    is_thing = all(name.lstrip("_")[:1].isupper() for name in called)
    return loss.new.relation == "!=" if loss.kind != VOID else "itself" in loss.new.void and is_thing


def is_part(loss: Loss, pair: Pair) -> bool:
    """True when only some of the values that were expected are expected of anything in the test now."""
    if loss.new is None or pair.new is None or loss.old.strength != EXACT:
        return False
    if loss.new.subject == loss.old.subject:
        return _is_less_of_same(loss, loss.new, pair)
    before, after = literals_of(loss.old.expected), literals_of(loss.new.expected)
    is_of_another = bool(_CALLED.search(loss.new.subject)) and not is_alike(loss.old, loss.new)
    if not (after and after < before) or is_of_another:
        return False
    return not before <= _left(pair) | said_in(loss.new.expected)


def _is_less_of_same(loss: Loss, new: Assertion, pair: Pair) -> bool:
    """True for some items of what the same was equal to, where nothing left tells the others: they were taken out."""
    if loss.old.relation != new.relation or new.strength != EXACT or new.expected[:1] not in _DISPLAYS:
        return False
    before, after = frozenset(items_of(loss.old.expected)), frozenset(items_of(new.expected))
    if pair.new is None or _TAKES_OUT.isdisjoint(set(pair.new.test.calls) - set(pair.old.test.calls)):
        return False
    asserted = pair.new.test.assertions
    others = "\n".join(one.text for one in asserted if not one.void and one.text != new.text)
    gone = [next(iter(literals_in(item)), item) for item in before - after]
    return bool(after) and after < before and not any(one in others for one in gone)


def is_of_set_up(loss: Loss, pair: Pair) -> bool:
    """True for an error that a call of the standard library may give, and that call is gone from the test with it."""
    if pair.new is None or loss.old.expected != "null" or not _ERROR.fullmatch(loss.old.subject):
        return False
    gone = _SET_UP.intersection(pair.old.test.calls).difference(pair.new.test.calls)
    return bool(gone) and set(pair.old.test.calls).difference(pair.new.test.calls) <= _SET_UP


def is_dropped_match(loss: Loss, pair: Pair) -> bool:
    """True for the words of an error that is still expected of the same call."""
    word = loss.old.relation.removesuffix(_MATCHING)
    if pair.new is None or word == loss.old.relation:
        return False
    return any(one.relation == word and one.subject == loss.old.subject for one in pair.new.test.assertions)


def says_something(one: Assertion) -> bool:
    """False for what hardly any value fails (being there, or None where nothing is returned), and for what may be a
    call of the code under test: `verify(x)` of another file.
    """
    if one.relation.startswith(FROM_OTHER_FILE):
        return one.relation.removeprefix(FROM_OTHER_FILE).lstrip("_").lower().startswith("assert")
    return one.strength != PRESENT and not (one.relation == "==" and one.expected == "None")


def is_checking(pair: Pair) -> bool:
    """True for tests, and for helpers of other files that are there to assert something, by their names."""
    name = pair.old.test.name.rpartition("::")[2].lstrip("_").lower()
    return not is_helper(pair.old) or pair.old.test.marker in (PATTERN, TAKES_TEST) or name.startswith(CHECKERS)


def is_documentation(pair: Pair) -> bool:
    """True for examples in a docstring: which of them are shown is for those who write the documentation."""
    return pair.old.test.name.startswith(DOCTEST_OF)


def _is_in_place(pair: Pair) -> bool:
    return pair.new is not None and pair.new.path == pair.old.path


def is_order_lost(loss: Loss, pair: Pair) -> bool:
    """True for a test about the order of things, by its name, that takes them in any order now."""
    if loss.new is None or loss.new.relation.split(" ")[0] not in _ORDERLESS:
        return False
    return _ABOUT_ORDER.search(pair.old.test.name.rpartition("::")[2]) is not None and loss.old.expected[:1] in "[("


def is_cut_out(pair: Pair) -> bool:
    """True where the half of a test is gone, more than one assertion of it, and nothing else came to it."""
    if pair.new is None or is_helper(pair.old):
        return False
    # By what is expected: a value that is looked at once is written out, and one that is looked at twice is not.
    before = Counter((one.relation, one.expected) for one in pair.old.test.assertions if not one.void)
    after = Counter((one.relation, one.expected) for one in pair.new.test.assertions)
    lost = before - after
    if (
        after - before
        or pair.old.test.rows != pair.new.test.rows
        or set(pair.new.test.calls) - set(pair.old.test.calls)
    ):
        return False
    known = {one.text for one in pair.old.test.assertions}
    if any(one.relation.startswith(FROM_OTHER_FILE) and one.text not in known for one in pair.new.test.assertions):
        return False  # a helper of another file is told more now
    said = _left(pair)
    exact = [values for relation, values in lost if relation.endswith("==") and not literals_of(values) <= said]
    return bool(exact) and lost.total() > 1 and 2 * lost.total() >= before.total()


def is_extent(loss: Loss) -> bool:
    """True for how much two things hold, which were compared before their items: what one lacks is told no more."""
    return any(loss.old.relation == relation and is_same(loss.old.expected) for relation, is_same in _EXTENTS)


def is_steep(loss: Loss) -> bool:
    """A value that was told apart from others no longer is: beyond argument where no production code changed."""
    if loss.new is None or loss.old.relation.startswith(FROM_OTHER_FILE):
        return False
    if loss.new.relation.split(" ")[0] in _ORDERLESS:
        return False
    if loss.new.relation.startswith("not ") and loss.new.strength == PRESENT and loss.old.expected in _NOTHING:
        return False  # what is false may be nothing now, which most languages take for the same
    if _OWN.match(loss.new.relation) and loss.old.expected.strip("()") == loss.new.subject.strip("()"):
        return False  # an assertion of the project's own is given what was expected
    has_told_values = rank(loss.old) <= STRENGTHS.index(CLOSE)
    return has_told_values or loss.new.strength in (PRESENT, NONE)


def is_of_old_value(loss: Loss) -> bool:
    """True when what stands there now is the old value seen less closely, not another value."""
    if loss.new is None or loss.new.strength not in (CLOSE, SOUGHT):
        return True
    words = frozenset(_TOKEN.findall(loss.new.expected))
    if loss.new.subject == loss.old.subject and words <= frozenset(_TOKEN.findall(loss.old.expected)):
        return True
    return is_same_value(loss.old, loss.new) or loss.new.expected.strip("'\"") in loss.old.expected


def is_of_other_value(loss: Loss) -> bool:
    """True when another value is expected now; of a helper of another file, when it is given other literals."""
    if loss.new is None or not is_same_value(loss.old, loss.new):
        return True
    if not (loss.old.relation == loss.new.relation and loss.old.relation.startswith(FROM_OTHER_FILE)):
        return False
    before, after = literals_in(loss.old.subject), literals_in(loss.new.subject)
    return len(after) >= len(before) and bool(Counter(before) - Counter(after))
