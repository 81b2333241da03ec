"""Running the tests of a tree: where it lies, or laid out in a directory that is removed afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

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
    twice more to see whether they are stable. `checkouts` are work trees of the repository; none of their code may
    stand in for the tree's.
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
    checkouts: tuple[str, ...] = ()


class RanTests(Record):
    """What happened, and which modules of the tree came from elsewhere."""

    report: RunReport
    foreign: tuple[tuple[str, str], ...]


Decision = Callable[[RunReport], bool]


def run_in_place(
    examine: Callable[[], frozenset[str]], directory: str, plan: RunPlan, observer: Observer | None = None
) -> RanTests:
    """Run the tests in the work tree they lie in.

    `examine` gives the paths of the tree, or raises to call the run off; it works while the interpreter starts.
    """
    examined: list[frozenset[str]] = []
    environment = in_place_environment(plan.environ, plan.settings)
    request = _request(directory, environment, plan)._replace(precondition=lambda: examined.append(examine()))
    report = _run(request, plan, observer)
    (paths,) = examined
    return RanTests(report, _foreign(report, paths, directory, plan))


class LaidOut(Record):
    """A tree in a directory that holds nothing else, and the environment that its tests get; both go afterwards."""

    directory: str
    paths: frozenset[str]
    environment: Mapping[str, str]


@contextmanager
def laid_out(git: Git, tree: Oid, plan: RunPlan) -> Iterator[LaidOut]:
    """Lay `tree` out, byte for byte as it is; Undecided when git wrote anything else."""
    entries = tuple(entry for entry in list_tree(git, tree) if entry.mode != GITLINK)
    paths = frozenset(entry.path for entry in entries)
    parent = plan.environ.get("TMPDIR") or None
    with tempfile.TemporaryDirectory(prefix="agentgate-run-", dir=parent, ignore_cleanup_errors=True) as scratch:
        directory = os.path.join(os.path.realpath(scratch), "tree")
        os.mkdir(directory)
        materialise(git, tree, directory)
        _require_exact(git, entries, directory)
        import_path = tuple(os.path.join(directory, root) for root in _roots(paths, plan))
        yield LaidOut(directory, paths, scratch_environment(plan.environ, plan.settings, import_path))


def run_laid_out(
    laid: LaidOut, plan: RunPlan, observer: Observer | None = None, decide: Decision | None = None
) -> RanTests:
    """Run the tests of a tree that is laid out; with `decide`, see RunRequest."""
    request = _request(laid.directory, laid.environment, plan)._replace(decide_after_collection=decide)
    report = _run(request, plan, observer)
    return RanTests(report, _foreign(report, laid.paths, laid.directory, plan))


def run_in_scratch(
    git: Git, tree: Oid, plan: RunPlan, observer: Observer | None = None, decide: Decision | None = None
) -> RanTests:
    """Lay `tree` out, run its tests there, and take it away again; with `decide`, see RunRequest."""
    with laid_out(git, tree, plan) as laid:
        return run_laid_out(laid, plan, observer, decide)


def _request(directory: str, environment: Mapping[str, str], plan: RunPlan) -> RunRequest:
    return RunRequest(
        python=plan.python,
        directory=directory,
        args=plan.args,
        environment=environment,
        time_limit=plan.time_limit,
        nonce=plan.nonce,
        now=plan.now,
        log=plan.log,
        recorded=tuple(name for name, _ in plan.settings),
        is_interactive=plan.is_interactive,
    )


def _run(request: RunRequest, plan: RunPlan, observer: Observer | None) -> RunReport:
    report = run_tests(request, observer)
    if not plan.checks_ids and not ran_unselected(report):
        return report
    unstable = unstable_ids(request._replace(log=os.devnull, is_interactive=False))
    return report._replace(unstable=tuple(sorted({*report.unstable, *unstable})))


def _foreign(report: RunReport, paths: frozenset[str], directory: str, plan: RunPlan) -> tuple[tuple[str, str], ...]:
    return foreign_imports(report.origins, paths, _roots(paths, plan), directory, plan.checkouts)


def _roots(paths: frozenset[str], plan: RunPlan) -> tuple[str, ...]:
    return plan.roots or import_roots(paths)


def _require_exact(git: Git, entries: tuple[TreeEntry, ...], directory: str) -> None:
    """git does not hash what it reads, so what it wrote is hashed here."""
    if dirty := photograph(git, entries, directory).dirty:
        raise Undecided(f"git wrote {dirty[0]!r} with other content than the tree names", "run `git fsck`")
