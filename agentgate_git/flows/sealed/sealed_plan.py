"""How a sealed run is made: in an environment of its own, under the pins of the tree's manifest, in a box."""

from __future__ import annotations

import os

from agentgate_git.flows.packets.capture_request import plan_of
from agentgate_git.flows.packets.runs import RunPlan
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import Undecided
from agentgate_git.model.finding import Finding
from agentgate_git.model.manifest import Manifest
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import MANIFEST_PATH, POLICY_PATH
from agentgate_git.model.policy import Policy
from agentgate_git.model.record import Record
from agentgate_git.model.sandbox import AUTO, NO_BOX
from agentgate_git.repo.materialise import list_files
from agentgate_git.repo.refs import common_dir
from agentgate_git.runner.box import Box, find_box_kind
from agentgate_git.runner.cassettes import cassettes_digest, is_cassette
from agentgate_git.runner.environment import program_behind
from agentgate_git.runner.pins import pins_of
from agentgate_git.runner.setup import SetupRequest, made_environment
from agentgate_git.wire.manifest import read_manifest


class Surroundings(Record):
    """What somebody asks of the surroundings of a sealed run.

    `python` is empty for the environment that the policy says how to make, or else for one that is found. `sandbox` is
    one of model.sandbox.WANTED, `key` a file that the tests must not reach, `log` where all output goes.
    """

    log: str
    python: str = ""
    sandbox: str = AUTO
    key: str = ""


def sealed_plan(workspace: Workspace, policy: Policy, tree: Oid, wanted: Surroundings) -> RunPlan:
    """The plan for a tree; Undecided where its environment cannot be made or a pin of its manifest not be held here."""
    plan = plan_of(workspace, policy, wanted.python, tree, may_use_work_tree=False)
    box_kind = find_box_kind(wanted.sandbox)
    plan = plan._replace(
        python=program_behind(plan.python, plan.environ, workspace.scratch()),
        log=wanted.log,
        box_kind=box_kind,
        hidden=(common_dir(workspace.clone), *((wanted.key,) if wanted.key else ())),
    )
    if policy.setup and not wanted.python:
        plan = _in_own_environment(workspace, policy, tree, plan)
    pins = pins_of(
        _manifests(workspace, tree),
        plan.python,
        plan.environ,
        plan.settings,
        _cassettes_sha256(workspace, tree),
        refuses_network=box_kind == NO_BOX,
        box=Box(box_kind, hidden=plan.hidden, interpreter=plan.interpreter),
    )
    return plan._replace(args=(*pins.args, *plan.args), pins=pins)


def sealed_pins(plan: RunPlan) -> tuple[tuple[str, str], ...]:
    """What the seal says about the surroundings of a run."""
    held = plan.pins.held if plan.pins else ()
    made = (("environment_sha256", plan.environment_sha256),) if plan.environment_sha256 else ()
    return (*held, *made, ("sandbox", plan.box_kind))


def _in_own_environment(workspace: Workspace, policy: Policy, tree: Oid, plan: RunPlan) -> RunPlan:
    request = SetupRequest(
        commands=policy.setup,
        files=tuple((path, _locked(workspace, tree, path)) for path in policy.locks),
        python=plan.python,
        top=os.path.join(common_dir(workspace.clone), "agentgate", "environments"),
        environ=plan.environ,
        box_kind=plan.box_kind,
        log=plan.log,
        time_limit=plan.time_limit,
    )
    made = made_environment(request)
    return plan._replace(python=made.python, interpreter=made.folders, environment_sha256=made.sha256)


def _locked(workspace: Workspace, tree: Oid, path: str) -> bytes:
    data = workspace.objects.file_at(tree, path)
    if data is None:
        raise Undecided(
            f"the tree has no {path}, which the environment is made from",
            f"put it back, or change `environment` in {POLICY_PATH} of the base branch",
        )
    return data


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
    files = [entry for entry in list_files(workspace.room, tree) if is_cassette(entry.path)]
    if not files:
        return ""
    return cassettes_digest((entry.path, workspace.objects.read(entry.oid, "blob")) for entry in files)
