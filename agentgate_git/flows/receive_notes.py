"""What a push does to a notes ref: nothing may go, and what comes must be a record by one who may write it."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from agentgate_git.evidence.intake import note_sizes
from agentgate_git.evidence.notes_tree import Notes, key_of, list_notes
from agentgate_git.evidence.union import contents
from agentgate_git.flows.signers.line_signers import MAX_SIGNATURES, LineSigners
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.change import ABSENT, Change, is_file
from agentgate_git.model.failure import Undecided
from agentgate_git.model.finding import Finding
from agentgate_git.model.limits import MAX_NOTE
from agentgate_git.model.oid import Oid, empty_tree, is_empty_tree, is_zero
from agentgate_git.model.received import NewLine, RefUpdate
from agentgate_git.policy.received_notes import (
    deleted_ref,
    foreign_file,
    lost_lines,
    oversized_note,
    rewound_ref,
    unfit_lines,
)
from agentgate_git.repo.commits import is_ancestor, read_commit
from agentgate_git.repo.diff import tree_changes
from agentgate_git.wire.bundle import read_line, split_lines
from agentgate_git.wire.canonical import Malformed
from agentgate_git.wire.statement import Unreadable, read_statement


class NotesJudge:
    """Judges updates of notes refs; `most` is how many files of a notes tree one push may change."""

    def __init__(self, workspace: Workspace, signers: LineSigners, most: int) -> None:
        self._room = workspace.room
        self._objects = workspace.objects
        self._signers = signers
        self._most = most

    def findings(self, update: RefUpdate, writers: tuple[str, ...]) -> Iterator[Finding]:
        """All that stands against an update of a notes ref that `writers` may write."""
        if is_zero(update.new):
            yield deleted_ref(update.ref)
            return
        read_commit(self._objects, update.new)
        old = "" if is_zero(update.old) else update.old
        if old and not is_ancestor(self._room, old, update.new):
            yield rewound_ref(update.ref)
            return
        keys: set[Oid] = set()
        for row in self._rows(old, update.new):
            key = key_of(row.path, len(row.new_oid))
            if key and (row.new_mode == ABSENT or is_file(row.new_mode)):
                keys.add(key)
            elif row.new_mode != ABSENT:
                yield foreign_file(row.path)
        yield from self._notes(old, update.new, keys, writers)

    def _rows(self, old: Oid, new: Oid) -> Iterator[Change]:
        for number, row in enumerate(tree_changes(self._room, old or empty_tree(new), new), 1):
            if number > self._most:
                raise Undecided(
                    f"this push changes more than {self._most} notes",
                    "push fewer at once, or raise agentgate.maxNotes on the server",
                )
            yield row

    def _notes(self, old: Oid, new: Oid, keys: set[Oid], writers: tuple[str, ...]) -> Iterator[Finding]:
        """The findings note by note, so that no more than two are held at once."""
        before = list_notes(self._room, old, keys) if old and keys else {}
        after = list_notes(self._room, new, keys) if keys else {}
        (sizes,) = note_sizes(self._room, (after,))
        lost: dict[Oid, int] = {}
        for key in sorted(keys):
            if sizes.get(key, 0) > MAX_NOTE:
                yield oversized_note(key, f"would be longer than {MAX_NOTE} bytes")
                continue
            had, has = self._lines(before, key), self._lines(after, key)
            if gone := len(had - has):
                lost[key] = gone
            yield from unfit_lines((self._facts(key, text) for text in sorted(has - had) if text.strip()), writers)
        yield from lost_lines(lost)

    def _lines(self, notes: Notes, key: Oid) -> set[bytes]:
        standing = {key: notes[key]} if key in notes else {}
        return {line for _, data in contents(self._objects, standing) for line in split_lines(data)}

    def _facts(self, key: Oid, text: bytes) -> NewLine:
        line = NewLine(key, sha256(text).hexdigest())
        if is_empty_tree(key):
            return line._replace(code=code.NOTE_MALFORMED, problem="is about the empty tree, which is never evidence")
        try:
            envelope = read_line(text).envelope
        except Malformed as reason:
            return line._replace(code=code.NOTE_MALFORMED, problem=str(reason))
        statement = read_statement(envelope)
        if isinstance(statement, Unreadable):
            return line._replace(code=code.NOTE_MALFORMED, problem=statement.reason)
        if statement.subject != key:
            return line._replace(code=code.SUBJECT_MISMATCH, problem=f"is about tree {statement.subject[:12]}")
        if len(envelope.signatures) > MAX_SIGNATURES:
            return line._replace(code=code.NOTE_MALFORMED, problem=f"has more than {MAX_SIGNATURES} signatures")
        signers, has_forged = self._signers.facts(envelope)
        return line._replace(signers=signers, has_forged=has_forged)
