"""Jenkinsfiles: steps of shell, what the blocks around them do with a failure, and when a stage runs at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.branch_names import is_main_alone, is_topic, leaves_out_work
from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.runner_tables import IGNORED, MERGED, OFF, RETRIED
from agentgate_git.source.commands.shell_guards import is_given
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.expression import Given, never_on_changes, only_once_merged
from agentgate_git.source.settings.runs import Around, joined, runs

_RETHROWN = pattern_of(r"error|throw|FAILURE|failed|fail\b")
_GRADES = ("sh", "bat", "powershell", "pwsh")
_PLAIN = pattern_of(r"(?:sh|bat|powershell|pwsh)\((.*)\)", re.DOTALL)
_NAME = pattern_of(r"[A-Za-z_]\w*")
# What is made of a status that is kept: nothing less than these tells the build.
_JUDGES = frozenset(("assert", "return", "currentBuild.result", "currentBuild.currentResult", "exit"))
# How many statements behind a step are looked at for what becomes of its status.
_NEAR = 8
# Variables that Jenkins itself sets, whatever the file says.
_OF_SYSTEM = frozenset(
    (
        *("BRANCH_NAME", "BRANCH_IS_PRIMARY", "CHANGE_ID", "CHANGE_TARGET", "CHANGE_BRANCH", "CHANGE_FORK", "TAG_NAME"),
        *(
            "EXECUTOR_NUMBER",
            "NODE_NAME",
            "WORKSPACE",
            "RUN_DISPLAY_URL",
            "CHANGE_AUTHOR",
            "CHANGE_TITLE",
            "CHANGE_URL",
        ),
    )
)


def jenkins_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The shell steps of a Jenkinsfile, with what the blocks around them do with a failure."""
    yield from _jenkins(tree, Around(shell=ShellKind(True, False), names=frozenset(_names(tree)) | _OF_SYSTEM))


def _jenkins(node: ConfigNode, around: Around) -> Iterator[Setting]:
    for position, (name, value) in enumerate(node.entries):
        told = _told(name, value)
        if told is not None:
            following = (one for one in node.entries[position + 1 :][:_NEAR])
            is_judged = told.step.get("returnStatus").is_true() and _is_judged(told, following)
            yield from _shell_step(told.step, around, is_judged)
        elif value.kind != TABLE:
            continue
        elif name in _GRADES:
            yield from _shell_step(value, around, is_judged=False)
        if value.kind == TABLE and name not in _GRADES:
            yield from _jenkins(value, _inside(name, value, node.entries[position + 1 : position + 3], around))
    for item in node.items:
        if item.kind == TABLE:
            yield from _jenkins(item, around)


def _inside(name: str, value: ConfigNode, following: tuple[tuple[str, ConfigNode], ...], around: Around) -> Around:
    marks = list(around.marks)
    place = around.place
    if name == "stage":
        place = next((item.text for item in value.items if item.kind == SCALAR), place)
        why = _never_when(value.get("when"), around.names)
        if why:
            marks.append(f"{OFF}: `when` {why}")
        elif topics := _topics_left_out(value.get("when")):
            marks.append(f"condition: `when` leaves out {topics}")
        elif late := _late_when(value.get("when"), around.names):
            marks.append(f"{MERGED}: `when` {late}")
    elif name == "catchError" and value.get("buildResult").text in ("SUCCESS", "UNSTABLE", "NOT_BUILT"):
        marks.append(f"{IGNORED}: `catchError(buildResult: '{value.get('buildResult').text}')`")
    elif name in ("warnError", "unstable"):
        marks.append(f"{IGNORED}: `{name}`")
    elif name == "try":
        caught = [one for follower, one in following[:2] if follower in ("catch", "finally")][:1]
        if any(follower == "catch" for follower, _ in following[:1]) and not _RETHROWN.search(_words_of(caught[0])):
            marks.append(f"{IGNORED}: `try` catches its failure")
    elif name == "retry":
        marks.append(f"{RETRIED}: `retry`")
    elif name == "if" and never_on_changes(value.text, Given(around.names)):
        marks.append(f"{OFF}: `if ({value.text[:60]})`")
    return around._replace(place=place, marks=tuple(marks))


def _names(node: ConfigNode) -> Iterator[str]:
    """Names that the file sets, with `params.NAME=VALUE` for a parameter by what it is when nobody says otherwise."""
    for name, value in node.entries:
        if name in ("booleanParam", "string", "choice") and value.has("name"):
            default = value.get("defaultValue") if value.has("defaultValue") else value.get("choices")
            shown = next(iter(default.words()), "")
            yield f"params.{value.get('name').text}={shown}"
        elif name.startswith("env."):
            yield name.removeprefix("env.")
        elif name in ("environment", "withEnv"):
            yield from (one for one, _ in value.entries)
            yield from (item.text.partition("=")[0] for item in value.items)
        yield from _names(value) if value.kind == TABLE else ()


def _never_when(when: ConfigNode, names: frozenset[str]) -> str:
    """Why a stage does not run on any change; empty for one that may. All conditions have to hold."""
    for name, value in when.entries:
        words = value.words()
        if name in ("never", "triggeredBy", "buildingTag", "tag"):
            return f"it is {' '.join((name, *words))}"
        if name == "expression" and never_on_changes(value.text.removeprefix("return "), Given(names)):
            return f"`{value.text[:60]}`"
        if name == "branch" and leaves_out_work((*words, value.get("pattern").text) if value.has("pattern") else words):
            return f"the branch is {' '.join(words)}"
        if name == "environment" and value.has("name"):
            asked = value.get("name").text
            if asked not in names and not is_given(asked):
                return f"nothing here sets {asked}"
        if name == "allOf" and (why := _never_when(value, names)):
            return why
        if name == "anyOf":
            reasons = [_never_when(ConfigNode(TABLE, 0, entries=(one,)), names) for one in value.entries]
            if reasons and all(reasons):
                return reasons[0]
    return ""


def _topics_left_out(when: ConfigNode) -> str:
    """Branches of work for which a stage does not run; a review of one still may."""
    return ", ".join(one for one in when.get("not", "branch").words() if is_topic(one))


def _late_when(when: ConfigNode, names: frozenset[str]) -> str:
    """Why a stage runs on the main branch alone; empty for one that others run as well."""
    for name, value in when.entries:
        if name == "branch" and is_main_alone(value.words()):
            return f"the branch is {' '.join(value.words())}"
        if name == "expression" and only_once_merged(value.text.removeprefix("return "), Given(names)):
            return f"`{value.text[:60]}`"
        if name == "allOf" and (late := _late_when(value, names)):
            return late
    return ""


def _words_of(node: ConfigNode) -> str:
    parts = [node.text]
    parts.extend(_words_of(item) for item in node.items)
    parts.extend(f"{name} {_words_of(value)}" for name, value in node.entries)
    return " ".join(parts)


class _Told(Record):
    """A step of shell that tells how it ended: the name that keeps it, empty where an `if` asks it, and that `if`."""

    step: ConfigNode
    name: str
    asked: str = ""


def _told(name: str, value: ConfigNode) -> _Told | None:
    """The step whose status or output is kept or asked: `def rc = sh(…)`, `int rc = sh …`, `if (sh(…) != 0) {…}`."""
    if value.kind == SCALAR:
        plain = _PLAIN.fullmatch(value.text) if name not in _GRADES else None
        step = ConfigNode(TABLE, value.line, items=(value._replace(text=plain[1]),)) if plain else None
        return _Told(step, name) if step else None
    if not value.has("script") or name in _GRADES:
        return None
    if value.text in _GRADES:
        return _Told(value, name)
    kept = next((one for one, node in value.entries if node.kind == SCALAR and node.text in _GRADES), "")
    if kept:
        return _Told(value, kept)
    is_asked = name == "if" and value.text.partition(" ")[0] in _GRADES
    return _Told(value, "", _words_of(value._replace(text=""))) if is_asked else None


def _is_judged(told: _Told, following: Iterable[tuple[str, ConfigNode]]) -> bool:
    """True where what the step tells decides about the build: an `error` or a result that is made of it."""
    if told.asked:
        return _RETHROWN.search(told.asked) is not None
    for name, value in following:
        words = f"{name} {value.text} {_words_of(value)}"
        if told.name in _NAME.findall(words) and (_RETHROWN.search(words) or name in _JUDGES):
            return True
    return False


def _shell_step(value: ConfigNode, around: Around, is_judged: bool) -> Iterator[Setting]:
    script = value.get("script") if value.has("script") else next(iter(value.items), value.get("script"))
    marks = around.marks
    if value.get("returnStatus").is_true() and not is_judged:
        marks = (*marks, f"{IGNORED}: `returnStatus: true`")
    text, lines = joined((script,))
    yield from runs(text, around._replace(marks=marks), lines)
