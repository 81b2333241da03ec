"""Scala: ScalaTest, MUnit, specs2 and JUnit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CLOSE, CONDITIONAL, EXACT, EXPECTED_FAIL, SKIPPED, SOUGHT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check, matcher_check
from agentgate_git.source.languages.called import Definition, Title, Word, title_of, units_of
from agentgate_git.source.languages.common import matcher_text_check, rule
from agentgate_git.source.languages.dialect import HOOK, STOPS_UNLESS, TEST, Stop, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST
from agentgate_git.source.languages.java import Java, annotation_effects
from agentgate_git.source.languages.nearness import tolerance_of
from agentgate_git.source.languages.nesting import Holders
from agentgate_git.source.languages.syntax import Code, Item, span_of, split
from agentgate_git.source.python.effects import Effect

_CALLED = {
    **dict.fromkeys(("test", "it", "they", "property", "Scenario", "scenario", "testAsync", "example"), Word(TEST)),
    **dict.fromkeys(("ignore", "xtest"), Word(TEST, SKIPPED)),
    **dict.fromkeys(("describe", "Feature", "feature"), Word("suite")),
    **dict.fromkeys(("before", "beforeEach"), Word(HOOK)),
}
_IN = {"in": Word(TEST), "ignore": Word(TEST, SKIPPED), "is": Word(TEST, SKIPPED), "!": Word(TEST), ">>": Word(TEST)}
_SUITES = frozenset(("should", "when", "must", "can", "which", "that"))
_STATES = {"ignore": SKIPPED, "pending": SKIPPED, "fail": EXPECTED_FAIL, "flaky": CONDITIONAL, "only": ""}
_NEAR = pattern_of(r"\(?(.+?) ?\+- ?([\w.]+)\)?")
_RESULT = pattern_of(r"(?:\w+\.)*(?:assertResult|expectResult)\((.+)\)", re.DOTALL)
_THROWN = pattern_of(r"(?:an?|the)\[(.+)\]|no(?:Exception|Throwable)")
_SHOULD = pattern_of(
    r"(.+?) ?\b((?:must|should)_[=!]==?|(?:should|must|shouldBe|shouldEqual|mustBe|mustEqual|shouldNot|mustNot)(?!\w))"
    r" ?(not )?(.+)",
    re.DOTALL,
)
# What specs2 is given in place of a body: `in skipped("…")`, `in pending`.
_NO_BODY = pattern_of(r"(?:skipped|pending|todo)\b")


def _curried(code: Code, item: Item) -> Check | None:
    """`assertResult(3) { f() }`, `expectResult(3)(f())`: what is expected stands in a call of its own."""
    name = item.part("name") if item.kind == "call" and item.end - item.start < 2_000 else None
    found = _RESULT.fullmatch(code.normal(name)) if name is not None else None
    if found is None:
        return None
    given = code.normal(item.part("args"))
    return Check(code.normal(item.span), given[1:-1].strip(), "==", split(found[1])[0], EXACT)


def _is_curried_head(item: Item) -> bool:
    """True for the first half of such a call."""
    outer = item.around
    name = outer.part("name") if outer is not None and outer.kind == "call" else None
    return name is not None and name == item.span


class Scala(Java):
    """The dialect of ScalaTest, and of JUnit on Scala."""

    name = "scala"
    grammar = "scala"
    query = "scala"
    stops = (
        rule(r"(?:\w+\.)*(?:cancel|pending|pendingUntilFixed|skip)", SKIPPED),
        rule(r"(?:\w+\.)*(?:assume|assumeTrue)", SKIPPED, STOPS_UNLESS),
    )
    throws = pattern_of(r"\b(?:TestCanceledException|TestPendingException|AssumptionViolatedException|SkipException)\b")
    pairs = pattern_of(r"assert\w*|intercept|expectResult")
    matched = frozenset()
    keeps = pattern_of(r"(?:scala\.util\.)?Try|catching\(.*\)\.(?:opt|either)")
    fails = pattern_of(r"throw\b|fail\(")
    quits = pattern_of(r"(?:sys\.exit|System\.exit)\(0\)|sys\.exit\(\)")
    swallows = pattern_of(
        r"\b(?:Throwable|Exception|AssertionError|TestFailedException|RuntimeException)\b|^_|^\w+$|NonFatal"
    )

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        yield from super().units(code, path)
        on_types = {one.span: tuple(self._class_effects(code, one)) for one in code.items if one.kind == "type"}
        types = Holders(on_types)
        for unit in units_of(self._definitions(code)):
            around = reversed(tuple(types.of(unit.span)))
            extra = tuple(effect for one in around for effect in on_types[one])
            yield unit._replace(effects=(*unit.effects, *extra))

    def by_name(self, code: Code, name: str, types: list[Item]) -> str:
        del code, name, types
        return NO_TEST

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        found = super().classify(code, item, marks, types, path)
        return NO_TEST if found == LOOSE else found

    def stop(self, code: Code, item: Item) -> Stop | None:
        if item.kind == "word":
            return Stop(SKIPPED, "pending") if code.text(item.span) == "pending" else None
        return super().stop(code, item)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind != "infix":
            curried = _curried(code, item)
            if curried is not None:
                yield curried
            elif not _is_curried_head(item):
                yield from super().checks(code, item)
            return
        outer = item.around
        if (outer is not None and outer.kind == "infix" and outer.start == item.start) or item.end - item.start > 2_000:
            return
        text = code.normal(item.span)
        found = _SHOULD.fullmatch(text)
        if found is None or text.startswith('"'):
            return
        subject, verb, is_not, rest = found[1], found[2], found[3], found[4].strip()
        thrown = _THROWN.fullmatch(subject)
        if thrown is not None and "thrownBy" in rest:
            called = rest.partition("thrownBy")[2].strip()
            relation = "throws" if thrown[1] else "does not throw"
            yield Check(text, called, relation, thrown[1] or "", SOUGHT)
            return
        if verb in ("should", "must"):
            matcher = re.sub(r"^(\w+) ([^(].*)$", r"\1(\2)", rest, flags=re.DOTALL)
            yield matcher_text_check(text, subject, matcher, is_negative=bool(is_not))
        elif (near := _NEAR.fullmatch(rest)) is not None:
            yield Check(text, subject, "is near", near[1], CLOSE, tolerance_of(near[2]))
        else:
            yield matcher_check(text, subject, "equals", (rest,), is_negative=verb.endswith("Not") or "!" in verb)

    def called(self, code: Code, item: Item) -> str:
        return code.text(item.part("op")) if item.kind == "infix" else super().called(code, item)

    def _class_effects(self, code: Code, item: Item) -> Iterator[Effect]:
        for mark in code.inside(item.span):
            if mark.kind == "marker" and mark.around is item:
                yield from annotation_effects(code.normal(mark.span), mark.line)

    def _definitions(self, code: Code) -> Iterator[Definition]:
        for item in code.items:
            if item.kind == "call":
                yield from self._called(code, item)
            elif item.kind == "infix":
                yield from self._infix(code, item)

    def _called(self, code: Code, item: Item) -> Iterator[Definition]:
        block = item.parts.get("args")
        if block is None or block.type != "block":
            return
        inner = next(
            (one for one in code.inside(item.part("name")) if one.kind == "call" and one.start == item.start), None
        )
        if inner is None:
            name = code.text(item.part("name"))
            if name in ("before", "beforeEach"):
                yield Definition(item, item.span, _CALLED[name], name, Title("", span_of(block)))
            return
        name = code.text(inner.part("name"))
        arguments = code.arguments(inner)
        if name not in _CALLED or not arguments:
            return
        text = code.normal(span_of(arguments[0]))
        effects = [Effect(_STATES[tag], f".{tag}", item.line) for tag in _STATES if f".{tag}" in text and _STATES[tag]]
        focus = ".only" if ".only" in text else ""
        title = title_of(
            code.text(span_of(arguments[0])).partition('".')[0] + '"'
            if '".' in text
            else code.text(span_of(arguments[0]))
        )
        yield Definition(item, item.span, _CALLED[name], name, Title(title, span_of(block), tuple(effects), focus))

    def _infix(self, code: Code, item: Item) -> Iterator[Definition]:
        operator = code.text(item.part("op"))
        left, right = item.part("left"), item.parts.get("right")
        if right is None or left is None:
            return
        is_block = right.type in ("block", "call_expression", "instance_expression")
        if not is_block and (operator not in _IN or right.type != "identifier"):
            return
        text = code.normal(left)
        if '"' not in text:
            return
        given = code.text(span_of(right))[:40]
        if operator in _IN and _NO_BODY.match(given):
            effect = Effect(SKIPPED, given.splitlines()[0], item.line)
            title = " ".join(part.strip() for part in re.findall(r'"([^"]*)"', text))
            yield Definition(item, item.span, Word(TEST), operator, Title(title, span_of(right), (effect,)))
            return
        if right.type != "block" and (operator not in _IN or "{" not in code.text(span_of(right))):
            return
        title = " ".join(part.strip() for part in re.findall(r'"([^"]*)"', text))
        if operator in _IN:
            state = _IN[operator].state if operator != "is" else SKIPPED
            yield Definition(item, item.span, Word(TEST, state), operator, Title(title, span_of(right)))
        elif operator in _SUITES:
            yield Definition(item, item.span, Word("suite"), operator, Title(title, span_of(right)))
