"""What the branches around an assertion ask: loops that may go round no time, the `else` of a try, cases of a match."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, islice

from agentgate_git.model.inventory import CUT_SHORT, FIRST_ONLY
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python import reasons
from agentgate_git.source.python.conditions import ALWAYS, NEVER, is_of_machine, may_tell, negated
from agentgate_git.source.python.emptiness import is_empty_iterable
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.folding import UNKNOWN
from agentgate_git.source.python.names import Function, Scope, flat
from agentgate_git.source.python.places import Here, asks
from agentgate_git.source.python.swallow import fails, fails_test
from agentgate_git.source.python.text import Writer

LEAVES = (ast.Return, ast.Continue, ast.Break)
# Of a body, as every loop around it has a look at it.
_MAX_NODES = 200
# Functions of which is kept what they gather: those that are being read.
_FUNCTIONS = 8
# Of a chain of `elif`, how many conditions are kept of those that did not hold.
_MOST_BEFORE = 8
_FIXED = frozenset(("range", "enumerate", "zip"))


def in_while(verdict: str, test: ast.expr, flow: Flow, writer: Writer, here: Here) -> Here:
    """The body of a `while`: reached only when its condition holds at first."""
    if verdict == NEVER:
        return here._replace(void=here.void or reasons.UNREACHED, is_looped=True)
    held = flow.value(test) if isinstance(test, ast.Name) else None
    is_filled = isinstance(held, ast.List | ast.Set | ast.Tuple) and bool(held.elts)
    inner = here if verdict == ALWAYS or is_filled else asks(here, f"while {writer.text(test)}")
    return inner._replace(is_looped=True)


def in_for(statement: ast.For | ast.AsyncFor, flow: Flow, writer: Writer, here: Here) -> Here:
    """The body of a `for`: nothing reaches it when it goes through nothing.

    Where the body asks nothing of the items, how many there are decides whether it is done.
    """
    if is_empty_iterable(statement.iter, flow):
        return here._replace(void=here.void or reasons.UNREACHED, is_looped=True)
    inner = here._replace(is_looped=True)
    cut = _cut_short(statement.iter, flow)
    if cut:
        return asks(inner, cut)
    if any(isinstance(one, ast.Break) for one in statement.body) and _count(statement.iter, flow) != 1:
        return asks(inner, f"{FIRST_ONLY}{writer.text(statement.iter)}")
    chosen = _chosen(statement, flow, writer)
    if chosen:
        return asks(inner, f"only those with {chosen}")
    if _is_fixed(statement.iter, flow) or _uses(statement):
        return inner
    return asks(inner, f"for each of {writer.text(statement.iter)}")


def _cut_short(items: ast.expr, flow: Flow) -> str:
    """That `zip` stops at the shorter of two lists that stand there, and leaves out what the others have more."""
    match items:
        case ast.Call(func=ast.Name(id="zip"), args=[_, _, *_] as lists, keywords=[]):
            counts = {count for one in lists if (count := _count(one, flow)) >= 0}
            return f"{CUT_SHORT}{max(counts) - min(counts)}" if len(counts) > 1 else ""
        case _:
            return ""


def _count(node: ast.expr, flow: Flow) -> int:
    """How many items a list has that stands there, -1 where that is not known."""
    held = flow.value(node) if isinstance(node, ast.Name) else node
    is_open = isinstance(node, ast.Name) and flow.is_grown(node.id)
    if not isinstance(held, ast.List | ast.Tuple) or is_open or any(isinstance(one, ast.Starred) for one in held.elts):
        return -1
    return len(held.elts)


def _chosen(loop: ast.For | ast.AsyncFor, flow: Flow, writer: Writer) -> str:
    """What the items of a loop are chosen by: `[x for x in xs if x.ok]`, `filter(ok, xs)`; empty for all of them.

    It is said in the words of the loop: by the name that an item has there.
    """
    value = flow.value(loop.iter) if isinstance(loop.iter, ast.Name) else loop.iter
    own = loop.target.id if isinstance(loop.target, ast.Name) else ""
    match value:
        case ast.ListComp(generators=[only]) | ast.GeneratorExp(generators=[only]) if only.ifs:
            text = "; ".join(writer.text(test) for test in only.ifs)
            item = only.target.id if isinstance(only.target, ast.Name) else ""
            return re.sub(rf"(?<![\w.'\"]){item}(?![\w'\"=])", own, text) if item and own else text
        case ast.Call(func=ast.Name(id="filter"), args=[test, _]):
            return writer.text(test)
        case _:
            return ""


def paired_strictly(items: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The lengths that `zip(a, b, strict=True)` holds to be equal."""
    match items:
        case ast.Call(func=ast.Name(id="zip"), args=[one, *others], keywords=[ast.keyword(arg="strict", value=value)]):
            if isinstance(value, ast.Constant) and value.value is True:
                yield from ((_length(one), _length(other)) for other in others)


def _length(node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name("len", ast.Load()), node), [node], []), node)


def _is_fixed(items: ast.expr, flow: Flow) -> bool:
    """True for a display, a text or a number of rounds, whose items stand there."""
    if flow.constant(items) is not UNKNOWN or isinstance(items, ast.List | ast.Tuple | ast.Set | ast.Dict):
        return True
    value = flow.value(items) if isinstance(items, ast.Name) else items
    called = value.func if isinstance(value, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in _FIXED


def _uses(statement: ast.For | ast.AsyncFor) -> bool:
    """True for a body with a look at the items, or at anything that it changes itself; for a long one too."""
    names = {node.id for node in nodes_of(statement.target) if isinstance(node, ast.Name)}
    nodes = chain.from_iterable(map(nodes_of, statement.body))
    for node in islice(nodes, _MAX_NODES):
        if isinstance(node, ast.Name) and (node.id in names or isinstance(node.ctx, ast.Store)):
            return True
    return next(nodes, None) is not None


def in_else(statement: ast.Try | ast.TryStar, writer: Writer, here: Here) -> Here:
    """The `else` of a `try`: never reached after an error that a handler takes without failing."""
    if not statement.orelse:
        return here
    taken = [one for one in statement.handlers if not any(fails(inner) for inner in one.body)]
    return asks(here, _not_caught(taken, writer)) if taken else here


def behind_try(statement: ast.Try, writer: Writer, here: Here) -> Here:
    """What follows a `try`: not reached after an error with which a handler leaves."""
    leaving = [one for one in statement.handlers if isinstance(one.body[-1], LEAVES)]
    return asks(here, _not_caught(leaving, writer)) if leaving else here


def _not_caught(handlers: list[ast.ExceptHandler], writer: Writer) -> str:
    names = [writer.text(one.type) if one.type else "anything" for one in handlers]
    return f"not except {', '.join(names)}"


def cases_of(statement: ast.Match) -> Iterator[tuple[ast.match_case, ast.expr | None, bool]]:
    """The cases that fail no test, each with its pattern as a comparison where that is one value.

    True stands beside the only one, where the last of the others takes what it leaves and fails: it is always reached.
    """
    failing = [fails_test(case.body[-1]) for case in statement.cases]
    is_asserted = failing[-1] and failing.count(False) == 1 and _is_open(statement.cases[-1])
    for case, is_failing in zip(statement.cases, failing, strict=True):
        if not is_failing:
            test = _matched(statement.subject, case)
            yield case, test, is_asserted


def leaving(statement: ast.If | ast.Match) -> Iterator[ast.expr]:
    """The conditions under which a statement leaves what stands around it: what follows is done when none holds."""
    if isinstance(statement, ast.Match):
        for case, test, _ in cases_of(statement):
            if test is not None and isinstance(case.body[-1], LEAVES):
                yield test
        return
    before: list[ast.expr] = []
    while True:
        test = statement.test
        if isinstance(statement.body[-1], LEAVES):
            yield _all_of([*before[-_MOST_BEFORE:], test])
        before.append(negated(test))
        if not statement.orelse:
            return
        first = statement.orelse[0]
        if len(statement.orelse) > 1 or not isinstance(first, ast.If):
            if isinstance(statement.orelse[-1], LEAVES):
                yield _all_of(before[-_MOST_BEFORE:])
            return
        statement = first


def _all_of(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.And(), tests), tests[0])


def by_machine(test: ast.BoolOp | ast.IfExp, inside: Callable[[], Scope]) -> tuple[tuple[ast.expr, ast.expr], ...]:
    """What an assertion asks for by machine: each a condition that the machine decides, and what has to hold there.

    None where it asks for no machine, or for nothing else.
    """
    if isinstance(test, ast.IfExp):
        if not (may_tell(ast.unparse(test.test)) and is_of_machine(test.test, inside())):
            return ()
        ways = ((test.test, test.body), (negated(test.test), test.orelse))
        return tuple((asked, checked) for asked, checked in ways if not isinstance(checked, ast.Constant))
    if not isinstance(test.op, ast.Or):
        return ()
    told = [may_tell(ast.unparse(one)) and is_of_machine(one, inside()) for one in test.values]
    rest = [one for one, is_told in zip(test.values, told, strict=True) if not is_told]
    if not rest or len(rest) == len(test.values):
        return ()
    asked = [negated(one) for one, is_told in zip(test.values, told, strict=True) if is_told]
    checked = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(ast.Or(), rest), rest[0])
    return ((_all_of(asked), checked),)


def _matched(subject: ast.expr, case: ast.match_case) -> ast.expr | None:
    if case.guard is not None:
        return None
    match case.pattern:
        case ast.MatchValue(value=value):
            other = value
        case ast.MatchSingleton(value=constant):
            other = ast.copy_location(ast.Constant(constant), subject)
        case _:
            return None
    return ast.copy_location(ast.Compare(subject, [ast.Eq()], [other]), subject)


def _is_open(case: ast.match_case) -> bool:
    """True for a case that takes whatever the others left: `case _`, `case other`."""
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None


@lru_cache(maxsize=_FUNCTIONS)
def _gathering(function: Function) -> frozenset[str]:
    """The names of what a function gathers failures in, and asserts to be empty: `assert not problems`."""
    found = set()
    for statement, _ in flat(function.body):
        match statement:
            case ast.Assert(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name))):
                found.add(name)
            case ast.Assert(test=ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.List(elts=[])])):
                found.add(name)
            case ast.Expr(value=ast.Call(func=called, args=[ast.Name(id=name), *rest])) if last(called) in (
                "assertFalse",
                "assertEqual",
                "assertListEqual",
            ):
                if last(called) == "assertFalse" or (rest and isinstance(rest[0], ast.List) and not rest[0].elts):
                    found.add(name)
    return frozenset(found)


def gathers(statement: ast.stmt, function: Function) -> bool:
    """True for what puts a failure to others that are gathered, and asserted to be none: `problems.append(…)`."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "add"))):
            return name in _gathering(function)
        case _:
            return False
