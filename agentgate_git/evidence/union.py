"""The union of notes: what one notes commit has and another lacks, and the files that bring it in.

Lines are only ever added. What merges by git (`cat_sort_uniq`) and merges by us give is the same set of lines.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator

from agentgate_git.evidence.notes_tree import NoteFile, Notes, key_of, list_notes, note_path
from agentgate_git.evidence.notes_writer import FileChange
from agentgate_git.model.change import Change
from agentgate_git.model.failure import Undecided
from agentgate_git.model.limits import MAX_NOTE
from agentgate_git.model.oid import Oid, is_zero
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.wire.bundle import join_lines, split_lines

Lines = dict[Oid, set[bytes]]


def contents(objects: Objects, notes: Notes) -> Iterator[tuple[Oid, bytes]]:
    """The bytes kept for each object; the lines of one that stands at several paths are united."""
    files = objects.read_many(file.blob for group in notes.values() for file in group)
    for key, group in notes.items():
        data = next(files).data
        if len(group) > 1:
            others = [found.data for found in itertools.islice(files, len(group) - 1)]
            data = join_lines(itertools.chain.from_iterable(map(split_lines, (data, *others))))
        yield key, data


def lacking(git: Git, objects: Objects, have: Oid, other: Oid, keys: Collection[Oid] | None = None) -> Lines:
    """The lines by object that the notes commit `other` has and `have` lacks; only what differs is read."""
    differing = differing_files(git, other, have, keys)
    theirs = {key: set(split_lines(data)) for key, data in contents(objects, differing)}
    return without(theirs, _current(git, objects, have, theirs)[1])


def differing_files(git: Git, other: Oid, have: Oid, keys: Collection[Oid] | None = None) -> Notes:
    """The notes of `other` that do not stand in `have` as they are."""
    differing: Notes = {}
    for row in tree_changes(git, other, have):
        key = key_of(row.path, len(other))
        if key and (keys is None or key in keys) and row.old_mode.startswith("100"):
            differing[key] = (*differing.get(key, ()), NoteFile(row.path, row.old_oid))
    return differing


def united_files(
    git: Git, objects: Objects, tip: Oid | None, wanted: Lines, limited: Lines
) -> tuple[list[FileChange], Lines]:
    """The changes to the tree of `tip` that add the wanted lines, and those of them that are new.

    Objects whose lines are all there are left as they stand; the others are written to `xx/rest`, and any other
    path of theirs goes. Undecided when the note of one of the `limited` objects would be too long.
    """
    files, present = _current(git, objects, tip, wanted) if tip else ({}, {})
    new = without(wanted, present)
    changes: list[FileChange] = []
    for key, lines in new.items():
        data = join_lines(lines | present.get(key, set()))
        if len(data) > MAX_NOTE and key in limited:
            raise Undecided(f"the note of {key} would be longer than {MAX_NOTE} bytes", "run `git agentgate doctor`")
        path = note_path(key)
        changes.append(FileChange(path, data))
        changes.extend(FileChange(file.path) for file in files.get(key, ()) if file.path != path)
    return changes, new


def join(first: Lines, second: Lines) -> Lines:
    """The lines of both, by object."""
    return {key: first.get(key, set()) | second.get(key, set()) for key in (first | second)}


def foreign_files(git: Git, tip: Oid, other: Oid) -> list[FileChange]:
    """Files in a notes tree that are no notes: those of `other` whose place is free in `tip`."""
    rows = tuple(tree_changes(git, other, tip))
    taken = {place for row in rows if not is_zero(row.new_oid) for place in _places(row.path)}
    return [
        FileChange(row.path, None, row.old_mode, row.old_oid)
        for row in rows
        if _is_foreign(row, len(tip)) and taken.isdisjoint(_places(row.path))
    ]


def _is_foreign(row: Change, hash_length: int) -> bool:
    """No note, and not where a directory of notes may have to stand."""
    first = row.path.split("/", 1)[0]
    return is_zero(row.new_oid) and not key_of(row.path, hash_length) and len(first) not in (2, hash_length)


def _places(path: str) -> Iterator[str]:
    """The path and every directory above it."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _current(git: Git, objects: Objects, commit: Oid, keys: Lines) -> tuple[Notes, dict[Oid, set[bytes]]]:
    if not keys:
        return {}, {}
    files = list_notes(git, commit, keys)
    return files, {key: set(split_lines(data)) for key, data in contents(objects, files)}


def without(wanted: Lines, present: Lines) -> Lines:
    """The wanted lines that are not present, by object."""
    new = {key: lines - present.get(key, set()) for key, lines in wanted.items()}
    return {key: lines for key, lines in new.items() if lines}
