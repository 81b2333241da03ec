"""The box around a test run: what its processes may see and do, and the command that puts them into it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache

from agentgate_git.model.failure import Undecided
from agentgate_git.model.record import Record
from agentgate_git.model.sandbox import AUTO, BUBBLEWRAP, NO_BOX
from agentgate_git.runner.box_mounts import Mount, mounts
from agentgate_git.runner.interpreter_paths import interpreter_paths

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_INSIDE = os.path.join(PACKAGE, "inside")
_KEEPER = (
    "import sys; sys.path.insert(0, sys.argv.pop(1));"
    " from agentgate_git.runner.keeper import main; sys.exit(main(sys.argv[1:]))"
)
_PROBE_SECONDS = 20
_RESOLVER = "/etc/resolv.conf"  # often a link to where a service writes it


class Box(Record):
    """What a boxed process may see and do. Paths are absolute.

    Of the machine it sees the system (programs, libraries, `/etc`), the folders that its `interpreter` needs (told from
    its files where none are named, which must not be done for one that the proposal had a hand in), our own `inside`
    folder and what is `readable`, all of it read-only; it may write to `writable` and to private, empty
    folders that go with it: `/tmp`, `home` and `temp_root`. What is `hidden` stays out of reach even below those; a
    `readable` or `writable` path below a hidden one is let in again. Without `has_network` there is a loopback alone.

    `memory` is in bytes, for each process and for all together, and again for the files in private folders;
    `processes` counts threads too; `file_bytes` is the largest file it may write; of its output `output_bytes` are
    kept. In a box of the kind NO_BOX it sees and may do what its user may; only the limits hold.
    """

    kind: str
    writable: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    has_network: bool = False
    temp_root: str = ""
    home: str = ""
    interpreter: tuple[str, ...] = ()
    memory: int = 4 << 30
    processes: int = 1024
    output_bytes: int = 64 << 20
    file_bytes: int = 1 << 30


def find_box_kind(wanted: str) -> str:
    """BUBBLEWRAP or NO_BOX; Undecided where bubblewrap is demanded and cannot work here."""
    if wanted == NO_BOX or (wanted == AUTO and box_problem()):
        return NO_BOX
    if problem := box_problem():
        raise Undecided(
            problem,
            "install bubblewrap and allow it to make user namespaces, or set the sandbox to `none` and run on a machine"
            " that the proposal may harm",
        )
    return BUBBLEWRAP


@cache
def box_problem() -> str:
    """Why bubblewrap cannot work here, as a sentence without a full stop; empty where it can. Tried once."""
    if not _program("bwrap"):
        return "bubblewrap is not installed"
    argv = boxed_argv(Box(BUBBLEWRAP), (_program("true") or sys.executable, "-V"), "/", ())
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=_PROBE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap cannot be started ({type(error).__name__})"
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"bubblewrap cannot work here ({last.removeprefix('bwrap: ')})" if done.returncode else ""


def boxed_argv(box: Box, argv: tuple[str, ...], directory: str, descriptors: tuple[int, ...]) -> tuple[str, ...]:
    """What to start in place of `argv`, an absolute program first, to have it run in `directory` in the box.

    `descriptors` are those that are for it alone.
    """
    if box.kind == NO_BOX:
        numbers = ",".join(map(str, descriptors))
        return (
            sys.executable,
            "-I",
            "-S",
            "-B",
            "-c",
            _KEEPER,
            os.path.dirname(PACKAGE),
            str(os.getpid()),
            numbers,
            *argv,
        )
    network = (os.path.realpath(_RESOLVER),) if box.has_network else ()
    readable = (*box.readable, _INSIDE, *network, *(box.interpreter or interpreter_paths(argv[0])))
    placed = mounts(box.writable, readable, box.hidden, (box.home, box.temp_root))
    return (
        _program("bwrap") or "bwrap",
        *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *(("--share-net",) if box.has_network else ()),
        *_mount_options(placed, max(box.memory // 4, 1 << 20)),
        *("--chdir", directory, "--", *argv),
    )


def _mount_options(placed: tuple[Mount, ...], size: int) -> tuple[str, ...]:
    """Mounts in their order, then what must not be written to any more once all of them stand."""
    options: list[str] = []
    closed: list[str] = []
    for mount in placed:
        if mount.kind == "tmpfs":
            options += ("--size", str(size), "--perms", mount.mode, "--tmpfs", mount.path)
        elif mount.kind in ("proc", "dev", "dir"):
            options += (f"--{mount.kind}", mount.path)
        else:
            options += (f"--{mount.kind}", mount.source, mount.path)
        if mount.is_closed:
            closed += ("--remount-ro", mount.path)
    return (*options, *closed, "--remount-ro", "/")


def _program(name: str) -> str:
    return shutil.which(name) or ""
