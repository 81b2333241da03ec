"""One run of tests, linters or hooks that a configuration file starts, with what softens it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.record import Record

TEST, LINT, HOOKS, TIDY = "test", "lint", "hooks", "tidy"


class Run(Record):
    """One run of a file: `marks` are what softens it."""

    path: str
    kind: str
    place: str
    name: str
    marks: frozenset[str]
    line: int

    def tool(self) -> str:
        """The program that runs."""
        return self.name.partition(" ")[0]

    def is_counted(self) -> bool:
        """True where it runs, and a failure of it counts."""
        return not any(mark.startswith(("ignored: ", "off: ")) for mark in self.marks)

    def shown(self) -> str:
        """It and its place, for a message."""
        return f"`{self.name}` in {self.place}" if self.place else f"`{self.name}`"

    def folders(self) -> set[str]:
        """Where it runs, if that is somewhere else than at the top."""
        return {mark[4:] for mark in self.marks if mark.startswith("at: ")}


def runs_of(files: Iterable[FileFacts]) -> Iterator[Run]:
    """The runs of files, in their order."""
    for facts in files:
        for setting in facts.settings:
            parts = setting.key.split(" > ")
            if parts[0] == "run" and len(parts) == 4:
                marks = frozenset(filter(None, setting.value.split("\n")))
                yield Run(facts.path, parts[1], parts[2], parts[3], marks, setting.line)


def says(kind: str, text: str) -> str:
    """A mark in words."""
    return {
        "ignored": f"a failure no longer counts, {text}",
        "off": f"it no longer runs, {text}",
        "merged": f"it runs only once a change is merged, {text}",
        "hollow": f"its checks do nothing, {text}",
        "rewrites": f"it writes what it should compare with, {text}",
        "narrowed": f"it leaves tests out by name, {text}",
        "filtered": f"it leaves out a group, {text}",
        "paths": f"it is limited to {text}",
        "retried": f"it runs failures again, {text}",
        "unplugged": f"it runs without {text}",
        "graded": f"it tells only what is graver, {text}",
        "condition": f"it runs less often, {text}",
    }.get(kind, text)
