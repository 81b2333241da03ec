"""What is taken in of a notes commit that others wrote: all that fits.

One note or line that is too large must not keep the others out, or whoever may push could stop everybody's exchange.
Sizes are asked for before anything is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.evidence.notes_tree import Notes, list_notes, note_path
from agentgate_git.evidence.notes_writer import FileChange
from agentgate_git.evidence.union import Lines, contents, differing_files, without
from agentgate_git.model.limits import MAX_LINE, MAX_NOTE
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.wire.bundle import join_lines, split_lines


class Intake(Record):
    """The lines to take in, by object, and the objects of which something is left out."""

    lines: Lines
    left_out: tuple[Oid, ...] = ()


def taken_in(git: Git, objects: Objects, have: Oid | None, theirs: Oid, ours: Lines) -> Intake:
    """What `theirs` has and `have` lacks, without what does not fit beside that and the lines of `ours`.

    A line may have MAX_LINE bytes and a note MAX_NOTE. Of a note that would become longer, no line is taken.
    """
    offered = differing_files(git, theirs, have) if have else list_notes(git, theirs)
    standing = list_notes(git, have, offered) if have and offered else {}
    sizes = note_sizes(git, (offered, standing))
    left_out = {key for key in offered if sizes[0][key] > MAX_NOTE or sizes[1].get(key, 0) > MAX_NOTE}
    fitting = {key: group for key, group in offered.items() if key not in left_out}
    present = {
        key: set(split_lines(data))
        for key, data in contents(objects, {key: group for key, group in standing.items() if key in fitting})
    }
    lines: Lines = {}
    for key, data in contents(objects, fitting):
        new = set(split_lines(data)) - present.get(key, set())
        short = {line for line in new if len(line) <= MAX_LINE}
        if len(join_lines(short | present.get(key, set()) | ours.get(key, set()))) > MAX_NOTE:
            short = set()
        if short != new:
            left_out.add(key)
        lines[key] = short
    return Intake(without(lines, {}), tuple(sorted(left_out)))


def trimmed_files(git: Git, commit: Oid, intake: Intake) -> list[FileChange]:
    """The changes to a notes tree that take away what was left out of it."""
    changes: list[FileChange] = []
    for key, group in list_notes(git, commit, intake.left_out).items():
        rest = intake.lines.get(key)
        kept_path = note_path(key) if rest else ""
        changes.extend(FileChange(file.path) for file in group if file.path != kept_path)
        if rest:
            changes.append(FileChange(kept_path, join_lines(rest)))
    return changes


def oversized(git: Git, objects: Objects, commit: Oid) -> Iterator[tuple[Oid, str]]:
    """The objects of a notes tree that others would not take in whole, each with the reason."""
    notes = list_notes(git, commit)
    (sizes,) = note_sizes(git, (notes,))
    suspects = {key: group for key, group in notes.items() if MAX_LINE < sizes[key] <= MAX_NOTE}
    for key in notes:
        if sizes[key] > MAX_NOTE:
            yield key, f"is longer than {MAX_NOTE} bytes"
    for key, data in contents(objects, suspects):
        if any(len(line) > MAX_LINE for line in split_lines(data)):
            yield key, f"has a line longer than {MAX_LINE} bytes"


def note_sizes(git: Git, trees: tuple[Notes, ...]) -> tuple[dict[Oid, int], ...]:
    """The bytes of each note in each tree, without reading any; those that stand at several places are added up."""
    blobs = {file.blob for notes in trees for group in notes.values() for file in group}
    if not blobs:
        return tuple({} for _ in trees)
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    rows = git.text("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked).splitlines()
    size_of = {oid: int(size) for oid, _, size in (row.partition(" ") for row in rows) if size.isdigit()}
    return tuple(
        {key: sum(size_of.get(file.blob, 0) for file in group) for key, group in notes.items()} for notes in trees
    )
