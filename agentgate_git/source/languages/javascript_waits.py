"""What a test of JavaScript has to wait for: a promise of a check that nobody waits for fails nothing.

Which checks give a promise is known by their words (`.resolves`, `rejectedWith`), by those of a tool that looks at a
page again and again (playwright, webdriver, detox), and by what calls them again until they pass (`waitFor`).
"""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import NOT_AWAITED
from agentgate_git.source.languages.javascript_places import callback_of
from agentgate_git.source.languages.javascript_timers import is_timer, outlives
from agentgate_git.source.languages.syntax import Code, Item, Span

DROPPED = "its failure is caught and dropped"

_REFAILS = pattern_of(
    r"\b(?:throw|reject|fail|assert\w*|expect\w*)\b|\b(?:done|next)\b(?!\((?:null|undefined|void 0|)\))"
)
_NO_HANDLER = pattern_of(
    r"(?:async)?\(?\w*\)?=>(?:\{\}|\(\{\}\)|null|undefined|void 0|\"\"|true|false)|noop|_\.noop|function\(\w*\)\{\}"
)
# Calls that give each item to a function and wait for nothing of it, and those that gather promises.
_FOR_EACH = (b".forEach", b".map", b".flatMap", b".filter", b".some", b".every")
_GATHERS = (b"Promise.all", b"Promise.allSettled", b"Promise.race", b"Promise.any")
# What calls a function again until nothing in it fails, and says so by a promise.
_AGAIN = pattern_of(rb"(?:\w+\.)?(?:waitFor|waitForElement|waitForExpect|waitUntil)")
_PROMISED = pattern_of(
    rb"\.(?:resolves|rejects|eventually|throwsAsync|notThrowsAsync|isRejected|isFulfilled|doesNotReject|rejectedWith"
    rb"|rejected|fulfilled)\b|\.to(?:NotBe|Be)(?:Resolved|Rejected)\w*$|^expect\.(?:poll|element)\("
)
# Files of tests in a browser or on a device, and what their `expect` looks at again until it holds or time is up.
_OF_PAGES = pattern_of(
    rb"@playwright/|@wdio/|\bdetox\b|\bexpect-puppeteer\b|\{[^{}\n]{0,80}\bpage\b[^{}\n]{0,80}\}[^{}()\n]{0,40}\)\s{0,9}=>"
    rb"|\b(?:page|browser)\.(?:goto|locator|getBy\w{1,20}|url)\("
)
_OF_PAGE = pattern_of(
    rb"\.(?:toHave(?:Text|Count|URL|Url|Title|Value|Values|Attribute|Class|CSS|Id|JSProperty|Screenshot|Role"
    rb"|AccessibleName|Elements\w*|Label|ToggleValue|SliderPosition)|toContain(?:Text|Class)|toMatchAriaSnapshot|toPass"
    rb"|toMatchElement|toBe(?:Visible|Hidden|Attached|Checked|Enabled|Disabled|Editable|Empty|Focused|InViewport|OK"
    rb"|Displayed\w*|Clickable|Existing|Present|Selected)|toExist)$"
)
_HEAD = 20


def is_callee(item: Item, outer: Item) -> bool:
    """True when an item is part of what an outer call calls."""
    name = outer.part("name")
    return name is not None and name.holds(item.span)


def void_by_place(code: Code, item: Item, body: Span) -> str:
    """Why a check can never fail by where it stands: a promise that nobody waits for, a catch that does nothing."""
    callback = callback_of(code, body)
    for above in (item, *item.above()):
        if not body.holds(above.span):
            break
        name = above.part("name")
        if above.kind != "call" or name is None:
            continue
        method = code.data[max(name.start, name.end - 8) : name.end]
        if name.holds(item.span) or above is item:
            if _is_dropped(code, above, method):
                return DROPPED
        elif method.endswith(_FOR_EACH) and _is_async(code, above):
            if method.endswith(b".forEach") or not _is_awaited(code, above, body):
                return NOT_AWAITED
        elif is_timer(code, above):
            if outlives(code, body, callback):
                return NOT_AWAITED
        elif method.endswith((b".then", b".finally")):
            if not (_is_awaited(code, above, body) or _tells(callback, code, above)):
                return NOT_AWAITED
        elif _is_made_again(code, name) and not (callback or _is_awaited(code, above, body)):
            return NOT_AWAITED
    if not _gives_promise(code, item):
        return ""
    return "" if _is_awaited(code, item, body) or _tells(callback, code, item) else NOT_AWAITED


def _is_made_again(code: Code, name: Span) -> bool:
    return _AGAIN.fullmatch(code.data[name.start : name.end]) is not None


def _gives_promise(code: Code, item: Item) -> bool:
    """True for a check that says what it found only to those who wait for it."""
    name = item.part("name") or item.span
    said = code.data[name.start : name.end]
    return bool(_PROMISED.search(said)) or (_OF_PAGE.search(said) is not None and code.once(_is_of_pages))


def _is_of_pages(code: Code) -> bool:
    return _OF_PAGES.search(code.data) is not None


def _is_dropped(code: Code, call: Item, method: bytes) -> bool:
    """True for `.catch(() => {})` and `.then(f, () => {})`, whose handler keeps a failure to itself."""
    if not method.endswith((b".catch", b".then")):
        return False
    arguments = code.arguments(call)
    at = int(method.endswith(b".then"))
    if len(arguments) <= at:
        return False
    handler = code.normal(Span(arguments[at].start_byte, arguments[at].end_byte))
    is_written = "=>" in handler or handler.startswith("function")
    return bool(_NO_HANDLER.fullmatch(handler)) or (is_written and not _REFAILS.search(handler))


def _tells(callback: str, code: Code, call: Item) -> bool:
    """True when the chain that a call is a part of calls the callback of its test, or hands it on."""
    if not callback:
        return False
    text = code.text(_whole(call).span)
    return re.search(rf"\b{callback}\b *(?:[(),;]|\.(?:done|end|fail)\b)", text) is not None


def _whole(item: Item) -> Item:
    """The whole chain of calls that a call is a part of."""
    while item.around is not None and item.around.kind == "call" and is_callee(item, item.around):
        item = item.around
    return item


def _is_async(code: Code, call: Item) -> bool:
    """True for a call that is given an async function."""
    given = call.part("args")
    return given is not None and code.data[given.start : given.start + _HEAD].lstrip(b"( \n").startswith(b"async")


def _is_awaited(code: Code, item: Item, body: Span) -> bool:
    """True when something waits for the promise: await, return, an arrow body, an argument, a variable."""
    top = item
    for above in item.above():
        if not body.holds(above.span) or above.span == body:
            return top.start == body.start
        if above.kind in ("await", "return", "constant", "assign", "function"):
            return True
        if above.kind == "lambda":
            return above.part("body") == top.span
        if above.kind == "call":
            name = above.part("name")
            gathers = name is not None and code.data[name.start : name.end] in _GATHERS
            if not is_callee(top, above) and not gathers:
                return True
            top = above
    return False
