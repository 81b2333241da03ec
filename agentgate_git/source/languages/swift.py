"""Swift: XCTest, Swift Testing, Quick and Nimble."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL, EXPECTED_FAIL, NOT_COLLECTED, SKIPPED, SOUGHT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check, condition_check, strictly
from agentgate_git.source.languages.common import matcher_text_check, rule
from agentgate_git.source.languages.dialect import HOOK, STOPS_IF, STOPS_UNLESS, TEST, Stop, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST, FunctionDialect
from agentgate_git.source.languages.helpers import is_checker
from agentgate_git.source.languages.listed import OPEN, rows_in
from agentgate_git.source.languages.preprocessed import Regions, symbols_of
from agentgate_git.source.languages.syntax import Code, Item, Span, split
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_SYSTEM = pattern_of(r"\bos\((\w+)\)")
# A class of tests says so by what it inherits, straight or through a base of the project's own, or by what it extends.
_CASE = pattern_of(r":[^{]*\b\w*(?:TestCase|TestsBase|Tests?)\b|^(?:\w+ )*extension \w*(?:TestCase|Tests)\b")
_FULFILLED = pattern_of(r"\b(\w+)\.fulfill\(")
_LONG = 4_000
INVERTED = "the expectation that is met there is to be missed"
_ZIP = pattern_of(r"zip\((.*)\)", re.DOTALL)
_NO_ARGUMENTS = pattern_of(r"\barguments:(?:zip\()?\[\](?: as \[[\w.]+\])?[,)]")
_PLACED = pattern_of(r":\s*StaticString\s*=\s*#file\w*|:\s*SourceLocation\s*=\s*#_sourceLocation")
_TRAIT = pattern_of(r"\.(disabled|enabled)\((.*?)\)(?:[,)]|$)")


class Swift(FunctionDialect):
    """The dialect of XCTest and Swift Testing."""

    name = "swift"
    grammar = "swift"
    query = "swift"
    rows = pattern_of(r"@Test\([^\n]*\barguments:", re.DOTALL)
    loose_marker = "a name that XCTest does not run"
    stops = (
        rule(r"XCTSkipIf", SKIPPED, STOPS_IF),
        rule(r"XCTSkipUnless", SKIPPED, STOPS_UNLESS),
        rule(r"XCTExpectFailure|withKnownIssue", EXPECTED_FAIL),
        rule(r"Test\.cancel", SKIPPED),
    )
    throws = pattern_of(r"\bXCTSkip\b|\bTestSkip\w*")
    pairs = pattern_of(r"XCTAssert\w*|XCTUnwrap")
    expected_first = False
    fluent = frozenset(("expect",))
    fails = pattern_of(r"XCTFail\(|Issue\.record\(")
    handlers = pattern_of(r"recordFailure|record\(_ issue.*")
    quits = pattern_of(r"(?:Darwin\.|Foundation\.)?exit\((?:0|EXIT_SUCCESS)\)")
    swallows = pattern_of(r"(?!)")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        regions = Regions(code)
        for unit in super().units(code, path):
            asked = regions.asked(unit.span)
            verdict = truth(asked, {}) if asked else ALWAYS
            extra: tuple[Effect, ...] = ()
            if verdict == NEVER:
                extra = (Effect(NOT_COLLECTED, f"#if {asked}", unit.line),)
            elif verdict != ALWAYS:
                extra = (Effect(CONDITIONAL, f"if {asked}", unit.line, asked),)
            unit = unit._replace(rows=tuple(row for text in unit.rows for row in _given(text)))
            yield unit._replace(effects=(*unit.effects, *extra))

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        del path
        name = code.text(item.part("name"))
        if any(re.match(r"@Test\b", mark) for mark in marks):
            return TEST
        head = code.normal(code.head(item))
        in_case = any(_CASE.search(code.text(code.head(one))) for one in types)
        has_no_input = f"{name}()" in head
        if name in ("setUp", "setUpWithError"):
            return HOOK
        if in_case and name.startswith("test") and has_no_input:
            return LOOSE if re.search(r"\b(?:private|fileprivate|static)\b", head) else TEST
        if in_case:
            return LOOSE if has_no_input and "->" not in head and not name.startswith("tearDown") else NO_TEST
        if not code.says(b"import Testing") or is_checker(name) or "->" in head:
            return NO_TEST
        return NO_TEST if re.search(r"\b(?:private|fileprivate|static|inout)\b", head) else LOOSE

    def mark_effects(self, code: Code, mark: Item) -> Iterator[Effect]:
        text = code.normal(mark.span)
        if not text.startswith(("@Test", "@Suite")):
            return
        if _NO_ARGUMENTS.search(text):
            yield Effect(NOT_COLLECTED, "arguments: []", mark.line)
        for kind, argument in _TRAIT.findall(text):
            condition = argument.partition("if:")[2].partition(",")[0]
            verdict = (
                truth(condition if kind == "disabled" else f"!({condition})", code.constants) if condition else ALWAYS
            )
            if kind == "disabled" or condition:
                if verdict == ALWAYS:
                    yield Effect(SKIPPED, f".{kind}({argument})"[:80], mark.line)
                elif verdict != NEVER:
                    stops = condition if kind == "disabled" else f"!({condition})"
                    yield Effect(CONDITIONAL, f".{kind}", mark.line, stops[:120])

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """Conditions of compilation that the test stands under."""
        return symbols_of(effect, condition)

    def takes_test(self, code: Code, function: Item) -> bool:
        """A helper of any name that fails where it was called: `file: StaticString = #filePath`, `SourceLocation`."""
        return _PLACED.search(code.text(code.head(function))) is not None

    def callee(self, code: Code, item: Item) -> str:
        return super().callee(code, item) if "args" in item.parts else code.normal(item.part("name"))

    def stop(self, code: Code, item: Item) -> Stop | None:
        found = self._stop(code, item)
        asked = _directive_above(code, item) if found is not None else ""
        if found is None or not asked:
            return found
        verdict = truth(asked, {})
        if verdict == ALWAYS:
            return found
        return None if verdict == NEVER else found._replace(holds=STOPS_IF, condition=asked)

    def _stop(self, code: Code, item: Item) -> Stop | None:
        if item.kind == "transfer":
            text = code.normal(item.span)
            found = self.throws.search(text) if self.throws is not None and text.startswith("throw") else None
            return Stop(SKIPPED, f"throw {found[0]}") if found else None
        return super().stop(code, item)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        arguments = self.arguments(code, item)
        name = code.text(item.part("name"))
        if item.kind == "assert" and name in ("expect", "require") and arguments:
            text = f"#{name}({','.join(arguments)})"
            if arguments[0].startswith("throws:"):
                thrown = arguments[0].partition(":")[2]
                block = code.normal(Span((item.part("args") or item.span).end, item.end))
                relation = "does not throw" if thrown == "Never.self" else "throws"
                yield Check(f"{text}{block}", block, relation, thrown, SOUGHT)
            else:
                yield strictly(condition_check(text, arguments[0], name), "true")
        elif item.kind == "call" and arguments:
            callee = self.callee(code, item)
            found = re.fullmatch(r"expect(?:Async)?\((.*)\)\.(to|notTo|toNot|toEventually|toEventuallyNot)", callee)
            if found:
                text = f"{callee}({arguments[0]})"
                yield matcher_text_check(text, found[1], arguments[0], is_negative="ot" in found[2].removeprefix("to"))
            else:
                yield from super().checks(code, item)

    def void(self, code: Code, item: Item, body: Span) -> str:
        """What is asserted where an expectation is met that is to be missed."""
        if not code.says(b"isInverted"):
            return ""
        for above in item.above():
            if above.kind == "lambda" and body.holds(above.span) and above.end - above.start < _LONG:
                names = _FULFILLED.findall(code.text(above.span))
                if any(f"{name}.isInverted = true" in code.text(body) for name in names[:4]):
                    return INVERTED
        return ""

    def compared(self, arguments: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one.removeprefix("accuracy:") for one in arguments)


def _given(text: str) -> tuple[str, ...]:
    """The values that `@Test(arguments: …)` runs its test on; those of two lists side by side together."""
    given = text[:-1].partition("arguments:")[2]
    parts = split(given)
    found = _ZIP.fullmatch(given)
    lists = [rows_in(one) for one in (split(found[1]) if found is not None else parts)]
    if not lists or not all(lists):
        return (f"{OPEN}{given}",)
    return tuple(f"({','.join(row)})" for row in zip(*lists, strict=False)) if found is not None else lists[0]


def _directive_above(code: Code, item: Item) -> str:
    """What the `#if` asks that an item stands under, in words of the gate's system; empty for none."""
    asked: list[str] = []
    for one in code.items:
        if one.start >= item.start:
            break
        if one.kind != "directive":
            continue
        text = code.text(one.span).strip()
        if text.startswith("#if"):
            asked.append(text.removeprefix("#if").strip())
        elif text.startswith("#else") and asked:
            asked[-1] = f"!({asked[-1]})"
        elif text.startswith("#endif") and asked:
            asked.pop()
    if not asked:
        return ""
    return _SYSTEM.sub(lambda found: "true" if found[1] == "Linux" else "false", asked[-1])
