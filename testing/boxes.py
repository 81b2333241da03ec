"""Boxes to try things in, and a look at what is left of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from agentgate_git.model.sandbox import BUBBLEWRAP, NO_BOX
from agentgate_git.runner.box import Box
from agentgate_git.runner.boxed_process import BoxedProcess

KINDS = (BUBBLEWRAP, NO_BOX)
_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def shell(box: Box, script: str, directory: Path) -> str:
    """What a shell prints when it runs a script in a box; the log is `shell.txt` in the parent of the directory."""
    log = directory.parent / "shell.txt"
    log.unlink(missing_ok=True)
    BoxedProcess(box, ("/bin/sh", "-c", script), str(directory), {"PATH": _PATH}, (), str(log)).run(60)
    return log.read_text()


def running(marker: str) -> tuple[str, ...]:
    """The command lines of all processes in which the marker stands."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            try:
                line = (each / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if marker in line:
                found.append(line)
    return tuple(found)


def as_ordinary_user(action: Callable[[], None]) -> int:
    """Do something in a process that is not root's; its exit status, 1 for an exception."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            action()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
