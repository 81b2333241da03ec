"""`decide`: the merge rule over what stands in plain files, with no repository at all."""

from __future__ import annotations

from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.instant import instant_of
from agentgate_git.model.limits import MAX_LINE
from agentgate_git.model.record import Record
from agentgate_git.model.run_record import Credit, Freeze, RunDecision, RunRecord
from agentgate_git.policy.runs.merge_rule import RunFacts, decide_run
from agentgate_git.wire.run_files import read_credit, read_freeze, read_run_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


class RunFiles(Record):
    """Paths, empty for a file that nobody named. `now` is RFC 3339 with a zone, `change` one of CHANGES."""

    record: str
    credit: str
    freeze: str
    now: str
    change: str


def decide_files(files: RunFiles) -> RunDecision:
    """ALLOW or one code; a file that cannot be read is one in which nothing stands."""
    now = instant_of(files.now)
    if now is None:
        raise UsageFailure(f"{files.now!r} is no time with a zone", "write it like 2026-01-31T00:00:00Z")
    return decide_run(
        RunFacts(
            record=_load(files.record, read_run_record, RunRecord),
            credit=_load(files.credit, read_credit, Credit) if files.credit else None,
            freeze=_load(files.freeze, read_freeze, Freeze) if files.freeze else None,
            now=now,
            change=files.change,
        )
    )


def _load(path: str, read: Callable[[bytes], T], unreadable: Callable[..., T]) -> T:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_LINE + 1)
    except OSError as error:
        return unreadable(problem=f"cannot be read ({error.strerror})")
    return read(data)
