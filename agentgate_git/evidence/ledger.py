"""The ledger in git notes: append-only, and right beside every other writer.

Each write is one commit and one compare-and-swap of the ref, under an advisory lock. `git notes add` and a forced
fetch do not compare: they can put back a state from before our write. So every swap also moves a ref that only we
write, `refs/agentgate/kept/<kind>`, to the last state that had every line of ours. Where the two differ, readers read
both, and the next writer unites them (docs/adr/0008-kept-ref.md).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager

from agentgate_git.evidence.entries import check_kind, wanted_lines
from agentgate_git.evidence.intake import Intake, taken_in, trimmed_files
from agentgate_git.evidence.kept_ref import is_notes_commit, remove_garbage
from agentgate_git.evidence.lock import pause, writer_lock
from agentgate_git.evidence.notes_writer import QUIET, FileChange, write_commit
from agentgate_git.evidence.reader import NotesReader
from agentgate_git.evidence.union import Lines, foreign_files, join, lacking, united_files, without
from agentgate_git.model.evidence import KEPT_PREFIX, AppendReport, Entry, MergeReport, ref_of
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.model.record import Record
from agentgate_git.repo.commits import is_ancestor
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git, failure_of
from agentgate_git.repo.refs import symbolic_target

ATTEMPTS = 20
_PATIENCE = 3
_LONGEST_PAUSE = 0.4


class _State(Record):
    """What the refs of one kind hold: the notes commit, and the last state that had every line of ours.

    `kept` is None when its ref is broken; `kept_id` is what git reads there all the same, empty when it reads nothing,
    as where there is, or just was, garbage.
    """

    tip: Oid | None
    kept: Oid | None
    kept_id: Oid = ""
    is_kept_garbage: bool = False


class _Draft(Record):
    """A notes commit to be made, or one that is there already and has everything; `is_held` when the refs name it."""

    parents: tuple[Oid, ...]
    changes: tuple[FileChange, ...]
    gained: int
    existing: Oid = ""
    is_held: bool = False
    left_out: int = 0


class _Outcome(Record):
    """What a write came to: how many lines were new, the notes commit, and why it does not hold everything."""

    gained: int
    commit: Oid
    reason: str = ""
    left_out: int = 0


class GitLedger(NotesReader):
    """Evidence in the notes refs of one repository; `objects` reads from the same repository."""

    def __init__(self, git: Git, objects: Objects) -> None:
        super().__init__(git, objects, self.commits_of)
        self._hash_length = 0
        self._common = ""

    def commits_of(self, kind: str) -> tuple[Oid, ...]:
        """What to read: the notes commit, and the kept one where another writer left it behind; none without a ref."""
        state = self._state(kind)
        return tuple(dict.fromkeys(commit for commit in (state.tip, state.kept) if commit))

    def append(self, kind: str, entries: Iterable[Entry]) -> AppendReport:
        """Store lines, all in one commit; lines that are there already are not written again."""
        self._prepare()
        wanted = wanted_lines(kind, entries, self._hash_length)
        total = _count(wanted)
        written, commit, reason, _ = self._write(kind, wanted, patience=_PATIENCE)
        if reason:
            kept, commit = self._keep(kind, wanted)
            written = max(written, kept)
        return AppendReport(written, total - written, commit)

    def merge(self, kind: str, theirs: Oid) -> MergeReport:
        """Bring in the lines of another notes commit; afterwards it is an ancestor of ours, so pushing is no force."""
        done = self._publish(kind, theirs)
        return MergeReport(done.gained, done.commit, done.left_out)

    def settle(self, kind: str) -> Oid | None:
        """The notes commit that holds every line of ours, made where another writer left some behind."""
        return self._publish(kind, "").commit or None

    def _publish(self, kind: str, theirs: Oid) -> _Outcome:
        self._prepare()
        done = self._write(kind, {}, theirs)
        if done.reason:
            raise _immovable(kind, done.reason)
        return done

    def _prepare(self) -> None:
        if not self._hash_length:
            object_format, _, common = self._git.text(
                "rev-parse", "--show-object-format", "--git-common-dir"
            ).partition("\n")
            self._hash_length = 64 if object_format == "sha256" else 40
            self._common = os.path.join(self._git.directory, common)

    def _write(self, kind: str, wanted: Lines, theirs: Oid = "", patience: int = ATTEMPTS) -> _Outcome:
        """Unite until the ref holds everything.

        A ref that other writers moved `patience` times meanwhile is given up early; one that nobody moves is stuck.
        """
        gained, reason, tips = 0, "", set[Oid | None]()
        with self._lock(kind):
            for attempt in range(ATTEMPTS):
                if attempt:
                    pause(min(_LONGEST_PAUSE, 0.004 * 2**attempt))
                state = self._repaired_state(kind)
                tips.add(state.tip)
                draft = self._draft(state, wanted, theirs)
                if draft.is_held:
                    return _Outcome(gained, draft.existing, "", draft.left_out)
                commit = draft.existing or self._commit(kind, draft)
                reason = self._swap(kind, commit, state.tip)
                if not reason:
                    gained = max(gained, draft.gained)
                    if self._still_holds(kind, commit):
                        return _Outcome(gained, commit, "", draft.left_out)
                    reason = "another writer put back an older state"
                if len(tips) > patience:
                    break
        if len(tips) == 1:
            raise _immovable(kind, reason)
        return _Outcome(gained, "", reason)

    def _lock(self, kind: str) -> AbstractContextManager[bool]:
        return writer_lock(os.path.join(self._common, "agentgate"), kind)

    def _keep(self, kind: str, wanted: Lines) -> tuple[int, Oid]:
        """Store beside the notes ref, which other writers move faster than we can; the next write unites them."""
        with self._lock(kind):
            state = self._repaired_state(kind)
            base = state.kept or state.tip
            changes, new = united_files(self._git, self._objects, base, wanted, wanted)
            gained = _count(new)
            if not changes:
                return gained, base or ""
            commit = self._commit(kind, _Draft((base,) if base else (), tuple(changes), gained))
            reason = self._update(f"update {KEPT_PREFIX}{kind} {commit} {state.kept_id or self._zero()}\n")
        if reason:
            raise _immovable(kind, reason)
        return gained, commit

    def _draft(self, state: _State, wanted: Lines, theirs: Oid) -> _Draft:
        """The commit that the refs are to hold; they may do so already."""
        tip = state.tip or state.kept  # a pruning fetch may have taken the ref away
        if tip is None:
            return self._first_draft(wanted, theirs)
        left_behind = self._lacking(tip, state.kept)
        intake = taken_in(self._git, self._objects, tip, theirs, left_behind) if theirs not in ("", tip) else Intake({})
        left_out = len(intake.left_out)
        sought = join(wanted, intake.lines)
        changes, new = united_files(self._git, self._objects, tip, join(sought, left_behind), wanted)
        gained = _count(without(new, left_behind))
        parents = [tip]
        for other in dict.fromkeys((state.kept, theirs)):
            if other and other != tip and not is_ancestor(self._git, other, tip):
                parents.append(other)
                changes += foreign_files(self._git, tip, other)
        if not changes and len(parents) == 1:
            is_kept_broken = state.is_kept_garbage or (state.kept_id and not state.kept)
            is_held = bool(state.tip) and not is_kept_broken
            return _Draft((), (), 0, tip, is_held, left_out)
        if theirs and not left_out and self._is_forward(tip, theirs, parents):
            return _Draft((), (), gained, theirs)
        return _Draft(tuple(parents), tuple(changes), gained, left_out=left_out)

    def _lacking(self, tip: Oid, other: Oid | None) -> Lines:
        return lacking(self._git, self._objects, tip, other) if other and other != tip else {}

    def _first_draft(self, wanted: Lines, theirs: Oid) -> _Draft:
        if theirs:
            intake = taken_in(self._git, self._objects, None, theirs, {})
            if not intake.left_out:
                return _Draft((), (), _count(intake.lines), theirs)
            changes = trimmed_files(self._git, theirs, intake)
            return _Draft((theirs,), tuple(changes), _count(intake.lines), left_out=len(intake.left_out))
        changes, new = united_files(self._git, self._objects, None, wanted, wanted)
        return _Draft((), tuple(changes), _count(new), is_held=not changes)

    def _is_forward(self, tip: Oid, theirs: Oid, parents: list[Oid]) -> bool:
        """True when theirs follows ours and dropped nothing on the way, so that it can be taken as it is."""
        return (
            parents == [tip, theirs]
            and is_ancestor(self._git, tip, theirs)
            and not lacking(self._git, self._objects, theirs, tip)
        )

    def _commit(self, kind: str, draft: _Draft) -> Oid:
        message = f"{kind}: {draft.gained} new" if len(draft.parents) < 2 else f"{kind}: union"
        return write_commit(self._git, draft.parents, list(draft.changes), message, self._hash_length)

    def _swap(self, kind: str, new: Oid, old: Oid | None) -> str:
        """Move the ref from what it held, and the kept ref with it; why not, else empty."""
        return self._update(f"update {ref_of(kind)} {new} {old or self._zero()}\nupdate {KEPT_PREFIX}{kind} {new}\n")

    def _update(self, updates: str) -> str:
        command = (*QUIET, "update-ref", "--no-deref", "-m", "agentgate: union", "--stdin")
        answer = self._git.try_run(*command, stdin=updates.encode())
        if answer.status == 0:
            return ""
        return answer.stderr.decode("utf-8", "replace").strip() or f"git update-ref ended with status {answer.status}"

    def _zero(self) -> Oid:
        return "0" * self._hash_length

    def _still_holds(self, kind: str, commit: Oid) -> bool:
        """True when the ref, read back, has every line of the commit."""
        tip = self._state(kind).tip
        return tip == commit or (tip is not None and not lacking(self._git, self._objects, tip, commit))

    def _repaired_state(self, kind: str) -> _State:
        state = self._state(kind)
        if state.is_kept_garbage and remove_garbage(os.path.join(self._common, KEPT_PREFIX + kind)):
            return self._state(kind)._replace(is_kept_garbage=True)  # a packed value may have come to light
        return state

    def _state(self, kind: str) -> _State:
        check_kind(kind)
        ref, kept = ref_of(kind), KEPT_PREFIX + kind
        answer = self._git.try_run("for-each-ref", "--format=%(refname) %(objectname) %(symref)", ref, kept)
        if answer.status != 0:
            raise failure_of(("for-each-ref",), answer.status, answer.stderr)
        held: dict[str, Oid] = {}
        is_kept_direct = True
        for row in answer.stdout.decode("utf-8", "replace").splitlines():
            name, oid, target = row.split(" ", 2)
            if target and name == ref:
                raise _unusable(ref, f"is a symbolic ref to {target}")
            if target and name == kept:
                is_kept_direct = False
            held[name] = oid if is_oid(oid) else ""
        if ref not in held and ref.encode() in answer.stderr:
            raise _unusable(ref, "is a broken ref")
        if ref not in held and (target := symbolic_target(self._git, ref) or ""):  # to a branch without a commit
            raise _unusable(ref, f"is a symbolic ref to {target}")
        tip, kept_id = held.get(ref), held.get(kept, "")
        is_usable = is_kept_direct and kept_id and (kept_id == tip or is_notes_commit(self._git, kept_id))
        is_garbage = kept not in held and kept.encode() in answer.stderr
        return _State(tip, kept_id if is_usable else None, kept_id, is_garbage)


def _count(lines: Lines) -> int:
    return sum(map(len, lines.values()))


def _immovable(kind: str, reason: str) -> Undecided:
    return Undecided(
        f"{ref_of(kind)} could not be moved in {ATTEMPTS} attempts ({reason})",
        "see what else writes to it, then run it again",
    )


def _unusable(ref: str, what: str) -> Undecided:
    """A write through a symbolic ref would move the branch behind it."""
    return Undecided(f"{ref} {what}", f"run `git symbolic-ref --delete {ref}`, or repair it, then sync")
