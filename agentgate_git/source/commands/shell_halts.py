"""Commands of CI systems that end the whole job well, so that no later step of it runs."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_outlook import commands_of
from agentgate_git.source.commands.shell_syntax import SIMPLE, Sequence, shell_commands

_MAY_HALT = pattern_of(r"\bstep\s+halt\b|travis_terminate|exit-appveyorbuild", re.IGNORECASE)
# `circleci step halt`, which older images call `circleci-agent`.
_CIRCLE = ("circleci", "circleci-agent")


def halts(text: str) -> tuple[str, str]:
    """Why no later step runs, or else what may keep them from running; both empty for a text that lets them."""
    if not _MAY_HALT.search(text):
        return "", ""
    condition = ""
    for sequence in shell_commands(text):
        for command in commands_of((sequence,), SIMPLE):
            if not _halts(command.words):
                continue
            shown = f"`{' '.join(command.words)[:40]}`"
            if _is_bare(sequence):
                return f"it stands behind {shown}, which ends the job well", ""
            condition = condition or f"it may not be reached, for {shown}"
    return "", condition


def _halts(words: tuple[str, ...]) -> bool:
    if not words:
        return False
    head = words[0].rpartition("/")[2].lower()
    if head in _CIRCLE:
        return words[1:3] == ("step", "halt")
    return head == "exit-appveyorbuild" or (head == "travis_terminate" and words[1:2] == ("0",))


def _is_bare(sequence: Sequence) -> bool:
    """True for a list that nothing makes conditional: one command, perhaps with `|| true` behind it."""
    first = sequence.pipelines[0].commands
    return len(first) == 1 and first[0].kind == SIMPLE and _halts(first[0].words)
