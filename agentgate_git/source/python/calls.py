"""Calls that are assertions: unittest's methods, mocks, numpy and pandas, and helpers of other files by their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.inventory import BOUND, BUT_FOR, CLOSE, EXACT, PRESENT, QUERIES, SOUGHT, TYPE, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last
from agentgate_git.source.python.checks import Checker
from agentgate_git.source.python.conditions import negated
from agentgate_git.source.python.folding import UNKNOWN
from agentgate_git.source.python.frames import left_out, margin
from agentgate_git.source.python.text import Writer, bounded
from agentgate_git.source.python.tolerances import CLOSE_NAMES
from agentgate_git.source.python.void import ANY_TEXT, ITSELF, MADE_UP, always_equal, matches_anything

_EQUAL = frozenset(
    (
        *(
            "assertequal",
            "assertequals",
            "failunlessequal",
            "eq",
            "assertlistequal",
            "assertdictequal",
            "asserttupleequal",
        ),
        *("assertsetequal", "assertmultilineequal", "assertsequenceequal", "assertarrayequal", "assertframeequal"),
        *("assertseriesequal", "assertindexequal", "assertis", "assertxmlequal", "asserthtmlequal", "assertjsonequal"),
        *("assertquerysetequal", "assertstringequal", "asserteq"),
    )
)
_COMPARISONS: dict[str, ast.cmpop] = {
    "assertnotequal": ast.NotEq(),
    "assertnotequals": ast.NotEq(),
    "assertisnot": ast.IsNot(),
    "assertin": ast.In(),
    "assertnotin": ast.NotIn(),
    "assertgreater": ast.Gt(),
    "assertgreaterequal": ast.GtE(),
    "assertless": ast.Lt(),
    "assertlessequal": ast.LtE(),
    "failifequal": ast.NotEq(),
    "assertarrayless": ast.Lt(),
}
_TRUE = frozenset(("asserttrue", "assert", "ok", "failunless"))
_FALSE = frozenset(("assertfalse", "failif"))
_MOCK = {
    "assert_called_once_with": ("was called once with", EXACT),
    "assert_called_with": ("was called with", CLOSE),
    "assert_awaited_once_with": ("was called once with", EXACT),
    "assert_awaited_with": ("was called with", CLOSE),
    "assert_any_call": ("was ever called with", SOUGHT),
    "assert_any_await": ("was ever called with", SOUGHT),
    "assert_has_calls": ("has calls", SOUGHT),
    "assert_has_awaits": ("has calls", SOUGHT),
    "assert_called_once": ("was called once", BOUND),
    "assert_awaited_once": ("was called once", BOUND),
    "assert_called": ("was called", PRESENT),
    "assert_awaited": ("was called", PRESENT),
    "assert_not_called": ("was not called", EXACT),
    "assert_not_awaited": ("was not called", EXACT),
}
_LINES = {
    "fnmatch_lines": SOUGHT,
    "fnmatch_lines_random": SOUGHT,
    "re_match_lines": SOUGHT,
    "no_fnmatch_line": BOUND,
    "no_re_match_line": BOUND,
    "assert_outcomes": EXACT,
    "raise_for_status": PRESENT,
    "re_match_lines_random": SOUGHT,
}
_HELPERS = ("assert", "check", "verify", "expect", "ensure", "validate", "compare", "test", "run_test")
# What looks again and again, and raises when it never comes true.
_WAITS = pattern_of(
    r"_*(?:busy_?|spin_?|async_?|retry_?)?(?:wait|poll|until|eventually|retry_until|retrying)(?:_|$|[A-Z])"
)
_NO_HELPERS = frozenset(("check_call", "check_output", "assert_", "testdir", "test_client", "check_returncode"))
RAISES = {
    **dict.fromkeys(("raises", "assertraises", "raisesexc", "raisesgroup", "assertraisesmessage"), "raises"),
    **dict.fromkeys(("assertraisesregex", "assertraisesregexp", "failunlessraises"), "raises"),
    **dict.fromkeys(("warns", "assertwarns", "assertwarnsregex", "assertwarnsmessage"), "warns"),
    "deprecatedcall": "warns",
    "assertlogs": "logs",
    "assertnologs": "does not log",
}
_ANY_ERROR = frozenset(
    ("Exception", "BaseException", "Warning", "None", "builtins.Exception", "builtins.BaseException")
)
_OTHER_FILE = "passes"
NO_WARNING = "it records warnings and asks for none"
# What asks whether one holds the other, and whether the whole is given first.
_COUNTS_QUERIES = ("assertnumqueries", "djangoassertnumqueries", "djangoassertmaxnumqueries")
_PARTS = {"assertdictcontainssubset": False, "assertcontains": True, "assertinhtml": False}
# By how much values of tables may differ unasked, or nearly so.
_NARROW = 1e-3
_ARRAYS = ("assertarray", "assertframe", "assertseries", "assertindex")
_MADE_UP = pattern_of(r"(?:(?:was|is|has|have|been|got|should|be|assert)_)*_*(?:called|awaited)(?:_\w+)?$|assert_\w*$")


class CallReader:
    """Reads calls of one function as assertions."""

    def __init__(self, checker: Checker, writer: Writer) -> None:
        self._checker = checker
        self._writer = writer

    def assertions(self, call: ast.Call) -> Iterator[Assertion]:
        """What a call that stands as a statement asserts, when its name says so."""
        name = last(call.func)
        lowered = name.replace("_", "").lower()
        arguments = call.args
        if name in _MOCK and isinstance(call.func, ast.Attribute):
            yield self._mock(name, call)
        elif name in _LINES and isinstance(call.func, ast.Attribute):
            others = self._texts(call)
            yield self._made(call, self._writer.text(call.func.value), name, others, _LINES[name])
        elif self._is_made_up(name, call):
            yield self._made(call, self._writer.text(call.func), "is asked", "", PRESENT)._replace(void=MADE_UP)
        elif lowered in CLOSE_NAMES and lowered.startswith(("assert", "fail")) and len(arguments) > 1:
            yield self._checker.close(lowered, call, arguments[0], arguments[1], 2)
        else:
            yield from self._unittest(lowered, call, arguments)

    @staticmethod
    def _is_made_up(name: str, call: ast.Call) -> bool:
        """True for what reads like a mock's assertion and is none: `order.was_called_once_with(1)`."""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        is_own = owner is None or (isinstance(owner, ast.Name) and owner.id in ("self", "cls"))
        return not is_own and "called" in name.replace("awaited", "called") and _MADE_UP.match(name) is not None

    def helper(self, call: ast.Call) -> Assertion | None:
        """A call of something that is not of this file and asserts by its name; None for any other call."""
        name = last(call.func)
        is_named = name.lstrip("_").lower().startswith(_HELPERS)
        if name in _NO_HELPERS or not (is_named or _waits_for(call)):
            return None
        found = self._made(call, self._texts(call), f"{_OTHER_FILE} {name}", "", EXACT)
        match call.args:
            case [one, other, *_] if name.lstrip("_").lower().startswith("assert") and self._is_same(one, other):
                return found._replace(void=ITSELF)
        return found

    def _is_same(self, one: ast.expr, other: ast.expr) -> bool:
        """True for a value that a helper is to compare with itself; two constants may be given for other ends."""
        is_known = self._checker.constant(one) is not UNKNOWN
        return not is_known and self._writer.plain(one) == self._writer.plain(other)

    def raising(self, call: ast.Call, subject: str) -> Iterator[Assertion]:
        """What `raises(…)` and its kin expect of what stands beneath, or of the function they are given."""
        name = last(call.func).replace("_", "").lower()
        word = RAISES[name]
        arguments = call.args
        named = {one.arg: one.value for one in call.keywords}
        expected = arguments[0] if arguments else named.get("expected_exception", named.get("expected_warning"))
        text = self._writer.text(expected) if expected is not None else "anything"
        is_any = expected is None or any(part in _ANY_ERROR for part in text.strip("()").replace(",", " ").split())
        found = self._made(call, subject, word, text, PRESENT if is_any and word in ("raises", "warns") else TYPE)
        yield found._replace(void=NO_WARNING) if word == "warns" and text == "None" else found
        pattern = named.get("match", named.get("expected_regex"))
        if pattern is None and name.endswith(("regex", "regexp", "message")) and len(arguments) > 1:
            pattern = arguments[1]
        if pattern is not None and not (isinstance(pattern, ast.Constant) and pattern.value is None):
            found = self._made(call, subject, f"{word} matching", self._writer.text(pattern), SOUGHT)
            known = self._checker.constant(pattern)
            yield found._replace(void=ANY_TEXT) if matches_anything(known, "search") else found

    def counting(self, context: ast.expr, subject: str) -> Iterator[Assertion]:
        """How many queries what stands beneath may make: `with self.assertNumQueries(2)`."""
        lowered = last(context.func).replace("_", "").lower() if isinstance(context, ast.Call) else ""
        if isinstance(context, ast.Call) and lowered in _COUNTS_QUERIES and context.args:
            yield self._made(context, subject, QUERIES, self._writer.text(context.args[0]), CLOSE)

    def given(self, call: ast.Call) -> str:
        """The call that `raises(X, f, 1)` makes, as if it stood beneath `with raises(X):`."""
        others = [self._writer.text(one) for one in call.args[2:]]
        named = sorted(f"{one.arg}={self._writer.text(one.value)}" for one in call.keywords if one.arg != "match")
        return bounded(f"{self._writer.text(call.args[1])}({', '.join([*others, *named])})")

    def _unittest(self, lowered: str, call: ast.Call, arguments: list[ast.expr]) -> Iterator[Assertion]:
        checker = self._checker
        if lowered in _EQUAL and lowered.startswith(_ARRAYS) and len(arguments) > 1:
            yield from self._table(call, arguments)
        elif lowered in _EQUAL and len(arguments) > 1:
            yield from checker.equal(arguments[0], arguments[1], call)
        elif lowered in _COMPARISONS and len(arguments) > 1:
            yield from checker.compare(arguments[0], _COMPARISONS[lowered], arguments[1], call)
        elif lowered in _TRUE and arguments:
            yield from checker.checks(arguments[0])
        elif lowered in _FALSE and arguments:
            yield from checker.checks(negated(arguments[0]))
        elif lowered in ("assertisnone", "assertisnotnone") and arguments:
            op = ast.Is() if lowered == "assertisnone" else ast.IsNot()
            yield from checker.compare(arguments[0], op, _located(ast.Constant(None), call), call)
        elif lowered in ("assertcountequal", "assertitemsequal") and len(arguments) > 1:
            yield from checker.equal(_applied("sorted", [arguments[0]], call), arguments[1], call)
        elif lowered in ("assertisinstance", "assertissubclass") and len(arguments) > 1:
            yield from checker.checks(_applied(lowered.removeprefix("assert"), arguments[:2], call))
        elif lowered in _PARTS and len(arguments) > 1:
            whole, part = arguments[:2] if _PARTS[lowered] else arguments[1::-1]
            yield self._made(call, self._writer.text(whole), "contains", self._writer.text(part), SOUGHT)
            for one in call.keywords if lowered == "assertcontains" else ():
                if one.arg == "status_code":
                    subject = f"{self._writer.text(whole)}.status_code"
                    yield self._made(call, subject, "==", self._writer.text(one.value), EXACT)
        elif lowered in ("assertregex", "assertregexpmatches", "assertregexp") and len(arguments) > 1:
            yield from checker.checks(_applied("search", [arguments[1], arguments[0]], call))
        elif lowered in ("assertnotregex", "assertnotisinstance") and len(arguments) > 1:
            yield self._made(call, self._writer.text(arguments[0]), lowered, self._writer.text(arguments[1]), BOUND)

    def _table(self, call: ast.Call, sides: list[ast.expr]) -> Iterator[Assertion]:
        """Two arrays, columns or tables that are equal, but for what the keywords of the call leave out."""
        checker = self._checker
        but_for, near = left_out(call, checker), margin(call, checker)
        found = checker.equal(sides[0], sides[1], call) if near <= _NARROW else checker.near(call, sides, near)
        for one in found:
            made = one
            if but_for and one.strength == EXACT:
                relation = f"{one.relation}{BUT_FOR}{but_for}"
                made = self._made(call, one.subject, relation, one.expected, CLOSE)._replace(void=one.void)
            yield made._replace(void=ITSELF) if checker.same_copy(sides[0], sides[1]) else made

    def _mock(self, name: str, call: ast.Call) -> Assertion:
        relation, strength = _MOCK[name]
        subject = self._writer.text(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        found = self._made(call, subject, relation, self._texts(call), strength)
        values = [*call.args, *(one.value for one in call.keywords)]
        are_any = [bool(always_equal(value, self._checker.flow, self._writer)) for value in values]
        if not any(are_any):
            return found
        return found._replace(strength=PRESENT if all(are_any) else SOUGHT)

    def _texts(self, call: ast.Call) -> str:
        named = sorted([f"{one.arg or '**'}={self._writer.text(one.value)}" for one in call.keywords])
        return bounded(", ".join([*(self._writer.text(one) for one in call.args), *named]))

    def _made(self, at: ast.AST, subject: str, relation: str, expected: str, strength: str) -> Assertion:
        return self._checker.made(at, subject, relation, expected, strength)


def _waits_for(call: ast.Call) -> bool:
    """True for what is given a condition, and waits until it holds: `wait_for(lambda: len(queue) == 2)`."""
    given = (*call.args, *(one.value for one in call.keywords))
    return any(isinstance(one, ast.Lambda) for one in given) and _WAITS.match(last(call.func)) is not None


def is_raising(node: ast.expr) -> bool:
    """True for a call of `raises`, `warns` or one of their kin."""
    return isinstance(node, ast.Call) and last(node.func).replace("_", "").lower() in RAISES


def is_named_assertion(value: ast.expr) -> bool:
    """True for a call, awaited or not, of something whose name says that it asserts."""
    inner = value.value if isinstance(value, ast.Await) else value
    return isinstance(inner, ast.Call) and last(inner.func).lstrip("_").lower().startswith("assert")


def _located(node: ast.expr, at: ast.AST) -> ast.expr:
    return ast.copy_location(node, at)


def _applied(name: str, arguments: list[ast.expr], at: ast.AST) -> ast.expr:
    return _located(ast.Call(_located(ast.Name(name, ast.Load()), at), arguments, []), at)
