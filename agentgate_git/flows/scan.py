"""`scan`: the same facts from two directories, where there is no repository to ask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import NoReturn

from agentgate_git.flows.judged_files import forbidden_markers, pin_findings
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.verdict import EXIT_ALLOW, EXIT_REJECTED, CheckResult
from agentgate_git.policy.skip_marker import skip_findings
from agentgate_git.source.python_tests import read_inventory
from agentgate_git.source.roles import holds_tests

_LEFT_OUT = frozenset((".git", ".hg", "__pycache__", ".venv", "node_modules", ".mypy_cache", ".pytest_cache"))


def scan_directories(before: str, after: str) -> CheckResult:
    """Judge what changed from one directory to the other; who changed it is not known."""
    old, new = dict(_files(before)), dict(_files(after))
    changed = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    tests = [path for path in changed if holds_tests(path)]
    pinned = (old.get(MANIFEST_PATH), old.get(BASELINE_PATH), new.get(MANIFEST_PATH))
    forbidden = forbidden_markers(*pinned)
    findings = (
        *pin_findings(*pinned),
        *skip_findings(
            [read_inventory(path, old[path], forbidden) for path in tests if path in old],
            [read_inventory(path, new[path], forbidden) for path in tests if path in new],
        ),
    )
    status = EXIT_REJECTED if any(finding.is_blocking() for finding in findings) else EXIT_ALLOW
    return CheckResult(findings, (), status)


def _files(top: str) -> Iterator[tuple[str, bytes]]:
    """The regular files below a directory that a check reads, by their path with `/`."""
    if not os.path.isdir(top):
        raise UsageFailure(f"{top} is no directory", "name the directory that holds the files")
    for folder, names, files in os.walk(top, onerror=_refuse):
        names[:] = sorted(name for name in names if name not in _LEFT_OUT)
        for name in files:
            full = os.path.join(folder, name)
            path = os.path.relpath(full, top).replace(os.sep, "/")
            is_read = path in (MANIFEST_PATH, BASELINE_PATH) or holds_tests(path)
            if is_read and _is_regular(full):
                yield path, _read(full)


def _is_regular(path: str) -> bool:
    """False for a link, and for a pipe, which would be waited for."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError as error:
        _refuse(error)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        _refuse(error)


def _refuse(error: OSError) -> NoReturn:
    raise Undecided(f"{error.filename} cannot be read ({error.strerror})", "make it readable") from error
