"""The merge rule over what a runner says: one ordered list of checks, and the first that answers decides.

ALLOW means that a human review may begin. Who wrote and who ran is asked before all else: a self-graded run voids
everything in it. Monotonic: losing a record, a field or a file only makes the answer stricter, as long as the record
names the tests that failed. A freeze gives leave and never stands against a change: where the record says that no
test failed, it is not read, or taking a bad one away would help.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agentgate_git.model import code
from agentgate_git.model.finding import some_of
from agentgate_git.model.instant import instant_of
from agentgate_git.model.record import Record
from agentgate_git.model.role import DOCS, HARNESS, TEST
from agentgate_git.model.run_record import (
    DOCS_ONLY,
    EMPTY,
    PRODUCTION,
    SEALED,
    TESTS_ONLY,
    Credit,
    Freeze,
    RunDecision,
    RunRecord,
)
from agentgate_git.policy.runs.job_identity import identity

_NAMED = 3
_REPAIR_OR_FREEZE = "repair the defect, or have a freeze filed (`git agentgate freeze`) for a test that may fail now"


class RunFacts(Record):
    """What is known when a run is decided: `now` is an instant (model/instant.py), `change` one of CHANGES.

    `credit` is None when no property was run at all, `freeze` when nobody filed one.
    """

    record: RunRecord
    credit: Credit | None
    freeze: Freeze | None
    now: int
    change: str = PRODUCTION


def decide_run(facts: RunFacts) -> RunDecision:
    """The answer to all facts together."""
    answers = (check(facts) for check in CHECKS)
    return next((answer for answer in answers if answer is not None), RunDecision(code.ALLOW))


def change_of(roles: Iterable[str]) -> str:
    """The class of a change set by the roles of its paths (model/role.py); what is no test or prose is production."""
    found = set(roles)
    if not found:
        return EMPTY
    if found <= {DOCS}:
        return DOCS_ONLY
    return TESTS_ONLY if found <= {DOCS, TEST, HARNESS} else PRODUCTION


def credit_problem(credit: Credit) -> str:
    """Why a credit is none, completing "the credit …"; empty when it is one.

    The runner's own conclusion is one condition among others.
    """
    if credit.problem:
        return credit.problem
    if credit.missing is None or credit.tautologies is None:
        return f"has no list of {'missing symbols' if credit.missing is None else 'tautologies'}"
    if credit.missing:
        return f"names symbols without any: {', '.join(credit.missing)}"
    if not credit.credited or not credit.test_ids:
        return f"names no {'test' if credit.credited else 'symbol'} that earned it"
    if empty := sorted(set(credit.test_ids) & set(credit.tautologies)):
        return f"rests on a test that cannot fail: {', '.join(empty)}"
    if not credit.digest or not credit.credit_id:
        return f"has no {'credit_id' if credit.digest else 'digest'}"
    return "" if credit.is_pass else "does not say that it passed"


_Answer = RunDecision | None


def _job_missing(facts: RunFacts) -> _Answer:
    record = facts.record
    if record.problem:
        return RunDecision(code.JOB_MISSING, f"the record {record.problem}")
    jobs = (("author_job", record.author_job), ("runner_job", record.runner_job))
    missing = [name for name, job in jobs if not identity(job)]
    return RunDecision(code.JOB_MISSING, f"the record has no {' and no '.join(missing)}") if missing else None


def _shared_job(facts: RunFacts) -> _Answer:
    record = facts.record
    if identity(record.author_job) != identity(record.runner_job):
        return None
    return RunDecision(code.SHARED_JOB, f"author and runner are both {record.author_job!r}")


def _empty_diff(facts: RunFacts) -> _Answer:
    return RunDecision(code.EMPTY_DIFF, "the change set is empty") if facts.change == EMPTY else None


def _tests_only(facts: RunFacts) -> _Answer:
    if facts.change != TESTS_ONLY:
        return None
    return RunDecision(code.TESTS_ONLY, "only test files change, so no production symbol can earn credit")


def _no_claim(facts: RunFacts) -> _Answer:
    """Prose claims nothing that a run could show; the gate judges it all the same."""
    return RunDecision(code.ALLOW) if facts.change == DOCS_ONLY else None


def _no_property_run(facts: RunFacts) -> _Answer:
    return RunDecision(code.CREDIT_MISSING, "no property was run") if facts.credit is None else None


def _digest_open(facts: RunFacts) -> _Answer:
    status = facts.record.digest_status
    if status == SEALED:
        return None
    return RunDecision(
        code.DIGEST_OPEN, f"digest_status is {status!r}" if status else "the record has no digest_status"
    )


def _logs_early(facts: RunFacts) -> _Answer:
    record = facts.record
    if record.logs_present is False or record.logs_after_seal is True:
        return None
    return RunDecision(
        code.LOGS_EARLY, "the record says neither that there are no logs nor that they came after the seal"
    )


def _credit_missing(facts: RunFacts) -> _Answer:
    problem = credit_problem(facts.credit or Credit())
    return RunDecision(code.CREDIT_MISSING, f"the credit {problem}") if problem else None


def _freeze_of(facts: RunFacts) -> Freeze | None:
    """The freeze, where one is needed or nobody said what failed."""
    return None if facts.record.failed_tests == () else facts.freeze


def _freeze_shares_job(facts: RunFacts) -> _Answer:
    freeze, record = _freeze_of(facts), facts.record
    author = identity(freeze.author_job) if freeze else ""
    if (
        not freeze
        or author not in map(identity, (freeze.runner_job, record.runner_job, record.author_job))
        or not author
    ):
        return None
    return RunDecision(code.SHARED_JOB, f"the freeze was filed by {freeze.author_job!r}, who wrote or ran the patch")


def _freeze_unbound(facts: RunFacts) -> _Answer:
    freeze, credit = _freeze_of(facts), facts.credit or Credit()
    if freeze is None:
        return None
    if freeze.problem:
        return RunDecision(code.FREEZE_UNBOUND, f"the freeze {freeze.problem}")
    if not identity(freeze.author_job) or not freeze.test_id.strip():
        return RunDecision(code.FREEZE_UNBOUND, "the freeze does not say who filed it and for which test")
    pairs = (
        ("runner_job", freeze.runner_job, facts.record.runner_job),
        ("runner_digest", freeze.runner_digest, credit.digest),
        ("credit_id", freeze.credit_id, credit.credit_id),
    )
    for name, cited, actual in pairs:
        if cited != actual:
            return RunDecision(code.FREEZE_UNBOUND, f"the freeze has {name} {cited!r}, and the run has {actual!r}")
    return None


def _freeze_covers_credit(facts: RunFacts) -> _Answer:
    freeze, credit = _freeze_of(facts), facts.credit or Credit()
    if freeze is None or freeze.test_id.strip() not in {test.strip() for test in credit.test_ids}:
        return None
    return RunDecision(code.FREEZE_COVERS_CREDIT, f"the freeze is for {freeze.test_id}, which earned the credit")


def _freeze_expired(facts: RunFacts) -> _Answer:
    freeze = _freeze_of(facts)
    if freeze is None:
        return None
    expiry = instant_of(freeze.expires_at)
    if expiry is None:
        return RunDecision(code.FREEZE_EXPIRED, f"expires_at {freeze.expires_at!r} is no time with a zone")
    if expiry <= facts.now:
        return RunDecision(code.FREEZE_EXPIRED, f"the freeze ended at {freeze.expires_at}")
    return None


def _tests_failed(facts: RunFacts) -> _Answer:
    leave = {facts.freeze.test_id} if facts.freeze else set()
    failed = [test for test in facts.record.failed_tests or () if not test or test not in leave]
    if not failed:
        return None
    named = some_of([test or "a test without a name" for test in failed], _NAMED)
    reason = f"{len(failed)} test(s) failed that no freeze covers: {named}"
    return RunDecision(code.TESTS_FAILED, reason, _REPAIR_OR_FREEZE)


CHECKS: tuple[Callable[[RunFacts], _Answer], ...] = (
    _job_missing,
    _shared_job,
    _empty_diff,
    _tests_only,
    _no_claim,
    _no_property_run,
    _digest_open,
    _logs_early,
    _credit_missing,
    _freeze_shares_job,
    _freeze_unbound,
    _freeze_covers_credit,
    _freeze_expired,
    _tests_failed,
)
