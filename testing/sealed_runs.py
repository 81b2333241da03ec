"""What a sealed run leaves behind: a seal, a credit and a log that cite it, a freeze; and runs in a ledger."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from agentgate_git.model.evidence import CREDITS, FREEZES, LOGS, PACKETS, SEALS, Entry
from agentgate_git.model.run_evidence import FiledFreeze, Probe, RunLogs, ScoredCredit, Seal, SealedInput
from agentgate_git.model.run_record import Credit, Freeze
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.packet_statement import packet_payload
from agentgate_git.wire.run_statements import (
    credit_payload,
    freeze_payload,
    inputs_sha256,
    log_tail,
    logs_payload,
    seal_payload,
)
from agentgate_git.wire.statement import unsigned
from testing.records import SOME_SHA256, SOME_TREE, open_ledger, some_packet
from testing.repo_builder import RepoBuilder

SOME_INPUTS = (SealedInput("tests/data/clock.json", 12, "a" * 64), SealedInput("tests/data/orders.json", 0, "b" * 64))
BASE_TREE = "b" * 40


def some_seal(**changes: Any) -> Seal:
    """The seal of a run by server-job-88 of what model-session-17 wrote."""
    return Seal(
        tree=SOME_TREE,
        base_tree=BASE_TREE,
        commit="c" * 40,
        proposal_id="p-014",
        author_job="model-session-17",
        runner_job="server-job-88",
        inputs=SOME_INPUTS,
        input_count=2,
        inputs_sha256=inputs_sha256(SOME_INPUTS),
        pins=(("tz", "UTC"),),
        manifest_sha256="",
        sealed_at="2026-10-12T10:00:00Z",
    )._replace(**changes)


def some_credit(seal_sha256: str = SOME_SHA256, **changes: Any) -> ScoredCredit:
    """A credit that passes, for the run of a seal's line."""
    credit = Credit(
        credit_id="credit-014",
        digest=seal_sha256,
        credited=("pricing.tax_cents",),
        test_ids=("tests/test_tax.py::test_bounds",),
        missing=(),
        tautologies=(),
        is_pass=True,
    )
    made = ScoredCredit(SOME_TREE, BASE_TREE, "", "server-job-88", credit, "2026-10-12T10:05:00Z")
    return made._replace(**changes)


def some_logs(seal_sha256: str = SOME_SHA256, log: bytes = b"1 passed\n", **changes: Any) -> RunLogs:
    """What the tests of that run printed."""
    made = RunLogs(
        tree=SOME_TREE,
        base_tree=BASE_TREE,
        commit="",
        runner_job="server-job-88",
        seal_sha256=seal_sha256,
        log_sha256=sha256(log).hexdigest(),
        size=len(log),
        tail=log_tail(log, len(log)),
        published_at="2026-10-12T10:06:00Z",
    )
    return made._replace(**changes)


def some_freeze(seal_sha256: str = SOME_SHA256, **changes: Any) -> FiledFreeze:
    """A freeze of one flaky test in that run, filed by a reviewer."""
    freeze = Freeze(
        author_job="reviewer-job-2",
        runner_job="server-job-88",
        runner_digest=seal_sha256,
        credit_id="credit-014",
        test_id="tests/test_report.py::test_timezone",
        expires_at="2026-10-19T00:00:00+00:00",
        freeze_id="fz-014",
    )
    return FiledFreeze(SOME_TREE, BASE_TREE, "", freeze, "known flake", "2026-10-12T11:00:00Z")._replace(**changes)


def unsigned_text(payload: bytes) -> bytes:
    """The line of a statement that nobody signed."""
    return encode_envelope(unsigned(payload))


def trees_of(repo: RepoBuilder) -> dict[str, str]:
    """What the records of HEAD are about."""
    return {"tree": repo.tree(), "base_tree": repo.tree("main"), "commit": repo.git("rev-parse", "HEAD")}


def store_run(
    repo: RepoBuilder, sign: Callable[[bytes], bytes] = unsigned_text, probes: tuple[Probe, ...] = (), **credit: Any
) -> str:
    """Keep a sealed run of HEAD with its credit, each line as `sign` makes it; the name of the seal's line."""
    about = trees_of(repo)
    seal = sign(seal_payload(some_seal(**about)))
    name = sha256(seal).hexdigest()
    scored = some_credit(name, **about, probes=probes)
    scored = scored._replace(credit=scored.credit._replace(**credit))
    with open_ledger(repo) as ledger:
        ledger.append(SEALS, [Entry(about["tree"], seal)])
        ledger.append(CREDITS, [Entry(about["tree"], sign(credit_payload(scored)))])
    return name


def store_run_packet(
    repo: RepoBuilder, seal: str, sign: Callable[[bytes], bytes] = unsigned_text, **changes: Any
) -> None:
    """Keep a packet of HEAD that cites a seal's line."""
    packet = some_packet(**{**trees_of(repo), "seal_sha256": seal, **changes})
    with open_ledger(repo) as ledger:
        ledger.append(PACKETS, [Entry(repo.tree(), sign(packet_payload(packet)))])


def store_freeze(repo: RepoBuilder, freeze: FiledFreeze, sign: Callable[[bytes], bytes] = unsigned_text) -> None:
    """Keep a freeze under the tree of HEAD."""
    with open_ledger(repo) as ledger:
        ledger.append(FREEZES, [Entry(repo.tree(), sign(freeze_payload(freeze)))])


def store_logs(repo: RepoBuilder, logs: RunLogs, sign: Callable[[bytes], bytes] = unsigned_text) -> None:
    """Keep the log of a run under the tree of HEAD."""
    with open_ledger(repo) as ledger:
        ledger.append(LOGS, [Entry(repo.tree(), sign(logs_payload(logs)))])
