"""Which test a run is at: a page of memory that the tests' process writes the id into, before each test.

What it tells over its pipe comes in batches, and a test that hangs or ends the process keeps the last one from coming.
The page is still there when the process is gone. Nobody vouches for what stands in it.
"""

from __future__ import annotations

import os
from contextlib import suppress

SIZE = 4096
_HEAD = 2


class RunningTest:
    """A context manager over one page; `descriptors` is its number, and empty where the system has no such memory."""

    def __init__(self) -> None:
        self.descriptors: tuple[int, ...] = ()

    def __enter__(self) -> RunningTest:
        with suppress(AttributeError, OSError):
            descriptor = os.memfd_create("agentgate-running")
            self.descriptors = (descriptor,)
            os.ftruncate(descriptor, SIZE)
        return self

    def __exit__(self, *_error: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors = ()

    def name(self) -> str:
        """The id of the test that was begun and has not ended; empty when there is none, or nothing is known."""
        for descriptor in self.descriptors:
            page = os.pread(descriptor, SIZE, 0)
            size = int.from_bytes(page[:_HEAD], "big")
            return page[_HEAD : _HEAD + size].decode("utf-8", "replace")
        return ""
