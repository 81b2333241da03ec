"""What a check of JavaScript waits for by where it stands: that a promise fails, that a test has not ended before."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from agentgate_git.model.inventory import NOT_ENDED, REJECTED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.nesting import within
from agentgate_git.source.languages.syntax import Code, Item, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

# What makes a test fail that comes to its end without a rejection, or that the handler keeps what it got.
_SURE = pattern_of(
    r"\bfail\w*\b|\bthrow\b|\.assertions\(|hasAssertions|\bplan\(|unreachable|\b(?:assert|ok|equal|toBe)\(false|"
    r"reject\(",
    re.IGNORECASE,
)
_FOR_ALL = pattern_of(
    rb"\b(?:before|after)Each\([^\n]{0,40}\s{0,40}expect\.(?:hasAssertions|assertions)\b|requireAssertions"
)
_STRING = pattern_of(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`")
_KEPT = pattern_of(r"(?<!const )(?<!let )(?<!var )\b[A-Za-z_$][\w.]* ?(?:\+\+|[-+]?=(?![=>]))")
_ON = (b".on", b".once", b".addListener", b".addEventListener", b".prependListener")
# Events after which nothing comes.
_LAST = frozenset(("end", "close", "finish", "exit", "error", "abort", "disconnect", "drain", "complete", "destroy"))
_TAKES_ONE = pattern_of(r"[\s(](\w+)\s*\)?\s*(?:=>\s*)?$")
_CHECKS = pattern_of(r"\b(?:expect|assert|should)\b")
_HEAD = 60
_DECLARED = frozenset(("function_declaration", "generator_function_declaration", "variable_declarator"))
_IMPORTS = pattern_of(rb"(?m)^import\b|\brequire\(")
_EXPORTS = pattern_of(rb"\bexports?\b")


class _Listener(Record):
    """What is called when something happens: where it stands, for which event, what of a test it does."""

    span: Span
    event: str
    ends: bool
    checks: bool


class _Listeners(Record):
    """Those of one test, where each starts, and whether one ends the test without a check before others may come."""

    all: tuple[_Listener, ...]
    starts: tuple[int, ...]
    end_early: bool


def asked_by_place(code: Code, item: Item, body: Span) -> str:
    """What has to happen for a check to be made at all; empty for one that a test comes by."""
    for above in within(item, body):
        if _is_in_handler(code, above, item) or (above.kind == "handler" and above.node.type == "catch_clause"):
            return "" if callback_of(code, body) or _is_sure(code, above, body) else REJECTED
    callback = callback_of(code, body)
    return NOT_ENDED if callback and _is_past_the_end(code, item, body, callback) else ""


def is_own(code: Code, function: Item) -> bool:
    """True for a function by a name that only its own file can call: it stands in another, or nothing is exported."""
    return function.node.type in _DECLARED and (function.around is not None or code.once(_is_closed))


def _is_closed(code: Code) -> bool:
    """True for a module that gives nothing to others."""
    return _IMPORTS.search(code.data) is not None and _EXPORTS.search(code.data) is None


def named_body(code: Code, node: Node) -> Span | None:
    """The body of a function of the file that a test is handed by its name, and that nothing calls."""
    if node.type != "identifier" or node.text is None:
        return None
    return code.once(_bodies).get(node.text.decode("utf-8", "replace"))


def _bodies(code: Code) -> dict[str, Span]:
    """The body of each function that has a name of its own and is called by none; of two of one name, neither."""
    found: dict[str, Span] = {}
    other = {code.text(item.part("name")) for item in code.items if item.kind == "call"}
    for item in code.items:
        body = item.part("body")
        if item.kind == "function" and body is not None and item.node.type in _DECLARED:
            name = code.text(item.part("name"))
            if name in found:
                other.add(name)
            found[name] = body
    return {name: body for name, body in found.items() if name not in other}


def callback_of(code: Code, body: Span) -> str:
    """What a test of a runner calls when it is over (`function (done) {`), which the runner waits for; else empty."""
    found = _TAKES_ONE.search(code.text(Span(max(0, body.start - _HEAD), body.start)))
    return found[1] if found else ""


def _is_in_handler(code: Code, above: Item, item: Item) -> bool:
    """True for what is given to `.catch`, and for the second thing that `.then` is given."""
    if above.kind != "call":
        return False
    name, given = above.part("name"), above.part("args")
    if name is None or given is None or not given.holds(item.span):
        return False
    method = code.data[max(name.start, name.end - 6) : name.end]
    if method.endswith(b".catch"):
        return True
    arguments = code.arguments(above) if method.endswith(b".then") else ()
    return len(arguments) > 1 and arguments[1].start_byte <= item.start


def _is_sure(code: Code, handler: Item, body: Span) -> bool:
    """True where the test fails if nothing is rejected, by what else stands in it or what the handler keeps."""
    found = code.once(_known_guarantees)
    if code.once(_counts_for_all):
        return True
    if body not in found:
        code.spend(body.end - body.start)
        found[body] = _SURE.search(_STRING.sub("''", code.text(body))) is not None
    given = handler.part("args") or handler.part("body")
    if given is not None and given not in found:
        code.spend(given.end - given.start)
        found[given] = _KEPT.search(_STRING.sub("''", code.text(given))) is not None
    return found[body] or (given is not None and found[given])


def _counts_for_all(code: Code) -> bool:
    """True for a file in which a set-up asks every test for assertions."""
    return _FOR_ALL.search(code.data) is not None


def _known_guarantees(_code: Code) -> dict[Span, bool]:
    """Whether there is one in the tests and handlers that were asked for."""
    return {}


def _is_past_the_end(code: Code, item: Item, body: Span, callback: str) -> bool:
    """True for a check in a listener that does not end its test, where one of another event does without a check."""
    listeners = _listeners(code, body, callback)
    at = bisect_right(listeners.starts, item.start) - 1
    own = listeners.all[at] if at >= 0 else None
    return own is not None and own.span.holds(item.span) and not own.ends and listeners.end_early


def _listeners(code: Code, body: Span, callback: str) -> _Listeners:
    """The listeners of a test that stand in no other, in their order."""
    found = code.once(_known_listeners)
    if body not in found:
        every = tuple(_outermost(code, body, re.compile(rf"(?<![\w.]){re.escape(callback)}\b")))
        end_early = any(one.ends and not one.checks and one.event not in _LAST for one in every)
        found[body] = _Listeners(every, tuple(one.span.start for one in every), end_early)
    return found[body]


def _known_listeners(_code: Code) -> dict[Span, _Listeners]:
    """The listeners of the tests that were asked for."""
    return {}


def _outermost(code: Code, body: Span, ends: re.Pattern[str]) -> Iterator[_Listener]:
    end = body.start
    for one in code.inside(body):
        name = one.part("name") if one.kind == "call" and one.start >= end else None
        if name is None or not code.data[max(name.start, name.end - 20) : name.end].endswith(_ON):
            continue
        given = one.part("args")
        arguments = code.arguments(one)
        if given is None or len(arguments) < 2 or arguments[0].type != "string":
            continue
        code.spend(given.end - given.start)
        text = code.text(given)
        event = code.text(Span(arguments[0].start_byte, arguments[0].end_byte)).strip("'\"")
        inner = text[arguments[0].end_byte - given.start :]
        yield _Listener(given, event, ends.search(inner) is not None, _CHECKS.search(inner) is not None)
        end = one.end
