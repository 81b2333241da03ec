"""What becomes of the exit status of each command of a shell text: whether a failure of it fails the whole text."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import TreeError
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.shell_benign import BRACKETS, alone, gives_up_well, lets_through, may_fail
from agentgate_git.source.commands.shell_ends import (
    alternatives_of,
    early_end,
    is_good_exit,
    leaves_badly,
    leaves_well,
    never_holds,
    short_cut,
    stops,
)
from agentgate_git.source.commands.shell_filters import sifts
from agentgate_git.source.commands.shell_loops import (
    NO_LOOP,
    Loop,
    is_left_by,
    loop_of,
    passes_over,
    started,
    why_left_well,
)
from agentgate_git.source.commands.shell_outlook import Outlook, commands_of
from agentgate_git.source.commands.shell_syntax import (
    CASE,
    FUNCTION,
    GROUP,
    IF,
    LOOP,
    SIMPLE,
    Command,
    Pipeline,
    Sequence,
    shell_commands,
)

_ASSIGNED = pattern_of(r"[A-Za-z_]\w*\+?=")
_AHEAD = 3
_MAX_ALTERNATIVES = 8
MAX_CALLS = 200
MAX_INNER = 2_000
MAX_HANDED_ON = 50_000
MAX_SPELLED = 1_000
_ALL_ARGUMENTS = frozenset(("$@", "$*", "${@}", "${*}"))


class ShellKind(Record):
    """How a shell treats a failure in the middle: `-e`, and `-o pipefail`."""

    is_strict: bool = False
    has_pipefail: bool = False


class RanCommand(Record):
    """One simple command: its assignments and words, and the line it starts on.

    `ignored` says how its failure is kept from failing the text, `off` why it never runs, `condition` what may end
    the text well before it; empty for one that counts. `sifted` is the filter of a pipe that took something out of
    what it is given. `each` are the scripts that it starts in the rounds of a loop, `passed` what of them it
    does not.
    """

    words: tuple[str, ...]
    assigned: tuple[str, ...]
    line: int
    ignored: str = ""
    off: str = ""
    retried: str = ""
    condition: str = ""
    sifted: str = ""
    each: tuple[str, ...] = ()
    passed: str = ""


class _Context(Record):
    ignored: str = ""
    off: str = ""
    retried: str = ""
    condition: str = ""
    sifted: str = ""
    is_tested: bool = False
    is_last: bool = True
    # `ignored` says no more than that a later command gives the status: one that leaves badly is heard all the same.
    is_passed_over: bool = False
    # The text fails where nothing leaves it before its end.
    ends_badly: bool = False
    # The loop around, and how that is left with a success though what it tries again failed.
    loop: Loop = NO_LOOP
    escape: str = ""


def ran_commands(text: str, kind: ShellKind, known: frozenset[str] = frozenset()) -> tuple[RanCommand, ...]:
    """Every simple command of a text that a shell of this kind is given; `known` are variables that are set for it.

    What a function of the text does is done where it is called, and so as it was defined last.
    """
    sequences = shell_commands(text)
    if text.startswith("#!"):
        flags = text.partition("\n")[0].split()[1:]
        kind = kind._replace(is_strict=kind.is_strict or any(_has_flag(flag, "e") for flag in flags))
    walker = _Walker(kind, Outlook(sequences, known))
    fails = stops(sequences[-1:], is_bad=True)
    return tuple(walker.walk(sequences, _Context(ignored=_trapped(sequences), ends_badly=fails)))


class _Walker:
    def __init__(self, kind: ShellKind, outlook: Outlook) -> None:
        self._is_strict = kind.is_strict
        self._has_pipefail = kind.has_pipefail
        self._outlook = outlook
        self._active: tuple[str, ...] = ()
        self._arguments: tuple[str, ...] = ()
        self._calls = self._inner = self._handed_on = self._spelled = 0
        # What is asked of one list or command for each of those before it.
        self._texts: dict[int, str] = {}
        self._gives_up: dict[int, bool] = {}

    def walk(self, sequences: tuple[Sequence, ...], context: _Context) -> Iterator[RanCommand]:
        off, condition, loop = context.off, context.condition, context.loop
        for position, sequence in enumerate(sequences):
            # What comes next, and what comes last: no more of the rest is ever looked at.
            rest = (*sequences[position + 1 : position + 1 + _AHEAD], *sequences[-1:])
            is_last = position == len(sequences) - 1
            rest = () if is_last else rest
            within = context._replace(off=off, condition=condition, is_last=context.is_last and is_last, loop=loop)
            yield from self._sequence(sequence, rest, within)
            passed = passes_over(loop, sequence) if loop.variable and not loop.passed else ""
            loop = loop._replace(passed=passed) if passed else loop
            off = off or ("it stands behind an `exit 0`" if leaves_well(sequence) else "")
            ended, may_end = early_end(sequence, self._outlook.known)
            off, condition = off or ended, condition or may_end

    def _sequence(self, sequence: Sequence, rest: tuple[Sequence, ...], context: _Context) -> Iterator[RanCommand]:
        alternatives = alternatives_of(sequence)
        for position, pipeline in enumerate(sequence.pipelines):
            later = position < len(sequence.operators)
            within = context
            off = short_cut(sequence, position, self._outlook.known)
            if off and not within.off:
                within = within._replace(off=off)
            if sequence.is_background or len(pipeline.commands) > 1:
                within = within._replace(is_passed_over=False)
            alternative = sequence.pipelines[alternatives[position]].commands[-1]
            if within.is_passed_over and alternatives[position] and self._is_told(alternative):
                within = within._replace(ignored="", is_passed_over=False)
            if not within.ignored:
                within = self._after(sequence, position, alternatives, rest, within)
            if pipeline.is_negated and not within.is_tested and not within.ignored:
                within = within._replace(ignored="`!` turns its status around")
            within = within._replace(is_last=within.is_last and not later)
            for place, command in enumerate(pipeline.commands):
                inner = within
                if place < len(pipeline.commands) - 1:
                    inner = inner._replace(is_last=False)
                    if not inner.ignored and not self._has_pipefail and not self._asks_pipes(rest):
                        into = " ".join(pipeline.commands[-1].words[:1]) or "another command"
                        inner = inner._replace(ignored=f"`| {into}` gives its own status")
                yield from self._command(command, inner, rest)
                sifted = sifts(command.words) if place < len(pipeline.commands) - 1 else ""
                within = within._replace(sifted=sifted) if sifted else within

    def _after(
        self,
        sequence: Sequence,
        position: int,
        alternatives: tuple[int, ...],
        rest: tuple[Sequence, ...],
        context: _Context,
    ) -> _Context:
        """What follows a pipeline decides what becomes of its failure; `alternatives` say where."""
        start = alternatives[position]
        if sequence.is_background and not self._outlook.waits:
            return context._replace(ignored="it runs in the background (`&`)")
        if start:
            alternative = sequence.pipelines[start]
            last = self._last_resort(sequence, start, alternatives)
            if last is not None:
                return context._replace(ignored=f"`|| {_shown(last.commands[0])}`")
            first = sequence.pipelines[position].commands[0].words[:1]
            if first and alternative.commands[0].words[:1] == first:
                return context._replace(retried=f"`|| {_shown(alternative.commands[0])}`")
            return context
        if context.escape and not position and rest and is_left_by(sequence):
            return context._replace(ignored=context.escape, retried=context.escape)
        if context.is_tested or self._is_strict or context.is_last or not rest:
            return context
        asked = rest[0].pipelines[0].commands
        if rest[0] is rest[-1] and len(asked) == 1 and _takes_failure(asked[0].words):
            return context._replace(ignored=f"`{_shown(asked[0])}` takes a failure for none", is_passed_over=True)
        if self._outlook.exits_by_variable and self._keeps_status(rest[0]):
            return context
        if context.ends_badly:
            return context
        ignored = f"without `set -e`, `{_shown_sequence(rest[-1])}` gives the status"
        return context._replace(ignored=ignored, is_passed_over=True)

    def _last_resort(self, sequence: Sequence, start: int, alternatives: tuple[int, ...]) -> Pipeline | None:
        """The first of the alternatives after a failure that ends well, whatever those before it come to."""
        for _ in range(_MAX_ALTERNATIVES):
            if not start:
                return None
            if self._gives_up_well(sequence.pipelines[start].commands[-1]):
                return sequence.pipelines[start]
            start = alternatives[start]
        return None

    def _text(self, sequence: Sequence) -> str:
        """The words of its commands."""
        if id(sequence) not in self._texts:
            self._texts[id(sequence)] = " ".join(" ".join(one.words) for one in commands_of((sequence,), SIMPLE))
        return self._texts[id(sequence)]

    def _asks_pipes(self, rest: tuple[Sequence, ...]) -> bool:
        return any("PIPESTATUS" in self._text(one) for one in rest[:_AHEAD])

    def _keeps_status(self, sequence: Sequence) -> bool:
        """True when what follows looks at `$?`."""
        text = self._text(sequence)
        return "$?" in text or "PIPESTATUS" in text

    def _is_told(self, alternative: Command) -> bool:
        """True for what leaves the text badly, or counts a failure that something looks at in the end."""
        return leaves_badly(alternative) or self._outlook.remembers((alone(alternative),))

    def _gives_up_well(self, command: Command) -> bool:
        if id(command) not in self._gives_up:
            self._gives_up[id(command)] = gives_up_well(command, self._outlook)
        return self._gives_up[id(command)]

    def _command(self, command: Command, context: _Context, rest: tuple[Sequence, ...]) -> Iterator[RanCommand]:
        if command.kind == SIMPLE:
            yield from self._simple(command, context)
        elif command.kind == IF:
            yield from self._if(command, context)
        elif command.kind == LOOP:
            yield from self._loop(command, context, rest)
        elif command.kind == FUNCTION and command.words[0] in self._outlook.calls:
            return  # it is walked where it is called
        elif command.kind in (GROUP, CASE, FUNCTION):
            strict, pipefail = self._is_strict, self._has_pipefail
            inner = context._replace(is_last=True) if command.kind == FUNCTION else context
            if command.words == ("(",):
                inner = inner._replace(is_passed_over=False)  # `exit` leaves no more than the parentheses
            for body in command.parts:
                yield from self.walk(body, inner)
            if command.kind != GROUP:
                self._is_strict, self._has_pipefail = strict, pipefail

    def _loop(self, command: Command, context: _Context, rest: tuple[Sequence, ...]) -> Iterator[RanCommand]:
        condition, body = command.parts
        again = context._replace(retried=f"`{command.words[0]}` runs it again", is_tested=True)
        escape = why_left_well(command, rest, self._outlook)
        is_awaited = command.words[0] == "until" or any(one.is_negated for two in condition for one in two.pipelines)
        if escape and is_awaited and not again.ignored:
            again = again._replace(ignored=escape)
        yield from self.walk(condition, again)
        yield from self.walk(body, context._replace(loop=loop_of(command), escape=escape))

    def _if(self, command: Command, context: _Context) -> Iterator[RanCommand]:
        *tested, otherwise = command.parts
        branches = (*tested[1::2], otherwise)
        is_negated = any(pipeline.is_negated for one in tested[0][-1:] for pipeline in one.pipelines)
        unhappy = branches[:1] if is_negated else branches[1:]
        happy = branches[1] if is_negated else branches[0]
        is_kept = self._outlook.is_told_apart(happy) or any(stops(branch, is_bad=True) for branch in unhappy)
        is_kept = is_kept or any(self._outlook.remembers(branch) for branch in unhappy)
        counts = any(may_fail(branch) for branch in unhappy) or is_kept
        counts = counts or (context.ends_badly and stops(happy, is_bad=False))
        ignored = context.ignored or ("" if counts else "its status only steers an `if`")
        if context.is_passed_over and is_kept:
            ignored = ""
        for condition, branch in zip(tested[::2], tested[1::2], strict=True):
            yield from self.walk(condition, context._replace(ignored=ignored, is_tested=True))
            never = never_holds(condition, self._outlook.known)
            yield from self.walk(branch, context._replace(off=context.off or never))
        yield from self.walk(otherwise, context)

    def _simple(self, command: Command, context: _Context) -> Iterator[RanCommand]:
        words = command.words
        count = next((at for at, word in enumerate(words) if not _ASSIGNED.match(word)), len(words))
        assigned, words = words[:count], words[count:]
        if words and words[0] in ("set", "setopt"):
            self._set(words[1:])
        if not _ALL_ARGUMENTS.isdisjoint(words):
            words = self._with_arguments(words)
        called = self._outlook.functions.get(words[0]) if words else None
        self._inner += bool(self._active)
        is_within = self._calls < MAX_CALLS and self._inner < MAX_INNER
        if called is not None and words[0] not in self._active and is_within:
            yield from self._called(called, words, context)
        elif words or assigned:
            yield RanCommand(
                words,
                assigned,
                command.line,
                context.ignored,
                context.off,
                context.retried,
                context.condition,
                context.sifted,
                self._started(context.loop, words),
                context.loop.passed,
            )

    def _with_arguments(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Words with what the function they stand in was called with; TreeError for what has no end."""
        count = len(words) + sum(word in _ALL_ARGUMENTS for word in words) * len(self._arguments)
        self._handed_on += count
        if count > MAX_INNER or self._handed_on > MAX_HANDED_ON:
            raise TreeError("its functions hand on too many words to one another")
        return tuple(one for word in words for one in (self._arguments if word in _ALL_ARGUMENTS else (word,)))

    def _started(self, loop: Loop, words: tuple[str, ...]) -> tuple[str, ...]:
        """The scripts that a command starts in a loop, as far as a text spells out few."""
        if not loop.variable or self._spelled > MAX_SPELLED:
            return ()
        found = started(loop, self._with_first(words))
        self._spelled += len(found)
        return found

    def _with_first(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Words with the first that the function was called with, wherever they are that and nothing else."""
        if not self._arguments or "$1" not in words:
            return words
        return tuple(self._arguments[0] if word == "$1" else word for word in words)

    def _called(self, function: Command, words: tuple[str, ...], context: _Context) -> Iterator[RanCommand]:
        """What a function does is done under what stands around its call."""
        self._calls += 1
        active, arguments = self._active, self._arguments
        self._active, self._arguments = (*active, words[0]), words[1:]
        for body in function.parts:
            yield from self.walk(body, context._replace(is_last=True))
        self._active, self._arguments = active, arguments

    def _set(self, flags: tuple[str, ...]) -> None:
        for position, flag in enumerate(flags):
            if _has_flag(flag, "e"):
                self._is_strict = flag[0] == "-"
            following = flags[position + 1] if position + 1 < len(flags) else ""
            if _has_flag(flag, "o") and following in ("errexit", "pipefail"):
                if following == "errexit":
                    self._is_strict = flag[0] == "-"
                else:
                    self._has_pipefail = flag[0] == "-"


def _has_flag(flag: str, letter: str) -> bool:
    return flag[:1] in ("-", "+") and flag[:2] != "--" and flag[1:].isalpha() and letter in flag[1:]


def _trapped(sequences: tuple[Sequence, ...]) -> str:
    """A trap that ends the script well whatever failed."""
    for command in commands_of(sequences, SIMPLE):
        words = command.words
        is_trap = len(words) > 2 and words[0] == "trap" and not {"EXIT", "0", "ERR"}.isdisjoint(words[2:])
        if is_trap and any(is_good_exit(one.words) for one in commands_of(shell_commands(words[1]), SIMPLE)):
            return f"`trap '{words[1][:40]}'` ends the script well"
    return ""


def _takes_failure(words: tuple[str, ...]) -> bool:
    """True for `test $? -le 1`, which is a success where tests failed."""
    if not lets_through(words):
        return False
    _, operator, limit, *_ = (*(one for one in words if one not in BRACKETS), "", "")
    if not limit.isdigit():
        return False
    holds = {"-le": int(limit) >= 1, "-lt": int(limit) > 1, "-eq": int(limit) == 1, "-ne": int(limit) > 1}
    return holds.get(operator, False)


def _shown(command: Command) -> str:
    words = next((one.words for one in commands_of((alone(command),), SIMPLE)), ())
    return " ".join(words)[:40]


def _shown_sequence(sequence: Sequence) -> str:
    return _shown(sequence.pipelines[0].commands[0])
