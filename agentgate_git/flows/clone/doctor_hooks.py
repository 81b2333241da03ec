"""What `doctor` says about hooks: does git find them, can it run them, and is ours among them.

One row a stage. Hooks are courtesy: nothing here is believed by `verify`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from agentgate_git.flows.clone.hook_files import (
    CALLS_US,
    CHAINED,
    FRAMEWORK,
    LEFTHOOK,
    OURS,
    SERVER_STAGES,
    STAGES,
    HooksDirectory,
    calls_us,
    find_hooks,
    find_server_hooks,
    is_current,
    our_file,
    our_part,
    owner_of,
)
from agentgate_git.flows.files import read_file
from agentgate_git.flows.install import lefthook_calls_us
from agentgate_git.model.setup import MISSING, OK, WARNING, SetupRow
from agentgate_git.repo.process import Git
from agentgate_git.wire.hook_config import HOOK_CONFIG_PATHS, HookConfig, read_hook_config

_INSTALL = "run `git agentgate install`"
_INSTALL_SERVER = "run `git agentgate install --server`"
_NATIVE = "run `git agentgate install --native`"


def hook_rows(git: Git) -> Iterator[SetupRow]:
    """The hooks directory, pre-commit's configuration, and each stage."""
    hooks = find_hooks(git)
    yield _directory_row(hooks)
    path, config = _config_of(hooks.top)
    if config is not None:
        yield _config_row(path, config)
    for stage in STAGES:
        yield _stage_row(hooks, stage, config)


def server_hook_rows(git: Git) -> Iterator[SetupRow]:
    """The hooks of a server repository that judge what is pushed: one of them is enough."""
    hooks = find_server_hooks(git)
    rows = tuple(row for stage in SERVER_STAGES if (row := _server_row(hooks, stage)))
    none = f"no hook in {hooks.path} judges what is pushed (rules of gitolite are not looked for)"
    yield from rows or (SetupRow(MISSING, none, _INSTALL_SERVER),)


def _server_row(hooks: HooksDirectory, stage: str) -> SetupRow | None:
    path, part = hooks.file(stage), our_part(hooks, stage)
    owner = owner_of(path, stage)
    if owner == OURS:
        return _our_row(hooks, stage, path, _INSTALL_SERVER)
    if owner_of(part, stage) == OURS:
        return _our_row(hooks, stage, part, _INSTALL_SERVER)
    if owner == CALLS_US:
        return _fault(path, _INSTALL_SERVER) or SetupRow(OK, f"{stage}: {path} leads to git-agentgate")
    return None


def _directory_row(hooks: HooksDirectory) -> SetupRow:
    by = f"core.hooksPath, {hooks.scope} scope, {hooks.origin}" if hooks.scope else "git's default"
    if os.path.isdir(hooks.path):
        return SetupRow(OK, f"git takes hooks from {hooks.path} ({by})")
    step = "unset core.hooksPath in that scope, or make the directory" if hooks.scope else _INSTALL
    return SetupRow(MISSING, f"git takes hooks from {hooks.path} ({by}), which is no directory in this work tree", step)


def _config_of(top: str) -> tuple[str, HookConfig | None]:
    """The first configuration of pre-commit or prek in the work tree."""
    for name in HOOK_CONFIG_PATHS:
        data = read_file(os.path.join(top, name))
        if data is not None:
            return name, read_hook_config(name, data)
    return "", None


def _config_row(path: str, config: HookConfig) -> SetupRow:
    if config.problem:
        return SetupRow(MISSING, f"{path} cannot be read ({config.problem})", "repair it")
    if not config.stages:
        return SetupRow(WARNING, f"{path} lists no hook of agentgate-git", "add the ids that the README shows")
    absent = [stage for stage in config.stages if stage not in config.install_types]
    if absent:
        types = ", ".join(dict.fromkeys((*config.install_types, *absent)))
        return SetupRow(
            MISSING,
            f"`pre-commit install` in a fresh clone leaves out {', '.join(absent)}",
            f"write `default_install_hook_types: [{types}]` into {path}",
        )
    return SetupRow(OK, f"{path} lists our hooks for {', '.join(config.stages)}")


def _stage_row(hooks: HooksDirectory, stage: str, config: HookConfig | None) -> SetupRow:
    path = hooks.file(stage)
    ours = our_file(hooks, stage)
    if ours:
        return _our_row(hooks, stage, ours)
    if _is_called(hooks, stage):
        return _fault(path) or SetupRow(OK, f"{stage}: {path} leads to git-agentgate")
    if config is not None and stage in config.stages:
        return _framework_row(path, stage)
    if stage == "pre-push":
        return SetupRow(MISSING, f"pre-push: no hook of ours at {path}", _INSTALL)
    step = _NATIVE if config is None else f"add the id for {stage} to the hooks of pre-commit, or {_NATIVE}"
    return SetupRow(WARNING if config is None else MISSING, f"{stage}: nothing judges it here", step)


def _our_row(hooks: HooksDirectory, stage: str, ours: str, step: str = _INSTALL) -> SetupRow:
    path = hooks.file(stage)
    fault = _fault(path, step) or _fault(ours, step)
    if fault:
        return fault
    before = path + CHAINED
    if os.path.lexists(before) and not os.access(before, os.X_OK):
        return SetupRow(WARNING, f"{stage}: {before} is not executable, so it is left out", f"run `chmod +x {before}`")
    if not is_current(ours, stage):
        return SetupRow(WARNING, f"{stage}: {ours} is of another version", step)
    chain = f", after {before}" if os.path.lexists(before) else ""
    return SetupRow(OK, f"{stage}: {ours} runs git-agentgate{chain}")


def _is_called(hooks: HooksDirectory, stage: str) -> bool:
    """True when another tool's hook runs ours."""
    path = hooks.file(stage)
    if hooks.is_husky():
        return os.path.lexists(path) and calls_us(read_file(hooks.husky_file(stage)), stage)
    owner = owner_of(path, stage)
    return owner == CALLS_US or (owner == LEFTHOOK and lefthook_calls_us(hooks.top, stage))


def _framework_row(path: str, stage: str) -> SetupRow:
    """A stage that pre-commit's configuration covers, if pre-commit itself is installed for it."""
    if owner_of(path, stage) != FRAMEWORK:
        return SetupRow(
            MISSING, f"{stage}: pre-commit is not installed for it", f"run `pre-commit install --hook-type {stage}`"
        )
    if stage == "pre-push":
        return SetupRow(
            WARNING, "pre-push: under pre-commit only the first ref of a push is seen (partial coverage)", _INSTALL
        )
    return _fault(path) or SetupRow(OK, f"{stage}: pre-commit runs git-agentgate")


def _fault(path: str, step: str = _INSTALL) -> SetupRow | None:
    """Why git would leave a hook out or fail to start it."""
    first = (read_file(path) or b"").partition(b"\n")[0]
    if not os.access(path, os.X_OK):
        return SetupRow(MISSING, f"{path} is not executable: git leaves it out", f"run `chmod +x {path}`")
    if not first.startswith(b"#!"):
        return SetupRow(MISSING, f"{path} does not start with `#!` (it has {first[:20]!r})", step)
    if b"\r" in first:
        return SetupRow(MISSING, f"{path} has CRLF line ends: its interpreter is not found", step)
    return None
