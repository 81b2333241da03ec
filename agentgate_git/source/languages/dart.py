"""Dart and Flutter: package test and flutter_test."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL, SKIPPED, TYPE
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.called import Definition, Title, Word, title_of, units_of, words
from agentgate_git.source.languages.common import CommonDialect, matcher_text_check, rule
from agentgate_git.source.languages.dialect import Unit
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_WORDS = {**words("test testWidgets testGoldens blocTest patrolTest", "group", "setUp setUpAll")}
_FOCUS = {"solo_test": "test", "solo_group": "group", "skip_test": "test", "skip_group": "group"}
_IS_A = pattern_of(r"isA<([^>]*)>\(")
_PLAIN = pattern_of(r"expect|expectLater|verify|expectAsync(?:Until)?\d?")

_FOUND = pattern_of(
    r"\b(findsNothing|findsOneWidget|findsOne|findsWidgets|findsAny|findsNWidgets|findsExactly)\b(?:\((\d+)\))?"
)
# What a future comes to, which is waited for.
_LATER = pattern_of(r"completion\((?:equals\((.+)\)|(.+))\)", re.DOTALL)
_COMPARATOR = pattern_of(rb"\bgoldenFileComparator\s*=\s*[^;\n]{1,80}")
_AGREES = pattern_of(
    rb"\bcompare\([^()]{0,200}\)\s*(?:async\s*)?"
    rb"(?:=>\s*(?:true|(?:Future\.value|SynchronousFuture)\(true\))|\{\s*return (?:Future\.value\()?true)"
)


class Dart(CommonDialect):
    """The dialect of `dart test` and `flutter test`."""

    name = "dart"
    grammar = "dart"
    query = "dart"
    stops = (rule(r"markTestSkipped", SKIPPED),)
    fails = pattern_of(r"throw\b|fail\(")
    quits = pattern_of(r"exit\(0\)|exitCode=0")
    refails = pattern_of(r"\b(?:throw|rethrow|fail|expect\w*)\b")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        del path
        everywhere = tuple(_file_effects(code))
        for unit in units_of(self._definitions(code)):
            yield unit._replace(effects=(*unit.effects, *everywhere))

    def callee(self, code: Code, item: Item) -> str:
        first = item.node
        while first.prev_sibling is not None and first.prev_sibling.type in ("selector", "identifier", "this"):
            first = first.prev_sibling
        args = item.part("args")
        if args is None or args.start - first.start_byte > 2_000:
            return ""
        return code.normal(Span(first.start_byte, args.start)).removeprefix("await ")

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind != "call":
            return
        name = self.callee(code, item)
        if _PLAIN.fullmatch(name):
            arguments = tuple(one for one in self.arguments(code, item) if not re.match(r"(?:reason|skip):", one))
            text = f"{name}({','.join(arguments)})"
            if len(arguments) > 1 and (asked := _IS_A.match(arguments[1])):
                yield Check(text, arguments[0], "is", asked[1], TYPE)
                return
            if len(arguments) > 1 and (later := _LATER.fullmatch(arguments[1])) is not None:
                arguments = (arguments[0], later[1] or later[2])
            if len(arguments) > 1:
                matcher = _FOUND.sub(lambda found: _counted(found[1], found[2]), arguments[1])
                yield matcher_text_check(text, arguments[0], matcher, is_negative=False)

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        """A comparison of golden files that finds all of them equal."""
        yield from super().hooks(code, path)
        found = _COMPARATOR.search(code.data) if b"goldenFileComparator" in code.data else None
        if found is not None and _AGREES.search(code.data) is not None and code.items:
            at = next((one for one in reversed(code.items) if one.start <= found.start() < one.end), code.items[0])
            yield "hook.outcome", at, found[0].decode("utf-8", "replace")

    def _definitions(self, code: Code) -> Iterator[Definition]:
        for item in code.items:
            if item.kind != "call":
                continue
            name = self.callee(code, item)
            word = _WORDS.get(_FOCUS.get(name, name))
            if word is None:
                continue
            if name in _FOCUS:
                word = Word(word.kind, SKIPPED if name.startswith("skip") else "", is_focus=name.startswith("solo"))
            arguments = code.arguments(item)
            lambdas = [one for one in code.inside(item.part("args")) if one.kind == "lambda"]
            body = lambdas[0].part("body") if lambdas else None
            title = title_of(code.text(span_of(arguments[0]))) if arguments and word.kind != "hook" else ""
            effects, focus = _named(code, [code.normal(span_of(node)) for node in arguments], item.line)
            yield Definition(item, item.span, word, name, Title(title, body, effects, focus))


def _counted(matcher: str, number: str | None) -> str:
    """How many widgets a matcher of flutter wants, as matchers of other things say it."""
    told = {"findsNothing": "hasLength(0)", "findsOneWidget": "hasLength(1)", "findsOne": "hasLength(1)"}.get(matcher)
    return told or (f"hasLength({number})" if number else "isNotEmpty")


def _named(code: Code, arguments: list[str], line: int) -> tuple[tuple[Effect, ...], str]:
    effects: list[Effect] = []
    focus = ""
    for text in arguments:
        key, colon, value = text.partition(":")
        if key == "onPlatform" and (found := re.search(r'"(?:vm|linux|posix)[^"]*":[^,}]*\bSkip\(', value)):
            effects.append(Effect(SKIPPED, found[0][:80], line))
        if not colon or key not in ("skip", "solo", "testOn"):
            continue
        verdict = ALWAYS if value.startswith('"') else truth(value, code.constants)
        if key == "solo":
            focus = text if verdict == ALWAYS else ""
        elif key == "testOn":
            is_here = re.search(r"\b(?:vm|linux|posix)\b", value) is not None and "!" not in value
            effects.extend(() if is_here else (Effect(CONDITIONAL, text[:80], line, text[:120]),))
        elif verdict != NEVER:
            is_certain = verdict == ALWAYS
            effects.append(Effect(SKIPPED if is_certain else CONDITIONAL, text[:80], line, "" if is_certain else value))
    return tuple(effects), focus


def _file_effects(code: Code) -> Iterator[Effect]:
    for item in code.items:
        if item.kind == "marker":
            text = code.normal(item.span)
            if re.match(r"@Skip\b", text):
                yield Effect(SKIPPED, text[:80], item.line)
