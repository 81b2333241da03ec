"""Good ends and conditions that keep what follows them, or stands under them, from running."""

from __future__ import annotations

import re

from agentgate_git.model.branch_names import is_where_work_is_done
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_guards import holds, is_of_caller, unset_name
from agentgate_git.source.commands.shell_syntax import CASE, GROUP, IF, SIMPLE, Command, Pipeline, Sequence

_ZERO = frozenset(("", "0", "00"))
_DEADLY = frozenset(("die", "fatal", "abort"))
# What tells on which branch somebody works.
_BRANCH = pattern_of(r"\bbranch|symbolic-ref|abbrev-ref|\$\{?\w*(?:branch|_ref|head)\b", re.IGNORECASE)
_SAME = frozenset(("=", "==", "=~"))
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


def surely_fails(sequences: tuple[Sequence, ...], known: frozenset[str] = frozenset()) -> bool:
    """True for a text that a strict shell ends with a failure, as far as that hangs on no more than its own words."""
    for sequence in sequences:
        if leaves_well(sequence):
            return False
        if sequence.is_background or not _is_alone(sequence.pipelines[0]):
            continue
        first = sequence.pipelines[0].commands[0]
        found = _holds(sequence.pipelines[0], known)
        if len(sequence.pipelines) == 1:
            is_bad = leaves_badly(first) or found is False
            is_bad = is_bad or (first.kind == IF and _takes_bad_branch(first, known))
        else:
            then = sequence.pipelines[1].commands[-1]
            is_taken = found is not None and found == (sequence.operators[0] == "&&")
            is_bad = is_taken and (leaves_badly(then) or then.words == ("false",))
            is_bad = is_bad or (found is False and set(sequence.operators) == {"&&"} and sequence is sequences[-1])
        if is_bad:
            return True
    return False


def _is_alone(pipeline: Pipeline) -> bool:
    return len(pipeline.commands) == 1


def _takes_bad_branch(command: Command, known: frozenset[str]) -> bool:
    condition = command.parts[0]
    if len(condition) != 1 or condition[0].operators:
        return False
    found = _holds(condition[0].pipelines[0], known)
    return found is not None and surely_fails(command.parts[1 if found else -1], known)


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
    if command.kind == CASE and len(sequence.pipelines) == 1:
        return _case_end(command)
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
    if not is_negated and not condition.is_negated and _is_branch_of_work(condition):
        return f"{shown} ends it well before", ""
    return ("", "") if is_of_caller(words) else ("", f"it may end well before, at {shown}")


def _case_end(command: Command) -> tuple[str, str]:
    """A body of `case` that ends the text well: on branches where people work nothing after it runs."""
    asked, patterns = command.words[0], command.words[1:]
    ended = [one for one, body in zip(patterns, command.parts, strict=False) if _ends_well(body)]
    if not ended or len(ended) == len(command.parts) > 1 or is_of_caller((asked,)):
        return "", ""
    of_work = [name for one in ended for name in one.split("|") if is_where_work_is_done(name)]
    if _BRANCH.search(asked) and of_work:
        return f"`case` ends it well before on {', '.join(of_work)}"[:80], ""
    return "", f"it may end well before, at `case {asked[:40]}`"


def _is_branch_of_work(condition: Pipeline) -> bool:
    """True for a condition that holds on a branch where people work: `[ "$branch" = fix/x ]`, or by `grep`."""
    words = condition.commands[-1].words
    inner = tuple(word for word in words if word not in ("[", "[[", "test", "]", "]]"))
    if len(inner) == 3 and len(inner) < len(words):
        return inner[1] in _SAME and _BRANCH.search(inner[0]) is not None and is_where_work_is_done(inner[2])
    before = " ".join(word for one in condition.commands[:-1] for word in one.words)
    is_sought = words[:1] == ("grep",) and "v" not in "".join(one for one in words[1:] if one.startswith("-"))
    return is_sought and _BRANCH.search(before) is not None and is_where_work_is_done(words[-1])


def _ends_well(branch: tuple[Sequence, ...]) -> bool:
    """True for a branch that says something at most, and ends the text well."""
    return bool(branch) and leaves_well(branch[-1]) and all(_only_talks(one) for one in branch[:-1])


def _only_talks(sequence: Sequence) -> bool:
    return all(
        one.kind == SIMPLE and one.words[:1] and one.words[0] in _TALK for p in sequence.pipelines for one in p.commands
    )


def alternatives_of(sequence: Sequence) -> tuple[int, ...]:
    """For each pipeline where the one stands that runs when it fails, 0 for none."""
    found = [0] * len(sequence.pipelines)
    following = 0
    for position in range(len(sequence.operators) - 1, -1, -1):
        following = position + 1 if sequence.operators[position] == "||" else following
        found[position] = following
    return tuple(found)
