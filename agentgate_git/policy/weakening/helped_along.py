"""E_HARNESS_TAMPERED: tests that come to do what their subject is there for, so that they pass without it."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model import code
from agentgate_git.model.finding import WARN, Finding
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.trait_changes import Arrival, Changes

_ASK = "take it out, or ask a human to adopt the change"
_KEPT = "helped.kept"
_SAYS = {
    "helped.override": "what asks for this is answered by the tests now",
    "helped.handler": "an error of the product is answered by the tests now",
    "helped.quiet": "an error of the product does not reach the tests any more",
    "helped.lifted": "the database holds to no constraint any more",
    "helped.limit": "a limit of the product is another one before all tests",
    "helped.lock": "a lock of the test is held around what it calls",
    "helped.written": "the test writes what it then reads",
}
_OF_TESTS = frozenset(("helped.lock", "helped.written"))
# Dependencies that let somebody in or refuse: a database or a clock has to be replaced.
_REFUSES = pattern_of(
    r"(?i)user|auth|token|login|logged|permi|role|admin|verif|valid|check|require|csrf|api_?key|secur|scope|rate|limit|quota"
    r"|tenant|owner|guard|ensure|principal|identity|access"
)


def helped_findings(changes: Changes) -> Iterable[Finding]:
    """Findings for the traits of a whole change set."""
    for arrival in changes.new(lambda kind: kind in _SAYS):
        if _is_existing(arrival, changes):
            yield _finding(arrival, _SAYS[arrival.trait.kind])
    lifted = {one.file.path for one in changes.new(lambda kind: kind == "helped.lifted")}
    for arrival in changes.lost(lambda kind: kind == _KEPT):
        head = changes.after.get(arrival.file.path)
        if head is None or head.path in lifted or not changes.defines(head, arrival.trait.owner):
            continue
        if not changes.has(head.path, _KEPT, arrival.trait.owner):
            yield _finding(
                Arrival(head, arrival.trait._replace(line=0)), "gone: the database may hold to no constraint"
            )


def _is_existing(arrival: Arrival, changes: Changes) -> bool:
    """True where tests of the base come to stand behind it."""
    file, trait = arrival
    old = changes.before.get(file.path)
    if trait.kind in _OF_TESTS:
        return changes.is_existing_test(file.path, trait.owner)
    if old is None or (trait.kind == "helped.override" and not _REFUSES.search(trait.what)):
        return False
    return trait.kind == "helped.limit" or any(changes.defines(old, one) for one in trait.owner.split("::"))


def _finding(arrival: Arrival, text: str) -> Finding:
    file, trait = arrival
    place = f"{trait.owner}: " if trait.owner else ""
    message = f"{place}{text} (`{trait.what}`)"
    return Finding(code.HARNESS_TAMPERED, WARN, file.path, message, _ASK, line=trait.line)
