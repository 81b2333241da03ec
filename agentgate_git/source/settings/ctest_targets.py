"""Which program each test of a CMakeLists.txt runs, and which programs of it are built and named by nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.source.settings.runs import key

# Calls that only say how a program is built.
_BUILDS = ("add_executable", "target_", "set_target_properties", "set_property", "source_group")


def ctest_targets(tree: ConfigNode) -> Iterator[Setting]:
    """`tested > ctest`: the name of a test and the program it runs; `idle > ctest`: a program that nothing runs."""
    built: dict[str, int] = {}
    named: set[str] = set()
    for name, value in tree.entries:
        folded = name.lower()
        words = [item.text for item in value.items]
        if folded == "add_executable" and words:
            built.setdefault(words[0], value.line)
        elif not folded.startswith(_BUILDS):
            named.update(word.partition(":")[2].rstrip(">") if word.startswith("$<") else word for word in words)
        if folded == "add_test" and words[:1] == ["NAME"] and words[2:3] == ["COMMAND"] and words[3:]:
            yield Setting(key("tested", "ctest"), f"{words[1]} {words[3]}", value.line)
        elif folded == "add_test" and len(words) > 1 and words[0] != "NAME":
            yield Setting(key("tested", "ctest"), f"{words[0]} {words[1]}", value.line)
    for program, line in built.items():
        if program not in named:
            yield Setting(key("idle", "ctest"), program, line)
