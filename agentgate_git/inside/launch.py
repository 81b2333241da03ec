"""Started as `<python> launch.py EVENTS CONTROL [PAGE]`: runs pytest and tells the parent what happens.

EVENTS and CONTROL are the descriptors of two pipes. pytest is imported at once; the first line on CONTROL is the
order (a JSON object: args, nonce, wait, variables), and without one nothing is run. What is written to EVENTS are
JSON lines. PAGE is a page of memory, in which the test that runs is named. No child of the tests inherits a pipe, and
nothing about them is put into the environment.
"""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import platform
import sys
from importlib import import_module, util
from pathlib import Path
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict, Iterable, Iterator, List, Optional

OLDEST_PYTEST = 7
UNUSABLE_STATUS = 70
RECORDER_MODULE = "_agentgate_recorder"
_HIGH_DESCRIPTOR = 100
_BUFFER = 1 << 15
_PAUSE = 0.02
_LONGEST_NAME = 4000
_CONFIGURATIONS = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


class Channel:
    """The two pipes. Events are written in batches: a write per test would wake the parent per test."""

    def __init__(self, events: int, control: int, page: int = -1) -> None:
        self._events = _take(events)
        self._control = _take(control)
        self._page = _mapped(page) if page >= 0 else None
        self._identity = _identity(self._events)
        self._pid = os.getpid()
        self._lines: List[str] = []
        self._count = 0
        self._size = 0
        self._flushed = monotonic()

    def send(self, event: str, **fields: Any) -> None:
        """Queue one event; written when enough is waiting. Its number shows when another was lost."""
        line = json.dumps({"event": event, "number": self._count, **fields})
        self._count += 1
        self._lines.append(line)
        self._size += len(line)
        if self._size > _BUFFER:
            self.flush()

    def is_due(self) -> bool:
        """True when nothing was written for a while."""
        return monotonic() - self._flushed > _PAUSE

    def flush(self) -> None:
        """Write what is queued, unless the descriptor is not ours any more: a test may have closed it."""
        data = memoryview("".join(line + "\n" for line in self._lines).encode("ascii"))
        self._lines.clear()
        self._size = 0
        self._flushed = monotonic()
        if self._pid != os.getpid() or _identity(self._events) != self._identity:
            return
        try:
            while data:
                data = data[os.write(self._events, data) :]
        except OSError:
            self._identity = ()  # the parent is gone; the tests need not notice

    def note_running(self, tests: Iterable[str]) -> None:
        """Leave word of what runs now, for when this process can tell nothing any more; of several tests in workers of
        the one that began first, which is the one that hangs if any does."""
        if self._page is not None:
            name = next(iter(tests), "").encode("utf-8", "replace")[:_LONGEST_NAME]
            self._page[: len(name) + 2] = len(name).to_bytes(2, "big") + name

    def close(self) -> None:
        """Give both pipes up: in a child that has its own way to tell."""
        self._pid = 0
        os.close(self._events)
        os.close(self._control)

    def receive(self) -> str:
        """The parent's next line, without its newline; empty when there is none."""
        received = b""
        while not received.endswith(b"\n"):
            try:
                byte = os.read(self._control, 1 << 16)
            except OSError:
                byte = b""
            if not byte:
                return ""
            received += byte
        return received[:-1].decode("ascii")


def _take(descriptor: int) -> int:
    """Move a descriptor out of the range that daemonising code closes, and away from children."""
    taken = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH_DESCRIPTOR)
    os.close(descriptor)
    return taken


def _mapped(descriptor: int) -> Optional[mmap.mmap]:
    """The page; none where there is no such memory."""
    try:
        return mmap.mmap(descriptor, 0)
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)


def _identity(descriptor: int) -> tuple[int, ...]:
    try:
        status = os.fstat(descriptor)
    except OSError:
        return (-1,)
    return (status.st_dev, status.st_ino)


def arrange_path(script: str) -> None:
    """Make the import path that of `python -m pytest`: the current directory first, not the script's own."""
    own = os.path.realpath(os.path.dirname(script))
    if sys.path and os.path.realpath(sys.path[0]) == own:
        del sys.path[0]
    sys.path.insert(0, os.getcwd())


def load_recorder(script: str) -> ModuleType:
    """The recorder next to this file, under a name that no project uses and outside sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(script)), "recorder.py")
    spec = util.spec_from_file_location(RECORDER_MODULE, path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find_pytest() -> Any:
    """The pytest of this interpreter, or a sentence that says why it cannot be used."""
    try:
        pytest = import_module("pytest")
    except ImportError as error:
        return "pytest cannot be imported there ({})".format(error)
    version = getattr(pytest, "__version__", "0")
    if int(version.partition(".")[0]) < OLDEST_PYTEST:
        return "pytest {} is installed there, and {} is the oldest that works".format(version, OLDEST_PYTEST)
    return pytest


def root_options(args: List[str], pytest: Any) -> List[str]:
    """What keeps pytest within the current directory: node ids start there, and no file above it counts.

    Only pytest's own reader knows what holds a configuration: `pyproject.toml` may, or may not.
    """
    options = ["--rootdir=."]
    if any(arg.startswith(("-c", "--config-file")) for arg in args):
        return options
    top = os.path.realpath(".")
    folder = _common_folder(args, top)
    inside = [each for each in _upwards(folder) if os.path.commonpath([each, top]) == top]
    if any(_holds_configuration(each, pytest) for each in inside):
        return options
    options.append("--confcutdir=.")
    if any(
        os.path.exists(os.path.join(each, name)) for each in _upwards(os.path.dirname(top)) for name in _CONFIGURATIONS
    ):
        options += ["-c", "pyproject.toml" if os.path.exists("pyproject.toml") else os.devnull]
    return options


def _common_folder(args: List[str], top: str) -> str:
    """Where pytest starts to look: the folder that holds everything named."""
    named = [os.path.realpath(arg.partition("::")[0]) for arg in args if not arg.startswith("-")]
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in named if os.path.exists(path)]
    return os.path.commonpath(folders) if folders else top


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        yield folder


def _holds_configuration(folder: str, pytest: Any) -> bool:
    load = import_module("_pytest.config.findpaths").load_config_dict_from_file
    for path in (Path(folder, name) for name in _CONFIGURATIONS):
        try:
            if path.is_file() and load(path) is not None:
                return True
        except (pytest.UsageError, pytest.fail.Exception):
            return True  # pytest will say so itself
    return False


def describe(pytest_version: str, variables: List[str]) -> Dict[str, Any]:
    """What runs the tests, and what it sees of the environment."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    return {
        "pytest": pytest_version,
        "interpreter": "{} {}".format(platform.python_implementation(), version),
        "platform": "{} {}".format(sys.platform, os.uname().machine),
        "environment": [[name, os.environ[name]] for name in variables if name in os.environ],
    }


def main(argv: List[str]) -> int:
    """Run the tests as ordered; pytest's own exit status."""
    channel = Channel(*map(int, argv[1:]))
    arrange_path(argv[0])
    pytest = find_pytest()
    if isinstance(pytest, str):
        channel.send("unusable", reason=pytest)
        channel.flush()
        return UNUSABLE_STATUS
    line = channel.receive()
    if not line:
        return UNUSABLE_STATUS  # called off
    order = json.loads(line)
    channel.send("hello", **describe(pytest.__version__, order["variables"]))
    channel.flush()
    recorder = load_recorder(argv[0]).Recorder(channel, order["nonce"], order["wait"])
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py"), *order["args"]]
    status = int(pytest.main([*root_options(order["args"], pytest), *order["args"]], plugins=[recorder]))
    channel.send("end", nonce=order["nonce"], status=status)
    channel.flush()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv))
