"""What a test says among more: a new assertion of the whole value, or of the words of an error, covers what is gone.

So does any assertion about a part of what was merely asserted to be there.
"""

from __future__ import annotations

import re

from agentgate_git.model.inventory import EXACT, PRESENT, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_order import literals_of, rank
from agentgate_git.policy.weakening.test_matching import Pair

_MIN_WORDS = 3
_SIZE = pattern_of(r"[sS]ize|[lL]ength|[cC]ount|\blen\b|\bLen\b|lengthOf")
_RAISING = pattern_of(r"(?i)throw|reject|raise|panic")
_ERROR = pattern_of(r"\(?(?:err|error|e|ex|exc|exception|caught|thrown|cause|failure|reason)\b")
_PARTS = (".", "[")
# All calls of a mock are said by how many they are, and that these are among them in this order.
_RECORDS = ("call_args_list ==", "mock_calls ==", "method_calls ==", "await_args_list ==")
_COUNTS = ("is called ==", "was called once", "was called once with")


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
        said = (gain.expected for gain in fresh if gain.relation.lower().endswith(("matching", "message")))
        self._words = "\n".join(said)
        self._calls = {gain.subject: gain.expected for gain in fresh if gain.relation == "has calls"}
        self._counted = {gain.subject for gain in fresh if gain.relation in _COUNTS}
        self._errors = "\n".join(gain.expected for gain in fresh if _RAISING.search(gain.relation))
        self._live = "\n".join(gain.subject for gain in found if not (gain.void or gain.condition))

    def holds(self, loss: Assertion) -> bool:
        """True when one of them says what is lost: the whole value, or the words of the error."""
        subject = loss.subject
        if loss.strength == PRESENT and any(f"{subject}{mark}" in self._live for mark in _PARTS):
            return True
        if self._is_size_of_whole(loss) or self._is_of_error(loss):
            return True
        for whole in [one for one in self._wholes if one in subject]:
            values = literals_of(loss.expected)
            if any(rank(loss) > rank(gain) or values <= literals_of(gain.expected) for gain in self._wholes[whole]):
                return True
        if loss.relation in _RECORDS and subject in self._counted and self._calls.get(subject) == loss.expected:
            return True
        words = loss.expected.strip("'\"")
        return len(words) >= _MIN_WORDS and words in self._words

    def _is_size_of_whole(self, loss: Assertion) -> bool:
        """True for how many there are, where all of them are expected now and are as many."""
        if not _SIZE.search(loss.text) or not loss.expected.isdigit():
            return False
        wholes = (gain for one, gains in self._wholes.items() if loss.subject.startswith(one) for gain in gains)
        return any(_items_of(gain.expected) == int(loss.expected) for gain in wholes)

    def _is_of_error(self, loss: Assertion) -> bool:
        """True for a part of an error that is expected now of what raises it: `rejects(f(), { code: "X" })`."""
        words = loss.expected.strip("'\"")
        return len(words) >= _MIN_WORDS and _ERROR.match(loss.subject) is not None and words in self._errors


def _items_of(text: str) -> int:
    """How many items a list holds that is written out, with or without its brackets."""
    inner = re.sub(r"^(?:[\w.]+(?:<[^<>]*>)?)?[\[({](.*)[\])}]$", r"\1", text, flags=re.DOTALL)
    depth, count = 0, int(bool(inner.strip()))
    for sign in inner:
        depth += (sign in "([{") - (sign in ")]}")
        count += sign == "," and depth == 0
    return count
