"""Counts of failures that a script keeps in variables: which of them anything but a message looks at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_syntax import CASE, IF, SIMPLE, Command, Pipeline, Sequence

_ASSIGNED = pattern_of(r"([A-Za-z_]\w*)\+?=")
_COUNTED = pattern_of(r"([A-Za-z_]\w*)(?:\+\+|--|[-+]=.*)")
_IN_ARITHMETIC = pattern_of(r"\$\(\(\s*([A-Za-z_]\w*)\s*(?:\+\+|[-+]?=)")
_NAME = pattern_of(r"\$\{?[#!]?(\w+)")
_ANY_NAME = pattern_of(r"[A-Za-z_]\w*")
_TALK = frozenset(("echo", "printf", "cat", "true", ":", "logger", "date", "say", "info", "log", "print", "tput"))
_TESTS = frozenset(("[", "[[", "test", "(("))


def counted(words: tuple[str, ...]) -> Iterator[str]:
    """The variables that a simple command gives another value: `failed=1`, `((failed++))`, `let failed+=1`."""
    if not words:
        return
    found = _ASSIGNED.match(words[-1]) or _COUNTED.fullmatch(words[0])
    if found is None and words[0] == "let" and len(words) > 1:
        found = _COUNTED.fullmatch(words[1]) or _ASSIGNED.match(words[1])
    if found is None and words[0] == ":":
        found = _IN_ARITHMETIC.match(words[-1])
    if found is not None:
        yield found[1]


def names_in(word: str) -> list[str]:
    """The variables that a word asks for; in arithmetic they stand bare."""
    return (_ANY_NAME if "((" in word else _NAME).findall(word)


def heard_names(sequences: tuple[Sequence, ...], *, is_end: bool) -> Iterator[str]:
    """The variables on which more than a message hangs; `is_end` where the last list gives the status of the text."""
    for position, sequence in enumerate(sequences):
        is_last = is_end and position == len(sequences) - 1
        only_tells = len(sequence.pipelines) > 1 and all(map(_talks_in_pipe, sequence.pipelines[1:])) and not is_last
        for place, pipeline in enumerate(sequence.pipelines):
            for command in pipeline.commands:
                yield from _heard_by(command, is_asked_in_vain=only_tells and place == 0, is_end=is_last)


def _heard_by(command: Command, *, is_asked_in_vain: bool, is_end: bool) -> Iterator[str]:
    if command.kind == SIMPLE:
        yield from _of_simple(command.words, is_asked_in_vain=is_asked_in_vain)
        return
    parts = command.parts
    if command.kind == IF:
        branches = (*parts[1::2], parts[-1]) if len(parts) > 1 else parts
        in_vain = all(map(_talks, branches))
        for one in chain.from_iterable(map(_commands, parts[:-1:2])):
            yield from _heard_by(one, is_asked_in_vain=in_vain, is_end=False)
        for branch in branches:
            yield from heard_names(branch, is_end=is_end)
        return
    if command.kind == CASE and not all(map(_talks, parts)):
        yield from names_in(command.words[0])
    if is_asked_in_vain:
        for one in chain.from_iterable(map(_commands, parts)):
            yield from _heard_by(one, is_asked_in_vain=True, is_end=False)
        return
    for part in parts:
        yield from heard_names(part, is_end=is_end)


def _commands(part: tuple[Sequence, ...]) -> Iterator[Command]:
    """The commands of a list, without those inside of them."""
    return (one for sequence in part for pipeline in sequence.pipelines for one in pipeline.commands)


def _of_simple(words: tuple[str, ...], *, is_asked_in_vain: bool) -> Iterator[str]:
    if not words or words[0].lower() in _TALK - {":"}:
        return
    own = set(counted(words))
    if own or words[0] == ":":
        for word in words:
            yield from (name for name in names_in(word) if name not in own)
        return
    if is_asked_in_vain and (words[0] in _TESTS or len(words) == 1):
        return
    yield words[0]
    for word in words:
        yield from names_in(word)


def _talks(branch: tuple[Sequence, ...]) -> bool:
    """True for a branch that does nothing but say something."""
    return all(_talks_in_pipe(pipeline) for sequence in branch for pipeline in sequence.pipelines)


def _talks_in_pipe(pipeline: Pipeline) -> bool:
    return all(
        one.kind == SIMPLE and (not one.words or one.words[0].lower() in _TALK) for one in pipeline.commands
    ) or all(one.kind not in (SIMPLE, IF, CASE) and all(map(_talks, one.parts)) for one in pipeline.commands)
