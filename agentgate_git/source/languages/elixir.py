"""Elixir: ExUnit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL, EXACT, PRESENT, RUNS, SKIPPED, SOUGHT, TYPE
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check, condition_check, pair_check
from agentgate_git.source.languages.called import SUITE, Definition, Title, Word, title_of, units_of
from agentgate_git.source.languages.common import CommonDialect
from agentgate_git.source.languages.dialect import HOOK, TAG_MARK, TEST, Unit, with_tags
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of, split
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_WORDS = {
    "test": Word(TEST),
    "property": Word(TEST),
    "describe": Word(SUITE),
    "defmodule": Word(SUITE),
    "setup": Word(HOOK),
    "setup_all": Word(HOOK),
}
_STRING = pattern_of(r'"[^"]*"')
# A name that a pattern binds, or leaves out, and a value in it.
_OPEN = pattern_of(r"(?<![\w:^.@%&~])[a-z_]\w*(?![\w:(.]|=>)")
_VALUE = pattern_of(r'""|\d|%|:\w|\^\w|\btrue\b|\bfalse\b|\bnil\b')
# A map or struct of which nothing is asked.
_ANY_STRUCT = pattern_of(r"%(?:[A-Z][\w.]*|__MODULE__)?\{\}")
_MATCH = pattern_of(r"match\?\((.*)\)", re.DOTALL)
_TABLE_BYTES = 20_000
_TAGS = pattern_of(r"@(tag|moduletag|describetag)\s*\(?(.*?)\)?$", re.DOTALL)
_EXCLUDED = pattern_of(r"\bexclude:\[?([^\]]*)\]?")


class Elixir(CommonDialect):
    """The dialect of ExUnit."""

    name = "elixir"
    grammar = "elixir"
    query = "elixir"
    pairs = pattern_of(r"assert_\w+|refute_\w+")
    quits = pattern_of(r"System\.(?:halt|stop)\((?:0|)\)|:erlang\.halt\((?:0|)\)|exit\(:normal\)")
    swallows = pattern_of(r"ExUnit\.AssertionError|_->|\b_\w*->|^$")
    refails = pattern_of(r"\b(?:raise|reraise|flunk|assert\w*|refute\w*|throw)\b")
    returns_early = False

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        del path
        excluded = _excluded(code)
        for unit in units_of(self._definitions(code, excluded)):
            rows = _loop_rows(code, unit) if unit.kind == TEST else ()
            yield with_tags(unit._replace(rows=rows))

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        name = code.text(item.part("name"))
        if item.kind != "call" or (
            name not in ("assert", "refute") and not (self.pairs and self.pairs.fullmatch(name))
        ):
            return
        arguments = self.arguments(code, item)
        text = f"{name} {','.join(arguments)}"
        if not arguments or name in code.once(_own_names):
            return
        asked = _MATCH.fullmatch(arguments[0]) if name == "assert" else None
        parts = split(asked[1]) if asked is not None else ()
        if len(parts) > 1:
            yield Check(text, ",".join(parts[1:]), "matches", parts[0], _strength(parts[0]))
            return
        pattern = re.fullmatch(r"(.*[^=!<>~|&])=([^=~>].*)", arguments[0], re.DOTALL)
        if name == "assert" and pattern:
            yield Check(text, pattern[2], "matches", pattern[1], _strength(pattern[1]))
        elif name in ("assert", "refute"):
            yield condition_check(text, arguments[0] if name == "assert" else f"!({arguments[0]})", name)
        else:
            yield pair_check(text, name.replace("refute", "assert_not"), arguments, expected_first=True)

    def called(self, code: Code, item: Item) -> str:
        return re.split(r"\.", code.normal(item.part("name")))[-1]

    def _definitions(self, code: Code, excluded: frozenset[str]) -> Iterator[Definition]:
        """Tags stand before the test they are for; those of a module or a describe hold to its end."""
        waiting: list[Effect] = []
        wide: list[tuple[Span, list[Effect]]] = []
        for item in code.items:
            if item.kind == "marker":
                found = _TAGS.match(code.text(item.span))
                effects = list(_tags(found[2], item.line, excluded)) if found else []
                if found and found[1] == "tag":
                    waiting.extend(effects)
                elif found and effects and (around := _block_around(item)) is not None:
                    wide.append((around, effects))
                continue
            word = _WORDS.get(code.text(item.part("name"))) if item.kind == "call" else None
            if word is None:
                continue
            arguments = code.arguments(item)
            block = item.part("block")
            if word.kind == TEST and not arguments:
                continue
            effects = list(waiting) if word.kind == TEST else []
            waiting = [] if word.kind == TEST else waiting
            while wide and wide[-1][0].end <= item.start:
                wide.pop()
            effects.extend(effect for span, held in wide if span.holds(item.span) for effect in held)
            title = title_of(code.text(span_of(arguments[0]))) if arguments else ""
            yield Definition(item, item.span, word, title, Title(title, block, tuple(effects)))


def _strength(pattern: str) -> str:
    """What a pattern tells apart: the whole of a value, a part, or only that it is there and of a kind."""
    plain = _STRING.sub('""', pattern)
    shape = _ANY_STRUCT.sub("", plain)
    told = re.sub(r"^\{:\w+,", "", shape)
    is_of_kind = shape != plain and not _VALUE.search(told)
    if not _OPEN.search(plain):
        return TYPE if is_of_kind else EXACT
    return TYPE if is_of_kind else SOUGHT if _VALUE.search(told) else PRESENT


def _own_names(code: Code) -> frozenset[str]:
    """What the file defines: a function of its own is read where it stands."""
    return frozenset(code.text(one.part("name")) for one in code.items if one.kind == "function")


def _block_around(item: Item) -> Span | None:
    return next((above.span for above in item.above() if above.kind == "call" and "block" in above.parts), None)


def _tags(text: str, line: int, excluded: frozenset[str]) -> Iterator[Effect]:
    for part in split(" ".join(text.split()).strip("[]")):
        key, _, value = part.replace("=>", ":").lstrip(":").partition(":")
        key, value = key.strip(), value.strip() or "true"
        verdict = ALWAYS if value.startswith('"') else truth(value, {})
        if key == "skip" and verdict != NEVER:
            is_certain = verdict == ALWAYS
            yield Effect(SKIPPED if is_certain else CONDITIONAL, f"@tag {part}"[:80], line, "" if is_certain else value)
        elif re.fullmatch(r"\w+", key) and key not in excluded:
            yield Effect(RUNS, f"{TAG_MARK}{key}", line)
        elif key in excluded:
            yield Effect(SKIPPED, f"@tag :{key}, which the file excludes", line)


def _excluded(code: Code) -> frozenset[str]:
    """The tags that the file itself tells ExUnit to leave out."""
    found = (
        _EXCLUDED.search(code.normal(item.span))
        for item in code.items
        if item.kind == "call" and code.normal(item.part("name")) in ("ExUnit.start", "ExUnit.configure")
    )
    return frozenset(name.strip(" :") for one in found if one for name in one[1].split(","))


def _loop_rows(code: Code, unit: Unit) -> tuple[str, ...]:
    """The rows of a list that is written where `for` makes tests of it."""
    item = next((one for one in code.inside(unit.span) if one.kind == "call" and one.span == unit.span), None)
    for above in item.above() if item is not None else ():
        args = above.part("args")
        if above.kind == "call" and code.text(above.part("name")) == "for" and args is not None:
            text = code.normal(args) if args.end - args.start < _TABLE_BYTES else ""
            found = re.search(r"<-\[(.*)\]\)?$", text, re.DOTALL)
            return split(found[1]) if found else ()
    return ()
