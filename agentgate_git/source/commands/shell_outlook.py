"""What a whole text of shell does with the statuses that it keeps in variables, and the names that it sets."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_counts import counted, heard_names
from agentgate_git.source.commands.shell_syntax import FUNCTION, SIMPLE, Command, Sequence

_ASSIGNED = pattern_of(r"[A-Za-z_]\w*\+?=")
_NAME = pattern_of(r"\$\{?[#!]?(\w+)")
_ANY_NAME = pattern_of(r"[A-Za-z_]\w*")
_NAMING = frozenset(("export", "read", "local", "declare", "typeset", "readonly", "unset", "mapfile", "setopt"))


class Outlook:
    """What the whole text does with statuses that it keeps in variables or of what it left in the background."""

    def __init__(self, sequences: tuple[Sequence, ...], known: frozenset[str]) -> None:
        words = [command.words for command in commands_of(sequences, SIMPLE) if command.words]
        judging = [one for one in words if one[0] in ("exit", "return", "test", "[", "[[", "((")]
        self.exits_by_variable = any("$" in "".join(one[1:]) for one in judging)
        self.waits = any(one[0] == "wait" and len(one) > 1 for one in words)
        self.calls = frozenset(one[0] for one in words)
        # `((failures))` is taken apart into a command of that name.
        self.has_others = not self.calls.isdisjoint((".", "source", "eval"))
        self._sequences = sequences
        self._heard: frozenset[str] | None = None
        self._heard_in: dict[int, frozenset[str]] = {}
        self.judged = self.calls | {name for one in judging for word in one[1:] for name in _names(word)}
        self.functions = {one.words[0]: one for one in commands_of(sequences, FUNCTION) if one.words}
        more = frozenset(_set_names(sequences)) - known
        self.known = known | more if more else known
        pairs = (
            one.words[-1] for one in commands_of(sequences, SIMPLE) if one.words and _ASSIGNED.match(one.words[-1])
        )
        self.values = frozenset(pairs)

    def remembers(self, branch: tuple[Sequence, ...]) -> bool:
        """True for a branch that keeps a failure in a variable at which more than a message looks."""
        names = {name for command in commands_of(branch, SIMPLE) for name in counted(command.words)}
        if not names or self.has_others:
            return bool(names)
        if self._heard is None:
            self._heard = frozenset(heard_names(self._sequences, is_end=True))
        return not names.isdisjoint(self._heard)

    def judged_after(self, rest: tuple[Sequence, ...]) -> frozenset[str]:
        """The variables at which the lists after a loop look."""
        found: set[str] = set()
        for one in rest:
            if id(one) not in self._heard_in:
                self._heard_in[id(one)] = frozenset(heard_names((one,), is_end=True))
            found |= self._heard_in[id(one)]
        return frozenset(found)

    def is_told_apart(self, branch: tuple[Sequence, ...]) -> bool:
        """True for a branch that keeps in a variable that all went well, where something looks at it in the end."""
        for command in commands_of(branch, SIMPLE):
            name, found, value = "".join(command.words[-1:]).partition("=")
            if (
                found
                and name in self.judged
                and any(one.startswith(f"{name}=") and one != f"{name}={value}" for one in self.values)
            ):
                return True
        return False


def commands_of(sequences: tuple[Sequence, ...], kind: str) -> Iterator[Command]:
    """The commands of one kind, however deep they stand in others, in their order."""
    open_lists = [_members(sequences)]
    while open_lists:
        command = next(open_lists[-1], None)
        if command is None:
            open_lists.pop()
            continue
        if command.kind == kind:
            yield command
        open_lists.extend(_members(part) for part in reversed(command.parts))


def _members(sequences: tuple[Sequence, ...]) -> Iterator[Command]:
    return (command for sequence in sequences for pipeline in sequence.pipelines for command in pipeline.commands)


def _names(word: str) -> list[str]:
    return (_ANY_NAME if "((" in word else _NAME).findall(word)


def _set_names(sequences: tuple[Sequence, ...]) -> Iterator[str]:
    """Names that the text itself gives a value, with or without `export`, `read`, `local` and their like."""
    for command in commands_of(sequences, SIMPLE):
        takes_names = command.words[:1] and command.words[0] in _NAMING
        for word in command.words:
            if takes_names or _ASSIGNED.match(word):
                yield word.partition("=")[0].rstrip("+")
            if word.startswith("${") and ":=" in word:
                yield word[2:].partition(":=")[0]
