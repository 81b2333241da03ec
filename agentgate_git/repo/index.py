"""The index a hook judges, frozen once into a tree."""

from __future__ import annotations

import os

from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import is_oid
from agentgate_git.repo.process import failure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.process import Answer, Git


def freeze(git: Git) -> Oid:
    """Write the index that is being committed as a tree.

    `git commit -a` and `git commit -o` name a temporary index in GIT_INDEX_FILE, which the door keeps. Where another
    git holds the lock of the index, as several hooks at once do to one another, a copy is as good: git replaces an
    index only as a whole.
    """
    answer = git.try_run("write-tree")
    if answer.status != 0 and b".lock'" in answer.stderr:
        answer = _from_copy(git)
    if answer.status != 0:
        if b"unmerged" in answer.stderr or b"not uptodate" in answer.stderr:
            raise Undecided("the index has unmerged paths", "resolve the conflicts and `git add` the files")
        raise failure_of(("write-tree",), answer.status, answer.stderr)
    return answer.stdout.decode("ascii").strip()


def _from_copy(git: Git) -> Answer:
    index = os.path.join(git.directory, git.text("rev-parse", "--git-path", "index"))
    copy = f"{index}.agentgate-{os.getpid()}-{os.urandom(4).hex()}"
    with open(index, "rb") as source:
        data = source.read()
    try:
        with open(copy, "xb") as target:
            target.write(data)
        return git.try_run("write-tree", extra={"GIT_INDEX_FILE": os.path.abspath(copy)})
    finally:
        if os.path.lexists(copy):  # a full disk, say, keeps it from being whole
            os.unlink(copy)


def merge_heads(git_dir: str, environ: Mapping[str, str]) -> tuple[Oid, ...]:
    """The other parents of a merge that is about to be committed.

    MERGE_HEAD is a plain file in every ref format; git writes it only after pre-merge-commit has run, and until
    then names them to its hooks in GITHEAD_ variables.
    """
    try:
        with open(os.path.join(git_dir, "MERGE_HEAD"), encoding="ascii") as lines:
            return tuple(line.strip() for line in lines if line.strip())
    except FileNotFoundError:
        named = (name.removeprefix("GITHEAD_") for name in environ if name.startswith("GITHEAD_"))
        return tuple(filter(is_oid, named))
