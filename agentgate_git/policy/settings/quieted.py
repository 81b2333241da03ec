"""Warnings that were errors of a run, and coroutines that it awaited: what pytest is told no longer to make of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange

_SECTION = "pytest > section"
_FILTERS = "pytest > filterwarnings"
_ASYNC = "pytest > asyncio_mode"
_AUTO = "auto"
_OF_TESTS = pattern_of(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")
_OF_FAILURES = pattern_of(
    r"(?:ignore|default|once|always|module)::pytest\.Pytest(?:Unhandled|Unraisable|ReturnNotNone)\w*"
)
Files = Mapping[str, tuple[Setting, ...]]


def quieted(base: Files, head: Files) -> Iterator[GateChange]:
    """What pytest makes of warnings and of coroutines, in the files of a change set that still configure it."""
    everything = [one for settings in head.values() for one in settings]
    if not any(one.key == _SECTION for one in everything):
        return
    stands = {(one.key, one.value.strip("\"'")) for one in everything}
    yield from _lost_failures(base, head)
    has_tests = any(_OF_TESTS.search(path) for path in head)
    for path, settings in base.items():
        for one in settings if path in head else ():
            value = one.value.strip("\"'")
            if (one.key, value) in stands:
                continue
            if one.key == _FILTERS:
                yield from _filtered(value, path, {other for key, other in stands if key == _FILTERS})
            elif (one.key, value) == (_ASYNC, _AUTO):
                # Tests that the change touches may have got their marks.
                message = "asyncio_mode is auto no more: tests without a mark are not awaited"
                yield GateChange(WARN if has_tests else BLOCK, path, 0, message)


def _lost_failures(base: Files, head: Files) -> Iterator[GateChange]:
    """A filter for what pytest itself warns of: errors of threads and destructors, which failed a strict suite."""
    for path, settings in head.items():
        old = {one.value.strip("\"'") for one in base.get(path, ()) if one.key == _FILTERS}
        for one in settings if "error" in old else ():
            value = one.value.strip("\"'")
            if one.key == _FILTERS and value not in old and _OF_FAILURES.fullmatch(value):
                message = f"what failed in a thread, a destructor or a coroutine counts no more: {value}"
                yield GateChange(WARN, path, one.line, message)


def _filtered(value: str, path: str, now: set[str]) -> Iterator[GateChange]:
    """An `error` turned to something milder: to `ignore` beyond argument."""
    if value == "error":
        severity = BLOCK if "ignore" in now else WARN
        yield GateChange(severity, path, 0, "pytest no longer turns warnings into errors (filterwarnings)")
    elif value.startswith("error:") and f"ignore{value.removeprefix('error')}" in now:
        yield GateChange(BLOCK, path, 0, f"what was an error is ignored now: {value.removeprefix('error').strip(':')}")
