"""Triggers of pipelines: events that no longer start one, and filters that keep code from starting it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from agentgate_git.model.branch_names import is_of_work, is_topic
from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.around import ALONE
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.patterns import is_about_code, is_about_sources

BY_CHANGE = ("push", "pull_request", "pull_request_target", "merge_group", "workflow_call", "trigger", "pr")
_MAINLINE = pattern_of(r"(?:main|master|trunk|dev\w*|default|.*\*.*|\$default-branch)", re.IGNORECASE)
# Events that start it before a change is merged.
_BEFORE_MERGE = frozenset(("pull_request", "pull_request_target", "merge_group", "pr"))
_SHOWN = 80
_NEVER = ("never", "none", "no-branch", "nonexistent", "disabled", "does-not-exist", "no_branch", "dummy")


def trigger_changes(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """What became of the triggers of pipelines that run tests or checks at base and head."""
    for path, before in base.items():
        after = head.get(path, ())
        if not _runs(before) or not _runs(after):
            continue
        is_alone = any(one.key == ALONE for one in head.get("", ()))
        yield from _events(before, after, path, is_alone=is_alone)
        for event in sorted({one.key.rpartition(" > ")[2] for one in after if one.key.startswith("trigger > ")}):
            yield from _filters(event, before, after, path)


def _runs(settings: tuple[Setting, ...]) -> bool:
    return any(one.key.startswith("run > ") for one in settings)


def _values(settings: tuple[Setting, ...], *parts: str) -> tuple[Setting, ...]:
    key = " > ".join(("trigger", *parts))
    return tuple(one for one in settings if one.key == key)


def _events(
    before: tuple[Setting, ...], after: tuple[Setting, ...], path: str, *, is_alone: bool
) -> Iterator[GateChange]:
    old = {one.value for one in _values(before, "event")}
    new = {one.value for one in _values(after, "event")}
    if _values(after, "none") and not _values(before, "none"):
        line = _values(after, "none")[0].line
        yield GateChange(BLOCK, path, line, f"{_values(after, 'none')[0].value}: none, so no change starts it")
    if not old or not new:
        return
    if not old.isdisjoint(BY_CHANGE) and new.isdisjoint(BY_CHANGE):
        gone = ", ".join(sorted(old & set(BY_CHANGE)))
        severity = BLOCK if any(one.key.startswith("run > test > ") for one in before) else WARN
        yield GateChange(severity, path, 0, f"{gone} no longer starts it; what is left is {', '.join(sorted(new))}")
        return
    is_gone = "pull_request" in old and not new & {"pull_request", "pull_request_target", "merge_group"}
    branches = [one.value for one in after if one.key.startswith("trigger > branches >")]
    if is_gone and (branches or _values(after, "tags", "push")):
        is_main = any(_MAINLINE.fullmatch(one) for one in branches)
        # Where it can be started by hand or by the clock in its stead, nobody meant another workflow to do it.
        is_by_hand = bool(new - old) and (new - old).isdisjoint(BY_CHANGE)
        has_tests = any(one.key.startswith("run > test > ") for one in before)
        severity = BLOCK if not is_main or ((is_by_hand or is_alone) and has_tests) else WARN
        yield GateChange(severity, path, 0, "pull_request no longer starts it")


def _filters(event: str, before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    known = {one.value for one in _values(before, "paths-ignore", event)}
    for one in _values(after, "paths-ignore", event):
        if one.value not in known and is_about_code(one.value):
            severity = WARN if known else BLOCK
            severity = BLOCK if _is_wide(one.value) else severity
            yield GateChange(severity, path, one.line, f"a change of {one.value} no longer starts it on {event}")
    had = _values(before, "paths", event)
    has = _values(after, "paths", event)
    if has and not had and not any(is_about_sources(one.value) and not one.value.startswith("!") for one in has):
        shown = ", ".join(one.value for one in has)
        yield GateChange(BLOCK, path, has[0].line, f"only a change of {shown} starts it on {event}")
    yield from _branches(event, before, after, path)
    for one in _values(after, "branches", event):
        if one.value.lower() in _NEVER and one not in before:
            yield GateChange(BLOCK, path, one.line, f"no branch is called {one.value}, so {event} never starts it")
    events = {one.value for one in _values(after, "event")}
    is_alone = event == "push" and events.isdisjoint(("pull_request", "pull_request_target", "merge_group"))
    for one in _values(after, "branches-ignore", event):
        if (
            is_alone
            and is_topic(one.value)
            and one.value not in {other.value for other in _values(before, "branches-ignore", event)}
        ):
            yield GateChange(BLOCK, path, one.line, f"branches {one.value} no longer start it on {event}")
        if one.value in ("**", "*", "main", "master") and one.value not in {
            other.value for other in _values(before, "branches-ignore", event)
        }:
            severity = BLOCK if one.value == "**" else WARN
            yield GateChange(severity, path, one.line, f"branches {one.value} no longer start it on {event}")


def _branches(event: str, before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """Branches that an event starts it for, where the one that all work goes to is among them no more."""
    old, new = _values(before, "branches", event), _values(after, "branches", event)
    events = {one.value for one in _values(after, "event")}
    is_of_all = event in _BEFORE_MERGE or (event == "push" and events.isdisjoint(_BEFORE_MERGE))
    if not new or not is_of_all or any(one.value.lower() in _NEVER or _is_of_work(one.value) for one in new):
        return
    known = [one.value for one in old if _MAINLINE.fullmatch(one.value)]
    if known or (not old and event in {one.value for one in _values(before, "event")}):
        shown = ", ".join(one.value for one in new)[:_SHOWN]
        gone = f", and no more for {', '.join(known)[:_SHOWN]}" if known else ""
        severity = BLOCK if known else WARN
        yield GateChange(severity, path, new[0].line, f"{event} starts it for {shown} alone{gone}")


def _is_of_work(branch: str) -> bool:
    return is_of_work(branch) or _MAINLINE.match(branch) is not None


def _is_wide(glob: str) -> bool:
    return glob.strip("'\"") in (
        "**",
        "*",
        "**/*",
        "**.py",
        "**/*.py",
        "src/**",
        "tests/**",
        "test/**",
        "**.js",
        "**.ts",
    )
