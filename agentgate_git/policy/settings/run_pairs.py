"""Runs of base and head in pairs: each run of the base is found again at the head, if anywhere.

A run is looked for in its own job first, then in its file, then anywhere in the change set, then as another tool of
the same kind; each run of the head answers for one of the base.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from agentgate_git.policy.settings.run import TEST, Run
from agentgate_git.policy.settings.split_runs import left_out, share, taken_by


class RunPairs:
    """Pairs of runs, found in rounds from the surest to the loosest likeness."""

    def __init__(self, old: tuple[Run, ...], new: tuple[Run, ...]) -> None:
        self._old = old
        self.unmatched = list(new)
        self._pairs: dict[int, tuple[Run, bool]] = {}
        self.is_measured = any(mark.startswith("measured: ") for run in new for mark in run.marks)
        self._counted = {(run.path, run.tool(), run.name) for run in new if run.kind == TEST and run.is_counted()}
        self._tested = Counter((path, tool) for path, tool, _ in self._counted)
        self._names = Counter((run.path, run.place, run.name) for run in old)
        self._spare_marks = ""
        self._spare_tools: frozenset[str] = frozenset()
        self._taken: dict[str, str] = {}
        self._shares: dict[tuple[str, str, int], set[str]] = {}

    def pairs(self) -> Iterator[tuple[Run, Run | None, bool]]:
        """Each run of the base with the run of the head it became, and whether that is the same tool."""
        rounds: tuple[tuple[Callable[[Run], tuple[object, ...]], bool], ...] = (
            (lambda run: (run.path, run.kind, run.place, run.name, run.marks), True),
            (lambda run: (run.path, run.kind, run.place, run.name), True),
            (lambda run: (run.path, run.kind, run.name, run.marks), True),
            (lambda run: (run.path, run.kind, run.name), True),
            (lambda run: (run.kind, run.name, run.marks), True),
            (lambda run: (run.kind, run.name), True),
            (lambda run: (run.path, run.kind, run.place, _program(run)), True),
            (lambda run: (run.path, run.kind, run.place, run.tool()), False),
            (lambda run: (run.path, run.kind, run.place), False),
            (lambda run: (run.path, run.kind), False),
            (lambda run: (run.kind,), False),
        )
        for likeness, is_same_tool in rounds:
            self._match(likeness, is_same_tool)
        self._spare_marks = "\n".join(mark for run in self.unmatched for mark in run.marks)
        tests = [run for run in self.unmatched if run.kind == TEST]
        self._spare_tools = frozenset(run.tool() for run in tests)
        taken: dict[str, list[str]] = {}
        for run in tests:
            taken.setdefault(run.path, []).extend(taken_by(run.marks))
        for path, texts in taken.items():
            for text in texts:
                option, count = share(text)
                if option:
                    self._shares.setdefault((path, option, count), set()).add(text)
        self._taken = {path: "\n".join(texts) for path, texts in taken.items()}
        for position, run in enumerate(self._old):
            found = self._pairs.get(position)
            yield run, (found[0] if found else None), bool(found and found[1])

    def is_covered(self, text: str) -> bool:
        """True for a text in a mark of a run of the head that answers for none of the base."""
        return text in self._spare_marks

    def has_other_tests(self, tool: str) -> bool:
        """True where such a run is one of tests by this tool."""
        return tool in self._spare_tools

    def is_tested_beside(self, run: Run) -> bool:
        """True where the same file of the head has another run of tests by the same tool, which counts."""
        own = int((run.path, run.tool(), run.name) in self._counted)
        return self._tested[run.path, run.tool()] > own

    def takes(self, path: str, text: str) -> bool:
        """True where a run of tests beside it, which answers for none of the base, takes what a mark leaves out."""
        wanted = left_out(text)
        option, count = share(text)
        if option:
            others = self._shares.get((path, option, count), set())
            return len(others) - (text in others) >= count - 1
        return bool(wanted) and wanted in self._taken.get(path, "")

    def _match(self, likeness: Callable[[Run], tuple[object, ...]], is_same_tool: bool) -> None:
        waiting: dict[tuple[object, ...], list[int]] = {}
        for position, run in enumerate(self._old):
            if position not in self._pairs:
                waiting.setdefault(likeness(run), []).append(position)
        left: list[Run] = []
        for run in sorted(self.unmatched, key=lambda one: len(one.marks)):
            # A copy of what the base already had there replaces nothing else.
            is_copy = not is_same_tool and self._names[(run.path, run.place, run.name)] > 0
            positions = waiting.get(likeness(run))
            if positions and not is_copy:
                self._pairs[positions.pop(0)] = (run, is_same_tool)
            else:
                left.append(run)
        self.unmatched = left


def _program(run: Run) -> str:
    """The script or the program of tests that is started, whatever it is given; other runs are known by their names."""
    tool = run.tool()
    return tool if "/" in tool or "." in tool else run.name
