"""What code under test is compared with: a value somebody wrote down, or what the same code gives."""

from __future__ import annotations

from agentgate_git.model.inventory import NOT_ENDED, REJECTED, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_order import items_of, literals_of
from agentgate_git.policy.weakening.assertion_pool import Loss

_CALLED = pattern_of(r"(?:await )?((?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*)\(")
_KEYWORD = pattern_of(r"^[^\W\d]\w*=(?!=)")
_EXCEPT = pattern_of(r"(?:^|; )except\b")
_NO_ERROR = pattern_of(r"!\(?(?:err|error|er)\)?|(?:err|error|er)(?:==?=?)(?:nil|null|undefined)")
_RAISES = ("throw", "reject", "raise")


def is_of_own_result(loss: Loss) -> bool:
    """True for a call whose result was compared with a value that is written down, and is with that of such a call."""
    if loss.new is None or loss.new.subject != loss.old.subject or loss.new.relation != loss.old.relation:
        return False
    called, given = _CALLED.match(loss.new.subject), _CALLED.match(loss.new.expected)
    return (
        called is not None
        and given is not None
        and called[1] == given[1]
        and bool(literals_of(loss.old.expected))
        and _CALLED.match(loss.old.expected) is None
    )


def is_of_same_arguments(loss: Loss) -> bool:
    """True for two calls that are given the same, by keyword or by place."""
    if loss.new is None:
        return False
    given = [
        sorted(_KEYWORD.sub("", item) for item in items_of(side.partition("(")[2].removesuffix(")")))
        for side in (loss.new.subject, loss.new.expected)
    ]
    return given[0] == given[1]


def is_only_if_rejected(loss: Loss, assertions: tuple[Assertion, ...]) -> bool:
    """True for a failure that was asserted, where the test looks at one now if there is any, and asserts none."""
    if not any(word in loss.old.relation.lower() for word in _RAISES):
        return False
    if any(word in one.relation.lower() for one in assertions for word in _RAISES if one.subject == loss.old.subject):
        return False
    return any(REJECTED in one.condition for one in assertions)


def is_only_if_raised(loss: Loss, assertions: tuple[Assertion, ...]) -> bool:
    """True for an error that was expected, where all that the test asserts now stands below an `except`."""
    if not loss.old.relation.startswith("raises"):
        return False
    live = [one for one in assertions if not one.void]
    return bool(live) and all(_EXCEPT.search(one.condition) for one in live)


def is_after_the_end(loss: Loss) -> bool:
    """True for what is asserted only as long as the test has not ended."""
    return loss.new is not None and NOT_ENDED in loss.new.condition and NOT_ENDED not in loss.old.condition


def is_only_without_error(loss: Loss) -> bool:
    """True for what is asserted only where a call came back without an error, or with one: the other way passes now."""
    if loss.new is None:
        return False
    told = set(loss.new.condition.split(" and ")) - set(loss.old.condition.split(" and "))
    return REJECTED in told or any(_NO_ERROR.fullmatch(one) for one in told)
