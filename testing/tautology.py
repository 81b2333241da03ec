"""Why a test that nothing could make fail is one, as its text shows it. It explains and never decides: only runs do."""

from __future__ import annotations

from agentgate_git.model.inventory import PRESENT, STRENGTHS, TYPE, CollectedTest

NO_ASSERTION = "it asserts nothing"
_ASK_FOR_ERRORS = ("raises", "warns")
_WEAK = {
    PRESENT: "it asks only whether something is there",
    TYPE: "it asks only for a type",
}


def explain_tautology(test: CollectedTest) -> str:
    """A sentence without its full stop; empty where the text shows no reason."""
    if not test.assertions:
        return NO_ASSERTION
    real = [assertion for assertion in test.assertions if not assertion.void]
    if not real:
        reasons = dict.fromkeys(assertion.void for assertion in test.assertions)
        return "no assertion of it can fail: " + "; ".join(reasons)
    if any(assertion.relation in _ASK_FOR_ERRORS for assertion in real):
        return ""
    strongest = min((assertion.strength for assertion in real), key=STRENGTHS.index)
    return _WEAK.get(strongest, "")
