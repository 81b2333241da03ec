"""`install`: the native hooks and the configuration of notes and merges, put in place without losing what was there.

Nothing that git tracks is written, but for .gitattributes when that is asked for. What another tool owns is left to
the user, with the line to add.
"""

from __future__ import annotations

import os

from agentgate_git.flows.clone.driver_config import install_driver
from agentgate_git.flows.clone.hook_files import (
    CALLS_US,
    CHAINED,
    FRAMEWORK,
    LEFTHOOK,
    LEGACY,
    NOBODY,
    OURS,
    STAGES,
    HooksDirectory,
    calls_us,
    find_hooks,
    owner_of,
    shim_text,
)
from agentgate_git.flows.clone.note_config import (
    STRATEGY,
    fetch_key,
    fetch_refspecs,
    remotes,
    strategies,
    wanted_refspec,
)
from agentgate_git.flows.files import read_file, replace_file
from agentgate_git.model.setup import BY_HAND, DONE, PRESENT, SetupRow
from agentgate_git.repo.process import Git

_LEFTHOOK_FILES = tuple(
    f"{dot}lefthook{local}.{ending}"
    for dot in ("", ".")
    for local in ("", "-local")
    for ending in ("yml", "yaml", "toml", "json")
)


def install(git: Git, program: str, *, is_native: bool, has_attributes: bool = False) -> tuple[SetupRow, ...]:
    """Put the pre-push hook in place, with `is_native` every hook, and the configuration of notes and merges.

    `program` is the absolute path of git-agentgate, for hooks that are run without it on PATH; `has_attributes` asks
    for the lines of .gitattributes too.
    """
    hooks = find_hooks(git)
    stages = STAGES if is_native else STAGES[:1]
    placed = tuple(_place(git, hooks, stage, program) for stage in stages)
    driver = install_driver(git, program, is_asked_for_attributes=has_attributes)
    return (*placed, *driver, _set_strategies(git), *(_add_refspec(git, remote) for remote in remotes(git)))


def hook_line(stage: str) -> str:
    """The line that runs our hook from a script."""
    return f'git-agentgate hook {stage} "$@"'


def lefthook_block(stage: str) -> str:
    """What makes lefthook run our hook with git's arguments and its stdin."""
    return f"{stage}: {{jobs: [{{name: agentgate, run: 'git-agentgate hook {stage} {{0}}', use_stdin: true}}]}}"


def lefthook_calls_us(top: str, stage: str) -> bool:
    """True when the project's lefthook configuration runs our hook."""
    return any(calls_us(read_file(os.path.join(top, name)), stage) for name in _LEFTHOOK_FILES)


def _place(git: Git, hooks: HooksDirectory, stage: str, program: str) -> SetupRow:
    """One hook, in the place that its neighbours leave for it."""
    path = hooks.file(stage)
    if hooks.is_husky():
        return _husky_row(hooks, stage)
    owner = owner_of(path, stage)
    if owner == CALLS_US:
        return SetupRow(PRESENT, f"{path} runs git-agentgate")
    if owner == LEFTHOOK:
        return _lefthook_row(hooks, stage)
    if os.path.lexists(hooks.path) and not os.path.isdir(hooks.path):
        return SetupRow(
            BY_HAND,
            f"core.hooksPath ({_place_of(hooks)}) is {hooks.path}, no directory: no hook can run",
            "unset it with `git config --unset core.hooksPath` in that scope",
        )
    if hooks.is_shared() and owner != OURS:
        return SetupRow(
            BY_HAND,
            f"core.hooksPath ({_place_of(hooks)}) sends every repository to {hooks.path}",
            f"add `{hook_line(stage)}` to {path}, or run `git config core.hooksPath .git/hooks` and install again",
        )
    if hooks.is_in_work_tree() and _is_tracked(git, hooks.top, path):
        return SetupRow(BY_HAND, f"{path} is tracked", f"add `{hook_line(stage)}` to it")
    return fill(hooks, stage, path + LEGACY if owner == FRAMEWORK else path, program)


def fill(hooks: HooksDirectory, stage: str, slot: str, program: str) -> SetupRow:
    """Write our shim to `slot`; what stands there becomes the hook that it runs first."""
    text = shim_text(stage, program)
    owner = owner_of(slot, stage)
    if owner == OURS and read_file(slot) == text and os.access(slot, os.X_OK):
        return SetupRow(PRESENT, f"the {stage} hook is {slot}")
    before = hooks.file(stage) + CHAINED
    is_moved = owner not in (OURS, NOBODY)
    if is_moved and os.path.lexists(before):
        return SetupRow(
            BY_HAND,
            f"{slot} was put over our hook, and {before} holds the one before",
            "make one file of the two, delete the other, and install again",
        )
    os.makedirs(hooks.path, exist_ok=True)
    if is_moved:
        os.rename(slot, before)
    replace_file(slot, text, 0o755)
    runs = f", which runs {before} first" if os.path.lexists(before) else ""
    deed = "renewed" if owner == OURS else "wrote"
    return SetupRow(DONE, f"{deed} the {stage} hook {slot}{runs}")


def _husky_row(hooks: HooksDirectory, stage: str) -> SetupRow:
    script = hooks.husky_file(stage)
    if calls_us(read_file(script), stage):
        return SetupRow(PRESENT, f"{script} runs git-agentgate")
    return SetupRow(BY_HAND, f"husky runs the {stage} hook", f"add `{hook_line(stage)}` to {script}")


def _lefthook_row(hooks: HooksDirectory, stage: str) -> SetupRow:
    if lefthook_calls_us(hooks.top, stage):
        return SetupRow(PRESENT, f"lefthook runs git-agentgate for {stage}")
    return SetupRow(BY_HAND, f"lefthook runs the {stage} hook", f"add to lefthook.yml: `{lefthook_block(stage)}`")


def _place_of(hooks: HooksDirectory) -> str:
    return f"{hooks.scope} scope, {hooks.origin}"


def _is_tracked(git: Git, top: str, path: str) -> bool:
    return git.try_run("-C", top, "ls-files", "--error-unmatch", "--", path).status == 0


def _set_strategies(git: Git) -> SetupRow:
    """Let git merge evidence line by line; a strategy that somebody chose is theirs to change."""
    found = strategies(git)
    chosen = next((row for row in found if row[1] not in ("", STRATEGY)), None)
    if chosen is not None:
        key, value = chosen
        return SetupRow(BY_HAND, f"{key} is {value}: a merge would lose evidence", f"run `git config {key} {STRATEGY}`")
    unset = [key for key, value in found if not value]
    for key in unset:
        git.run("config", "--local", key, STRATEGY)
    kinds = f"notes of {len(found)} kinds are merged by {STRATEGY}"
    return SetupRow(DONE if unset else PRESENT, kinds)


def _add_refspec(git: Git, remote: str) -> SetupRow:
    wanted = wanted_refspec(remote)
    found = fetch_refspecs(git, remote)
    if wanted in found:
        return SetupRow(PRESENT, f"{remote} is fetched with {wanted}")
    if not found:
        return SetupRow(
            BY_HAND,
            f"{remote} has no refspec; with ours alone `git fetch {remote}` would fetch no branch any more",
            f"run `git remote set-branches {remote} '*'` and install again",
        )
    git.run("config", "--local", "--add", fetch_key(remote), wanted)
    return SetupRow(DONE, f"{remote} is fetched with {wanted}")
