"""Compose files: what each service starts, as a run of its name."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.commands.shell_syntax import quoted
from agentgate_git.source.settings.runs import Around, runs


def compose_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The runs of the services of a file: an entry point with the command that it is given."""
    for name, service in tree.get("services").entries:
        if service.kind == TABLE:
            entry, command = service.get("entrypoint"), service.get("command")
            text = f"{_words(entry)} {_words(command)}".strip()
            line = (command if command.words() else entry).line
            yield from runs(text, Around(name, shell=ShellKind()), (line,) * (text.count("\n") + 1))


def _words(node: ConfigNode) -> str:
    return " ".join(quoted(word) for word in node.words()) if node.kind == LIST else node.text
