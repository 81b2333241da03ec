"""The seal of a run: all that can change its outcome, written down and signed before its first test starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import GITLINK, TreeEntry
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import SEALS, Line
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import MANIFEST_PATH
from agentgate_git.model.record import Record
from agentgate_git.model.role import DOCS, PRODUCTION
from agentgate_git.model.run_evidence import Seal, SealedInput
from agentgate_git.policy.runs.job_identity import identity
from agentgate_git.repo.materialise import list_tree
from agentgate_git.source.roles import role_of
from agentgate_git.source.test_side import is_of_the_tests
from agentgate_git.wire.run_statements import inputs_sha256, read_seal
from agentgate_git.wire.statement import Unreadable

# As many inputs are named one by one, so that the line stays within MAX_LINE; of more there are number and digest.
_MAX_NAMED = 2000


class SealRequest(Record):
    """Whose run of whose proposal it is, under which pins, and when; `sealed_at` is RFC 3339 with `Z`."""

    proposal_id: str
    author_job: str
    runner_job: str
    pins: tuple[tuple[str, str], ...]
    sealed_at: str


def seal_of(workspace: Workspace, proposal: Proposal, request: SealRequest) -> Seal:
    """What there is to seal of the tree of a proposal, read from git and hashed."""
    inputs = tuple(sorted(_inputs(workspace, list_tree(workspace.room, proposal.tip.tree))))
    manifest = workspace.objects.file_at(proposal.tip.oid, MANIFEST_PATH)
    return Seal(
        tree=proposal.tip.tree,
        base_tree=proposal.base_tree,
        commit=proposal.tip.oid,
        proposal_id=request.proposal_id,
        author_job=request.author_job,
        runner_job=request.runner_job,
        inputs=inputs if len(inputs) <= _MAX_NAMED else (),
        input_count=len(inputs),
        inputs_sha256=inputs_sha256(inputs),
        pins=request.pins,
        manifest_sha256=sha256(manifest).hexdigest() if manifest is not None else "",
        sealed_at=request.sealed_at,
    )


def seals_of_job(workspace: Workspace, proposal_id: str, runner_job: str) -> Iterator[tuple[Seal, Line]]:
    """Every seal that names this proposal and this runner, of whatever tree, with its line."""
    for note in workspace.evidence().read_all(SEALS):
        for line in note.lines:
            statement = read_seal(line.envelope)
            if isinstance(statement, Unreadable):
                continue
            seal = statement.seal
            if seal.proposal_id == proposal_id and identity(seal.runner_job) == identity(runner_job):
                yield seal, line


def is_same_run(one: Seal, other: Seal) -> bool:
    """True when two seals differ in the time alone, or in the commit that the tree was seen at."""
    return one._replace(sealed_at="", commit="") == other._replace(sealed_at="", commit="")


def _inputs(workspace: Workspace, entries: Iterable[TreeEntry]) -> Iterator[SealedInput]:
    """What tests may read: everything but production code and prose. A link is its target's name."""
    seen: dict[Oid, tuple[int, str]] = {}
    for entry in entries:
        if entry.mode == GITLINK or not _is_input(entry.path):
            continue
        if entry.oid not in seen:
            data = workspace.objects.read(entry.oid, "blob")
            seen[entry.oid] = (len(data), sha256(data).hexdigest())
        yield SealedInput(entry.path, *seen[entry.oid])


def _is_input(path: str) -> bool:
    return is_of_the_tests(path) or role_of(path) not in (PRODUCTION, DOCS)
