"""The ways in which one function is broken, in the order in which they are tried.

revert: the body it had before; uniform: another value from every return and yield; keyed: one that depends on the
arguments; stores: other values in attributes and items, and into calls made for their effect; boundary: a comparison
or number of a changed line moved by one; operators: one at a time, changed lines first.
"""

from __future__ import annotations

import ast
import copy
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

    class Mutant(NamedTuple):
        """One way to break a symbol: which top-level statements of its module are replaced, and by what.

        `can_swap` is False when it has to be there while the module is imported.
        """

        kind: str
        label: str
        line: int
        replaced: Dict[int, List[ast.stmt]]
        can_swap: bool


else:
    from collections import namedtuple

    Mutant = namedtuple("Mutant", "kind label line replaced can_swap")

_locate = import_module("{}.locate".format(__package__))
_compiled = import_module("{}.compiled".format(__package__))
_operators = import_module("{}.operators".format(__package__))

_ARGUMENTS = "agentgate_arguments__"


class Module:
    """One version of a source file: its tree and where each symbol stands."""

    def __init__(self, source: bytes) -> None:
        self.tree = ast.parse(source)
        self.lines = source.decode("utf-8", "replace").splitlines()
        self.definitions = _locate.definitions(self.tree)

    def parts(self, name: str) -> List[Any]:
        """The definitions of a symbol."""
        return [found for found in self.definitions if found.name == name]

    def copied(self, found: Any) -> Tuple[ast.stmt, ast.AST]:
        """A copy of the top-level statement that a definition stands in, and the definition in it."""
        top = copy.deepcopy(self.tree.body[found.top])
        before = [each for each in self.definitions if each.top == found.top]
        place = [each.node for each in before].index(found.node)
        return top, _locate.definitions(ast.Module(body=[top], type_ignores=[]))[place].node

    def future(self) -> List[ast.stmt]:
        """The statements that decide how the others are compiled."""
        return [node for node in self.tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]

    def with_replaced(self, replaced: Dict[int, List[ast.stmt]]) -> List[ast.stmt]:
        """All statements, some of them replaced; what stands at -1 comes last."""
        made: List[ast.stmt] = []
        for place, node in enumerate(self.tree.body):
            made.extend(replaced.get(place, [node]))
        return [*made, *replaced.get(-1, [])]


def function_mutants(head: Module, name: str, old: Optional[Module], old_name: str) -> Iterator[Mutant]:
    """Every mutant of a function or method, one after another."""
    parts = head.parts(name)
    former = old.parts(old_name) if old is not None else []
    if former:
        yield from _reverts(head, parts, former)
    for part in parts:
        yield from _values(head, part, "uniform", _Uniform)
        if part.node.name == "__hash__":
            yield from _values(head, part, "identity", _Identity)
    for part in parts:
        yield from _values(head, part, "keyed", _Keyed)
    for part in parts:
        yield from _values(head, part, "stores", _Stores)
    changed = changed_lines(head, [part.node for part in parts], old, [part.node for part in former])
    yield from _operator_mutants(head, parts, changed)


def _values(head: Module, part: Any, kind: str, transformer: Any) -> Iterator[Mutant]:
    top, node = head.copied(part)
    change = transformer(node)
    node.body = [change.visit(statement) for statement in node.body]  # type: ignore[attr-defined]
    if change.count:
        change.finish(node)
        yield Mutant(kind, "{} of {}".format(kind, part.name), part.node.lineno, {part.top: [top]}, True)


class _Values(ast.NodeTransformer):
    """Wraps values in calls of a helper; what is defined inside is left alone."""

    def __init__(self, node: Any) -> None:
        self.count = 0
        self.node = node

    def finish(self, node: Any) -> None:
        """Add what the changed statements need."""

    def wrapped(self, value: ast.expr) -> ast.expr:
        self.count += 1
        return ast.Call(func=_compiled.helper("uniform"), args=[value], keywords=[])

    def _leave(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _leave  # noqa: N815


class _Uniform(_Values):
    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None:
            node.value = self.wrapped(node.value)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None:
            node.value = self.wrapped(node.value)
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        self.generic_visit(node)
        self.count += 1
        node.value = ast.Call(func=_compiled.helper("each"), args=[node.value], keywords=[])
        return node


class _Keyed(_Uniform):
    """The arguments are kept as they come in; the body may change them."""

    def wrapped(self, value: ast.expr) -> ast.expr:
        self.count += 1
        kept = ast.Name(id=_ARGUMENTS, ctx=ast.Load())
        return ast.Call(func=_compiled.helper("keyed"), args=[value, kept], keywords=[])

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        return node

    def finish(self, node: Any) -> None:
        given = node.args
        names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        names.extend(each.arg for each in (given.vararg, given.kwarg) if each is not None)
        values = ast.Tuple(elts=[ast.Name(id=name, ctx=ast.Load()) for name in names], ctx=ast.Load())
        target = ast.Name(id=_ARGUMENTS, ctx=ast.Store())
        node.body.insert(0, ast.Assign(targets=[target], value=values, lineno=node.lineno, type_comment=None))


class _Same(_Uniform):
    """Every value as it is, by way of a helper."""

    def wrapped(self, value: ast.expr) -> ast.expr:
        self.count += 1
        return ast.Call(func=_compiled.helper("same"), args=[value], keywords=[])

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        return node


def rewrite(node: Any) -> None:
    """Write a function in another way that means the same, in place."""
    change = _Same(node)
    node.body = [change.visit(statement) for statement in node.body]
    has_text = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
    node.body.insert(int(has_text), ast.Expr(value=change.wrapped(ast.Constant(value=None))))


class _Identity(_Values):
    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None and self.node.args.args:
            self.count += 1
            owner = ast.Name(id=self.node.args.args[0].arg, ctx=ast.Load())
            node.value = ast.Call(func=_compiled.helper("identity"), args=[owner], keywords=[])
        return node


class _Stores(_Values):
    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if any(_stores(target) for target in node.targets):
            node.value = self.wrapped(node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None and _stores(node.target):
            node.value = self.wrapped(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if _stores(node.target):
            node.value = self.wrapped(node.value)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call):
            call.args = [each if isinstance(each, ast.Starred) else self.wrapped(each) for each in call.args]
        return node


def _stores(target: ast.AST) -> bool:
    return any(isinstance(each, (ast.Attribute, ast.Subscript)) for each in ast.walk(target))


def _operator_mutants(head: Module, parts: List[Any], changed: Set[int]) -> Iterator[Mutant]:
    """Boundaries first, which are edges of changed lines; then the rest of those lines, and then the others."""
    sites = [(part, *site) for part in parts for site in _operators.sites(part.node)]
    for part, place, line, label, is_edge in sorted(sites, key=lambda site: (site[2] not in changed, not site[4])):
        top, node = head.copied(part)
        _operators.apply(node, place)
        kind = "boundary" if is_edge and line in changed else "operator"
        yield Mutant(kind, "{} in {}".format(label, part.name), line, {part.top: [top]}, True)


def changed_lines(head: Module, nodes: List[Any], old: Optional[Module], former: List[Any]) -> Set[int]:
    """The lines of a symbol that its former version does not have."""
    known: Set[str] = set()
    for node in former:
        assert old is not None
        known.update(line.strip() for line in _lines_of(old, node))
    return {
        _first_line(node) + place
        for node in nodes
        for place, line in enumerate(_lines_of(head, node))
        if line.strip() not in known
    }


def _lines_of(module: Module, node: Any) -> List[str]:
    return module.lines[_first_line(node) - 1 : node.end_lineno]


def _first_line(node: Any) -> int:
    return int(min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]))


def _reverts(head: Module, parts: List[Any], former: List[Any]) -> Iterator[Mutant]:
    """What it was before, part by part; parts that are new go away, parts that are gone come back."""
    if not parts or len({part.top for part in parts}) != 1:
        return
    top = copy.deepcopy(head.tree.body[parts[0].top])
    before = [each.node for each in head.definitions if each.top == parts[0].top]
    copies = [each.node for each in _locate.definitions(ast.Module(body=[top], type_ignores=[]))]
    nodes = [copies[before.index(part.node)] for part in parts]
    module = ast.Module(body=[top], type_ignores=[])
    can_swap = len(parts) == len(former)
    for place, node in enumerate(nodes):
        if place >= len(former):
            splice(module, node, [])
            continue
        made = copy.deepcopy(former[place].node)
        ast.increment_lineno(made, node.lineno - made.lineno)
        made.name = node.name
        can_swap = can_swap and _has_same_frame(node, made)
        if can_swap:
            made.decorator_list = node.decorator_list
            made.args.defaults, made.args.kw_defaults = node.args.defaults, node.args.kw_defaults
        extra = [copy.deepcopy(each.node) for each in former[len(nodes) :]] if place == len(nodes) - 1 else []
        splice(module, node, [made, *extra])
    label = "{} as it was".format(parts[0].name)
    yield Mutant("revert", label, parts[0].node.lineno, {parts[0].top: module.body}, can_swap)


def _has_same_frame(node: Any, made: Any) -> bool:
    """True when decorators and defaults, which run where the function is defined, are the same."""
    return (
        type(node) is type(made)
        and _dumped(node.decorator_list) == _dumped(made.decorator_list)
        and _dumped(node.args.defaults) == _dumped(made.args.defaults)
        and _dumped(each for each in node.args.kw_defaults if each)
        == _dumped(each for each in made.args.kw_defaults if each)
    )


def _dumped(nodes: Any) -> List[str]:
    return [ast.dump(node) for node in nodes]


def splice(root: ast.AST, node: ast.AST, made: List[Any]) -> None:
    """Put nodes in the place of one that stands in some list below a root; an emptied block gets a `pass`."""
    for owner in ast.walk(root):
        for _, value in ast.iter_fields(owner):
            if isinstance(value, list) and any(each is node for each in value):
                place = next(place for place, each in enumerate(value) if each is node)
                value[place : place + 1] = made
                if not value and not isinstance(owner, ast.Module):
                    value.append(ast.Pass())
                return
