"""Results for a person at a terminal: one line a fact, the code first, the next step last."""

from __future__ import annotations

from agentgate_git.model.actor import AGENT, Classification
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.packet import CaptureResult
from agentgate_git.model.setup import SetupRow
from agentgate_git.model.shown import LogRow, ShownLine
from agentgate_git.model.verdict import BaseComparison, CheckResult, EvidenceRef, FileDrift, VerifyResult
from agentgate_git.render.place import place_text
from agentgate_git.render.printable import printable

_SHOWN_IDS = 10


def check_text(result: CheckResult) -> str:
    """What `check` found, blocking findings first."""
    lines = [_finding(finding) for finding in sorted(result.findings, key=lambda f: f.severity != BLOCK)]
    lines += [f"note: {note}" for note in result.notes]
    lines.append(_summary(result))
    return "\n".join(lines) + "\n"


def authors_text(commits: tuple[Classification, ...]) -> str:
    """Who each commit counts as, by which rule, and what else was seen on it."""
    lines = []
    for commit in commits:
        lines.append(f"{commit.commit[:12]} {commit.actor} {commit.rule}: {printable(commit.detail)}")
        for reason in commit.reasons:
            who = f" ({reason.who})" if reason.who else ""
            lines.append(f"    {reason.rule} {reason.place} {printable(reason.seen + who)}")
    return "".join(line + "\n" for line in lines)


def verify_text(results: tuple[VerifyResult, ...]) -> str:
    """What `verify` answers; the first word of each block is the decision."""
    return "\n".join(_result(result) for result in results)


def setup_text(rows: tuple[SetupRow, ...]) -> str:
    """What `install`, `uninstall` and `doctor` have to say, a line a fact."""
    if not rows:
        return "nothing to do\n"
    return "".join(f"{row.state}: {printable(row.message)}\n{_step(row.next_step)}" for row in rows)


def capture_text(result: CaptureResult) -> str:
    """What a capture came to."""
    packet = result.packet
    counts = ", ".join(f"{count} {outcome}" for outcome, count in packet.outcomes) or "no tests"
    counts += f", {packet.deselected_count} deselected" if packet.deselected_count else ""
    verdict = "passed" if packet.is_pass() else "is no pass"
    kept = "recorded, UNSIGNED" if result.is_recorded else "NOT recorded"
    lines = [f"run of tree {packet.tree[:12]} {verdict}: {counts}; {kept}"]
    lines += [_finding(finding) for finding in result.findings]
    lines += [f"note: {printable(note)}" for note in result.notes]
    return "\n".join(lines) + "\n"


def shown_text(lines: tuple[ShownLine, ...]) -> str:
    """What `show` found, a line a record."""
    return "".join(_shown(line) + "\n" for line in lines)


def log_text(rows: tuple[LogRow, ...]) -> str:
    """What `log` found, a line a commit."""
    return "".join(_log_row(row) + "\n" for row in rows)


def _shown(line: ShownLine) -> str:
    if not line.sha256:
        return f"{line.kind}: {printable(line.summary)}"
    signed = f"signature of {printable(line.signed_by)}" if line.signed_by else "UNSIGNED"
    return f"{line.kind} {line.sha256[:12]} ({signed}): {printable(line.summary)}"


def _log_row(row: LogRow) -> str:
    packets = f"{row.passing} of {row.packets} packets pass" if row.packets else "no packet"
    verdicts = f", {row.verdicts} verdicts" if row.verdicts else ""
    bad = f", {row.bad_lines} lines are no records" if row.bad_lines else ""
    return f"{row.commit[:12]} {row.tree[:12]} {packets}{verdicts}{bad}  {printable(row.subject)}"


def _step(next_step: str) -> str:
    return f"    next: {printable(next_step)}\n" if next_step else ""


def _summary(result: CheckResult) -> str:
    blocking = sum(finding.is_blocking() for finding in result.findings)
    agents = sum(commit.actor == AGENT for commit in result.commits)
    by = f"{len(result.commits)} commit(s), {agents} by agents" if result.commits else "no commits"
    if blocking:
        return f"refused: {blocking} blocking finding(s) in {by}"
    return f"nothing blocks ({len(result.findings)} other finding(s)) in {by}"


def _finding(finding: Finding) -> str:
    return (
        f"{finding.code} {finding.severity}{place_text(finding)}\n"
        f"    {printable(finding.message)}\n"
        f"    next: {printable(finding.next_step)}"
    )


def _result(result: VerifyResult) -> str:
    verdict = f" {result.verdict}" if result.verdict else ""
    lines = [f"{result.decision}{verdict} {printable(result.rev)} (tree {result.tree[:12]})"]
    lines.append(f"    {printable(result.message)}")
    if result.drifted:
        lines.append(f"    drifted: {', '.join(result.drifted)}")
    lines += [
        f"      {row.field}: {printable(row.recorded)} -> {printable(row.derived)}" for row in result.drift_detail
    ]
    for row in result.test_drift:
        lines += _file_drift(row)
    lines += [f"    evidence: {_evidence(line)}" for line in result.evidence]
    lines += [f"    {line}" for finding in result.findings for line in _finding(finding).split("\n")]
    lines += [f"    base: {printable(text)}" for text in _with_base(result.with_base)]
    lines += [f"    sealed run: {result.sealed_run}"] * bool(result.sealed_run)
    lines.append(f"    authors: {_authorship(result.authorship)}")
    if result.policy_note:
        lines.append(f"    policy: {printable(result.policy_note)}")
    if result.next_step:
        lines.append(f"    next: {printable(result.next_step)}")
    return "\n".join(lines) + "\n"


def _with_base(compared: BaseComparison) -> list[str]:
    lines = list(compared.notes)
    if compared.not_replayable:
        lines.append(f"not replayable, since tests stand beside code: {', '.join(compared.not_replayable)}")
    return [compared.replay, *lines] if compared.replay else lines


def _file_drift(row: FileDrift) -> list[str]:
    lines = [f"      {printable(row.path)}: {row.recorded_count} -> {row.derived_count} tests"]
    for sign, ids in (("+", row.added), ("-", row.removed)):
        lines += [f"        {sign} {printable(node_id)}" for node_id in ids[:_SHOWN_IDS]]
        if len(ids) > _SHOWN_IDS:
            lines.append(f"        {sign} and {len(ids) - _SHOWN_IDS} more")
    return lines


def _evidence(line: EvidenceRef) -> str:
    signed = f"signed by {printable(line.signed_by)}" if line.signed_by else "UNSIGNED"
    commit = f", commit {line.commit[:12]}" if line.commit else ""
    return f"{line.kind} {line.sha256[:12]} on tree {line.object[:12]}{commit}, {signed}"


def _authorship(commits: tuple[Classification, ...]) -> str:
    counts: dict[str, int] = {}
    for commit in commits:
        key = f"{commit.actor} ({commit.rule})"
        counts[key] = counts.get(key, 0) + 1
    return ", ".join(f"{count} {key}" for key, count in sorted(counts.items())) or "none"
