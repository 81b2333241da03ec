"""What a test answers or sets itself now, where the code under test did: by stand-ins, patches and assignments."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.inventory import IS_HANDED, IS_REPLACED, IS_SET, IS_WATCHED
from agentgate_git.policy.weakening.assertion_order import MIN_OVERLAP, literals_of
from agentgate_git.policy.weakening.assertion_pool import HANDED, VOID, Loss, Open

OWN_ANSWER = "a stand-in for what it looks at hands over what is expected"
# Signs in the values that a stand-in hands over: fewer come about by chance.
_MIN_TOLD = 4
_MAX_ALIKE = 100


def answered(one: Open) -> Iterator[Loss]:
    """What the test of the base called and its successor put an answer in place of."""
    yield from _handed(one)
    yield from _set_or_answered(one)
    for void in one.void:
        if void.relation == IS_REPLACED and void.subject.rpartition(".")[2] in one.pair.old.test.calls:
            yield Loss(VOID, void._replace(void=""), void)


def _set_or_answered(one: Open) -> Iterator[Loss]:
    """What a test sets itself now where it called what sets it; what it answers where it watched."""
    old, new = one.pair.old.test, one.pair.new.test if one.pair.new else None
    is_called = new is not None and not set(old.calls) <= set(new.calls)
    watched = {other.subject for other in old.assertions if other.relation == IS_WATCHED}
    live = [other for other in old.assertions if not other.void]
    for void in one.void:
        if void.relation == IS_SET and is_called:
            name = void.subject.rpartition(".")[2]
            same = (other for other in live if other.subject.endswith(f".{name}") and other.relation == void.expected)
            yield from (Loss(VOID, other, void._replace(text=other.text)) for other in list(same)[:1])
        elif void.relation == IS_HANDED and void.subject in watched:
            yield from (Loss(HANDED, other, void) for other in live[:1])


def _handed(one: Open) -> Iterator[Loss]:
    """What the test asserted before and asserts of a value that a stand-in hands over now."""
    stand_ins = [void for void in one.void if void.relation == IS_HANDED][:_MAX_ALIKE]
    if not stand_ins or one.pair.new is None:
        return
    kept = {other.text for other in one.pair.old.test.assertions if not other.void}
    asked = [other for other in one.pair.new.test.assertions if not other.void and other.text in kept]
    for void in stand_ins:
        member = f".{void.subject.rpartition('.')[2]}"
        values = literals_of(void.expected)
        same = (
            one_of
            for one_of in asked
            if (one_of.subject.endswith(member) or _asks_own(one_of.subject, void.subject))
            and literals_of(one_of.expected) == values
        )
        yield from (Loss(VOID, other, void._replace(void=OWN_ANSWER)) for other in same if values)
    told = [(other, values) for other in asked if len("".join(values := literals_of(other.expected))) >= _MIN_TOLD]
    for void in stand_ins:
        given = literals_of(void.expected)
        yield from (Loss(HANDED, other, void) for other in [had for had, values in told if values <= given][:1])


def _asks_own(subject: str, member: str) -> bool:
    """True for a call of a method of a class, by the name of what it is called on: `self.cart.total()`."""
    owner, _, name = member.rpartition(".")
    kind = owner.rpartition(".")[2].lower()
    called, found, _ = subject.rpartition(f".{name}(")
    holder = called.rpartition(".")[2].strip("_").replace("_", "").lower()
    return bool(found) and len(kind) >= MIN_OVERLAP and (holder == kind or f"{kind}(" in called.lower())
