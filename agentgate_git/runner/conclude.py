"""From what was seen of a run to what it claims: is it a pass, and if not, for which reasons?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from agentgate_git.model.code import (
    FOREIGN_IMPORT,
    RUN_INCOMPLETE,
    SELECTION_DRIFT,
    TESTS_FAILED,
    UNSTABLE_IDS,
    next_step,
)
from agentgate_git.model.finding import BLOCK, Finding, some_of
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import ERROR, FAILED, NOT_RUN, OUTCOMES, PASSED, Packet, RunReport
from agentgate_git.model.record import Record

_NAMED = 3
# What a packet may spend on lists, in bytes as written, so that its line stays within MAX_LINE.
_MAX_FILES = 256 << 10
_MAX_FAILED = 128 << 10
_MAX_LISTED = 64 << 10
_MAX_FOREIGN = 50
_STATUS_WORDS = {
    2: "pytest was interrupted (status 2)",
    3: "pytest ended with an error of its own (status 3)",
    4: "pytest could not use its arguments or configuration (status 4)",
    5: "no test ran (pytest status 5)",
}
_NO_TESTS = 5
_STEPS = {
    "problems": "repair that and capture again; `pytest -o faulthandler_timeout=SECONDS` shows where a test hangs, and "
    "`time_limit` in the policy's `capture` is how long a run may take",
    "no tests": "name the tests in `pytest_args` of the policy's `capture` (or behind `--`, to try it), and capture "
    "again",
    "no collection": "see what pytest printed, install the project and what its tests need for that interpreter, and "
    "capture again; a project below the top is named by its folder in `pytest_args` of the policy's `capture` (or "
    "behind `--`, to try it)",
}


class RunFacts(Record):
    """What the packet says that no run can: which tree it was, for whom, and in which surroundings."""

    tree: Oid
    base_tree: Oid
    commit: Oid
    author_job: str
    argv: tuple[str, ...]
    isolation: str
    nonce: str
    tool: str
    untracked_count: int = 0
    untracked_sha256: str = ""
    foreign_imports: tuple[tuple[str, str], ...] = ()
    manifest_sha256: str = ""


def judge(report: RunReport, foreign: tuple[tuple[str, str], ...] = ()) -> tuple[Finding, ...]:
    """Every reason why a run is no pass, one finding a code; empty for a pass."""
    reasons = (
        (FOREIGN_IMPORT, _foreign(foreign)),
        (RUN_INCOMPLETE, "; ".join(_incomplete(report))),
        (SELECTION_DRIFT, _trimmed(report)),
        (UNSTABLE_IDS, _unstable(report)),
        (TESTS_FAILED, _failed(report)),
    )
    return tuple(Finding(code, BLOCK, "", message, _step(code, report)) for code, message in reasons if message)


def _step(code: str, report: RunReport) -> str:
    """What to do about it; what kept a run from its end says more than the code."""
    if code != RUN_INCOMPLETE:
        return next_step(code)
    if report.problems:
        return _STEPS["problems"]
    if report.session_status == _NO_TESTS and not report.selected:
        return _STEPS["no tests"]
    return _STEPS["no collection"] if report.collect_errors or not report.selected else next_step(code)


def conclude(report: RunReport, facts: RunFacts) -> Packet:
    """The packet of a run, whether it is a pass or not."""
    ids = sorted(report.selected)
    lines = tuple(sorted(f"{outcome} {test}" for test, outcome in report.outcomes))
    counts = Counter(outcome for _, outcome in report.outcomes)
    return Packet(
        tree=facts.tree,
        base_tree=facts.base_tree,
        commit=facts.commit,
        author_job=facts.author_job,
        codes=tuple(finding.code for finding in judge(report, facts.foreign_imports)),
        tests_sha256=tests_digest(ids),
        node_count=len(ids),
        tests_by_file=_files_if_they_fit(ids),
        outcomes_sha256=_digest(lines),
        outcomes=tuple((outcome, counts[outcome]) for outcome in OUTCOMES if counts[outcome]),
        outcome_lines=lines,
        failed=_first(_failed_ids(report), _MAX_FAILED),
        trimmed=_first(sorted(report.trimmed), _MAX_LISTED),
        deselected_count=len(report.deselected),
        reruns=_first(sorted(set(report.reruns)), _MAX_LISTED),
        warnings=report.warnings,
        interpreter=report.interpreter,
        platform=report.platform,
        argv=facts.argv,
        plugins=report.plugins,
        environment=report.environment,
        isolation=facts.isolation,
        untracked_count=facts.untracked_count,
        untracked_sha256=facts.untracked_sha256,
        foreign_imports=facts.foreign_imports[:_MAX_FOREIGN],
        manifest_sha256=facts.manifest_sha256,
        exit_status=report.exit_status,
        nonce=facts.nonce,
        tool=facts.tool,
        started_at=report.started_at,
        finished_at=report.finished_at,
        deselected=_first(sorted(report.deselected), _MAX_LISTED),
        strict_xfails=_first(sorted(set(report.strict_xfails)), _MAX_LISTED),
    )


def tests_digest(ids: Iterable[str]) -> str:
    """`tests_sha256` of a packet: over the sorted ids, joined by newlines."""
    return _digest(sorted(ids))


def tests_by_file(ids: Iterable[str]) -> tuple[tuple[str, int, str], ...]:
    """`tests_by_file` of a packet: for each file its path, how many ids it has, and their digest's first 16 digits."""
    files: dict[str, list[str]] = {}
    for test in ids:
        files.setdefault(file_of(test), []).append(test)
    return tuple((path, len(tests), tests_digest(tests)[:16]) for path, tests in sorted(files.items()))


def file_of(test: str) -> str:
    """The path that a node id starts with."""
    return test.partition("::")[0]


def ran_unselected(report: RunReport) -> tuple[str, ...]:
    """Ids that ran more often than they were selected."""
    return tuple(sorted((_executed(report) - Counter(report.selected)).elements()))


def _files_if_they_fit(ids: Iterable[str]) -> tuple[tuple[str, int, str], ...]:
    rows = tests_by_file(ids)
    return rows if sum(_size(path) + 40 for path, _, _ in rows) <= _MAX_FILES else ()


def _first(ids: Iterable[str], limit: int) -> tuple[str, ...]:
    """As many ids as take `limit` bytes in JSON."""
    kept = []
    for test in ids:
        limit -= _size(test) + 3
        if limit < 0:
            break
        kept.append(test)
    return tuple(kept)


def _size(text: str) -> int:
    return len(text.encode("ascii", "backslashreplace"))


def _digest(lines: Iterable[str]) -> str:
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _executed(report: RunReport) -> Counter[str]:
    return Counter(test for test, outcome in report.outcomes if outcome != NOT_RUN)


def _failed_ids(report: RunReport) -> tuple[str, ...]:
    return tuple(sorted(test for test, outcome in report.outcomes if outcome in (FAILED, ERROR)))


def _incomplete(report: RunReport) -> Iterator[str]:
    """Each thing that a run which came to its end would not show."""
    yield from report.problems
    if not report.is_finished:
        yield f"the process ended with status {report.exit_status} before pytest had finished"
    elif not report.session_status == report.main_status == report.exit_status:
        yield (
            f"pytest's own status is {report.session_status}, but pytest.main gave {report.main_status}"
            f" and the process ended with {report.exit_status}"
        )
    if report.running:
        yield f"{report.running} was running then"
    if report.collect_errors:
        yield f"{_number(report.collect_errors, 'file')} could not be collected: {_names(report.collect_errors)}"
    yield from _wrong_status(report)
    yield from _wrong_execution(report)


def _wrong_status(report: RunReport) -> Iterator[str]:
    """A status that the outcomes do not explain."""
    expected = 1 if _failed_ids(report) else 0
    status = report.session_status
    if status in (-1, expected) or report.collect_errors:
        return
    if status in _STATUS_WORDS:
        yield _STATUS_WORDS[status]
    elif expected:
        yield f"pytest's status is {status} although tests failed"
    else:
        yield f"pytest's status is {status} although no test failed"


def _wrong_execution(report: RunReport) -> Iterator[str]:
    selected = Counter(report.selected)
    executed = _executed(report)
    missing = tuple((selected - executed).elements())
    if not selected and report.session_status != 5:
        yield "no test was collected"
    if missing:
        # The last few before a run was cut short may have ended untold: they are told in batches.
        what = "did not run" if report.is_finished else "are not known to have ended"
        yield f"{len(missing)} of {_number(report.selected, 'test')} {what}: {_names(missing)}"
    if extra := ran_unselected(report):
        yield f"{_number(extra, 'test')} ran without having been collected: {_names(extra)}"
    outcomes = {outcome for _, outcome in report.outcomes}
    if selected and not missing and not outcomes & {PASSED, FAILED, ERROR}:
        yield "no test passed"


def _foreign(foreign: tuple[tuple[str, str], ...]) -> str:
    if not foreign:
        return ""
    name, path = foreign[0]
    return f"{_number(foreign, 'module')} of the tree came from elsewhere: {name} from {path}"


def _trimmed(report: RunReport) -> str:
    if not report.trimmed:
        return ""
    return f"{_number(report.trimmed, 'test')} vanished after collection: {_names(report.trimmed)}"


def _unstable(report: RunReport) -> str:
    if not report.unstable:
        return ""
    return f"ids differ from one collection to the next: {_names(report.unstable)}"


def _failed(report: RunReport) -> str:
    failed = _failed_ids(report)
    return f"{_number(failed, 'test')} failed: {_names(failed)}" if failed else ""


def _number(things: tuple[object, ...], noun: str) -> str:
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"


def _names(names: tuple[str, ...]) -> str:
    return some_of(names, _NAMED)
