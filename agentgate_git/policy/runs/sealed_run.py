"""The merge rule over lines of evidence: who must have signed a run, and a freeze of its own for each failed test."""

from __future__ import annotations

from agentgate_git.model import code
from agentgate_git.model.record import Record
from agentgate_git.model.run_record import DOCS_ONLY, Freeze, RunDecision
from agentgate_git.policy.decide import RUN_CODES
from agentgate_git.policy.received_notes import ANYONE, may_write
from agentgate_git.policy.runs.merge_rule import RunFacts, decide_run

_NO_NAME = ("",)


class RunSigning(Record):
    """Who stands behind a run; the default of every field is the strictest.

    `lines` has, for each line of the run, the principals that the base enrols and whose signature on it is good.
    `authors` signed a commit of the proposal; `writers` say who may write such lines, as `writers_of` does.
    """

    lines: tuple[tuple[str, ...], ...] = ()
    authors: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()


def run_signing_problem(facts: RunSigning) -> RunDecision | None:
    """What stands against a run by its signatures; None when one runner, who is no author, signed every line."""
    common = set(facts.lines[0]).intersection(*facts.lines[1:]) if facts.lines else set()
    runners = sorted(one for one in common if ANYONE in facts.writers or may_write(one, facts.writers))
    if not runners:
        writers = " or ".join(facts.writers) or "nobody"
        return RunDecision(code.NOTE_UNTRUSTED, f"no enrolled {writers} signed every line of the run")
    if not set(runners) - set(facts.authors):
        return RunDecision(code.SHARED_JOB, f"{', '.join(runners)} signed both the run and the patch")
    return None


def decide_sealed(facts: RunFacts, freezes: tuple[Freeze, ...], run_codes: tuple[str, ...]) -> RunDecision:
    """The answer for one run; `facts.freeze` is not looked at, `freezes` are those whose signatures count.

    `run_codes` say why the run came to no end that can be believed, empty for one that did. A test that failed needs
    one freeze that holds; freezes that do not hold take nothing away from it.
    """
    failed = _NO_NAME if facts.record.failed_tests is None else facts.record.failed_tests
    answer = _decide_test(facts, (), None)
    if answer.code != code.ALLOW or facts.change == DOCS_ONLY:
        return answer
    if run_codes:
        first = min(run_codes, key=lambda one: RUN_CODES.index(one) if one in RUN_CODES else len(RUN_CODES))
        step = "see `git agentgate logs`, repair what it shows, and have it run again under another runner job"
        return RunDecision(first, f"the packet of the run is no pass: {', '.join(run_codes)}", step)
    refused: dict[str, RunDecision] = {}
    for test in dict.fromkeys(failed):
        own = [freeze for freeze in freezes if freeze.test_id == test]
        answers = [_decide_test(facts, (test,), freeze) for freeze in own] or [_decide_test(facts, (test,), None)]
        if all(one.code != code.ALLOW for one in answers):
            refused[test] = answers[0]
    if not refused:
        return RunDecision(code.ALLOW)
    answer = next(iter(refused.values()))
    uncovered = tuple(test for test, one in refused.items() if one.code == code.TESTS_FAILED)
    return _decide_test(facts, uncovered, None) if answer.code == code.TESTS_FAILED else answer


def _decide_test(facts: RunFacts, failed: tuple[str, ...], freeze: Freeze | None) -> RunDecision:
    return decide_run(facts._replace(record=facts.record._replace(failed_tests=failed), freeze=freeze))
