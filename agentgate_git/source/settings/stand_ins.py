"""Jobs of a forge that go by the name of a job that tests, and run nothing: who asks for the name gets a success."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.runs import key

# A step that says something, or nothing at all.
_SAYS = pattern_of(r"\s*(?:(?:echo|printf)\b[^|&;<>`\n]*|true|:|exit 0|#[^\n]*)?\s*")


def stand_ins(tree: ConfigNode, tested: frozenset[str]) -> Iterator[Setting]:
    """`job > stand-in` with the name that both report; `tested` are the jobs that run tests."""
    jobs = tree.get("jobs").entries
    names = {_reported(name, job) for name, job in jobs if name in tested}
    for name, job in jobs:
        if name not in tested and _reported(name, job) in names and _is_idle(job):
            yield Setting(key("job", "stand-in"), _reported(name, job), job.line)


def _reported(name: str, job: ConfigNode) -> str:
    return " ".join(job.get("name").text.split()) or name


def _is_idle(job: ConfigNode) -> bool:
    steps = job.get("steps").items
    return bool(steps) and all(_is_said(step.get("run").text) and not step.has("uses") for step in steps)


def _is_said(text: str) -> bool:
    return all(_SAYS.fullmatch(line) for line in text.splitlines())
