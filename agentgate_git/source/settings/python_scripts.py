"""Tasks that pyproject.toml names: those of hatch, poe, pdm, taskipy, rye and pixi, as commands of their names."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode, TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_tables import IGNORED
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.runs import Around, runs
from agentgate_git.source.settings.variables import Variables

_LOOSE = ShellKind()
_HOPS = 3
# Tasks that are lists of tasks: what one file asks for in all.
MAX_TASKS = 3_000
_RUNNERS = (("poe", "tasks"), ("pdm", "scripts"), ("taskipy", "tasks"), ("rye", "scripts"), ("pixi", "tasks"))
_COMMAND = ("cmd", "shell", "chain", "command")
_PARTS = ("sequence", "composite", "chain", "all", "depends-on", "depends_on")
_FAILING = ("ignore_fail", "ignore-fail", "keep_going_and_pass")
_PASSES = frozenset(("true", "return_zero"))
_REST = pattern_of(r"\{args(?::((?:[^{}]|\{[^{}]*\})*))?\}")


def script_tasks(tool: ConfigNode) -> Iterator[Setting]:
    """The tasks of the tools below `[tool]`; TreeError where they lead to one another too often."""
    for name, environment in tool.get("hatch", "envs").entries:
        yield from hatch_environment(name, environment)
    for runner, holds in _RUNNERS:
        holder = tool.get(runner, holds)
        outer = Variables((*_pairs(holder.get("_", "env")), *_pairs(tool.get(runner, "env"))))
        tasks = _Tasks(holder)
        for name, task in holder.entries:
            if name != "_":
                yield from tasks.task(name, task, Around(name, (), outer, _LOOSE), _HOPS)


def hatch_environment(name: str, environment: ConfigNode) -> Iterator[Setting]:
    """The scripts of one environment of hatch; a `-` before a command drops its status."""
    scripts = environment.get("scripts")
    variables = Variables(_pairs(environment.get("env-vars")))
    tasks = _Tasks(scripts)
    for script, node in scripts.entries:
        place = script if name == "default" else f"{name}:{script}"
        yield from tasks.task(place, node, Around(place, (), variables, _LOOSE), _HOPS)


class _Tasks:
    """Tasks that stand beside one another and call each other by their names."""

    def __init__(self, holder: ConfigNode) -> None:
        self._named: dict[str, ConfigNode] = {}
        for name, node in holder.entries:
            self._named.setdefault(name, node)
        self._left = MAX_TASKS + len(holder.entries)

    def task(self, name: str, node: ConfigNode, around: Around, hops: int) -> Iterator[Setting]:
        """The runs of one task, as far as `hops` names lead."""
        if not hops:
            return
        self._left -= 1
        if self._left < 0:
            raise TreeError("its tasks lead to one another too often to be followed")
        if node.kind == SCALAR:
            yield from self._line(node.text, node.line, around, hops)
        elif node.kind == LIST:
            for item in node.items:
                yield from self.task(name, item, around, hops)
        elif node.kind == TABLE:
            marks = [f"{IGNORED}: `{one}`" for one in _FAILING if node.get(one).text.lower() in _PASSES]
            variables = around.variables.plus(_pairs(node.get("env")))
            within = around._replace(marks=(*around.marks, *marks), variables=variables)
            for key in (*_COMMAND, *(one for one in _PARTS if one not in _COMMAND)):
                if node.has(key):
                    yield from self.task(name, node.get(key), within, hops)

    def _line(self, text: str, line: int, around: Around, hops: int) -> Iterator[Setting]:
        """A command, or the name of another task."""
        plain = text.strip()
        is_ignored = plain.startswith(("- ", "-\t"))
        plain = plain.removeprefix("-").strip() if is_ignored else plain
        within = around._replace(marks=(*around.marks, f"{IGNORED}: `-` before it")) if is_ignored else around
        head, _, rest = plain.partition(" ")
        other = self._named.get(head)
        if other is not None and head != around.place.rpartition(":")[2]:
            if other.kind == SCALAR and rest:
                yield from self._line(f"{other.text} {rest}", line, within, hops - 1)
            else:
                yield from self.task(head, other, within, hops - 1)
            return
        yield from runs(_REST.sub(lambda found: found[1] or "", plain), within, (line,))


def _pairs(node: ConfigNode) -> tuple[tuple[str, str], ...]:
    return tuple((name, value.text) for name, value in node.entries if value.kind == SCALAR)
