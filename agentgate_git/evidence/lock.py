"""An advisory lock that keeps our own writers in line.

It is a courtesy: compare-and-swap is what keeps a ref right. So a lock that cannot be had in time, or a file
system without locks, slows writers down and stops nobody.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

PATIENCE = 20.0


@contextlib.contextmanager
def writer_lock(directory: str, name: str, patience: float = PATIENCE) -> Iterator[bool]:
    """Hold `<directory>/<name>.lock` for the block, waiting at most `patience` seconds; False when it was not had."""
    try:
        os.makedirs(directory, exist_ok=True)
        descriptor = os.open(os.path.join(directory, f"{name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError:
        yield False
        return
    try:
        yield _acquire(descriptor, time.monotonic() + patience)
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            pause(0.008)
        except OSError:
            return False
        else:
            return True


def pause(longest: float) -> None:
    """Sleep for a random part of `longest` seconds, at least a quarter, so that writers do not move in step."""
    time.sleep(longest * (85 + os.urandom(1)[0]) / 340)
