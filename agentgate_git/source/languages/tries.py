"""How often a property is tried, as the libraries of other languages are told: `numRuns: 500`, `MaxCount: 2000`."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of

# What policy calls it, as hypothesis does.
KNOB = "max_examples"
# The name of what holds for all properties that a set-up stands before.
SETTINGS = "property settings"

_MAY = pattern_of(
    rb"numRuns|MaxCount|[mM]inSuccessful|with_cases|ProptestConfig|QuickCheck|max_runs|MaxTest|tries|max_success|defaultTries"
)
_TRIES = pattern_of(
    r"\b(?:numRuns|MaxCount|[mM]inSuccessful(?:Tests)?|MaxTest|max_runs|tries|defaultTries|max_success)"
    r"(?:=|:|\(|,| ){1,2}\"?([\d_]+)|\bwith_cases\(([\d_]+)|ProptestConfig\{.{0,200}?\bcases:([\d_]+)"
    r"|QuickCheck::new\(\)\.{0,80}?\.tests\(([\d_]+)"
)


def may_tell(data: bytes) -> bool:
    """False for a file that surely tells no property how often to try."""
    return _MAY.search(data) is not None


def tries_in(text: str) -> str:
    """The smallest number in normalised text, as digits; empty for none."""
    numbers = [int(digits) for found in _TRIES.findall(text) for one in found if (digits := one.replace("_", ""))]
    return str(min(numbers)) if numbers else ""
