"""`adopt`: a human takes over what the gate refuses in agent work; an agent asks for that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.flows.change_sets.adoptions import adoptions_of
from agentgate_git.flows.change_sets.staged import look
from agentgate_git.flows.check import STAGED, judge, staged_proposal
from agentgate_git.flows.signers.signing import agent_here, signed_line
from agentgate_git.flows.target import find_target
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.adoption import Adoption, ListedAdoption, SignedAdoption
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import ADOPTIONS, REQUESTS, Entry, Line
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.record import Record
from agentgate_git.policy.authors.adoption import is_adoptable, need_of
from agentgate_git.repo.commits import merge_base, read_commit
from agentgate_git.repo.diff import tree_changes
from agentgate_git.wire.adoption_statement import ADOPTION, REQUEST, AdoptionStatement, adoption_payload, read_adoption
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.statement import unsigned


class Wanted(Record):
    """What is to be adopted: without paths and tests, every finding that blocks. `now` is RFC 3339 with `Z`."""

    rev: str
    now: str
    base: str = ""
    paths: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    reason: str = ""


def request(workspace: Workspace, wanted: Wanted) -> Adoption | None:
    """File a request, which nobody signs; None when nothing stands there that an adoption could cover."""
    return _filed(workspace, _adoption(workspace, wanted, workspace.proposals.of_revision(wanted.rev, wanted.base)))


def request_staged(workspace: Workspace, wanted: Wanted) -> Adoption | None:
    """The same for what the index would commit, so that a hook lets it become a commit that others can see.

    The change is measured from where the gate will measure it: where HEAD parted from the target.
    """
    proposal = staged_proposal(workspace, look(workspace.clone), "")
    target, _ = find_target(workspace.clone)
    parted = merge_base(workspace.room, proposal.base, target) if target and proposal.base else None
    asked = _adoption(workspace, wanted, proposal)
    if asked is not None and parted:
        asked = asked._replace(base_tree=read_commit(workspace.objects, parted).tree)
    return _filed(workspace, asked)


def _filed(workspace: Workspace, asked: Adoption | None) -> Adoption | None:
    if asked is not None:
        line = encode_envelope(unsigned(adoption_payload(asked, REQUEST)))
        workspace.ledger().append(REQUESTS, [Entry(asked.tree, line)])
    return asked


def adopt(workspace: Workspace, wanted: Wanted, key: str) -> SignedAdoption | None:
    """Sign an adoption and store it; None when nothing stands there that it could cover.

    UsageFailure when it would count for nothing: an agent's environment, or a key that the base enrols for no human.
    `key` is a file, empty for the one that commits are signed with.
    """
    if agent := agent_here(workspace):
        step = "run `git agentgate adopt --request`, and have a human adopt it in a shell of their own"
        raise UsageFailure(f"an agent's environment is here ({agent}), and only a human can adopt", step)
    proposal = workspace.proposals.of_revision(wanted.rev, wanted.base)
    adoption = _adoption(workspace, wanted, proposal)
    if adoption is None:
        return None
    line = signed_line(workspace, adoption_payload(adoption, ADOPTION), key)
    judged = adoptions_of(workspace, proposal).judge(line)
    if judged.problem:
        raise UsageFailure(f"this adoption would count for nothing: it {judged.problem}", judged.step)
    workspace.ledger().append(ADOPTIONS, [Entry(adoption.tree, line.text)])
    return SignedAdoption(adoption, judged.principal, judged.sha256)


def list_adoptions(workspace: Workspace, rev: str, base: str) -> Iterator[ListedAdoption]:
    """What is kept about the tree of a revision: adoptions with what they count for, then requests."""
    proposal = workspace.proposals.of_revision(rev, base)
    valid: list[Adoption] = []
    for judged in adoptions_of(workspace, proposal).judged():
        if judged.adoption is not None:
            state = f"counts for nothing: it {judged.problem}" if judged.problem else f"adopted by {judged.principal}"
            valid += [] if judged.problem else [judged.adoption]
            yield ListedAdoption("adoption", judged.adoption, state)
    for asked in _requests(workspace.lines_of(REQUESTS, proposal.tip.tree)):
        yield ListedAdoption("request", asked, _state(asked, valid, proposal))


def list_requests(workspace: Workspace) -> Iterator[ListedAdoption]:
    """Every request that is known here, oldest first; what became of it shows when its revision is asked for."""
    found = [asked for note in workspace.evidence().read_all(REQUESTS) for asked in _requests(note.lines)]
    for asked in sorted(found, key=lambda one: one.made_at):
        yield ListedAdoption("request", asked, "filed")


def _state(asked: Adoption, valid: list[Adoption], proposal: Proposal) -> str:
    if asked.base_tree != proposal.base_tree:
        return "is over a change from another base"
    paths = {path for one in valid for path in one.paths}
    tests = {test for one in valid for test in one.tests}
    return "adopted" if paths.issuperset(asked.paths) and tests.issuperset(asked.tests) else "open"


def _requests(lines: Iterable[Line]) -> Iterator[Adoption]:
    for line in lines:
        statement = read_adoption(line.envelope, REQUEST)
        if isinstance(statement, AdoptionStatement):
            yield statement.adoption


def _adoption(workspace: Workspace, wanted: Wanted, proposal: Proposal) -> Adoption | None:
    """What stands to be adopted; UsageFailure for a path that the proposal leaves alone and no finding names."""
    environ = workspace.environ if proposal.tip.oid == STAGED else None
    blocking = [finding for finding in judge(workspace, proposal, environ).findings if is_adoptable(finding)]
    named = bool(wanted.paths or wanted.tests)
    paths = wanted.paths if named else tuple(dict.fromkeys(finding.path for finding in blocking if finding.path))
    known = {finding.path for finding in blocking}
    if set(paths) - known:
        known |= {row.path for row in tree_changes(workspace.room, proposal.base_tree, proposal.tip.tree)}
    for path in paths:
        if path not in known:
            step = "name a file as the findings do, from the top of the tree"
            raise UsageFailure(f"{path!r} is changed by nothing in this proposal", step)
    for test in wanted.tests:
        if "::" not in test:
            raise UsageFailure(f"{test!r} is no test", "write it as path::name")
    if not paths and not wanted.tests:
        return None
    return Adoption(
        tree=proposal.tip.tree,
        base_tree=proposal.base_tree,
        commit="" if proposal.tip.oid == STAGED else proposal.tip.oid,
        paths=tuple(sorted(set(paths))),
        tests=tuple(sorted(set(wanted.tests))),
        needs=tuple(dict.fromkeys(need_of(finding) for finding in blocking if not named or finding.path in paths)),
        reason=wanted.reason,
        made_at=wanted.now,
    )
