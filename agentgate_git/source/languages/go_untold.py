"""Assertions of Go that no runner hears of: on a T that is made up, or in a goroutine that nobody waits for."""

from __future__ import annotations

from bisect import bisect_left

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.assertions import NOT_AWAITED
from agentgate_git.source.languages.nesting import within
from agentgate_git.source.languages.syntax import Code, Item, Span

UNTOLD = "it fails a T that no runner looks at"

_MAX_BOUND = 500
_LOOKED_AT = 20_000
_PACKAGES = frozenset(("assert", "require", "is", "must"))
_EMPTY = pattern_of(r"new\([\w.]*(?:T|TB|Tester)\)|&?[\w.]*(?:T|TB|Tester)\{\}")
# A name bound to a T without anything in it; a stand-in that holds the real one fails the test all the same.
_MADE_UP = pattern_of(
    rb"\b(\w+)[ \t]*:?=[ \t]*(?:new\(([\w.]+)\)|&?([\w.]+)\{\s*\})|\bvar[ \t]+(\w+)[ \t]+(testing\.T)[ \t]*\n"
)
_ASSERTER = pattern_of(rb"\b(\w+)[ \t]*:?=[ \t]*(?:assert|require|is|must)\.New\(([^\n]{1,80}?)\)[ \t]*[;\n}]")
# What a test does with a stand-in that it looks at: it tests what asserts.
_ASKED = pattern_of(rb"\.(?!(?:Errorf?|Fatalf?|Fail|FailNow|Logf?|Helper|Run|Name|Cleanup)\b)")
_WAITS = pattern_of(r"\bWait\w*\b|<-|\bselect\b|\bEventually\b|\bSleep\(|\bJoin\(|\brange ch|\bGosched\(|\bShutdown\(")
# What cannot wait for anything.
_QUICK = pattern_of(
    r"(?:t\.(?:Log|Logf|Helper|Name)|close|cancel|len|cap|append|string|\w+\.(?:Close|Stop|Done|Unlock))"
)


class Bound(Record):
    """A name that stands for something from a byte of the file on."""

    start: int
    name: str
    is_made_up: bool


def asserter(code: Code, item: Item, name: str) -> Bound | None:
    """What `a := assert.New(t)` made, where a call is made on it."""
    return _bound(item, code.once(_asserters).get(name, ()))


def untold(code: Code, item: Item, callee: str, arguments: tuple[str, ...]) -> str:
    """Why nobody hears of what fails in a call; empty where somebody does."""
    owner, _, _ = callee.rpartition(".")
    made = asserter(code, item, owner)
    if made is not None:
        return UNTOLD if made.is_made_up else ""
    names = code.once(_made_up)
    given = _bound(item, names.get(owner, ()))
    if owner in _PACKAGES and arguments:
        if _EMPTY.fullmatch(arguments[0]):
            return UNTOLD
        given = given or _bound(item, names.get(arguments[0].lstrip("&"), ()))
    return UNTOLD if given is not None and given.is_made_up else ""


def is_alone(code: Code, item: Item, body: Span) -> str:
    """Why what fails in a goroutine may come too late; empty where the test does anything that may wait for it."""
    for above in within(item, body):
        if above.kind != "spawn":
            continue
        known = code.once(_spawned)
        if above.index not in known:
            around = f"{code.text(Span(body.start, above.start))} {code.text(Span(above.end, body.end))}"
            calls = (one for one in code.inside(Span(above.end, body.end)) if one.kind == "call")
            is_quick = all(_QUICK.fullmatch(code.normal(one.part("name"))) for one in calls)
            known[above.index] = is_quick and _WAITS.search(around) is None
        if known[above.index]:
            return NOT_AWAITED
    return ""


def _spawned(_code: Code) -> dict[int, bool]:
    """Whether nobody waits for a goroutine, by its item."""
    return {}


def _bound(item: Item, places: tuple[Bound, ...]) -> Bound | None:
    """The last binding of a name before an item, in a function that both stand in."""
    at = bisect_left([one.start for one in places], item.start) - 1
    if at < 0:
        return None
    start = places[at].start
    is_in_it = any(one.start <= start for one in item.above() if one.kind in ("function", "lambda"))
    return places[at] if is_in_it else None


def _asserters(code: Code) -> dict[str, tuple[Bound, ...]]:
    found: dict[str, list[Bound]] = {}
    names = _made_up(code)
    for one in _ASSERTER.finditer(code.data) if b".New(" in code.data else ():
        name, given = one[1].decode(), one[2].decode("utf-8", "replace").strip()
        is_made_up = _EMPTY.fullmatch(given) is not None or given.lstrip("&") in names
        found.setdefault(name, []).append(Bound(one.start(), name, is_made_up))
    return {name: tuple(places[:_MAX_BOUND]) for name, places in found.items()}


def _made_up(code: Code) -> dict[str, tuple[Bound, ...]]:
    """Names that are bound to an empty T, each with whether nothing looks at it; those of `testing.T` for all calls."""
    found: dict[str, list[Bound]] = {}
    for number, one in enumerate(_MADE_UP.finditer(code.data)):
        if number >= _MAX_BOUND:
            break
        name, kind = one[1] or one[4], one[2] or one[3] or one[5]
        if not kind.rpartition(b".")[2].endswith(b"T"):
            continue
        rest = code.data[one.end() : one.end() + _LOOKED_AT]
        is_asked = any(_ASKED.match(rest, at) for at in _after(rest, name))
        found.setdefault(name.decode(), []).append(Bound(one.start(), name.decode(), not is_asked))
    return {name: tuple(places) for name, places in found.items()}


def _after(data: bytes, name: bytes) -> list[int]:
    """Where each mention of a name ends."""
    places: list[int] = []
    at = data.find(name)
    while at >= 0 and len(places) < _MAX_BOUND:
        places.append(at + len(name))
        at = data.find(name, at + len(name))
    return places
