"""E_SPECIAL_CASED: production that asks whether it is tested, or holds the answers to the questions of a test.

Only the plain question blocks. A literal input with a literal answer is a sign: it warns in code that the base has.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model import code
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.inventory import CollectedTest
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.weakening.trait_changes import Arrival, Changes

_SAYS = {
    "special.running": "production behaves in another way where tests run",
    "special.variant": "tests run another function of this name than everybody else",
    "special.reads": "production reads files of the tests",
    "special.branch": "one input has its answer written down",
    "special.table": "answers are looked up before anything is computed",
    "special.counter": "answers depend on how often the function was called",
    "special.swallow": "every error has the same answer",
    "special.equals": "it equals every value of another type",
    "special.skips": "production skips the test that calls it",
    "special.stub": "a check that looked now always agrees",
}
PYTHON = "python"
_ANSWERED = (("given.variable", "asked.variable"), ("given.flag", "asked.flag"))
# A question after which nothing is done where tests run: in a new file it keeps them from sending mail and the like.
_REFUSING = "special.running.refusing"
_VARIANT = "special.variant"
_SKIPS = "special.skips"
_RUNNERS = frozenset(("bats", "jest", "vitest", "mocha", "playwright", "phpunit", "flutter"))
_BLOCKS = frozenset(("special.running", "special.reads", "special.equals"))


def special_findings(changes: Changes) -> Iterable[Finding]:
    """Findings for the traits of a whole change set."""
    yield from _answered(changes)
    for arrival in changes.new(lambda kind: kind.startswith("special.")):
        severity = "" if changes.reworded(arrival) else _severity(arrival, changes)
        if severity:
            file, trait = arrival
            place = f"{trait.owner}: " if trait.owner else ""
            message = f"{place}{_SAYS[_kind(trait.kind)]} (`{trait.what}`)"
            yield Finding(
                code.SPECIAL_CASED, severity, file.path, message, code.next_step(code.SPECIAL_CASED), line=trait.line
            )


def _answered(changes: Changes) -> Iterable[Finding]:
    """A function that the base has asks for a variable or a flag, and the same change sets it before all tests."""
    for given, asked in _ANSWERED:
        yield from _answered_by(given, asked, changes)


def _answered_by(given_kind: str, asked_kind: str, changes: Changes) -> Iterable[Finding]:
    given = {one.trait.what: one for one in changes.new(lambda kind: kind == given_kind)}
    known = {one.what for file in changes.before.values() for one in file.traits if one.kind == asked_kind}
    for arrival in changes.new(lambda kind: kind == asked_kind) if given else ():
        file, trait = arrival
        if trait.what not in given or trait.what in known or file.role != PRODUCTION:
            continue
        there = given[trait.what].file.path
        severity = BLOCK if _is_kept(arrival, changes) else WARN
        message = f"{trait.owner}: it asks for {trait.what}, which {there} sets before all tests"
        step = code.next_step(code.SPECIAL_CASED)
        yield Finding(code.SPECIAL_CASED, severity, file.path, message, step, line=trait.line)


def _severity(arrival: Arrival, changes: Changes) -> str:
    """BLOCK, WARN, or empty: a function that is new brings its own constants."""
    file, trait = arrival
    if file.role != PRODUCTION or _is_of_runner(file.path, trait.what):
        return ""
    if trait.kind in _BLOCKS:
        return BLOCK
    if trait.kind == _REFUSING:
        return BLOCK if file.path in changes.before else WARN
    if trait.kind == _SKIPS:
        return BLOCK if _is_kept(arrival, changes) else WARN
    if trait.kind == _VARIANT:
        return _of_variant(arrival, changes)
    if file.language != PYTHON:
        return WARN if file.path in changes.before else ""
    return WARN if _is_kept(arrival, changes) else ""


def _is_of_runner(path: str, what: str) -> bool:
    """True for a variable of a runner in the runner's own code, whose path says its name."""
    name = what.partition("_")[0].lower()
    return what.isupper() and name in _RUNNERS and name in path.lower()


def _of_variant(arrival: Arrival, changes: Changes) -> str:
    """A function that tests of its own file call is what they are about; others may stand for a clock or the like."""
    file, trait = arrival
    if not _is_kept(arrival, changes):
        return ""
    is_tested = any(trait.owner in test.calls or _names(test, trait.owner) for test in file.tests.tests)
    return BLOCK if is_tested else WARN


def _names(test: CollectedTest, name: str) -> bool:
    return any(f"{name}(" in one.text for one in test.assertions)


def _is_kept(arrival: Arrival, changes: Changes) -> bool:
    """True when the base has the function, by its last name, in the same file."""
    file, trait = arrival
    old = changes.before.get(file.path)
    if old is None:
        return False
    return changes.defines(old, trait.owner)


def _kind(kind: str) -> str:
    return ".".join(kind.split(".")[:2])
