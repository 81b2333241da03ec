"""What `doctor` says of the evidence that is stored: kept refs that are broken, and notes that are too large."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.evidence.intake import oversized
from agentgate_git.evidence.kept_ref import broken_kept_refs, is_notes_commit
from agentgate_git.model.evidence import KINDS, REF_PREFIX, REMOTE_PREFIX
from agentgate_git.model.oid import Oid
from agentgate_git.model.setup import WARNING, SetupRow
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git

_NAMED = 5


def evidence_rows(git: Git) -> Iterator[SetupRow]:
    """Only what is wrong has a row."""
    for ref in broken_kept_refs(git):
        yield SetupRow(
            WARNING,
            f"{ref} is broken and counts as absent: lines that only it had are not read",
            "see `git fsck`; the next record that is stored replaces it",
        )
    with Objects(git) as objects:
        for ref, commit in _notes_commits(git):
            yield from _large_rows(git, objects, ref, commit)


def _notes_commits(git: Git) -> Iterator[tuple[str, Oid]]:
    """Our notes refs and those we have of remotes, each with its commit; none that cannot be read."""
    answer = git.try_run("for-each-ref", "--format=%(objectname) %(refname)", REF_PREFIX, REMOTE_PREFIX)
    for row in answer.stdout.decode("utf-8", "replace").splitlines():
        commit, _, ref = row.partition(" ")
        if ref.rpartition("/")[2] in KINDS and is_notes_commit(git, commit):
            yield ref, commit


def _large_rows(git: Git, objects: Objects, ref: str, commit: Oid) -> Iterator[SetupRow]:
    found = sorted(oversized(git, objects, commit))
    for key, reason in found[:_NAMED]:
        yield SetupRow(
            WARNING,
            f"the note of {key} in {ref} {reason}: that is not read, and sync leaves it out",
            f"see `git log --stat {ref}` for who wrote it",
        )
    if len(found) > _NAMED:
        yield SetupRow(WARNING, f"{len(found) - _NAMED} more notes in {ref} are too large", "see the rows above")
