"""Whether what a test asserts can fail where it stands: what swallows it, leaves it out, or makes it depend."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from agentgate_git.model.inventory import DECIDED, EXACT, IS_IN, IS_THERE, NO_CI, NONE, OFF_IN_CI, PRESENT, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import (
    NOT_AWAITED,
    SWALLOWED,
    UNREACHED,
    Check,
    condition_check,
    opposite_check,
)
from agentgate_git.source.languages.cut_lists import part_of_list
from agentgate_git.source.languages.decided import decided
from agentgate_git.source.languages.dialect import ALWAYS_STOPS, STOPS_UNLESS, Dialect
from agentgate_git.source.languages.guards import SHOWN, Guards
from agentgate_git.source.languages.helpers import is_used
from agentgate_git.source.languages.idle import Idle
from agentgate_git.source.languages.nesting import try_of, within
from agentgate_git.source.languages.shadowed import OWN_FUNCTION, Shadowed
from agentgate_git.source.languages.stubbed import Stubs
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.languages.truth import negation
from agentgate_git.source.languages.unset import unset_variables
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER

_LONG = 2_000
# How far behind a call that catches failures somebody is expected to look at what it caught.
_AFTER = 4_000
_BEFORE = 200
_FOR_EACH = (".forEach", ".each", ".for_each", ".ForEach", ".ifPresent")
_FILTERS = pattern_of(r"\.(?:filter|select|reject|where|Where|takeWhile)\b")
_PARTING = ("if", "unless", "branch", "list")
_FEW = 3
# How many returns and the like of one body are told with what stands behind them.
_MAX_GATES = 100
_SHORT = 200
_OPTIONAL = pattern_of(
    r"(.{1,400}?)(?:(?:\?\.|&\.)(?:let|run|also|apply|use|forEach|map|tap|then|yield_self|flatMap)"
    r"|\.(?:ifPresent|ifPresentOrElse|ifSome|IfSome|if_some|inspect)"
    r"|(?:\.headOption|\.lastOption|\.toOption|\.find\([^()]*\)|\.collectFirst\([^()]*\))\.(?:foreach|map))"
)
# An assertion that is called on what may not be there: `x?.Id.Should().Be(3)`.
_MAYBE = pattern_of(r"(.{1,400}?)\?\.")
_CALLED_ON = pattern_of(r"\?\.[^\n]*\bShould\(\)|\?\.should[A-Z]\w*\(")
# What a handler does that makes of a failure something that is none.
_GIVES_UP = pattern_of(
    r"(?:Assert|Assume|Assumptions|this|self|t|it|test)(?:\.|->|::)(?:Inconclusive|Ignore|Skip\w*|Pass|skip\w*|pass|assume\w*"
    r"|abort|markTest(?:Skipped|Incomplete)|expectNotToPerformAssertions|Log\w*)\("
)
# What a handler asserts that holds whatever was caught: `assertTrue(true)`, `assertNotNull($e)`.
_HOLDS = pattern_of(
    r"(?:(?:\w+(?:\.|->|::)|\$this->)?(?:assert(?:True|_true|That|_eq!?)?!?|isTrue|True)"
    r"\((?:(?:true|True|1|!false)|(\d+|\"[^\"]*\"|true),\1)\)(?:\.isTrue\(\))?"
    r"|(?:\w+(?:\.|->|::)|\$this->)?(?:assert(?:NotNull|NotEmpty|_not_nil)|NotNull)\(\$?(?:e|ex|err|error|exception|t|th|throwable)\)"
    r"|(?:\w+(?:\.|->|::)|\$this->)?assertInstanceOf\(\\?(?:Throwable|Exception)(?:::class|\.class),\$?\w+\)"
    r"|expect\((?:true|1)\)\.(?:to|toBe|toEqual|toBeTruthy|to\.be\.true|to\.equal|to\.eq)\b(?:\((?:true|1)?\))?)(?![\w.\[(])"
)
_STRING = pattern_of(r'"(?:[^"\\\n]|\\.)*"')
_NAME = pattern_of(r"[A-Za-z_$][\w$]*")
# What asks only whether something is there, which calls nothing.
_ONLY_THERE = r"\.?(?:isNotNull|not\.toBeNull|toBeDefined)\("
_DECLARED = frozenset(
    ("function_declaration", "variable_declarator", "function_item", "local_function_statement", "function_definition")
)
_IN_CLASS = pattern_of(r"class|object|interface|declaration_list|template|trait|impl")


class Reach:
    """Reads assertions of one file where they stand."""

    def __init__(self, code: Code, dialect: Dialect, guards: Guards) -> None:
        self._code = code
        self._dialect = dialect
        self._guards = guards
        self._uses: dict[tuple[Span, str], int] = {}
        self._left_at_last: dict[Span, bool] = {}
        self.stubs = Stubs(code)
        self.idle = Idle(code)
        self._shadowed = Shadowed(code)

    def gates(
        self, items: tuple[Item, ...], body: Span, late_from: int, checks: list[tuple[Item, Check]]
    ) -> Iterator[tuple[Span, int, str]]:
        """(span, place, condition) of what leaves a loop, a function or all of a body under a condition.

        The body itself is left behind a place only, before which a return is another matter: it skips a whole test.
        What one of the `checks` before it rules out leaves nothing; what asserts a value before it leaves is another
        way to check that round.
        """
        starts = [one.start for one, _ in checks]
        told = sorted(item.start for item, check in checks if check.strength not in (PRESENT, NONE) and not check.void)
        found = 0
        for item in items:
            branch = item.around
            if branch is None or branch.kind not in _PARTING or found >= _MAX_GATES:
                continue
            is_return = self._dialect.leaves(self._code, item)
            if not (is_return or item.kind == "continue"):
                continue
            holder = next((one for one in within(item, body) if one.kind in ("loop", "lambda", "function")), None)
            span = body if holder is None or (holder.kind == "loop" and is_return) else holder.span
            if not span.holds(branch.span) or (span == body and item.start < late_from):
                continue
            then = branch.part("then") or item.span
            at = bisect_left(told, min(then.start, item.start))
            if at < len(told) and told[at] < item.end:
                continue
            guard = self._guards.guard(branch, item) if branch.kind != "list" else self._listed(item)
            if guard is not None and guard[1] == DEPENDS and not self._fails_there(branch):
                comes_to = decided(self._code, guard[0], branch, checks, starts)
                if comes_to != NEVER:
                    found += 1
                    needed = self._needed(negation(guard[0]))
                    yield span, item.end, f"{needed}{DECIDED if comes_to == ALWAYS else ''}"

    def _listed(self, item: Item) -> tuple[str, str] | None:
        """(text, verdict) of what stands before a return of shell: `[ -n "$CI" ] && return`."""
        stop = self._dialect.stop(self._code, item)
        if stop is None or stop.holds == ALWAYS_STOPS:
            return None
        text = negation(stop.condition) if stop.holds == STOPS_UNLESS else stop.condition
        return text, self._guards.truth(text)

    def _needed(self, condition: str) -> str:
        """A condition as an assertion shows it; one that holds in no pipeline says so."""
        if unset_variables(negation(self._dialect.plainly(condition)), self._code.constants) == (NO_CI,):
            return f"{condition}{OFF_IN_CI}"
        return condition

    def _fails_there(self, branch: Item) -> bool:
        """True for a branch that fails the test before it is left: `if (err) return done(err)`."""
        then, fails = branch.part("then"), self._dialect.fails
        if then is None or branch.part("else") is not None or then.end - then.start > _SHORT:
            return False
        if fails is None:
            calls = (one for one in self._code.inside(then) if one.kind == "call" and one.around is branch)
            return any(self._dialect.is_own_branch(self._code, branch, one) for one in calls)
        return fails.search(self._code.normal(then)) is not None

    def _other_fails(self, branch: Item, item: Item) -> bool:
        """True where the other way of a branch fails the test: what stands in this one is asserted, or it is red."""
        sides = [side for side in (branch.part("then"), branch.part("else")) if side and not side.holds(item.span)]
        if self._dialect.fails is None or not sides or sides[0].end - sides[0].start > _SHORT:
            return False
        return self._dialect.fails.match(self._code.normal(sides[0]).lstrip("{")) is not None

    def assertion(
        self, item: Item, check: Check, body: Span, dead_from: int, gates: tuple[tuple[Span, int, str], ...]
    ) -> Assertion:
        """A check where it stands: why it cannot fail there, and what the branches around it ask."""
        void = self._void(item, body, dead_from) or self.stubs.reason(check, body)
        if not void and self._shadowed.is_asked(check.subject, body):
            void = OWN_FUNCTION
        found = check.at(item.line, void)
        conditions = [text for span, place, text in gates if place <= item.start and span.holds(item.span)]
        branch = _branch_of(item)
        for above in within(item, body):
            is_failing = above is branch and check.text.startswith("!(")
            if (
                above.kind in ("if", "unless")
                and not is_failing
                and not self._dialect.is_own_branch(self._code, above, item)
            ):
                guard = self._guards.guard(above, item)
                if guard is not None and guard[1] == DEPENDS and not self._other_fails(above, item):
                    conditions.append(self._needed(guard[0]))
            if above.kind in ("loop", "call") and (part := part_of_list(self._code, above, item)):
                conditions.append(f"{IS_IN}{part}")
            elif above.kind == "loop" and (gathered := self.idle.goes_through_gathered(above, body)):
                conditions.append(f"{gathered} holds anything")
            elif above.kind == "call" and (filtered := self._filtered(above, item) or self._held(above, item)):
                conditions.append(filtered)
        if asked := self._dialect.asks(self._code, item, body):
            conditions.append(asked)
        if (holder := _MAYBE.match(check.subject)) is not None and _CALLED_ON.search(self._code.normal(item.span)):
            conditions.append(f"{holder[1][:SHOWN]}{IS_THERE}")
        around = [self._dialect.called(self._code, above) for above in within(item, body) if above.kind == "call"]
        return found._replace(condition=" and ".join(conditions), within=" ".join(filter(None, around)))

    def failing(self, item: Item) -> Check | None:
        """What a statement that fails checks: the opposite of the condition right above it."""
        fails = self._dialect.fails
        branch = _branch_of(item)
        if fails is None or branch is None or item.end - item.start > _LONG:
            return None
        if branch.kind == "function" and self._dialect.gives_up.fullmatch(self._code.normal(item.part("name"))):
            return None if is_used(item) else Check(self._code.normal(item.span), "", "fails", "", EXACT)
        if branch.kind == "try":
            return self._expected_error(item, branch) if fails.match(self._code.normal(item.span)) else None
        if branch.kind not in ("if", "unless"):
            return None
        if fails.match(self._code.normal(item.span)) is None or (guard := self._guards.guard(branch, item)) is None:
            return None
        text = guard[0]
        return condition_check(f"!({text})", text[2:-1]) if text.startswith("!(") else opposite_check(text)

    def _expected_error(self, item: Item, tried: Item) -> Check | None:
        """`try { f(); fail(); } catch (E e) {}` asserts that something in it throws."""
        body = tried.part("body") or tried.span
        if not body.holds(item.span):
            return None
        subject = self._code.normal(Span(body.start, item.start)).lstrip("{")[:SHOWN]
        types = (
            one.part("type") for one in self._code.inside(tried.span) if one.kind == "handler" and try_of(one) is tried
        )
        expected = ",".join(self._code.normal(one) for one in types if one is not None)
        return Check(f"{subject} throws {expected}", subject, "throws", expected, PRESENT)

    def _void(self, item: Item, body: Span, dead_from: int) -> str:
        if item.start >= dead_from or self._is_left(item, body):
            return UNREACHED
        for above in within(item, body):
            if above.kind == "try" and self.is_swallowed(above, item):
                return SWALLOWED
            if above.kind in ("call", "assert") and self._is_kept(above, item, body):
                return SWALLOWED
            if above.kind == "call" and self._is_detached(above, item, body):
                return NOT_AWAITED
            if self.idle.is_idle(above, body) or self.idle.goes_through_nothing(above, item):
                return UNREACHED
            guard = self._guards.guard(above, item) if above.kind in ("if", "unless") else None
            if guard is not None and guard[1] == NEVER:
                return UNREACHED
        return self._dialect.void(self._code, item, body)

    def _is_detached(self, call: Item, item: Item, body: Span) -> bool:
        """True for what is started beside the test, where nothing behind it waits for anything."""
        name = call.part("name")
        detaches = self._dialect.detaches
        if detaches is None or name is None or name.holds(item.span) or name.end - name.start > _LONG:
            return False
        if not detaches.fullmatch(self._code.normal(name)):
            return False
        around = self._code.text(Span(max(body.start, call.start - _BEFORE), call.start))
        rest = self._code.text(Span(call.end, min(body.end, call.end + _AFTER)))
        return self._dialect.waits.search(f"{around.rpartition(chr(10))[2]} {rest}") is None

    def _filtered(self, call: Item, item: Item) -> str:
        """What is left out before something is done for each: `xs.filter(f).forEach(…)`; empty for other calls."""
        name = call.part("name")
        if name is None or name.holds(item.span) or name.end - name.start > _LONG:
            return ""
        text = self._code.normal(name)
        if not text.endswith(_FOR_EACH):
            return ""
        text = self._code.constants.get(text.rpartition(".")[0], text)
        return text[:SHOWN] if _FILTERS.search(text) else ""

    def _held(self, call: Item, item: Item) -> str:
        """What has to be there so that a function is called with it: `x?.let { … }`, `x.ifPresent(…)`."""
        name = call.part("name")
        if name is None or name.holds(item.span) or name.end - name.start > _LONG:
            return ""
        found = _OPTIONAL.fullmatch(self._code.normal(Span(call.start, name.end)))
        return f"{found[1][:SHOWN]}{IS_THERE}" if found is not None else ""

    def _is_kept(self, call: Item, item: Item, body: Span) -> bool:
        """True when a call around an item catches what fails in it, and what it returns fails nothing either."""
        name = call.part("name")
        keeps = self._dialect.keeps
        if keeps is None or name is None or name.holds(item.span) or not keeps.fullmatch(self._code.normal(name)):
            return False
        rest = self._code.text(Span(call.end, min(body.end, call.end + _AFTER)))
        if self._dialect.told_late.search(rest):
            return False
        held = next((one for one in call.above() if one.kind in ("constant", "assign")), None)
        bound = self._code.text(held.part("name") or held.part("left")) if held is not None else ""
        return (
            not bound or re.search(rf"(?i)(?:assert|should|expect|check)\w*[^\n;]*\b{re.escape(bound)}\b", rest) is None
        )

    def is_swallowed(self, tried: Item, item: Item) -> bool:
        """True when a failure in the body of a `try` ends in one of its handlers and goes no further."""
        body = tried.part("body")
        if body is not None and not body.holds(item.span):
            return False
        if self._is_left_by_finally(tried):
            return True
        for handler in self._code.inside(tried.span):
            if handler.kind != "handler" or try_of(handler) is not tried or handler.span.holds(item.span):
                continue
            type_span = handler.part("type")
            types = self._code.normal(type_span)
            swallows = self._dialect.swallows
            catches = swallows is None or (
                swallows.search(types) is not None if type_span else swallows.search("") is not None
            )
            told = _GIVES_UP.sub("", self._code.normal(handler.part("body") or handler.span))
            told = _STRING.sub('""', _HOLDS.sub("", told))
            if catches and not self._dialect.refails.search(told):
                return True
        return False

    def _is_left_by_finally(self, tried: Item) -> bool:
        """True where `finally` returns, which lets go whatever was thrown."""
        if tried.span not in self._left_at_last:
            last = next((one for one in tried.node.children if one.type == "finally_clause"), None)
            body = (
                (last.child_by_field_name("body") or last.named_children[-1]) if last and last.named_children else None
            )
            is_left = body is not None and any(one.type == "return_statement" for one in body.named_children)
            self._left_at_last[tried.span] = is_left
        return self._left_at_last[tried.span]

    def _is_left(self, item: Item, body: Span) -> bool:
        """True for what stands in a function of its test that nothing in the test calls or takes."""
        for above in within(item, body):
            name = self._bound(above) if above.kind in ("function", "lambda") else ""
            if not name:
                continue
            times = self._code.count(name)
            # None at all: what the parser takes for a name is part of a longer word in broken text.
            if times == 0 or times > _FEW:
                continue
            if times > 1 and (body, name) not in self._uses:
                self._code.spend(body.end - body.start)
                text = re.sub(rf"\b\w+\({re.escape(name)}\){_ONLY_THERE}", "", self._code.text(body))
                self._uses[body, name] = len(re.findall(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text))
            if times == 1 or self._uses[body, name] <= 1:
                return True
        return False

    @staticmethod
    def _bound(function: Item) -> str:
        """The name that a function inside a test is called by; empty for methods, and for one that has none."""
        holder = function.node.parent
        node = function.node
        if function.kind == "lambda":
            if holder is None or "declarator" not in holder.type:
                return ""
            node = holder
        elif node.type not in _DECLARED or (holder is not None and _IN_CLASS.search(holder.type)):
            return ""
        named = node.child_by_field_name("name")
        name = named.text.decode("utf-8", "replace") if named is not None and named.text else ""
        return name if _NAME.fullmatch(name) else ""


def _branch_of(item: Item) -> Item | None:
    """What a statement stands in; `return fail()` is the statement of the call in it."""
    branch = item.around
    while branch is not None and branch.kind in ("transfer", "return") and branch.end == item.end:
        branch = branch.around
    return branch
