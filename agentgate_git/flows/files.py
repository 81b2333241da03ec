"""Files of the user that we write: all of one or none of it, and folders that are theirs alone."""

from __future__ import annotations

import os
import stat
import tempfile


def read_file(path: str) -> bytes | None:
    """The bytes of a file, None when there is none or it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def replace_file(path: str, data: bytes, mode: int) -> None:
    """Write a file in one step; a link that stands there is replaced, not followed."""
    descriptor, name = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".agentgate-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def is_private(directory: str) -> bool:
    """True for a directory of ours that nobody else may enter; False for a link to one, and where there is none."""
    try:
        found = os.lstat(directory)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077
