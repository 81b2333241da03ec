"""Checks in other words: what a mock keeps of its calls in those of its own assertions, and what one of many passes."""

from __future__ import annotations

from agentgate_git.model.inventory import ANY_ITEM, BOUND, CLOSE, EXACT, PRESENT, SOUGHT, STRENGTHS, Assertion
from agentgate_git.source.python.text import bounded

_COUNTS = (".call_count", ".await_count")
_FLAGS = (".called", ".awaited")
_LASTS = (".call_args", ".await_args")
_LISTS = (".call_args_list", ".await_args_list", ".mock_calls", ".method_calls")
# How the text of what is looked at ends where it is such a record.
RECORDS = (*_COUNTS, *_FLAGS, *_LASTS, *_LISTS)
_TIMES = {"0": ("was not called", EXACT), "1": ("was called once", BOUND)}


def recorded(subject: str, relation: str, expected: str, strength: str) -> tuple[str, str, str, str]:
    """Subject, relation, expected value and strength of a check of a record, as one of the mock that keeps it."""
    owner, _, name = subject.rpartition(".")
    if subject.endswith(_COUNTS):
        if relation == "==" and expected in _TIMES:
            said, limit = _TIMES[expected]
            return owner, said, "", limit
        said = {"is truthy": "was called", "is falsy": "was not called"}.get(relation, "")
        if said:
            return owner, said, "", EXACT if "not" in said else PRESENT
        return owner, f"is called {relation}", expected, _at_most(strength, BOUND)
    if subject.endswith(_FLAGS):
        is_not = relation == "is falsy"
        return owner, "was not called" if is_not else "was called", "", EXACT if is_not else PRESENT
    if relation == "is falsy":
        return owner, "was not called", "", EXACT
    limit = CLOSE if subject.endswith(_LASTS) else EXACT
    return owner, f"{name} {relation}", expected, _at_most(strength, limit)


def of_any(found: Assertion, whole: str) -> Assertion:
    """The check of an item, which one of many has to pass; `whole` is the text of what asks for any."""
    looser = STRENGTHS[min(STRENGTHS.index(found.strength) + 1, STRENGTHS.index(PRESENT))]
    strength = _at_most(looser, SOUGHT)
    relation = f"{ANY_ITEM}{found.relation}"
    text = bounded(" ".join([found.subject, relation, found.expected, found.tolerance]).rstrip())
    return found._replace(text=text, subject=whole, relation=relation, strength=strength, void="")


def _at_most(strength: str, limit: str) -> str:
    return STRENGTHS[max(STRENGTHS.index(strength), STRENGTHS.index(limit))]
