"""What a condition amounts to on every system that may run the tests: always true, never, or it depends.

Guards on Python, platform and environment are computed in a list of worlds. "Always" must hold in all of them;
"never" in those that the gate itself is, on a Python in use, where no variable is set but what a runner sets.
"""

from __future__ import annotations

import ast
from typing import Any

from agentgate_git.model.inventory import NO_PYTEST, OLDER_PYTHON, OUT_OF_USE, SYSTEM
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.always_there import OF_PIPELINES, OF_PYTEST, Modules, Variables, exists, has, which
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Scope

ALWAYS = "always"
NEVER = "never"
DEPENDS = "depends"

MAX_NODES = 300
# Many statements may stand under one condition: what its parts cost of what a file may spend (Scope.spend).
_NODES_PER_STEP = 4
_STEPS_PER_WORLD = 10
_VARIABLE = pattern_of(r"[A-Z][A-Z0-9_]{2,}")

# Every Python 3 that is in use, and those before it: what holds in the first alone is not always true, since one file
# does not know which Python its project runs on.
_MINORS = tuple(range(8, 17))
# No project of today has 3.3 or older, though the files of one may still ask for them.
_OLDER = tuple(range(4, 8))
_SYSTEMS = {"linux": ("posix", "Linux"), "darwin": ("posix", "Darwin"), "win32": ("nt", "Windows")}
_VARIABLES = frozenset(("HOME", "PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "PYTHONHASHSEED", "USER"))
_ALWAYS_IN_SYS = frozenset(("version_info", "platform", "path", "argv", "modules", "executable", "maxsize", "stdout"))
_KINDS: dict[str, type] = {one.__name__: one for one in (object, bool, int, float, str, bytes, list, tuple, dict, set)}
_FUEL = 8
# A condition says nothing of the machine where it names no module that tells of it, no path and no constant.
_MAY_TELL = pattern_of(
    r"\b(?:sys|os|platform|shutil|six|pathlib)\.|\bPath\(|\b__file__\b|\b[A-Z][A-Z0-9_]{2,}\b|\b(?:environ|getenv|which)\b"
)
_OWN_FILE = "/the/file/of/the/test.py"
_LOOKS_FOR = frozenset(
    ("os.path.exists", "os.path.isdir", "os.path.isfile", "os.path.lexists", "os.access", "os.listdir")
)


class World(Record):
    """One system: the minor version of Python 3, `sys.platform`, whether variables nobody knows are set, and more."""

    minor: int
    platform: str
    is_gate: bool
    byteorder: str = "little"
    maxsize: int = (1 << 63) - 1
    implementation: str = "CPython"
    year: int = 2026


_WORLDS = (
    *(World(minor, "linux", is_gate=True) for minor in _MINORS),
    *(World(minor, platform, is_gate=False) for minor in _MINORS[:: len(_MINORS) - 1] for platform in _SYSTEMS),
    *(World(minor, "linux", is_gate=False) for minor in _OLDER),
    World(_MINORS[-1], "linux", is_gate=False, byteorder="big"),
    World(_MINORS[-1], "linux", is_gate=False, implementation="PyPy"),
    # Years in which the tests may still run: what holds in all of them holds as long as anybody looks.
    *(World(_MINORS[-1], "linux", is_gate=True, year=year) for year in (2030, 2040)),
)
# What says which day it is, and what makes a day: instants are (year, month, day), from the largest to the smallest.
_TODAY = frozenset(
    (
        *("datetime.date.today", "datetime.datetime.today", "datetime.datetime.now", "datetime.datetime.utcnow"),
        *("time.localtime", "time.gmtime"),
    )
)
_DAYS = frozenset(("datetime.date", "datetime.datetime"))
_READ_DAYS = frozenset(("datetime.date.fromisoformat", "datetime.datetime.fromisoformat"))
_ISO_DAY = pattern_of(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")
_YEARS = frozenset(("year", "tm_year"))
_SECONDS_OF_YEAR = 31_556_952
_PARTS = 3


def _facts(world: World) -> dict[str, Any]:
    os_name, system = _SYSTEMS[world.platform]
    return {
        "sys.version_info": (3, world.minor, 0, "final", 0),
        "sys.version_info.major": 3,
        "sys.version_info.minor": world.minor,
        "sys.hexversion": (3 << 24) + (world.minor << 16),
        "sys.platform": world.platform,
        "sys.byteorder": world.byteorder,
        "sys.maxsize": world.maxsize,
        "sys.maxunicode": 0x10FFFF,
        "sys.version": f"3.{world.minor}.0",
        "os.sep": "\\" if os_name == "nt" else "/",
        "os.linesep": "\r\n" if os_name == "nt" else "\n",
        "os.name": os_name,
        "platform.system()": system,
        "platform.python_implementation()": world.implementation,
        "sys.implementation.name": world.implementation.lower(),
        "os.environ": Variables({"CI": "true", **dict.fromkeys(_VARIABLES, "")}) if world.is_gate else UNKNOWN,
        "typing.TYPE_CHECKING": False,
        "typing_extensions.TYPE_CHECKING": False,
        "six.PY2": False,
        "six.PY3": True,
    }


_FACTS = {world: _facts(world) for world in _WORLDS}


def truth(node: ast.expr, scope: Scope) -> str:
    """ALWAYS, NEVER or DEPENDS for an expression used as a condition."""
    if isinstance(node, ast.Constant):
        return ALWAYS if node.value else NEVER
    names = _names(node, scope)
    if names < 0:
        return DEPENDS
    # The first world is the gate's: what is not known in it is neither always true nor never.
    first = _value(node, scope, _WORLDS[0], _FUEL)
    if first is UNKNOWN:
        return DEPENDS
    others = _WORLDS[1:] if names else ()
    if first:
        return ALWAYS if all(_is(True, _value(node, scope, world, _FUEL)) for world in others) else DEPENDS
    gates = (world for world in others if world.is_gate)
    return NEVER if all(_is(False, _value(node, scope, world, _FUEL)) for world in gates) else DEPENDS


def _is(wanted: bool, value: Any) -> bool:
    return value is not UNKNOWN and bool(value) is wanted


def _names(node: ast.expr, scope: Scope) -> int:
    """How many names an expression holds; -1 for one of too many parts."""
    names = count = 0
    for part in nodes_of(node):
        count += 1
        if count > MAX_NODES:
            names = -1
            break
        names += type(part) is ast.Name
    scope.spend(count // _NODES_PER_STEP)
    return names


def unset_variables(text: str, scope: Scope) -> tuple[str, ...]:
    """The variables in the source of a condition that holds wherever none of them is set; none for any other."""
    node = _parsed(text)
    if node is None:
        return ()
    nodes = tuple(ast.walk(node))
    names = tuple(
        one.value
        for one in nodes
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and _VARIABLE.fullmatch(one.value)
    )
    if not names or len(nodes) > MAX_NODES or "CI" in names:
        return ()
    values = (_value(node, scope, world, _FUEL) for world in _WORLDS if world.is_gate)
    return names if all(value is not UNKNOWN and value for value in values) else ()


def truth_of(text: str, node: ast.expr, scope: Scope) -> str:
    """`truth`, found once for each text of a condition of a scope."""
    if text not in scope.told:
        scope.told[text] = truth(node, scope)
    return scope.told[text]


def waits_of(text: str, node: ast.expr, scope: Scope) -> tuple[str, ...]:
    """`waits_for`, found once for each text of a condition of a scope."""
    if text not in scope.waits:
        scope.waits[text] = waits_for(node, scope)
    return scope.waits[text]


def waits_for(node: ast.expr, scope: Scope) -> tuple[str, ...]:
    """What opens a condition that never holds where the gate runs tests: other systems, an older Python, no pytest.

    None of them where that is not known, as of variables of the environment, or where it may hold after all.
    """
    if _names(node, scope) < 1:
        return ()
    if not _is(False, _value(node, scope, _WORLDS[len(_MINORS) - 1], _FUEL)):
        return ()
    scope.spend(_STEPS_PER_WORLD * len(_WORLDS))
    values = {world: _value(node, scope, world, _FUEL) for world in _WORLDS}
    if not all(_is(False, value) for world, value in values.items() if world.is_gate):
        return _last_python(values)
    if any(value is UNKNOWN for value in values.values()):
        return (NO_PYTEST,) if _is_without_pytest(node, scope) else ()
    return tuple(dict.fromkeys(_opener(world) for world, value in values.items() if value))


def is_of_machine(node: ast.expr, scope: Scope) -> bool:
    """True for a condition that names something, and that where the tests run alone decides."""
    if _names(node, scope) < 1 or fold(node, scope.constant) is not UNKNOWN:
        return False
    return _value(node, scope, _WORLDS[0], _FUEL) is not UNKNOWN


def opened_by(text: str, scope: Scope) -> tuple[str, ...]:
    """`waits_for` of the opposite of a condition that is given as source: of what stops a test."""
    node = _parsed(text) if _MAY_TELL.search(text) else None
    return waits_for(negated(node), scope) if node is not None else ()


def may_tell(text: str) -> bool:
    """False for the source of a condition that says nothing of the machine, for certain."""
    return _MAY_TELL.search(text) is not None


def _parsed(text: str) -> ast.expr | None:
    """A condition of its source, whose names are looked up as of the end of the file."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for one in nodes_of(node):
        if isinstance(one, ast.expr):
            one.lineno = 1 << 30
    return node


def _last_python(values: dict[World, Any]) -> tuple[str, ...]:
    """The Python from which on a condition never holds, on any system, that holds before it."""
    if any(value is UNKNOWN for value in values.values()):
        return ()
    first = 1 + max(world.minor for world, value in values.items() if value)
    is_by_python = all(bool(value) == (world.minor < first) for world, value in values.items())
    return (f"{OLDER_PYTHON}{first}",) if is_by_python and first < _MINORS[-1] else ()


def _opener(world: World) -> str:
    if world.minor < _MINORS[0]:
        return OUT_OF_USE
    if world.platform != "linux":
        return SYSTEM + ("windows" if world.platform == "win32" else "macos")
    return SYSTEM + ("pypy" if world.implementation == "PyPy" else "big-endian")


def _is_without_pytest(node: ast.expr, scope: Scope) -> bool:
    """True for a condition that only asks whether pytest runs the tests."""
    parts = [one for one in nodes_of(node) if isinstance(one, ast.expr)]
    texts = {one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    asked = {scope.dotted(one) for one in parts if isinstance(one, ast.Attribute | ast.Name)}
    of_environment = bool(asked & {"os.environ", "os.getenv", "os.environ.get"}) and bool(texts & OF_PYTEST)
    return ("sys.modules" in asked and "pytest" in texts) or of_environment


def holds_by_default(node: ast.expr, scope: Scope) -> bool:
    """True for a condition on the environment that holds where none of the variables that it asks for is set."""
    value = _value(node, scope, _WORLDS[0], _FUEL) if _names(node, scope) >= 0 else UNKNOWN
    return value is not UNKNOWN and bool(value)


def negated(node: ast.expr) -> ast.expr:
    """`not node`, at the same place."""
    return ast.copy_location(ast.UnaryOp(ast.Not(), node), node)


def _value(node: ast.expr, scope: Scope, world: World, fuel: int) -> Any:
    return fold(node, lambda leaf: _leaf(leaf, scope, world, fuel)) if fuel else UNKNOWN


def _leaf(node: ast.expr, scope: Scope, world: World, fuel: int) -> Any:
    scope.spend()
    match node:
        case ast.Name(id="__name__"):
            return "collected by pytest"
        case ast.Name(id="__debug__"):
            return True
        case ast.Name(id="__file__"):
            return _OWN_FILE
        case ast.Name():
            bound = scope.settled(node)
            if bound is not None:
                return _value(bound, scope, world, fuel - 1)
            return _FACTS[world].get(scope.dotted(node), UNKNOWN)
        case ast.Attribute(value=ast.Call() as asked, attr=name) if name in _YEARS:
            day = _value(asked, scope, world, fuel - 1)
            return day[0] if isinstance(day, tuple) and day else UNKNOWN
        case ast.Attribute():
            name = scope.dotted(node)
            if name == "sys.modules":
                return Modules(scope.is_imported, has_pytest=world.is_gate)
            return _FACTS[world].get(name, UNKNOWN)
        case ast.Subscript(value=owner, slice=key) if scope.dotted(owner) == "os.environ":
            return _variable(_value(key, scope, world, fuel - 1), None, world)
        case ast.Call():
            return _call(node, scope, world, fuel - 1)
        case _:
            return UNKNOWN


def _call(node: ast.Call, scope: Scope, world: World, fuel: int) -> Any:
    called = scope.dotted(node.func)
    if called in ("platform.system", "platform.python_implementation") and not node.args:
        return _FACTS[world][f"{called}()"]
    if called == "platform.python_version" and not node.args:
        return _FACTS[world]["sys.version"]
    if called in ("os.environ.get", "os.getenv"):
        values = [_value(argument, scope, world, fuel) for argument in node.args]
        return _variable(values[0], values[1] if len(values) > 1 else None, world) if values else UNKNOWN
    if called in _LOOKS_FOR:
        return _there(node.args[0], scope, world, fuel) if node.args else UNKNOWN
    if called == "shutil.which" and node.args:
        return which(_value(node.args[0], scope, world, fuel), world.platform)
    if called in _TODAY or called in _DAYS or called in _READ_DAYS:
        return _day(node, called, scope, world, fuel)
    if called == "time.time" and not node.args:
        return (world.year - 1970) * _SECONDS_OF_YEAR
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as asked, attr="date" | "timestamp" as what), args=[]):
            day = _value(asked, scope, world, fuel)
            if not isinstance(day, tuple) or len(day) < _PARTS:
                return UNKNOWN
            return day[:_PARTS] if what == "date" else (day[0] - 1970) * _SECONDS_OF_YEAR
        case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id=kind), ast.Constant(value=str(name))]) if (
            kind in _KINDS and not scope.is_bound(kind)
        ):
            return hasattr(_KINDS[kind], name)
        case ast.Call(func=ast.Attribute(value=path, attr="exists" | "is_dir" | "is_file"), args=[]):
            is_path = isinstance(path, ast.Call) and last(path.func) == "Path" and len(path.args) == 1
            return _there(path, scope, world, fuel) if is_path else UNKNOWN
        case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))]):
            module = scope.dotted(owner)
            return True if module == "sys" and name in _ALWAYS_IN_SYS else has(f"{module}.{name}", world.platform)
        case _:
            return UNKNOWN


def _there(path: ast.expr, scope: Scope, world: World, fuel: int) -> Any:
    """Whether a path is there, itself or as what `Path` is given."""
    if isinstance(path, ast.Call) and last(path.func) == "Path" and len(path.args) == 1:
        path = path.args[0]
    value = _value(path, scope, world, fuel)
    return True if value == _OWN_FILE else exists(value, world.platform)


def _day(node: ast.Call, called: str, scope: Scope, world: World, fuel: int) -> Any:
    """A day as (year, month, day): the one in the middle of the world's year, or the one that is spelled out."""
    if called in _TODAY:
        return (world.year, 7, 1)
    given = [_value(one, scope, world, fuel) for one in node.args]
    if called in _READ_DAYS:
        found = _ISO_DAY.fullmatch(given[0]) if len(given) == 1 and isinstance(given[0], str) else None
        return tuple(int(one) for one in found.groups()) if found else UNKNOWN
    if len(given) < _PARTS or not all(type(one) is int for one in given):
        return UNKNOWN
    return tuple(given[:_PARTS])


def _variable(name: Any, default: Any, world: World) -> Any:
    """A runner sets CI and nothing else that tests ask for; elsewhere a variable may be set to anything."""
    if name == "CI":
        return "true" if world.is_gate else default
    if name in OF_PYTEST and world.is_gate:
        return "a test"
    if name in OF_PIPELINES or name is UNKNOWN or name in _VARIABLES or not world.is_gate:
        return UNKNOWN
    return default
