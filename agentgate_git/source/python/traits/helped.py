"""What tests do in their subject's stead: a lock around it, the file it is to write, a handler, a constraint lifted.

In a new test that is its way to ask; where an existing one comes to do so, it asks less.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.patches import Patch
from agentgate_git.source.python.standard_library import is_standard
from agentgate_git.source.python.walk import IMPORTED, SUITE, TEST, Spot

OVERRIDE = "helped.override"
HANDLER = "helped.handler"
QUIET = "helped.quiet"
LIFTED = "helped.lifted"
KEPT = "helped.kept"
LIMIT = "helped.limit"
LOCK = "helped.lock"
WRITTEN = "helped.written"
# Of these words one stands in every file with such a trait.
WORDS = (
    *(b"dependency_overrides", b"errorhandler", b"error_handler", b"exception_handler", b"PROPAGATE_EXCEPTIONS"),
    *(b"raise_server_exceptions", b"raise_request_exception", b"PRAGMA", b"pragma", b"FOREIGN_KEY_CHECKS"),
    *(
        b"foreign_key_checks",
        b"CONSTRAINT",
        b"constraint",
        b"session_replication_role",
        b"DISABLE TRIGGER",
        b"Lock(",
        b".touch(",
    ),
)

_BROAD = frozenset(("Exception", "BaseException", "HTTPException", "InternalServerError", "APIException"))
_REGISTERS = frozenset(("errorhandler", "exception_handler", "app_errorhandler"))
_ADDS = frozenset(("register_error_handler", "add_exception_handler"))
_RAISES = frozenset(("raise_server_exceptions", "raise_request_exception", "raise_app_exceptions"))
_LIFTS = pattern_of(
    r"(?is)\bpragma\s+(?:\w+\.)?foreign_keys\s*=\s*['\"]?(?:off|0|false|no)\b|\bpragma\s+ignore_check_constraints\s*=\s*"
    r"['\"]?(?:on|1|true)|\bforeign_key_checks\s*=\s*0|\bsession_replication_role\s*(?:=|to)\s*'?replica"
    r"|\b(?:disable\s+trigger|nocheck\s+constraint|drop\s+constraint|drop\s+foreign\s+key)\b"
)
_KEEPS = pattern_of(
    r"(?is)\bpragma\s+(?:\w+\.)?foreign_keys\s*=\s*['\"]?(?:on|1|true|yes)\b|\bforeign_key_checks\s*=\s*1"
    r"|\bsession_replication_role\s*(?:=|to)\s*'?(?:origin|default)|\b(?:enable\s+trigger|with\s+check\s+check\s+constraint)\b"
)
_SWITCH = pattern_of(r"(?i)pragma|foreign_key_checks|constraint|session_replication|trigger|foreign\s+key")
_LIMITS = pattern_of(r"(?i)(?:^|_)(?:max(?:imum)?|min(?:imum)?|limits?|thresholds?|quotas?|cap|ceiling|budget)(?:_|$)")
_OF_TIME = pattern_of(
    r"(?i)time|wait|delay|sleep|interval|retr|backoff|second|ttl|worker|thread|pool|attempt|tries|poll|conn|size_of_page"
    r"|cache|chunk|batch|buffer|log|recurs"
)
_LOCKS = frozenset(("Lock", "RLock", "Semaphore", "BoundedSemaphore"))
# What a test does with its own lists and counts while it holds a lock.
_OF_ITS_OWN = frozenset(
    ("append", "add", "extend", "update", "print", "insert", "discard", "len", "str", "setdefault", "get")
)
_WRITES = frozenset(("write_text", "write_bytes", "touch"))
_MIN_TEXT, _MAX_TEXT = 15, 400
_MAX_STATEMENTS = 400
_MAX_FILES = 20


def statement_traits(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """What one statement of tests, or of what stands before them, does in their subject's stead."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="dependency_overrides"), slice=key)]):
            yield from _in_set_up(OVERRIDE, last(key) or written(key, 60), statement, spot)
        case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value="PROPAGATE_EXCEPTIONS"))], value=value):
            if isinstance(value, ast.Constant) and value.value is False:
                yield from _in_set_up(QUIET, "PROPAGATE_EXCEPTIONS = False", statement, spot)
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            for one in decorators:
                if isinstance(one, ast.Call) and last(one.func) in _REGISTERS and _is_broad(one.args):
                    yield from _in_set_up(HANDLER, written(one, 80), one, spot)
            if statement.name.startswith("test"):
                yield from _written(statement, spot)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            if spot.when == TEST or (spot.outer is not None and "test" in spot.owner):
                yield from _locked(items, statement, spot)


def call_traits(call: ast.Call, spot: Spot) -> Iterator[Trait]:
    """What one call does."""
    name = last(call.func)
    if name in _ADDS and _is_broad(call.args[:1]):
        yield from _in_set_up(HANDLER, written(call, 80), call, spot)
    elif name == "update" and isinstance(call.func, ast.Attribute) and last(call.func.value) == "dependency_overrides":
        for given in call.args[:1]:
            keys = given.keys if isinstance(given, ast.Dict) else []
            for key in keys:
                yield from _in_set_up(OVERRIDE, last(key), call, spot)
    for one in call.keywords:
        is_off = isinstance(one.value, ast.Constant) and one.value.value is False
        if is_off and (one.arg in _RAISES or one.arg == "PROPAGATE_EXCEPTIONS"):
            yield from _in_set_up(QUIET, f"{one.arg}=False", call, spot)


def text_traits(node: ast.Constant, spot: Spot) -> Iterator[Trait]:
    """A statement of SQL that lifts the constraints of a database and leaves them so, or one that sets them."""
    text = node.value
    if not isinstance(text, str) or not _MIN_TEXT < len(text) < _MAX_TEXT or " " not in text or spot.function is None:
        return
    if not _SWITCH.search(text):
        return
    if _KEEPS.search(text):
        yield from _in_set_up(KEPT, " ".join(text.split()), node, spot)
    elif _LIFTS.search(text) and not _is_set_again(spot):
        yield from _in_set_up(LIFTED, " ".join(text.split()), node, spot)


def limit_traits(patch: Patch, spot: Spot) -> Iterator[Trait]:
    """A limit of the product that is another one before all tests."""
    name = patch.target.rpartition(".")[2]
    value = patch.value.value if isinstance(patch.value, ast.Constant) else None
    is_early = spot.when in (IMPORTED, SUITE) and "." in patch.target and not is_standard(patch.target)
    if is_early and type(value) in (int, float) and _LIMITS.search(name) and not _OF_TIME.search(name):
        yield Trait(LIMIT, f"{name} = {value!r}", patch.line, spot.owner)


def _in_set_up(kind: str, what: str, node: ast.AST, spot: Spot) -> Iterator[Trait]:
    """What stands in a test is what it is about."""
    if spot.when != TEST and not spot.owner.rpartition("::")[2].startswith("test"):
        yield Trait(kind, what[:120], getattr(node, "lineno", 1), spot.owner)


def _is_broad(given: list[ast.expr]) -> bool:
    one = given[0] if given else None
    return last(one) in _BROAD or (isinstance(one, ast.Constant) and one.value == 500)


def _is_set_again(spot: Spot) -> bool:
    """True where the same function also sets constraints, as those do that clear tables away."""
    key = ("sets constraints", id(spot.function))
    if key not in spot.memo and spot.function is not None:
        texts = (node.value for node in nodes_of(spot.function) if isinstance(node, ast.Constant))
        spot.memo[key] = any(isinstance(text, str) and _KEEPS.search(text) for text in texts)
    return bool(spot.memo.get(key))


def _locked(items: list[ast.withitem], statement: ast.With | ast.AsyncWith, spot: Spot) -> Iterator[Trait]:
    """A lock of the test's own that is held around what it calls."""
    for item in items:
        held = spot.scope.settled(item.context_expr) if isinstance(item.context_expr, ast.Name) else item.context_expr
        if not (isinstance(held, ast.Call) and last(held.func) in _LOCKS):
            continue
        calls = {last(node.func) for one in statement.body for node in _walked(one, spot) if isinstance(node, ast.Call)}
        if calls - _OF_ITS_OWN:
            yield Trait(LOCK, f"with {written(item.context_expr, 60)}", statement.lineno, _test_of(spot.owner))


def _walked(node: ast.AST, spot: Spot) -> Iterator[ast.AST]:
    """Everything below a node, counted as steps of reading."""
    for inner in nodes_of(node):
        spot.scope.spend()
        yield inner


def _test_of(owner: str) -> str:
    """The test around a function of its own."""
    parts = owner.split("::")
    at = next((at for at, part in enumerate(parts) if part.startswith("test")), len(parts) - 1)
    return "::".join(parts[: at + 1])


def _written(test: ast.FunctionDef | ast.AsyncFunctionDef, spot: Spot) -> Iterator[Trait]:
    """A file that a test writes, hands to its subject, and reads what it wrote itself."""
    wrote: dict[str, tuple[object, int]] = {}
    handed: set[str] = set()
    inner = spot.inside(test, TEST)
    for statement in test.body[:_MAX_STATEMENTS]:
        if isinstance(statement, ast.Assert):
            for name in sorted(handed)[:_MAX_FILES]:
                if _asks_for(statement.test, name, wrote[name][0], inner):
                    yield Trait(WRITTEN, f"{name}: {wrote[name][0]!r}"[:120], wrote[name][1], inner.owner)
            continue
        for call in (
            (node for node in nodes_of(statement) if isinstance(node, ast.Call)) if _holds_call(statement) else ()
        ):
            match call.func:
                case ast.Attribute(value=ast.Name(id=name), attr=method) if method in _WRITES:
                    given = fold(call.args[0], inner.scope.constant) if call.args else None
                    if given is not UNKNOWN and name not in handed:
                        wrote[name] = (given, call.lineno)
                case _:
                    handed |= {one.id for one in call.args if isinstance(one, ast.Name) and one.id in wrote}


def _holds_call(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign)


def _asks_for(test: ast.expr, name: str, value: object, spot: Spot) -> bool:
    """True for `NAME.read_text() == VALUE` with the value that the test wrote, and for `NAME.exists()`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            sides = ((left, right), (right, left))
            return any(_reads(one, name) and fold(other, spot.scope.constant) == value for one, other in sides)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="exists" | "is_file")):
            return asked == name
        case _:
            return False


def _reads(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="read_text" | "read_bytes")):
            return asked == name
        case _:
            return False
