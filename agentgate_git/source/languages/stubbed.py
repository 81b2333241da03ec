"""Answers that a test tells an object to give: to assert one of them of that object says nothing of the code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.nesting import Holders
from agentgate_git.source.languages.syntax import Code, Span

TELLS_ITSELF = "it answers what the test tells it to"
_LONG = 400
_MAY = pattern_of(
    rb"[rR]eturn|and_return|\.stub|thenAnswer|answers|\.On\(|spyOn|mock\.method|\bstub\(|\.fn\("
    rb"|\w\.\w+ ?= ?(?:async ?)?\("
)
_OBJECT = r"(\$?[A-Za-z_]\w*)"
_AT = r"\s{0,80}(?:\.|->|\?\.)\s{0,80}"
_ANSWERS = (
    r"and\.(?:return\w+|callFake|resolveTo|throwError)|mock(?:Return|Resolved|Rejected|Implementation)\w*"
    r"|returns|callsFake|resolves|throws"
)
_STUBS = tuple(
    pattern_of(pattern)
    for pattern in (
        # Mockito, mocktail: `when(spied.total())`, `doReturn(3).when(spied).total()`
        rf"(?<![\w.])(?:when|whenever|given|`when`)\(\s{{0,80}}(?:\(\)\s?=>\s?|\{{\s?)?{_OBJECT}{_AT}(\w+)",
        rf"\.(?:when|whenever|given|`when`)\(\s{{0,80}}{_OBJECT}\s{{0,80}}\){_AT}(\w+)",
        # MockK: `every { spied.total() } returns 3`
        rf"\b(?:co)?[eE]very\s?\{{\s{{0,80}}{_OBJECT}{_AT}(\w+)",
        # Moq, NSubstitute, FakeItEasy
        rf"(?<![\w.]){_OBJECT}\.Setup(?:Get|Sequence)?\(\s{{0,80}}\w+\s?=>\s?\w+\.(\w+)",
        rf"(?<![\w.]){_OBJECT}\.(\w+)\([^;\n]{{0,200}}?\)\s{{0,80}}\.Returns(?:Async|ForAnyArgs)?\(",
        rf"\bA\.CallTo\(\s{{0,80}}\(\)\s?=>\s?{_OBJECT}\.(\w+)",
        # PHPUnit, Mockery, Prophecy
        rf"{_OBJECT}(?:{_AT}expects\([^;]{{0,120}}?\))?{_AT}method\(\s?['\"](\w+)",
        rf"{_OBJECT}{_AT}(?:shouldReceive|allows|expects)\(\s?['\"](\w+)",
        rf"{_OBJECT}->(\w+)\([^;\n]{{0,200}}?\)\s{{0,80}}->will(?:Return|Throw)\(",
        # RSpec, minitest
        rf"\b(?:allow|expect)\(\s?{_OBJECT}\s?\)\.to\s+receive\(\s?:(\w+)",
        rf"(?<![\w.]){_OBJECT}\.stubs?[ (]\s?:(\w+)",
        # testify, gomock
        rf"(?<![\w.]){_OBJECT}\.On\(\s?\"(\w+)",
        rf"(?<![\w.]){_OBJECT}\.EXPECT\(\)\.(\w+)",
        # jasmine, jest, vitest, sinon, node:test
        rf"\b(?:spyOn|spyOnProperty|stub)\(\s?{_OBJECT}\s?,\s?['\"](\w+)['\"][^;\n)]{{0,40}}\)\s{{0,80}}\.(?:{_ANSWERS})\(",
        rf"\bmock\.method\(\s?{_OBJECT}\s?,\s?['\"](\w+)['\"]\s?,",
        rf"(?<![\w.]){_OBJECT}\.(\w+)\s?=\s?(?:jest|vi|sinon)\.(?:fn|stub)\(",
        rf"(?<![\w.]){_OBJECT}\.(\w+)\s?=\s?(?:async\s?)?\([^()\n]*\)\s?=>\s?(?:[\[\"'`\d]|\(\s?\{{|true\b|false\b|null\b)",
        # ScalaMock
        rf"\(\s?{_OBJECT}\.(\w+) _\)\.(?:when|expects|stubs)\(",
    )
)
# What stands between an object and what is called on it, and gives the object itself.
_ITSELF = pattern_of(r"(?<=\w)(?:\.Object|->reveal\(\)|\.object|\.instance)(?=\.|->)")
_CALL = pattern_of(r"(?:await |try[?!]? )*(\$?[A-Za-z_]\w*)(?:\.|->|\?\.|::)(\w+)[?!]?(?:\(.*\))?", re.DOTALL)
_REAL = pattern_of(
    r"call_original|wrap_original|[cC]allRealMethod|callOriginal|CallBase\(\)|passthru|callThrough|andCallThrough"
)
_BEFORE = 40
_BEHIND = 160
_DEPTH = 20
_EXPECTED = frozenset(("when", "Setup", "Received", "verify", "expect", "On", "EXPECT"))


class Stubs:
    """The answers that tests of one file tell objects to give."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._has_any = _MAY.search(code.data) is not None
        self._told: dict[Span, frozenset[tuple[str, str]]] = {}
        self._before: dict[Span, set[tuple[str, str]]] = {}
        self._around = Holders(())

    def add_hooks(self, hooks: Iterable[tuple[Span, Span]]) -> None:
        """Set-ups of the file, each with what it stands in: what they tell objects holds for the tests in there."""
        for scope, body in hooks if self._has_any else ():
            if told := self._in(body):
                self._before.setdefault(scope, set()).update(told)
        self._around = Holders(self._before)

    def reason(self, check: Check, body: Span) -> str:
        """Why a check says nothing of the code: its subject is a call that the same test gives the answer of."""
        if not self._has_any or not check.subject or len(check.subject) > _LONG:
            return ""
        if "called" in check.relation.lower():
            return ""  # that the code calls it is no answer of it
        asked = self._called(check.subject) or self._called(self._code.constants.get(check.subject, ""))
        if asked is None:
            return ""
        is_told = asked in self._in(body) or any(
            asked in self._before[scope] for scope in islice(self._around.of(body), _DEPTH)
        )
        return TELLS_ITSELF if is_told else ""

    @staticmethod
    def _called(text: str) -> tuple[str, str] | None:
        found = _CALL.fullmatch(_ITSELF.sub("", text)) if text and len(text) <= _LONG else None
        return (found[1], found[2]) if found is not None and found[2] not in _EXPECTED else None

    def _in(self, body: Span) -> frozenset[tuple[str, str]]:
        if body not in self._told:
            self._code.spend(body.end - body.start)
            text = self._code.text(body)
            found = (one for pattern in _STUBS for one in pattern.finditer(text))
            self._told[body] = frozenset((one[1], one[2]) for one in found if not _is_real(text, one))
        return self._told[body]


def _is_real(text: str, stub: re.Match[str]) -> bool:
    """True for a call that is only watched, and answered by the code itself."""
    return _REAL.search(text, max(0, stub.start() - _BEFORE), stub.end() + _BEHIND) is not None
