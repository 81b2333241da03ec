"""E_ASSERT_WEAKENED: threads of a test that no longer wait for one another, so that each has the field to itself."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model import code
from agentgate_git.model.finding import WARN, Finding
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_ledger import Settled
from agentgate_git.policy.weakening.test_matching import LIVE

_MEETS = "Barrier"
_WAYS = frozenset(
    (
        *("Thread", "Process", "ThreadPoolExecutor", "ProcessPoolExecutor", "ThreadPool", "Pool", "gather", "submit"),
        *("TaskGroup", "create_task", "start_soon", "create_task_group", "ensure_future", "as_completed", "wait"),
    )
)
_WAITS = frozenset((_MEETS, "Event", "Condition", "Semaphore", "gather"))
_ABOUT = pattern_of(r"(?i)concurren|parallel|race|simultan|thread|at_once|atomic|contention|overlap|interleav")
_ASK = "let them overlap again, or ask a human to adopt the change"


def overlap_findings(change: Settled) -> Iterator[Finding]:
    """Findings for tests that call the same as before but for what made things happen at once."""
    for pair in change.matched.pairs if not change.subject.has_any else ():
        new = pair.new
        if new is None or new.test.state not in LIVE or pair.old.test.state not in LIVE:
            continue
        before, after = frozenset(pair.old.test.calls), frozenset(new.test.calls)
        lost = (_WAYS | {_MEETS}) & (before - after)
        is_alone = _MEETS in lost and _WAITS.isdisjoint(after)
        if is_alone or (lost and (_WAYS | _WAITS).isdisjoint(after) and _ABOUT.search(new.test.name)):
            message = f"{new.test.name} no longer lets things overlap: {', '.join(sorted(lost))} is gone"
            tests = (f"{new.path}::{new.test.name}",)
            yield Finding(code.ASSERT_WEAKENED, WARN, new.path, message, _ASK, line=new.test.line, tests=tests)
