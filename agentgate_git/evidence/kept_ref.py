"""The kept ref when it is broken: what a crash or a careless hand leaves in its place.

What it held cannot be known, so it counts as absent. git puts a new value over an id that names no object. It
refuses to write or delete a ref whose file is empty, so such a file is removed by git's own protocol.
"""

from __future__ import annotations

import os

from agentgate_git.model.evidence import KEPT_PREFIX, KINDS
from agentgate_git.model.oid import Oid, is_oid, is_zero
from agentgate_git.repo.process import Git, failure_of
from agentgate_git.repo.refs import symbolic_target

_LONGEST = 1 << 12


def is_notes_commit(git: Git, oid: Oid) -> bool:
    """True when an id names a commit whose tree is here."""
    answer = git.try_run("cat-file", "--batch-check=%(objecttype)", stdin=f"{oid}\n{oid}^{{tree}}\n".encode())
    return answer.status == 0 and answer.stdout.split() == [b"commit", b"tree"]


def broken_kept_refs(git: Git) -> tuple[str, ...]:
    """The kept refs that count as absent: no id in them, one that names no notes commit, or the name of a ref."""
    answer = git.try_run("for-each-ref", "--format=%(refname) %(objectname)", KEPT_PREFIX)
    if answer.status != 0:
        raise failure_of(("for-each-ref",), answer.status, answer.stderr)
    rows = answer.stdout.decode("utf-8", "replace").splitlines()
    held = dict(row.split(" ", 1) for row in rows)
    return tuple(
        ref
        for ref in (KEPT_PREFIX + kind for kind in KINDS)
        if f"{ref}\n".encode() in answer.stderr
        or (ref in held and not is_notes_commit(git, held[ref]))
        or symbolic_target(git, ref) is not None
    )


def remove_garbage(path: str) -> bool:
    """Remove the file of a ref that holds neither an id nor a name, under git's lock for it; False if that was not so.

    Whoever else writes the ref takes the same lock, so a value written meanwhile is seen here and stays.
    """
    lock = f"{path}.lock"
    try:
        descriptor = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError:
        return False
    try:
        os.close(descriptor)
        if os.path.islink(path) or not _is_garbage(path):
            return False
        os.unlink(path)
    except OSError:
        return False
    else:
        return True
    finally:
        os.unlink(lock)


def _is_garbage(path: str) -> bool:
    with open(path, "rb") as file:
        data = file.read(_LONGEST)
    words = data.decode("ascii", "replace").split()
    return not data.startswith(b"ref:") and not (words and is_oid(words[0]) and not is_zero(words[0]))
