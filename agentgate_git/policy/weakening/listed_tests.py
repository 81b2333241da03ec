"""E_SKIP_MARKER and E_TEST_REMOVED in data: tests that a list leaves out, and cases that a file of them lost.

What reads a list stands in code that did not change: one name more on it takes one test out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.role import HARNESS, TEST
from agentgate_git.policy.weakening.subject_changes import subject_changes
from agentgate_git.policy.weakening.trait_changes import Changes

_LISTED = "list.test"
_CASE = "case.row"
_LINE = "case.line"
_SHOWN = 3


def listed_findings(changes: Changes) -> Iterable[Finding]:
    """Findings for the traits of a whole change set."""
    yield from _left_out(changes)
    yield from _lost_rows(changes.before, changes.after)


def _left_out(changes: Changes) -> Iterable[Finding]:
    """Names that a list of the base gained; those of tests that come with the change say nothing."""
    fresh = _names(changes.after.values()) - _names(changes.before.values())
    for file, trait in changes.new(lambda kind: kind == _LISTED):
        if file.path in changes.before and trait.what.rpartition("::")[2].partition("[")[0] not in fresh:
            message = f"{trait.what} is now on a list of tests that are left out"
            yield Finding(
                code.SKIP_MARKER, BLOCK, file.path, message, code.next_step(code.SKIP_MARKER), line=trait.line
            )


def _names(files: Iterable[FileFacts]) -> set[str]:
    return {test.name.rpartition("::")[2] for file in files for test in file.tests.tests}


def _lost_rows(base: Mapping[str, FileFacts], new: Mapping[str, FileFacts]) -> Iterable[Finding]:
    """Cases that are gone from a file that is still there, and that stand in no other."""
    moved = Counter[str]()
    for path, file in new.items():
        moved.update(_rows((file,)) - _rows((base[path],) if path in base else ()))
    changes = subject_changes(tuple(base.values()), tuple(new.values()))
    is_explained = bool(changes.moved)
    is_alone = not changes.has_any and not any(one.role in (TEST, HARNESS) for one in new.values())
    for old in base.values():
        head = new.get(old.path)
        lost = _rows((old,)) - _rows((head,)) if head is not None else Counter[str]()
        gone = Counter({row: count - moved[row] for row, count in lost.items() if count > moved[row]})
        come = _rows((head,)) - _rows((old,)) if head is not None else Counter[str]()
        count = gone.total() - come.total()
        if head is None or count <= 0 or not _rows((head,)):
            continue
        is_table = any(trait.kind == _LINE for trait in old.traits)
        if is_table and not is_alone:
            continue
        severity = WARN if is_explained or come else BLOCK
        shown = "; ".join(list(gone)[:_SHOWN])
        message = f"{count} case{'' if count == 1 else 's'} of tests gone, and in no other file: {shown}"
        yield Finding(code.TEST_REMOVED, severity, old.path, message, code.next_step(code.TEST_REMOVED))


def _rows(files: Iterable[FileFacts]) -> Counter[str]:
    return Counter(trait.what for file in files for trait in file.traits if trait.kind in (_CASE, _LINE))
