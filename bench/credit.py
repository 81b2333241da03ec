"""What it costs to look for kills and to confirm them, in processor seconds, against a run of the covering cases."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from agentgate_git.flows.packets.runs import RunPlan, laid_out
from agentgate_git.flows.sealed.credit import changed_sources, fresh_trees, search_request
from agentgate_git.flows.sealed.sealed_plan import Surroundings, sealed_plan
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.falsification import FALSIFIED, Falsification
from agentgate_git.runner.confirm import confirmed
from agentgate_git.runner.credit_run import find_kills
from agentgate_git.source.python.changed_symbols import changed_symbols
from bench.harness import NO_BUDGET, Ratio, command
from testing.repo_builder import RepoBuilder

_ROUNDS = 3
_SETTINGS = (("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),)  # as it is where bare pytest runs
_SUBREAPER = 36  # prctl
_FILES = 400  # so many more lie in the tree


def run(scratch: Path, _rounds: int) -> list[Ratio]:
    """One changed function, and twelve of three modules whose tests stand in three files."""
    return [ratio for modules, functions in ((1, 1), (3, 4)) for ratio in _ratios(scratch, modules, functions)]


def _ratios(scratch: Path, modules: int, functions: int) -> Iterator[Ratio]:
    repo = _repository(scratch / f"{modules}-{functions}", modules, functions)
    count = modules * functions
    suite = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    covering = command(suite, repo.path, {**repo.environment, "PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"})
    seconds: dict[str, list[float]] = {"floor": [], "search": [], "confirmation": []}
    for _ in range(_ROUNDS):
        seconds["floor"].append(_processor_seconds(covering))
        for name, taken in _searched(repo, scratch, count):
            seconds[name].append(taken)
    floor = min(seconds.pop("floor"))
    for name, values in seconds.items():
        each = min(values) / count
        what = f"{name}, each of {count} changed function(s), {each:.2f} CPU s"
        yield Ratio(what, each, f"bare pytest over the covering cases, {floor:.2f} CPU s", floor, NO_BUDGET)


def _searched(repo: RepoBuilder, scratch: Path, count: int) -> Iterator[tuple[str, float]]:
    with Workspace(str(repo.path), {**os.environ, **repo.environment}, is_clean=True) as workspace:
        proposal = workspace.proposals.of_revision("HEAD", "main")
        policy = workspace.policy_of(proposal.base)
        plan = sealed_plan(workspace, policy, proposal.tip.tree, Surroundings(str(scratch / "log"), sys.executable))
        plan = plan._replace(settings=(*plan.settings, *_SETTINGS))
        yield from _measured(workspace, proposal, plan, count)


def _measured(workspace: Workspace, proposal: Proposal, plan: RunPlan, count: int) -> Iterator[tuple[str, float]]:
    sources = changed_sources(workspace, proposal)
    changed = changed_symbols(sources.old, sources.new)
    found: list[Falsification] = []
    with laid_out(workspace.room, proposal.tip.tree, plan) as laid:
        request = search_request(plan, laid, sources, changed)
        yield "search", _processor_seconds(lambda: found.append(find_kills(request)))
    place = fresh_trees(workspace.room, proposal.tip.tree, plan, request)
    yield "confirmation", _processor_seconds(lambda: found.append(confirmed(found[0], request, sources.new, place)))
    if [FALSIFIED] * count != [symbol.state for symbol in found[1].symbols]:
        raise SystemExit(f"not every function earned credit: {found[1]}")


def _processor_seconds(action: Callable[[], object]) -> float:
    """Of this process and of all that it started: bubblewrap leaves what it started to us, and it is waited for."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    before = sum(os.times()[:4])
    action()
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return sum(os.times()[:4]) - before


def _repository(directory: Path, modules: int, functions: int) -> RepoBuilder:
    shutil.rmtree(directory, ignore_errors=True)
    repo = RepoBuilder.create(directory, directory.parent / "home")
    padding = {f"data/{number:03}.txt": f"{number}\n" * 200 for number in range(_FILES)}
    sources = {f"src/shop{number}.py": _module(functions, "+") for number in range(modules)}
    tests = {f"tests/test_shop{number}.py": _tests(number, functions) for number in range(modules)}
    repo.commit({**padding, **sources, **tests}, "first")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({path: text.replace("cents + count", "cents * count") for path, text in sources.items()}, "a change")
    return repo


def _module(functions: int, sign: str) -> str:
    return "\n\n".join(f"def total{n}(cents, count):\n    return cents {sign} count\n" for n in range(functions))


def _tests(module: int, functions: int) -> str:
    each = "def test_total{n}(count):\n    assert {n} + 3 * count == shop.total{n}(3, count) + {n}\n"
    rows = "@pytest.mark.parametrize('count', range(5, 25))\n"
    tests = "\n\n".join(rows + each.format(n=n) for n in range(functions))
    return f"import pytest\n\nimport shop{module} as shop\n\n\n{tests}"
