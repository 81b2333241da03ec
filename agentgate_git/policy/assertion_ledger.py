"""The books on assertions: what tests lost, what stands in for it elsewhere, each credit spent once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import IS_REPLACED, TEST, Assertion, CollectedTest
from agentgate_git.model.record import Record
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.assertion_cover import Cover
from agentgate_git.policy.assertion_order import (
    MIN_OVERLAP,
    is_alike,
    is_opposite,
    is_reworded,
    is_same_value,
    is_stronger,
    is_weaker,
    is_widened,
    literals_of,
)
from agentgate_git.policy.test_matching import LIVE, Matched, Pair, Place, is_helper, is_judged, live, match_tests

VOID = "void"
LOWERED = "lowered"
WIDENED = "widened"
LOST = "lost"
EDITED = "edited"
GUARDED = "guarded"
SWALLOWED = "a context manager around it swallows it"

FROM_OTHER_FILE = "passes "
CHECKERS = ("assert", "check", "verify", "expect", "ensure", "validate", "compare", "test", "want", "should")
_IGNORING = ("simplefilter", "filterwarnings", "suppress")
_MAX_TIMES = 8
# How many rows with a value, and how many pairs of assertions in all, are looked at.
_MAX_ALIKE = 100
_MIN_STEPS = 200_000
_STEPS_EACH = 20


class Loss(Record):
    """What became of one assertion of the base: `kind` is one of the words above, `new` what stands in its place."""

    kind: str
    old: Assertion
    new: Assertion | None = None


class Account(Record):
    """A test of both sides: its losses, and how many assertions of the head can fail.

    `helpers` are those of files of the change set in which something can fail.
    """

    pair: Pair
    losses: tuple[Loss, ...]
    live_left: int
    helpers: frozenset[str] = frozenset()


class Books(Record):
    """The accounts of tests that are still there, and the tests that are gone with what nothing else took over."""

    accounts: tuple[Account, ...]
    gone: tuple[tuple[Place, tuple[Assertion, ...]], ...]


class Settled(Record):
    """A change set with its tests matched and balanced, for every check that asks what became of them."""

    before: tuple[FileFacts, ...]
    after: tuple[FileFacts, ...]
    matched: Matched
    books: Books


class _Open:
    """A pair that is being settled: what it lost, and what of the head is not used up."""

    def __init__(self, pair: Pair, helpers: dict[str, bool]) -> None:
        self.pair = pair
        old, new = pair.old.test, pair.new.test if pair.new else None
        self.void = _new_void(old, new) if new else []
        self.lost = [one for one in old.assertions if not one.void]
        self.gained = list(_worth(new, old, helpers)) if new and pair.new and _counts(pair) else []
        self.live_left = len(self.gained)
        self.losses: list[Loss] = []
        self.new_calls = frozenset(new.calls) - frozenset(old.calls) if new else frozenset()
        self._drop_equal()

    def _drop_equal(self) -> None:
        held: dict[str, list[Assertion]] = {}
        for one in self.gained:
            held.setdefault(one.text, []).append(one)
        kept = []
        for one in self.lost:
            same = held.get(one.text)
            if not same:
                kept.append(one)
                continue
            at = next((at for at, other in enumerate(same) if other.condition == one.condition), 0)
            other = same.pop(at)
            if other.condition and not one.condition:
                self.losses.append(Loss(GUARDED, one, other))
        self.lost = kept
        self.gained = [one for same in held.values() for one in same]


def _has_moved(
    loss: Assertion, new: Place | None, helpers: Mapping[str, bool], defined: Mapping[str, frozenset[str]]
) -> bool:
    """True for what a helper asserted that is still called and is not in the test's file any more."""
    if new is None or not loss.via or loss.via not in new.test.calls:
        return False
    return loss.via not in defined.get(new.path, ()) and helpers.get(loss.via, True)


def _new_void(old: CollectedTest, new: CollectedTest) -> list[Assertion]:
    known = Counter(one.text for one in old.assertions if one.void)
    found = []
    for one in new.assertions:
        if one.void and known[one.text] > 0:
            known[one.text] -= 1
        elif one.void:
            found.append(one)
    return found


def settled(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Settled:
    """Match the tests of a whole change set, and balance what they assert."""
    matched = match_tests((one.tests for one in before), (one.tests for one in after))
    product = frozenset(one.path for one in before if one.role == PRODUCTION and "test" not in one.path.lower())
    return Settled(before, after, matched, _settle(matched, after, product))


def _settle(matched: Matched, after: Iterable[FileFacts], product: frozenset[str]) -> Books:
    """Balance what the tests of the base asserted against what live tests of the head assert, whose files are given.

    `product` are paths of production at the base.
    """
    files = tuple(after)
    matched = _without_swallowed(matched, frozenset(name for one in files for name in one.tests.swallows))
    helpers = _helpers(matched)
    sound = frozenset(name for name, is_sound in helpers.items() if is_sound)
    defined = {one.path: frozenset(one.defines) for one in files}
    pairs = [pair for pair in matched.pairs if pair.old.test.kind == TEST and is_judged(pair, product)]
    opened = [_Open(pair, helpers) for pair in pairs]
    pool = _Pool(matched, opened, helpers)
    for one in opened:
        one.lost = [
            loss
            for loss in one.lost
            if not (
                _has_moved(loss, one.pair.new, helpers, defined) or pool.pays_exactly(loss) or pool.pays_by_row(loss)
            )
        ]
    steps = _MIN_STEPS + _STEPS_EACH * sum(len(one.lost) + len(one.gained) for one in opened)
    for one in opened:
        if one.pair.new is not None:
            steps = _settle_inside(one, steps)
            one.losses += list(_replaced(one))
    for one in opened:
        one.lost = [loss for loss in one.lost if not pool.pays(loss)]
    accounts = []
    gone = []
    for one in opened:
        if one.pair.new is None:
            gone.append((one.pair.old, tuple(one.lost)))
        else:
            cover = Cover(one.pair)
            one.losses += [_final(loss, one) for loss in one.lost if not cover.holds(loss)]
            accounts.append(Account(one.pair, tuple(one.losses), one.live_left, sound))
    return Books(tuple(accounts), tuple(gone))


def _without_swallowed(matched: Matched, swallowers: frozenset[str]) -> Matched:
    """The same tests, with what stands beneath a context manager of another file that swallows failures as void."""
    if not swallowers:
        return matched
    pairs = tuple(
        pair._replace(new=_voided(pair.new, {one.within for one in pair.old.test.assertions}, swallowers))
        if pair.new
        else pair
        for pair in matched.pairs
    )
    return matched._replace(pairs=pairs)


def _voided(place: Place, known: set[str], swallowers: frozenset[str]) -> Place:
    assertions = tuple(
        one._replace(void=one.void or SWALLOWED)
        if one.within not in known and not swallowers.isdisjoint(one.within.split())
        else one
        for one in place.test.assertions
    )
    return place._replace(test=place.test._replace(assertions=assertions))


def _counts(pair: Pair) -> bool:
    return pair.new is not None and (pair.new.test.state in LIVE or is_helper(pair.new))


def _helpers(matched: Matched) -> dict[str, bool]:
    """Helpers that the head defines in files of the change set: by name, whether anything in them can fail."""
    places = [*(pair.new for pair in matched.pairs if pair.new), *matched.fresh]
    found: dict[str, bool] = {}
    for place in places:
        if is_helper(place):
            name = place.test.name.rpartition("::")[2]
            asserts = any(not one.void for one in place.test.assertions)
            is_sound = asserts or any(call.lstrip("_").lower().startswith(CHECKERS) for call in place.test.calls)
            found[name] = found.get(name, False) or is_sound
    return found


def _worth(new: CollectedTest, old: CollectedTest | None, helpers: dict[str, bool]) -> Iterator[Assertion]:
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


class _Pool:
    """What live tests of the head assert that their base did not."""

    def __init__(self, matched: Matched, opened: Iterable[_Open], helpers: dict[str, bool]) -> None:
        self._owners: dict[str, list[_Open | None]] = {}
        self._kinds: Counter[tuple[str, str]] = Counter()
        self._rows: dict[int, frozenset[str]] = {}
        self._rows_with: dict[str, list[int]] = {}
        for one in opened:
            for gain in one.gained:
                self._owners.setdefault(gain.text, []).append(one)
        for place in live(matched.fresh):
            for gain in _worth(place.test, None, helpers):
                self._owners.setdefault(gain.text, []).append(None)
                self._kinds[gain.relation, gain.expected] += 1
            self._add_rows(place.test.rows, sum(1 for one in place.test.assertions if not one.void))
        for place in matched.fresh:
            if is_helper(place):
                for gain in place.test.assertions:
                    if not gain.void:
                        self._kinds[gain.relation, gain.expected] += 1
        for one in opened:
            if one.pair.new is not None and one.pair.new.test.state in LIVE:
                rows = Counter(one.pair.new.test.rows) - Counter(one.pair.old.test.rows)
                self._add_rows(rows.elements(), one.live_left)

    def _add_rows(self, rows: Iterable[str], times: int) -> None:
        """A row stands for one assertion of each that its test makes."""
        for row in rows:
            values = literals_of(row)
            for _ in range(min(times, _MAX_TIMES)):
                number = len(self._rows)
                self._rows[number] = values
                for value in values:
                    self._rows_with.setdefault(value, []).append(number)

    def pays_exactly(self, loss: Assertion) -> bool:
        """True when the very same assertion stands somewhere else now; that credit is spent then."""
        owners = self._owners.get(loss.text)
        if not owners:
            return False
        other = owners.pop()
        if other is None:
            self._kinds[loss.relation, loss.expected] -= 1
        else:
            at = next((at for at, gain in enumerate(other.gained) if gain.text == loss.text), None)
            if at is not None:
                other.gained.pop(at)
        return True

    def pays_by_row(self, loss: Assertion) -> bool:
        """True when a test was given a row with the values of an assertion; that credit is spent then."""
        values = literals_of(loss.text) if self._rows else frozenset()
        holders = [self._rows_with.get(value, []) for value in values]
        rarest = min(holders, key=len, default=[])
        for at, number in enumerate(rarest[:_MAX_ALIKE]):
            if values <= self._rows[number]:
                self._rows[number] = frozenset()
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


def _settle_inside(one: _Open, steps: int) -> int:
    """What stands in the same test in place of what it lost: first of the same subject in the same way, then of
    the same subject, then of the same kind.

    At most `steps` pairs are compared, and the rest stays lost; returned is how many are left.
    """
    for fits in (_same_check, _same_subject, _same_expected, _as_strong):
        rest = []
        missed = set()
        for loss in one.lost:
            key = (loss.subject, loss.expected, loss.relation, loss.strength, loss.tolerance)
            if key in missed:  # what fits nothing still does when less is left
                rest.append(loss)
                continue
            at = next((at for at, gain in enumerate(islice(one.gained, max(0, steps))) if fits(loss, gain)), None)
            steps -= len(one.gained) if at is None else at
            if at is None:
                missed.add(key)
                rest.append(loss)
                continue
            judged = _judged(loss, one.gained.pop(at))
            if judged is not None:
                one.losses.append(judged)
        one.lost = rest
    return steps


def _same_check(loss: Assertion, gain: Assertion) -> bool:
    return loss.relation == gain.relation and _same_subject(loss, gain)


def _same_subject(loss: Assertion, gain: Assertion) -> bool:
    return is_alike(loss, gain) and not is_weaker(gain, loss)


def _same_expected(loss: Assertion, gain: Assertion) -> bool:
    return bool(loss.expected) and is_same_value(loss, gain) and not is_weaker(gain, loss)


def _as_strong(loss: Assertion, gain: Assertion) -> bool:
    return not is_weaker(gain, loss)


def _replaced(one: _Open) -> Iterator[Loss]:
    """What the test of the base called and its successor put an answer in place of."""
    for void in one.void:
        if void.relation == IS_REPLACED and void.subject.rpartition(".")[2] in one.pair.old.test.calls:
            yield Loss(VOID, void._replace(void=""), void)


def _final(loss: Assertion, one: _Open) -> Loss:
    """A loss that nothing pays for: now void, now weaker, or gone."""
    void = next((other for other in one.void if other.text == loss.text), None)
    if void is not None:
        one.void.remove(void)
        return Loss(VOID, loss, void)
    for at, gain in enumerate(one.gained[:_MAX_ALIKE]):
        if is_alike(loss, gain):
            return Loss(LOWERED, loss, one.gained.pop(at))
    near = (other for other in one.void[:_MAX_ALIKE] if is_alike(loss, other) or _takes_place(loss, other))
    void = next(near, None)
    if void is not None:
        one.void.remove(void)
        return Loss(VOID, loss, void)
    if loss.relation.startswith(("warns", "raises")) and one.pair.new is not None:
        ignored = next((word for word in _IGNORING if word in one.new_calls), "")
        if ignored:
            return Loss(VOID, loss, loss._replace(line=one.pair.new.test.line, void=f"{ignored}() hides it"))
    return Loss(LOST, loss)


def _judged(loss: Assertion, gain: Assertion) -> Loss | None:
    """None when the new one says the same or more of the same."""
    if is_reworded(loss, gain) and loss.condition == gain.condition:
        return None
    if is_widened(loss, gain):
        return Loss(WIDENED, loss, gain)
    if gain.condition and not loss.condition:
        return Loss(GUARDED, loss, gain)
    if is_opposite(loss, gain):
        return Loss(EDITED, loss, gain)
    if is_alike(loss, gain) and (is_same_value(loss, gain) or is_stronger(gain, loss)):
        return None
    return Loss(EDITED, loss, gain)


def _takes_place(loss: Assertion, void: Assertion) -> bool:
    is_swapped = len(loss.subject) >= MIN_OVERLAP and loss.subject == void.expected
    return is_swapped or ((void.relation, void.expected) == (loss.relation, loss.expected) and bool(loss.expected))
