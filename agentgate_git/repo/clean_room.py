"""A bare repository of ours over a clone's objects: nothing of the clone's configuration is read.

Ids are resolved in the clone beforehand. Its replace refs, grafts, attributes and aliases do not exist
here; its shallow boundary is copied, so that a cut history is known to be cut. The clone's object store is one that
is only read: what git makes while it looks goes into the room and away with it. While a push is in quarantine, that
store is the quarantine, and the repository's own stands beside it as git's environment says.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from tempfile import TemporaryDirectory

from agentgate_git.model.oid import is_oid
from agentgate_git.repo.process import ALTERNATES, Git
from agentgate_git.repo.refs import common_dir, objects_dir
from agentgate_git.repo.stores import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from agentgate_git.model.oid import Oid


class CleanRoom:
    """A context manager that gives the `Git` to read with; `shallow` are the ids whose parents are cut off."""

    def __init__(self, clone: Git, inherited: Mapping[str, str]) -> None:
        self._stores = ":".join((listed(objects_dir(clone)), *_alternates(clone, inherited)))
        self._format = clone.text("rev-parse", "--show-object-format")
        self.shallow = _shallow_ids(os.path.join(common_dir(clone), "shallow"))
        self._inherited = inherited
        self._stack = ExitStack()

    def __enter__(self) -> Git:
        with ExitStack() as stack:
            room = TemporaryDirectory(prefix="agentgate-room-", ignore_cleanup_errors=True)
            git_dir = os.path.join(stack.enter_context(room), "room.git")
            self._furnish(git_dir)
            self._stack = stack.pop_all()
        return Git.in_clean_room(git_dir, self._stores, self._inherited)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _furnish(self, git_dir: str) -> None:
        _make_bare(git_dir, self._format)
        if self.shallow:
            with open(os.path.join(git_dir, "shallow"), "w", encoding="ascii") as lines:
                lines.writelines(f"{oid}\n" for oid in sorted(self.shallow))


def _make_bare(git_dir: str, object_format: str) -> None:
    """What `git init --bare --template=` makes, without starting git."""
    for name in ("objects", "refs", "info"):
        os.makedirs(os.path.join(git_dir, name))
    version, extension = (
        (1, f"[extensions]\n\tobjectFormat = {object_format}\n") if object_format != "sha1" else (0, "")
    )
    # The bytes that are judged are the bytes that run: no attribute of the tree may convert them on their way out.
    with open(os.path.join(git_dir, "info", "attributes"), "w", encoding="ascii") as attributes:
        attributes.write("* -text -ident -filter !eol !working-tree-encoding\n")
    with open(os.path.join(git_dir, "HEAD"), "w", encoding="ascii") as head:
        head.write("ref: refs/heads/none\n")
    with open(os.path.join(git_dir, "config"), "w", encoding="ascii") as config:
        config.write(f"[core]\n\trepositoryformatversion = {version}\n\tbare = true\n{extension}")


def _alternates(clone: Git, inherited: Mapping[str, str]) -> tuple[str, ...]:
    """Further object stores that git's environment names, which may be relative to where the clone is looked at."""
    named = inherited.get(ALTERNATES, "")
    if '"' in named:
        return (named,)
    return tuple(listed(os.path.join(clone.directory, path)) for path in named.split(":") if path)


def _shallow_ids(path: str) -> frozenset[Oid]:
    try:
        with open(path, encoding="ascii", errors="replace") as lines:
            return frozenset(line.strip() for line in lines if is_oid(line.strip()))
    except FileNotFoundError:
        return frozenset()
