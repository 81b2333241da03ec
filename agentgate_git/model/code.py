"""Every code the tool can answer, never renamed: what it means and what to do next.

A reader that does not know a code treats it as a reject.
"""

from __future__ import annotations

from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_NO_EVIDENCE, EXIT_REJECTED, EXIT_STALE, EXIT_UNDECIDED
from agentgate_git.model.record import Record

ALLOW = "ALLOW"

GUARDED_PATH = "E_GUARDED_PATH"
PIN_DROPPED = "E_PIN_DROPPED"
PIN_CHANGED = "E_PIN_CHANGED"
MANIFEST_INVALID = "E_MANIFEST_INVALID"
SKIP_MARKER = "E_SKIP_MARKER"
ASSERT_WEAKENED = "E_ASSERT_WEAKENED"
TEST_REMOVED = "E_TEST_REMOVED"
HARNESS_TAMPERED = "E_HARNESS_TAMPERED"
ENTROPY_SILENCED = "E_ENTROPY_SILENCED"
SPECIAL_CASED = "E_SPECIAL_CASED"
GATE_CONFIG = "E_GATE_CONFIG"
CHECK_SILENCED = "E_CHECK_SILENCED"
NOT_JUDGED = "E_NOT_JUDGED"
BASE_MISSING = "E_BASE_MISSING"
SUBJECT_MISMATCH = "E_SUBJECT_MISMATCH"
NOTE_MALFORMED = "E_NOTE_MALFORMED"
NOTE_LOST = "E_NOTE_LOST"
NOTE_UNTRUSTED = "E_NOTE_UNTRUSTED"
REF_GUARDED = "E_REF_GUARDED"
FOREIGN_IMPORT = "E_FOREIGN_IMPORT"
SELECTION_DRIFT = "E_SELECTION_DRIFT"
UNSTABLE_IDS = "E_UNSTABLE_IDS"
RUN_INCOMPLETE = "E_RUN_INCOMPLETE"
TESTS_FAILED = "E_TESTS_FAILED"
NOT_REPRODUCED = "E_NOT_REPRODUCED"
TEST_SILENCED = "E_TEST_SILENCED"
BASE_TESTS_FAIL = "E_BASE_TESTS_FAIL"
JOB_MISSING = "E_JOB_MISSING"
SHARED_JOB = "E_SHARED_JOB"
EMPTY_DIFF = "E_EMPTY_DIFF"
TESTS_ONLY = "E_TESTS_ONLY"
DIGEST_OPEN = "E_DIGEST_OPEN"
LOGS_EARLY = "E_LOGS_EARLY"
CREDIT_MISSING = "E_CREDIT_MISSING"
FREEZE_UNBOUND = "E_FREEZE_UNBOUND"
FREEZE_COVERS_CREDIT = "E_FREEZE_COVERS_CREDIT"
FREEZE_EXPIRED = "E_FREEZE_EXPIRED"
STALE = "E_STALE"
NO_EVIDENCE = "E_NO_EVIDENCE"
UNDECIDED = "E_UNDECIDED"


class CodeInfo(Record):
    """One row of the table: `title` completes "the change …" or "the run …"; `next_step` is imperative."""

    code: str
    title: str
    next_step: str


_ROWS = (
    CodeInfo(ALLOW, "nothing stands against it", "merge when the review is done"),
    CodeInfo(
        GUARDED_PATH,
        "agent work touches a path that decides what is judged",
        "take the path out of the commit, or ask a human to make this change in a commit of their own",
    ),
    CodeInfo(PIN_DROPPED, "a pin of the baseline is gone", "put the pin back with the baseline's value"),
    CodeInfo(PIN_CHANGED, "a pin of the baseline has another value", "put the baseline's value back"),
    CodeInfo(MANIFEST_INVALID, "a manifest cannot be read strictly", "repair the line that is named"),
    CodeInfo(SKIP_MARKER, "an existing test was kept from running", "take the marker out and repair the defect"),
    CodeInfo(
        ASSERT_WEAKENED,
        "an existing test asserts less than it did",
        "put the assertion back and repair the defect; when the expectation was wrong, say so and ask for adoption",
    ),
    CodeInfo(TEST_REMOVED, "an existing test is gone", "put it back, or say in the commit what made it pointless"),
    CodeInfo(
        HARNESS_TAMPERED,
        "something changes what a run of tests says, or ends it before it tells",
        "take it out and repair the defect",
    ),
    CodeInfo(
        ENTROPY_SILENCED,
        "what differs from run to run was frozen or taken out",
        "put it back and repair what depends on it; pin it in entropy.yaml where it must be fixed",
    ),
    CodeInfo(
        SPECIAL_CASED,
        "production answers the tests instead of the question",
        "take the special case out and repair the defect",
    ),
    CodeInfo(
        GATE_CONFIG,
        "a setting or a step that runs tests lost its force",
        "put the setting or the step back and repair the defect",
    ),
    CodeInfo(
        CHECK_SILENCED,
        "a linter, type checker or coverage tool was told to say nothing",
        "repair what it says; where it is wrong, name the one rule on the one line, and why",
    ),
    CodeInfo(NOT_JUDGED, "something that matters could not be read", "make it readable: valid text, syntax and size"),
    CodeInfo(BASE_MISSING, "the commit to compare with is not here", "run `git fetch --unshallow`, or give --base"),
    CodeInfo(SUBJECT_MISMATCH, "a record speaks of another tree than the one it is kept under", "capture again"),
    CodeInfo(NOTE_MALFORMED, "a line of a note is no record", "run `git agentgate doctor`"),
    CodeInfo(
        NOTE_LOST,
        "a push would take evidence away",
        "run `git agentgate sync`, which merges and pushes without taking anything away",
    ),
    CodeInfo(
        NOTE_UNTRUSTED,
        "a line of evidence is not signed by one who may write it there",
        "have it written and signed by an enrolled key; policy and keys are those of the target branch",
    ),
    CodeInfo(
        REF_GUARDED,
        "a push would delete, rewind or write a ref that judgements rest on",
        "leave that ref out of the push, or ask whoever runs the server",
    ),
    CodeInfo(
        FOREIGN_IMPORT,
        "the tests imported a copy of the code from outside the tree",
        "install the project editable (`pip install -e .`), or run `git agentgate capture <rev>`, "
        "with the policy's import_roots naming folders of packages other than src",
    ),
    CodeInfo(
        SELECTION_DRIFT,
        "tests were dropped after collection without being reported as deselected",
        "find the conftest or plugin that changes the list of items",
    ),
    CodeInfo(UNSTABLE_IDS, "test ids differ from one collection to the next", "give the parameters fixed ids"),
    CodeInfo(
        RUN_INCOMPLETE, "the run did not finish as a run that passed", "run the suite to its end and capture again"
    ),
    CodeInfo(TESTS_FAILED, "tests failed", "repair the defect and capture again"),
    CodeInfo(
        NOT_REPRODUCED,
        "the run passed again, but tests that passed for the packet did not",
        "find out what those tests depend on, and capture again",
    ),
    CodeInfo(
        TEST_SILENCED,
        "a test that ran at the base does not speak at the head",
        "let it run again, or run `git agentgate adopt --request --test ID` to ask a human to adopt that it does not",
    ),
    CodeInfo(
        BASE_TESTS_FAIL,
        "tests of the base fail on the code of the head",
        "repair the code until they pass, or run `git agentgate adopt --request --test ID` to ask a human to adopt it",
    ),
    CodeInfo(
        JOB_MISSING,
        "the record of a run does not say who wrote the patch and who ran it",
        "fill in author_job and runner_job, or have the runner write the record again",
    ),
    CodeInfo(SHARED_JOB, "one job graded its own work", "run it again in a job that had no part in the patch"),
    CodeInfo(EMPTY_DIFF, "there is no change to be judged", "propose a change, or close the proposal"),
    CodeInfo(
        TESTS_ONLY,
        "only test files change, so nothing can earn credit",
        "propose the tests with the code they are for, or have a human review them on their own",
    ),
    CodeInfo(DIGEST_OPEN, "the inputs of the run were not sealed", "seal the inputs, then run again from the start"),
    CodeInfo(
        LOGS_EARLY,
        "logs may have been read before the inputs were sealed",
        "discard the logs and run again under a new runner job",
    ),
    CodeInfo(
        CREDIT_MISSING,
        "a changed symbol has no test that fails when it is broken",
        "add a test that bites for each symbol that is named, seal and run again",
    ),
    CodeInfo(
        FREEZE_UNBOUND,
        "the freeze is for another run than this one",
        "drop the freeze, or have one filed that cites this run and its credit",
    ),
    CodeInfo(
        FREEZE_COVERS_CREDIT,
        "the freeze is for a test that the credit rests on",
        "drop the freeze and repair the defect; only a test that earned nothing can be frozen",
    ),
    CodeInfo(
        FREEZE_EXPIRED,
        "the freeze has no end in the future",
        "repair the test; or run again, and have a new freeze filed for that run",
    ),
    CodeInfo(STALE, "the evidence is about something else by now", "run `git agentgate capture` for this tree"),
    CodeInfo(
        NO_EVIDENCE, "no record of a test run exists for this tree", "run `git agentgate capture`, or sync and retry"
    ),
    CodeInfo(UNDECIDED, "we could not look", "read the message, repair the cause and run it again"),
)
CODES = {row.code: row for row in _ROWS}


def next_step(code: str) -> str:
    """The standing next step of a code; `KeyError` for a code that is not in the table."""
    return CODES[code].next_step


_EXITS = {
    ALLOW: EXIT_ALLOW,
    STALE: EXIT_STALE,
    NO_EVIDENCE: EXIT_NO_EVIDENCE,
    UNDECIDED: EXIT_UNDECIDED,
    BASE_MISSING: EXIT_UNDECIDED,
}


def exit_of(name: str) -> int:
    """The exit status of a command that answers with a code; a code that is not known is a reject."""
    return _EXITS.get(name, EXIT_REJECTED)
