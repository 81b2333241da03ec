"""Keys of a step or a job that say whether it runs and what becomes of its failure, over all CI systems."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.branch_names import is_main_alone, is_topic, leaves_out_work
from agentgate_git.model.config_node import LIST, NOTHING, SCALAR, TABLE, ConfigNode
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_tables import IGNORED, MERGED, OFF, RETRIED
from agentgate_git.source.settings.author_conditions import ON_PUSH, ON_REVIEW, by_author, names_author
from agentgate_git.source.settings.expression import (
    NOTHING_GIVEN,
    Given,
    never_on_changes,
    on_changes,
    only_once_merged,
)
from agentgate_git.source.settings.pipeline_whole import PARAMETER

MAX_RULES = 50
_REVIEWS = ("pull_request", "pull_request_target", "merge_group")
_IS_IGNORED = ("continue-on-error", "continueonerror", "allow_failure", "soft_fail", "allowfailure", "ignore_failure")
_MANUAL = frozenset(("manual", "never", "on_failure", "delayed", "on_fail"))
_RARELY = pattern_of(
    r"workflow_dispatch|'schedule'|\"schedule\"|refs/tags|\.labels?\b|inputs\.|\[skip|'never'|vars\.|\$\{?(?!CI)[A-Z]\w*\}?\s*=="
)
_PROSE = pattern_of(
    r"(?:^|/)(?:docs?|documentation|website|examples?|changelog|readme)\b|\.(?:md|rst|txt|adoc|png|svg|html|css)\b",
    re.IGNORECASE,
)
# Tests and the pipeline itself: what is tested stands elsewhere.
BESIDE_SOURCES = pattern_of(
    r"^\W*(?:tests?|testing|specs?|__tests__)(?:/|$)|(?:^|/)(?:test_|conftest\b)[^/]*$|_test\.\w+$"
    r"|(?:^|/)\.(?:gitlab|github|circleci|travis)\b",
    re.IGNORECASE,
)
_TRUTHS = frozenset(("true", "yes", "on", "1", "always"))
_CLOCK_AND_HAND = frozenset(("cron", "manual", "custom", "promote", "rollback", "deployment", "release"))
_REFERENCES = frozenset(("tags", "schedules", "triggers", "web", "api"))
_IGNORING = frozenset(("allow_failures", "ignore_error", "ignore_errors", "ignore_failures"))


def step_marks(node: ConfigNode, given: Given = NOTHING_GIVEN) -> Iterator[str]:
    """The marks that the keys of one table set for all that runs below it; `given` is what is known there."""
    for name, value in node.entries:
        folded = name.lower()
        if folded in _IS_IGNORED and _is_on(value, given):
            yield f"{IGNORED}: `{name}`"
        elif folded in ("failure", "on-failure") and value.text.lower() in ("ignore", "continue"):
            yield f"{IGNORED}: `{name}: {value.text}`"
        elif folded in ("if", "condition", "only_if") and value.kind == SCALAR:
            yield from _condition(name, value, given)
        elif folded in _IGNORING and value.is_true():
            yield f"{IGNORED}: `{name}`"
        elif folded in ("only", "except") and value.kind != SCALAR:
            yield from _references(folded, value)
        elif folded == "enabled" and value.is_false():
            yield f"{OFF}: `enabled: false`"
        elif folded == "branches" and node.kind == TABLE and leaves_out_work(_split(value)):
            yield f"{OFF}: `branches` are {', '.join(_split(value))}"
        elif folded == "branches" and (names := _topics_left_out(value)):
            # A review of Travis is built by the branch that it goes to.
            yield f"{'condition' if value.kind == TABLE else OFF}: `branches` leave out {names}"
        elif folded == "branches" and value.kind == SCALAR and is_main_alone(_split(value)):
            yield f"{MERGED}: `branches` are {', '.join(_split(value))}"
        elif folded == "skip" and value.kind == SCALAR and value.text and not value.is_false():
            yield f"{OFF}: `skip: {value.text[:40]}`"
        elif folded in ("when", "trigger", "trigger_type") and value.kind == SCALAR and value.text.lower() in _MANUAL:
            yield f"{OFF}: `{name}: {value.text}`"
        elif folded == "manual" and value.is_true():
            yield f"{OFF}: `manual: true`"
        elif folded == "rules" and value.kind == LIST and value.items:
            yield from _rules(value, given)
        elif folded == "when" and value.kind != SCALAR:
            yield from _events(value)
        elif folded in ("retry", "retries", "max_attempts", "max_auto_retries") and node.kind == TABLE:
            yield from _retry(name, value)


def _split(value: ConfigNode) -> tuple[str, ...]:
    """The branches of a step of Buildkite, and those that Travis builds."""
    if value.kind == TABLE:
        return value.get("only").words()
    return tuple(word for text in value.words() for word in text.split()) if value.kind == SCALAR else ()


def _topics_left_out(value: ConfigNode) -> str:
    """Branches of work that Travis (`except`) or Buildkite (`!feature/*`) leaves out."""
    names = value.get("except").words() if value.kind == TABLE else ()
    if value.kind == SCALAR:
        names = tuple(word for word in value.text.split() if word.startswith("!"))
    return ", ".join(filter(is_topic, names))


def starting_events(tree: ConfigNode) -> frozenset[str]:
    """Of a forge: whether a push to any branch starts a workflow, and whether a review does."""
    events = tree.get("on") if tree.has("on") else tree.get("true")
    named = dict.fromkeys(events.words(), NOTHING) | dict(events.entries)
    found = {ON_REVIEW} if not named.keys().isdisjoint(_REVIEWS) else set[str]()
    if "push" in named and not named["push"].has("branches"):
        found.add(ON_PUSH)
    return frozenset(found)


def workflow_marks(tree: ConfigNode) -> Iterator[str]:
    """GitLab: what the rules of a whole pipeline leave out."""
    yield from _left_out_by_rules("workflow", tree.get("workflow", "rules"))


def _left_out_by_rules(name: str, rules: ConfigNode) -> Iterator[str]:
    """What rules that say `never` leave out; where a rule before them takes every review, one of them still runs it."""
    is_reviewed = False
    for item in rules.items[:MAX_RULES]:
        if item.get("when").text.lower() == "never":
            off, condition = names_author(item.get("if").text)
            yield from _by_author(name, "" if is_reviewed else off, condition or off)
        is_reviewed = is_reviewed or "merge_request_event" in item.get("if").text


def _is_on(value: ConfigNode, given: Given) -> bool:
    if value.kind == TABLE:  # exit codes that are let through
        return any("exit" in name.lower() for name, _ in value.entries)
    if value.kind == LIST:
        return bool(value.items)
    text = value.text.strip().lower().removeprefix("${{").removesuffix("}}").strip()
    if text in _TRUTHS:
        return True
    # An expression that nothing but a run can tell is taken for a row of a matrix or the like, and for one of few.
    return "${{" in value.text and True in on_changes(value.text, given._replace(is_apart="matrix." not in text))


def _condition(name: str, value: ConfigNode, given: Given) -> Iterator[str]:
    text = value.text.strip().removeprefix("${{").removesuffix("}}").strip()
    parameter = PARAMETER.fullmatch(text)
    if value.is_false() or (parameter and f"{parameter[1]}=false" in given.names) or never_on_changes(text, given):
        yield f"{OFF}: `{name}: {text[:60]}`"
    elif only_once_merged(text, given):
        yield f"{MERGED}: `{name}: {text[:60]}`"
    elif _RARELY.search(text) and on_changes(text, given) != (True, True):
        yield f"condition: {name}: {text[:120]}"
    else:
        yield from _by_author(name, *by_author(text, given))


def _by_author(name: str, off: str, condition: str) -> Iterator[str]:
    """Marks of a condition that hangs on what whoever makes a change writes."""
    if off:
        yield f"{OFF}: `{name}`: {off}"
    elif condition:
        yield f"condition: {name}: {condition}"


def _rules(rules: ConfigNode, given: Given) -> Iterator[str]:
    """GitLab: the first rule that holds decides."""
    if all(_rarely(item, given) for item in rules.items):
        yield f"{OFF}: its rules never let it run by itself"
    elif all(_rarely(item, given) or _TAGGED.search(item.get("if").text) for item in rules.items):
        yield f"{OFF}: its rules let it run by itself for tags alone"
    elif all(_rarely(item, given) or only_once_merged(item.get("if").text, given) for item in rules.items):
        yield f"{MERGED}: its rules ask for the main branch"
    elif all(item.get("allow_failure").is_true() or _rarely(item, given) for item in rules.items):
        yield f"{IGNORED}: `allow_failure` in all of its rules"
    yield from _left_out_by_rules("rules", rules)


_TAGGED = pattern_of(r"^\s*\$CI_COMMIT_TAG\s*(?:$|=~|!=)")


def _rarely(rule: ConfigNode, given: Given) -> bool:
    """True for a rule that starts no job when somebody changes code."""
    if rule.get("when").text.lower() in ("never", "manual"):
        return True
    changes = rule.get("changes").words() or rule.get("changes", "paths").words()
    if changes and all(_PROSE.search(one) or BESIDE_SOURCES.search(one) for one in changes):
        return True
    is_closed = "include" not in given.names
    return rule.has("if") and never_on_changes(rule.get("if").text, given._replace(is_closed=is_closed))


def _events(value: ConfigNode) -> Iterator[str]:
    """Drone and Woodpecker: the events that a step runs on."""
    holders = value.items if value.kind == LIST else (value,)
    words = [word for one in holders for word in (*one.get("event").words(), *one.get("event", "include").words())]
    if words and set(words) <= _CLOCK_AND_HAND:
        yield f"{OFF}: `when` it is {', '.join(sorted(set(words)))}"
    branches = [word for one in holders for word in _branches(one)]
    if all(_branches(one) for one in holders) and leaves_out_work(branches):
        yield f"{OFF}: `when` it is on {', '.join(sorted(set(branches)))}"


def _branches(holder: ConfigNode) -> tuple[str, ...]:
    return (*holder.get("branch").words(), *holder.get("branch", "include").words())


def _references(name: str, value: ConfigNode) -> Iterator[str]:
    """GitLab's older way to say when a job runs."""
    words = set(value.words() or value.get("refs").words())
    if name == "only" and value.kind == LIST and not value.items:
        yield f"{OFF}: `only` names nothing"
    elif name == "only" and words and words <= {"schedules", "triggers", "web", "api"}:
        yield f"{OFF}: `only` {', '.join(sorted(words))}"
    elif name == "only" and words and words <= {"tags", "schedules", "triggers", "web", "api"}:
        yield f"condition: only: {', '.join(sorted(words))}"
    elif name == "only" and value.kind == LIST and leaves_out_work(words - _REFERENCES):
        yield f"{OFF}: `only` {', '.join(sorted(words))}"
    elif name == "only" and value.kind == LIST and is_main_alone(words - _REFERENCES):
        yield f"{MERGED}: `only` {', '.join(sorted(words))}"
    elif name == "except" and any(map(is_topic, words)):
        yield f"{OFF}: `except` {', '.join(sorted(filter(is_topic, words)))}"
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
