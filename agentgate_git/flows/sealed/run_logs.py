"""The logs of sealed runs, in `agentgate/runs/` of the common git directory, where only their owner may look.

A run gets a directory of a name that nobody can know beforehand, and holds a lock in it for as long as it lives. What
a run left behind that died before it came to its log is taken away by the next one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256

from agentgate_git.evidence.lock import writer_lock
from agentgate_git.flows.files import is_private, read_file, replace_file
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import LOGS, SEALS, Entry, Line
from agentgate_git.model.failure import Undecided
from agentgate_git.model.limits import MAX_LOG_TAIL
from agentgate_git.model.oid import Oid
from agentgate_git.model.run_evidence import RunLogs, SignedSeal
from agentgate_git.wire.canonical import Malformed, decode, encode
from agentgate_git.wire.run_statements import log_tail, logs_payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from agentgate_git.wire.canonical import Json

LOG, STATE, LOCK = "log", "state.json", "lock"
MAX_KEPT = 32
MAX_WHOLE = 256 << 20

_VERSION = 1
_NAME_BYTES = 16
_PRIVATE = 0o700
_PIECE = 1 << 20
_SCRATCH = "agentgate-sealed-"


class OpenRun:
    """A run that goes on: `directory` is its own, and the output of its tests goes to the file `log`.

    Trees are laid out in `scratch`, away from the repository. A context manager; what was not published when it ends
    is gone.
    """

    def __init__(self, directory: str, lock: int, tree: Oid, base_tree: Oid) -> None:
        self.directory = directory
        self.log = os.path.join(directory, LOG)
        self.scratch = tempfile.mkdtemp(prefix=_SCRATCH)
        self._about: dict[str, Json] = {
            "version": _VERSION,
            "tree": tree,
            "base_tree": base_tree,
            "scratch": self.scratch.encode("utf-8", "surrogateescape").hex(),
        }
        self._lock = lock
        self._is_kept = False

    def __enter__(self) -> OpenRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def describe(self, seal_sha256: str = "") -> None:
        """Write down what the run is about, and the line of its seal once its log is ready to be published."""
        replace_file(os.path.join(self.directory, STATE), encode({**self._about, "seal_sha256": seal_sha256}), 0o600)
        self._is_kept = bool(seal_sha256)

    def close(self) -> None:
        """The run is over; twice is as good as once."""
        if self._lock < 0:
            return
        shutil.rmtree(self.scratch, ignore_errors=True)
        if not self._is_kept:
            shutil.rmtree(self.directory, ignore_errors=True)
        os.close(self._lock)
        self._lock = -1


class RunLogStore:
    """The runs of one repository, by its common git directory; of logs that were published it keeps `max_kept`."""

    def __init__(self, common_dir: str, max_kept: int = MAX_KEPT) -> None:
        self._max_kept = max_kept
        self._above = os.path.join(common_dir, "agentgate")
        self._top = os.path.join(self._above, "runs")

    def open_run(self, tree: Oid, base_tree: Oid) -> OpenRun:
        """Begin a run of a tree over a base tree; Undecided where others could look into its directory."""
        os.makedirs(self._above, exist_ok=True)
        with suppress(FileExistsError):
            os.mkdir(self._top, _PRIVATE)
        if not is_private(self._top):
            raise Undecided(
                f"{self._top} is not a directory that its owner alone may enter", "take it away, then run it again"
            )
        with writer_lock(self._above, "runs") as is_had:
            if is_had:
                self._sweep()
            directory = os.path.join(self._top, os.urandom(_NAME_BYTES).hex())
            os.mkdir(directory, _PRIVATE)
            lock = _new_file(os.path.join(directory, LOCK))
            with suppress(OSError):  # a file system without locks: then every run that left no seal counts as open
                fcntl.flock(lock, fcntl.LOCK_EX)
            run = OpenRun(directory, lock, tree, base_tree)
            try:
                run.describe()
                os.close(_new_file(run.log))
            except BaseException:  # a full disk, say: nobody else would take away what was begun
                run.close()
                raise
        return run

    def has_open(self, tree: Oid) -> bool:
        """True while a run of a tree goes on here, or one of which nobody can tell what it is a run of."""
        for directory in self._directories():
            if _is_alive(directory):
                state = _state(directory)
                if state is None or state.get("tree") == tree:
                    return True
        return False

    def whole(self, logs: RunLogs) -> bytes | None:
        """All of a log that was published here; None when it is not here any more, or is not what was published."""
        if logs.size > MAX_WHOLE:
            return None
        for directory in self._directories():
            state = _state(directory)
            if state is None or state.get("seal_sha256") != logs.seal_sha256:
                continue
            path = os.path.join(directory, LOG)
            if _size(path) == logs.size and sha256(data := read_file(path) or b"").hexdigest() == logs.log_sha256:
                return data
        return None

    def _sweep(self) -> None:
        """Dead runs go, and so do the oldest logs."""
        kept = []
        for directory in self._directories():
            if _is_alive(directory):
                continue
            state = _state(directory)
            _remove_scratch(state)
            if state is not None and state.get("seal_sha256"):
                kept.append(directory)
            else:
                shutil.rmtree(directory, ignore_errors=True)
        kept.sort(key=os.path.getmtime, reverse=True)
        for directory in kept[self._max_kept :]:
            shutil.rmtree(directory, ignore_errors=True)

    def _directories(self) -> Iterator[str]:
        """Those that bear such a name as we give, in no order; a link is none."""
        with suppress(OSError), os.scandir(self._top) as entries:
            for entry in entries:
                is_ours = len(entry.name) == 2 * _NAME_BYTES and entry.is_dir(follow_symlinks=False)
                if is_ours and not set(entry.name) - set("0123456789abcdef"):
                    yield entry.path


def _remove_scratch(state: dict[str, Json] | None) -> None:
    """What a run that was killed had laid out; it goes when it is a folder such as we make, and ours."""
    written = state.get("scratch") if state else None
    try:
        path = bytes.fromhex(written).decode("utf-8", "surrogateescape") if isinstance(written, str) else ""
        found = os.lstat(path)
    except (OSError, ValueError):
        return
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    if is_ours and os.path.isabs(path) and os.path.basename(path).startswith(_SCRATCH):
        shutil.rmtree(path, ignore_errors=True)


def publish_logs(
    workspace: Workspace, run: OpenRun, cited: SignedSeal, sign: Callable[[bytes], Line], now: str
) -> Line:
    """Store the line of a run's log, which `sign` makes of its payload, and end the run; `now` is RFC 3339 with `Z`.

    Undecided while the line of the seal that it cites is not in the ledger.
    """
    tree, ledger = cited.seal.tree, workspace.ledger()
    note = ledger.read(SEALS, (tree,)).get(tree)
    if note is None or all(line.sha256 != cited.sha256 for line in note.lines):
        raise Undecided("the log of a run whose seal is not kept cannot be published", "store the seal first")
    digest, size, end = _measured(run.log)
    logs = RunLogs(
        tree=tree,
        base_tree=cited.seal.base_tree,
        commit=cited.seal.commit,
        runner_job=cited.seal.runner_job,
        seal_sha256=cited.sha256,
        log_sha256=digest,
        size=size,
        tail=log_tail(end, size),
        published_at=now,
    )
    line = sign(logs_payload(logs))
    run.describe(cited.sha256)
    ledger.append(LOGS, [Entry(tree, line.text)])
    run.close()
    return line


def _measured(path: str) -> tuple[str, int, bytes]:
    """The sha256 of a file, its size, and its last bytes."""
    digest, size, end = sha256(), 0, b""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
            size += len(piece)
            end = (end + piece)[-MAX_LOG_TAIL:]
    return digest.hexdigest(), size, end


def _size(path: str) -> int:
    """In bytes, -1 for what is no file."""
    try:
        return os.lstat(path).st_size
    except OSError:
        return -1


def _new_file(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)


def _is_alive(directory: str) -> bool:
    """Whether somebody holds the lock of a run; where that cannot be told, whether it has not come to its log."""
    try:
        lock = os.open(os.path.join(directory, LOCK), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        state = _state(directory)
        return state is None or not state.get("seal_sha256")
    finally:
        os.close(lock)
    return False


def _state(directory: str) -> dict[str, Json] | None:
    """What a run wrote down about itself; None when it cannot be read."""
    try:
        value = decode(read_file(os.path.join(directory, STATE)) or b"")
    except Malformed:
        return None
    return value if isinstance(value, dict) and value.get("version") == _VERSION else None
