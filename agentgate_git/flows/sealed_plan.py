"""How a sealed run is made: the policy's plan, under the pins of the tree's manifest, in a box."""

from __future__ import annotations

from agentgate_git.flows.capture_request import plan_of
from agentgate_git.flows.runs import RunPlan
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import GITLINK, SYMLINK
from agentgate_git.model.failure import Undecided
from agentgate_git.model.finding import Finding
from agentgate_git.model.manifest import Manifest
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import MANIFEST_PATH
from agentgate_git.model.policy import Policy
from agentgate_git.model.sandbox import NO_BOX
from agentgate_git.repo.materialise import list_tree
from agentgate_git.runner.cassettes import cassettes_digest, is_cassette
from agentgate_git.runner.pins import pins_of
from agentgate_git.wire.manifest import read_manifest


def sealed_plan(workspace: Workspace, policy: Policy, python: str, tree: Oid, box_kind: str) -> RunPlan:
    """The plan for a tree; Undecided where a pin of its manifest cannot be held here."""
    plan = plan_of(workspace, policy, python, tree, may_use_work_tree=False)
    pins = pins_of(
        _manifests(workspace, tree),
        plan.python,
        plan.environ,
        plan.settings,
        _cassettes_sha256(workspace, tree),
        refuses_network=box_kind == NO_BOX,
    )
    return plan._replace(args=(*pins.args, *plan.args), pins=pins, box_kind=box_kind)


def _manifests(workspace: Workspace, tree: Oid) -> tuple[Manifest, ...]:
    data = workspace.objects.file_at(tree, MANIFEST_PATH)
    if data is None:
        return ()
    manifest = read_manifest(MANIFEST_PATH, data)
    if isinstance(manifest, Finding):
        raise Undecided(f"{MANIFEST_PATH}, line {manifest.line}: {manifest.message}", "repair that line")
    return (manifest,)


def _cassettes_sha256(workspace: Workspace, tree: Oid) -> str:
    """Empty for a tree without recordings."""
    entries = [entry for entry in list_tree(workspace.room, tree) if is_cassette(entry.path)]
    files = [entry for entry in entries if entry.mode not in (GITLINK, SYMLINK)]
    if not files:
        return ""
    return cassettes_digest((entry.path, workspace.objects.read(entry.oid, "blob")) for entry in files)
