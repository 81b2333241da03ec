"""Scoring credit: what a proposal changed in production code, broken piece by piece under the proposal's own tests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from agentgate_git.flows.packets.runs import LaidOut, RunPlan, laid_out
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import is_file
from agentgate_git.model.commit import Proposal
from agentgate_git.model.falsification import Falsification
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.model.symbol import NOTHING, ChangedSymbols
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.process import Git
from agentgate_git.runner.confirm import Place, confirmed
from agentgate_git.runner.credit_run import CreditObserver, CreditRequest, find_kills
from agentgate_git.runner.search_memory import SearchMemory
from agentgate_git.source.python.changed_symbols import changed_symbols
from agentgate_git.source.python.changed_tests import changed_tests
from agentgate_git.source.roles import holds_tests, is_python_production

_PYTHON = ".py"
# How many mutants that move a bound of a changed line by one are tried where another mutant was killed already.
_BOUNDARIES = 2


class Search(Record):
    """What changed, and what breaking it showed; `found` is None where nothing had to be broken."""

    changed: ChangedSymbols
    found: Falsification | None


class ChangedSources(Record):
    """The production files in Python that a proposal changes, before and after, by path, and the same of tests."""

    old: dict[str, bytes]
    new: dict[str, bytes]
    old_tests: dict[str, bytes]
    new_tests: dict[str, bytes]


def changed_sources(workspace: Workspace, proposal: Proposal) -> ChangedSources:
    """Both sides of every changed file of production code and of tests; a side that is no file is left out."""
    found = ChangedSources({}, {}, {}, {})
    for row in tree_changes(workspace.room, proposal.base_tree, proposal.tip.tree):
        if is_python_production(row.path):
            old, new = found.old, found.new
        elif row.path.endswith(_PYTHON) and holds_tests(row.path):
            old, new = found.old_tests, found.new_tests
        else:
            continue
        for side, mode, oid in ((old, row.old_mode, row.old_oid), (new, row.new_mode, row.new_oid)):
            if is_file(mode):
                side[row.path] = workspace.objects.read(oid, "blob")
    return found


def search_credit(
    git: Git,
    tree: Oid,
    plan: RunPlan,
    laid: LaidOut,
    sources: ChangedSources,
    observer: CreditObserver | None,
    memory: SearchMemory | None = None,
) -> Search:
    """Break every changed symbol of a tree that needs it, where it is laid out for that; not what `memory` recalls."""
    changed = changed_symbols(sources.old, sources.new)
    if all(change.needs == NOTHING for change in changed.changes):
        return Search(changed, None)
    request = search_request(plan, laid, sources, changed)
    found = find_kills(request, observer, memory)
    return Search(changed, confirmed(found, request, sources.new, fresh_trees(git, tree, plan, request), observer))


def search_request(plan: RunPlan, laid: LaidOut, sources: ChangedSources, changed: ChangedSymbols) -> CreditRequest:
    """What is asked for in a tree that is laid out."""
    return CreditRequest(
        python=plan.python,
        directory=laid.directory,
        args=plan.args,
        environment=laid.environment,
        nonce=plan.nonce,
        symbols=changed.changes,
        old_sources=sources.old,
        production=tuple(sorted(filter(is_python_production, laid.paths))),
        favoured=(*changed_tests(sources.old_tests, sources.new_tests), *sources.new_tests),
        log=plan.log,
        unbroken_seconds=plan.time_limit,
        boundaries=_BOUNDARIES,
        umask=laid.umask,
        box=laid.box,
    )


def fresh_trees(git: Git, tree: Oid, plan: RunPlan, request: CreditRequest) -> Place:
    """Where kills are confirmed: each time in a tree of its own, so that what ran in another leaves nothing behind."""

    @contextmanager
    def place(files: Mapping[str, bytes]) -> Iterator[CreditRequest]:
        with laid_out(git, tree, plan) as fresh:
            for path, data in files.items():
                with open(os.path.join(fresh.directory, path), "wb") as file:
                    file.write(data)
            yield request._replace(directory=fresh.directory, environment=fresh.environment, box=fresh.box)

    return place
