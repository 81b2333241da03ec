"""Running the tests of a tree: where it lies, or laid out in a directory that is removed afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping

from agentgate_git.model.change import GITLINK, TreeEntry
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import RunReport
from agentgate_git.model.record import Record
from agentgate_git.repo.materialise import list_tree, materialise
from agentgate_git.repo.process import Git
from agentgate_git.repo.worktree import photograph
from agentgate_git.runner.conclude import ran_unselected
from agentgate_git.runner.environment import in_place_environment, scratch_environment
from agentgate_git.runner.import_roots import import_roots
from agentgate_git.runner.origins import foreign_imports
from agentgate_git.runner.run_tests import Observer, RunRequest, run_tests
from agentgate_git.runner.stability import unstable_ids


class RunPlan(Record):
    """How tests are run, wherever they lie: `settings` are the policy's variables over `environ`.

    `roots` are import roots relative to the tree, found by looking when empty. `time_limit` is in seconds,
    0 for none. `log` is a file for the output, empty for our own. With `checks_ids` the ids are collected
    twice more to see whether they are stable.
    """

    python: str
    args: tuple[str, ...]
    environ: Mapping[str, str]
    settings: tuple[tuple[str, str], ...]
    roots: tuple[str, ...]
    time_limit: float
    nonce: str
    now: Callable[[], float]
    log: str = ""
    is_interactive: bool = False
    checks_ids: bool = False


class RanTests(Record):
    """What happened, and which modules of the tree came from elsewhere."""

    report: RunReport
    foreign: tuple[tuple[str, str], ...]


Decision = Callable[[RunReport], bool]


def run_in_place(paths: Iterable[str], directory: str, plan: RunPlan, observer: Observer | None = None) -> RanTests:
    """Run the tests of the tree with these `paths` in the work tree it lies in."""
    environment = in_place_environment(plan.environ, plan.settings)
    return _run(frozenset(paths), directory, environment, plan, observer, None)


def run_in_scratch(
    git: Git, tree: Oid, plan: RunPlan, observer: Observer | None = None, decide: Decision | None = None
) -> RanTests:
    """Lay `tree` out, run its tests there, and take it away again; with `decide`, see RunRequest."""
    entries = tuple(entry for entry in list_tree(git, tree) if entry.mode != GITLINK)
    parent = plan.environ.get("TMPDIR") or None
    with tempfile.TemporaryDirectory(prefix="agentgate-run-", dir=parent, ignore_cleanup_errors=True) as scratch:
        directory = os.path.join(os.path.realpath(scratch), "tree")
        os.mkdir(directory)
        materialise(git, tree, directory)
        _require_exact(git, entries, directory)
        paths = frozenset(entry.path for entry in entries)
        roots = tuple(os.path.join(directory, root) for root in _roots(paths, plan))
        environment = scratch_environment(plan.environ, plan.settings, roots)
        return _run(paths, directory, environment, plan, observer, decide)


def _run(
    paths: frozenset[str],
    directory: str,
    environment: Mapping[str, str],
    plan: RunPlan,
    observer: Observer | None,
    decide: Decision | None,
) -> RanTests:
    request = RunRequest(
        python=plan.python,
        directory=directory,
        args=plan.args,
        environment=environment,
        time_limit=plan.time_limit,
        nonce=plan.nonce,
        now=plan.now,
        log=plan.log,
        recorded=tuple(name for name, _ in plan.settings),
        decide_after_collection=decide,
        is_interactive=plan.is_interactive,
    )
    report = run_tests(request, observer)
    if plan.checks_ids or ran_unselected(report):
        unstable = {*report.unstable, *unstable_ids(request._replace(log=os.devnull, is_interactive=False))}
        report = report._replace(unstable=tuple(sorted(unstable)))
    return RanTests(report, foreign_imports(report.origins, paths, _roots(paths, plan), directory))


def _roots(paths: frozenset[str], plan: RunPlan) -> tuple[str, ...]:
    return plan.roots or import_roots(paths)


def _require_exact(git: Git, entries: tuple[TreeEntry, ...], directory: str) -> None:
    """git does not hash what it reads, so what it wrote is hashed here."""
    if dirty := photograph(git, entries, directory).dirty:
        raise Undecided(f"git wrote {dirty[0]!r} with other content than the tree names", "run `git fsck`")
