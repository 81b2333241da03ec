"""What a search for credit has found so far, in `agentgate/searches/` of the common git directory.

A runner that is killed finds it again when it goes on from the same seal. There is a folder for each seal, named by
the sha256 of its line, and in it a file for each symbol that was done with: what the search told about it, word for
word, after a line with its sha256. What is cut off or cannot be read is as good as not there, and so is what was
written for another symbol, source, interpreter or version. The boxes of tests do not hold the folder; and what the
search told remains a claim that has to be confirmed.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from hashlib import sha256

from agentgate_git.flows.files import is_private, read_file, replace_file
from agentgate_git.model.record import Record
from agentgate_git.model.symbol import SymbolChange
from agentgate_git.runner.search_memory import SearchMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentgate_git.runner.event_lines import Event

MAX_KEPT = 32
_FOLDER = "searches"
_VERSION = "1"
_PRIVATE = 0o700
_MAX_BYTES = 1 << 20


class SearchOf(Record):
    """What is searched: under the line of which seal, by which tool and interpreter, files before and after by path."""

    seal_sha256: str
    tool: str
    python: str
    old: Mapping[str, bytes]
    new: Mapping[str, bytes]


class KeptSearch(SearchMemory):
    """The search under one seal, in one repository by its common git directory; of others `max_kept` stay."""

    def __init__(self, common_dir: str, search: SearchOf, max_kept: int = MAX_KEPT) -> None:
        super().__init__()
        self._search = search
        self._max_kept = max_kept
        self._top = os.path.join(common_dir, "agentgate", _FOLDER)
        self._directory = os.path.join(self._top, search.seal_sha256)

    def recall(self, change: SymbolChange) -> tuple[Event, ...]:
        """What was kept of a symbol."""
        if not is_private(self._top):
            return ()
        digest, _, body = (read_file(self._path(change)) or b"").partition(b"\n")
        if len(body) > _MAX_BYTES or digest != sha256(body).hexdigest().encode("ascii"):
            return ()
        try:
            kept = json.loads(body)
        except ValueError:
            return ()
        if not isinstance(kept, dict) or kept.get("key") != list(self._key(change)):
            return ()
        events = kept.get("events")
        return tuple(each for each in events if isinstance(each, dict)) if isinstance(events, list) else ()

    def keep(self, change: SymbolChange, events: tuple[Event, ...]) -> None:
        """Write a symbol down. What cannot be written, or is very long, is searched again."""
        body = json.dumps({"key": self._key(change), "events": events}).encode("ascii")
        if len(body) > _MAX_BYTES:
            return
        with suppress(OSError):
            if not os.path.isdir(self._directory):
                os.makedirs(self._top, _PRIVATE, exist_ok=True)
                self._sweep()
                os.mkdir(self._directory, _PRIVATE)
            if is_private(self._top):
                replace_file(self._path(change), sha256(body).hexdigest().encode("ascii") + b"\n" + body, 0o600)

    def forget(self) -> None:
        """The run is whole: nothing of this is needed any more."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def _path(self, change: SymbolChange) -> str:
        return os.path.join(self._directory, sha256(json.dumps(self._key(change)).encode("ascii")).hexdigest())

    def _key(self, change: SymbolChange) -> tuple[str, ...]:
        """All that what is found depends on, beside the cases, which the seal names."""
        search = self._search
        blobs = (search.new.get(change.path), search.old.get(change.old_path))
        digests = ("" if blob is None else sha256(blob).hexdigest() for blob in blobs)
        return (_VERSION, search.tool, search.seal_sha256, search.python, *change, *digests)

    def _sweep(self) -> None:
        """Of runs that nobody went on with the oldest go."""
        with os.scandir(self._top) as entries:
            found = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
        found.sort(key=lambda entry: entry.stat(follow_symlinks=False).st_mtime, reverse=True)
        for entry in found[self._max_kept - 1 :]:
            shutil.rmtree(entry.path, ignore_errors=True)
