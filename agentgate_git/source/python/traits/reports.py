"""Code that writes what a run is judged by: reports, coverage, expected results, tests, the gate's own files."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import PRODUCTION
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import Scope
from agentgate_git.source.python.walk import IMPORTED, SUITE, Spot

OPEN = ".maybe"
COUNTED = "counted"
_ASKS = frozenset(("get", "find", "findall", "iter", "iterfind", "xpath", "findtext", "attr", "getAttribute"))
_BAD_ENDS = {
    **dict.fromkeys(("failure", "failed", "fail"), "failures"),
    **dict.fromkeys(("error", "errored"), "errors"),
}

_REPORTS = pattern_of(
    r"(?:^|/)(?:junit[\w.-]*\.xml|test-?results?[\w.-]*\.(?:xml|json)|\.coverage|coverage\.(?:xml|json)|lcov\.info"
    r"|pytest[\w.-]*report[\w.-]*\.(?:json|xml))$"
)
_TESTS = pattern_of(r"(?:^|/)(?:test_\w+\.py|\w+_test\.py|conftest\.py|pytest\.ini|pyproject\.toml)$")
_GATE = pattern_of(r"(?:^|/)(?:entropy(?:\.baseline)?\.yaml|\.agentgate/|allowed_signers$)")
_ORACLES = pattern_of(r"(?:^|/)(?:goldens?|expected|__snapshots__|cassettes)/|\.(?:golden|snap|expected)$")
_WRITES = frozenset(("write_text", "write_bytes"))
_MOVES = frozenset(("copy", "copyfile", "copy2", "move", "replace", "rename", "unlink", "remove"))
# Last names of the calls that write a file.
WRITES = frozenset(("open", *_WRITES, *_MOVES))
_OWN_FOLDER = ("tmp", "temp", "testdir", "pytester", "isolated")


def counted(nodes: Iterable[ast.AST], spot: Spot) -> Iterator[Trait]:
    """The kinds of bad ends that a script reads from a report: `suite.get("failures")`, `findall(".//error")`."""
    for node in nodes:
        texts: list[ast.expr] = []
        if isinstance(node, ast.Call) and last(node.func) in _ASKS:
            texts = node.args[:1]
        elif isinstance(node, ast.Subscript):
            texts = [node.slice]
        for one in texts:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                word = one.value.rpartition("/")[2].removesuffix("s").lower()
                if word in _BAD_ENDS:
                    yield Trait(COUNTED, _BAD_ENDS[word], one.lineno, spot.owner)
        if isinstance(node, ast.Attribute) and node.attr in ("failures", "errors"):
            yield Trait(COUNTED, _BAD_ENDS[node.attr.removesuffix("s")], node.lineno, spot.owner)


def call_traits(call: ast.Call, spot: Spot, role: str) -> Iterator[Trait]:
    """The traits of one call; what is written below a temporary folder is nothing."""
    path = "" if spot.is_script else _written_path(call, spot)
    if path:
        yield from _judged(path, call, spot, role)


def _judged(path: str, node: ast.Call, spot: Spot, role: str) -> Iterator[Trait]:
    is_open = role == PRODUCTION or spot.when not in (IMPORTED, SUITE)
    if _GATE.search(path):
        yield _trait("report.write", node, spot)
    elif _TESTS.search(path) or _REPORTS.search(path):
        yield _trait("report.write" + OPEN if is_open else "report.write", node, spot)
    elif _ORACLES.search(path) and not spot.is_guarded():
        yield _trait("report.write" + OPEN, node, spot)


def is_report(path: str) -> bool:
    """True for the name of a file that a run of tests leaves behind."""
    return bool(_REPORTS.search(path))


def _written_path(call: ast.Call, spot: Spot) -> str:
    """The constant end of the path a call writes to; empty when it writes nothing, or to a temporary folder."""
    scope, called = spot.scope, call.func
    name = last(called)
    if name == "open":
        given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
        if isinstance(called, ast.Attribute) and not scope.dotted(called):
            given = [*call.args[:1], *given[1:]]
            target: ast.expr | None = called.value
        else:
            target = call.args[0] if call.args else None
        mode = fold(given[0], scope.constant) if given else ""
        if not (isinstance(mode, str) and set(mode) & set("wax+")):
            return ""
    elif name in _WRITES and isinstance(called, ast.Attribute):
        target = called.value
    elif name in _MOVES and call.args and scope.dotted(called).startswith(("shutil.", "os.")):
        target = call.args[-1]
    else:
        return ""
    if target is None or _is_temporary(target, spot):
        return ""
    return _path(target, scope)


def _is_temporary(target: ast.expr, spot: Spot) -> bool:
    """True below a folder that the function makes for itself: `with TemporaryDirectory() as folder:`."""
    if spot.function is None:
        return False
    shown = spot.scope.settled(target) or target
    named = {one.id for one in ast.walk(shown) if isinstance(one, ast.Name)}
    key = ("own folders", id(spot.function))
    if key not in spot.memo:
        spot.memo[key] = {
            item.optional_vars.id
            for node in nodes_of(spot.function)
            if isinstance(node, ast.With | ast.AsyncWith)
            for item in node.items
            if isinstance(item.optional_vars, ast.Name)
            and any(word in written(item.context_expr).lower() for word in _OWN_FOLDER)
        }
    return not named.isdisjoint(spot.memo[key])


def _path(node: ast.expr, scope: Scope) -> str:
    shown = scope.settled(node) if isinstance(node, ast.Name) else node
    if shown is None or any(word in written(shown).lower() for word in _OWN_FOLDER):
        return ""
    known = fold(shown, scope.constant)
    if isinstance(known, str):
        return known
    parts = [one.value for one in ast.walk(shown) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    is_rooted = any(isinstance(one, ast.Name) and one.id in ("__file__", "Path", "os") for one in ast.walk(shown))
    return "/".join(parts) if parts and is_rooted else ""


def _trait(kind: str, node: ast.AST, spot: Spot) -> Trait:
    return Trait(kind, written(node, 120), getattr(node, "lineno", 1), spot.owner)
