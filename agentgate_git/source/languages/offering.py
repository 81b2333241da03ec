"""What a file of tests does for tests of other files: set-ups, helpers that assert, skip or swallow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.inventory import (
    AS_CALL,
    CONDITIONAL,
    NOT_COLLECTED,
    PATTERN,
    RUNS,
    SETUP,
    SKIPPED,
    TAKES_TEST,
    UNCALLED,
    CollectedTest,
    Offer,
    Standing,
)
from agentgate_git.source.languages.dialect import HOOK, Dialect
from agentgate_git.source.languages.engine import EARLY_RETURN, Engine
from agentgate_git.source.languages.helpers import HELPER, is_checker
from agentgate_git.source.languages.nesting import Holders
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.languages.tries import KNOB, SETTINGS, tries_in
from agentgate_git.source.python.effects import is_certain, total

_LONG = 2_000


class Offering:
    """Reads it of one file."""

    def __init__(self, engine: Engine, code: Code, dialect: Dialect) -> None:
        self._engine = engine
        self._code = code
        self._dialect = dialect

    def hooks(self) -> Iterator[CollectedTest]:
        """Set-ups of a file without tests: they stand before the tests of others."""
        for name, line, effects in self._dialect.setups(self._code):
            one = total(effects, line)
            asks = self._engine.asks(one)
            yield CollectedTest(name, one.state, one.line, "", one.marker, one.condition, kind=SETUP, asks=asks)
        yield from self._tries()
        has_tests = any(unit.kind != HOOK and unit.body is not None for unit in self._engine.units)
        if has_tests or not self._engine.is_test_side:
            return
        for unit in (one for one in self._engine.units if one.kind == HOOK):
            effect = total(self._engine.hook_effects(unit), unit.line)
            asks = self._engine.asks(effect)
            name, held = unit.name or "a hook", effect.condition
            yield CollectedTest(name, effect.state, effect.line, "", effect.marker, held, kind=SETUP, asks=asks)

    def _tries(self) -> Iterator[CollectedTest]:
        """How often all properties are tried, where a file says so outside of tests."""
        if not (self._engine.tells_tries and self._engine.is_test_side):
            return
        tests = Holders(unit.span for unit in self._engine.units if unit.kind != HOOK)
        for item in self._code.items:
            if item.kind != "call" or item.end - item.start > _LONG or any(tests.of(item.span)):
                continue
            told = tries_in(self._code.normal(item.part("args")))
            if told:
                knobs = ((KNOB, told),)
                yield CollectedTest(SETTINGS, RUNS, item.line, SETTINGS, kind=SETUP, knobs=knobs)
                return

    def offers(self) -> Iterator[Offer]:
        """What the file does to tests of other files that use its functions, annotations and wrappers."""
        if not self._engine.is_test_side:
            return
        for name, effect in self._dialect.offers(self._code):
            standing = Standing(effect.state, effect.marker, effect.line, effect.condition)
            yield Offer(name, AS_CALL, standing, asks=self._engine.asks(effect))
        running = {unit.body for unit in self._engine.units if not any(is_certain(one) for one in unit.effects)}
        for item in self._code.items:
            if item.kind != "function" or item.part("body") in running:
                continue
            name = self._code.text(item.part("name"))
            found = self._engine.read(item.part("body") or item.span, ()).effects
            effects = [
                one for one in found if not one.marker.startswith(EARLY_RETURN) and one.state in (SKIPPED, CONDITIONAL)
            ]
            effect = total(effects, item.line)
            standing = Standing(effect.state, effect.marker, item.line, effect.condition)
            yield Offer(name, AS_CALL, standing, asks=self._engine.asks(effect))

    def swallows(self) -> Iterator[str]:
        """The functions of the file that keep to themselves what fails in a function they are given."""
        for name, item in self._engine.functions(is_any=True):
            for tried in self._code.inside(item.part("body")):
                if tried.kind != "try":
                    continue
                body = tried.part("body") or tried.span
                calls = (one for one in self._code.inside(body) if one.kind == "call")
                given = self._code.text(Span(item.start, (item.part("body") or item.span).start))
                called = next((one for one in calls if self._is_given(one, name, given)), None)
                if called is not None and self._engine.reach.is_swallowed(tried, called):
                    yield name
                    break

    def _is_given(self, call: Item, name: str, given: str) -> bool:
        """True for a call of what a function is given."""
        called = self._code.normal(call.part("name"))
        return called not in ("", name) and re.search(rf"\b{re.escape(called)}\b", given) is not None

    def helpers(self) -> Iterator[CollectedTest]:
        """What asserts for tests of other files: functions whose names say so and that no test of this file calls."""
        if not self._engine.is_test_side:
            return
        reached = self._reached()
        for one in self._dialect.patterns(self._code):
            checks = tuple(check.at(one.line) for check in one.checks)
            calls: tuple[str, ...] = ()
            if one.body is not None:
                _, _, checks, _, calls = self._engine.read(one.body, ())
            yield CollectedTest(one.name, NOT_COLLECTED, one.line, "", PATTERN, assertions=checks, calls=calls)
        for name, item in self._engine.functions():
            if self._is_uncalled(name, item):
                span = item.part("body") or item.span
                body = self._engine.read(span, ())
                if body.checks:
                    digest = self._engine.digest(span, body)
                    yield CollectedTest(name, NOT_COLLECTED, item.line, digest, UNCALLED, assertions=body.checks)
            elif name not in reached and (is_checker(name) or self._dialect.takes_test(self._code, item)):
                _, _, checks, _, calls = self._engine.read(item.part("body") or item.span, ())
                marker = TAKES_TEST if self._dialect.takes_test(self._code, item) else HELPER
                yield CollectedTest(name, NOT_COLLECTED, item.line, "", marker, assertions=checks, calls=calls)

    def _is_uncalled(self, name: str, item: Item) -> bool:
        """True for a function that no other file can call, and that this one names once: where it stands."""
        return self._code.count(name) == 1 and self._dialect.is_own(self._code, item)

    def _reached(self) -> frozenset[str]:
        """The functions of the file that its tests call, straight or through others."""
        seen: set[str] = set()
        wanted = [name for unit in self._engine.units for name in self._engine.body(unit).calls]
        while wanted:
            name = wanted.pop()
            if name not in seen:
                seen.add(name)
                item = self._engine.local.get(name)
                wanted.extend(self._engine.read(item.part("body") or item.span, ()).calls if item is not None else ())
        return frozenset(seen)
