"""Dockerfiles: the steps of a build that run tests, each in a shell of its own, and stages that nothing asks for."""

from __future__ import annotations

import json
from collections.abc import Iterator

from agentgate_git.model.config_node import ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.commands.shell_syntax import quoted
from agentgate_git.source.settings.runs import Around, runs
from agentgate_git.source.settings.variables import Variables

_STAGE = pattern_of(r"(?:--\S+\s+)*(\S+)(?:\s+[Aa][Ss]\s+(\S+))?")
_FROM = pattern_of(r"--from=([\w.-]+)|\bfrom=([\w.-]+)")
_FLAGS = pattern_of(r"(?:--\S+\s+)*")
_PAIR = pattern_of(r"(?<!\w)([A-Za-z_]\w*)=(\"[^\"]*\"|'[^']*'|\S*)")


class _Stage:
    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.sources = {source}
        self.steps: list[tuple[str, str, int]] = []
        self.variables: list[tuple[str, str]] = []
        self.shell = ShellKind()


def image_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The runs of a Dockerfile; those of a stage from which the last one takes nothing are marked."""
    stages = _stages(tree)
    asked = _asked_for(stages)
    for stage in stages:
        marks = () if stage.name in asked else ("condition: nothing in the file takes anything from its stage",)
        around = Around(stage.name, marks, Variables(stage.variables), stage.shell)
        for _, text, line in stage.steps:
            yield from runs(text, around, (line,) * (text.count("\n") + 1))


def _stages(tree: ConfigNode) -> list[_Stage]:
    stages: list[_Stage] = []
    for node in tree.items:
        word, _, rest = node.text.partition(" ")
        rest = rest.strip()
        if word.upper() == "FROM" and (found := _STAGE.match(rest)) is not None:
            stages.append(_Stage(found[2] or str(len(stages)), found[1]))
        elif stages:
            _take(stages[-1], word.upper(), rest, node.line)
    return stages


def _take(stage: _Stage, word: str, rest: str, line: int) -> None:
    stage.sources.update(one or two for one, two in _FROM.findall(rest))
    if word in ("RUN", "CMD", "ENTRYPOINT"):
        stage.steps.append((word, _command(_FLAGS.sub("", rest, count=1)), line))
    elif word == "ENV":
        pairs = [(name, value.strip("\"'")) for name, value in _PAIR.findall(rest)]
        name, _, value = rest.partition(" ")
        stage.variables.extend(pairs or [(name, value.strip())])
    elif word == "SHELL":
        stage.shell = ShellKind("-e" in rest or '"-eo' in rest or "-ec" in rest, "pipefail" in rest)


def _command(text: str) -> str:
    """A command as a shell would get it; one as a list of words is given to none."""
    if not text.startswith("["):
        return text
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return " ".join(quoted(str(word)) for word in words) if isinstance(words, list) else text


def _asked_for(stages: list[_Stage]) -> set[str]:
    """The stages that the last one is made of, over all between them."""
    by_name = {stage.name: stage for stage in stages} | {str(at): stage for at, stage in enumerate(stages)}
    found: set[str] = set()
    waiting = [stages[-1].name] if stages else []
    while waiting:
        stage = by_name.get(waiting.pop())
        if stage is not None and stage.name not in found:
            found.add(stage.name)
            waiting.extend(stage.sources)
    return found
