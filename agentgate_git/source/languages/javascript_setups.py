"""What a set-up of JavaScript guards, and what in it turns guards, outcomes and snapshots into nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import PRODUCTION
from agentgate_git.source.languages.chains import MAX_CALLEE
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of, split
from agentgate_git.source.roles import role_of

MATCHER, GUARD_MATCHER, GUARD_CONSOLE = "matcher", "guard.matcher", "guard.console"
MAY_GUARD = pattern_of(
    rb"expect\.extend|console|unhandledRejection|failOnConsole|SnapshotSerializer|[sS]tate\b|numFailed|\.failures|"
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
# What tells one value from others: any of it makes a serializer one for some values alone.
_TELLS = pattern_of(r"\.\w|instanceof|\bin\b|/|&&|\w\(")
_NAMES = pattern_of(r"[A-Za-z_$][\w$]*")
_CONSTANT = pattern_of(
    r"\(?[\w,]*\)?=>(?:\{return )?(?:\"[^\"]*\"|`[^`$]*`)\}?|[\w]+\([\w,]*\)\{return (?:\"[^\"]*\"|`[^`$]*`)\}"
)
_MAX_MATCHER = 1_500
_COMPARES = "(===?|!==?|[<>]=?|,|\\.)"


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
                yield from _matchers(code, item)
            elif text.endswith("addSnapshotSerializer"):
                if _is_same_for_all(code, item):
                    yield "hook.outcome", item, "a serializer of snapshots prints the same for every value"
            elif guarded := _guarded(code, item, text):
                yield GUARD_CONSOLE, item, guarded


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


def _matchers(code: Code, item: Item) -> Iterator[tuple[str, Item, str]]:
    """Each matcher whose function `expect.extend` is given: whether it compares its value with what is expected."""
    for argument in code.arguments(item)[:1]:
        for one in argument.named_children:
            named = one.child_by_field_name("name") or one.child_by_field_name("key")
            name = named.text.decode("utf-8", "replace") if named is not None and named.text else ""
            if not _NAMES.fullmatch(name):
                continue
            text = code.normal(span_of(one))
            if "{" in text or "=>" in text:
                yield GUARD_MATCHER if _compares(text) else MATCHER, item, name


def _compares(text: str) -> bool:
    """True for a function of two values that stand beside each other in a comparison or a call."""
    if len(text) > _MAX_MATCHER:
        return True  # nobody can tell in a short time
    head = re.search(r"\(([^()]*)\)", text)
    given = [_NAMES.match(one.lstrip("{[.")) for one in split(head[1])] if head is not None else []
    names = [found[0] for found in given if found is not None]
    if head is None or len(names) < 2:
        return False
    one, two = re.escape(names[0]), re.escape(names[1])
    body = re.sub(r"typeof [\w$.]+", "", re.sub(r"\"[^\"]*\"|`[^`]*`", "", text[head.end() :]))
    # The message names both as well, and is none of the comparison.
    body = re.sub(r"\bmessage\b.*", "", body)
    near = rf"(?:[\w$.\[\]]|\(\))*{_COMPARES}[^;{{}}]{{0,80}}?\b"
    return any(re.search(rf"\b{first}\b{near}{second}\b", body) for first, second in ((one, two), (two, one)))


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
