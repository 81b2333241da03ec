"""What a test says among more: a new assertion of the whole value, or of the words of an error, covers what is gone.

So does any assertion about a part of what was merely asserted to be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.inventory import EXACT, PRESENT, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_order import RANKS, items_of, literals_of, rank
from agentgate_git.policy.weakening.test_matching import Pair

_MIN_WORDS = 3
_SIZE = pattern_of(r"[sS]ize|[lL]ength|[cC]ount|\blen\b|\bLen\b|lengthOf")
# `got.get(0)`, `got[0]`, `got.size()`.
_ITEM = pattern_of(
    r"([A-Za-z_$][\w$]*)(?:\.(?:get|elementAt)\((\d{1,3})\)|\[(\d{1,3})\]|\.(?:size|length|Count|count|Length)(?:\(\))?)"
)
_EXTENT = "how many"
_MAX_ITEMS = 100
_RAISING = pattern_of(r"(?i)throw|reject|raise|panic")
_ERROR = pattern_of(r"\(?(?:err|error|e|ex|exc|exception|caught|thrown|cause|failure|reason)\b")
_PARTS = (".", "[")
# All calls of a mock are said by how many they are, and that these are among them in this order.
_RECORDS = ("call_args_list ==", "mock_calls ==", "method_calls ==", "await_args_list ==")
_COUNTS = ("is called ==", "was called once", "was called once with")
# One argument of the last call, by its keyword: what the call of a mock is asserted to be given says it too.
_ARGUMENT = pattern_of(r"(.+)\.(?:call_args|await_args)(?:\.kwargs|\[1\])\['(\w+)'\]")
_IS_GIVEN = ("was called with", "was called once with")
# What differs is gathered, and has to be nothing.
_GATHERED = ("DictComp(", "ListComp(", "SetComp(")
_NAME = pattern_of(r"[^\W\d]\w*")


class Cover:
    """The new assertions of a test that may say what it lost among more: whole values, and words of errors."""

    def __init__(self, pair: Pair) -> None:
        known = {other.text for other in pair.old.test.assertions}
        found = pair.new.test.assertions if pair.new else ()
        fresh = [gain for gain in found if not (gain.void or gain.condition or gain.text in known)]
        self._wholes: dict[str, list[Assertion]] = {}
        for gain in fresh:
            if gain.relation == "==" and gain.strength == EXACT:
                self._wholes.setdefault(gain.subject, []).append(gain)
        self._items = frozenset(one for gains in self._wholes.values() for gain in gains for one in _told_items(gain))
        said = (gain.expected for gain in fresh if gain.relation.lower().endswith(("matching", "message")))
        self._words = "\n".join(said)
        self._calls = {gain.subject: gain.expected for gain in fresh if gain.relation == "has calls"}
        self._counted = {gain.subject for gain in fresh if gain.relation in _COUNTS}
        self._errors = "\n".join(gain.expected for gain in fresh if _RAISING.search(gain.relation))
        self._given = [gain for gain in fresh if gain.relation in _IS_GIVEN]
        self._differences = [frozenset(_NAME.findall(gain.subject)) for gain in fresh if _is_of_differences(gain)]
        self._live = "\n".join(gain.subject for gain in found if not (gain.void or gain.condition))

    def holds(self, loss: Assertion) -> bool:
        """True when one of them says what is lost: the whole value, or the words of the error."""
        subject = loss.subject
        if loss.strength == PRESENT and any(f"{subject}{mark}" in self._live for mark in _PARTS):
            return True
        if self._is_size_of_whole(loss) or self._is_item_of_whole(loss) or self._is_of_error(loss):
            return True
        wholes = [one for one in self._wholes if one in subject]
        if wholes and rank(loss) > RANKS[EXACT]:
            return True
        values = literals_of(loss.expected) if wholes else frozenset()
        if any(values <= literals_of(gain.expected) for whole in wholes for gain in self._wholes[whole]):
            return True
        if loss.relation in _RECORDS and subject in self._counted and self._calls.get(subject) == loss.expected:
            return True
        words = loss.expected.strip("'\"")
        if len(words) >= _MIN_WORDS and words in self._words:
            return True
        return self._is_given(loss) or self._is_no_difference(loss)

    def _is_size_of_whole(self, loss: Assertion) -> bool:
        """True for how many there are, where all of them are expected now and are as many."""
        if not _SIZE.search(loss.text) or not loss.expected.isdigit():
            return False
        wholes = (gain for one, gains in self._wholes.items() if loss.subject.startswith(one) for gain in gains)
        return any(_items_of(gain.expected) == int(loss.expected) for gain in wholes)

    def _is_item_of_whole(self, loss: Assertion) -> bool:
        """True for an item of a list, or how many it has, where a new assertion says all items in their order."""
        found = _ITEM.fullmatch(loss.subject) if loss.relation == "==" and loss.expected else None
        if found is None:
            return False
        said = (found[2] or found[3] or _EXTENT, loss.expected)
        return ("", *said) in self._items or (found[1], *said) in self._items

    def _is_of_error(self, loss: Assertion) -> bool:
        """True for a part of an error that is expected now of what raises it: `rejects(f(), { code: "X" })`."""
        words = loss.expected.strip("'\"")
        return len(words) >= _MIN_WORDS and _ERROR.match(loss.subject) is not None and words in self._errors

    def _is_given(self, loss: Assertion) -> bool:
        """True for one argument of a call that is asserted among all that the call is given."""
        asked = _ARGUMENT.fullmatch(subject) if (subject := loss.subject).endswith("']") else None
        if asked is None or loss.relation != "==":
            return False
        said = f", {asked[2]}={loss.expected},"
        return any(gain.subject == asked[1] and said in f", {gain.expected}," for gain in self._given)

    def _is_no_difference(self, loss: Assertion) -> bool:
        """True for a comparison of two values whose differences are gathered now, and have to be none."""
        one, other = _NAME.search(loss.subject), _NAME.search(loss.expected)
        return one is not None and other is not None and any({one[0], other[0]} <= both for both in self._differences)


def _told_items(gain: Assertion) -> Iterator[tuple[str, str, str]]:
    """(holder, place, value) of the items of a list that is expected, and how many they are; no holder for a call."""
    items = items_of(gain.expected)
    if len(items) < 2 and gain.expected[:1] not in ("[", "{", "("):
        return
    holder = "" if "(" in gain.subject else gain.subject
    yield holder, _EXTENT, str(len(items))
    yield from ((holder, str(at), item) for at, item in enumerate(items[:_MAX_ITEMS]))


def _is_of_differences(gain: Assertion) -> bool:
    """True for what gathers the items of which two are not equal, all of them, where it has to be empty."""
    is_none = gain.relation == "is falsy" or (gain.relation == "==" and gain.expected in ("[]", "{}", "set()"))
    text, _, asked = gain.subject.rpartition(" if ")
    is_one = " if " not in text and asked.count("!=") == 1 and " and " not in asked
    return is_none and gain.subject.startswith(_GATHERED) and is_one


def _items_of(text: str) -> int:
    """How many items a list holds that is written out, with or without its brackets."""
    inner = re.sub(r"^(?:[\w.]+(?:<[^<>]*>)?)?[\[({](.*)[\])}]$", r"\1", text, flags=re.DOTALL)
    depth, count = 0, int(bool(inner.strip()))
    for sign in inner:
        depth += (sign in "([{") - (sign in ")]}")
        count += sign == "," and depth == 0
    return count
