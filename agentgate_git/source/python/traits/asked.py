"""Production that asks whether it is tested: it looks up a runner's variable, a loaded module, or who called.

A name of a runner in a table or a comparison is no question. It becomes one where it is the key of a look-up in the
environment, itself or through a constant, a loop over a table, or a helper of the same file that is handed the name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import Function, Scope
from agentgate_git.source.python.traits.said import mentions_getenv, said, walked
from agentgate_git.source.python.walk import Spot, arguments_of

RUNNING = "special.running"
ASKED = "asked.variable"
OPEN = ".maybe"

_RUNNER_VARIABLES = pattern_of(r"PYTEST(?:_.*)?")
_TEST_VARIABLES = frozenset(
    ("TESTING", "UNIT_TEST", "UNITTEST", "RUNNING_TESTS", "IN_TEST", "IS_TEST", "TEST_MODE", "CI")
)
_RUNNERS = ("pytest", "_pytest", "py.test", "unittest", "nose", "conftest", "test_", "tests/")
_TELL_TALES = frozenset(("sys.modules", "sys.argv", "sys.orig_argv", "__main__.__file__", "__main__"))
_STACKS = frozenset(
    ("inspect.stack", "inspect.currentframe", "sys._getframe", "traceback.extract_stack", "inspect.getouterframes")
)
_FRAMES = frozenset(("f_code", "co_filename", "filename", "f_globals"))
_MARKED = ("_called_from_test", "_pytestfixturefunction")
_MOCKS = frozenset(("Mock", "MagicMock", "AsyncMock", "NonCallableMock"))
_MOCK = pattern_of(r"(?:unittest\.)?mock\.\w*Mock\w*$")
_OF_MOCK = pattern_of(r"_mock_\w+|mock_calls|assert_(?:not_)?called\w*|assert_any_call")
_ENVIRONMENT = frozenset(("os.environ", "os.environb", "posix.environ"))
_CALLED_ENVIRONMENT = pattern_of(r"(?:^|_)env(?:iron(?:ment)?)?$", re.I)
# A reader of one variable that stands in another file: `env_flag("NAME")`, `get_env("NAME")`, `config("NAME")`.
_READER = pattern_of(r"(?:^|_)(?:get)?env(?:iron(?:ment)?)?(?:$|_)|^getenvb?$|^config$", re.I)
_WRITER = pattern_of(r"set|put|del|remove|clear|drop|without|strip|clean", re.I)
_NAMED_BY = pattern_of(r"env(?:iron(?:ment)?)?_?(?:vars?|variables?|names?|keys?)?", re.I)
_LOOK_UPS = frozenset(("get", "pop", "setdefault", "__getitem__", "__contains__"))
_COPIES = frozenset(("copy", "keys", "items", "__iter__"))
_COPIED = frozenset(("dict", "set", "frozenset", "list", "tuple", "sorted", "iter"))
_MEETS = frozenset(("intersection", "isdisjoint", "issubset", "issuperset"))
_TEXT_TESTS = frozenset(("startswith", "endswith", "search", "match", "fullmatch", "__eq__", "__contains__"))
_ASKING = frozenset(("get", "pop", "search", "match", "startswith", "endswith", "hasattr", "__contains__", "any"))
_FUEL = 6
# A table may be asked again and again: what one costs of what a file may spend (Scope.spend).
_TEXTS_PER_STEP = 4
_MAX_NAME = 60

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Wanted = Callable[[ast.expr], bool]


# The kinds of expressions that can be a question.
QUESTIONS = frozenset(
    (ast.Subscript, ast.Compare, ast.BinOp, ast.Call, ast.GeneratorExp, ast.ListComp, ast.SetComp),
)


def asked_traits(node: ast.AST, spot: Spot, statement: ast.stmt) -> Iterator[Trait]:
    """The question in one expression of a statement, if it is one."""
    if isinstance(statement, ast.Expr) and statement.value is node and _last_called(node) == "pop":
        return  # what throws a variable away asks for nothing
    yield from _any_variable(node, spot)
    yield from _of_mocks(node, spot)
    if _names_a_runner(spot):
        found = tuple(_looked_up(node, spot))
        yield from found or _looked_around(node, spot)


def _any_variable(node: ast.AST, spot: Spot) -> Iterator[Trait]:
    """The variables that are looked up by their names, for what a harness may set."""
    match node:
        case ast.Call(func=called, args=[ast.Constant(value=str(name)), *_]):
            if _may_ask(called) and spot.scope.dotted(called) in ("os.environ.get", "os.getenv"):
                yield Trait(ASKED, name, getattr(node, "lineno", 1), spot.owner)
        case ast.Subscript(value=owner, slice=ast.Constant(value=str(name)), ctx=ast.Load()):
            if "env" in last(owner) and spot.scope.dotted(owner) == "os.environ":
                yield Trait(ASKED, name, node.lineno, spot.owner)
        case ast.Compare(left=ast.Constant(value=str(name)), comparators=[owner]):
            if spot.scope.dotted(owner) == "os.environ":
                yield Trait(ASKED, name, node.lineno, spot.owner)


def _of_mocks(node: ast.AST, spot: Spot) -> Iterator[Trait]:
    """The question whether a collaborator is a mock, which only a test hands over."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]):
            kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
            if any(_MOCK.match(spot.scope.dotted(one)) for one in kinds):
                yield _trait(RUNNING, node, spot)
        case ast.Call(func=ast.Name(id="hasattr" | "getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            if _OF_MOCK.fullmatch(name):
                yield _trait(RUNNING, node, spot)
        case ast.Compare(left=left, comparators=[ast.Constant(value=str(name))]):
            if name in _MOCKS and "__name__" in written(left):
                yield _trait(RUNNING, node, spot)
        case ast.Compare(left=ast.Constant(value=str(name)), comparators=[held]):
            if name in _MOCKS and "__name__" in written(held):
                yield _trait(RUNNING, node, spot)


def _may_ask(called: ast.expr) -> bool:
    """True for `getenv` and for `get` of what is called like the environment: all others are mappings."""
    match called:
        case ast.Attribute(value=owner, attr="get"):
            return "env" in last(owner)
        case _:
            return last(called) == "getenv"


def _names_a_runner(spot: Spot) -> bool:
    """True when some text in the file can be the name of a runner or of one of its variables."""
    key = ("names a runner", id(spot.module))
    if key not in spot.memo:
        spot.memo[key] = any(map(_is_name, said(spot)))
    return bool(spot.memo[key])


def _is_name(value: str | bytes) -> bool:
    text = value if isinstance(value, str) else value.decode("latin-1")
    if len(text) > _MAX_NAME or " " in text or "\n" in text:
        return False
    return text in ("CI", *_MARKED) or text.lower().startswith(_RUNNERS) or "TEST" in text or "pytest" in text


def _looked_up(node: ast.AST, spot: Spot) -> Iterator[Trait]:
    for key in _keys(node, spot, lambda one: _names_one(one, spot)):
        for text in _texts(key, spot):
            if _RUNNER_VARIABLES.fullmatch(text):
                yield _trait(RUNNING, node, spot, f"asks for {text}")
            elif text in _TEST_VARIABLES and spot.function is not None:
                yield _trait(RUNNING + OPEN, node, spot)


def _looked_around(node: ast.AST, spot: Spot) -> Iterator[Trait]:
    match node:
        case ast.Call(func=called, args=arguments):
            yield from _called(node, called, arguments, spot)
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp():
            parts = (one for one in ast.walk(node) if isinstance(one, ast.Constant | ast.BinOp))
            names_one = any(_is_runner(one, spot) for one in parts)
            if names_one and _looks_around([one.iter for one in node.generators], spot.scope):
                yield _trait(RUNNING, node, spot)
        case ast.Compare(left=left, comparators=comparators):
            sides = (left, *comparators)
            if any(_is_runner(one, spot) for one in sides) and _looks_around(sides, spot.scope):
                yield _trait(RUNNING, node, spot)
        case ast.Subscript(value=owner, slice=key, ctx=ast.Load()):
            names_one = any(text.partition(".")[0] in _RUNNERS for text in _texts(key, spot))
            if names_one and spot.scope.dotted(owner) == "sys.modules":
                yield _trait(RUNNING, node, spot)


def _called(call: ast.Call, called: ast.expr, arguments: list[ast.expr], spot: Spot) -> Iterator[Trait]:
    name = last(called)
    if name == "hasattr" and len(arguments) == 2:
        if any(text in _MARKED or "pytest" in text for text in _texts(arguments[1], spot)):
            yield _trait(RUNNING, call, spot)
        return
    names_one = name in _ASKING and any(_is_runner(one, spot) for one in arguments)
    if names_one and _looks_around((called, *arguments), spot.scope):
        yield _trait(RUNNING, call, spot)


def _keys(node: ast.AST, spot: Spot, is_wanted: Wanted) -> Iterator[ast.expr]:
    """What an expression looks up in the environment; whether a key is wanted is asked first, since it costs less."""
    match node:
        case ast.Subscript(value=owner, slice=key, ctx=ast.Load()):
            if is_wanted(key) and _is_environment(owner, spot):
                yield key
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            if isinstance(op, ast.In | ast.NotIn) and is_wanted(left) and _is_environment(right, spot):
                yield left
            for one, other in ((left, right), (right, left)):
                if is_wanted(other) and _is_variable(one, spot):
                    yield other
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.Sub(), right=right):
            pairs = ((left, right), (right, left))
            yield from (other for one, other in pairs if is_wanted(other) and _is_environment(one, spot))
        case ast.Call():
            yield from _called_keys(node, spot, is_wanted)


def _called_keys(call: ast.Call, spot: Spot, is_wanted: Wanted) -> Iterator[ast.expr]:
    called, name = call.func, last(call.func)
    named = (one.value for one in call.keywords if one.arg and _NAMED_BY.fullmatch(one.arg))
    yield from (one for one in named if is_wanted(one))
    if not _may_look_up(called, name, spot):
        return
    handed = [one for one in (*call.args, *(one.value for one in call.keywords)) if is_wanted(one)]
    if isinstance(called, ast.Attribute):
        owner = called.value
        if name in _MEETS and call.args:
            pairs = ((owner, call.args[0]), (call.args[0], owner))
            yield from (other for one, other in pairs if is_wanted(other) and _is_environment(one, spot))
        if handed and name in _LOOK_UPS and _is_environment(owner, spot):
            yield handed[0]
            return
        if handed and name in _TEXT_TESTS and _is_variable(owner, spot):
            yield from handed
    if not handed:
        return
    if (_READER.search(name) and not _WRITER.search(name)) or spot.scope.dotted(called) in ("os.getenv", "os.getenvb"):
        yield handed[0]
    elif name in _helpers(spot):
        yield from handed


def _may_look_up(called: ast.expr, name: str, spot: Spot) -> bool:
    """False for most calls, by what they call: what they hand on need not be looked at."""
    if isinstance(called, ast.Attribute) and (name in _MEETS or name in _LOOK_UPS or name in _TEXT_TESTS):
        return True
    return bool(_READER.search(name)) or name in _helpers(spot) or mentions_getenv(spot)


def _is_environment(node: ast.expr, spot: Spot, fuel: int = _FUEL) -> bool:
    """True for the environment, a copy of it, its names, and what is called so."""
    if fuel == 0:
        return False
    match node:
        case ast.Name() | ast.Attribute():
            if spot.scope.dotted(node) in _ENVIRONMENT or _CALLED_ENVIRONMENT.search(last(node)):
                return True
            bound = spot.scope.settled(node)
            return bound is not None and _is_environment(bound, spot, fuel - 1)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _COPIES:
            return _is_environment(owner, spot, fuel - 1)
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _COPIED:
            return _is_environment(inner, spot, fuel - 1)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return any(key is None and _is_environment(value, spot, fuel - 1) for key, value in pairs)
        case _:
            return False


def _names_one(node: ast.expr, spot: Spot) -> bool:
    return any(text in _TEST_VARIABLES or _RUNNER_VARIABLES.fullmatch(text) for text in _texts(node, spot))


def _is_variable(node: ast.expr, spot: Spot) -> bool:
    """True for the variable of a loop over the environment."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("upper", "lower"):
        node = node.func.value
    return isinstance(node, ast.Name) and any(_is_environment(one, spot) for one in _loops(spot).get(node.id, ()))


def _texts(node: ast.expr, spot: Spot, fuel: int = _FUEL) -> tuple[str, ...]:
    """The texts that an expression may stand for, or that stand in the table that it names."""
    if fuel == 0:
        return ()
    value = fold(node, spot.scope.constant)
    if isinstance(value, str | bytes):
        return (value if isinstance(value, str) else value.decode("latin-1"),)
    if isinstance(value, tuple | list | set | frozenset):
        spot.scope.spend(len(value) // _TEXTS_PER_STEP)
        return tuple(one for one in value if isinstance(one, str))
    inner: Iterable[ast.expr] = ()
    match node:
        case ast.Name(id=name):
            bound = spot.scope.settled(node)
            inner = (bound,) if bound is not None else _loops(spot).get(name, ())
        case ast.Attribute(value=ast.Attribute(attr=name), attr="value") | ast.Attribute(attr=name):
            inner = _class_values(spot).get(name, ())
        case ast.IfExp(body=one, orelse=other):
            inner = (one, other)
        case ast.BoolOp(values=values):
            inner = values
        case ast.Starred(value=one) | ast.Subscript(value=one):
            inner = (one,)
        case ast.Call(func=ast.Name(id=name), args=[one]) if name in _COPIED:
            inner = (one,)
        case ast.Dict(keys=keys):
            inner = [one for one in keys if one is not None]
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            inner = elements
    found = tuple(dict.fromkeys(text for one in inner for text in _texts(one, spot, fuel - 1)))
    spot.scope.spend(len(found) // _TEXTS_PER_STEP)
    return found


def _loops(spot: Spot) -> dict[str, list[ast.expr]]:
    """What the loops and comprehensions around a statement go over, by the names that they bind."""
    body: list[ast.stmt] = spot.function.body if spot.function is not None else spot.module
    key = ("loops", id(body))
    if key not in spot.memo:
        found: dict[str, list[ast.expr]] = {}
        for node in walked(body, spot):
            targets = ast.walk(node.target) if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) else ()
            for target in targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.iter)  # type: ignore[attr-defined]
        spot.memo[key] = found
    loops: dict[str, list[ast.expr]] = spot.memo[key]
    return loops


def _class_values(spot: Spot) -> dict[str, list[ast.expr]]:
    """The values that the classes of the file give their names."""
    key = ("class values", id(spot.module))
    if key not in spot.memo:
        found: dict[str, list[ast.expr]] = {}
        for node in spot.module:
            for statement in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                    found.setdefault(statement.targets[0].id, []).append(statement.value)
        spot.memo[key] = found
    values: dict[str, list[ast.expr]] = spot.memo[key]
    return values


def _helpers(spot: Spot) -> frozenset[str]:
    """The names of the functions of the file that look up what they are handed."""
    key = ("helpers", id(spot.module))
    if key not in spot.memo:
        spot.memo[key] = frozenset()  # for those that call one another
        top = spot
        while top.outer is not None:
            top = top.outer
        spot.memo[key] = frozenset(
            node.name
            for node in walked(spot.module, spot)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _looks_up_its_argument(node, top)
        )
    helpers: frozenset[str] = spot.memo[key]
    return helpers


def _looks_up_its_argument(function: Function, top: Spot) -> bool:
    names = frozenset(arguments_of(function))
    inner = top.inside(function, top.when)
    return any(
        True
        for node in walked(function.body, top)
        if type(node) in QUESTIONS
        for _ in _keys(node, inner, lambda one: isinstance(one, ast.Name) and one.id in names)
    )


def _is_runner(node: ast.expr, spot: Spot) -> bool:
    return any(text.lower().startswith(_RUNNERS) for text in _texts(node, spot))


def _looks_around(nodes: Iterable[ast.expr], scope: Scope, fuel: int = 2) -> bool:
    """True when an expression looks at what is loaded, at the command line or at who called."""
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Attribute | ast.Name):
                name = scope.dotted(inner)
                if name in _TELL_TALES or name in _STACKS:
                    return True
                bound = scope.settled(inner) if fuel and isinstance(inner, ast.Name) else None
                if bound is not None and bound is not inner and _looks_around([bound], scope, fuel - 1):
                    return True
                if isinstance(inner, ast.Attribute) and inner.attr in _FRAMES:
                    return True
    return False


def _trait(kind: str, node: ast.AST, spot: Spot, what: str = "") -> Trait:
    return Trait(kind, what or written(node, 120), getattr(node, "lineno", 1), spot.owner)


def _last_called(node: ast.AST) -> str:
    return last(node.func) if isinstance(node, ast.Call) else ""
