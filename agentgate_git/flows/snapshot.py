"""`snapshot`: the baseline, written as the canonical form of the target's manifest."""

from __future__ import annotations

import os

from agentgate_git.flows.files import read_file, replace_file
from agentgate_git.flows.target import find_target
from agentgate_git.model.failure import PolicyFailure, UsageFailure
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.record import Record
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import resolve_commit, resolve_tree, top_level
from agentgate_git.wire.manifest import dump_manifest, read_manifest


class Snapshot(Record):
    """The baseline at `path`, taken from `tree` of `commit`, which `source` names; `is_written` when it changed."""

    path: str
    source: str
    commit: Oid
    tree: Oid
    is_written: bool


def snapshot(git: Git) -> Snapshot:
    """Write entropy.baseline.yaml from entropy.yaml of the target, or of HEAD where no target is known.

    The work tree's own manifest is not looked at: a baseline says what was agreed, not what is proposed.
    """
    path = os.path.join(top_level(git, "go to a work tree"), BASELINE_PATH)
    commit, source = find_target(git)
    if not commit:
        commit, source = resolve_commit(git, "HEAD"), "HEAD"
    wanted = _canonical(git, commit, source)
    is_written = os.path.islink(path) or read_file(path) != wanted
    if is_written:
        replace_file(path, wanted, 0o644)
    return Snapshot(path, source, commit, resolve_tree(git, commit), is_written)


def _canonical(git: Git, commit: Oid, source: str) -> bytes:
    with Objects(git) as objects:
        found = objects.find(f"{commit}:{MANIFEST_PATH}")
    if found is None or found.kind != "blob":
        raise UsageFailure(f"{source} ({commit[:12]}) has no {MANIFEST_PATH}", "commit one on that branch first")
    manifest = read_manifest(MANIFEST_PATH, found.data)
    if isinstance(manifest, Finding):
        raise PolicyFailure(
            f"{MANIFEST_PATH} of {source} ({commit[:12]}), line {manifest.line}: {manifest.message}",
            "repair that line on that branch first",
        )
    return dump_manifest(manifest)
