"""Loops over scripts of tests, and loops that try a command again: what they start, pass over and give up."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.runner_names import SHELLS, TEST_NAME
from agentgate_git.source.commands.shell_counts import counted
from agentgate_git.source.commands.shell_ends import leaves_badly
from agentgate_git.source.commands.shell_filters import sifts
from agentgate_git.source.commands.shell_outlook import Outlook, commands_of
from agentgate_git.source.commands.shell_syntax import CASE, SIMPLE, Command, Sequence

MAX_ITEMS = 100
MAX_WORD = 400
_PATTERN = pattern_of(r"(?:^|/)(?:t|tests?|specs?|checks?|testsuite)/|(?:^|/)(?:t|test|check|spec)[-_*\d]")
_EXISTS = pattern_of(r"-[efdrsh]")
_NO_SCRIPT = pattern_of(r"helper|common|lib\b|util|setup|fixture|README|runner|\brun\b|all\b|__|\.bak|~", re.IGNORECASE)
_QUIET = frozenset(("-q", "-qe", "-qF", "-qE", "-Fq", "-Eq", "-qi", "-s"))
_ASKS = frozenset(("[", "[[", "test", "]", "]]", "!", "=", "==", "=~", "!=", "grep", "echo", "printf", "%s\\n"))


class Loop(Record):
    """A loop over words: its variable, the words, and what it passes over before the command at hand."""

    variable: str = ""
    items: tuple[str, ...] = ()
    passed: str = ""


NO_LOOP = Loop()


def loop_of(command: Command) -> Loop:
    """The loop that a `for` is; of any other loop one without a variable."""
    words = command.words
    if words[0] != "for" or len(words) < 4 or words[2] != "in":
        return NO_LOOP
    items: list[str] = []
    passed = ""
    for word in words[3 : 3 + MAX_ITEMS]:
        listed, left_out = _listed(word)
        items.extend(listed)
        passed = passed or left_out
    return Loop(words[1], tuple(items[:MAX_ITEMS]), passed)


def _listed(word: str) -> tuple[list[str], str]:
    """What `$(ls tests/*.sh | grep -v slow)` and `$(find tests -name '*.sh')` list, and what they leave out."""
    if not word.startswith(("$(", "`")) or len(word) > MAX_WORD:
        return [word], ""
    first, *filters = (tuple(part.replace("'", "").replace('"', "").split()) for part in word[2:-1].split("|"))
    passed = next((told for one in (first, *filters) if (told := sifts(one))), "")
    plain = [one for one in first[1:] if not one.startswith("-")]
    if first[:1] == ("find",):
        names = [two for one, two in pairwise(first) if one in ("-name", "-path")]
        taken = [name for name in names if f"! -name {name}" not in word.replace("'", "").replace('"', "")]
        folders = list(takewhile(lambda one: not one.startswith(("-", "!", "(")), first[1:])) or ["."]
        return [f"{folder.rstrip('/')}/**/{name}" for folder in folders for name in taken] or [word], passed
    return (plain, passed) if first[:1] in (("ls",), ("echo",), ("printf",)) else ([word], passed)


def started(loop: Loop, words: tuple[str, ...]) -> tuple[str, ...]:
    """The scripts that a command starts in the rounds of a loop, by the words that it goes over."""
    if not loop.variable:
        return ()
    head = words[0] if words else ""
    if head.rpartition("/")[2] in SHELLS or head in ("python", "python3", "perl", "node", "ruby", ".", "source"):
        head = next((one for one in words[1:] if not one.startswith("-")), "")
    return _spelled(loop, head)


def are_tests(items: tuple[str, ...]) -> bool:
    """True for scripts of which one is a test by its name or its folder."""
    return any(_PATTERN.search(one) or TEST_NAME.search(one) for one in items)


def _spelled(loop: Loop, word: str) -> tuple[str, ...]:
    ways = (f"${{{loop.variable}}}", f"${loop.variable}")
    way = next((one for one in ways if one in word), "")
    if not way or len(word) > MAX_WORD:
        return ()
    return tuple(word.replace(way, one).removeprefix("./") for one in loop.items if len(one) < MAX_WORD)


def passes_over(loop: Loop, sequence: Sequence) -> str:
    """What of its words a loop passes over here (`case $t in *slow*) continue`), empty for none and for no script."""
    if not loop.variable or not any(one.words[:1] == ("continue",) for one in commands_of((sequence,), SIMPLE)):
        return ""
    first = sequence.pipelines[0].commands[0]
    if first.kind == CASE:
        asked, patterns = first.words[0], first.words[1:]
        if not _mentions(loop, asked):
            return ""
        bodies = zip(patterns, first.parts, strict=False)
        passed = [one for one, body in bodies if any(it.words[:1] == ("continue",) for it in commands_of(body, SIMPLE))]
        return next((one for one in passed if not _NO_SCRIPT.search(one)), "")
    words = [word for one in commands_of((sequence,), SIMPLE) for word in one.words]
    if not any(_mentions(loop, word) for word in words) or any(_EXISTS.fullmatch(word) for word in words):
        return ""
    said = [one for one in words if one not in _ASKS and one not in _QUIET and not _mentions(loop, one)]
    said = [one for one in said if one not in ("continue", "basename") and not one.startswith("$")]
    text = " ".join(said[:2]) or " ".join(words[:3])
    return "" if _NO_SCRIPT.search(text) else text[:60]


def _mentions(loop: Loop, word: str) -> bool:
    return f"${loop.variable}" in word or f"${{{loop.variable}" in word


def why_left_well(command: Command, rest: tuple[Sequence, ...], outlook: Outlook) -> str:
    """How a loop that tries a command again is left with a success though it failed; empty for one that tells.

    `rest` is what follows the loop.
    """
    _, body = command.parts
    inner = tuple(commands_of(body, SIMPLE))
    if not any(one.words[:1] == ("break",) for one in inner) or any(_is_bad(one) for one in inner):
        return ""
    kept = {name for one in inner for name in counted(one.words)}
    if kept & outlook.judged_after(rest):
        return ""
    return f"`{command.words[0]}` is left by `break` though it failed"


def _is_bad(command: Command) -> bool:
    words = command.words
    is_bad_return = words[:1] == ("return",) and (len(words) == 1 or words[1] not in ("0", ""))
    return leaves_badly(command) or is_bad_return or words[:1] in (("false",), ("fail",), ("error",), ("abort",))


def is_left_by(sequence: Sequence) -> bool:
    """True for `cmd && break`: a success of it leaves the loop."""
    if sequence.operators != ("&&",):
        return False
    then = Sequence((sequence.pipelines[1],), ())
    return any(one.words[:1] == ("break",) for one in commands_of((then,), SIMPLE))
