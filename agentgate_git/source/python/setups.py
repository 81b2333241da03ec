"""What stands in a conftest before the tests of every file beneath it: fixtures, hooks, ignored paths, methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.inventory import CONDITIONAL, SETUP, CollectedTest
from agentgate_git.source.python.bodies import EARLY_RETURN, function_effects
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS
from agentgate_git.source.python.effects import Effect, guarded, is_certain, total
from agentgate_git.source.python.fingerprint import shape_of
from agentgate_git.source.python.ignores import HOOK, hook_effects, ignored_paths
from agentgate_git.source.python.module import ModuleFacts, Placed, fixture_values, parameter_effects
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.unit import body_of


def setups(module: ModuleFacts) -> Iterator[CollectedTest]:
    """Fixtures, hooks and ignored paths of a conftest: they stand before the tests of every file beneath it."""
    for placed in module.definitions:
        function = placed.node
        if isinstance(function, ast.ClassDef):
            yield from _methods(function, module)
            continue
        if module.is_fixture(function) or function.name.startswith("pytest_"):
            effect = total(_setup_effects(placed, function, module), function.lineno)
            body = shape_of(body_of(function)).digest
            rows = fixture_values(function, module.scope) if module.is_fixture(function) else ()
            yield CollectedTest(
                function.name, effect.state, effect.line, body, effect.marker, effect.condition, kind=SETUP, rows=rows
            )
    yield from ignored_paths(module.statements, module.scope)


def _methods(node: ast.ClassDef, module: ModuleFacts) -> Iterator[CollectedTest]:
    """Methods that skip a test which calls them: of a class of a conftest, whose instances fixtures hand on."""
    for method in node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("Test"):
            done = (one for one in function_effects(method, module.body) if one.marker != EARLY_RETURN)
            effect = total((guarded(one, DEPENDS, "it is called") for one in done), method.lineno)
            name, body = f"{node.name}::{method.name}", shape_of(body_of(method)).digest
            yield CollectedTest(name, effect.state, effect.line, body, effect.marker, effect.condition, kind=SETUP)


def _setup_effects(placed: Placed, function: Function, module: ModuleFacts) -> Iterator[Effect]:
    """What a fixture or hook does to tests; one that is not defined does nothing, one in a branch only there."""
    if any(is_certain(effect) for effect in placed.effects):
        return
    branches = [effect.marker.removeprefix("if ") for effect in placed.effects if effect.state == CONDITIONAL]
    done = (*parameter_effects(function, module.body.place), *function_effects(function, module.body))
    ignored = hook_effects(function, module.scope) if function.name == HOOK else ()
    for effect in (*done, *ignored):
        if effect.marker != EARLY_RETURN:
            yield guarded(effect, DEPENDS if branches else ALWAYS, "; ".join(branches))
