"""Under which conditions the statements of a hook stand, and whether a condition picks tests by their own names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.names import Function, TooTangled
from agentgate_git.source.python.walk import Spot

_NAMED = pattern_of(r"\bname(?:\.\w+\(| ==| in )[^)]*'")
_MAX_NESTING = 20
_COMPARES = frozenset(("startswith", "endswith", "search", "match", "fullmatch", "fnmatch", "fnmatchcase"))
_OWN_NAMES = (
    ".nodeid",
    ".name",
    ".originalname",
    ".fspath",
    ".location",
    ".path",
    "__name__",
    ".id()",
    "_testMethodName",
)


class Guards(Record):
    """The conditions that a statement stands under, by what is asked of them: there may be very many.

    `picks` and `is_named` say that one of them compares names of tests, `is_passed` that one asks for "passed",
    `is_plain` that one is more than a loop, `asks_loader` that one asks a loader for names of tests, and `is_quoted`
    that one holds a text.
    """

    is_any: bool = False
    picks: bool = False
    is_named: bool = False
    is_passed: bool = False
    is_plain: bool = False
    asks_loader: bool = False
    is_quoted: bool = False

    def under(self, guard: str) -> Guards:
        """One condition more."""
        return Guards(
            is_any=True,
            picks=self.picks or picks_tests(guard),
            is_named=self.is_named or _NAMED.search(guard) is not None,
            is_passed=self.is_passed or "passed" in guard,
            is_plain=self.is_plain or not guard.startswith("for "),
            asks_loader=self.asks_loader or "getTestCaseNames" in guard,
            is_quoted=self.is_quoted or "'" in guard,
        )

    @property
    def is_by_name(self) -> bool:
        """True for names of tests as a loader gives them, and a text that they are held against."""
        return self.asks_loader and self.is_quoted


def guarded(body: list[ast.stmt], guards: Guards, depth: int = _MAX_NESTING) -> Iterator[tuple[ast.stmt, Guards]]:
    """The statements of a hook, each with the conditions it stands under."""
    for statement in body:
        if not depth:
            raise TooTangled("the statements of a hook are nested too deeply to be followed")
        yield statement, guards
        match statement:
            case ast.If(test=test, body=then):
                yield from _branches(statement, guards, depth - 1)
                if isinstance(then[-1], ast.Return):
                    guards = guards.under(f"not ({written(test)})")
            case ast.For(iter=items, body=inner):
                yield from guarded(inner, guards.under(f"for {written(items, 60)}"), depth - 1)
            case ast.While(test=test, body=inner):
                yield from guarded(inner, guards.under(written(test)), depth - 1)
            case ast.With(body=inner):
                yield from guarded(inner, guards, depth - 1)
            case ast.Try(body=inner, orelse=otherwise, finalbody=final):
                yield from guarded([*inner, *otherwise, *final], guards, depth - 1)
                for handler in statement.handlers:
                    yield from guarded(handler.body, guards.under("except"), depth - 1)


def _branches(statement: ast.If, guards: Guards, depth: int) -> Iterator[tuple[ast.stmt, Guards]]:
    """The branches of an `if`; those of its `elif` lie as deep as its own."""
    while True:
        test = written(statement.test)
        yield from guarded(statement.body, guards.under(test), depth)
        guards = guards.under(f"not ({test})")
        first = statement.orelse[0] if len(statement.orelse) == 1 else None
        if not isinstance(first, ast.If):
            yield from guarded(statement.orelse, guards, depth)
            return
        statement = first
        yield statement, guards


def picks_tests(condition: str) -> bool:
    """True for a condition that picks tests by their own names."""
    has_literal = "'" in condition or '"' in condition
    is_option = any(word in condition for word in ("getoption", "getini", "environ", "getenv"))
    return has_literal and not is_option and any(name in condition for name in _OWN_NAMES)


def is_told(function: Function, spot: Spot) -> bool:
    """`names_tests` of a whole hook, which is asked for each of its statements."""
    key = ("names tests", id(function))
    if key not in spot.memo:
        spot.memo[key] = names_tests(function)
    return bool(spot.memo[key])


def names_tests(node: ast.AST) -> bool:
    """True for code that compares names of tests with literals."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Compare) and picks_tests(written(inner)):
            return True
        if isinstance(inner, ast.Call) and last(inner.func) in _COMPARES and picks_tests(written(inner)):
            return True
    return False
