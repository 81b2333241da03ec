"""Running the tests of a tree: where it lies, or laid out in a directory that is removed afterwards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from agentgate_git.model.change import GITLINK, TreeEntry
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import BOXED, SCRATCH, RunReport
from agentgate_git.model.record import Record
from agentgate_git.model.sandbox import BUBBLEWRAP, NO_BOX
from agentgate_git.repo.materialise import list_tree, materialise
from agentgate_git.repo.process import Git
from agentgate_git.repo.worktree import photograph
from agentgate_git.runner.box import Box
from agentgate_git.runner.conclude import ran_unselected
from agentgate_git.runner.environment import in_place_environment, scratch_environment, sealed_environment
from agentgate_git.runner.import_roots import import_roots
from agentgate_git.runner.origins import foreign_imports
from agentgate_git.runner.pins import Pins, pinned
from agentgate_git.runner.run_tests import Observer, RunRequest, run_tests
from agentgate_git.runner.stability import unstable_ids


class RunPlan(Record):
    """How tests are run, wherever they lie: `settings` are the policy's variables over `environ`.

    `roots` are import roots relative to the tree, found by looking when empty. `time_limit` is in seconds,
    0 for none. `log` is a file for the output, empty for our own. With `checks_ids` the ids are collected
    twice more to see whether they are stable. `checkouts` are work trees of the repository; none of their code may
    stand in for the tree's. With `pins` the run is a sealed one: it gets these, an environment without anything of
    ours, and a box of `box_kind` in which `hidden` paths are out of reach, and files of the tree that are `protected`
    cannot be changed. `environment_sha256` is over what the environment of `python` was made from, empty for one that
    was there; `interpreter` are the folders of one made here. `observer` is told how far each run is, where nobody else
    is named.
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
    pins: Pins | None = None
    box_kind: str = NO_BOX
    hidden: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    environment_sha256: str = ""
    interpreter: tuple[str, ...] = ()
    observer: Observer | None = None


class RanTests(Record):
    """What happened, and which modules of the tree came from elsewhere."""

    report: RunReport
    foreign: tuple[tuple[str, str], ...]


class RunWatcher(Observer):
    """Somebody who may like to know how far a run is; this one does not."""


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
    """A tree in a directory that holds nothing else, and what its tests run in; all of it goes afterwards.

    `umask` is -1 and `box` None where a run has none of its own.
    """

    directory: str
    paths: frozenset[str]
    environment: Mapping[str, str]
    umask: int = -1
    box: Box | None = None


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
        if plan.pins is None:
            yield LaidOut(directory, paths, scratch_environment(plan.environ, plan.settings, import_path))
        else:
            yield _sealed(LaidOut(directory, paths, {}), plan, plan.pins, import_path)


def _sealed(laid: LaidOut, plan: RunPlan, pins: Pins, import_path: tuple[str, ...]) -> LaidOut:
    """The same under pins, in a box that can write to the tree and to folders of its own."""
    home, temp = (os.path.join(os.path.dirname(laid.directory), name) for name in ("home", "tmp"))
    for folder in (home, temp):
        os.mkdir(folder, 0o700)
    settings = (("TMPDIR", temp), *plan.settings)
    environment, _ = pinned(sealed_environment(plan.environ, settings, import_path, home), (), pins)
    box = Box(
        kind=plan.box_kind,
        writable=(laid.directory, temp),
        readable=(*pins.readable, *(os.path.join(laid.directory, path) for path in plan.protected)),
        hidden=plan.hidden,
        temp_root=pins.temp_root,
        home=home,
        interpreter=plan.interpreter,
    )
    umask = -1 if pins.umask is None else pins.umask
    return laid._replace(environment=environment, umask=umask, box=box)


def run_laid_out(
    laid: LaidOut, plan: RunPlan, observer: Observer | None = None, decide: Decision | None = None
) -> RanTests:
    """Run the tests of a tree that is laid out; with `decide`, see RunRequest."""
    request = _request(laid.directory, laid.environment, plan)._replace(
        decide_after_collection=decide, umask=laid.umask, box=laid.box
    )
    report = _run(request, plan, observer)
    return RanTests(report, _foreign(report, laid.paths, laid.directory, plan))


def run_in_scratch(
    git: Git, tree: Oid, plan: RunPlan, observer: Observer | None = None, decide: Decision | None = None
) -> RanTests:
    """Lay `tree` out, run its tests there, and take it away again; with `decide`, see RunRequest."""
    with laid_out(git, tree, plan) as laid:
        return run_laid_out(laid, plan, observer, decide)


def isolation_of(plan: RunPlan) -> str:
    """What a packet calls the isolation of a run in scratch."""
    return BOXED if plan.pins is not None and plan.box_kind == BUBBLEWRAP else SCRATCH


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
        recorded=_recorded(plan),
        is_interactive=plan.is_interactive,
    )


def _recorded(plan: RunPlan) -> tuple[str, ...]:
    """Variables that say in which surroundings the tests ran; those of ours alone tell of this machine."""
    names = (name for name, _ in (*plan.settings, *(plan.pins.environment if plan.pins else ())))
    return tuple(dict.fromkeys(name for name in names if not name.startswith("AGENTGATE_")))


def _run(request: RunRequest, plan: RunPlan, observer: Observer | None) -> RunReport:
    report = run_tests(request, observer or plan.observer)
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
