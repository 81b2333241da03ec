"""A log of bounded size: the beginning and the end of what was printed."""

from __future__ import annotations

_END = 1 << 20


class CappedLog:
    """Adds at most `limit` bytes to a file, and where there were more a line that says how many are left out."""

    def __init__(self, path: str, limit: int) -> None:
        self._file = open(path, "ab", buffering=0)  # noqa: SIM115 - closed by close()
        self._end_size = min(_END, limit // 2)
        self._room = limit - self._end_size
        self._end = bytearray()
        self._lost = 0

    def write(self, data: bytes) -> None:
        """Take what was printed, cut anywhere."""
        begin = data[: self._room]
        self._file.write(begin)
        self._room -= len(begin)
        self._end += data[len(begin) :]
        if (surplus := len(self._end) - 2 * self._end_size) > 0:
            self._drop(surplus + self._end_size)

    def close(self) -> None:
        """Write the end."""
        if (surplus := len(self._end) - self._end_size) > 0:
            self._drop(surplus)
            self._file.write(b"\n[agentgate: %d bytes are left out here]\n" % self._lost)
        self._file.write(self._end)
        self._file.close()

    def _drop(self, count: int) -> None:
        del self._end[:count]
        self._lost += count
