"""Whose freeze counts."""

from __future__ import annotations

import pytest

from agentgate_git.policy.runs.freeze_signers import FreezeSigning, signing_problem, witnesses

BUILT_IN = ("runner", "human")

COUNTS: dict[str, tuple[FreezeSigning, tuple[str, ...]]] = {
    "a human": (FreezeSigning(("human:pat",), (), BUILT_IN), ("human:pat",)),
    "another runner": (FreezeSigning(("runner:b",), ("runner:a",), BUILT_IN), ("runner:b",)),
    "a human beside the runner": (FreezeSigning(("runner:a", "human:pat"), ("runner:a",), BUILT_IN), ("human:pat",)),
    "one that the policy names": (FreezeSigning(("bot:flaky",), (), ("bot:flaky",)), ("bot:flaky",)),
    "any enrolled principal, where anyone may": (FreezeSigning(("agent:x",), (), ("anyone",)), ("agent:x",)),
    "nobody, but the base holds it": (FreezeSigning(is_in_base=True), ()),
}
COUNTS_FOR_NOTHING: dict[str, tuple[FreezeSigning, str]] = {
    "nothing at all": (FreezeSigning(), "is not signed with a key that the base enrols"),
    "nobody, where anyone may": (FreezeSigning((), (), ("anyone",)), "is not signed"),
    "the runner": (FreezeSigning(("runner:a",), ("runner:a",), BUILT_IN), "had a part in the patch or its run"),
    "the author": (FreezeSigning(("human:pat",), ("human:pat",), BUILT_IN), "signed by human:pat, who had a part"),
    "an agent": (FreezeSigning(("agent:x",), (), BUILT_IN), "agent:x; here runner or human may file one"),
    "an agent beside the runner": (FreezeSigning(("agent:x", "runner:a"), ("runner:a",), BUILT_IN), "by runner:a"),
    "a human, where nobody may": (FreezeSigning(("human:pat",), (), ()), "here nobody may file one"),
    "a name that is a role": (FreezeSigning(("human",), (), ("human:pat",)), "here human:pat may file one"),
}


@pytest.mark.parametrize(("facts", "by"), COUNTS.values(), ids=COUNTS)
def test_a_freeze_that_counts(facts: FreezeSigning, by: tuple[str, ...]) -> None:
    assert ("", by) == (signing_problem(facts), witnesses(facts))


@pytest.mark.parametrize(("facts", "reason"), COUNTS_FOR_NOTHING.values(), ids=COUNTS_FOR_NOTHING)
def test_a_freeze_that_counts_for_nothing(facts: FreezeSigning, reason: str) -> None:
    assert reason in signing_problem(facts)
    assert () == witnesses(facts)
