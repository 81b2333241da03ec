"""What `scan` found on commits before, kept in the repository's git directory; deleting it costs time and no more.

Whoever can write there can write what they like, so nothing that decides reads it: `check`, `verify` and the hooks
look for themselves (docs/adr/0011-scan-cache.md).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress

import agentgate_git
from agentgate_git.model.oid import Oid
from agentgate_git.wire.judged_commits import JudgedCommit, dump_judged, read_judged

_FOLDER = os.path.join("agentgate", "scan-cache-1")
_ENDING = ".jsonl"
_MAX_FILES = 32
_MAX_BYTES = 64 << 20
_MAX_KEYS = 3


class ScanCache:
    """The commits that were judged by this engine under the same rules, in files that are each written once."""

    def __init__(self, common_dir: str, *rules: bytes) -> None:
        self._top = os.path.join(common_dir, _FOLDER)
        self._folder = os.path.join(self._top, _key(rules))

    def read(self) -> dict[Oid, JudgedCommit]:
        """All that is kept; a file that is not whole, not ours or too large counts for nothing and is taken away."""
        found: dict[Oid, JudgedCommit] = {}
        left = _MAX_BYTES
        for path in self._files():
            try:
                left -= os.path.getsize(path)
                if left < 0:
                    raise ValueError("more is kept than is read")
                with open(path, "rb") as file:
                    found.update((one.oid, one) for one in read_judged(file.read()))
            except OSError:
                continue
            except ValueError:
                with suppress(OSError):
                    os.unlink(path)
        return found

    def add(self, commits: Iterable[JudgedCommit]) -> None:
        """Keep these too. A directory that cannot be written keeps nothing, which is no failure of the scan."""
        with suppress(OSError):
            os.makedirs(self._folder, exist_ok=True)
            self._write(dump_judged(commits))
            self._tidy()

    def _write(self, data: bytes) -> None:
        descriptor, path = tempfile.mkstemp(prefix="new-", suffix=".tmp", dir=self._folder)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
            os.rename(path, path.removesuffix(".tmp") + _ENDING)
        except BaseException:
            with suppress(OSError):
                os.unlink(path)
            raise

    def _tidy(self) -> None:
        """Many small files become one, before they go; of older engines' folders the newest stay."""
        files = self._files()
        if len(files) > _MAX_FILES:
            self._write(dump_judged(self.read().values()))
            for path in files:
                with suppress(OSError):
                    os.unlink(path)
        others = [entry.path for entry in os.scandir(self._top) if entry.is_dir() and entry.path != self._folder]
        for path in sorted(others, key=os.path.getmtime)[: max(0, len(others) - _MAX_KEYS + 1)]:
            shutil.rmtree(path, ignore_errors=True)

    def _files(self) -> list[str]:
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return [os.path.join(self._folder, name) for name in sorted(names) if name.endswith(_ENDING)]


def _key(rules: Iterable[bytes]) -> str:
    """A digest of all that decides what is found on a commit: this package, Python's grammar, and the rules."""
    digest = hashlib.sha256(f"{agentgate_git.__version__} {sys.version}".encode())
    for part in (*sorted(_sources()), *_grammars(), *rules):
        digest.update(b"%d\n" % len(part) + part)
    return digest.hexdigest()[:32]


def _sources() -> Iterator[bytes]:
    """Every file of the package that can change what is found, with what changes whenever it is written.

    Reading them all took a tenth of a scan that has nothing else to do. The time at which an inode changed cannot be
    set back.
    """
    folders = [os.path.dirname(agentgate_git.__file__)]
    while folders:
        for entry in os.scandir(folders.pop()):
            if entry.is_dir(follow_symlinks=False):
                folders.extend((entry.path,) if entry.name != "__pycache__" else ())
            elif entry.name.endswith((".py", ".json", ".yaml", ".scm")):
                state = entry.stat()
                told = f"{entry.path} {state.st_ino} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}"
                yield told.encode("utf-8", "surrogateescape")


def _grammars() -> Iterator[bytes]:
    """The parsers of other languages that are installed, with their versions."""
    for folder in sys.path:
        with suppress(OSError):
            yield from sorted(os.fsencode(name) for name in os.listdir(folder) if name.startswith("tree_sitter"))
