"""What a runner says about a proposal: the record of the run, the credit it scored, and a freeze somebody filed.

Each is what stands in a file or in a line of evidence. The default of every field is the strictest: losing one never
helps. `problem` says why a file could not be read, and completes "the file …"; everything else is at its default then.
"""

from __future__ import annotations

from agentgate_git.model.code import next_step
from agentgate_git.model.record import Record

SEALED = "sealed"

EMPTY = "empty"
TESTS_ONLY = "tests-only"
PRODUCTION = "production"
DOCS_ONLY = "docs-only"
CHANGES = (EMPTY, TESTS_ONLY, PRODUCTION, DOCS_ONLY)


class RunRecord(Record):
    """The run of one proposal: who wrote the patch, who ran it, and in which order things became known.

    `digest_status` is SEALED once all inputs were; `logs_present` and `logs_after_seal` are None when nothing was said.
    `failed_tests` are node ids; None when the record does not tell, and an id is empty when it cannot be read.
    `proposal_id`, `patch_path` and `log_visibility` are for readers and decide nothing.
    """

    author_job: str = ""
    runner_job: str = ""
    digest_status: str = ""
    logs_present: bool | None = None
    logs_after_seal: bool | None = None
    failed_tests: tuple[str, ...] | None = None
    proposal_id: str = ""
    patch_path: str = ""
    log_visibility: str = ""
    problem: str = ""


class Credit(Record):
    """What the changed symbols earned: `credited` and `missing` are symbols, `test_ids` the cases that earned it.

    `digest` names the sealed inputs that the cases ran on. `tautologies` are cases that cannot fail and earned nothing.
    `missing` and `tautologies` are None when nothing was said about them. `is_pass` is the runner's own conclusion.
    """

    credit_id: str = ""
    digest: str = ""
    credited: tuple[str, ...] = ()
    test_ids: tuple[str, ...] = ()
    missing: tuple[str, ...] | None = None
    tautologies: tuple[str, ...] | None = None
    is_pass: bool = False
    problem: str = ""


class Freeze(Record):
    """A dated leave for the failing test `test_id`, for the run that `runner_digest` and `credit_id` name.

    `author_job` filed it, `runner_job` made that run; `expires_at` is RFC 3339 with a zone. `freeze_id` is a name only.
    """

    author_job: str = ""
    runner_job: str = ""
    runner_digest: str = ""
    credit_id: str = ""
    test_id: str = ""
    expires_at: str = ""
    freeze_id: str = ""
    problem: str = ""


class RunDecision(Record):
    """`code` is ALLOW or exactly one code; `reason` says in one clause what was seen, empty where nothing was.

    `step` is what to do about it here, empty where the code's own next step says it.
    """

    code: str
    reason: str = ""
    step: str = ""

    def next_step(self) -> str:
        """What to do now."""
        return self.step or next_step(self.code)
