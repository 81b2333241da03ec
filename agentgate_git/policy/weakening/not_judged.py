"""E_NOT_JUDGED: files that cannot be read, on either side; the one place that tells of every problem of the facts.

What could be read at the base and cannot be at the head blocks: nobody makes a file worse without it being seen. What
neither side could be read of warns; so does what no version of Python 3 would run, since every runner says so aloud,
and a new test file that Python refuses, since no test of the base runs less for it. Production that Python itself
refuses runs in no test and is often no Python at all (a template, code for Python 2): it warns where it could be read
before, and is nothing otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import NO_PYTHON, NO_PYTHON_EVER, OF_BOTH, FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.role import PRODUCTION, TEST

# Keys of a pipeline that say what else it does, and when and where.
_NO_RUN = ("command > ", "stub > ", "trigger > ", "place > ")
_COMPARE = "have a human compare it with the base"


def unread_findings(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[Finding]:
    """Findings for a whole change set: facts of the changed files at the base and at the head."""
    old = {one.path: one for one in before}
    for head in after:
        base = old.get(head.path)
        yield from _tests(base, head)
        yield from _rest(base, head)


def _tests(base: FileFacts | None, head: FileFacts) -> Iterator[Finding]:
    """Tests that cannot be read block in a new file too where something else than Python refuses them."""
    was_unread = base is not None and bool(base.tests.problem) and not base.tests.problem.startswith(OF_BOTH)
    if head.tests.problem:
        is_new_test = base is None and head.role == TEST and head.tests.problem.startswith(NO_PYTHON)
        is_loud = head.tests.problem.startswith(NO_PYTHON_EVER)
        severity = WARN if was_unread or is_new_test or is_loud else BLOCK
        yield _finding(head, severity, f"its tests cannot be read: {head.tests.problem}")
    elif base is not None and was_unread:
        message = f"what it tested before cannot be read: {base.tests.problem}"
        yield _finding(head, WARN, message)._replace(next_step=_COMPARE)


def _rest(base: FileFacts | None, head: FileFacts) -> Iterator[Finding]:
    """Settings, and what a file does to a run; of a production module that is never more than a question.

    A pipeline that ran no tests has none to lose.
    """
    if head.tests.problem:
        return
    was_read = base is not None and not base.problem
    is_code = head.role == PRODUCTION and bool(head.language)
    if not head.problem:
        yield from _repaired(base, is_code)
        return
    if is_code and head.problem.startswith(NO_PYTHON) and not was_read:
        return
    has_nothing = base is not None and bool(base.settings) and all(one.key.startswith(_NO_RUN) for one in base.settings)
    what = "its settings cannot be read" if not head.language else "what it does to a run of tests cannot be read"
    is_loud = head.problem.startswith(NO_PYTHON_EVER)
    yield _finding(
        head, BLOCK if was_read and not (is_code or is_loud or has_nothing) else WARN, f"{what}: {head.problem}"
    )


def _repaired(base: FileFacts | None, is_code: bool) -> Iterator[Finding]:
    """A file that can be read again: nothing tells what it lost on the way, and blocking would keep it broken."""
    if base is None or not base.problem or base.tests.problem:
        return
    if is_code and base.problem.startswith(NO_PYTHON):
        return
    what = "its settings before cannot be read" if not base.language else "what it did to a run before cannot be read"
    yield _finding(base, WARN, f"{what}: {base.problem}")._replace(next_step=_COMPARE)


def _finding(facts: FileFacts, severity: str, message: str) -> Finding:
    return Finding(code.NOT_JUDGED, severity, facts.path, message, code.next_step(code.NOT_JUDGED))
