"""E_ASSERT_WEAKENED: helpers of the tests that take a failure away, or agree with everything, and did not before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, Finding

_SWALLOWS = "lets no failure of what stands beneath it out any more"
_AGREES = "is equal to everything, or makes what is, and was not before"


def softened_findings(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    """Findings for a whole change set: facts of the changed files at the base and at the head.

    Only what the base had under the same name: what is new counts where a test takes it.
    """
    known = {one.path: one for one in before}
    for file in after:
        old = known.get(file.path)
        if old is not None and not old.tests.problem:
            yield from _softened(file, old, old.tests.swallows, file.tests.swallows, _SWALLOWS)
            yield from _softened(file, old, old.tests.agrees, file.tests.agrees, _AGREES)


def _softened(
    file: FileFacts, old: FileFacts, was: tuple[str, ...], now: tuple[str, ...], says: str
) -> Iterator[Finding]:
    for name in now:
        if name not in was and name.lstrip("@") in old.defines:
            step = code.next_step(code.ASSERT_WEAKENED)
            yield Finding(code.ASSERT_WEAKENED, BLOCK, file.path, f"{name.lstrip('@')} {says}", step)
