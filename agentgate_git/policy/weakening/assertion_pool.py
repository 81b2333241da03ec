"""What is open between two versions of a test, and the pool of what live tests assert that their base did not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from agentgate_git.model.inventory import EXACT, OR_MISSING, Assertion, CollectedTest
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.policy.weakening.assertion_order import items_of, literals_of
from agentgate_git.policy.weakening.test_matching import LIVE, Matched, Pair, is_helper, live

VOID = "void"
LOWERED = "lowered"
WIDENED = "widened"
LOST = "lost"
EDITED = "edited"
GUARDED = "guarded"
HANDED = "handed"
FROM_OTHER_FILE = "passes "
# What waits for a condition says what was asserted before; that it is gone says little.
_WAITS = pattern_of(r"passes _*(?:\w*_)?(?:wait|poll|until|eventually|retry)")
_AND = "; "
_MAX_TIMES = 8
# How many rows with a value are looked at.
_MAX_ALIKE = 100
# Modules in front of a function, and a text that is put together of parts.
_PREFIX = pattern_of(r"(?<![\w.])(?:\w+\.)+(?=\w+\()")
_PARTS = pattern_of(r"f'((?:\{?'[^'{}\\]*(?:\\n[^'{}\\]*)?'\}?)+)'")
_PART = pattern_of(r"'([^'{}]*)'")

# What asks for a truth without comparing, in the words of several frameworks.
_TRUTHS = {
    **dict.fromkeys(("assert", "true", "assertTrue", "ok", "expect"), "true"),
    **dict.fromkeys(("assert_not", "not true", "refute", "assertFalse"), "false"),
}
_SYMMETRIC = ("==", "!=")
_BARE = ("is truthy", "is falsy")


class Loss(Record):
    """What became of one assertion of the base: `kind` is one of the words above, `new` what stands in its place."""

    kind: str
    old: Assertion
    new: Assertion | None = None


class Open:
    """A pair that is being settled: what it lost, and what of the head is not used up."""

    def __init__(self, pair: Pair, helpers: dict[str, bool]) -> None:
        self.pair = pair
        old, new = pair.old.test, pair.new.test if pair.new else None
        self.void = _new_void(old, new) if new else []
        self.lost = [one for one in old.assertions if not one.void]
        self.gained = list(worth(new, old, helpers)) if new and pair.new and _counts(pair) else []
        self.live_left = len(self.gained)
        self.losses: list[Loss] = []
        self.new_calls = frozenset(new.calls) - frozenset(old.calls) if new else frozenset()
        self._drop_equal(lambda one: one.text)
        self._drop_equal(_either_way)
        self.lost = [one for one in self.lost if not _WAITS.match(one.relation)]

    def _drop_equal(self, says: Callable[[Assertion], str]) -> None:
        held: dict[str, list[Assertion]] = {}
        for one in self.gained:
            held.setdefault(says(one), []).append(one)
        kept = []
        for one in self.lost:
            same = held.get(says(one))
            if not same:
                kept.append(one)
                continue
            at = next((at for at, other in enumerate(same) if other.condition == one.condition), 0)
            other = same.pop(at)
            if other.condition != one.condition and is_narrower(other.condition, one.condition):
                self.losses.append(Loss(GUARDED, one, other))
        self.lost = kept
        self.gained = [one for same in held.values() for one in same]


def is_narrower(new: str, old: str) -> bool:
    """True for a condition under which less is done: what the old one asked for is asked for still, and more is."""
    if not old:
        return bool(new)
    asked, known = new.split(_AND), old.split(_AND)
    return all(one in asked or any(_holds_less(other, one) for other in asked) for one in known)


def _holds_less(new: str, old: str) -> bool:
    """True for `not (a or b)` where `not a` was asked, and for `a and b` where it was `a`."""
    before, after = (one.removeprefix("not ") for one in (old, new))
    is_left = old.startswith("not ")
    if is_left != new.startswith("not ") or len(after) <= len(before):
        return False
    parts = _stripped(after).split(" or " if is_left else " and ")
    return len(parts) > 1 and _stripped(before) in map(_stripped, parts)


def _stripped(text: str) -> str:
    """A condition without the brackets around all of it."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _either_way(one: Assertion) -> str:
    """What an assertion says, whichever of two equal sides stands first."""
    if one.relation not in _SYMMETRIC or one.strength != EXACT or not one.expected:
        return one.text
    return one.relation.join(sorted((one.subject, one.expected)))


def _new_void(old: CollectedTest, new: CollectedTest) -> list[Assertion]:
    known = Counter(one.text for one in old.assertions if one.void)
    found = []
    for one in new.assertions:
        if one.void and known[one.text] > 0:
            known[one.text] -= 1
        elif one.void:
            found.append(one)
    return found


def _counts(pair: Pair) -> bool:
    return pair.new is not None and (pair.new.test.state in LIVE or is_helper(pair.new))


def worth(new: CollectedTest, old: CollectedTest | None, helpers: dict[str, bool]) -> Iterator[Assertion]:
    """The assertions of a head's test that can fail; a helper of another file counts when it is not known hollow."""
    known = [*old.assertions] if old else []
    before = {one.relation for one in known} | {FROM_OTHER_FILE + one.via for one in known}
    for one in new.assertions:
        if one.void:
            continue
        if one.relation.startswith(FROM_OTHER_FILE) and one.relation not in before:
            name = one.relation.removeprefix(FROM_OTHER_FILE)
            is_clear = name.lstrip("_").lower().startswith("assert")
            if not helpers.get(name, True) or (old is not None and name in old.calls and not is_clear):
                continue
        yield one


def _of_call(one: Assertion) -> tuple[str, str, str]:
    return one.relation, one.expected, one.subject.partition(_opened(one))[0]


def _opened(one: Assertion) -> str:
    """What stands before the arguments of a call, or before the key that a default stands for."""
    return "[" if one.relation == OR_MISSING else "("


def said_otherwise(one: Assertion) -> tuple[str, ...]:
    """The sentences in which a helper of another file, or an example in a docstring, says that two values are equal."""
    if one.relation != "==" or one.strength != EXACT:
        return ()
    truth = (f"{one.subject} is {one.expected}",) if one.expected in ("true", "false") else ()
    return (
        *truth,
        f"{one.subject}, {one.expected} {FROM_OTHER_FILE}",
        f"{_PREFIX.sub('', one.subject)} prints {one.expected}",
    )


def _keys(loss: Assertion) -> tuple[str, ...]:
    if loss.relation.startswith(FROM_OTHER_FILE):
        return (f"{loss.subject} {FROM_OTHER_FILE}",)
    if loss.relation in _TRUTHS and "(" in loss.subject and not loss.expected:
        return (f"{loss.subject} is {_TRUTHS[loss.relation]}",)
    return (f"{_PREFIX.sub('', loss.subject)} prints {loss.expected}",) if loss.relation == "prints" else ()


def filled_in(text: str, row: str) -> str:
    """An assertion of a test with parameters as one row makes it; empty where the row has no names."""
    names, separator, values = row.partition(": ")
    listed = names.split(",")
    given = (values,) if len(listed) == 1 else items_of(values)
    if not separator or len(listed) != len(given) or not all(name.isidentifier() for name in listed):
        return ""
    for name, value in zip(listed, given, strict=True):
        text = re.sub(rf"(?<![\w.'\"]){name}(?![\w'\"=])", value.replace("\\", "\\\\"), text)
    return _PARTS.sub(lambda found: f"'{''.join(_PART.findall(found[1]))}'", text)


class _Row(Record):
    """A row of parameters: its values, those that stand in its test for all rows, and how the test asserts."""

    values: frozenset[str]
    fixed: frozenset[str]
    relations: frozenset[str]

    def says(self, loss: Assertion, values: frozenset[str]) -> bool:
        """True when it has the values of an assertion, or its test those that it has not, and asserts in that way."""
        left = values - self.values
        return not left or (loss.relation in self.relations and left <= self.fixed)


class Pool:
    """What live tests of the head assert that their base did not."""

    def __init__(self, matched: Matched, opened: Iterable[Open], helpers: dict[str, bool]) -> None:
        self._owners: dict[str, list[tuple[Open | None, str]]] = {}
        self._of_calls: dict[tuple[str, str, str], list[tuple[Open, Assertion]]] = {}
        self._kinds: Counter[tuple[str, str]] = Counter()
        self._rows: dict[int, _Row | None] = {}
        self._rows_with: dict[str, list[int]] = {}
        for one in opened:
            for gain in one.gained:
                self._add(gain, one)
                self._of_calls.setdefault(_of_call(gain), []).append((one, gain))
        for place in live(matched.fresh):
            for gain in worth(place.test, None, helpers):
                self._add(gain, None)
                self._kinds[gain.relation, gain.expected] += max(1, min(len(place.test.rows), _MAX_TIMES))
            self._add_rows(place.test, place.test.rows, sum(1 for one in place.test.assertions if not one.void))
            self._add_filled(place.test, place.test.rows)
        for place in matched.fresh:
            if is_helper(place):
                for gain in place.test.assertions:
                    if not gain.void:
                        self._kinds[gain.relation, gain.expected] += 1
        self._said = Counter(said for place in live(matched.fresh) for said in place.test.said)
        for one in opened:
            if one.pair.new is not None and one.pair.new.test.state in LIVE:
                self._said.update(Counter(one.pair.new.test.said) - Counter(one.pair.old.test.said))
                rows = Counter(one.pair.new.test.rows) - Counter(one.pair.old.test.rows)
                self._add_rows(one.pair.new.test, rows.elements(), one.live_left)
                self._add_filled(one.pair.new.test, tuple(rows))
                self._add_again(one.pair.old.test, one.pair.new.test)

    def _add(self, gain: Assertion, owner: Open | None) -> None:
        for said in (gain.text, *said_otherwise(gain)):
            self._owners.setdefault(said, []).append((owner, gain.text))

    def _add_filled(self, test: CollectedTest, rows: tuple[str, ...]) -> None:
        """What the assertions of a test say with the values of its rows in place of their names."""
        live_ones = [one for one in test.assertions if not one.void][:_MAX_TIMES]
        for row in rows[:_MAX_ALIKE]:
            for text in (filled_in(one.text, row) for one in live_ones):
                if text:
                    self._owners.setdefault(text, []).append((None, ""))

    def _add_again(self, old: CollectedTest, new: CollectedTest) -> None:
        """A test that took in others as rows makes each of its assertions once for each."""
        more = max(1, len(new.rows)) - max(1, len(old.rows))
        for one in new.assertions[:_MAX_TIMES] if more > 0 else ():
            if not one.void:
                self._owners.setdefault(one.text, []).extend([(None, "")] * min(more, _MAX_TIMES))

    def _add_rows(self, test: CollectedTest, rows: Iterable[str], times: int) -> None:
        """A row stands for one assertion of each that its test makes, with the values that stand there for all rows.

        What only asks whether there is anything tells no value.
        """
        told = [one for one in test.assertions[:_MAX_TIMES] if one.relation not in _BARE]
        fixed = frozenset(value for one in told for value in literals_of(one.text))
        relations = frozenset(one.relation for one in told)
        for row in rows:
            values = literals_of(row)
            for _ in range(min(times, _MAX_TIMES)):
                number = len(self._rows)
                self._rows[number] = _Row(values, fixed, relations)
                for value in values:
                    self._rows_with.setdefault(value, []).append(number)

    def pays_exactly(self, loss: Assertion) -> bool:
        """True when the very same assertion stands somewhere else now; that credit is spent then."""
        owners = next((found for key in (loss.text, *_keys(loss)) if (found := self._owners.get(key))), None)
        if not owners:
            return self._pays_as_said(loss)
        other, text = owners.pop()
        if other is None:
            self._kinds[loss.relation, loss.expected] -= 1
        else:
            at = next((at for at, gain in enumerate(other.gained) if gain.text == text), None)
            if at is not None:
                other.gained.pop(at)
        return True

    def _pays_as_said(self, loss: Assertion) -> bool:
        """True when a function that a test calls now asserts it, with the values that it is given."""
        key = f"{loss.relation}\n{loss.subject}\n{loss.expected}"
        if self._said[key] <= 0:
            return False
        self._said[key] -= 1
        return True

    def pays_by_row(self, loss: Assertion) -> bool:
        """True when a test was given a row with the values of an assertion; that credit is spent then."""
        values = literals_of(loss.text) if self._rows else frozenset()
        holders = [self._rows_with[value] for value in values if value in self._rows_with]
        rarest = min(holders, key=len, default=[])
        for at, number in enumerate(rarest[:_MAX_ALIKE]):
            row = self._rows[number]
            if row is not None and row.says(loss, values):
                self._rows[number] = None
                rarest.pop(at)
                return True
        return False

    def pays(self, loss: Assertion) -> bool:
        """True when a new test asserts the same of something else; that credit is spent then."""
        key = loss.relation, loss.expected
        if not loss.expected or self._kinds[key] <= 0:
            return False
        self._kinds[key] -= 1
        return True

    def pays_by_call(self, loss: Assertion) -> bool:
        """True when a test that is still there newly asserts the same of the same call, with other arguments."""
        if _opened(loss) not in loss.subject or not loss.expected:
            return False
        for owner, gain in self._of_calls.get(_of_call(loss), ())[:_MAX_ALIKE]:
            at = next((at for at, one in enumerate(owner.gained) if one is gain), None)
            if at is not None:
                owner.gained.pop(at)
                return True
        return False
