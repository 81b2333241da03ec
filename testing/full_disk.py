"""A process that can make folders and cannot write a byte, as on a full disk."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def full_disk(scratch: Path) -> Iterator[None]:
    """Folders for scratch go to `scratch`, which is made, and no file may grow: OSError (EFBIG) for every write."""
    scratch.mkdir()
    before, tempfile.tempdir = tempfile.tempdir, str(scratch)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        tempfile.tempdir = before
