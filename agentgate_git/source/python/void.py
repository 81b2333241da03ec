"""Why a condition can never be false: it is a constant, looks at itself, or asks a stand-in that was told to agree."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from agentgate_git.source.nodes import last
from agentgate_git.source.python.emptiness import is_empty_iterable
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.folding import UNKNOWN
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.standard_library import is_standard
from agentgate_git.source.python.text import Writer

CONSTANT = "it is always true"
FILLED_IN = "what it expects is filled in by the run"
ITSELF = "it compares a value with itself"
JUST_SET = "it looks at a value that was just set to what is expected"
STAND_IN = "it asks a stand-in that the test told what to answer"
ANYTHING = "what it compares with equals everything"
OBJECT = "it asks whether something that is always true is there"
NO_BOUND = "no value is beyond its bound"
HANDED = "a stand-in hands over what is expected"
OWN_FILE = "it reads back what the line before wrote"
REPLACED = "the test put an answer in place of what it calls"
MADE_UP = "a mock has every attribute, and this one is no assertion"
ANY_TEXT = "its pattern matches every text"
NOTHING = "it goes through nothing"
_MOCKS = frozenset(("Mock", "MagicMock", "AsyncMock", "NonCallableMock", "create_autospec", "PropertyMock", "Stub"))
_REFLEXIVE = (ast.Eq, ast.Is, ast.LtE, ast.GtE)
_NEVER_NEGATIVE = frozenset(("len", "abs", "fabs", "id", "count", "ord", "call_count", "await_count"))
_PROBES = ("", "\0 q9", "Zz\nÄ")
_MAX_PATTERN = 16
_READS = ("read_text", "read_bytes")
_WRITES = ("write_text", "write_bytes")
_FUEL = 8
_SHORT = 6
_EVERYTHING = ("mock.ANY", "dirty_equals.IsAnything", "hamcrest.anything")
_FILLED_IN = ("inline_snapshot.snapshot", "inline_snapshot.external")


def always_true(test: ast.expr, flow: Flow, writer: Writer) -> str:
    """Why a condition holds whatever the code does; empty for one that can fail."""
    known = flow.constant(test)
    if known is not UNKNOWN:
        return (JUST_SET if _has_names(test) else CONSTANT) if known else ""
    match test:
        case ast.NamedExpr(value=value):
            return always_true(value, flow, writer)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _comparison(left, op, right, flow, writer)
        case ast.BoolOp(op=ast.Or(), values=values):
            return _either(values, flow, writer)
        case ast.BoolOp(op=ast.And(), values=values):
            reasons = [always_true(value, flow, writer) for value in values]
            return reasons[0] if all(reasons) else ""
        case ast.IfExp(body=body, orelse=orelse):
            reasons = [always_true(part, flow, writer) for part in (body, orelse)]
            return reasons[0] if all(reasons) else ""
        case ast.Call():
            return _call(test, flow, writer)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="any"), args=[items])):
            return NOTHING if is_empty_iterable(items, flow) else ""
        case ast.UnaryOp():
            return ""
        case ast.Name() | ast.Attribute() if writer.is_true(test):
            return CONSTANT
        case _:
            return OBJECT if _is_object(test, flow, writer) else ""


def always_equal(node: ast.expr, flow: Flow, writer: Writer) -> str:
    """Why everything equals a value: `mock.ANY`, or an object whose `__eq__` says so."""
    found = _resolved(node, flow)
    if writer.dotted(found).endswith(_EVERYTHING):
        return ANYTHING
    if not isinstance(found, ast.Call):
        return ""
    if writer.dotted(found.func).endswith(_EVERYTHING) and not (found.args or found.keywords):
        return ANYTHING
    if not (found.args or found.keywords) and writer.dotted(found.func).endswith(_FILLED_IN):
        return FILLED_IN
    definition = writer.definition(found.func)
    if isinstance(definition, ast.ClassDef):
        methods = [one for one in definition.body if isinstance(one, ast.FunctionDef) and one.name == "__eq__"]
        return ANYTHING if methods and _returns(methods[-1]) is True else ""
    if isinstance(found.func, ast.Call) and isinstance(found.func.func, ast.Name) and found.func.func.id == "type":
        for table in found.func.args[2:]:
            for key, value in zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ():
                if isinstance(key, ast.Constant) and key.value == "__eq__" and isinstance(value, ast.Lambda):
                    return ANYTHING if isinstance(value.body, ast.Constant) and value.body.value else ""
    return ""


def stand_ins(function: Function, flow: Flow, writer: Writer) -> frozenset[str]:
    """Dotted names of callables that a test replaces by something with an answer of its own."""
    found: set[str] = set()
    for target, value in flow.attributes:
        if target.attr in ("return_value", "side_effect"):
            found.add(writer.text(target.value))
        elif _answers(value, flow, writer):
            found.add(writer.text(target))
    calls = [call for name in ("setattr", "patch", "object") for call in flow.calls.get(name, ())]
    for call in (*calls, *(one for one in function.decorator_list if isinstance(one, ast.Call))):
        found |= _patched(call, flow, writer)
    return frozenset(found)


def replaced(function: Function, flow: Flow, writer: Writer) -> Iterator[tuple[ast.Call, str]]:
    """Calls that a test makes itself of what it put an answer in place of, with the dotted name of that."""
    patches = [call for name in ("setattr", "patch", "object") for call in flow.calls.get(name, ())]
    decorators = [one for one in function.decorator_list if isinstance(one, ast.Call)]
    targets = {name for call in (*patches, *decorators) for name in _patched(call, flow, writer)}
    for target in sorted(targets):
        owner, _, attribute = target.rpartition(".")
        for call in flow.calls.get(attribute, ()) if owner else ():
            text = writer.text(call.func)
            kind = f"{owner.rpartition('.')[2]}("
            if text == target or kind in text.rpartition(".")[0] or _gives(call.func, kind, writer):
                yield call, target
                break


def _gives(method: ast.expr, kind: str, writer: Writer) -> bool:
    """True for a method of what a helper of this file returns, and makes itself: `make().total`."""
    maker = method.value if isinstance(method, ast.Attribute) else None
    definition = writer.definition(maker.func) if isinstance(maker, ast.Call) else None
    if not isinstance(definition, ast.FunctionDef) or len(definition.body) > _SHORT:
        return False
    calls = (node for one in definition.body for node in ast.walk(one) if isinstance(node, ast.Call))
    return any(isinstance(one.func, ast.Name) and f"{one.func.id}(" == kind for one in calls)


def handed(function: Function, flow: Flow, writer: Writer) -> Iterator[tuple[ast.expr, str, str]]:
    """What a test puts in place of a member, with its dotted name and the literals that it answers with."""
    patches = [call for name in ("setattr", "object", "patch") for call in flow.calls.get(name, ())]
    for call in (*patches, *(one for one in function.decorator_list if isinstance(one, ast.Call))):
        for target in sorted(one for one in _patched(call, flow, writer) if not _is_outside(one)):
            values = [*call.args[1:], *(one.value for one in call.keywords)]
            constants = [node.value for one in values for node in ast.walk(one) if isinstance(node, ast.Constant)]
            attribute = target.rpartition(".")[2]
            yield call, target, ", ".join(repr(one) for one in constants if one is not None and one != attribute)
    for place, value in flow.attributes:
        is_member = place.attr not in ("return_value", "side_effect") and not _is_outside(writer.text(place))
        if is_member and _answers(value, flow, writer):
            constants = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant)]
            yield place, writer.text(place), ", ".join(map(repr, constants))


def _is_outside(target: str) -> bool:
    """True for what is replaced in a module of Python, which no project tests."""
    return any(is_standard(part) for part in target.split(".")[:-1])


def _patched(call: ast.Call, flow: Flow, writer: Writer) -> set[str]:
    name = last(call.func)
    has_answer = any(one.arg in ("return_value", "side_effect", "new_callable") for one in call.keywords)
    values = [*call.args[1:], *(one.value for one in call.keywords if one.arg in ("new", "value"))]
    if name not in ("setattr", "patch", "object") or not (
        has_answer or any(_answers(value, flow, writer) for value in values)
    ):
        return set()
    target = flow.constant(call.args[0]) if call.args else UNKNOWN
    if isinstance(target, str):
        return {target}
    attribute = flow.constant(call.args[1]) if len(call.args) > 1 else UNKNOWN
    return {f"{writer.text(call.args[0])}.{attribute}"} if isinstance(attribute, str) else set()


def _answers(node: ast.expr, flow: Flow, writer: Writer) -> bool:
    """True for a callable that answers with a constant: a lambda, a function, or a mock with a return value."""
    found = _resolved(node, flow)
    if isinstance(found, ast.Lambda):
        return flow.constant(found.body) is not UNKNOWN
    if isinstance(found, ast.Call):
        name = last(found.func)
        return name in _MOCKS and any(one.arg in ("return_value", "side_effect") for one in found.keywords)
    definition = writer.definition(found)
    if isinstance(definition, ast.FunctionDef) and not definition.decorator_list:
        return _returns(definition) is not UNKNOWN
    return False


def _comparison(left: ast.expr, op: ast.cmpop, right: ast.expr, flow: Flow, writer: Writer) -> str:
    if isinstance(op, _REFLEXIVE):
        text = writer.text if isinstance(op, ast.Is) else writer.plain
        if text(left) == text(right):
            return ITSELF
    if isinstance(op, ast.Eq):
        equal = always_equal(left, flow, writer) or always_equal(right, flow, writer)
        if equal:
            return equal
    if isinstance(op, ast.In):
        return _member(left, right, flow, writer)
    if isinstance(op, ast.IsNot | ast.NotEq) and flow.constant(right) is None:
        known = flow.constant(left)
        return OBJECT if (known is not UNKNOWN and known is not None) or _is_object(left, flow, writer) else ""
    if isinstance(op, ast.Eq | ast.Is | ast.Gt | ast.GtE | ast.Lt | ast.LtE):
        if any(_asks_stand_in(side, flow, writer) for side in (left, right)):
            return STAND_IN
        if _reads_own(left, right, flow, writer) or _reads_own(right, left, flow, writer):
            return OWN_FILE
        return NO_BOUND if _is_no_bound(left, op, right, flow) else ""
    return ""


def _member(item: ast.expr, items: ast.expr, flow: Flow, writer: Writer) -> str:
    found = _resolved(items, flow)
    if isinstance(found, ast.List | ast.Tuple | ast.Set):
        text = writer.plain(item)
        return ITSELF if any(writer.plain(one) == text for one in found.elts) else ""
    return ANY_TEXT if flow.constant(item) == "" else ""


def _either(values: list[ast.expr], flow: Flow, writer: Writer) -> str:
    for value in values:
        reason = always_true(value, flow, writer)
        if reason:
            return reason
    texts = {writer.text(value) for value in values}
    for value in values:
        match value:
            case ast.UnaryOp(op=ast.Not(), operand=operand) if writer.text(operand) in texts:
                return CONSTANT
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                opposite: ast.cmpop = ast.NotEq()
            case ast.Compare(left=left, ops=[ast.Is()], comparators=[right]):
                opposite = ast.IsNot()
            case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
                opposite = ast.NotIn()
            case _:
                continue
        if writer.text(ast.copy_location(ast.Compare(left, [opposite], [right]), value)) in texts:
            return CONSTANT
    return ""


def _call(call: ast.Call, flow: Flow, writer: Writer) -> str:
    name = last(call.func)
    arguments = call.args
    if name in ("called_once_with", "called_with", "has_calls", "called_once", "not_called") and isinstance(
        call.func, ast.Attribute
    ):
        return MADE_UP
    if name == "callable" and arguments:
        return OBJECT if _is_object(arguments[0], flow, writer) else ""
    if name == "bool" and arguments:
        return always_true(arguments[0], flow, writer)
    if name in ("isinstance", "issubclass") and len(arguments) == 2:
        kinds = arguments[1].elts if isinstance(arguments[1], ast.Tuple) else [arguments[1]]
        return OBJECT if any(isinstance(one, ast.Name) and one.id == "object" for one in kinds) else ""
    if name in ("startswith", "endswith") and arguments:
        return ANY_TEXT if flow.constant(arguments[0]) == "" else ""
    if name in ("match", "search", "fullmatch") and len(arguments) > 1:
        return ANY_TEXT if matches_anything(flow.constant(arguments[0]), name) else ""
    if name in ("fnmatch", "fnmatchcase") and len(arguments) > 1:
        return ANY_TEXT if flow.constant(arguments[1]) in ("*", "**") else ""
    if name == "all" and len(arguments) == 1 and is_empty_iterable(arguments[0], flow):
        return NOTHING
    if name == "any" and arguments and isinstance(arguments[0], ast.List | ast.Tuple | ast.Set):
        reasons = (always_true(one, flow, writer) for one in arguments[0].elts)
        return next((reason for reason in reasons if reason), "")
    return STAND_IN if _asks_stand_in(call, flow, writer) else ""


def matches_anything(pattern: Any, how: str) -> bool:
    """True for a regular expression that every text matches; judged by a few texts, and short patterns only."""
    if not isinstance(pattern, str) or len(pattern) > _MAX_PATTERN or any(sign in pattern for sign in "0123456789"):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    probes = _PROBES[:2] if how == "fullmatch" or pattern.endswith("$") else _PROBES
    return all(getattr(compiled, how)(probe) for probe in probes)


def _is_no_bound(left: ast.expr, op: ast.cmpop, right: ast.expr, flow: Flow) -> bool:
    if isinstance(op, ast.Lt | ast.LtE):
        return _is_no_bound(right, ast.Gt() if isinstance(op, ast.Lt) else ast.GtE(), left, flow)
    bound = flow.constant(right)
    if not isinstance(bound, int | float):
        return False
    is_minus_infinity = bound == float("-inf")
    called = left.func if isinstance(left, ast.Call) else left
    name = last(called)
    is_below = bound <= 0 if isinstance(op, ast.GtE) else bound < 0
    return is_minus_infinity or (isinstance(op, ast.Gt | ast.GtE) and name in _NEVER_NEGATIVE and is_below)


def _asks_stand_in(node: ast.expr, flow: Flow, writer: Writer) -> bool:
    found = _resolved(node, flow)
    if not isinstance(found, ast.Call):
        return False
    if _answers(found.func, flow, writer):
        return True
    text = writer.text(found.func) if isinstance(found.func, ast.Name | ast.Attribute) else ""
    return bool(text) and text in writer.stand_ins


def _reads_own(side: ast.expr, other: ast.expr, flow: Flow, writer: Writer) -> bool:
    """True for a file that is read for a comparison right after the test wrote into it what it is compared with."""
    writes = [call for name in _WRITES for call in flow.calls.get(name, ()) if call.args]
    if not writes:
        return False
    read = next((call for name in _READS for call in flow.calls.get(name, ()) if _is_within(call, side)), None)
    if read is None or not isinstance(read.func, ast.Attribute):
        return False
    target = writer.text(read.func.value)
    for call in writes:
        is_same = isinstance(call.func, ast.Attribute) and writer.text(call.func.value) == target
        between = (one.lineno for calls in flow.calls.values() for one in calls)
        is_last = not any(call.lineno < line < read.lineno for line in between) and call.lineno < read.lineno
        if is_same and is_last and writer.text(other) in writer.text(call.args[0]):
            return True
    return False


def _is_within(node: ast.expr, outer: ast.expr) -> bool:
    return (
        outer.lineno <= node.lineno
        and (node.end_lineno or 0) <= (outer.end_lineno or 0)
        and any(inner is node for inner in ast.walk(outer))
    )


def _is_object(node: ast.expr, flow: Flow, writer: Writer) -> bool:
    """True for what is there and true by its form: displays with items, functions, lambdas, generators."""
    found = _resolved(node, flow)
    is_as_made = not (isinstance(node, ast.Name) and flow.is_changed(node.id)) or isinstance(found, ast.Tuple)
    match found:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return any(not isinstance(item, ast.Starred) for item in items) and is_as_made
        case ast.Dict(keys=keys):
            return any(key is not None for key in keys) and is_as_made
        case ast.JoinedStr(values=values):
            return any(isinstance(part, ast.Constant) and part.value for part in values)
        case ast.Lambda() | ast.GeneratorExp():
            return True
        case ast.Name():
            return writer.is_callable(found)
        case _:
            return False


def _returns(function: ast.FunctionDef) -> Any:
    """The one constant that a function returns and does nothing else; UNKNOWN for any other function."""
    values: list[Any] = []
    for statement in function.body:
        if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Constant):
            values.append(statement.value.value)
        elif isinstance(statement, ast.Return) or not _is_plain(statement):
            return UNKNOWN
    return values[0] if len(values) == 1 else UNKNOWN


def _is_plain(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Pass | ast.Import | ast.ImportFrom)


def _resolved(node: ast.expr, flow: Flow) -> ast.expr:
    for _ in range(_FUEL):
        if isinstance(node, ast.Await | ast.NamedExpr):
            node = node.value
            continue
        value = flow.value(node) if isinstance(node, ast.Name) else None
        if value is None:
            break
        node = value
    return node


def _has_names(test: ast.expr) -> bool:
    stack: list[Iterable[ast.AST]] = [[test]]
    while stack:
        for node in stack.pop():
            if isinstance(node, ast.Name):
                return True
            stack.append(ast.iter_child_nodes(node))
    return False
