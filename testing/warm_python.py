"""Processes that are forked from one that has done the imports already, which takes a third of starting one.

For tests of what follows from many runs. What a start is like is tested with programs that are started. A fork is a
real process of the same interpreter; a call under other settings of Python, or in a project that has modules in the
place of imported ones, starts the real thing.
"""

from __future__ import annotations

import array
import marshal
import os
import pkgutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from _pytest.config import default_plugins

import agentgate_git

_HERE = Path(__file__).resolve().parent
_SCRIPTS = frozenset(str(_HERE.parent / "agentgate_git" / "inside" / name) for name in ("launch.py", "falsify.py"))
_CUSTOM = frozenset(("sitecustomize", "usercustomize"))
# What pytest imports itself, and what it imports when the first test has failed.
_PYTEST = ("pytest", *(f"_pytest.{name}" for name in default_plugins), "faulthandler", "pdb", "email.parser")
# An interpreter takes these as they are when it starts.
_SETTINGS = ("PYTHON", "LC_", "LANG")


@contextmanager
def warm_python(folder: Path, hash_seed: str = "") -> Iterator[str]:
    """The path to name as the interpreter that runs tests, for as long as the block lasts; `folder` is made.

    Runs with another PYTHONHASHSEED than `hash_seed` get the real interpreter.
    """
    folder.mkdir()
    settings = {"PYTHONHASHSEED": hash_seed} if hash_seed else {}
    with _server(_PYTEST, settings) as (address, loaded):
        with open(folder / "warm", "wb") as file:
            marshal.dump((sys.executable, _SCRIPTS, loaded | _CUSTOM, hash_seed, address), file)
        program = folder / "python"
        program.write_text(f"#!{sys.executable} -IS\n{(_HERE / 'warm_client.py').read_text(encoding='utf-8')}")
        program.chmod(0o755)
        yield str(program)


class WarmInterpreter:
    """The same for as long as the tests run, started when it is first asked for."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._path = ""

    def path(self) -> str:
        """The path to name as the interpreter; without a PYTHONHASHSEED, all runs have the same one by chance."""
        if not self._path:
            folder = self._stack.enter_context(TemporaryDirectory(prefix="agentgate-warm-"))
            self._path = self._stack.enter_context(warm_python(Path(folder, "folder")))
        return self._path

    def close(self) -> None:
        """End the server, where it was started."""
        self._stack.close()
        self._path = ""


class WarmProgram:
    """The installed `git-agentgate`, with every module of the package imported already."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._stack = ExitStack()
        self._address = b""
        self._settings = {"LC_ALL": "C.UTF-8"}

    def close(self) -> None:
        """End the server, where it was started."""
        self._stack.close()
        self._address = b""

    def run(self, args: tuple[str, ...], directory: Path, environment: Mapping[str, str], data: bytes) -> _Ended:
        """As subprocess.run does with captured output."""
        argv = [self._program, *args]
        if self._settings != {name: text for name, text in environment.items() if name.startswith(_SETTINGS)}:
            return subprocess.run(argv, cwd=directory, env=environment, input=data, capture_output=True, check=False)
        if not self._address:
            self._address, _ = self._stack.enter_context(_server(_modules(), self._settings))
        with ExitStack() as stack:
            streams = [stack.enter_context(os.fdopen(os.memfd_create(name), "w+b")) for name in ("in", "out", "err")]
            streams[0].write(data)
            streams[0].seek(0)
            variables = {os.fsencode(name): os.fsencode(text) for name, text in environment.items()}
            order = (os.fsencode(directory), argv, variables, [0, 1, 2])
            status = _forked(self._address, order, [stream.fileno() for stream in streams])
            stdout, stderr = (os.pread(stream.fileno(), os.fstat(stream.fileno()).st_size, 0) for stream in streams[1:])
        return subprocess.CompletedProcess(argv, status, stdout, stderr)


_Ended = subprocess.CompletedProcess[bytes]


@contextmanager
def _server(modules: tuple[str, ...], settings: Mapping[str, str]) -> Iterator[tuple[bytes, frozenset[str]]]:
    """Its address, and the names of the top-level modules that it has imported."""
    address = b"\0agentgate-" + os.urandom(16).hex().encode()
    kept = {name: text for name, text in os.environ.items() if not name.startswith((*_SETTINGS, "PYTEST"))}
    argv = [sys.executable, str(_HERE / "fork_server.py"), address.hex(), *modules]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"LC_ALL": "C.UTF-8", **kept, **settings}
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        loaded = frozenset(server.stdout.readline().decode().split())
        assert loaded, "the server has not started"
        server.wait()  # what serves is no child of ours
        try:
            yield address, loaded
        finally:
            server.stdin.close()


def _forked(address: bytes, order: tuple[object, ...], descriptors: list[int]) -> int:
    """The status of a call to a server."""
    data = marshal.dumps(order)
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
        server.sendmsg([len(data).to_bytes(8, "big")], ancillary)
        server.sendall(data)
        return int(server.recv(64))


def _modules() -> tuple[str, ...]:
    """GitPython, and all of ours but what runs inside of other interpreters, or at once."""
    names = (found.name for found in pkgutil.walk_packages(agentgate_git.__path__, "agentgate_git."))
    return ("git", *(name for name in names if not name.startswith(("agentgate_git.inside", "agentgate_git.__main__"))))
