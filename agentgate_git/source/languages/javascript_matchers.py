"""Matchers that files of JavaScript add to `expect`: whether one looks at its value, and can say no at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code, Item, span_of, split

MATCHER, GUARD_MATCHER = "matcher", "guard.matcher"
_NAMES = pattern_of(r"[A-Za-z_$][\w$]*")
_MAX_MATCHER = 1_500
_MAX_STEPS = 20
_COMPARES = "(===?|!==?|[<>]=?|,|\\.)"
# What a matcher says: `pass: x > 3`, or `pass` alone, which stands for a variable of that name.
_SAID = pattern_of(r"(?<![\w$.])pass(?::([^{}]*?)(?=,message\b|,\w+:|[,}]?\}|$)|(?=[,}]))")
_SETS = pattern_of(r"(?<![\w$.])([A-Za-z_$][\w$]*)=(?![=>])([^;{}]{1,300})")
_TRUTHS = frozenset(("true", "!0"))
_MAY_FAIL = pattern_of(
    r"\b(?:throw|fail|expect|assert\w*|reject|equals|utils)\b|\bthis\.|\.\.\.|\breturn [\w.]+\(|=>[\w.]+\("
)


def matchers_of(code: Code, item: Item) -> Iterator[tuple[str, Item, str]]:
    """Each matcher whose function `expect.extend` is given: whether it compares its value with what is expected.

    One that says yes whatever it is given is an outcome that is changed.
    """
    for argument in code.arguments(item)[:1]:
        for one in argument.named_children:
            named = one.child_by_field_name("name") or one.child_by_field_name("key")
            name = named.text.decode("utf-8", "replace") if named is not None and named.text else ""
            if not _NAMES.fullmatch(name):
                continue
            text = code.normal(span_of(one))
            if "{" not in text and "=>" not in text:
                continue
            if is_yes_to_all(text):
                yield "hook.outcome", item, f"the matcher {name} passes whatever it is given"
            yield GUARD_MATCHER if _compares(text) and _says_by_both(text) else MATCHER, item, name


def is_yes_to_all(text: str) -> bool:
    """True for a function of a matcher that says `pass: true` wherever it ends."""
    if len(text) > _MAX_MATCHER:
        return False
    said = [found[1] for found in _SAID.finditer(text)]
    return bool(said) and all(one in _TRUTHS for one in said) and _MAY_FAIL.search(text) is None


def _says_by_both(text: str) -> bool:
    """False for a matcher of two values or more whose answer hangs on the first alone."""
    if len(text) > _MAX_MATCHER:
        return True
    names = _parameters(text)
    said = [found[1] or "pass" for found in _SAID.finditer(text)]
    if (
        len(names) < 2
        or not said
        or _MAY_FAIL.search(text)
        or any(one in ("true", "false", "!0", "!1") for one in said)
    ):
        return True  # which of them it is another statement decides
    sources: dict[str, list[str]] = {}
    for found in _SETS.finditer(text):
        sources.setdefault(found[1], []).append(found[2])
    wanted = [name for one in said for name in _NAMES.findall(one)]
    seen: set[str] = set()
    while wanted and len(seen) < _MAX_STEPS:
        name = wanted.pop()
        if name not in seen:
            seen.add(name)
            wanted.extend(other for value in sources.get(name, ()) for other in _NAMES.findall(value))
    return not seen.isdisjoint(names[1:])


def _parameters(text: str) -> list[str]:
    head = re.search(r"\(([^()]*)\)", text)
    given = [_NAMES.match(one.lstrip("{[.")) for one in split(head[1])] if head is not None else []
    return [found[0] for found in given if found is not None]


def _compares(text: str) -> bool:
    """True for a function of two values that stand beside each other in a comparison or a call."""
    if len(text) > _MAX_MATCHER:
        return True  # nobody can tell in a short time
    head = re.search(r"\(([^()]*)\)", text)
    names = _parameters(text)
    if head is None or len(names) < 2:
        return False
    one, two = re.escape(names[0]), re.escape(names[1])
    body = re.sub(r"typeof [\w$.]+", "", re.sub(r"\"[^\"]*\"|`[^`]*`", "", text[head.end() :]))
    # The message names both as well, and is none of the comparison.
    body = re.sub(r"\bmessage\b.*", "", body)
    near = rf"(?:[\w$.\[\]]|\(\))*{_COMPARES}[^;{{}}]{{0,80}}?\b"
    return any(re.search(rf"\b{first}\b{near}{second}\b", body) for first, second in ((one, two), (two, one)))
