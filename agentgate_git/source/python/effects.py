"""What keeps a test from running: one effect per marker or statement, and how several add up."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from agentgate_git.model.inventory import CONDITIONAL, EXPECTED_FAIL, NOT_COLLECTED, RUNS, SKIPPED
from agentgate_git.model.record import Record
from agentgate_git.source.python.conditions import ALWAYS, NEVER

_STRENGTH = (RUNS, CONDITIONAL, EXPECTED_FAIL, SKIPPED, NOT_COLLECTED)
# What holds other statements, and where, in the order in which these are written.
_BLOCKS = ("body", "cases", "handlers", "orelse", "finalbody")
_COMPOUND = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.match_case),
)
_INDENT = 4
# How a condition begins that hangs on what is installed: asked within another one, it is a part of it.
_NEEDS_MODULE = ("cannot import ", "except ImportError ", "except ModuleNotFoundError ")


class Effect(Record):
    """What one marker or statement does to a test.

    `state` is one of inventory.STATES; `marker` is how a reader would write it; `line` where it stands;
    `condition` what it hangs on. `runs` with a condition is a guard that never holds where the gate runs.
    """

    state: str
    marker: str
    line: int
    condition: str = ""


def guarded(effect: Effect, verdict: str, condition: str) -> Effect:
    """The effect when it happens only under a condition with the given verdict (conditions.truth)."""
    if verdict == ALWAYS:
        return effect
    joined = " and " if effect.condition.startswith(_NEEDS_MODULE) else "; "
    text = f"{condition}{joined}{effect.condition}" if effect.condition else condition
    is_inert = verdict == NEVER or effect.state == RUNS
    return effect._replace(state=RUNS if is_inert else CONDITIONAL, condition=text)


def is_certain(effect: Effect) -> bool:
    """True when the effect stops the test wherever it runs."""
    return effect.state not in (RUNS, CONDITIONAL)


class Shared:
    """Effects that several tests are under, to which those of each are added in time that is theirs alone."""

    def __init__(self, effects: Iterable[Effect]) -> None:
        self._effects = dict.fromkeys(effects)
        self._first: dict[str, Effect] = {}
        for effect in self._effects:
            self._first.setdefault(effect.state, effect)
        listed = (effect.condition for effect in self._effects if effect.state == CONDITIONAL)
        self._conditions = dict.fromkeys(listed)
        self._text = "; ".join(self._conditions)

    def total(self, own: Iterable[Effect], line: int) -> Effect:
        """All of them and a test's `own` as one, as `total` makes it."""
        more = [effect for effect in dict.fromkeys(own) if effect not in self._effects]
        states = self._first.keys() | {effect.state for effect in more}
        if not states:
            return Effect(RUNS, "", line)
        strongest = next(state for state in reversed(_STRENGTH) if state in states)
        first = self._first.get(strongest) or next(effect for effect in more if effect.state == strongest)
        if strongest != CONDITIONAL:
            return first
        asked = dict.fromkeys(effect.condition for effect in more if effect.state == CONDITIONAL)
        added = [one for one in asked if one not in self._conditions]
        if not added:
            return first._replace(condition=self._text)
        return first._replace(condition="; ".join((self._text, *added) if self._conditions else added))


def total(effects: Iterable[Effect], line: int) -> Effect:
    """All effects on one test as one: the strongest, with every condition when the strongest is conditional."""
    return Shared(effects).total((), line)


def written(node: ast.AST, limit: int = 200) -> str:
    """An expression or statement as a reader would write it, cut at `limit` characters."""
    try:
        text = ast.unparse(_beginning(node, limit)[0] if isinstance(node, _COMPOUND) else node)
    except ValueError:  # a number of more digits than Python writes
        text = f"the {type(node).__name__} on line {getattr(node, 'lineno', 0)}"
    return text if len(text) <= limit else text[:limit] + "…"


def _beginning(node: ast.AST, room: int, indent: int = 0) -> tuple[ast.AST, int]:
    """A statement without those in it that are written behind `room` characters, and what is left of these.

    Statements that hold one another would else be written as often as they are deep.
    """
    if not isinstance(node, _COMPOUND):
        return node, room
    short = type(node)(**vars(node))
    for field in _BLOCKS:
        kept: list[ast.AST] = []
        for inner in getattr(node, field, ()):
            if room < 0:
                kept.append(ast.Pass())
                break
            shortest = len("try:\n") if isinstance(inner, _COMPOUND) else len("a\n")
            one, room = _beginning(inner, room - indent - shortest, indent + _INDENT)
            kept.append(one)
        setattr(short, field, kept)
    return short, room
