"""What a flow works with: the repository as handed to us, and the place to read from."""

from __future__ import annotations

from contextlib import ExitStack
from tempfile import TemporaryDirectory

from agentgate_git.evidence.ledger import GitLedger
from agentgate_git.evidence.reader import NotesReader
from agentgate_git.flows.proposal import Proposals
from agentgate_git.model.paths import POLICY_PATH
from agentgate_git.model.policy import Policy
from agentgate_git.repo.clean_room import CleanRoom
from agentgate_git.repo.history import TreeDiff
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import git_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from agentgate_git.model.evidence import Line
    from agentgate_git.model.oid import Oid


def open_clone(directory: str, environ: Mapping[str, str]) -> Git:
    """The repository that a directory is in; UsageFailure when it is in none."""
    git = Git.in_repository(directory, environ)
    git_dir(git)
    return git


class Workspace:
    """A context manager over one repository.

    `clone` is the repository as the user or git handed it over; `room` is what is read for a judgement: the
    clone itself in a hook, a clean room for whatever is verified. `shallow` are ids whose parents are cut off there.
    """

    def __init__(self, directory: str, environ: Mapping[str, str], *, is_clean: bool) -> None:
        self.environ = environ
        self.clone = open_clone(directory, environ)
        self._is_clean = is_clean
        self._stack = ExitStack()

    def __enter__(self) -> Workspace:
        self.shallow: frozenset[Oid] = frozenset()
        self.room = self.clone
        if self._is_clean:
            clean_room = CleanRoom(self.clone, self.environ)
            self.shallow = clean_room.shallow
            self.room = self._stack.enter_context(clean_room)
        self.objects = self._stack.enter_context(Objects(self.room))
        self.diff = self._stack.enter_context(TreeDiff(self.room))
        self.proposals = Proposals(self.clone, self.room, self.objects, self.shallow)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def policy_of(self, commit: Oid) -> Policy:
        """The policy a commit holds; the built-in one where it holds none, or where there is no commit."""
        found = self.objects.find(f"{commit}:{POLICY_PATH}") if commit else None
        if found is None:
            return Policy()
        from agentgate_git.wire.policy import read_policy  # noqa: PLC0415 - PyYAML is loaded where there is a policy

        return read_policy(found.data)

    def scratch(self) -> str:
        """A directory of our own, which goes when the workspace is closed."""
        return self._stack.enter_context(TemporaryDirectory(prefix="agentgate-scratch-"))

    def ledger(self) -> GitLedger:
        """Evidence to be added to, in the clone."""
        return GitLedger(self.clone, self._stack.enter_context(Objects(self.clone)))

    def lines_of(self, kind: str, tree: Oid) -> tuple[Line, ...]:
        """The lines of evidence that are kept about a tree, to be judged by."""
        note = self.evidence().read(kind, (tree,)).get(tree)
        return note.lines if note else ()

    def evidence(self) -> NotesReader:
        """Evidence to be judged by: the clone's notes refs, resolved there and read in the room."""
        return NotesReader(self.room, self.objects, GitLedger(self.clone, self.objects).commits_of)
