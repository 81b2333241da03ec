"""One function, statement by statement: which assertions are made, under what, and which of them nothing can fail."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from agentgate_git.model.inventory import CLOSE, EXACT, GIVES_UP, Assertion
from agentgate_git.source.nodes import last
from agentgate_git.source.python import branches, never_called, places, reasons, swallow
from agentgate_git.source.python.answers import answers
from agentgate_git.source.python.bodies import Body
from agentgate_git.source.python.calls import CallReader, is_named_assertion, is_raising
from agentgate_git.source.python.checks import Checker
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER, may_tell, negated, truth_of, waits_of
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.folding import UNKNOWN
from agentgate_git.source.python.lazy import mapped, never_gone_through
from agentgate_git.source.python.names import Function, Scope, TooTangled
from agentgate_git.source.python.owner import Owner
from agentgate_git.source.python.pairs import in_words_of_whole, with_lengths
from agentgate_git.source.python.places import (
    FUEL,
    Here,
    asks,
    behind_loop,
    beneath,
    is_coroutine,
    is_forgotten_task,
    outside_of,
)
from agentgate_git.source.python.text import Writer, bounded
from agentgate_git.source.python.unheard import IF_CALLED, is_lost_task, is_only_if_called, of_several, started
from agentgate_git.source.python.void import stand_ins

_BINDING = (ast.Assign, ast.AugAssign, ast.AnnAssign)
_SYSTEM = ("sys.", "os.", "platform.", "TYPE_CHECKING", "__name__", "six.", "hasattr(")


class FunctionReader:
    """Reads one function of a module; `outer` is the reader of the function around it."""

    def __init__(
        self,
        owner: Owner,
        function: Function,
        body: Body,
        outer: FunctionReader | None,
        parameters: frozenset[str],
        fuel: int,
    ) -> None:
        self._owner = owner
        self._function = function
        self._body = body
        self._fuel = fuel
        self._own: Scope | None = None
        self.scope = body.place.scope
        self.flow: Flow = Flow(function, outer.flow if outer else None)
        self.scope.spend(places.STEPS_PER_FUNCTION + self.flow.steps)
        around = outer.writer if outer else None
        self.writer: Writer = Writer(self._inside, self.scope, self.flow, owner.callables, parameters, around)
        self.writer.stand_ins = stand_ins(function, self.flow, self.writer)
        self._checker = Checker(self.writer, self.flow)
        self._calls = CallReader(self._checker, self.writer)
        self._helper_calls: list[ast.Call] | None = None
        self._found: list[Assertion] = []

    def _inside(self) -> Scope:
        """The scope of the function, for the rare name that only it knows."""
        if self._own is None:
            self._own = self._body.inside(self._function).place.scope
        return self._own

    def read(self, here: Here) -> tuple[Assertion, ...]:
        self._block(self._function.body, here)
        if (end := swallow.gives_up(self._function)) is not None:
            self._emit([self._checker.made(end, self._function.name, GIVES_UP, "", CLOSE)], here)
        lazy = mapped(self._function, self.flow, self.writer)
        for call, void in (*started(self.flow), *lazy):
            self._helper(call, here._replace(void=here.void or void), False, not void)
        if self._fuel == FUEL and self._found:
            self._emit([*answers(self._function, self._checker, self.writer, self._found)], Here())
        return tuple(with_lengths(self._found))

    def _block(self, statements: list[ast.stmt], here: Here) -> bool:
        """Read statements in order; True when what follows them is never reached."""
        ended = False
        for statement in statements:
            self.scope.spend()
            reached = here._replace(void=here.void or reasons.UNREACHED) if ended else here
            ended = self._statement(statement, reached) or ended
            if isinstance(statement, ast.If | ast.Match) and statement is not statements[-1]:
                for test in branches.leaving(statement):
                    here = self._left_out(test, here)
            elif isinstance(statement, ast.Try) and not here.is_looped:
                here = branches.behind_try(statement, self.writer, here)
        return ended

    def _left_out(self, test: ast.expr, here: Here) -> Here:
        """What follows `if test: return`: it is done only when the test is false, and the test's opposite is known."""
        if self._truth(test) != DEPENDS:
            return here
        known = self._known(negated(test))
        opened_by = self._opened_by(negated(test))
        return asks(here, f"not {self.writer.text(test)}", opened_by)._replace(known=(*here.known, *known))

    def _statement(self, statement: ast.stmt, here: Here) -> bool:
        here = here._replace(void=here.void or never_gone_through(statement, self.flow))
        if isinstance(statement, _BINDING):
            self._bound(statement, here)
            return False
        match statement:
            case ast.Assert(test=test):
                self._asserted(test, here)
                self._nested_calls(test, here)
                return isinstance(test, ast.Constant) and not test.value
            case ast.Expr(value=value):
                self._expression(value, here)
                return swallow.fails(statement)
            case ast.Return(value=value):
                self._returned(value, here)
                return True
            case ast.Raise() | ast.Break() | ast.Continue():
                return True
            case ast.If():
                return self._if(statement, here)
            case ast.For() | ast.AsyncFor():
                return self._for(statement, here)
            case ast.While(test=test, body=body, orelse=orelse):
                self._block(body, branches.in_while(self._truth(test), test, self.flow, self.writer, here))
                return self._block(orelse, behind_loop(body, here)) and False
            case ast.With() | ast.AsyncWith():
                return self._with(statement, here)
            case ast.Try() | ast.TryStar():
                return self._try(statement, here)
            case ast.Match():
                self._match(statement, here)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._definition(statement, here)
            case ast.ClassDef(body=body):
                self._block([one for one in body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)], here)
        return False

    def _asserted(self, test: ast.expr, here: Here) -> None:
        """What must hold: of `sys.platform == "linux" or x`, only the last, and only on other systems."""
        ways = branches.by_machine(test, self._inside) if isinstance(test, ast.BoolOp | ast.IfExp) else ()
        for asked, checked in ways:
            self._asserted(checked, self._where(asked, here))
        self._emit(self._checker.checks(test) if not ways else (), here)

    def _bound(self, statement: ast.Assign | ast.AugAssign | ast.AnnAssign, here: Here) -> None:
        """A value that is given a name: the calls in it, and a task that nobody looks at again."""
        value = statement.value
        if value is None or isinstance(value, ast.Constant | ast.Name):
            return
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if is_lost_task(
                call, name, self.flow, self.writer
            ):
                self._call(call, here, False)
            case _:
                if isinstance(value, ast.Await) and isinstance(value.value, ast.Call):
                    here = of_several(value.value, self.flow, here, is_kept=True)
                self._nested_calls(value, here, is_statement=is_named_assertion(value), is_entered=True)

    def _emit(self, found: Iterable[Assertion], here: Here) -> None:
        for one in found:
            void = here.void or one.void
            if not void and one.text in here.known:
                void = reasons.ALREADY
            if not void and one.relation == "is truthy" and is_coroutine(one, self._owner.awaited(), self.flow):
                void = reasons.COROUTINE
            condition = bounded(f"{here.condition}; {one.condition}".strip("; ")) if here.condition else one.condition
            is_same = void == one.void and condition == one.condition and not (here.within or here.opened_by)
            made = one if is_same else one._replace(void=void, condition=condition, within=here.within or one.within)
            self._found.append(made._replace(asks=here.opened_by) if here.opened_by else made)
        if len(self._found) > places.MAX_ASSERTIONS:
            raise TooTangled(f"{self._function.name} makes more than {places.MAX_ASSERTIONS} assertions")

    def _expression(self, value: ast.expr, here: Here) -> None:
        inner = value.value if isinstance(value, ast.Await) else value
        match inner:
            case ast.Call():
                self._call(inner, here, inner is not value)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp():
                self._emit(self._checker.checks(inner), here._replace(void=here.void or reasons.THROWN_AWAY))
                self._nested_calls(inner, here)
            case _:
                self._nested_calls(inner, here)

    def _returned(self, value: ast.expr | None, here: Here) -> None:
        if isinstance(value, ast.Compare | ast.BoolOp) and self._fuel == FUEL:
            self._emit(self._checker.checks(value), here._replace(void=here.void or reasons.RETURNED))
        if value is not None:
            self._nested_calls(value, here)

    def _call(self, call: ast.Call, here: Here, awaited: bool) -> None:
        if is_raising(call):
            if len(call.args) > 1:
                self._emit(self._calls.raising(call, self._calls.given(call)), here)
            return
        name = last(call.func)
        if name in ("simplefilter", "filterwarnings") and call.args and self.flow.constant(call.args[0]) == "error":
            self._emit([self._checker.made(call, "warnings", "fail", "", EXACT)], here)
        found = list(self._calls.assertions(call))
        if found:
            self._emit(found, here)
            self._nested_calls(call, here, is_outer_known=True)
            return
        if is_forgotten_task(call, self.writer):
            here = here._replace(void=here.void or reasons.NOT_AWAITED)
        here = of_several(call, self.flow, here)
        self._nested_calls(call, here, is_statement=True, is_entered=awaited)

    def _nested_calls(
        self,
        root: ast.expr,
        here: Here,
        is_statement: bool = False,
        is_entered: bool = False,
        is_outer_known: bool = False,
    ) -> None:
        """Assertions of the helpers that an expression calls."""
        if is_statement and isinstance(root, ast.Call):
            self._helper(root, here, True, is_entered)
        if self._helper_calls is None:
            self._helper_calls = self._calls_of_helpers()
        for call in places.calls_within(self._helper_calls, root):
            if not (call is root and (is_statement or is_outer_known)):
                self._helper(call, here, False, False)

    def _calls_of_helpers(self) -> list[ast.Call]:
        """The calls of functions of this file, those in a lambda left out, which nothing may ever call."""
        found = []
        for calls in self.flow.calls.values():
            found += [call for call in calls if self._callee(call.func) is not None]
        return outside_of(found, self.flow.lambdas)

    def _helper(self, call: ast.Call, here: Here, is_statement: bool, is_entered: bool) -> None:
        function = self._callee(call.func)
        if function is None:
            if is_statement and self.writer.definition(call.func) is None:
                found = self._calls.helper(call)
                self._emit([found] if found else [], here)
            return
        outer = self if self.flow.definition(function.name) is function else None
        templates = self._owner.helper(function, self._body, self._fuel, outer)
        if not templates:
            return
        self.scope.spend(places.STEPS_PER_COPY * len(templates))
        is_dropped = is_statement and not is_entered and not function.decorator_list
        values = places.given_to(function, call, self.writer)
        where = here._replace(void=here.void or (never_called.why_dropped(function, self._owner) if is_dropped else ""))
        made = (places.filled(one, values, call.lineno)._replace(via=function.name) for one in templates)
        self._emit(made, where)

    def _callee(self, called: ast.expr) -> Function | None:
        if isinstance(called, ast.Attribute):
            owner = called.value
            is_own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
            return self._body.methods.get(called.attr) if is_own else None
        definition = self.writer.definition(called)
        return definition if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef) else None

    def _truth(self, test: ast.expr) -> str:
        known = self.flow.constant(test)
        if known is not UNKNOWN:
            return ALWAYS if known else NEVER
        text = self.writer.text(test)
        return truth_of(text, test, self._inside()) if any(word in text for word in _SYSTEM) else DEPENDS

    def _where(self, test: ast.expr, here: Here) -> Here:
        """What is done where a condition holds: everywhere, if it is only false where the gate runs no tests."""
        if self._truth(negated(test)) == NEVER:
            return here
        return asks(here, self.writer.text(test), self._opened_by(test))

    def _opened_by(self, test: ast.expr) -> tuple[str, ...]:
        """What opens a condition that never holds where the gate runs tests."""
        text = self.writer.text(test)
        return waits_of(text, test, self._inside()) if may_tell(text) else ()

    def _if(self, statement: ast.If, here: Here) -> bool:
        test, then, otherwise = statement.test, statement.body, statement.orelse
        verdict = self._truth(test)
        if verdict != DEPENDS:
            never = here._replace(void=here.void or reasons.UNREACHED)
            ended = self._block(then, here if verdict == ALWAYS else never)
            other = self._block(otherwise, here if verdict == NEVER else never)
            return ended if verdict == ALWAYS else other
        self._nested_calls(test, here)
        if (swallow.fails_test(then[-1]) or branches.gathers(then[-1], self._function)) and not otherwise:
            self._emit(self._checker.checks(negated(test)), here)
            self._block(then[:-1], asks(here, self.writer.text(test)))
            return False
        known = (*here.known, *self._known(test))
        ended = self._block(then, self._where(test, here)._replace(known=known))
        left = asks(here, f"not {self.writer.text(test)}", self._opened_by(negated(test))) if otherwise else here
        return bool(otherwise) and self._block(otherwise, left) and ended

    def _known(self, test: ast.expr) -> tuple[str, ...]:
        """What holds where the test does."""
        self.scope.spend(places.STEPS_PER_BRANCH)
        return self._checker.texts(test)

    def _match(self, statement: ast.Match, here: Here) -> None:
        self._nested_calls(statement.subject, here)
        for case, test, is_asserted in branches.cases_of(statement):
            known = self._known(test) if test else (f"match {self.writer.text(statement.subject)}",)
            if is_asserted:
                fits = [self._checker.fits(statement.subject, case)] if test is None else self._checker.checks(test)
                self._emit(fits, here)
            inner = here if is_asserted else asks(here, "; ".join(known))._replace(known=(*here.known, *known))
            self._block(case.body, inner)

    def _for(self, statement: ast.For | ast.AsyncFor, here: Here) -> bool:
        self._nested_calls(statement.iter, here)
        for one, other in branches.paired_strictly(statement.iter):
            self._emit(self._checker.equal(one, other, statement), here)
        start = len(self._found)
        self._block(statement.body, branches.in_for(statement, self.flow, self.writer, here))
        inside = in_words_of_whole(self._found[start:], statement.target, statement.iter, self.writer)
        self._found[start:] = inside
        return self._block(statement.orelse, behind_loop(statement.body, here)) and False

    def _with(self, statement: ast.With | ast.AsyncWith, here: Here) -> bool:
        inner = here
        raising = []
        for item in statement.items:
            context = item.context_expr
            if is_raising(context) and isinstance(context, ast.Call):
                raising.append(context)
                self._emit(self._calls.raising(context, beneath(statement.body, self.writer)), here)
            elif swallow.suppresses(context, self.writer):
                inner = inner._replace(void=inner.void or swallow.SUPPRESSED)
            else:
                self._emit(self._calls.counting(context, beneath(statement.body, self.writer)), here)
                self._nested_calls(context, here, is_statement=True, is_entered=True)
                name = last(context.func if isinstance(context, ast.Call) else context)
                inner = inner._replace(within=f"{inner.within} {name}".strip())
        if raising:
            self._raising_body(statement.body, raising, inner)
            return False
        return self._block(statement.body, inner) and inner.void == here.void

    def _raising_body(self, body: list[ast.stmt], raising: list[ast.Call], here: Here) -> None:
        """In `raises`, an assertion either is what has to fail, or stands behind what has to raise."""
        errors = [
            one for one in raising if last(one.func).lower().replace("_", "").startswith(("raises", "assertraises"))
        ]
        expected = [one for call in errors for one in call.args[:1]]
        if any(swallow.is_failure_type(one, self.writer) for one in expected):
            self._block(body, here._replace(void=here.void or reasons.EXPECTED))
            return
        behind = (
            here._replace(void=here.void or reasons.BEHIND_ERROR) if errors and len(errors) == len(raising) else here
        )
        for index, statement in enumerate(body):
            has_run = any(isinstance(one, ast.Expr | ast.Assign | ast.Raise) for one in body[:index])
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Compare)):
                self._statement(statement, behind if has_run else here)

    def _try(self, statement: ast.Try | ast.TryStar, here: Here) -> bool:
        self.scope.spend(places.STEPS_PER_LINE_TRIED * ((statement.end_lineno or 0) - statement.lineno))
        if self._expects_error(statement, here):
            return False
        why = swallow.swallowing(statement, self.writer, self.flow, here.is_looped)
        inner = here._replace(void=here.void or why)
        ended = self._block(statement.body, inner)
        for handler in statement.handlers:
            caught = self.writer.text(handler.type) if handler.type else ""
            self._block(handler.body, asks(here, f"except {caught}".rstrip()))
        self._block(statement.orelse, branches.in_else(statement, self.writer, here))
        return self._block(statement.finalbody, here) or (ended and not statement.handlers)

    def _expects_error(self, statement: ast.Try | ast.TryStar, here: Here) -> bool:
        """`try: f(); fail()` with `except X` is `with raises(X): f()`."""
        has_failure = swallow.fails(statement.body[-1]) or any(swallow.fails(one) for one in statement.orelse)
        named = [one for one in statement.handlers if one.type and not swallow.is_failure_type(one.type, self.writer)]
        tried = statement.body[:-1] if swallow.fails(statement.body[-1]) else statement.body
        if not (has_failure and named and len(named) == len(statement.handlers) and tried):
            return False
        expected = ", ".join([self.writer.text(one.type) for one in named if one.type])
        self._emit([self._checker.made(statement, beneath(tried, self.writer), "raises", expected, "type")], here)
        self._block(tried, here)
        for handler in named:
            self._block(handler.body, here)
        self._block(statement.finalbody, here)
        return True

    def _definition(self, function: Function, here: Here) -> None:
        """A nested function: called by name it counts where it is called; handed on it counts here."""
        why = never_called.why(function, self._function, self.flow, self._owner)
        if why is None:
            return
        found = self._owner.helper(function, self._body, self._fuel, self)
        where = asks(here, IF_CALLED) if is_only_if_called(function, self.flow) else here
        self._emit(found, where._replace(void=here.void or why))
