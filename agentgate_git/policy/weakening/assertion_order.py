"""Two assertions side by side: whether they look at the same, expect the same, and which tells more apart."""

from __future__ import annotations

from functools import lru_cache
from math import isclose

from agentgate_git.model.inventory import ANY_ITEM, BUT_FOR, CLOSE, EXACT, STRENGTHS, Assertion
from agentgate_git.model.pattern import pattern_of

_LITERAL = pattern_of(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?<![\w.])-?\d[\w.]*")
EMPTY = frozenset(("[]", "()", "{}", "''", '""', "0", "0.0", "None", "False", "b''", "set()", "builtins.set()"))
# How many there are of nothing, as a number and in a word: `hasSize(0)`, `isEmpty()`.
_NONE_OF_IT = {"0", "empty"}
# What assertAlmostEqual lets pass by itself, and what approx and assert_allclose let pass by the size of a value.
_OF_UNITTEST = 5e-08
_OF_OTHERS = (1e-6, 1e-7)
_NARROW = 1e-3
MIN_OVERLAP = 4
_DOTTED = pattern_of(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_KEYWORD = pattern_of(r"\b([^\W\d]\w*)=")
# A key of an object as other languages than Python write it: `{ count: 2 }`.
_KEY = pattern_of(r"[{,]\s*([^\W\d]\w*):")
_GIVEN = pattern_of(r"\([^()]*\)")
_NUMBER = pattern_of(r"(?<![\w.'])\d+(?![\w.'])")
_INDEX = pattern_of(r"(?:\[[^\W\d]\w*\])+")
_INSTANCE = pattern_of(r"\b(?:self|cls)\.")
_BY_PATTERN = ("matching", "matches", "search", "fullmatch", "match")
_CHOICE = pattern_of(r"(?<!\\)\|")
_EXPECTED = ("raises", "warns")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
# What all items are beyond by the one end of them, and one of them by the other.
_ENDS = {">": ("min(", "max("), "<": ("max(", "min(")}
_OPPOSITES = {"is truthy": "is falsy", "is falsy": "is truthy", "==": "!=", "!=": "=="}


def is_alike(one: Assertion, other: Assertion) -> bool:
    """True for assertions about the same thing: one subject is the other, or is made from it."""
    first, second = one.subject, other.subject
    if first == second:
        return True
    if len(first) > len(second):
        first, second = second, first
    return len(first) >= MIN_OVERLAP and first in second


def is_same_call(one: Assertion, other: Assertion) -> bool:
    """True for assertions about what the same calls give, whatever these are given: `Clock.new(t).now`."""
    first, second = _bare_calls(one.subject), _bare_calls(other.subject)
    return first == second and len(first) >= MIN_OVERLAP and not first.isidentifier()


def _bare_calls(subject: str) -> str:
    for _ in range(4):
        subject, times = _GIVEN.subn("", subject)
        if not times:
            break
    return subject


def says_all_words(old: Assertion, new: Assertion) -> bool:
    """True when every literal of the old one stands in the new one, as a text or in a pattern."""
    plain = new.text.replace("\\", "")
    values = literals_of(old.text)
    return bool(values) and all(value.strip("'\"") in plain for value in values)


def is_of_other_number(one: Assertion, other: Assertion) -> bool:
    """True for assertions about the same thing but for a number in it: how many rounds, how long a list."""
    first, second = _but_for_numbers(one.subject), _but_for_numbers(other.subject)
    return first == second and "(" in first


@lru_cache(maxsize=4096)
def _but_for_numbers(subject: str) -> str:
    return _NUMBER.sub("0", subject.replace("SetComp(", "ListComp("))


def is_opposite(one: Assertion, other: Assertion) -> bool:
    """True for a check and its negation."""
    return one.relation in (f"not {other.relation}", _OPPOSITES.get(other.relation, "")) or (
        other.relation.startswith("not ") != one.relation.startswith("not ")
        and one.expected == other.expected
        and one.subject == other.subject
    )


@lru_cache(maxsize=4096)
def literals_of(text: str) -> frozenset[str]:
    """The literals in a normalised text."""
    return frozenset(one.replace("_", "") if one[0].isdigit() else one for one in _LITERAL.findall(text))


def literals_in(text: str) -> tuple[str, ...]:
    """The literals in a normalised text, in their order, each as often as it stands there."""
    return tuple(_LITERAL.findall(text))


@lru_cache(maxsize=4096)
def said_in(text: str) -> frozenset[str]:
    """The literals in a normalised text, and its keywords as texts: `f(passed=1)` says what `{'passed': 1}` says."""
    keys = {f'"{name}"' for name in _KEY.findall(text)}
    return literals_of(text) | {f"'{name}'" for name in _KEYWORD.findall(text)} | keys


def is_same_value(old: Assertion, new: Assertion) -> bool:
    """True when the new one expects the old value: quoted or not, in another notation, or with more beside it.

    A class is known by its own name and another value by that of its holder too, wherever they are imported from.
    """
    before, after = (one.expected.strip("'\"/") or one.truth for one in (old, new))
    if {before, after} == _NONE_OF_IT:
        return True
    if _of_no_instance(before) == _of_no_instance(after) or (len(before) >= MIN_OVERLAP and before in after):
        return True
    if _DOTTED.fullmatch(before) and _DOTTED.fullmatch(after):
        name = before.rpartition(".")[2]
        parts = 1 if name[:1].isupper() and not name.isupper() else 2
        return before.split(".")[-parts:] == after.split(".")[-parts:]
    values = literals_of(old.expected)
    return bool(values) and values <= said_in(new.expected)


def is_choice_added(old: Assertion, new: Assertion) -> bool:
    """True for a pattern that is sought, and as one of several ones now: `'full'` that became `'full|closed'`."""
    if old.relation != new.relation or not old.relation.endswith(_BY_PATTERN) or not is_alike(old, new):
        return False
    is_kept = old.expected.strip("'\"/") in new.expected
    return is_kept and len(_CHOICE.findall(new.expected)) > len(_CHOICE.findall(old.expected))


def types_added(old: Assertion, new: Assertion) -> frozenset[str]:
    """The errors or warnings that are expected now beside all of those that were."""
    if old.relation != new.relation or old.relation not in _EXPECTED or old.subject != new.subject:
        return frozenset()
    before, after = frozenset(items_of(old.expected)), frozenset(items_of(new.expected))
    return after - before if before < after else frozenset()


def is_any_of(old: Assertion, new: Assertion) -> bool:
    """True for what all items had to pass, and any one of them has to now: also by `min(xs) > 3` and `max(xs) > 3`."""
    if new.relation == f"{ANY_ITEM}{old.relation}" and new.expected == old.expected:
        return new.text.startswith(f"{old.subject} {ANY_ITEM}") or is_alike(old, new)
    ends = _ENDS.get(old.relation[:1]) if old.relation == new.relation and old.expected == new.expected else None
    if ends is None or old.subject == new.subject or ends[0] not in old.subject:
        return False
    return old.subject.replace(*ends) == new.subject


def is_item_of(old: Assertion, new: Assertion) -> bool:
    """True for two values that were compared as wholes, of which one item each is compared now: `a[key] == b[key]`."""
    index = new.subject[len(old.subject) :]
    is_item = new.subject.startswith(old.subject) and _INDEX.fullmatch(index) is not None
    is_equal = old.relation == new.relation == "==" and old.strength == EXACT
    return is_item and is_equal and new.expected == f"{old.expected}{index}"


def is_round_trip(one: Assertion) -> bool:
    """True for what comes back as it went in, `decode(encode(x)) == x`: two defects may cancel each other out."""
    if one.relation != "==" or not one.expected or one.subject.count("(") < 2:
        return False
    return f"({one.expected}" in one.subject and literals_of(one.subject) <= literals_of(one.expected)


def is_made_round(old: Assertion, new: Assertion) -> bool:
    """True for a value that was told by itself, and only has to come back as it went in now."""
    if not is_round_trip(new) or is_round_trip(old) or old.relation != "==" or old.subject == new.subject:
        return False
    return old.subject in new.subject and bool(literals_of(old.expected)) and old.expected != new.expected


def is_more_left_out(old: Assertion, new: Assertion) -> bool:
    """True for an equality of the same that leaves out more than before: `== but for dtype` became `… dtype, order`."""
    relation, _, left_out = new.relation.partition(BUT_FOR)
    before = old.relation.partition(BUT_FOR)
    if not left_out or relation != before[0] or old.subject != new.subject or old.expected != new.expected:
        return False
    return set(before[2].split(", ")) - {""} < set(left_out.split(", "))


def is_set_in_order(old: Assertion, new: Assertion) -> bool:
    """True for a set that was expected and whose items are expected in their order now."""
    is_set = old.expected.startswith("{") and ": " not in old.expected
    return is_set and new.relation == "sorted ==" and literals_of(old.expected) == literals_of(new.expected)


def is_whole_of(item: Assertion, whole: Assertion) -> bool:
    """True for two values that are compared as wholes, where they were compared item by item: `a[i] == b[i]`."""
    index = item.subject[len(whole.subject) :]
    is_item = item.subject.startswith(whole.subject) and _INDEX.fullmatch(index) is not None
    is_equal = item.relation == whole.relation == "==" and whole.strength == EXACT
    return is_item and is_equal and item.expected.endswith(index)


def is_reworded(one: Assertion, other: Assertion) -> bool:
    """True for the same words about an attribute of the test's own class and about a name of the file."""
    return _of_no_instance(one.text) == _of_no_instance(other.text)


@lru_cache(maxsize=4096)
def _of_no_instance(text: str) -> str:
    return _INSTANCE.sub("", text)


RANKS = {strength: at for at, strength in enumerate(STRENGTHS)}


def rank(one: Assertion) -> int:
    """Its place in STRENGTHS; values near enough count as exact, and so does falsiness for what is empty."""
    is_narrow = one.relation == "is near" and one.tolerance and float(one.tolerance) <= _NARROW
    return RANKS[EXACT if is_narrow else one.strength]


def is_weaker(one: Assertion, other: Assertion) -> bool:
    """True when `one` tells less apart than `other`; of two that ask for a value near one, `is_widened` says it."""
    if one.strength == other.strength == CLOSE and one.relation == other.relation and one.tolerance and other.tolerance:
        return False
    if one.relation == "is falsy" and other.expected in EMPTY:
        return False
    if one.truth and one.subject == other.subject:
        return False  # it is true or false itself, as it was another value
    return rank(one) > rank(other) and not _is_more_than(one, other)


def _is_more_than(one: Assertion, other: Assertion) -> bool:
    """True when `one` expects all items of `other` and more, of which some may be anything: `{'a': 1, 'id': ANY}`."""
    if "ANY" not in one.expected or one.relation != other.relation:
        return False
    fresh, known = frozenset(items_of(one.expected)), frozenset(items_of(other.expected))
    return bool(known) and known < fresh


@lru_cache(maxsize=1024)
def items_of(text: str) -> tuple[str, ...]:
    """The items of a dict, list or call as it is written, with or without its brackets."""
    inner = text[1:-1] if text[:1] in _BRACKETS and text[-1:] in _BRACKETS.values() else text
    depth, start, quote, found = 0, 0, "", []
    for at, sign in enumerate(inner):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "," and not depth:
            found.append(inner[start:at].strip())
            start = at + 1
        else:
            depth += (sign in _BRACKETS) - (sign in ")]}")
    found.append(inner[start:].strip())
    return tuple(item for item in found if item)


def is_count_bounded(one: Assertion, other: Assertion) -> bool:
    """True for how often something is called, exactly at `one`, where `other` only says at most or at least."""
    return (
        one.relation == "is called =="
        and other.relation in ("is called <=", "is called >=", "is called <", "is called >")
        and one.subject == other.subject
    )


def is_stronger(one: Assertion, other: Assertion) -> bool:
    """True when `one` tells more apart than `other`."""
    return rank(one) < rank(other)


def is_widened(old: Assertion, new: Assertion) -> bool:
    """True when a tolerance lets more pass than before."""
    if old.relation != new.relation or not old.strength == new.strength == CLOSE:
        return False
    if not old.tolerance or not new.tolerance or float(new.tolerance) <= float(old.tolerance) * 1.001:
        return False
    return not _is_of_other_tool(old, new)


def _is_of_other_tool(old: Assertion, new: Assertion) -> bool:
    """True where seven places, which unittest asks for unasked, became what pytest or numpy ask for unasked.

    Nobody chose either width: a suite that moves from one tool to the other takes all of them along.
    """
    if float(old.tolerance) != _OF_UNITTEST:
        return False
    try:
        size = abs(float(old.expected))
    except ValueError:
        size = 1.0
    return any(isclose(float(new.tolerance), share * size) for share in _OF_OTHERS)
