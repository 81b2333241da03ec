"""What a sealed run leaves behind: a seal, a credit that cites it, a freeze that cites both; and runs in a ledger."""

from __future__ import annotations

from typing import Any

from agentgate_git.model.run_evidence import FiledFreeze, ScoredCredit, Seal, SealedInput
from agentgate_git.model.run_record import Credit, Freeze
from agentgate_git.wire.run_statements import inputs_sha256
from testing.records import SOME_SHA256, SOME_TREE

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
