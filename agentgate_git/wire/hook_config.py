"""The configuration of pre-commit and prek, as far as it says which of our hooks run.

It is the user's file, read by tools that allow more than our strict YAML does: anchors, for one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import yaml

from agentgate_git.model.record import Record

HOOK_CONFIG_PATHS = (".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml")
IDS = {
    "agentgate-pre-commit": ("pre-commit", "pre-merge-commit"),
    "agentgate-commit-msg": ("commit-msg",),
    "agentgate-pre-push": ("pre-push",),
}
_CALL = "git-agentgate hook "


class HookConfig(Record):
    """The stages that some listed hook of ours runs in, and the stages that a plain `install` puts in place.

    `problem` says why the file could not be read, else it is empty.
    """

    stages: tuple[str, ...] = ()
    install_types: tuple[str, ...] = ()
    problem: str = ""


def read_hook_config(path: str, data: bytes) -> HookConfig:
    """The facts of one file; TOML by its name, YAML otherwise."""
    try:
        text = data.decode("utf-8")
        loaded: object = tomllib.loads(text) if path.endswith(".toml") else yaml.safe_load(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, yaml.YAMLError, RecursionError) as error:
        return HookConfig(problem=" ".join(str(error).split()))
    if not isinstance(loaded, dict):
        return HookConfig(problem="it is no mapping")
    found = {stage for hook in _hooks(loaded) for stage in _stages(hook)}
    types = loaded.get("default_install_hook_types", ["pre-commit"])
    return HookConfig(tuple(sorted(found)), tuple(str(kind) for kind in types) if isinstance(types, list) else ())


def _hooks(config: dict[object, object]) -> Iterator[dict[object, object]]:
    for repo in _rows(config.get("repos")):
        yield from _rows(repo.get("hooks"))


def _rows(value: object) -> Iterator[dict[object, object]]:
    return (row for row in value if isinstance(row, dict)) if isinstance(value, list) else iter(())


def _stages(hook: dict[object, object]) -> tuple[str, ...]:
    """The stages of one entry: by our id, or by what a local hook runs."""
    entry = hook.get("entry")
    if isinstance(entry, str) and _CALL in entry:
        return tuple(entry.partition(_CALL)[2].split()[:1])
    return IDS.get(str(hook.get("id")), ())
