"""Base-test replay: the head's production under the base's tests, configuration and harness, run as a capture is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from agentgate_git.flows.packets.runs import RunPlan, run_in_scratch
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import GITLINK, SYMLINK, TreeEntry
from agentgate_git.model.commit import Proposal
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import RunReport
from agentgate_git.model.record import Record
from agentgate_git.model.role import PRODUCTION, TEST
from agentgate_git.policy.runs.overlay import overlay
from agentgate_git.repo.materialise import list_tree
from agentgate_git.repo.overlay import write_blob, write_tree
from agentgate_git.repo.process import Git
from agentgate_git.repo.stores import own_store
from agentgate_git.source.python.docstring_overlay import with_examples_of
from agentgate_git.source.python.imports import imported_paths
from agentgate_git.source.roles import is_test_file, role_of
from agentgate_git.source.test_side import is_of_the_tests, shadowed_runner

# Without it one file that imports what is gone would keep all others from being run.
_GO_ON = "--continue-on-collection-errors"


class Overlay(Record):
    """The entries to run. `is_base` and `is_head` say that they are all those of one side; `from_head` are changed
    files that are the head's, `rewritten` those of them whose docstrings show the base's examples, with their bytes."""

    entries: tuple[TreeEntry, ...]
    is_base: bool
    is_head: bool
    from_head: frozenset[str]
    rewritten: tuple[tuple[str, bytes], ...]


def overlay_of(workspace: Workspace, proposal: Proposal, tests: Iterable[str]) -> Overlay:
    """What a replay of this proposal runs; `tests` are node ids of either side, which show where tests stand."""
    base, head = (list_tree(workspace.room, tree) for tree in (proposal.base_tree, proposal.tip.tree))
    old, new = ({entry.path: entry for entry in side} for side in (base, head))
    changed = frozenset(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    helpers = _new_helpers(workspace, new, changed - old.keys(), changed)
    is_from_base = _base_side(base, helpers, _odd_test_files(workspace, {**old, **new}, changed, tests))
    entries = overlay(base, head, is_from_base)
    from_head = frozenset(path for path in changed if not is_from_base(path))
    both = sorted(path for path in from_head & old.keys() & new.keys() if path.endswith(".py"))
    rewritten = tuple(_rewritten(workspace, [(path, old[path], new[path]) for path in both]))
    is_base, is_head = (frozenset(entries) == frozenset(side) for side in (base, head))
    return Overlay(entries, is_base and not rewritten, is_head and not rewritten, from_head, rewritten)


class Runs:
    """Makes the runs of one comparison; `plan` says how tests are run, and is asked when there is something to run.

    They go on after a file that cannot be collected: the others have something to say too.
    """

    def __init__(self, workspace: Workspace, plan: Callable[[], RunPlan]) -> None:
        self._room = workspace.room
        self._plan = plan
        self._of_base: dict[Oid, RunReport] = {}

    def of_base(self, tree: Oid) -> RunReport:
        """Run the base's own tests, once."""
        if tree not in self._of_base:
            self._of_base[tree] = self._run(self._room, tree)
        return self._of_base[tree]

    def of_overlay(self, overlaid: Overlay) -> RunReport:
        """Run the overlay's tests; its objects are written to scratch as well."""
        with own_store(self._room) as git:
            written = {path: write_blob(git, data) for path, data in overlaid.rewritten}
            entries = (entry._replace(oid=written.get(entry.path, entry.oid)) for entry in overlaid.entries)
            return self._run(git, write_tree(git, entries))

    def _run(self, git: Git, tree: Oid) -> RunReport:
        plan = self._plan()
        return run_in_scratch(git, tree, plan._replace(args=(_GO_ON, *plan.args))).report


def not_replayable(overlaid: Overlay, tests: Iterable[str]) -> tuple[str, ...]:
    """Changed files that hold tests, of these ids, and came from the head because they hold code.

    Examples in docstrings are the base's all the same.
    """
    places = (test.partition("[")[0].partition("::") for test in tests)
    holding = {path for path, _, name in places if not (path.endswith(".py") and "." in name)}
    return tuple(sorted(holding & overlaid.from_head))


def _rewritten(workspace: Workspace, files: Iterable[tuple[str, TreeEntry, TreeEntry]]) -> Iterator[tuple[str, bytes]]:
    """Files of the head that get the base's examples, as far as that changes them."""
    for path, old, new in files:
        if {old.mode, new.mode} & {GITLINK, SYMLINK}:
            continue
        base, head = (workspace.objects.read(entry.oid, "blob") for entry in (old, new))
        found = with_examples_of(base, head)
        if found != head:
            yield path, found


def _base_side(base: tuple[TreeEntry, ...], helpers: frozenset[str], odd: frozenset[str]) -> Callable[[str], bool]:
    """A project may be a test tool itself: only a tool that the base does not hold can be shadowed."""
    own = {shadowed_runner(entry.path) for entry in base}

    def is_from_base(path: str) -> bool:
        if path in helpers:
            return False
        tool = shadowed_runner(path)
        return path in odd or is_of_the_tests(path) or bool(tool and tool not in own)

    return is_from_base


def _odd_test_files(
    workspace: Workspace, entries: dict[str, TreeEntry], changed: frozenset[str], tests: Iterable[str]
) -> frozenset[str]:
    """Changed files of any name that hold test functions and that nothing imports (`python_files = check_*.py`).

    The id of a doctest has a dotted name: it shows no test file.
    """
    places = (test.partition("[")[0].partition("::") for test in tests)
    holding = {path for path, _, name in places if name and "." not in name}
    odd = {path for path in holding & changed & entries.keys() if not is_of_the_tests(path)}
    for path in sorted(entries.keys() - odd) if odd else ():
        if path.endswith(".py") and entries[path].mode not in (GITLINK, SYMLINK):
            odd -= imported_paths(path, workspace.objects.read(entries[path].oid, "blob"))
    return frozenset(odd)


def _new_helpers(
    workspace: Workspace, head: dict[str, TreeEntry], added: frozenset[str], changed: frozenset[str]
) -> frozenset[str]:
    """New modules of the test side that changed production imports: a package's `testing` folder is code to it."""
    candidates = {path for path in added if role_of(path) == TEST and not is_test_file(path) and path in head}
    found: set[str] = set()
    waiting = [path for path in changed if path in head and role_of(path) == PRODUCTION] if candidates else []
    while waiting:
        entry = head[waiting.pop()]
        if entry.mode in (GITLINK, SYMLINK):
            continue
        reached = candidates & imported_paths(entry.path, workspace.objects.read(entry.oid, "blob")) - found
        found |= reached
        waiting.extend(reached)
    return frozenset(found)
