"""What a set-up of JavaScript guards, and what in it turns guards, outcomes and snapshots into nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import HARNESS, PRODUCTION
from agentgate_git.source.languages.chains import MAX_CALLEE
from agentgate_git.source.languages.javascript_matchers import matchers_of
from agentgate_git.source.languages.javascript_waits import is_callee
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of
from agentgate_git.source.roles import role_of

GUARD_CONSOLE, GUARD_AFTER = "guard.console", "guard.after"
MAY_GUARD = pattern_of(
    rb"expect\.extend|console|unhandled[rR]ejection|uncaughtException|failOnConsole|afterEach|SnapshotSerializer|[sS]tate\b|numFailed|\.failures|"
    rb"failedExpectations"
)
# What a runner keeps of a test, and what it is when all went well.
_OUTCOMES = (
    (
        pattern_of(r"(?:.*\.)?(?:\w*[tT]est|\w*[rR]unnable|task|result|info)\w*\.(?:state|status)"),
        ('"passed"', '"pass"'),
    ),
    (pattern_of(r"(?:.*\.)?(?:numFailed\w*|stats\.failures|failures|failureCount|_failures)"), ("0",)),
    (pattern_of(r"(?:.*\.)?failedExpectations(?:\.length)?"), ("[]", "0")),
    (pattern_of(r"(?:.*\.)?(?:\w*[rR]esults?)\.success"), ("true",)),
)
_FAILS = pattern_of(r"\b(?:throw|fail\w*|expect|assert\w*|reject)\b|process\.exit\(")
_SPIES = pattern_of(r"(?:jest|vi|vitest|sinon)\.(?:spyOn|stub)|spyOn|sandbox\.stub")
_ON_CONSOLE = pattern_of(r"console,\"(error|warn|log|info)\"")
_LISTENS = pattern_of(r"(?:process|window|self|globalThis)\.(?:on|once|addEventListener)")
_REJECTION = pattern_of(r"\"(unhandledRejection|unhandledrejection|uncaughtException|warning|error)\",")
_OF_OTHERS = pattern_of(r"(?:fail|failOn|throwOn)\w*[cC]onsole\w*|failOnConsole")
_UNCAUGHT = pattern_of(
    r"\"(?:unhandledRejection|unhandledrejection|uncaughtException|uncaughtExceptionMonitor|error)\""
)
_FORGETS = pattern_of(r"process\.removeAllListeners")
_NOTHING = pattern_of(
    r"(?:async)?\(?\w*\)?=>(?:\{(?:return;?)?\}|null|undefined|void 0|true|false)|function\(\w*\)\{\}|noop|\w+\.noop"
)
# A spy on the console that is asked whether anything was said, and where one is held.
_ASKED_SPY = pattern_of(
    r"expect\(([\w.]+)(?:\.mock)?(?:\.calls)?(?:\.length)?\)"
    r"\.(?:not\.(?:to\.have\.been\.called|toHaveBeenCalled|toBeCalled)\w*|toHaveBeenCalledTimes\(0|toHaveLength\(0|toBe\(0|toEqual\(\[\])"
    r"|assert\.(?:strictEqual|equal|notCalled)\(([\w.]+?)(?:\.mock)?(?:\.calls)?(?:\.length)?\b"
)
_SPY_HELD = pattern_of(
    r"\b([A-Za-z_$][\w$]{0,60})\s{0,9}(?::[^=\n]{0,80})?=\s{0,9}(?:jest|vi|vitest|sinon|sandbox)\.(?:spyOn|stub|spy)\(\s{0,9}console,\s{0,9}"
    r"['\"](error|warn|log|info)['\"]"
)
_SETUPS = frozenset(("setup", "setuptests", "setupfile", "bootstrap", "globals", "globalsetup", "init"))
_SHORT = 200
_MAX_READ = 100_000
# What tells one value from others: any of it makes a serializer one for some values alone.
_TELLS = pattern_of(r"\.\w|instanceof|\bin\b|/|&&|\w\(")
_CONSTANT = pattern_of(
    r"\(?[\w,]*\)?=>(?:\{return )?(?:\"[^\"]*\"|`[^`$]*`)\}?|[\w]+\([\w,]*\)\{return (?:\"[^\"]*\"|`[^`$]*`)\}"
)


def guards_of(code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
    """Guards that the file sets, which the head may have no more, and what changes outcomes: (kind, item, source)."""
    if MAY_GUARD.search(code.data) is None:
        return
    for item in code.items:
        if item.kind == "assign" and item.end - item.start < MAX_CALLEE:
            yield from _assigned(code, path, item)
        elif item.kind == "call" and (name := item.part("name")) is not None and name.end - name.start < MAX_CALLEE:
            text = code.normal(name)
            if text == "expect.extend":
                yield from matchers_of(code, item)
            elif text.endswith("addSnapshotSerializer"):
                if _is_same_for_all(code, item):
                    yield "hook.outcome", item, "a serializer of snapshots prints the same for every value"
            elif guarded := _guarded(code, item, text):
                yield GUARD_CONSOLE, item, guarded
            elif is_set_up(path) and (lost := _lets_go(code, item, text)):
                yield "hook.outcome", item, lost
            elif text.startswith(("expect", "assert")) and _is_after_each(item, code):
                yield _asked_after(code, item)


def _assigned(code: Code, path: str, item: Item) -> Iterator[tuple[str, Item, str]]:
    left, right = code.normal(item.part("left")), code.normal(item.part("right"))
    if left in ("console.error", "console.warn", "console.log"):
        if _FAILS.search(right):
            yield GUARD_CONSOLE, item, left
        return
    if role_of(path) == PRODUCTION:
        return
    for outcome, passed in _OUTCOMES:
        if right in passed and outcome.fullmatch(left):
            yield "hook.outcome", item, f"{left} is set to {right}"


def _guarded(code: Code, item: Item, name: str) -> str:
    """What a call makes fail a test: a word on the console, a rejection nobody handles; empty for none."""
    if _OF_OTHERS.fullmatch(name):
        return "console.error"
    is_spy, listens = _SPIES.fullmatch(name), _LISTENS.fullmatch(name)
    if not is_spy and not listens:
        return ""
    given = code.normal(item.part("args"))
    if listens:
        found = _REJECTION.search(given)
        return f"process.on {found[1]}" if found and _FAILS.search(given) else ""
    found = _ON_CONSOLE.search(given)
    outer = item.around
    if found is None or outer is None:
        return ""
    whole = outer
    while whole.around is not None and whole.around.kind == "call" and whole.around.start == item.start:
        whole = whole.around
    then = code.normal(Span(item.end, whole.end)) if whole.start == item.start else ""
    return f"console.{found[1]}" if _FAILS.search(then) or then.startswith(".throws") else ""


def _lets_go(code: Code, item: Item, name: str) -> str:
    """What a set-up does so that an error of no test stays without effect; empty for none."""
    given = code.normal(item.part("args"))
    if _FORGETS.fullmatch(name) and _UNCAUGHT.search(given):
        return f"{name}{given}" if item.end - item.start < _SHORT else name
    if not _LISTENS.fullmatch(name) or _UNCAUGHT.match(given.lstrip("(")) is None:
        return ""
    handler = given.lstrip("(").partition(",")[2].removesuffix(")")
    is_nothing = _NOTHING.fullmatch(handler) is not None
    is_kept = "preventDefault()" in handler and not _FAILS.search(handler)
    return f"{name} keeps {given.lstrip('(').partition(',')[0]} to itself" if is_nothing or is_kept else ""


def _is_after_each(item: Item, code: Code) -> bool:
    """True for what stands in the function that runs after each test."""
    above = next((one for one in item.above() if one.kind == "call"), None)
    if above is None or is_callee(item, above):
        return False
    name = above.part("name")
    return name is not None and code.data[name.start : name.end].endswith((b"afterEach", b"afterAll", b"teardown"))


def _asked_after(code: Code, item: Item) -> tuple[str, Item, str]:
    """What is asserted after each test; that nothing was said on the console is a guard of its own."""
    text = code.normal(item.span)
    found = _ASKED_SPY.match(text)
    name = (found[1] or found[2]) if found is not None else ""
    spies = code.once(_spies_on_console)
    word = spies.get(name.rpartition(".")[2], "") if name else ""
    word = word or (name.removeprefix("console.") if name.startswith("console.") else "")
    return (GUARD_CONSOLE, item, f"console.{word}") if word else (GUARD_AFTER, item, text[:_SHORT])


def _spies_on_console(code: Code) -> dict[str, str]:
    """The names of the file that hold a spy on the console, each with the word that it listens to."""
    text = code.data[:_MAX_READ].decode("utf-8", "replace")
    return {found[1]: found[2] for found in _SPY_HELD.finditer(text)}


def _is_same_for_all(code: Code, item: Item) -> bool:
    """True for a serializer that takes about any value and prints one constant."""
    for argument in code.arguments(item)[:1]:
        parts: dict[str, str] = {}
        for one in argument.named_children:
            named = one.child_by_field_name("name") or one.child_by_field_name("key")
            value = one.child_by_field_name("value") or one
            if named is not None and named.text:
                parts[named.text.decode("utf-8", "replace")] = code.normal(span_of(value))
        printed = parts.get("serialize", parts.get("print", ""))
        asked = parts.get("test", "")
        told = asked.partition("=>")[2] or asked.partition("{")[2]
        return bool(asked and _CONSTANT.fullmatch(printed)) and _TELLS.search(told) is None
    return False


def is_set_up(path: str) -> bool:
    """True for what stands before all tests, by its name."""
    words = re.split(r"[._-]", path.rpartition("/")[2].lower())
    return role_of(path) == HARNESS or not _SETUPS.isdisjoint(words)
