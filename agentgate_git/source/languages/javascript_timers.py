"""What a test of JavaScript puts off: a callback of a timer, which the runner waits for only where it is told to."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code, Item, Span

# What comes in the same turn (`process.nextTick`, `queueMicrotask`) runners mostly hear of, as of an error of nobody.
_TIMERS = frozenset(
    (
        *(b"setTimeout", b"setInterval", b"window.setTimeout", b"globalThis.setTimeout", b"global.setTimeout"),
        b"requestAnimationFrame",
    )
)
# What makes a test wait, or makes time pass while it runs: promises, callbacks, clocks that are moved by hand.
_WAITS = pattern_of(
    rb"\bawait\b|\bPromise\b|\byield\b|\breturn\b|\b(?:resolve|done|next|cb|callback|finish\w*|end|asyncTest|start|stop)\b"
    rb"|\b(?:tick|flush|advance\w*|run\w*|runs|waits\w*|waitFor\w*|clock|timers?|async|wait)\b"
)
_MOVED = pattern_of(
    rb"[fF]akeTimers|[fF]akeAsync|fakeClock|mockClock|jasmine\.clock|mock\.timers|lolex|Timekeeper|cy\.clock|waitsFor|asyncTest"
)
_HEAD = 200
_PARAMETERS = pattern_of(rb"\w\s*\)?\s*=>\s*$|\(\s*[\w${,\s}]+\)\s*$")


def is_timer(code: Code, call: Item) -> bool:
    """True for a call that has a function called later, and comes back at once."""
    name = call.part("name")
    return name is not None and code.data[name.start : name.end] in _TIMERS


def outlives(code: Code, body: Span, callback: str) -> bool:
    """True for what a timer calls when the test is over: nothing in the test waits, and no clock is moved by hand."""
    if callback or code.once(_is_moved):
        return False
    known = code.once(_known)
    if body not in known:
        code.spend(body.end - body.start)
        head = code.data[max(0, body.start - _HEAD) : body.start]
        known[body] = _takes_any(head) or _waits(code.data[body.start : body.end])
    return not known[body]


def _takes_any(head: bytes) -> bool:
    """True where the function of a test is given something, which may be what ends it, or is none of a test."""
    return _PARAMETERS.search(head) is not None


def _waits(text: bytes) -> bool:
    return _WAITS.search(text) is not None


def _is_moved(code: Code) -> bool:
    return _MOVED.search(code.data) is not None


def _known(_code: Code) -> dict[Span, bool]:
    """Whether the tests that were asked for wait for anything."""
    return {}
