"""What a skip hangs on: the very result that a test is about, or something outside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.inventory import CONDITIONAL, SKIPPED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.syntax import Item
from agentgate_git.source.python.effects import Effect, is_certain

_OUTCOME = pattern_of(r"\w[\w.]*\(.*\)(?:===?|!==?)(?:-?\d[\w.]*|\"[^\"]*\")|(?:-?\d[\w.]*|\"[^\"]*\")==\w[\w.]*\(.*\)")


def of_what_is_checked(effect: Effect, checks: list[tuple[Item, Check]], constants: Mapping[str, str]) -> Effect:
    """A skip that hangs on the very result the test is about is no condition: it skips where the test would fail."""
    if effect.state != CONDITIONAL:
        return effect
    condition = bare(effect.condition.removeprefix("!"))
    is_result = any(
        _stands_in(check.subject, condition)
        for item, check in checks
        if not _is_bound_there(item, check.subject)
        if "(" in check.subject or "(" in constants.get(check.subject, "")
    )
    if not is_result and (checks or _OUTCOME.fullmatch(condition) is None):
        return effect
    return effect._replace(state=SKIPPED, marker=f"{effect.marker} of what it tests", condition="")


def _is_bound_there(item: Item, name: str) -> bool:
    """True for a name that the very branch a check stands in binds: `if err := f(); err != nil { … }`."""
    branch = next((above for above in item.above() if above.kind == "if"), None)
    first = branch.node.child_by_field_name("initializer") if branch is not None else None
    told = first.text if first is not None and first.text else b""
    return re.match(rb"(?:\w+ ?, ?)*" + re.escape(name.encode()) + rb"\b[^=]*:=", told) is not None


def _stands_in(subject: str, condition: str) -> bool:
    """True for a call, or for a name as a whole word: `e` is no part of `version()`."""
    if "(" in subject:
        return subject in condition
    return re.search(rf"(?<![\w.$]){re.escape(subject)}(?![\w$])", condition) is not None


def until_certain(effects: Iterable[Effect]) -> Iterator[Effect]:
    """The effects up to the first that stops a test wherever it runs."""
    for effect in effects:
        yield effect
        if is_certain(effect):
            return


def bare(text: str) -> str:
    """A condition without the brackets around the whole of it."""
    if text.startswith("(") and text.endswith(")"):
        depth = 0
        for index, char in enumerate(text):
            depth += (char == "(") - (char == ")")
            if depth == 0 and index < len(text) - 1:
                return text
        return text[1:-1]
    return text
