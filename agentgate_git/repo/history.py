"""A whole history, streamed: which commits it has, and what lies between any two of its trees."""

from __future__ import annotations

import os

from agentgate_git.model.failure import Undecided
from agentgate_git.repo.diff import FLAGS, parse_raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from agentgate_git.model.change import Change
    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.process import Git, Process

_CHUNK = 1 << 16
# `diff-tree --stdin` echoes a line that is no object id and then flushes, so this ends each of its answers.
_END = b".\n"
# git keeps the top of every tree it was asked about in memory; a fresh one begins without.
_PAIRS_OF_ONE_GIT = 5_000


def list_history(git: Git, tip: Oid, base: Oid = "") -> Iterator[Oid]:
    """Every commit reachable from `tip` and not from `base` (empty: none excluded), parents first."""
    rest = b""
    for chunk in git.stream("rev-list", "--topo-order", "--reverse", *_from(tip, base)):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("ascii") for line in lines)
    if rest:
        raise Undecided("git rev-list ended within a line", "run `git fsck`")


class TreeDiff:
    """Rows between many pairs of trees from one long-lived git; use it as a context manager."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: Process | None = None
        self._asked = 0

    def __enter__(self) -> TreeDiff:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def rows(self, old: Oid, new: Oid) -> tuple[Change, ...]:
        """What `repo.diff.tree_changes` gives for two trees; Undecided when git could not tell."""
        if old == new:
            return ()
        process = self._running()
        head = f"{old} {new}\n".encode("ascii")
        process.tell(head + _END)
        answer = self._answer(process, head)
        if not answer.startswith(head):
            raise Undecided(f"git cannot compare the trees {old[:12]} and {new[:12]}", "run `git fsck`")
        return tuple(parse_raw((answer[len(head) :],)))

    def _running(self) -> Process:
        self._asked += 1
        if self._asked % _PAIRS_OF_ONE_GIT == 0:
            self._end()
        if self._process is None:
            self._process = self._git.start("diff-tree", "--stdin", *FLAGS, has_errors=False)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.wait()
            self._process = None

    def _answer(self, process: Process, head: bytes) -> bytes:
        """All up to the end mark; a name may hold the mark, so it counts only where a row would begin."""
        answer = b""
        names = 0
        while answer not in (_END, head + _END) and not (answer.endswith(b"\0" + _END) and names % 2 == 0):
            chunk = os.read(process.stdout, _CHUNK)
            if not chunk:
                self._end()
                raise Undecided("git diff-tree ended before it answered", "run `git fsck`")
            answer += chunk
            names += chunk.count(b"\0")
        return answer.removesuffix(_END)


def _from(tip: Oid, base: Oid) -> tuple[str, ...]:
    return (tip, f"^{base}") if base else (tip,)
