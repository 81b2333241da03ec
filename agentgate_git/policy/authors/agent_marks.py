"""Marks that coding agents leave on commits and in the environment, found by the shipped registry.

A mark proves that an agent took part; no mark proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from agentgate_git.model.commit import Commit, Ident
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.model.registry import (
    ASSISTED,
    AUTHOR,
    AUTHORED,
    COAUTHOR,
    COMMITTER,
    ENVIRONMENT_TRAILER,
    SIGNOFF,
    AgentRegistry,
    IdentityMark,
)
from agentgate_git.policy.authors.commit_text import MessageText, Person, Trailer, fold, read_message, read_person

DECLARED = "A_DECLARED"
ENVIRONMENT = "A_ENV"
IDENTITY = "A_IDENT"
TRAILER = "A_TRAILER"
FOOTER = "A_FOOTER"
SIGNED_OFF = "A_SIGNOFF"
RULES = (DECLARED, ENVIRONMENT, IDENTITY, TRAILER, FOOTER, SIGNED_OFF)

UNLABELLED = "unlabelled"
BOT_LABEL = "bot"
AGENT_AUTHORED = "agent-authored"
AGENT_COAUTHORED = "agent-coauthored"
AGENT_ASSISTED = "agent-assisted"

_VERSION = pattern_of(r"(?:^|[ /-])v?\d+(?:\.\d+)*(?![a-z\d])")


class Mark(Record):
    """One mark: the rule it belongs to, which agent, what it means, where it stood and what stood there."""

    rule: str
    agent: str
    means: str
    place: str
    seen: str


def commit_marks(commit: Commit, registry: AgentRegistry, own_agents: Iterable[str] = ()) -> tuple[Mark, ...]:
    """Every mark on a commit, in the order of the rules. `own_agents` are addresses the project calls agents."""
    message = read_message(commit.message)
    marks = (
        *_declared(commit, message, registry, frozenset(map(fold, own_agents))),
        *_recorded_environment(message),
        *_identities(commit, message, registry),
        *_trailers(message, registry),
        *_footers(message, registry),
        *_signoffs(message, registry),
    )
    return tuple(dict.fromkeys(marks))


def environment_mark(environment: Mapping[str, str], registry: AgentRegistry) -> Mark | None:
    """The first variable of an agent that is set, or None."""
    for mark in registry.variables if environment else ():
        wanted = ((mark.name, mark.value_pattern), *((name, re.escape(value)) for name, value in mark.requires))
        if all(name in environment and _matches(pattern, environment[name]) for name, pattern in wanted):
            return Mark(ENVIRONMENT, mark.agent, AUTHORED, "environment", f"{mark.name}={environment[mark.name]}")
    return None


def label_of(commit: Commit, marks: Iterable[Mark], registry: AgentRegistry) -> str:
    """What the marks alone say: agent-authored, agent-coauthored, agent-assisted, bot or unlabelled."""
    authored = [mark.place for mark in marks if mark.means == AUTHORED]
    if any(place != COAUTHOR for place in authored):
        return AGENT_AUTHORED
    if authored:
        return AGENT_COAUTHORED
    if any(mark.means == ASSISTED for mark in marks):
        return AGENT_ASSISTED
    return BOT_LABEL if is_listed_bot(commit, registry) else UNLABELLED


def is_listed_bot(commit: Commit, registry: AgentRegistry) -> bool:
    """True when the author carries the name of a bot that is no agent; anyone can write that name."""
    return any(_find(registry.bots, AUTHOR, _person(commit.author)))


def _declared(
    commit: Commit, message: MessageText, registry: AgentRegistry, own_agents: frozenset[str]
) -> Iterator[Mark]:
    for place, person in _people(commit, message):
        if person.email in own_agents:
            yield Mark(DECLARED, person.email, AUTHORED, place, person.email)
    for trailer in message.trailers:
        for mark in registry.trailers:
            if mark.is_declared and trailer.is_in_block and _is_hit(trailer, mark.key_pattern, mark.value_pattern):
                yield Mark(DECLARED, trailer.value, mark.means, "trailer", f"{trailer.key}: {trailer.value}")


def _recorded_environment(message: MessageText) -> Iterator[Mark]:
    for trailer in message.trailers:
        if trailer.key == ENVIRONMENT_TRAILER.lower():
            yield Mark(ENVIRONMENT, trailer.value, AUTHORED, "trailer", f"{trailer.key}: {trailer.value}")


def _identities(commit: Commit, message: MessageText, registry: AgentRegistry) -> Iterator[Mark]:
    for place, person in _people(commit, message):
        for mark in _find(registry.identities, place, person):
            seen = f"{person.name} <{person.email}>"
            yield Mark(IDENTITY, mark.agent, mark.means, place, seen)


def _trailers(message: MessageText, registry: AgentRegistry) -> Iterator[Mark]:
    for trailer in message.trailers:
        seen = f"{trailer.key}: {trailer.value}"
        for mark in registry.trailers:
            counts = trailer.is_in_block or mark.is_session
            if not mark.is_declared and counts and _is_hit(trailer, mark.key_pattern, mark.value_pattern):
                yield Mark(TRAILER, mark.agent, mark.means, "trailer", seen)
        if trailer.is_in_block and trailer.key == "assisted-by" and _names_a_tool(trailer.value, registry.words):
            yield Mark(TRAILER, trailer.value, ASSISTED, "trailer", seen)


def _footers(message: MessageText, registry: AgentRegistry) -> Iterator[Mark]:
    for line in message.footers:
        for mark in registry.footers:
            if _matches(mark.line_pattern, line):
                yield Mark(FOOTER, mark.agent, mark.means, "footer", line)


def _signoffs(message: MessageText, registry: AgentRegistry) -> Iterator[Mark]:
    """An agent cannot sign off: the line claims what only a person can certify."""
    for trailer in message.trailers:
        if trailer.key != "signed-off-by":
            continue
        person = read_person(trailer.value)
        for mark in registry.identities:
            if mark.email + mark.email_pattern and mark.means == AUTHORED and _is_person(mark, person):
                yield Mark(SIGNED_OFF, mark.agent, AUTHORED, SIGNOFF, trailer.value)


def _people(commit: Commit, message: MessageText) -> Iterator[tuple[str, Person]]:
    yield AUTHOR, _person(commit.author)
    yield COMMITTER, _person(commit.committer)
    for trailer in message.trailers:
        if trailer.key == "co-authored-by":
            yield COAUTHOR, read_person(trailer.value)


def _person(ident: Ident) -> Person:
    return Person(fold(ident.name), fold(ident.email))


@lru_cache(maxsize=1024)
def _find(marks: tuple[IdentityMark, ...], role: str, person: Person) -> tuple[IdentityMark, ...]:
    """Few people make most commits of a history."""
    return tuple(mark for mark in marks if role in mark.roles and _is_person(mark, person))


def _is_person(mark: IdentityMark, person: Person) -> bool:
    if mark.email and person.email != mark.email:
        return False
    if mark.email_pattern and not _matches(mark.email_pattern, person.email):
        return False
    return not mark.name_pattern or _matches(mark.name_pattern, person.name)


def _is_hit(trailer: Trailer, key_pattern: str, value_pattern: str) -> bool:
    return _matches(key_pattern, trailer.key) and _matches(value_pattern, trailer.value)


def _names_a_tool(value: str, words: Iterable[str]) -> bool:
    """True for `Opus 4.7` and `Claude`; lines that carry an address named people long before there were agents."""
    if "<" in value or "@" in value:
        return False
    spaced = f" {value} "
    return bool(_VERSION.search(value)) or any(f" {word} " in spaced for word in words)


def _matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
