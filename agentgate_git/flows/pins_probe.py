"""`pins probe`: run the tests of each property once, and see what they and what they call read."""

from __future__ import annotations

import json
import os
from collections import Counter

from agentgate_git.flows.packets.runs import RunPlan, laid_out, run_laid_out
from agentgate_git.flows.sealed.property_files import PropertyFiles, blobs_of, manifest_of
from agentgate_git.flows.sealed.sealed_plan import Surroundings, sealed_plan
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import Undecided
from agentgate_git.model.manifest import Property
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import PASSED, RunReport
from agentgate_git.model.pin_use import PropertyUse, Read, Seen
from agentgate_git.model.record import Record
from agentgate_git.policy.pin_use import pin_use_seen
from agentgate_git.repo.refs import resolve_commit, resolve_tree
from agentgate_git.source.roles import is_test_file

PROBE_ARGS = ("-p", "_agentgate_probe")
MAX_OUTPUT = 16 << 20
_OUTPUT = "AGENTGATE_PROBE"
# In the tree that is laid out, since a run can write there whatever box it is in.
_SEEN = ".agentgate-seen.json"


class Probed(Record):
    """What was seen of each property, and what a reader has to know about the runs."""

    properties: tuple[PropertyUse, ...]
    notes: tuple[str, ...]


def probe(workspace: Workspace, rev: str, surroundings: Surroundings) -> Probed:
    """One answer for each property of the manifest of `rev`, from a run in the surroundings of a sealed one."""
    commit, tree = resolve_commit(workspace.clone, rev), resolve_tree(workspace.clone, rev)
    blobs = blobs_of(workspace, commit)
    manifest = manifest_of(workspace, blobs, rev)
    files = PropertyFiles(workspace, blobs)
    plan = sealed_plan(workspace, workspace.policy_of(commit), tree, surroundings)
    found: list[PropertyUse] = []
    notes: list[str] = []
    for one in manifest.properties:
        tests = tuple(path for path in files.start(one.module) if is_test_file(path))
        use, note = _probe(workspace, tree, one, plan._replace(args=(*plan.args, *PROBE_ARGS, *tests)))
        found.append(use)
        notes.extend((note,) if note else ())
    return Probed(tuple(found), tuple(notes))


def _probe(workspace: Workspace, tree: Oid, one: Property, plan: RunPlan) -> tuple[PropertyUse, str]:
    name = one.property_id or one.module or "the property"
    with laid_out(workspace.room, tree, plan) as laid:
        output = os.path.join(laid.directory, _SEEN)
        ran = run_laid_out(laid._replace(environment={**laid.environment, _OUTPUT: output}), plan)
        use = _use(one, output)
    if use is None:
        step = "see what they printed, with --log FILE"
        raise Undecided(f"the tests of {name} ended without saying what they read", step)
    return use, _note(name, ran.report)


def _use(one: Property, output: str) -> PropertyUse | None:
    """What the tests' process has written, and nobody vouches for; None for what makes no sense."""
    try:
        with open(os.open(output, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="utf-8") as file:
            seen = json.loads(file.read(MAX_OUTPUT))
        return pin_use_seen(one, tuple(map(str, seen["files"])), tuple(map(_seen, seen["reads"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _seen(row: list[object]) -> Seen:
    pin, source, is_needed, path, line, owner, what = row
    if not isinstance(line, int):
        raise TypeError("a line that is no number")
    return Seen(str(pin), str(source), bool(is_needed), Read(str(path), line, str(owner), str(what)))


def _note(name: str, report: RunReport) -> str:
    counts = Counter(outcome for _, outcome in report.outcomes)
    if not report.outcomes:
        return f"{name}: no test ran, so nothing that a test reads was seen"
    others = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()) if outcome != PASSED)
    return f"{name}: {others}; what these did not come to was not seen" if others else ""
