"""The parts that a build of several is made of: what is taken out of the list is neither built nor tested with it.

`module > TOOL` has a name for each part, `parked > TOOL` those that are only built when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import SCALAR, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.runs import key

MAX_LINES = 2_000
_USE = pattern_of(r"(?:use\s+)?(\.{0,2}/?[\w./-]+)\s*(?://.*)?")


def maven_modules(active: tuple[ConfigNode, ...], parked: tuple[ConfigNode, ...]) -> Iterator[Setting]:
    """The modules of a parent pom and of profiles that are there by themselves, and of those to be asked for."""
    for holder in active:
        yield from _modules("module", holder)
    for profile in parked:
        yield from _modules("parked", profile)


def _modules(kind: str, holder: ConfigNode) -> Iterator[Setting]:
    for name, one in holder.get("modules").entries:
        if name == "module" and one.text.strip():
            yield Setting(key(kind, "maven"), one.text.strip(), one.line)


def gradle_modules(tree: ConfigNode) -> Iterator[Setting]:
    """settings.gradle: the projects that are included."""
    for name, value in tree.entries:
        if name == "include":
            for item in value.items:
                if item.kind == SCALAR and item.text:
                    yield Setting(key("module", "gradle"), item.text.strip(":").replace(":", "/"), item.line)


def cargo_modules(tree: ConfigNode) -> Iterator[Setting]:
    """The members of a workspace of Cargo, and what it leaves out."""
    workspace = tree.get("workspace")
    for kind, option in (("module", "members"), ("parked", "exclude")):
        for word in workspace.get(option).words():
            yield Setting(key(kind, "cargo"), word, workspace.get(option).line)


def go_modules(tree: ConfigNode) -> Iterator[Setting]:
    """go.work: the modules that are used together."""
    is_open = False
    for line in tree.items[:MAX_LINES]:
        text = line.text
        if text.startswith("use") and text.endswith("("):
            is_open = True
        elif text.startswith(")"):
            is_open = False
        elif (is_open or text.startswith("use ")) and (found := _USE.fullmatch(text)):
            yield Setting(key("module", "go"), found[1].removeprefix("./"), line.line)
