"""The commands that a piece of Python starts, with what becomes of their failures: read from the syntax tree.

A script counts a failure where the call raises (`check=True`, `check_call`) or where its answer is used; a task of
nox or invoke where nothing catches what its `run` raises.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.config_node import TreeError
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.runner_tables import IGNORED
from agentgate_git.source.commands.shell_syntax import quoted
from agentgate_git.source.nodes import last
from agentgate_git.source.settings.asked_answers import looked_at
from agentgate_git.source.settings.mapped_statuses import EXITS, mapped_statuses

_CALLS = frozenset(
    ("run", "run_always", "run_install", "local", "sudo", "check_call", "call", "check_output", "system", "Popen")
)
# In the standard library these say what became of the command, and raise nothing.
_TELLING = frozenset(("run", "call", "system", "Popen", "main"))
_STANDARD = frozenset(("subprocess", "os", "sp", "asyncio"))
_MAINS = frozenset(("pytest.main", "pytest.console_main", "pytest.cmdline.main"))
# Calls in a handler that say something and let the script go on.
_SAYS = frozenset(
    (
        *("warn", "warning", "log", "debug", "info", "print", "echo", "secho", "exception", "write", "writelines"),
        *("append", "add", "format", "join", "print_exc", "flush", "notify"),
    )
)
_OF_OTHERS = pattern_of(
    r"KeyboardInterrupt|FileNotFound|ModuleNotFound|ImportError|AttributeError|KeyError|ValueError|TimeoutExpired"
)
_SUPPRESSES = frozenset(("suppress",))
_FUEL = 4
_UNITTESTS = frozenset(("unittest.main", "unittest.TestProgram"))
_STEPS = 500
_MOST_LOOPED = 40

TYPE_CHECKING = False
if TYPE_CHECKING:
    Locals = Mapping[str, ast.expr]


class Started(Record):
    """One command as a shell would have it, why its failure does not count (empty if it does), and its variables."""

    words: str
    ignored: str
    variables: tuple[tuple[str, str], ...]
    line: int


def started(nodes: Iterable[ast.stmt], is_script: bool, steps: Iterator[int]) -> Iterator[Started]:
    """The commands of some statements; a script is told by the standard library whether they failed.

    `steps` (`room`) are those of the whole file.
    """
    statements = tuple(nodes)
    names = _assigned(statements)
    used = _used(statements)
    loops, mapped = _loops(statements, names), mapped_statuses(statements) if is_script else {}
    hushed = _always_well(statements) if is_script else ""
    looked = looked_at(statements)
    for statement in statements:
        swallowed = _swallowed(statement)
        dropped = _dropped(statement, used)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                for found in _commands(node, names, loops, is_script, steps):
                    ignored = _ignored(node, swallowed, dropped, looked) or mapped.get(node, "")
                    if hushed and not ignored and not _raises(node):
                        ignored = f"{IGNORED}: {hushed}"
                    yield Started(found, ignored, _variables(node), node.lineno)


def _always_well(statements: tuple[ast.stmt, ...]) -> str:
    """Why a script ends well whatever its commands say: it exits with what a function returns, which is always 0."""
    functions = {one.name: one for one in statements if isinstance(one, ast.FunctionDef)}
    for statement in statements:
        for node in ast.walk(statement) if not isinstance(statement, ast.FunctionDef | ast.ClassDef) else ():
            match node:
                case ast.Call(func=called, args=[ast.Call(func=ast.Name(id=name), args=[])]) if last(called) in EXITS:
                    function = functions.get(name)
                    if function is not None and _says_well(function):
                        return f"`{name}()` always returns 0"
    return ""


def _says_well(function: ast.FunctionDef) -> bool:
    """True for a function that returns 0, whatever happens, and ends the script in no other way."""
    returned = []
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and last(node.func) in EXITS):
            return False
        if isinstance(node, ast.Return):
            returned.append(node.value)
    return bool(returned) and all(isinstance(one, ast.Constant) and one.value == 0 for one in returned)


def _raises(call: ast.Call) -> bool:
    """True for a call that raises where its command fails."""
    is_checked = any(one.arg == "check" and _is_true(one.value) for one in call.keywords)
    return is_checked or last(call.func) in ("check_call", "check_output")


def code_commands(code: str) -> tuple[Started, ...]:
    """The commands of a text that `python -c` is given; none of one that does not parse."""
    try:
        module = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(started(module.body, is_script=True, steps=room(code)))


def _commands(
    call: ast.Call, names: Locals, loops: dict[str, list[ast.expr]], is_script: bool, steps: Iterator[int]
) -> Iterator[str]:
    """The commands of a call: one, or one for each value of the loop whose variable it is given."""
    given = call.args[0].id if len(call.args) == 1 and isinstance(call.args[0], ast.Name) else ""
    if given not in loops:
        found = _command(call, names, is_script, steps)
        if found:
            yield found
        return
    for value in loops[given] if _is_started(call, is_script) else ():
        found = _command(ast.Call(call.func, [value], call.keywords), names, is_script, steps)
        if found:
            yield found


def _is_started(call: ast.Call, is_script: bool) -> bool:
    """True for a call that starts the program it is given."""
    top, _, last = ast.unparse(call.func).rpartition(".")
    return last in _CALLS and not (is_script and top.partition(".")[0] not in (*_STANDARD, ""))


def _loops(statements: Iterable[ast.stmt], names: Locals) -> dict[str, list[ast.expr]]:
    """The commands that the variable of a loop stands for in turn: `for step in STEPS`."""
    found: dict[str, list[ast.expr]] = {}
    left = _MOST_LOOPED
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.For | ast.AsyncFor) and isinstance(node.target, ast.Name):
                held = names.get(node.iter.id) if isinstance(node.iter, ast.Name) else node.iter
                values = held.elts if isinstance(held, ast.List | ast.Tuple) else []
                left -= len(values)
                if left >= 0 and any(isinstance(one, ast.List | ast.Tuple) for one in values):
                    found[node.target.id] = list(values)
    return found


def _command(call: ast.Call, names: Locals, is_script: bool, steps: Iterator[int]) -> str:
    """The words of a call that starts a command, empty for any other."""
    called = call.func
    dotted = ast.unparse(called) if isinstance(called, ast.Attribute | ast.Name) else ""
    if dotted in _MAINS:
        given = (*call.args[:1], *(one.value for one in call.keywords if one.arg == "args"))
        return " ".join(["pytest", *(quoted(word) for one in given for word in strings(one, names, steps))])
    if dotted in _UNITTESTS:
        argv = next((one.value for one in call.keywords if one.arg == "argv"), None)
        words = strings(argv, names, steps)[1:] if argv is not None else ()
        return " ".join(["python -m unittest", *(quoted(word) for word in words)]) if words else ""
    return _words(call, names, steps) if dotted and _is_started(call, is_script) else ""


def _ignored(
    call: ast.Call, swallowed: dict[ast.AST, str], dropped: frozenset[ast.AST], looked: frozenset[ast.AST]
) -> str:
    if call in swallowed:
        return f"{IGNORED}: {swallowed[call]}"
    options = {one.arg: one.value for one in call.keywords if one.arg}
    codes = options.get("success_codes")
    if codes is not None and any(_is_failure(one) for one in ast.walk(codes)):
        return f"{IGNORED}: `success_codes={ast.unparse(codes)}`"
    for name in ("warn", "warn_only"):
        if _is_true(options.get(name)) and call not in looked:
            return f"{IGNORED}: `{name}=True`"
    if call in dropped and not _is_true(options.get("check")):
        return f"{IGNORED}: nothing asks how `{ast.unparse(call.func)}` ended"
    return ""


def _is_failure(node: ast.AST) -> bool:
    """True for the status of a failure, of tests or of a threshold; 5 of pytest says that there are no tests."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value not in (0, 5)


def _is_true(node: ast.expr | None) -> bool:
    return node is not None and not (isinstance(node, ast.Constant) and not node.value)


def _dropped(statement: ast.stmt, used: frozenset[str]) -> frozenset[ast.AST]:
    """The calls of the standard library whose answer nobody looks at."""
    found: set[ast.AST] = set()
    for node in ast.walk(statement):
        value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
        if isinstance(node, ast.Assign):
            names = [one.id for one in node.targets if isinstance(one, ast.Name)]
            if len(names) != len(node.targets) or not used.isdisjoint(names):
                continue
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            top = ast.unparse(value.func.value).partition(".")[0]
            if value.func.attr in _TELLING and top in (*_STANDARD, "pytest"):
                found.add(value)
    return frozenset(found)


def _used(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """The names that are read for more than to be told."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    said = {
        id(name)
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and last(node.value.func) in _SAYS
        for name in ast.walk(node)
    }
    read = (node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return frozenset(node.id for node in read if id(node) not in said)


def _swallowed(statement: ast.stmt) -> dict[ast.AST, str]:
    """The calls of which a handler or `suppress` takes the failure away, and how."""
    found: dict[ast.AST, str] = {}
    for node in ast.walk(statement):
        if isinstance(node, ast.Try | ast.TryStar):
            if any(_takes(handler) for handler in node.handlers):
                _mark(found, node.body, "an `except` takes its failure away")
            if any(isinstance(one, ast.Return) for part in node.finalbody for one in ast.walk(part)):
                _mark(found, node.body, "a `return` in `finally` takes its failure away")
        elif isinstance(node, ast.With) and any(_suppresses(item.context_expr) for item in node.items):
            _mark(found, node.body, "`suppress` takes its failure away")
    return found


def _mark(found: dict[ast.AST, str], body: list[ast.stmt], how: str) -> None:
    for part in body:
        for one in ast.walk(part):
            if isinstance(one, ast.Call):
                found[one] = how


def _suppresses(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or last(node.func) not in _SUPPRESSES:
        return False
    return not all(_OF_OTHERS.search(ast.unparse(one)) for one in node.args)


def _takes(handler: ast.ExceptHandler) -> bool:
    """True for a handler of failed commands that neither raises nor calls what may."""
    if handler.type is not None and _OF_OTHERS.search(ast.unparse(handler.type)):
        return False
    for part in handler.body:
        for one in ast.walk(part):
            if isinstance(one, ast.Raise):
                return False
            if isinstance(one, ast.Call) and last(one.func) not in _SAYS:
                return False
            if isinstance(one, ast.Return) and not _is_good(one.value):
                return False
            if isinstance(one, ast.Assign | ast.AugAssign) and not _is_good(one.value):
                return False
    return True


def _is_good(value: ast.expr | None) -> bool:
    """True for an answer that says that all went well: none, zero or true."""
    return value is None or (isinstance(value, ast.Constant) and value.value in (None, 0, True, ""))


def _variables(call: ast.Call) -> tuple[tuple[str, str], ...]:
    environment = next((one.value for one in call.keywords if one.arg == "env"), None)
    pairs: list[tuple[str, str]] = []
    for node in ast.walk(environment) if environment is not None else ():
        if isinstance(node, ast.Dict):
            pairs += [
                (str(one.value), str(two.value))
                for one, two in zip(node.keys, node.values, strict=True)
                if isinstance(one, ast.Constant) and isinstance(two, ast.Constant)
            ]
    return tuple(pairs)


def _assigned(statements: Iterable[ast.stmt]) -> Locals:
    """The lists, texts and choices that names stand for."""
    kinds = (ast.List, ast.Tuple, ast.BoolOp, ast.IfExp, ast.BinOp, ast.Constant)
    nodes = [node for statement in statements for node in ast.walk(statement)]
    names: Locals = {
        target.id: node.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, kinds)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return {**names, **_of_each(nodes, names)}


def _of_each(nodes: Iterable[ast.AST], names: Locals) -> Locals:
    """The texts that the variable of a loop or of a comprehension stands for in turn, all of them at once."""
    found: dict[str, ast.expr] = {}
    plain: dict[int, bool] = {}
    for node in nodes:
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and isinstance(node.target, ast.Name):
            held = names.get(node.iter.id) if isinstance(node.iter, ast.Name) else node.iter
            if isinstance(held, ast.List | ast.Tuple) and id(held) not in plain:
                plain[id(held)] = bool(held.elts) and all(isinstance(one, ast.Constant) for one in held.elts)
            if held is not None and plain.get(id(held)):
                found[node.target.id] = held
    return found


def _words(call: ast.Call, names: Locals, steps: Iterator[int]) -> str:
    """A command given as words, as one list of words, or as a line."""
    if len(call.args) == 1 and isinstance(call.args[0], ast.List | ast.Tuple | ast.BinOp):
        return " ".join(quoted(word) for word in strings(call.args[0], names, steps))
    if len(call.args) == 1 and isinstance(call.args[0], ast.Name):
        held = names.get(call.args[0].id)
        if isinstance(held, ast.List | ast.Tuple | ast.BinOp):
            return " ".join(quoted(word) for word in strings(held, names, steps))
    words = [one for argument in call.args for one in strings(argument, names, steps)]
    if len(words) == 1 and len(call.args) <= 2:
        return words[0]
    return " ".join(quoted(word) for word in words)


def room(source: str) -> Iterator[int]:
    """A step for each part of a command that is looked at in a source; names may stand for lists of other names."""
    return iter(range(_STEPS + len(source)))


def strings(node: ast.expr, names: Locals, steps: Iterator[int]) -> tuple[str, ...]:
    """The texts that an argument hands on; of a choice the last, which holds where nobody says anything.

    TreeError when no `steps` are left.
    """
    return tuple(_strings(node, names, _FUEL, steps))


def _strings(node: ast.expr, names: Locals, fuel: int, steps: Iterator[int]) -> Iterator[str]:
    if next(steps, None) is None:
        raise TreeError("its commands are made of too many parts")
    if not fuel:
        return
    match node:
        case ast.Constant(value=str(value)):
            yield value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                yield from _strings(item, names, fuel, steps)
        case ast.JoinedStr(values=values):
            parts = (one.value if isinstance(one, ast.Constant) else "x" for one in values)
            yield "".join(str(part) for part in parts)
        case ast.Attribute(value=ast.Name(id="sys"), attr="executable"):
            yield "python"
        case ast.Starred(value=inner):
            yield from _strings(inner, names, fuel - 1, steps)
        case ast.BoolOp(op=ast.Or(), values=[*_, last]):
            yield from _strings(last, names, fuel - 1, steps)
        case ast.IfExp(body=one, orelse=other):
            found = tuple(_strings(other, names, fuel - 1, steps))
            yield from found or _strings(one, names, fuel - 1, steps)
        case ast.BinOp(op=ast.Add(), left=one, right=other):
            yield from _strings(one, names, fuel - 1, steps)
            yield from _strings(other, names, fuel - 1, steps)
        case ast.Call(func=ast.Attribute(value=inner, attr="split"), args=[]):
            for text in _strings(inner, names, fuel - 1, steps):
                yield from text.split()
        case ast.Name(id=name) if name in names:
            yield from _strings(names[name], names, fuel - 1, steps)
