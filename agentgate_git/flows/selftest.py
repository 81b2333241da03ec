"""`selftest`: does this installation decide as it must? The expected codes that it brings along are replayed."""

from __future__ import annotations

from agentgate_git.flows.shipped import EXPECTED_CODES
from agentgate_git.model.expected_code import ExpectedCode, SelftestResult
from agentgate_git.model.failure import Undecided
from agentgate_git.model.instant import instant_of
from agentgate_git.policy.runs.merge_rule import RunFacts, decide_run
from agentgate_git.wire.canonical import Malformed
from agentgate_git.wire.expected_codes import read_expected_codes
from agentgate_git.wire.run_files import read_credit, read_freeze, read_run_record


def selftest(corpus: str = EXPECTED_CODES) -> SelftestResult:
    """Replay every row of a corpus; Undecided when it cannot be read or has no rows, since then nothing was tested."""
    try:
        with open(corpus, "rb") as file:
            rows = read_expected_codes(file.read())
    except (OSError, Malformed) as error:
        raise Undecided(f"{corpus} cannot be used ({error})", "install agentgate-git again") from error
    if not rows:
        raise Undecided(f"{corpus} holds no expected code", "install agentgate-git again")
    actual = [(row.id, row.code, _decide(row)) for row in rows]
    return SelftestResult(len(rows), tuple(row for row in actual if row[1] != row[2]))


def _decide(row: ExpectedCode) -> str:
    facts = RunFacts(
        record=read_run_record(row.record),
        credit=None if row.credit is None else read_credit(row.credit),
        freeze=None if row.freeze is None else read_freeze(row.freeze),
        now=instant_of(row.now) or 0,
        change=row.change,
    )
    return decide_run(facts).code
