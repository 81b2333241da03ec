"""Good ends and conditions that keep what follows them, or stands under them, from running."""

from __future__ import annotations

from agentgate_git.source.commands.shell_guards import holds, is_of_caller, unset_name
from agentgate_git.source.commands.shell_syntax import GROUP, IF, SIMPLE, Command, Pipeline, Sequence

_ZERO = frozenset(("", "0", "00"))
_DEADLY = frozenset(("die", "fatal", "abort"))
_TALK = frozenset(("echo", "printf", "cat", "true", ":", "touch", "rm", "logger", "cd", "date"))


def is_good_exit(words: tuple[str, ...]) -> bool:
    """True for `exit` with the status of a success."""
    return words[:1] == ("exit",) and len(words) > 1 and words[1] in _ZERO


def leaves_well(sequence: Sequence) -> bool:
    """True for an `exit 0` that nothing makes conditional."""
    if len(sequence.pipelines) != 1 or len(sequence.pipelines[0].commands) != 1 or sequence.is_background:
        return False
    command = sequence.pipelines[0].commands[0]
    return command.kind == SIMPLE and command.words[:1] == ("exit",) and "".join(command.words[1:2]) in _ZERO


def leaves_badly(command: Command) -> bool:
    """True for a command that ends the whole text with a failure: `exit 1`, a bare `exit` after one, `die`."""
    if command.kind == GROUP and command.words != ("(",):
        return bool(command.parts and command.parts[0]) and stops(command.parts[0], is_bad=True)
    words = command.words
    if command.kind != SIMPLE or not words:
        return False
    return words[0] in _DEADLY or (words[0] == "exit" and (len(words) == 1 or words[1] not in _ZERO))


def stops(branch: tuple[Sequence, ...], *, is_bad: bool) -> bool:
    """True for a branch that ends the text badly, or else leaves a loop or the text well."""
    if not branch or len(branch[-1].pipelines) != 1 or branch[-1].is_background:
        return False
    command = branch[-1].pipelines[0].commands[-1]
    if is_bad:
        return len(branch[-1].pipelines[0].commands) == 1 and leaves_badly(command)
    return command.kind == SIMPLE and (command.words[:1] in (("break",), ("return",)) or is_good_exit(command.words))


def short_cut(sequence: Sequence, position: int, known: frozenset[str]) -> str:
    """`false &&` and `true ||` before a command keep it from running, and so do conditions that never hold."""
    if position == 0 or len(sequence.pipelines[0].commands) != 1:
        return ""
    operator = sequence.operators[0]
    found = _holds(sequence.pipelines[0], known)
    if found is None or found == (operator == "&&") or sequence.operators[1:]:
        return ""
    return _because(sequence.pipelines[0].commands[0].words, operator, known)


def _because(words: tuple[str, ...], operator: str, known: frozenset[str]) -> str:
    name = unset_name(words, known)
    return f"nothing here sets {name}" if name else f"it stands behind `{' '.join(words)[:40]} {operator}`"


def _holds(pipeline: Pipeline, known: frozenset[str]) -> bool | None:
    if len(pipeline.commands) != 1 or pipeline.commands[0].kind != SIMPLE:
        return None
    found = holds(pipeline.commands[0].words, known)
    return found if found is None else found != pipeline.is_negated


def never_holds(condition: tuple[Sequence, ...], known: frozenset[str]) -> str:
    """Why a condition of `if` never holds; empty for one that may."""
    if len(condition) != 1 or condition[0].operators or _holds(condition[0].pipelines[0], known) is not False:
        return ""
    words = condition[0].pipelines[0].commands[0].words
    name = unset_name(words, known)
    return f"nothing here sets {name}" if name else f"it stands under `if {' '.join(words)[:40]}`"


def early_end(sequence: Sequence, known: frozenset[str]) -> tuple[str, str]:
    """A good end under a condition: why nothing after it runs, or else what may keep that from running."""
    command = sequence.pipelines[-1].commands[-1]
    if command.kind == SIMPLE and is_good_exit(command.words) and len(sequence.operators) == 1:
        condition, is_negated = sequence.pipelines[0], sequence.operators[0] == "||"
    elif command.kind == IF and len(sequence.pipelines) == 1 and _ends_well(command.parts[1]):
        if len(command.parts[0]) != 1 or command.parts[0][0].operators:
            return "", ""
        condition, is_negated = command.parts[0][0].pipelines[0], False
    else:
        return "", ""
    words = tuple(word for one in condition.commands for word in one.words)
    shown = f"`{' '.join(words)[:50]}`"
    found = _holds(condition, known)
    if found is not None:
        return ("", "") if found == is_negated else (f"{shown} ends it well before", "")
    return ("", "") if is_of_caller(words) else ("", f"it may end well before, at {shown}")


def _ends_well(branch: tuple[Sequence, ...]) -> bool:
    """True for a branch that says something at most, and ends the text well."""
    return bool(branch) and leaves_well(branch[-1]) and all(_only_talks(one) for one in branch[:-1])


def _only_talks(sequence: Sequence) -> bool:
    return all(
        one.kind == SIMPLE and one.words[:1] and one.words[0] in _TALK for p in sequence.pipelines for one in p.commands
    )
