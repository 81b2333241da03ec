"""Does the change from one tree to another apply to the second one once more?"""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

from agentgate_git.model.oid import Oid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.repo.process import Git

_PATCH = ("-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all")


def applies_again(git: Git, old: Oid, new: Oid) -> bool:
    """Try the patch on the tree that it makes, in an index of our own; a hunk in repeated lines can apply twice."""
    patch = git.run("diff-tree", "-r", *_PATCH, old, new)
    if not patch:
        return False
    with TemporaryDirectory(prefix="agentgate-apply-") as folder:
        extra = {"GIT_INDEX_FILE": os.path.join(folder, "index")}
        git.run("read-tree", new, extra=extra)
        check = git.try_run("apply", "--cached", "--check", "--whitespace=nowarn", "-", stdin=patch, extra=extra)
    return check.status == 0
