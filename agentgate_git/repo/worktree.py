"""What really lies in a work tree, compared with a tree by content and never by the index's stat data."""

from __future__ import annotations

import hashlib
import os
import stat
import time

from agentgate_git.model.change import GITLINK, SYMLINK, TreeEntry
from agentgate_git.model.oid import Oid, hash_name
from agentgate_git.model.record import Record
from agentgate_git.repo.materialise import list_tree
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import git_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Stamp = tuple[int, ...]

# A file changed this shortly before it was looked at may change again without a new time stamp.
_RACY_NS = 100_000_000
_READ_AT_ONCE = 1 << 20
_LARGE = 64 << 20
_OF_ONE_REPOSITORY = frozenset(
    (
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
    )
)


class Photograph(Record):
    """The tracked files at one moment: which of them differ from the tree, and how to see that one moved.

    `stamps` pairs each path's entry with mode, size, inode, mtime and ctime; `taken_ns` is when it began.
    """

    dirty: tuple[str, ...]
    stamps: tuple[tuple[TreeEntry, Stamp], ...]
    taken_ns: int


class Untracked(Record):
    """Files that are neither tracked nor ignored: how many, their names, and a sha256 over names and bytes."""

    paths: tuple[str, ...]
    sha256: str


def dirty_paths(git: Git, tree: Oid, directory: str) -> tuple[str, ...]:
    """Paths of `tree` whose content, kind or exec bit differs in `directory`, the work tree's top."""
    return photograph(git, list_tree(git, tree), directory).dirty


def staged_paths(git: Git, tree: Oid) -> tuple[str, ...]:
    """Paths at which the index differs from `tree`."""
    rows = git.run("diff-index", "--cached", "-z", "--name-only", "--no-renames", "--ignore-submodules=none", tree)
    return tuple(os.fsdecode(path) for path in rows.split(b"\0") if path)


def photograph(git: Git, entries: tuple[TreeEntry, ...], directory: str) -> Photograph:
    """Hash every tracked file."""
    taken_ns = time.time_ns()
    stamps = tuple((entry, _stamp(os.path.join(directory, entry.path))) for entry in entries)
    return Photograph(_differing(git, entries, directory), stamps, taken_ns)


def moved_since(git: Git, earlier: Photograph, directory: str) -> tuple[str, ...]:
    """Paths that a clean photograph showed and that differ from their tree by now."""
    newest = earlier.taken_ns - _RACY_NS
    suspects = tuple(
        entry
        for entry, stamp in earlier.stamps
        if entry.mode == GITLINK or _stamp(os.path.join(directory, entry.path)) != stamp or max(stamp[-2:]) >= newest
    )
    return _differing(git, suspects, directory)


def present_paths(git: Git, directory: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Paths that are tracked, or untracked and not ignored; and those that a sparse checkout leaves out."""
    rows = git.run("-C", directory, "ls-files", "-t", "--cached", "--others", "--exclude-standard", "-z")
    tagged = [(row[:1], os.fsdecode(row[2:])) for row in rows.split(b"\0") if row]
    left_out = frozenset(path for tag, path in tagged if tag == b"S")
    return tuple(dict.fromkeys(path for _, path in tagged)), left_out


def untracked(git: Git, directory: str) -> Untracked:
    """Look for files that could take part in a run without standing in the tree."""
    rows = git.run("-C", directory, "ls-files", "--others", "--exclude-standard", "-z")
    names = sorted(row for row in rows.split(b"\0") if row)
    if not names:
        return Untracked((), "")
    digest = hashlib.sha256()
    for name in names:
        content = _content_digest(os.path.join(os.fsencode(directory), name))
        digest.update(b"%d:%s%s\n" % (len(name), name, content))
    return Untracked(tuple(os.fsdecode(name) for name in names), digest.hexdigest())


def _content_digest(path: bytes) -> bytes:
    """sha256 of a small file, the size of a large one, nothing for what is no file."""
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGE:
            return b"%d" % status.st_size
        return hashlib.sha256(_read(path)).hexdigest().encode("ascii")
    except OSError:
        return b""


def _differing(git: Git, entries: Iterable[TreeEntry], directory: str) -> tuple[str, ...]:
    linked = _LinkedDirectories(directory)
    suspects: list[TreeEntry] = []
    wrong_mode: list[str] = []
    dirty: list[str] = []
    for entry in entries:
        path = os.path.join(directory, entry.path)
        if entry.mode == GITLINK:
            dirty.extend(_differing_submodule(git, entry, path))
        elif linked.has_in(entry.path) or not _has_kind(path, entry.mode):
            dirty.append(entry.path)
        elif not _has_bytes(path, entry):
            suspects.append(entry)
        elif entry.mode != SYMLINK and not _has_exec_bit(path, entry.mode):
            wrong_mode.append(entry.path)
    if wrong_mode and git.try_run("config", "--type=bool", "core.fileMode").stdout.strip() != b"false":
        dirty.extend(wrong_mode)
    dirty.extend(_unlike_when_cleaned(git, [e for e in suspects if e.mode != SYMLINK], directory))
    dirty.extend(entry.path for entry in suspects if entry.mode == SYMLINK)
    return tuple(sorted(dirty))


class _LinkedDirectories:
    """Finds directories of the tree that are symbolic links on disk: files behind one are not the tree's."""

    def __init__(self, top: str) -> None:
        self._top = top
        self._known = {"": False}

    def has_in(self, path: str) -> bool:
        parent = path.rpartition("/")[0]
        if parent not in self._known:
            self._known[parent] = os.path.islink(os.path.join(self._top, parent)) or self.has_in(parent)
        return self._known[parent]


def _stamp(path: str) -> Stamp:
    try:
        status = os.lstat(path)
    except OSError:
        return (0, 0)
    return (status.st_mode, status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)


def _has_kind(path: str, mode: str) -> bool:
    try:
        found = os.lstat(path).st_mode
    except OSError:
        return False
    if mode == SYMLINK:
        return stat.S_ISLNK(found)
    return stat.S_ISREG(found)


def _has_exec_bit(path: str, mode: str) -> bool:
    return bool(os.lstat(path).st_mode & stat.S_IXUSR) == (mode == "100755")


def _has_bytes(path: str, entry: TreeEntry) -> bool:
    try:
        data = os.fsencode(os.readlink(path)) if entry.mode == SYMLINK else _read(path)
    except OSError:
        return False
    digest = hashlib.new(hash_name(entry.oid), b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest() == entry.oid


def _read(path: str | bytes) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        data = os.read(descriptor, _READ_AT_ONCE)
        if len(data) < _READ_AT_ONCE:
            return data
        parts = [data]
        while chunk := os.read(descriptor, _READ_AT_ONCE):
            parts.append(chunk)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _unlike_when_cleaned(git: Git, entries: list[TreeEntry], directory: str) -> Iterator[str]:
    """What still differs after git's own line-ending conversion and filters, as `git add` would apply them."""
    listed = [entry for entry in entries if "\n" not in entry.path and not entry.path.startswith('"')]
    if listed:
        names = b"".join(os.fsencode(entry.path) + b"\n" for entry in listed)
        answer = git.try_run(
            "-C", directory, "hash-object", "--stdin-paths", stdin=names, extra=_as_work_tree(git, directory)
        )
        found = answer.stdout.decode("ascii", "replace").split("\n")
        for position, entry in enumerate(listed):
            if position >= len(found) or found[position] != entry.oid:
                yield entry.path
    for entry in entries:
        if entry not in listed and _cleaned_oid(git, entry.path, directory) != entry.oid:
            yield entry.path


def _cleaned_oid(git: Git, path: str, directory: str) -> str:
    """For the odd name that cannot stand on a line of its own."""
    data = _read(os.path.join(directory, path))
    argv = ("-C", directory, "hash-object", f"--path={path}", "--stdin")
    return git.try_run(*argv, stdin=data, extra=_as_work_tree(git, directory)).stdout.decode("ascii", "replace").strip()


def _as_work_tree(git: Git, directory: str) -> dict[str, str]:
    """Attributes are read from there, be it the repository's own work tree or a tree laid out elsewhere."""
    return {"GIT_DIR": git_dir(git), "GIT_WORK_TREE": directory}


def _differing_submodule(git: Git, entry: TreeEntry, path: str) -> Iterator[str]:
    """A submodule that is checked out must be at its commit, with clean files; one that is not is as the tree."""
    if not os.path.lexists(os.path.join(path, ".git")):
        if not os.path.isdir(path) or os.path.islink(path) or os.listdir(path):
            yield entry.path
        return
    own = {name: value for name, value in git.environment.items() if name not in _OF_ONE_REPOSITORY}
    inner = Git.in_repository(path, own)
    head = inner.try_run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head.stdout.decode("ascii", "replace").strip() != entry.oid:
        yield entry.path
        return
    for inside in dirty_paths(inner, entry.oid, path):
        yield f"{entry.path}/{inside}"
