"""Keys of a step or a job that say whether it runs and what becomes of its failure, over all CI systems."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode
from agentgate_git.source.runner_tables import IGNORED, OFF, RETRIED

_IS_IGNORED = ("continue-on-error", "continueonerror", "allow_failure", "soft_fail", "allowfailure", "ignore_failure")
_MANUAL = frozenset(("manual", "never", "on_failure", "delayed", "on_fail"))
_CONSTANT_FALSE = re.compile(
    r"^(?:false|never(?:\(\))?|0|failed\(\)|failure\(\)|cancelled\(\))$|(?:^|&&\s*)false(?:\s*&&|$)"
)
_RARELY = re.compile(r"workflow_dispatch|'schedule'|\"schedule\"|refs/tags|\.labels?\b|inputs\.|\[skip|'never'")
_TRUTHS = frozenset(("true", "yes", "on", "1", "always"))
_IGNORING = frozenset(("allow_failures", "ignore_error", "ignore_errors", "ignore_failures"))


def step_marks(node: ConfigNode) -> Iterator[str]:
    """The marks that the keys of one table set for all that runs below it."""
    for name, value in node.entries:
        folded = name.lower()
        if folded in _IS_IGNORED and _is_on(value):
            yield f"{IGNORED}: `{name}`"
        elif folded in ("failure", "on-failure") and value.text.lower() in ("ignore", "continue"):
            yield f"{IGNORED}: `{name}: {value.text}`"
        elif folded in ("if", "condition", "only_if") and value.kind == SCALAR:
            yield from _condition(name, value)
        elif folded in _IGNORING and value.is_true():
            yield f"{IGNORED}: `{name}`"
        elif folded in ("only", "except") and value.kind != SCALAR:
            yield from _references(folded, value)
        elif folded == "enabled" and value.is_false():
            yield f"{OFF}: `enabled: false`"
        elif folded == "skip" and value.kind == SCALAR and value.text and not value.is_false():
            yield f"{OFF}: `skip: {value.text[:40]}`"
        elif folded in ("when", "trigger", "trigger_type") and value.kind == SCALAR and value.text.lower() in _MANUAL:
            yield f"{OFF}: `{name}: {value.text}`"
        elif folded == "manual" and value.is_true():
            yield f"{OFF}: `manual: true`"
        elif folded == "rules" and value.kind == LIST and _never(value):
            yield f"{OFF}: its rules never let it run by itself"
        elif folded in ("retry", "retries", "max_attempts", "max_auto_retries") and node.kind == TABLE:
            yield from _retry(name, value)


def _is_on(value: ConfigNode) -> bool:
    if value.kind == TABLE:  # exit codes that are let through
        return any("exit" in name.lower() for name, _ in value.entries)
    if value.kind == LIST:
        return bool(value.items)
    return value.text.strip().lower().removeprefix("${{").removesuffix("}}").strip() in _TRUTHS


def _condition(name: str, value: ConfigNode) -> Iterator[str]:
    text = value.text.strip().removeprefix("${{").removesuffix("}}").strip()
    if _CONSTANT_FALSE.search(text.lower()):
        yield f"{OFF}: `{name}: {text[:60]}`"
    elif _RARELY.search(text):
        yield f"condition: {name}: {text[:120]}"


def _never(rules: ConfigNode) -> bool:
    return bool(rules.items) and all(item.get("when").text.lower() in ("never", "manual") for item in rules.items)


def _references(name: str, value: ConfigNode) -> Iterator[str]:
    """GitLab's older way to say when a job runs."""
    words = set(value.words() or value.get("refs").words())
    if name == "only" and value.kind == LIST and not value.items:
        yield f"{OFF}: `only` names nothing"
    elif name == "only" and words and words <= {"tags", "schedules", "triggers", "web", "api"}:
        yield f"condition: only: {', '.join(sorted(words))}"
    elif name == "except" and words & {"branches", "merge_requests", "pushes"}:
        yield f"condition: except: {', '.join(sorted(words))}"


def _retry(name: str, value: ConfigNode) -> Iterator[str]:
    """A retry for a cause outside the tests (`when: runner_system_failure`) is none of the tests."""
    if value.kind == SCALAR and value.text.isdigit() and int(value.text) > 0:
        yield f"{RETRIED}: `{name}: {value.text}`"
    elif value.kind == TABLE and (not value.has("when") or "script_failure" in value.get("when").words()):
        shown = value.get("max").text or value.get("automatic").text or value.get("limit").text
        if shown not in ("", "0", "false"):
            yield f"{RETRIED}: `{name}: {shown}`"
