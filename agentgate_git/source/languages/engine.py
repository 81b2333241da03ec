"""Turns what a query captured into the facts of a file, with a dialect to say what the names mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter

from agentgate_git.model.inventory import (
    AS_TAG,
    CONDITIONAL,
    NOT_COLLECTED,
    PUT_ASIDE,
    SKIPPED,
    UNCALLED,
    Assertion,
    CollectedTest,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.conditions import of_what_is_checked, until_certain
from agentgate_git.source.languages.dialect import ALWAYS_STOPS, HOOK, STOPS_UNLESS, Dialect, Stop, Unit
from agentgate_git.source.languages.dropped import dropped
from agentgate_git.source.languages.given import Given, handed_on
from agentgate_git.source.languages.guards import SHOWN, Guards
from agentgate_git.source.languages.helpers import is_checker
from agentgate_git.source.languages.idle import NOTHING
from agentgate_git.source.languages.listed import with_rows
from agentgate_git.source.languages.looped import said_in_loops
from agentgate_git.source.languages.nesting import children, is_of_object, outside, parents, suites_of, within
from agentgate_git.source.languages.reach import Reach
from agentgate_git.source.languages.syntax import Code, Item, Span, fingerprint
from agentgate_git.source.languages.tries import KNOB, may_tell, tries_in
from agentgate_git.source.languages.truth import negation
from agentgate_git.source.languages.unset import unset_variables
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect, guarded, is_certain, total
from agentgate_git.source.python.names import TooTangled
from agentgate_git.source.roles import is_test_side
from agentgate_git.source.test_names import is_beside_tests

EARLY_RETURN = "return before anything is checked"
PRETENDED = f"{EARLY_RETURN} but what cannot fail"
ELSEWHERE = "elsewhere in the file"

_NO_WORD = pattern_of(r"[\W_]+")
_SHOWN = 120
_MAX_ASSERTIONS = 1_000
_MAX_CHECKS = 20_000
_HELPER_DEPTH = 3
_MAX_HELPERS = 8


class Body(Record):
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
        units = sorted(dialect.units(code, path), key=lambda unit: (unit.span.start, -unit.span.end))
        self.units = list(with_rows(units, len(code.data)))
        self._nested = children(self.units)
        self._starts = [unit.span.start for unit in self.units]
        self._above = parents([unit.span for unit in self.units])
        self._left = _MAX_CHECKS
        self._conditions = Guards(code)
        self.reach = Reach(code, dialect, self._conditions)
        self.reach.stubs.add_hooks(self._set_ups())
        self._bodies: dict[Span, Body] = {}
        self._unit_bodies = {unit.body for unit in self.units}
        self._open: set[str] = set()
        self._asked: dict[tuple[str, str], tuple[str, ...]] = {}
        self.is_test_side = is_test_side(path) or is_beside_tests(path)
        self.local = dict(self.functions())
        self.tells_tries = may_tell(code.data)
        self._given = Given(code, dialect, self.local)

    def tests(self) -> Iterator[CollectedTest]:
        """The tests of the file, each with its state, body and assertions."""
        focused = [unit for unit in self.units if unit.focus]
        hooks: dict[str, list[tuple[int, Effect]]] = {}
        for number, unit in enumerate(self.units):
            if unit.kind == HOOK:
                hooks.setdefault(unit.suite, []).extend((number, effect) for effect in self.hook_effects(unit))
        for unit in self.units:
            if unit.kind == HOOK:
                continue
            body = self.body(unit)
            effects = [*unit.effects, *self._around(unit), *body.effects]
            found = [row for suite in suites_of(unit.name) for row in hooks.get(suite, ())] if hooks else []
            effects.extend(effect for _, effect in sorted(found, key=itemgetter(0)))
            if focused and not unit.focus:
                effects.append(self._off(focused[0]))
            yield self._test(unit, body, total(effects, unit.line))

    def owner_at(self, place: int) -> str:
        """The name of the test that a byte stands in, empty outside tests and in hooks."""
        at = bisect_right(self._starts, place) - 1
        while at >= 0 and self.units[at].span.end <= place:
            at = self._above[at]
        return self.units[at].name if at >= 0 and self.units[at].kind != HOOK else ""

    def owner(self, item: Item) -> str:
        """The name of the test or hook that an item stands in, else of the function, else nothing."""
        at = bisect_right(self._starts, item.start) - 1
        while at >= 0 and not self.units[at].span.holds(item.span):
            at = self._above[at]
        if at >= 0:
            return self.units[at].name
        functions = (above for above in item.above() if above.kind == "function")
        return next((self._code.text(above.part("name")) for above in functions), "")

    def _test(self, unit: Unit, body: Body, effect: Effect) -> CollectedTest:
        digest = self.digest(unit.body, body)
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
            knobs=(*unit.knobs, *self._tries(unit), *self._put_aside(unit)),
            asks=self.asks(effect),
            said=tuple(self._said(body)),
            takes=tuple(f"{AS_TAG} {tag}" for tag in dict.fromkeys(unit.tags)),
        )

    def digest(self, span: Span | None, body: Body) -> str:
        """The fingerprint of a body without what only stops it; empty for one that calls and asserts nothing."""
        text = self._code.normal(span, body.markers)
        says_something = bool(body.checks or body.calls) and text.strip("{}()") != ""
        return fingerprint(text) if says_something else ""

    def asks(self, effect: Effect) -> tuple[str, ...]:
        """The variables that one of the conditions of a test asks for, where nothing else is asked."""
        if effect.state != CONDITIONAL:
            return ()
        asked = (self._asks_of(effect, one) for one in effect.condition.split("; "))
        return next((names for names in asked if names), ())

    def _asks_of(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """The same of one condition, which many tests may stand under."""
        key = effect.marker, condition
        if key not in self._asked:
            switches = self._dialect.switches(effect, condition)
            self._asked[key] = switches or unset_variables(condition, self._code.constants)
        return self._asked[key]

    def _off(self, focused: Unit) -> Effect:
        marker = f"{focused.focus} {ELSEWHERE}"
        if focused.is_whole_text:
            return Effect(CONDITIONAL, marker, focused.line, "the run takes focused tests only")
        return Effect(NOT_COLLECTED, marker, focused.line)

    def functions(self, *, is_any: bool = False) -> Iterator[tuple[str, Item]]:
        for item in self._code.items:
            is_test = item.part("body") in self._unit_bodies
            if item.kind == "function" and not (is_test or is_of_object(item) or self._is_of_product(item)):
                yield self._code.text(item.part("name")), item
            elif item.kind == "offered" and (is_checker(name := self._code.text(item.part("name"))) or is_any):
                yield name, item

    def _is_of_product(self, function: Item) -> bool:
        return not self.is_test_side and self._dialect.is_of_product(self._code, function)

    def _of_helpers(self, body: Body, depth: int) -> Iterator[Assertion]:
        """The checks of functions of the file that a body calls, each function once."""
        seen: set[str] = set()
        wanted = [(name, depth) for name in body.calls]
        while wanted:
            name, left = wanted.pop()
            item = self.local.get(name)
            if item is None or name in seen:
                continue
            seen.add(name)
            found = self.read(item.part("body") or item.span, ())
            yield from found.checks
            if left:
                wanted.extend((called, left - 1) for called in found.calls)

    def _tries(self, unit: Unit) -> tuple[tuple[str, str], ...]:
        """How often a test tries its property, where it says so."""
        told = tries_in(self._code.normal(unit.span)) if self.tells_tries else ""
        return ((KNOB, told),) if told else ()

    def _put_aside(self, unit: Unit) -> Iterator[tuple[str, str]]:
        """Comments in a test with rows that may be a row which is left out."""
        for comment in self._code.comments_in(unit.span) if unit.rows else ():
            text = _NO_WORD.sub("", self._code.text(comment.span))[:_SHOWN]
            if text:
                yield PUT_ASIDE, text

    def _said(self, body: Body) -> Iterator[str]:
        """What functions of the file, and loops over lists that are written out, assert with the values they get."""
        called = {name: self.local[name] for name in body.calls if name in self.local}
        if called:
            checks = {name: self.read(one.part("body") or one.span, ()).checks for name, one in called.items()}
            yield from self._given.said(body.items, checks)
        yield from said_in_loops(self._code, body.items, body.checks)

    def hook_effects(self, unit: Unit) -> tuple[Effect, ...]:
        found = self.body(unit)
        return tuple(effect for effect in (*unit.effects, *found.effects) if not effect.marker.startswith(EARLY_RETURN))

    def body(self, unit: Unit) -> Body:
        if unit.body is None:
            return Body((), (), (), (), ())
        return self.read(unit.body, self._nested.get(unit, ()))

    def read(self, body: Span, nested: Iterable[Span]) -> Body:
        if body not in self._bodies:
            self._bodies[body] = self._read_new(body, tuple(nested))
        return self._bodies[body]

    def _read_new(self, body: Span, nested: tuple[Span, ...]) -> Body:
        items = tuple(outside(self._code.inside(body), nested))
        effects: list[Effect] = []
        checks: list[tuple[Item, Check]] = []
        markers: list[Span] = []
        dead_from, seen, is_told, is_helped = body.end, 0, False, False
        late_from = body.end if body in self._unit_bodies else body.start
        for item in items:
            is_told = is_told or is_helped or any(not check.void for _, check in checks[seen:])
            seen = len(checks)
            late_from = min(late_from, item.start) if is_told else late_from
            stop = self._stop(item, body, items, is_told, is_pretended=bool(checks) and not is_told)
            if stop is not None:
                effect, marker = stop
                effects.append(effect)
                markers.append(marker)
                if is_certain(effect) and not checks:
                    dead_from = min(dead_from, item.end)
            elif item.kind == "call" and not checks:
                effects.extend(self._effects_of_helper(item, body))
                is_helped = is_helped or self._asks_helper(item, body)
            elif (item.kind == "throw" or self._dialect.leaves(self._code, item)) and self._ends(item, body):
                dead_from = min(dead_from, item.end)
            checks.extend((item, check) for check in self._checks(item))
            if len(checks) > _MAX_ASSERTIONS:
                raise TooTangled(f"one body on line {item.line} makes more than {_MAX_ASSERTIONS} assertions")
        effects = [of_what_is_checked(effect, checks, self._code.constants) for effect in effects]
        gates = tuple(self.reach.gates(items, body, late_from, checks)) if checks else ()
        made = (self.reach.assertion(item, check, body, dead_from, gates) for item, check in checks)
        assertions = (*made, *dropped(self._code, items))
        calls = (
            self._dialect.called(self._code, item)
            for item in items
            if item.kind in ("call", "assert")
            or (item.kind == "infix" and self._code.text(item.part("op")) in self.local)
        )
        handed = (name for item in items if item.kind == "call" for name in handed_on(self._code, item, self.local))
        called = tuple(sorted({name for name in (*calls, *handed) if name}))
        return Body(items, tuple(until_certain(effects)), assertions, tuple(markers), called)

    def _checks(self, item: Item) -> Iterator[Check]:
        """What an item asserts: itself, or by calling what no function of the file is."""
        found = tuple(self._dialect.checks(self._code, item))
        yield from found
        if not found and (failing := self.reach.failing(item)) is not None:
            yield failing
        elif not found and self._dialect.called(self._code, item) not in self.local:
            passed = self._dialect.passes(self._code, item)
            if passed is not None:
                yield passed

    def _effects_of_helper(self, item: Item, body: Span) -> Iterator[Effect]:
        """What calling a function of the file does to a test: one that skips is a skip."""
        name = self._dialect.called(self._code, item)
        helper = self.local.get(name)
        if helper is None or name in self._open or len(self._open) >= _MAX_HELPERS or helper.span.holds(item.span):
            return
        self._open.add(name)
        found = self.read(helper.part("body") or helper.span, ())
        self._open.discard(name)
        for effect in found.effects:
            if not effect.marker.startswith(EARLY_RETURN) and effect.state in (SKIPPED, CONDITIONAL):
                effect = effect._replace(marker=f"{name} ({effect.marker})", line=item.line)
                for text, verdict in self._conditions.guards(item, body):
                    effect = guarded(effect, verdict, text)
                yield effect

    def _ends(self, item: Item, body: Span) -> bool:
        """True for a return or throw that is made whatever happens; what a `try` throws its handlers may take."""
        is_listed = item.kind == "call" and item.around is not None and item.around.kind == "list"
        if is_listed or self._conditions.guards(item, body) != ():
            return False
        return item.kind != "throw" or not any(above.kind == "try" for above in within(item, body))

    def _asks_helper(self, item: Item, body: Span) -> bool:
        """True for a call of a function of the file, made whatever happens, that asserts by its name and its body."""
        name = self._dialect.called(self._code, item)
        helper = self.local.get(name)
        if helper is None or not is_checker(name) or name in self._open or helper.span.holds(item.span):
            return False
        if self._conditions.guards(item, body) != ():
            return False
        self._open.add(name)
        found = self.read(helper.part("body") or helper.span, ())
        self._open.discard(name)
        return bool(found.checks)

    def _stop(
        self, item: Item, body: Span, items: tuple[Item, ...], is_late: bool, *, is_pretended: bool
    ) -> tuple[Effect, Span] | None:
        """What an item does to its test, and the span of the statement that does it.

        A return behind a check that cannot fail is a skip wherever it stands: it passes as a test that checked.
        """
        stop = self._dialect.stop(self._code, item)
        is_return = item.kind in ("return", "transfer") and self._dialect.leaves(self._code, item)
        if stop is None and is_return and self._dialect.returns_early and not is_late:
            has_rest = any(other.start >= item.end and other.kind in ("call", "assert") for other in items)
            in_lambda = any(above.kind in ("lambda", "function", "loop", "handler") for above in within(item, body))
            if has_rest and not in_lambda:
                stop = Stop(SKIPPED, EARLY_RETURN)
        if stop is None or (is_late and not stop.ends_late):
            return None
        effect = Effect(stop.state, stop.marker, item.line)
        effect = self._own_condition(effect, stop)
        guards = self._conditions.guards(item, body)
        for text, verdict in guards:
            effect = guarded(effect, verdict, text)
        if is_pretended and effect.marker == EARLY_RETURN and effect.state == CONDITIONAL:
            effect = effect._replace(state=SKIPPED, condition="", marker=PRETENDED)
        return effect, self._marker_span(item, body)

    def _own_condition(self, effect: Effect, stop: Stop) -> Effect:
        if stop.holds == ALWAYS_STOPS:
            return effect
        text = negation(stop.condition) if stop.holds == STOPS_UNLESS else stop.condition
        return guarded(effect, self._conditions.truth(text), text[:SHOWN])

    def _around(self, unit: Unit) -> Iterator[Effect]:
        """What stands around a definition and decides whether it is there: branches, and functions nobody calls."""
        item = self._item_at(unit.span)
        for above in item.above() if item is not None else ():
            if above.kind in ("if", "unless"):
                guard = self._conditions.guard(above, item) if item is not None else None
                if guard is None or guard[1] == ALWAYS:
                    continue
                text, verdict = guard
                if verdict == NEVER:
                    yield Effect(NOT_COLLECTED, f"if {text}", above.line)
                else:
                    yield Effect(CONDITIONAL, f"if {text}", above.line, text)
            elif self.reach.idle.is_idle(above, None):
                yield Effect(NOT_COLLECTED, NOTHING, above.line)
            elif above.kind == "function" and above.part("body") not in self._unit_bodies and self._is_uncalled(above):
                yield Effect(NOT_COLLECTED, UNCALLED, above.line)

    def _set_ups(self) -> Iterator[tuple[Span, Span]]:
        """The body of each set-up, behind the span of what it stands in."""
        for unit in self.units:
            if unit.kind == HOOK and unit.body is not None and (item := self._item_at(unit.span)) is not None:
                around = (above.part("body") for above in item.above() if above.kind in ("lambda", "function"))
                yield next((span for span in around if span is not None), Span(0, len(self._code.data))), unit.body

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
