"""What stands where in a box: system, private folders, what is let in, and what is covered again."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

from agentgate_git.model.record import Record

_CONFIGURATION = "/etc"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store")
# Files of these belong to the machine's root, who needs no capability to write to them.
_KERNEL = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi")
_SHOWN = "/sys/devices/system/cpu"  # how many there are


class Mount(Record):
    """One thing at `path`: a `kind` of bubblewrap's options and the `source` it takes.

    `mode` is that of a tmpfs; one that `is_closed` becomes read-only when everything in it stands.
    """

    path: str
    kind: str
    source: str = ""
    mode: str = "0755"
    is_closed: bool = False


def mounts(
    writable: Iterable[str], readable: Iterable[str], hidden: Iterable[str], private: Iterable[str]
) -> tuple[Mount, ...]:
    """All mounts of a box, each after what it stands in.

    Of two for the same path the stricter one stands: hidden, then writable, readable, private, system. `private`
    folders need not exist and may be empty names. Paths that do not exist are left out.
    """
    placed: dict[str, Mount] = {}
    for mount in (*_system(), *_private(private)):
        placed[mount.path] = mount
    for path in _paths(readable):
        if not _stands_in_system(path):
            placed[path] = Mount(path, "ro-bind", path)
    for path in _paths(writable):
        placed[path] = Mount(path, "bind", path)
    for path in tuple(_covered(placed.values(), (*_secrets(), *_paths(hidden)))):
        placed[path] = _cover(path)
    return tuple(mount for mount in sorted(placed.values(), key=_place) if _can_stand(mount, placed))


def _system() -> Iterator[Mount]:
    for path in _SYSTEM:
        if os.path.islink(path):
            yield Mount(path, "symlink", os.readlink(path))
        elif os.path.isdir(path):
            yield Mount(path, "ro-bind", path)
    yield Mount("/proc", "proc")
    yield Mount("/dev", "dev", is_closed=True)
    yield from (Mount(path, "ro-bind", path) for path in (*_KERNEL, _SHOWN) if os.path.exists(path))
    yield Mount("/dev/shm", "tmpfs", mode="1777")  # noqa: S108 - the box's own
    yield Mount("/tmp", "tmpfs", mode="1777")  # noqa: S108 - the box's own
    yield Mount("/run", "dir")
    yield Mount("/var/tmp", "symlink", "../tmp")  # noqa: S108 - the box's own


@cache
def _secrets() -> tuple[str, ...]:
    """What of the configuration nobody else may read, where it is root who runs the tests."""
    return tuple(_unreadable(_CONFIGURATION)) if os.geteuid() == 0 else ()


def _unreadable(folder: str) -> Iterator[str]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_symlink():
                continue
            if not entry.stat(follow_symlinks=False).st_mode & stat.S_IROTH:
                yield entry.path
            elif entry.is_dir():
                yield from _unreadable(entry.path)


def _private(paths: Iterable[str]) -> Iterator[Mount]:
    for path in paths:
        if os.path.isabs(path) and os.path.normpath(path) != "/":
            yield Mount(os.path.normpath(path), "tmpfs", mode="0700")


def _paths(paths: Iterable[str]) -> Iterator[str]:
    """Each as it is named and as it is where links are followed, so that both names lead there."""
    for path in paths:
        if os.path.isabs(path) and os.path.exists(path):
            yield from dict.fromkeys(each for each in (os.path.normpath(path), os.path.realpath(path)) if each != "/")


def _stands_in_system(path: str) -> bool:
    """True when what is bound anyway shows it."""
    return all(any(_is_below(each, folder) for folder in _SYSTEM) for each in (path, os.path.realpath(path)))


def _covered(placed: Iterable[Mount], hidden: Iterable[str]) -> Iterator[str]:
    """Where something hidden would be seen: below whatever is bound, by the name that it has there."""
    bound = [(mount.path, os.path.realpath(mount.source)) for mount in placed if mount.kind in ("ro-bind", "bind")]
    for secret in hidden:
        real = os.path.realpath(secret)
        if not os.path.exists(real):
            continue
        for path, source in bound:
            if _is_below(real, source):
                yield os.path.normpath(os.path.join(path, os.path.relpath(real, source)))


def _cover(path: str) -> Mount:
    if os.path.isdir(path):
        return Mount(path, "tmpfs", is_closed=True)
    return Mount(path, "ro-bind", os.devnull)


def _can_stand(mount: Mount, placed: dict[str, Mount]) -> bool:
    """A folder that is to be made cannot be made in one that is read-only."""
    if mount.kind != "tmpfs" or os.path.isdir(mount.path):
        return True
    above = os.path.dirname(mount.path)
    while above not in placed and above != "/":
        above = os.path.dirname(above)
    return above not in placed or placed[above].kind != "ro-bind"


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _place(mount: Mount) -> tuple[str, ...]:
    return tuple(mount.path.split("/"))
