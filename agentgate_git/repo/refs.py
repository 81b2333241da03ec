"""Names to ids: revisions a user typed, refs, and where the repository keeps things."""

from __future__ import annotations

import os

from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.oid import is_oid
from agentgate_git.repo.process import failure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.process import Git


def resolve(git: Git, rev: str, kind: str) -> Oid:
    """The one id a user's revision stands for, peeled to `commit` or `tree`; UsageFailure otherwise.

    A name that stands for several things is refused: git would take a tag, which anybody can push, for a branch.
    """
    if not rev or rev.startswith("-") or "\0" in rev or "\n" in rev:
        raise UsageFailure(f"{rev!r} is no revision", "name a commit, branch or tag")
    told = ("-c", "core.warnAmbiguousRefs=true")
    answer = git.try_run(*told, "rev-parse", "--verify", "--end-of-options", f"{rev}^{{{kind}}}")
    oid = answer.stdout.decode("ascii", "replace").strip()
    if b"is ambiguous" in answer.stderr and rev != "HEAD":
        step = "write it in full: refs/heads/..., refs/remotes/... or refs/tags/..."
        raise UsageFailure(f"{rev!r} names more than one thing here", step)
    if answer.status == 0 and is_oid(oid):
        return oid
    if rev == "HEAD" and is_unborn(git):
        raise UsageFailure("this branch has no commit yet", "make a first commit")
    raise UsageFailure(f"{rev!r} names no {kind} here", "check the spelling, or fetch it first")


def resolve_commit(git: Git, rev: str) -> Oid:
    """The commit a user's revision stands for."""
    return resolve(git, rev, "commit")


def resolve_tree(git: Git, rev: str) -> Oid:
    """The tree a user's revision stands for."""
    return resolve(git, rev, "tree")


def is_unborn(git: Git) -> bool:
    """True when HEAD names a branch that has no commit."""
    return git.try_run("rev-parse", "--verify", "--quiet", "HEAD").status != 0


def read_ref(git: Git, ref: str) -> Oid | None:
    """The id a full ref name holds, None when there is no such ref."""
    answer = git.try_run("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
    oid = answer.stdout.decode("ascii", "replace").strip()
    return oid if answer.status == 0 and is_oid(oid) else None


def symbolic_target(git: Git, ref: str) -> str | None:
    """The ref a symbolic ref points to, None for an ordinary or missing ref."""
    answer = git.try_run("symbolic-ref", "--quiet", ref)
    return os.fsdecode(answer.stdout).strip() if answer.status == 0 else None


def update_ref(git: Git, ref: str, new: Oid, old: Oid, reason: str) -> bool:
    """Move a ref from `old` to `new`, both full ids; False when the ref no longer holds `old`."""
    argv = ("-c", "core.hooksPath=/dev/null", "update-ref", "--no-deref", "-m", reason, ref, new, old)
    answer = git.try_run(*argv)
    if answer.status == 0:
        return True
    if read_ref(git, ref) != (None if not old.strip("0") else old) or b"lock" in answer.stderr:
        return False
    raise failure_of(argv, answer.status, answer.stderr)


def git_dir(git: Git) -> str:
    """The absolute path of this work tree's git directory."""
    return _path(git, "--absolute-git-dir")


def common_dir(git: Git) -> str:
    """The absolute path of the directory that all linked work trees share."""
    return os.path.normpath(os.path.join(git.directory, _path(git, "--git-common-dir")))


def objects_dir(git: Git) -> str:
    """The absolute path of the object store."""
    return os.path.normpath(os.path.join(git.directory, _path(git, "--git-path", "objects")))


def work_tree(git: Git) -> str:
    """The absolute path of the work tree, empty where there is none to stand in."""
    answer = git.try_run("rev-parse", "--show-toplevel")
    return os.fsdecode(answer.stdout).removesuffix("\n") if answer.status == 0 else ""


def top_level(git: Git, step: str = "name a revision, or go to a work tree") -> str:
    """The absolute path of the work tree; UsageFailure in a bare repository, which ends with `step`."""
    if top := work_tree(git):
        return top
    _path(git, "--git-dir")
    raise UsageFailure("this repository has no work tree", step)


def _path(git: Git, *flags: str) -> str:
    answer = git.try_run("rev-parse", *flags)
    if answer.status == 0:
        return os.fsdecode(answer.stdout).removesuffix("\n")
    if b"dubious ownership" in answer.stderr:
        raise Undecided(f"git does not trust {git.directory}", "run `git config --global --add safe.directory <path>`")
    if b"not a git repository" not in answer.stderr and os.path.isdir(git.directory):
        raise failure_of(("rev-parse",), answer.status, answer.stderr)
    raise UsageFailure(f"{git.directory} is not in a git repository", "run it inside one, or give -C <path>")
