"""`show` and `log`: what is remembered about trees. git itself displays no notes on trees."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.flows.packets.stored import packets_of
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.adoption import Adoption
from agentgate_git.model.commit import Commit
from agentgate_git.model.evidence import (
    ADOPTIONS,
    CREDITS,
    FREEZES,
    KINDS,
    LOGS,
    PACKETS,
    REQUESTS,
    SEALS,
    VERDICTS,
    Line,
)
from agentgate_git.model.packet import Packet
from agentgate_git.model.run_record import Credit
from agentgate_git.model.shown import LogRow, ShownLine
from agentgate_git.repo.commits import first_parents
from agentgate_git.repo.refs import resolve_commit, resolve_tree
from agentgate_git.wire.adoption_statement import ADOPTION, REQUEST, AdoptionStatement, read_adoption
from agentgate_git.wire.packet_statement import PacketStatement, read_packet
from agentgate_git.wire.run_statements import (
    CreditStatement,
    FreezeStatement,
    LogsStatement,
    SealStatement,
    read_filed_freeze,
    read_run_logs,
    read_scored_credit,
    read_seal,
)
from agentgate_git.wire.statement import Statement, read_statement
from agentgate_git.wire.verdict_statement import VerdictStatement, read_verdict


def show(workspace: Workspace, rev: str) -> Iterator[ShownLine]:
    """Every line kept under the tree of a revision, kind by kind."""
    tree = resolve_tree(workspace.clone, rev)
    evidence = workspace.evidence()
    for kind in KINDS:
        note = evidence.read(kind, (tree,)).get(tree)
        if note is None:
            continue
        for line in note.lines:
            yield ShownLine(kind, line.sha256, _signers(line), _summary(kind, line), line.text)
        for bad in note.bad_lines:
            yield ShownLine(kind, "", "", f"line {bad.number} is no record: {bad.reason}", b"")


def log(workspace: Workspace, rev: str, limit: int) -> Iterator[LogRow]:
    """Commits back along first parents, newest first, with what is known of their trees."""
    tip = resolve_commit(workspace.clone, rev)
    yield from log_rows(workspace, first_parents(workspace.room, workspace.objects, tip, limit))


def log_range(workspace: Workspace, start: str, end: str) -> Iterator[LogRow]:
    """The commits of `start..end`, newest first."""
    yield from log_rows(workspace, workspace.proposals.of_range(start, end).commits[::-1])


def log_rows(workspace: Workspace, commits: tuple[Commit, ...]) -> Iterator[LogRow]:
    """One row a commit; the notes of all of them are read at once."""
    evidence = workspace.evidence()
    trees = {commit.tree for commit in commits}
    packets, verdicts = evidence.read(PACKETS, trees), evidence.read(VERDICTS, trees)
    for commit in commits:
        found = packets_of(packets.get(commit.tree)).packets
        note = packets.get(commit.tree)
        yield LogRow(
            commit.oid,
            commit.tree,
            commit.message.partition("\n")[0],
            len(found),
            sum(stored.packet.is_pass() for stored in found),
            len(note.bad_lines) if note else 0,
            len(verdicts[commit.tree].lines) if commit.tree in verdicts else 0,
        )


def _summary(kind: str, line: Line) -> str:
    if kind == PACKETS and isinstance(packet := read_packet(line.envelope), PacketStatement):
        return _packet(packet.packet)
    if kind == VERDICTS and isinstance(verdict := read_verdict(line.envelope), VerdictStatement):
        verified = verdict.verification
        answer = f"{verified.result.decision} {verified.result.verdict}".rstrip()
        return f"{answer}, verified {verified.verified_at} by {verified.verifier}"
    if kind == SEALS and isinstance(sealed := read_seal(line.envelope), SealStatement):
        seal = sealed.seal
        return f"{seal.input_count} inputs sealed {seal.sealed_at} by {seal.runner_job}, author job {seal.author_job}"
    if kind == CREDITS and isinstance(scored := read_scored_credit(line.envelope), CreditStatement):
        return _credit(scored.credit.credit)
    if kind == LOGS and isinstance(published := read_run_logs(line.envelope), LogsStatement):
        logs = published.logs
        by = f"published {logs.published_at} by {logs.runner_job}"
        return f"log of {logs.size} bytes, {by}, seal {logs.seal_sha256[:12]}"
    if kind == FREEZES and isinstance(filed := read_filed_freeze(line.envelope), FreezeStatement):
        freeze = filed.freeze.freeze
        return f"{freeze.test_id} until {freeze.expires_at}, by {freeze.author_job}, seal {freeze.runner_digest[:12]}"
    predicate_type = {ADOPTIONS: ADOPTION, REQUESTS: REQUEST}.get(kind, "")
    if predicate_type and isinstance(made := read_adoption(line.envelope, predicate_type), AdoptionStatement):
        return _adoption(made.adoption)
    statement = read_statement(line.envelope)
    return statement.predicate_type if isinstance(statement, Statement) else f"it {statement.reason}"


def _credit(credit: Credit) -> str:
    missing = f", missing {', '.join(credit.missing)}" if credit.missing else ""
    return (
        f"credit {credit.credit_id} for {', '.join(credit.credited) or 'nothing'}{missing}, seal {credit.digest[:12]}"
    )


def _adoption(adoption: Adoption) -> str:
    reason = f": {adoption.reason}" if adoption.reason else ""
    what = ", ".join((*adoption.paths, *adoption.tests))
    return f"{what} over tree {adoption.base_tree[:12]}, {adoption.made_at}{reason}"


def _packet(packet: Packet) -> str:
    counts = ", ".join(f"{count} {outcome}" for outcome, count in packet.outcomes) or "no tests"
    verdict = "passed" if packet.is_pass() else f"no pass ({', '.join(packet.codes)})"
    job = f", author job {packet.author_job}" if packet.author_job else ""
    return f"{verdict}: {counts}; {packet.interpreter}, {packet.isolation}, {packet.finished_at}{job}"


def _signers(line: Line) -> str:
    return ", ".join(signature.keyid or "unnamed key" for signature in line.envelope.signatures)
