"""`scan` of files as they lie there: two directories without any repository, or a work tree against its commit."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import NoReturn

from agentgate_git.flows.change_sets.changed_parts import Pair
from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.change_sets.head_files import HeadFiles
from agentgate_git.flows.change_sets.judged_files import forbidden_markers, pin_findings
from agentgate_git.flows.change_sets.read_facts import is_read
from agentgate_git.flows.change_sets.weakened import weakened
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import GITLINK, SYMLINK
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.verdict import CheckResult
from agentgate_git.policy.settings.skipped_pipeline import MESSAGE_FILE, message_findings
from agentgate_git.repo.materialise import list_tree
from agentgate_git.repo.refs import resolve_commit, top_level
from agentgate_git.repo.worktree import present_paths

_LEFT_OUT = frozenset((".git", ".hg", "__pycache__", ".venv", "node_modules", ".mypy_cache", ".pytest_cache"))

# Files that name what a project needs; nothing else is read of them.
_NAMING = (".txt", ".in", ".lock", "pipfile", ".toml", ".cfg", ".yml", ".yaml")


def scan_directories(before: str, after: str) -> CheckResult:
    """Judge what changed from one directory to the other; who changed it is not known."""
    return judge_files(dict(_files(before)), dict(_files(after)))


def scan_work_tree(workspace: Workspace) -> CheckResult:
    """Judge what the work tree, with files that git does not track and does not ignore, changes from HEAD."""
    top = top_level(workspace.clone, "name commits with --range or --all, or go to a work tree")
    head = resolve_commit(workspace.clone, "HEAD")
    entries = [
        entry
        for entry in list_tree(workspace.room, head)
        if _is_read(entry.path) and entry.mode not in (GITLINK, SYMLINK)
    ]
    blobs = workspace.objects.read_many(entry.oid for entry in entries)
    old = {entry.path: blob.data for entry, blob in zip(entries, blobs, strict=True)}
    present, left_out = present_paths(workspace.clone, top)
    new = {path: data for path in filter(_is_read, present) if (data := _found(os.path.join(top, path))) is not None}
    for path in left_out - new.keys():
        old.pop(path, None)
    return judge_files(old, new)


def judge_files(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> CheckResult:
    """Findings on the files that a check reads, by their path with `/`."""
    changed = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    pinned = (old.get(MANIFEST_PATH), old.get(BASELINE_PATH), new.get(MANIFEST_PATH))
    forbidden = forbidden_markers(*pinned)
    blobs = {
        f"{side} {path}": files[path]
        for side, files in (("old", old), ("new", new))
        for path in changed
        if path in files
    }
    pairs = (Pair(path, *(key if key in blobs else "" for key in (f"old {path}", f"new {path}"))) for path in changed)
    findings = (
        *pin_findings(*pinned),
        *weakened(FactsCache(lambda oids: map(blobs.__getitem__, oids)), pairs, forbidden, HeadFiles(new)),
        *(one._replace(path=MESSAGE_FILE) for one in message_findings(_message(new), _message(old))),
    )
    status = EXIT_REJECTED if any(finding.is_blocking() for finding in findings) else EXIT_ALLOW
    return CheckResult(findings, (), status)


def _message(files: Mapping[str, bytes]) -> str:
    return files.get(MESSAGE_FILE, b"").decode("utf-8", "replace")


def _is_read(path: str) -> bool:
    return path in (MANIFEST_PATH, BASELINE_PATH, MESSAGE_FILE) or is_read(path) or path.lower().endswith(_NAMING)


def _files(top: str) -> Iterator[tuple[str, bytes]]:
    """The regular files below a directory that a check reads, by their path with `/`."""
    if not os.path.isdir(top):
        raise UsageFailure(f"{top} is no directory", "name the directory that holds the files")
    for folder, names, files in os.walk(top, onerror=_refuse):
        names[:] = sorted(name for name in names if name not in _LEFT_OUT)
        for name in files:
            full = os.path.join(folder, name)
            path = os.path.relpath(full, top).replace(os.sep, "/")
            if _is_read(path) and (data := _found(full)) is not None:
                yield path, data


def _found(path: str) -> bytes | None:
    """The bytes of a regular file; None for what is none: a link, a pipe, which would be waited for, or nothing."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        _refuse(error)


def _refuse(error: OSError) -> NoReturn:
    raise Undecided(f"{error.filename} cannot be read ({error.strerror})", "make it readable") from error
