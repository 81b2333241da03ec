"""Kotlin: JUnit, kotlin.test, kotest and Spek."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CLOSE, CONDITIONAL, PRESENT, SKIPPED, SOUGHT, TYPE
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check, matcher_check
from agentgate_git.source.languages.called import Definition, Title, title_of, units_of, words
from agentgate_git.source.languages.common import rule
from agentgate_git.source.languages.dialect import STOPS_UNLESS, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST
from agentgate_git.source.languages.helpers import is_checker
from agentgate_git.source.languages.java import STOPS, Java
from agentgate_git.source.languages.nearness import tolerance_of
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of, split
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_WORDS = words(
    "test it should expect scenario Then then withData",
    "describe context feature given Given When and group",
    "beforeTest beforeEach beforeSpec beforeAny",
)
_TABLE_BYTES = 20_000
_NEAR = pattern_of(r"\(?(.+?) plusOrMinus (.+?)\)?")
_RAISING = pattern_of(r"(?:assertFails|shouldThrow|assertThrows|shouldNotThrow|assertDoesNotThrow)\w*")
_TYPED = re.compile(rb"\b((?:assert|should|expect|verify)\w*)(<[\w.*?, ]{1,100}(?:<[\w.*?, ]{1,100}>)?>)(?=\s*[({])")
_TYPE = pattern_of(r"<(.+?)>(?:\(|\{|$)")
_IS_A = pattern_of(r"(?:\w+\.)*(assertIs(?:Not)?|shouldBe(?:Instance|Type)Of|assertInstanceOf)<(.+)>")
_TAKES_ROWS = pattern_of(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:public\s+)?fun\s+(?:`[^`\n]*`|\w+)\s*\([^()]*\)\s*$")
# Specs whose tests are titles alone.
_TITLED = pattern_of(rb"\b(?:StringSpec|FreeSpec|WordSpec)\b")
_TITLE = pattern_of(r'"(?:[^"\\\n]|\\.)*"')
_ENABLED = pattern_of(r"\b(enabled|enabledIf|enabledOrReasonIf|ignored)=\{?((?:[^,(){}]|\([^()]*\))+)")


class Kotlin(Java):
    """The dialect of JUnit on Kotlin, and of kotest."""

    name = "kotlin"
    grammar = "kotlin"
    query = "kotlin"
    stops = (*STOPS, rule(r"(?:\w+\.)*assume", SKIPPED, STOPS_UNLESS), rule(r"pending", SKIPPED))
    throws = pattern_of(r"\b(?:SkipException|TestAbortedException|AssumptionViolatedException)\b")
    keeps = pattern_of(r"(?:kotlin\.)?runCatching|catchThrowable")
    detaches = pattern_of(r"(?:\w+\.)*GlobalScope\.(?:launch|async)|CoroutineScope\(.*\)\.(?:launch|async)|thread")
    quits = pattern_of(r"(?:System\.exit|exitProcess|Runtime\.getRuntime\(\)\.(?:exit|halt))\(0\)")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        yield from super().units(code, path)
        for unit in units_of(self._definitions(code)):
            rows = _rows(code, unit)
            yield unit._replace(rows=rows) if rows else unit

    def prepare(self, data: bytes) -> bytes:
        """The grammar takes `assertIs<Foo>(x)` for two comparisons: without the type it is a call."""
        return _TYPED.sub(lambda found: found[1] + b" " * len(found[2]), data)

    def by_name(self, code: Code, name: str, types: list[Item]) -> str:
        del code
        return LOOSE if types and name not in ("setUp", "tearDown", "main", "toString") else NO_TEST

    def may_have_rows(self, code: Code, item: Item, name: str) -> bool:
        head = code.text(Span(item.start, (item.part("body") or item.span).start))
        return _TAKES_ROWS.search(head) is not None and not is_checker(name)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind == "infix":
            operator = code.text(item.part("op"))
            if operator.startswith("should"):
                left, right = code.normal(item.part("left")), code.normal(item.part("right"))
                text = f"{left} {operator} {right}"
                near = _NEAR.fullmatch(right)
                if near is not None:
                    yield Check(text, left, "is near", near[1], CLOSE, tolerance_of(near[2]))
                    return
                name = "equals" if operator in ("shouldBe", "shouldNotBe") else operator
                yield matcher_check(text, left, name, (right,), is_negative="Not" in operator)
            return
        name = code.normal(item.part("name"))
        subject, _, last = name.rpartition(".")
        if item.kind == "call" and subject and last.startswith("should"):
            arguments = self.arguments(code, item)
            yield matcher_check(f"{name}({','.join(arguments)})", subject, last, arguments, is_negative=False)
        elif item.kind == "call" and name in ("checkNotNull", "requireNotNull") and item.part("args") is not None:
            arguments = self.arguments(code, item)
            yield Check(f"{name}({','.join(arguments)})", arguments[0] if arguments else "", name, "", PRESENT)
        elif item.kind == "call" and "block" in item.parts and _RAISING.match(name):
            block = item.part("block") or item.span
            thrown = _TYPE.match(code.normal(Span(item.start, block.start)).removeprefix(name.partition("<")[0]))
            kind = thrown[1] if thrown else ""
            yield Check(f"{name}{kind}", code.normal(block), name.partition("<")[0], kind, SOUGHT)
        elif item.kind == "call" and (asked := _IS_A.fullmatch(self.callee(code, item))):
            arguments = self.arguments(code, item)
            text = f"{asked[0]}({','.join(arguments)})"
            yield Check(text, arguments[0] if arguments else "", asked[1], asked[2], TYPE)
        else:
            yield from super().checks(code, item)

    def called(self, code: Code, item: Item) -> str:
        return code.text(item.part("op")) if item.kind == "infix" else super().called(code, item)

    def _definitions(self, code: Code) -> Iterator[Definition]:
        for item in code.items:
            if item.kind != "call" or "block" not in item.parts:
                continue
            called = item.part("name")
            inner = next((one for one in code.inside(called) if one.kind == "call" and one.start == item.start), None)
            settings = ""
            callee = code.normal(called)
            if inner is not None and ".config(" in callee:
                settings = callee[callee.index(".config(") :]
                inner = next(
                    (
                        one
                        for one in code.inside(called)
                        if one.kind == "call" and one.start == item.start and code.text(one.part("name")) in _WORDS
                    ),
                    None,
                )
            if inner is None:
                name = code.text(called)
                if name.startswith('"') and _TITLED.search(code.data) is not None:
                    told_first = _TITLE.match(name)
                    title = title_of(told_first[0] if told_first is not None else name)
                    off = (Effect(SKIPPED, "!", item.line),) if title.startswith("!") else ()
                    off = (*_settings(code, settings, item.line), *off)
                    focus = title[:2] if title.startswith("f:") else ""
                    told = Title(title, item.part("block"), off, focus)
                    yield Definition(item, item.span, _WORDS["test"], title, told)
                    continue
                if name in _WORDS and _WORDS[name].kind == "hook":
                    yield Definition(item, item.span, _WORDS[name], name, Title("", item.part("block")))
                continue
            name = code.text(inner.part("name"))
            word = _WORDS.get(name)
            arguments = code.arguments(inner)
            if word is None or not arguments:
                continue
            if name == "withData":
                yield Definition(item, item.span, word, name, Title(name, item.part("block")))
                continue
            title = title_of(code.text(span_of(arguments[0])))
            if not title or not code.text(span_of(arguments[0])).startswith('"'):
                continue
            effects = tuple(_settings(code, settings, item.line))
            effects = (*effects, *((Effect(SKIPPED, "!", item.line),) if title.startswith("!") else ()))
            focus = title[:2] if title.startswith("f:") else ""
            yield Definition(item, item.span, word, name, Title(title, item.part("block"), effects, focus))


def _rows(code: Code, unit: Unit) -> tuple[str, ...]:
    """What `withData` hands to its block, one after another."""
    inner = (one for one in code.inside(unit.span) if one.kind == "call" and one.start == unit.span.start)
    args = next((one.part("args") for one in inner if code.text(one.part("name")) == "withData"), None)
    text = code.normal(args)[1:-1] if args is not None and args.end - args.start < _TABLE_BYTES else ""
    rows = split(re.sub(r"^(?:listOf|sequenceOf|setOf|mapOf)\((.*)\)$", r"\1", text, flags=re.DOTALL))
    return tuple(row for row in rows if not row.startswith(("nameFn=", "{")))


def _settings(code: Code, settings: str, line: int) -> Iterator[Effect]:
    """What `.config(enabled = false)` does."""
    for key, value in _ENABLED.findall(settings):
        condition = value if key == "ignored" else f"!({value})"
        verdict = truth(condition, code.constants)
        if verdict != NEVER:
            yield Effect(SKIPPED if verdict == ALWAYS else CONDITIONAL, f"{key}={value}"[:80], line, condition[:120])
