"""Tests that write the very file which they are held against, before they read it, and that nobody asked to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.dialect import HOOK
from agentgate_git.source.languages.engine import Engine
from agentgate_git.source.languages.guards import Guards
from agentgate_git.source.languages.nesting import within
from agentgate_git.source.languages.syntax import Code, Item, Span, split
from agentgate_git.source.python.conditions import ALWAYS

GOLDEN = "hook.golden"

_MAY = pattern_of(rb"[wW]rite|put_contents")
_WRITES = pattern_of(
    r"(?:(?:\w+\.)*(?:WriteFile|writeFileSync|writeFile|writeString|writeText|WriteAllText|WriteAllBytes|writeAsString\w*)"
    r"|File\.write!?|IO\.write|fs::write|std::fs::write|file_put_contents|Files\.write)"
)
_READS = r"(?:[rR]ead\w*|get_contents|load\w*|slurp|open)\W"
# Whoever runs the test has asked to have it written anew.
_ASKED = pattern_of(
    r"(?i)updat|regen|record|bless|flag|env|overwrite|rebase|accept|refresh|exist|IsNotExist|missing|argv"
)
_ON = pattern_of(r"(?:\w+\.)?(?:Bool|BoolP)\(\"[^\"]*\"(?:,\"[^\"]*\")?,true\b|true$")
_BOUND_ON = pattern_of(rb"\bBoolVarP?\(&(\w+), ?\"[^\"\n]*\"(?:, ?\"[^\"\n]*\")?, ?true\b")
_NEGATED = pattern_of(r"!|==false|not ")
_NAME = pattern_of(r"[A-Za-z_$][\w$]*")
_MAX_NAMES = 10
_KEPT = pattern_of(r"(?i)golden|snap|expected|testdata|fixture|approved|reference|baseline|\bwant")


def golden_traits(code: Code, engine: Engine) -> Iterator[Trait]:
    """One trait for each write of a file that its test reads and that it is compared with."""
    if _MAY.search(code.data) is None:
        return
    guards = Guards(code)
    for name, body in _bodies(engine):
        for item in code.inside(body):
            if item.kind != "call" or not _WRITES.fullmatch(code.normal(item.part("name"))):
                continue
            target = _target(code, item)
            rest = code.text(body._replace(start=item.end))
            if target and _is_read(target, rest) and not _is_asked(code, guards, item, body):
                yield Trait(GOLDEN, f"{code.normal(item.part('name'))}({target})", item.line, name)


def _bodies(engine: Engine) -> Iterator[tuple[str, Span]]:
    """The bodies of the tests of a file, and of the functions that they call, each by the name of a test."""
    callers: dict[str, str] = {}
    for unit in engine.units:
        if unit.kind != HOOK and unit.body is not None:
            yield unit.name, unit.body
            for name in engine.body(unit).calls:
                callers.setdefault(name, unit.name)
    for name, item in engine.local.items():
        body = item.part("body")
        if body is not None and name in callers and not any(above.kind == "function" for above in item.above()):
            yield callers[name], body


def _target(code: Code, item: Item) -> str:
    """What is written: a path that stands there, or a name that says that something is held against it."""
    given = split(code.normal(item.part("args"))[1:-1])
    told = given[0] if given else ""
    bound = code.constants.get(told, "")
    return told if len(told) < 200 and _KEPT.search(f"{told} {bound}") else ""


def _is_read(target: str, rest: str) -> bool:
    quoted = re.escape(target).replace('"', "['\"]")
    return re.search(rf"{_READS}[^\n;]{{0,80}}?{quoted}", rest) is not None


def _is_asked(code: Code, guards: Guards, item: Item, body: Span) -> bool:
    """True for a write under a condition that somebody has to ask for, or under one that the file is not there."""
    for above in within(item, body):
        if above.kind in ("if", "unless"):
            guard = guards.guard(above, item)
            if guard is not None and _ASKED.search(guard[0]) and not _is_on(code, guard):
                return True
    return False


def _is_on(code: Code, guard: tuple[str, str]) -> bool:
    """True for a condition that holds where nobody asks: a constant, or a flag that is on unless it is switched off."""
    text, verdict = guard
    if verdict == ALWAYS:
        return True
    names = _NAME.findall(text)[:_MAX_NAMES] if not _NEGATED.search(text) else []
    return any(_ON.match(code.constants.get(name, "")) or name in code.once(_switched_on) for name in names)


def _switched_on(code: Code) -> frozenset[str]:
    """The variables of a file that a flag of Go sets unless it is switched off."""
    return frozenset(one.decode() for one in _BOUND_ON.findall(code.data))
