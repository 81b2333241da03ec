"""The books on assertions: what tests lost, what stands in for it elsewhere, each credit spent once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import TEST, Assertion
from agentgate_git.model.record import Record
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.weakening.assertion_cover import Cover
from agentgate_git.policy.weakening.assertion_order import (
    MIN_OVERLAP,
    is_alike,
    is_any_of,
    is_choice_added,
    is_count_bounded,
    is_item_of,
    is_made_round,
    is_more_left_out,
    is_of_other_number,
    is_opposite,
    is_reworded,
    is_same_call,
    is_same_value,
    is_set_in_order,
    is_stronger,
    is_weaker,
    is_whole_of,
    is_widened,
    says_all_words,
    types_added,
)
from agentgate_git.policy.weakening.assertion_pool import (
    EDITED,
    FROM_OTHER_FILE,
    GUARDED,
    LOST,
    LOWERED,
    VOID,
    WIDENED,
    Loss,
    Open,
    Pool,
)
from agentgate_git.policy.weakening.commented_out import CommentedOut, commented_out
from agentgate_git.policy.weakening.own_answers import answered
from agentgate_git.policy.weakening.subject_changes import SubjectChanges, subject_changes
from agentgate_git.policy.weakening.test_matching import Matched, Pair, Place, is_helper, is_judged, match_tests

SWALLOWED = "a context manager around it swallows it"
AGREED = "what it compares with equals everything"

CHECKERS = ("assert", "check", "verify", "expect", "ensure", "validate", "compare", "test", "want", "should", "must")
# A new assertion that says less than the old one, of the same value.
_SAYS_LESS = (is_any_of, is_count_bounded, is_item_of, is_more_left_out, is_made_round)
_IGNORING = ("simplefilter", "filterwarnings", "suppress")
# How many rows with a value, and how many pairs of assertions in all, are looked at.
_MAX_ALIKE = 100
_MIN_STEPS = 200_000
_STEPS_EACH = 20


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
    """A change set with its tests matched and balanced, for every check that asks what became of them.

    `subject` is what became of the code under test, `hidden` what stands in comments now.
    """

    before: tuple[FileFacts, ...]
    after: tuple[FileFacts, ...]
    matched: Matched
    books: Books
    subject: SubjectChanges
    hidden: CommentedOut


def _has_moved(
    loss: Assertion, new: Place | None, helpers: Mapping[str, bool], defined: Mapping[str, frozenset[str]]
) -> bool:
    """True for what a helper asserted that is still called and is not in the test's file any more."""
    if new is None or not loss.via or loss.via not in new.test.calls:
        return False
    return loss.via not in defined.get(new.path, ()) and helpers.get(loss.via, True)


def settled(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Settled:
    """Match the tests of a whole change set, and balance what they assert."""
    matched = match_tests((one.tests for one in before), (one.tests for one in after))
    product = frozenset(one.path for one in before if one.role == PRODUCTION and "test" not in one.path.lower())
    books = _settle(matched, after, product)
    return Settled(before, after, matched, books, subject_changes(before, after), commented_out(before, after))


def _settle(matched: Matched, after: Iterable[FileFacts], product: frozenset[str]) -> Books:
    """Balance what the tests of the base asserted against what live tests of the head assert, whose files are given.

    `product` are paths of production at the base.
    """
    files = tuple(after)
    matched = _without_swallowed(matched, frozenset(name for one in files for name in one.tests.swallows))
    matched = _without_agreed(matched, frozenset(name for one in files for name in one.tests.agrees))
    helpers = _helpers(matched)
    sound = frozenset(name for name, is_sound in helpers.items() if is_sound)
    defined = {one.path: frozenset(one.defines) for one in files}
    pairs = [pair for pair in matched.pairs if pair.old.test.kind == TEST and is_judged(pair, product)]
    opened = [Open(pair, helpers) for pair in pairs]
    pool = Pool(matched, opened, helpers)
    for one in opened:
        one.lost = [
            loss
            for loss in one.lost
            if not (
                _has_moved(loss, one.pair.new, helpers, defined)
                or pool.pays_exactly(loss)
                or (pool.pays_by_row(loss) and not _is_by_item(loss, one))
            )
        ]
    steps = _MIN_STEPS + _STEPS_EACH * sum(len(one.lost) + len(one.gained) for one in opened)
    for one in opened:
        if one.pair.new is not None:
            _take_void(one)
            steps = _settle_inside(one, steps)
            one.losses += list(answered(one))
    for one in opened:
        is_gone = one.pair.new is None
        one.lost = [loss for loss in one.lost if not (pool.pays(loss) or (is_gone and pool.pays_by_call(loss)))]
    accounts = []
    gone = []
    for one in opened:
        if one.pair.new is None:
            gone.append((one.pair.old, tuple(one.lost)))
        else:
            cover = Cover(one.pair)
            settled_ones = (_final(loss, one) for loss in one.lost if not cover.holds(loss))
            one.losses += [loss for loss in settled_ones if loss is not None]
            accounts.append(Account(one.pair, tuple(one.losses), one.live_left, sound))
    return Books(tuple(accounts), tuple(gone))


def _is_by_item(loss: Assertion, one: Open) -> bool:
    """True for a whole of which the test compares some items, in a loop over their keys or without the others."""
    return any(is_item_of(loss, gain) or is_more_left_out(loss, gain) for gain in one.gained[:_MAX_ALIKE])


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


def _without_agreed(matched: Matched, agreeing: frozenset[str]) -> Matched:
    """The same tests, with what is newly compared with something that equals everything as void."""
    if not agreeing:
        return matched
    pairs = (pair._replace(new=_agreed(pair.old, pair.new, agreeing)) if pair.new else pair for pair in matched.pairs)
    return matched._replace(pairs=tuple(pairs))


def _agreed(old: Place, new: Place, agreeing: frozenset[str]) -> Place:
    known = {one.text for one in old.test.assertions}
    assertions = tuple(
        one._replace(void=AGREED)
        if one.relation == "==" and not (one.void or one.text in known) and _names(one, agreeing)
        else one
        for one in new.test.assertions
    )
    return new._replace(test=new.test._replace(assertions=assertions))


def _names(one: Assertion, agreeing: frozenset[str]) -> bool:
    """True when one side of a comparison is a name, or a call of a name, of what agrees."""
    heads = (side.partition("(")[0].rpartition(".")[2] for side in (one.subject, one.expected))
    return not agreeing.isdisjoint(heads)


def _voided(place: Place, known: set[str], swallowers: frozenset[str]) -> Place:
    assertions = tuple(
        one._replace(void=one.void or SWALLOWED)
        if one.within not in known and not swallowers.isdisjoint(one.within.split())
        else one
        for one in place.test.assertions
    )
    return place._replace(test=place.test._replace(assertions=assertions))


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


def _take_void(one: Open) -> None:
    """What stands in the test as it did, and cannot fail there any more: nothing else in it takes its place."""
    void = {other.text: other for other in one.void}
    rest, taken = [], set()
    for loss in one.lost if void else ():
        found = void.pop(loss.text, None)
        if found is None:
            rest.append(loss)
        else:
            taken.add(id(found))
            one.losses.append(Loss(VOID, loss, found))
    if taken:
        one.lost = rest
        one.void = [other for other in one.void if id(other) not in taken]


def _settle_inside(one: Open, steps: int) -> int:
    """What stands in the same test in place of what it lost: first of the same subject in the same way, then of
    the same subject, then of the same kind.

    At most `steps` pairs are compared, and the rest stays lost; returned is how many are left.
    """
    for fits in (_same_said, _same_check, _same_subject, _same_expected, _same_call, _as_strong):
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


def _same_said(loss: Assertion, gain: Assertion) -> bool:
    return loss.subject == gain.subject and bool(loss.expected) and _same_expected(loss, gain)


def _same_check(loss: Assertion, gain: Assertion) -> bool:
    return loss.relation == gain.relation and _same_subject(loss, gain)


def _same_subject(loss: Assertion, gain: Assertion) -> bool:
    return is_alike(loss, gain) and not is_weaker(gain, loss)


def _same_expected(loss: Assertion, gain: Assertion) -> bool:
    return bool(loss.expected) and is_same_value(loss, gain) and not is_weaker(gain, loss)


def _same_call(loss: Assertion, gain: Assertion) -> bool:
    """The same asked of a call of the same name, which is made of something else: `Lease(clock=c).expired()`."""
    is_same = (loss.relation, loss.expected) == (gain.relation, gain.expected) and not is_weaker(gain, loss)
    return is_same and "(" in loss.subject and _last_called(loss.subject) == _last_called(gain.subject)


def _last_called(subject: str) -> str:
    return subject.rpartition("(")[0].rpartition(".")[2]


def _as_strong(loss: Assertion, gain: Assertion) -> bool:
    return not is_weaker(gain, loss)


def _final(loss: Assertion, one: Open) -> Loss | None:
    """A loss that nothing pays for: now void, now weaker, or gone; None for a set that is said in order now."""
    void = next((other for other in one.void if other.text == loss.text), None)
    if void is not None:
        one.void.remove(void)
        return Loss(VOID, loss, void)
    for at, gain in enumerate(one.gained[:_MAX_ALIKE]):
        if is_alike(loss, gain) or is_any_of(loss, gain):
            one.gained.pop(at)
            return None if is_set_in_order(loss, gain) else Loss(LOWERED, loss, gain)
    rounds = next((at for at, gain in enumerate(one.gained[:_MAX_ALIKE]) if is_of_other_number(loss, gain)), None)
    if rounds is not None:
        return Loss(LOWERED, loss, one.gained.pop(rounds))
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
    if is_widened(loss, gain) or is_choice_added(loss, gain) or types_added(loss, gain):
        return Loss(WIDENED, loss, gain)
    if any(says_less(loss, gain) for says_less in _SAYS_LESS):
        return Loss(LOWERED, loss, gain)
    if loss.condition == gain.condition and (is_reworded(loss, gain) or is_whole_of(loss, gain)):
        return None
    if gain.condition and not loss.condition:
        return Loss(GUARDED, loss, gain)
    if is_opposite(loss, gain):
        return Loss(EDITED, loss, gain)
    if is_alike(loss, gain) and (is_same_value(loss, gain) or is_stronger(gain, loss)):
        return None
    if loss.expected == "null" and gain.relation.startswith(FROM_OTHER_FILE) and loss.subject in gain.subject:
        return None
    if is_stronger(gain, loss) and (is_same_call(loss, gain) or says_all_words(loss, gain)):
        return None
    return Loss(EDITED, loss, gain)


def _takes_place(loss: Assertion, void: Assertion) -> bool:
    is_swapped = len(loss.subject) >= MIN_OVERLAP and loss.subject == void.expected
    return is_swapped or ((void.relation, void.expected) == (loss.relation, loss.expected) and bool(loss.expected))
