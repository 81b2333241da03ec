"""One condition as what it looks at, how, and against what: `assert` conditions, and calls put in the same words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from agentgate_git.model.inventory import (
    BOUND,
    BUT_FOR,
    CLOSE,
    EXACT,
    OR_MISSING,
    PRESENT,
    SOUGHT,
    STRENGTHS,
    TYPE,
    Assertion,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last
from agentgate_git.source.python.conditions import negated
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.folding import UNKNOWN
from agentgate_git.source.python.made_alike import folded_alike, made_alike
from agentgate_git.source.python.made_equal import made_equal
from agentgate_git.source.python.many import of_many, of_none
from agentgate_git.source.python.operands import (
    EXACT_CALLS,
    FLIPPED,
    MIRRORED,
    SOUGHT_CALLS,
    TYPE_CALLS,
    are_paired,
    comes_to,
    copied,
    kept,
    unrounded,
    unwrapped,
    whole,
    with_default,
)
from agentgate_git.source.python.records import RECORDS, recorded
from agentgate_git.source.python.text import Writer, bounded, operator_of
from agentgate_git.source.python.tolerances import CLOSE_NAMES, duration, rounded, width
from agentgate_git.source.python.void import ITSELF, always_equal, always_true

# What equals all values of a type, where its library is asked for no more of them.
_OF_TYPE = pattern_of(r"\bdirty_equals\.Is\w+(?:\(\)|(?=[,}\])]|$))")
_LITERALS = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)
_FUEL = 8


class Checker:
    """Reads conditions of one function."""

    def __init__(self, writer: Writer, flow: Flow) -> None:
        self._writer = writer
        self._flow = flow

    @property
    def flow(self) -> Flow:
        """The flow of the function."""
        return self._flow

    def constant(self, node: ast.expr) -> Any:
        """What an expression is for certain, else UNKNOWN."""
        return self._flow.constant(node)

    def checks(self, test: ast.expr, fuel: int = _FUEL) -> Iterator[Assertion]:
        """What must hold for a condition to be true; `a and b` is two checks. `void` says why one always holds."""
        for node, found in self._said(test, fuel):
            void = always_true(node, self._flow, self._writer)
            yield found._replace(void=void) if void else found

    def texts(self, test: ast.expr) -> tuple[str, ...]:
        """The texts of what must hold for a condition to be true."""
        return tuple(found.text for _, found in self._said(test, _FUEL))

    def _said(self, test: ast.expr, fuel: int) -> Iterator[tuple[ast.expr, Assertion]]:
        """The checks of a condition, each with the expression that makes it."""
        match test:
            case ast.BoolOp(op=ast.And(), values=values) if fuel:
                for value in values:
                    yield from self._said(value, fuel - 1)
                return
            case ast.UnaryOp(op=ast.Not(), operand=operand) if fuel:
                yield from self._negated(operand, fuel - 1)
                return
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) if fuel and parts:
                # What is held together is there, and true for that.
                asked = [part for part in parts if isinstance(part, ast.Compare | ast.BoolOp | ast.UnaryOp)]
                for part in asked:
                    yield from ((test, found) for _, found in self._said(part, fuel - 1))
                if asked:
                    return
            case ast.Lambda(body=inner) | ast.GeneratorExp(elt=inner) if fuel and isinstance(inner, ast.Compare):
                yield from ((test, found) for _, found in self._said(inner, fuel - 1))
                return
            case ast.NamedExpr(value=value) if fuel and self._flow.constant(test) is UNKNOWN:
                yield from self._said(value, fuel - 1)
                return
            case ast.Compare(ops=[_, _, *_]) if fuel:
                yield from self._chain(test)
                return
            case ast.Compare(left=ast.Tuple(elts=ones), ops=[ast.Eq()], comparators=[ast.Tuple(elts=others)]) if (
                fuel and are_paired(ones, others)
            ):
                for one, other in zip(ones, others, strict=True):
                    yield from self._said(_compare(one, ast.Eq(), other, test), fuel - 1)
                return
        yield test, self._one(test, fuel)

    def _one(self, test: ast.expr, fuel: int) -> Assertion:
        match test:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._pair(left, op, right, fuel)
            case ast.BoolOp(values=values) if fuel:
                return self._either(values, test, fuel)
            case ast.IfExp(body=body, orelse=orelse) if fuel:
                return self._either([body, orelse], test, fuel)
            case ast.Call():
                return self._call(test, fuel)
            case _:
                return self._made(test, self._writer.text(test), "is truthy", "", PRESENT)

    def equal(self, left: ast.expr, right: ast.expr, at: ast.AST) -> Iterator[Assertion]:
        """The check that two values are equal."""
        yield from self.checks(_compare(left, ast.Eq(), right, at))

    def compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr, at: ast.AST) -> Iterator[Assertion]:
        """The check that `left op right`."""
        yield from self.checks(_compare(left, op, right, at))

    def close(self, name: str, call: ast.Call, left: ast.expr, right: ast.expr, skipped: int) -> Assertion:
        """The check that two values are nearly equal, by a call with tolerances after `skipped` arguments."""
        subject, expected = (right, left) if self._is_expected(left) and not self._is_expected(right) else (left, right)
        made = self._close(
            call, subject, expected, width(name, call, self._flow.constant(expected), skipped, self._writer)
        )
        return made._replace(void=ITSELF) if self.same_copy(subject, expected) else made

    def near(self, call: ast.Call, sides: list[ast.expr], margin: float) -> Iterator[Assertion]:
        """The check that two values differ by no more than a margin."""
        yield self._close(call, *self._sides(sides[0], sides[1]), margin)

    def same_copy(self, left: ast.expr, right: ast.expr) -> bool:
        """True for a value that is compared with a copy of itself, as arrays and frames make them."""
        mine, other = (self._writer.plain(copied(one)) for one in (left, right))
        return mine == other or mine == self._writer.source_of(right) or other == self._writer.source_of(left)

    def fits(self, subject: ast.expr, case: ast.match_case) -> Assertion:
        """The check that a value has the shape of a case."""
        return self._made(subject, self._writer.text(subject), "fits", bounded(ast.unparse(case.pattern)), CLOSE)

    def made(self, at: ast.AST, subject: str, relation: str, expected: str, strength: str) -> Assertion:
        """An assertion in these words."""
        return self._made(at, subject, relation, expected, strength)

    def _made(
        self, at: Any, subject: str, relation: str, expected: str, strength: str, tolerance: str = ""
    ) -> Assertion:
        if subject.endswith(RECORDS):
            subject, relation, expected, strength = recorded(subject, relation, expected, strength)
        text = bounded(" ".join([subject, relation, expected, tolerance]).rstrip())
        return Assertion(text, subject, relation, expected, strength, getattr(at, "lineno", 0), tolerance)

    def _negated(self, operand: ast.expr, fuel: int) -> Iterator[tuple[ast.expr, Assertion]]:
        match operand:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                flipped = FLIPPED[type(op)]
                yield from self._said(_compare(left, flipped, right, operand), fuel)
            case ast.UnaryOp(op=ast.Not(), operand=inner) if fuel:
                yield from self._said(inner, fuel - 1)
            case ast.BoolOp(op=ast.Or(), values=values) if fuel:
                for value in values:
                    yield from self._said(negated(value), fuel - 1)
            case ast.Call() if (found := of_none(operand, self, self._writer)) is not None:
                yield negated(operand), found
            case _:
                yield negated(operand), self._made(operand, self._writer.text(operand), "is falsy", "", CLOSE)

    def _chain(self, test: ast.Compare) -> Iterator[tuple[ast.expr, Assertion]]:
        values = [test.left, *test.comparators]
        outer = [self._flow.constant(value) for value in values[::2]] if len(values) == 3 else [UNKNOWN]
        is_squeezed = outer[0] is not UNKNOWN and outer[0] == outer[1]
        if is_squeezed and {type(op) for op in test.ops} in ({ast.LtE}, {ast.GtE}):
            yield from self._said(_compare(values[1], ast.Eq(), values[0], test), _FUEL)
            return
        for left, op, right in zip(values, test.ops, values[1:], strict=False):
            yield from self._said(_compare(left, op, right, test), _FUEL)

    def _either(self, values: list[ast.expr], test: ast.expr, fuel: int) -> Assertion:
        open_ones = [one for one in values if not always_true(one, self._flow, self._writer)]
        parts = [one for value in open_ones or values for _, one in self._said(value, fuel - 1)]
        weakest = max((STRENGTHS.index(one.strength) for one in parts), default=STRENGTHS.index(PRESENT))
        strength = STRENGTHS[max(weakest, STRENGTHS.index(SOUGHT))]
        subject = parts[0].subject if parts else self._writer.text(test)
        expected = bounded(" | ".join([f"{one.subject} {one.relation} {one.expected}" for one in parts]))
        return self._made(test, subject, "is one of", expected, strength)

    def _pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr, fuel: int) -> Assertion:
        if isinstance(op, ast.Eq | ast.Is):
            return self._equality(left, right, fuel)
        if isinstance(op, ast.In | ast.NotIn):
            return self._membership(left, op, right)
        if isinstance(op, ast.NotEq | ast.IsNot):
            subject, expected = self._sides(left, right)
            is_none = isinstance(expected, ast.Constant) and expected.value is None
            strength = PRESENT if is_none else BOUND
            return self._made(left, self._writer.text(subject), "!=", self._value(expected), strength)
        return self._order(left, op, right)

    def _equality(self, left: ast.expr, right: ast.expr, fuel: int) -> Assertion:
        subject, expected = self._sides(*(kept(one, self._writer) for one in (left, right)))
        known = self._flow.constant(expected)
        if isinstance(known, bool) and fuel:
            asked = next(self.checks(subject if known else negated(subject), fuel - 1))
            is_bare = asked.subject == self._writer.text(subject) and not asked.expected
            return asked._replace(truth=str(known).lower()) if is_bare else asked
        approx = self._resolved(expected)
        if isinstance(approx, ast.Call) and last(approx.func) == "approx":
            value = approx.args[0] if approx.args else next((one.value for one in approx.keywords), approx)
            found = width("approx", approx, self._flow.constant(value), 1, self._writer)
            nan = next((one for one in approx.keywords if one.arg == "nan_ok"), None)
            made = self._close(left, subject, value, found)
            is_loose = nan is not None and self._flow.constant(nan.value) is not False
            return made._replace(strength=SOUGHT) if is_loose else made
        rounding = self._resolved(subject)
        if isinstance(rounding, ast.Call) and last(rounding.func) == "round" and rounding.args:
            return self._close(left, rounding.args[0], unrounded(expected), rounded(rounding, self._writer))
        alike = made_alike(rounding, self._resolved(expected), self._writer)
        alike = alike or folded_alike(rounding, self._resolved(expected))
        if alike is not None:
            relation = f"=={alike.name}" if alike.name.startswith(BUT_FOR) else "=="
            made = self._narrowed(left, alike.subject, relation, alike.expected, CLOSE)
            return made._replace(text=bounded(f"{alike.name} {made.text}")) if made.text else made
        if isinstance(subject, ast.Call) and last(subject.func) == "type" and subject.args:
            return self._made(left, self._writer.text(subject.args[0]), "has type", self._writer.text(expected), TYPE)
        words = made_equal(subject, expected, self._flow)
        relation, strength = (f"=={BUT_FOR}{words}", CLOSE) if words else ("==", EXACT)
        return self._narrowed(left, subject, relation, expected, strength)

    def _narrowed(self, at: ast.AST, subject: ast.expr, relation: str, expected: ast.expr, strength: str) -> Assertion:
        """An equality as strong as what a wrapper leaves of the value, and as what it is compared with tells apart."""
        known = self._resolved(subject)
        left = comes_to(known, lambda one: self._writer.text(one) == self._writer.text(expected))
        if left is not None:
            told = self._made(at, self._writer.text(left[0] or subject), left[1], self._value(expected), left[2])
            return told if left[0] is not None else told._replace(void=ITSELF)
        asked = with_default(known)
        if asked is not None and self._is_told(asked[1], expected):
            return self._made(at, self._writer.text(asked[0]), OR_MISSING, self._value(expected), SOUGHT)
        inner, words, limit = unwrapped(known if isinstance(known, ast.SetComp | ast.Call) else subject)
        worst = max(STRENGTHS.index(strength), STRENGTHS.index(limit))
        if isinstance(subject, ast.Compare):  # true or false, and no more told apart than by what is compared
            worst = max(worst, *(STRENGTHS.index(one.strength) for one in self.checks(subject)))
        value = self._value(expected)
        if "mock.ANY" in value or _OF_TYPE.search(value):
            worst = max(worst, STRENGTHS.index(SOUGHT))
        text = self._writer.text(inner)
        if "(" in text and text in value and relation == "==" and text != value:
            worst = max(worst, STRENGTHS.index(SOUGHT))
        found = self._made(at, text, f"{words}{relation}", value, STRENGTHS[worst])
        void = always_equal(expected, self._flow, self._writer)
        return found._replace(void=void) if void else found

    def _is_told(self, default: ast.expr, expected: ast.expr) -> bool:
        """True for a default that is what is expected; of what is false, the absence may say as much."""
        known = self._flow.constant(expected)
        is_false = known is not UNKNOWN and not known
        return not is_false and self._writer.text(default) == self._writer.text(expected)

    def _membership(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Assertion:
        items = self._resolved(right)
        sign = operator_of(op)
        if isinstance(items, ast.List | ast.Tuple | ast.Set) and not self._is_expected(left):
            if len(items.elts) == 1 and isinstance(op, ast.In) and not isinstance(items.elts[0], ast.Starred):
                return self._narrowed(left, left, "==", items.elts[0], EXACT)
            strength = SOUGHT if isinstance(op, ast.In) else BOUND
            return self._made(left, self._writer.text(left), sign, self._writer.text(items), strength)
        strength = SOUGHT if isinstance(op, ast.In) else BOUND
        if isinstance(items, ast.Call) and last(items.func) == "range":
            return self._made(left, self._writer.text(left), sign, self._writer.text(items), strength)
        word = "contains" if isinstance(op, ast.In) else "does not contain"
        return self._made(left, self._writer.text(right), word, self._value(left), strength)

    def _order(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Assertion:
        sign = operator_of(op)
        subject, expected = self._sides(left, right)
        if subject is not left:
            sign = MIRRORED[sign]
        match subject:
            case ast.Call(func=func, args=[ast.BinOp(left=one, op=ast.Sub(), right=other)]) if sign in (
                "<",
                "<=",
            ) and last(func) in ("abs", "fabs"):
                near, far = self._sides(one, other)
                return self._close(left, near, far, self._amount(expected))
        amount = None if isinstance(expected, ast.Constant) else self._amount(expected)
        bound = self._value(expected) if amount is None else repr(amount)
        return self._made(left, self._writer.text(subject), sign, bound, BOUND)

    def _amount(self, node: ast.expr) -> float | None:
        """A number, or the seconds of a duration; None where it is not known."""
        known = self._writer.constant(node)
        is_number = isinstance(known, int | float) and not isinstance(known, bool)
        return float(known) if is_number else duration(self._writer.settled(self._resolved(node)), self._writer)

    def _close(self, at: ast.AST, subject: ast.expr, expected: ast.expr, margin: float | None) -> Assertion:
        shown = "" if margin is None else repr(margin)
        found = self._made(at, self._writer.text(subject), "is near", self._value(expected), CLOSE, shown)
        return found._replace(void="its tolerance lets every value pass") if margin == float("inf") else found

    def _call(self, call: ast.Call, fuel: int) -> Assertion:
        name = last(call.func)
        lowered = name.replace("_", "").lower()
        arguments = call.args
        if lowered in CLOSE_NAMES and len(arguments) >= 2:
            return self.close(lowered, call, arguments[0], arguments[1], 2)
        if name in EXACT_CALLS and arguments:
            sides = arguments[:2] if len(arguments) > 1 else [getattr(call.func, "value", arguments[0]), arguments[0]]
            return self._equality(sides[0], sides[1], fuel)
        if name == "bool" and len(arguments) == 1 and fuel:
            return next(self.checks(arguments[0], fuel - 1))
        if name in ("match", "search", "fullmatch") and arguments:
            return self._matched(call, name)
        if name in TYPE_CALLS and arguments:
            others = ", ".join([self._writer.text(one) for one in arguments[1:]])
            strength = PRESENT if name == "callable" else TYPE
            return self._made(call, self._writer.text(arguments[0]), name, others, strength)
        if name in ("all", "any") and (found := of_many(call, name, self, self._writer, fuel)) is not None:
            return found
        if name in SOUGHT_CALLS:
            subject = call.func.value if isinstance(call.func, ast.Attribute) else call
            others = ", ".join([self._writer.text(one) for one in arguments])
            return self._made(call, self._writer.text(subject), name, others, SOUGHT)
        strength = CLOSE if len(arguments) > 1 else PRESENT
        return self._made(call, self._writer.text(call), "is truthy", "", strength)

    def _matched(self, call: ast.Call, name: str) -> Assertion:
        """A pattern that a value is held against, wherever the two stand in the call."""
        patterns = call.args if len(call.args) > 1 else [getattr(call.func, "value", call), *call.args]
        pattern, subject = patterns[0], patterns[1]
        only = whole(self._flow.constant(pattern), name)
        if only is not None:
            return self._made(call, self._writer.text(subject), "==", repr(only), EXACT)
        return self._made(call, self._writer.text(subject), f"{name}es", self._value(pattern), SOUGHT)

    def _sides(self, left: ast.expr, right: ast.expr) -> tuple[ast.expr, ast.expr]:
        """Subject and expected value: a literal is what is expected, wherever it stands."""
        swap = self._is_expected(left) and not self._is_expected(right)
        return (right, left) if swap else (left, right)

    def _is_expected(self, node: ast.expr) -> bool:
        found = self._resolved(node)
        if isinstance(found, ast.UnaryOp):
            found = found.operand
        if isinstance(found, ast.Call) and last(found.func) == "approx":
            return True
        return isinstance(found, _LITERALS) or self._flow.constant(node) is not UNKNOWN

    def _resolved(self, node: ast.expr) -> ast.expr:
        for _ in range(_FUEL):
            if not isinstance(node, ast.Name):
                break
            value = self._flow.value(node)
            if value is None:
                break
            node = value
        return node

    def _value(self, node: ast.expr) -> str:
        known = self._flow.constant(node)
        if isinstance(known, bool | float | str | bytes | None) or type(known) is int:
            return bounded(repr(known))
        if isinstance(known, list) and isinstance(self._resolved(node), ast.Call):
            return bounded(repr(known))
        return self._writer.text(node)


def _compare(left: ast.expr, op: ast.cmpop, right: ast.expr, at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Compare(left, [op], [right]), at)
