"""Mutated syntax trees into code objects, and those into the functions that are alive."""

from __future__ import annotations

import ast
import gc
import os
import types
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Tuple

    Key = Tuple[str, int]

# What stands for a helper in a tree: a string that no project has. It becomes the helper itself in the code object,
# so that no name is added anywhere, and a helper cannot be found or replaced by name.
_STAND_IN = "\x00agentgate {}\x00"


class CannotSwap(Exception):
    """The code does not fit a live function, or there is none: the symbol needs a fresh process."""


def helper(name: str) -> ast.expr:
    """An expression that is a helper once it is compiled."""
    return ast.Constant(value=_STAND_IN.format(name), kind=None)


def helper_name(value: object) -> str:
    """The name of the helper that a constant stands for; empty for any other constant."""
    before, _, after = _STAND_IN.partition("{}")
    if not isinstance(value, str) or not (value.startswith(before) and value.endswith(after)):
        return ""
    return value[len(before) : -len(after)]


def compile_statements(
    statements: List[ast.stmt], filename: str, helpers: Dict[str, Callable[..., Any]]
) -> types.CodeType:
    """Compile a module of these statements, with the helpers in place."""
    module = ast.Module(body=statements, type_ignores=[])
    ast.fix_missing_locations(module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(module, filename, "exec", dont_inherit=True)
    return _with_helpers(code, {_STAND_IN.format(name): value for name, value in helpers.items()})


def _with_helpers(code: types.CodeType, helpers: Dict[str, Any]) -> types.CodeType:
    constants = tuple(
        _with_helpers(each, helpers)
        if isinstance(each, types.CodeType)
        else helpers.get(each, each)
        if isinstance(each, str)
        else each
        for each in code.co_consts
    )
    return code.replace(co_consts=constants)


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """All code objects below one."""
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield each
            yield from codes(each)


def live_functions(paths: Iterable[str]) -> Dict[str, Dict[Key, List[types.FunctionType]]]:
    """The functions that are alive now, by the real path of their file, their name and first line.

    What somebody froze is brought back first: the collector does not show it otherwise.
    """
    wanted = {path: path for path in paths}
    names: Dict[str, str] = {}
    found: Dict[str, Dict[Key, List[types.FunctionType]]] = {path: {} for path in wanted}
    gc.unfreeze()
    for each in gc.get_objects():
        if type(each) is not types.FunctionType:
            continue
        code = each.__code__
        filename = code.co_filename
        if filename not in names:
            names[filename] = os.path.realpath(filename)
        if names[filename] in wanted:
            found[names[filename]].setdefault((code.co_name, code.co_firstlineno), []).append(each)
    return found


def swap(
    functions: Dict[Key, List[types.FunctionType]], code: types.CodeType, wanted: Iterable[Key], below: Iterable[Key]
) -> int:
    """Give live functions the code of a mutated module; how many of `wanted` got theirs.

    `below` are functions within the wanted ones, which change along where they are alive. CannotSwap, and nothing
    is changed, when a function cannot take its code or no wanted one is alive.
    """
    made = {(each.co_name, each.co_firstlineno): each for each in codes(code)}
    pairs = [(function, made[key]) for key in wanted if key in made for function in functions.get(key, ())]
    if not pairs:
        raise CannotSwap("no function of it is alive")
    inner = [(function, made[key]) for key in below if key in made for function in functions.get(key, ())]
    for function, new in (*pairs, *inner):
        if function.__code__.co_freevars != new.co_freevars:
            raise CannotSwap("it closes over other variables")
    for function, new in (*pairs, *inner):
        function.__code__ = new
    return len(pairs)
