"""Turns what a query captured into the facts of a file, with a dialect to say what the names mean."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter

from agentgate_git.model.inventory import (
    AS_CALL,
    CONDITIONAL,
    NOT_COLLECTED,
    PATTERN,
    SETUP,
    SKIPPED,
    Assertion,
    CollectedTest,
    Offer,
    Standing,
)
from agentgate_git.model.record import Record
from agentgate_git.source.languages.assertions import SWALLOWED, UNREACHED, Check, condition_check, opposite_check
from agentgate_git.source.languages.conditions import bare, of_what_is_checked, until_certain
from agentgate_git.source.languages.dialect import ALWAYS_STOPS, HOOK, STOPS_UNLESS, Dialect, Stop, Unit
from agentgate_git.source.languages.helpers import HELPER, is_checker
from agentgate_git.source.languages.nesting import children, outside, parents, suites_of, try_of, within
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.languages.truth import negation, truth, unset_variables
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER
from agentgate_git.source.python.effects import Effect, guarded, is_certain, total
from agentgate_git.source.python.names import TooTangled
from agentgate_git.source.roles import is_test_side
from agentgate_git.source.test_names import is_beside_tests

EARLY_RETURN = "return before anything is checked"
ELSEWHERE = "elsewhere in the file"

_LENGTH = 16
_SHOWN = 120
_LONG = 2_000
_MAX_ASSERTIONS = 1_000
_MAX_CHECKS = 20_000
_HELPER_DEPTH = 3
_MAX_HELPERS = 8
_BLOCKS = ("if", "unless", "loop", "branch", "lambda", "function", "handler")


class _Body(Record):
    """What was read of one body: its own items, what stops it, its checks, and the spans that only stop it."""

    items: tuple[Item, ...]
    effects: tuple[Effect, ...]
    checks: tuple[Assertion, ...]
    markers: tuple[Span, ...]
    calls: tuple[str, ...]


class Engine:
    """Reads one file."""

    def __init__(self, code: Code, dialect: Dialect, path: str) -> None:
        self._code = code
        self._dialect = dialect
        self._units = sorted(dialect.units(code, path), key=lambda unit: (unit.span.start, -unit.span.end))
        self._nested = children(self._units)
        self._starts = [unit.span.start for unit in self._units]
        self._above = parents([unit.span for unit in self._units])
        self._left = _MAX_CHECKS
        self._bodies: dict[Span, _Body] = {}
        self._unit_bodies = {unit.body for unit in self._units}
        self._truths: dict[str, str] = {}
        self._open: set[str] = set()
        self._helpers = dict(self._functions())
        self._is_test_side = is_test_side(path) or is_beside_tests(path)

    def tests(self) -> Iterator[CollectedTest]:
        """The tests of the file, each with its state, body and assertions."""
        focused = [unit for unit in self._units if unit.focus]
        hooks: dict[str, list[tuple[int, Effect]]] = {}
        for number, unit in enumerate(self._units):
            if unit.kind == HOOK:
                hooks.setdefault(unit.suite, []).extend((number, effect) for effect in self._hook_effects(unit))
        for unit in self._units:
            if unit.kind == HOOK:
                continue
            body = self._body(unit)
            effects = [*unit.effects, *self._around(unit), *body.effects]
            found = [row for suite in suites_of(unit.name) for row in hooks.get(suite, ())] if hooks else []
            effects.extend(effect for _, effect in sorted(found, key=itemgetter(0)))
            if focused and not unit.focus:
                effects.append(self._off(focused[0]))
            yield self._test(unit, body, total(effects, unit.line))

    def hooks(self) -> Iterator[CollectedTest]:
        """Set-ups of a file without tests: they stand before the tests of others."""
        for name, line, effects in self._dialect.setups(self._code):
            one = total(effects, line)
            yield CollectedTest(name, one.state, one.line, "", one.marker, one.condition, kind=SETUP)
        if any(unit.kind != HOOK and unit.body is not None for unit in self._units) or not self._is_test_side:
            return
        for unit in self._units:
            effect = total(self._hook_effects(unit), unit.line)
            yield CollectedTest(
                unit.name or "a hook", effect.state, effect.line, "", effect.marker, effect.condition, kind=SETUP
            )

    def offers(self) -> Iterator[Offer]:
        """What the file does to tests of other files that use its functions, annotations and wrappers."""
        if not self._is_test_side:
            return
        for name, effect in self._dialect.offers(self._code):
            standing = Standing(effect.state, effect.marker, effect.line, effect.condition)
            yield Offer(name, AS_CALL, standing, asks=self._asks(effect))
        for name, item in self._functions():
            found = self._read(item.part("body") or item.span, ()).effects
            effects = [one for one in found if one.marker != EARLY_RETURN and one.state in (SKIPPED, CONDITIONAL)]
            effect = total(effects, item.line)
            standing = Standing(effect.state, effect.marker, item.line, effect.condition)
            yield Offer(name, AS_CALL, standing, asks=self._asks(effect))

    def swallows(self) -> Iterator[str]:
        """The functions of the file that keep to themselves what fails in a function they are given."""
        for name, item in self._functions(is_any=True):
            for tried in self._code.inside(item.part("body")):
                if tried.kind != "try":
                    continue
                body = tried.part("body") or tried.span
                calls = [one for one in self._code.inside(body) if one.kind == "call"]
                given = self._code.text(Span(item.start, (item.part("body") or item.span).start))
                if any(
                    re.search(rf"\b{re.escape(called)}\b", given) and self._is_swallowed(tried, one)
                    for one in calls
                    if (called := self._code.normal(one.part("name"))) and called != name
                ):
                    yield name

    def helpers(self) -> Iterator[CollectedTest]:
        """What asserts for tests of other files: functions whose names say so and that no test of this file calls."""
        if not self._is_test_side:
            return
        reached = self._reached()
        for one in self._dialect.patterns(self._code):
            checks, calls = tuple(check.at(one.line) for check in one.checks), ()
            if one.body is not None:
                _, _, checks, _, calls = self._read(one.body, ())
            yield CollectedTest(one.name, NOT_COLLECTED, one.line, "", PATTERN, assertions=checks, calls=calls)
        for name, item in self._functions():
            if is_checker(name) and name not in reached:
                _, _, checks, _, calls = self._read(item.part("body") or item.span, ())
                yield CollectedTest(name, NOT_COLLECTED, item.line, "", HELPER, assertions=checks, calls=calls)

    def _reached(self) -> frozenset[str]:
        """The functions of the file that its tests call, straight or through others."""
        seen: set[str] = set()
        wanted = [name for unit in self._units for name in self._body(unit).calls]
        while wanted:
            name = wanted.pop()
            if name not in seen:
                seen.add(name)
                item = self._helpers.get(name)
                wanted.extend(self._read(item.part("body") or item.span, ()).calls if item is not None else ())
        return frozenset(seen)

    def owner(self, item: Item) -> str:
        """The name of the test or hook that an item stands in, else of the function, else nothing."""
        at = bisect_right(self._starts, item.start) - 1
        while at >= 0 and not self._units[at].span.holds(item.span):
            at = self._above[at]
        if at >= 0:
            return self._units[at].name
        functions = (above for above in item.above() if above.kind == "function")
        return next((self._code.text(above.part("name")) for above in functions), "")

    def _test(self, unit: Unit, body: _Body, effect: Effect) -> CollectedTest:
        text = self._code.normal(unit.body, body.markers)
        says_something = bool(body.checks or body.calls) and text.strip("{}()") != ""
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_LENGTH] if says_something else ""
        checks = (*body.checks, *self._of_helpers(body, _HELPER_DEPTH))
        self._left -= len(checks)
        if len(checks) > _MAX_ASSERTIONS:
            raise TooTangled(f"{unit.name} makes more than {_MAX_ASSERTIONS} assertions")
        if self._left < 0:
            raise TooTangled(f"its tests make more than {_MAX_CHECKS} assertions, helpers counted once for each test")
        return CollectedTest(
            unit.name,
            effect.state,
            effect.line,
            digest,
            effect.marker,
            effect.condition,
            assertions=checks,
            rows=unit.rows,
            calls=tuple(sorted({*body.calls, *unit.uses})),
            knobs=unit.knobs,
            asks=self._asks(effect),
        )

    def _asks(self, effect: Effect) -> tuple[str, ...]:
        """The variables that one of the conditions of a test asks for, where nothing else is asked."""
        if effect.state != CONDITIONAL:
            return ()
        asked = (unset_variables(one, self._code.constants) for one in effect.condition.split("; "))
        return next((names for names in asked if names), ())

    def _off(self, focused: Unit) -> Effect:
        marker = f"{focused.focus} {ELSEWHERE}"
        if focused.is_whole_text:
            return Effect(CONDITIONAL, marker, focused.line, "the run takes focused tests only")
        return Effect(NOT_COLLECTED, marker, focused.line)

    def _functions(self, *, is_any: bool = False) -> Iterator[tuple[str, Item]]:
        for item in self._code.items:
            if item.kind == "function" and item.part("body") not in self._unit_bodies:
                yield self._code.text(item.part("name")), item
            elif item.kind == "offered" and (is_checker(name := self._code.text(item.part("name"))) or is_any):
                yield name, item

    def _of_helpers(self, body: _Body, depth: int) -> Iterator[Assertion]:
        """The checks of functions of the file that a body calls, each function once."""
        seen: set[str] = set()
        wanted = [(name, depth) for name in body.calls]
        while wanted:
            name, left = wanted.pop()
            item = self._helpers.get(name)
            if item is None or name in seen:
                continue
            seen.add(name)
            found = self._read(item.part("body") or item.span, ())
            yield from found.checks
            if left:
                wanted.extend((called, left - 1) for called in found.calls)

    def _hook_effects(self, unit: Unit) -> tuple[Effect, ...]:
        found = self._body(unit)
        return tuple(effect for effect in (*unit.effects, *found.effects) if effect.marker != EARLY_RETURN)

    def _body(self, unit: Unit) -> _Body:
        if unit.body is None:
            return _Body((), (), (), (), ())
        return self._read(unit.body, self._nested.get(unit, ()))

    def _read(self, body: Span, nested: Iterable[Span]) -> _Body:
        if body not in self._bodies:
            self._bodies[body] = self._read_new(body, tuple(nested))
        return self._bodies[body]

    def _read_new(self, body: Span, nested: tuple[Span, ...]) -> _Body:
        items = tuple(outside(self._code.inside(body), nested))
        effects: list[Effect] = []
        checks: list[tuple[Item, Check]] = []
        markers: list[Span] = []
        dead_from = body.end
        for item in items:
            stop = self._stop(item, body, items, bool(checks))
            if stop is not None:
                effect, marker = stop
                effects.append(effect)
                markers.append(marker)
                if is_certain(effect) and not checks:
                    dead_from = min(dead_from, item.end)
            elif item.kind == "call" and not checks:
                effects.extend(self._effects_of_helper(item, body))
            elif item.kind in ("return", "throw") and self._guards(item, body) == ():
                dead_from = min(dead_from, item.end)
            checks.extend((item, check) for check in self._checks(item))
            if len(checks) > _MAX_ASSERTIONS:
                raise TooTangled(f"one body on line {item.line} makes more than {_MAX_ASSERTIONS} assertions")
        effects = [of_what_is_checked(effect, checks, self._code.constants) for effect in effects]
        assertions = tuple(self._assertion(item, check, body, dead_from) for item, check in checks)
        calls = (self._dialect.called(self._code, item) for item in items if item.kind in ("call", "assert"))
        called = tuple(sorted({name for name in calls if name}))
        return _Body(items, tuple(until_certain(effects)), assertions, tuple(markers), called)

    def _assertion(self, item: Item, check: Check, body: Span, dead_from: int) -> Assertion:
        """A check where it stands: why it cannot fail there, and what the branches around it ask."""
        found = check.at(item.line, self._void(item, body, dead_from))
        conditions = []
        for above in within(item, body):
            is_failing = above is item.around and check.text.startswith("!(")
            if (
                above.kind in ("if", "unless")
                and not is_failing
                and not self._dialect.is_own_branch(self._code, above, item)
            ):
                guard = self._guard(above, item)
                if guard is not None and guard[1] == DEPENDS:
                    conditions.append(guard[0])
        around = [self._dialect.called(self._code, above) for above in within(item, body) if above.kind == "call"]
        return found._replace(condition=" and ".join(conditions), within=" ".join(filter(None, around)))

    def _checks(self, item: Item) -> Iterator[Check]:
        """What an item asserts: itself, or by calling what no function of the file is."""
        found = tuple(self._dialect.checks(self._code, item))
        yield from found
        if not found and (failing := self._failing(item)) is not None:
            yield failing
        elif not found and self._dialect.called(self._code, item) not in self._helpers:
            passed = self._dialect.passes(self._code, item)
            if passed is not None:
                yield passed

    def _failing(self, item: Item) -> Check | None:
        """What a statement that fails checks: the opposite of the condition right above it."""
        fails = self._dialect.fails
        branch = item.around
        if fails is None or branch is None or branch.kind not in ("if", "unless") or item.end - item.start > _LONG:
            return None
        if fails.match(self._code.normal(item.span)) is None or (guard := self._guard(branch, item)) is None:
            return None
        text = guard[0]
        return condition_check(f"!({text})", text[2:-1]) if text.startswith("!(") else opposite_check(text)

    def _effects_of_helper(self, item: Item, body: Span) -> Iterator[Effect]:
        """What calling a function of the file does to a test: one that skips is a skip."""
        name = self._dialect.called(self._code, item)
        helper = self._helpers.get(name)
        if helper is None or name in self._open or len(self._open) >= _MAX_HELPERS or helper.span.holds(item.span):
            return
        self._open.add(name)
        found = self._read(helper.part("body") or helper.span, ())
        self._open.discard(name)
        for effect in found.effects:
            if effect.marker != EARLY_RETURN and effect.state in (SKIPPED, CONDITIONAL):
                effect = effect._replace(marker=f"{name} ({effect.marker})", line=item.line)
                for text, verdict in self._guards(item, body):
                    effect = guarded(effect, verdict, text)
                yield effect

    def _stop(self, item: Item, body: Span, items: tuple[Item, ...], is_late: bool) -> tuple[Effect, Span] | None:
        """What an item does to its test, and the span of the statement that does it."""
        stop = self._dialect.stop(self._code, item)
        if stop is None and item.kind == "return" and self._dialect.returns_early and not is_late:
            has_rest = any(other.start >= item.end and other.kind in ("call", "assert") for other in items)
            in_lambda = any(above.kind in ("lambda", "function", "loop", "handler") for above in within(item, body))
            if has_rest and not in_lambda:
                stop = Stop(SKIPPED, EARLY_RETURN)
        if stop is None or (is_late and not stop.ends_late):
            return None
        effect = Effect(stop.state, stop.marker, item.line)
        effect = self._own_condition(effect, stop)
        guards = self._guards(item, body)
        for text, verdict in guards:
            effect = guarded(effect, verdict, text)
        return effect, self._marker_span(item, body)

    def _own_condition(self, effect: Effect, stop: Stop) -> Effect:
        if stop.holds == ALWAYS_STOPS:
            return effect
        text = negation(stop.condition) if stop.holds == STOPS_UNLESS else stop.condition
        return guarded(effect, self._truth(text), text[:_SHOWN])

    def _guards(self, item: Item, body: Span) -> tuple[tuple[str, str], ...]:
        """(text, verdict) of what decides whether an item of a body is reached, innermost first."""
        found = []
        for above in within(item, body):
            guard = self._guard(above, item)
            if guard is not None:
                found.append(guard)
        return tuple(found)

    def _truth(self, text: str) -> str:
        if text not in self._truths:
            self._truths[text] = truth(text, self._code.constants)
        return self._truths[text]

    def _guard(self, above: Item, item: Item) -> tuple[str, str] | None:
        if above.kind not in _BLOCKS:
            return None
        if above.kind in ("if", "unless"):
            condition, other = above.part("condition"), above.part("else")
            if condition is not None and condition.holds(item.span):
                return None
            text = bare(self._code.normal(condition))
            is_other = other is not None and other.holds(item.span)
            if is_other != (above.kind == "unless"):
                text = negation(text)
            return text[:_SHOWN], self._truth(text)
        if above.kind == "lambda" and item.span == above.span:
            return None
        if above.kind == "branch":
            return self._case(above), DEPENDS
        return f"{above.kind} on line {above.line}" if above.kind != "lambda" else "a callback", DEPENDS

    def _case(self, branch: Item) -> str:
        """What a branch of a `switch` or `case` hangs on: how the whole of it begins."""
        whole = branch.node.parent
        start = whole.start_byte if whole is not None else branch.start
        head = self._code.normal(Span(max(start, branch.start - _SHOWN), min(branch.start + _SHOWN // 2, branch.end)))
        return f"branch on line {branch.line}: {head}"

    def _around(self, unit: Unit) -> Iterator[Effect]:
        """What stands around a definition and decides whether it is there: branches, and functions nobody calls."""
        item = self._item_at(unit.span)
        for above in item.above() if item is not None else ():
            if above.kind in ("if", "unless"):
                guard = self._guard(above, item) if item is not None else None
                if guard is None or guard[1] == ALWAYS:
                    continue
                text, verdict = guard
                if verdict == NEVER:
                    yield Effect(NOT_COLLECTED, f"if {text}", above.line)
                else:
                    yield Effect(CONDITIONAL, f"if {text}", above.line, text)
            elif above.kind == "function" and above.part("body") not in self._unit_bodies and self._is_uncalled(above):
                yield Effect(NOT_COLLECTED, "a function that nothing calls", above.line)

    def _item_at(self, span: Span) -> Item | None:
        return next((item for item in self._code.inside(span) if item.span == span), None)

    def _is_uncalled(self, function: Item) -> bool:
        name = self._code.text(function.part("name"))
        return bool(name) and name != "main" and self._code.count(name) == 1

    def _marker_span(self, item: Item, body: Span) -> Span:
        """The statement that only stops: the `if` around it when that holds nothing else."""
        span = item.span
        for above in within(item, body):
            if above.kind == "throw" or (above.kind in ("if", "unless") and self._holds_only(above, span)):
                span = above.span
            else:
                break
        return span

    def _holds_only(self, above: Item, span: Span) -> bool:
        then = above.part("then")
        if then is None or above.part("else") is not None or not then.holds(span):
            return False
        return self._code.normal(then, (span,)).strip("{}:") in ("", "return", "end", "then")

    def _void(self, item: Item, body: Span, dead_from: int) -> str:
        if item.start >= dead_from:
            return UNREACHED
        for above in within(item, body):
            if above.kind == "try" and self._is_swallowed(above, item):
                return SWALLOWED
            if above.kind in ("call", "assert") and self._is_kept(above, item, body):
                return SWALLOWED
            guard = self._guard(above, item) if above.kind in ("if", "unless") else None
            if guard is not None and guard[1] == NEVER:
                return UNREACHED
        return self._dialect.void(self._code, item, body)

    def _is_kept(self, call: Item, item: Item, body: Span) -> bool:
        """True when a call around an item catches what fails in it, and what it returns fails nothing either."""
        name = call.part("name")
        keeps = self._dialect.keeps
        if keeps is None or name is None or name.holds(item.span) or not keeps.fullmatch(self._code.normal(name)):
            return False
        rest = self._code.text(Span(call.end, body.end))
        if self._dialect.told_late.search(rest):
            return False
        held = next((one for one in call.above() if one.kind in ("constant", "assign")), None)
        bound = self._code.text(held.part("name") or held.part("left")) if held is not None else ""
        return (
            not bound or re.search(rf"(?i)(?:assert|should|expect|check)\w*[^\n;]*\b{re.escape(bound)}\b", rest) is None
        )

    def _is_swallowed(self, tried: Item, item: Item) -> bool:
        """True when a failure in the body of a `try` ends in one of its handlers and goes no further."""
        body = tried.part("body")
        if body is not None and not body.holds(item.span):
            return False
        for handler in self._code.inside(tried.span):
            if handler.kind != "handler" or try_of(handler) is not tried or handler.span.holds(item.span):
                continue
            type_span = handler.part("type")
            types = self._code.normal(type_span)
            swallows = self._dialect.swallows
            catches = swallows is None or (
                swallows.search(types) is not None if type_span else swallows.search("") is not None
            )
            if catches and not self._dialect.refails.search(self._code.normal(handler.part("body") or handler.span)):
                return True
        return False
