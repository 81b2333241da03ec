"""Are the test ids the same in every process? Collected twice under two hash seeds to find out."""

from __future__ import annotations

from collections import Counter

from agentgate_git.model.packet import RunReport
from agentgate_git.runner.run_tests import RunRequest, run_tests

_SEEDS = ("1", "4294967295")


def collect(request: RunRequest) -> RunReport:
    """Collect without running; the report's `selected` are the ids."""
    return run_tests(
        request._replace(args=(*request.args, "--collect-only"), decide_after_collection=None, precondition=None)
    )


def unstable_ids(request: RunRequest) -> tuple[str, ...]:
    """Ids that only one of two collections has, sorted; the order of the ids does not matter."""
    first, second = (Counter(collect(_with_seed(request, seed)).selected) for seed in _SEEDS)
    return tuple(sorted({*(first - second), *(second - first)}))


def _with_seed(request: RunRequest, seed: str) -> RunRequest:
    return request._replace(environment={**request.environment, "PYTHONHASHSEED": seed})
