"""A Python that has pytest imported already: runs under it are forked, which takes a third of starting one.

For tests of what follows from many runs. What a run itself is, is tested with interpreters that are started.
The process below is a real one of the same interpreter, with a session, environment and descriptors of its own; a
project that has modules in the place of imported ones, or asks for another start, gets the real interpreter.
"""

from __future__ import annotations

import fcntl
import gc
import marshal
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HERE = os.path.dirname(os.path.abspath(__file__))
_INSIDE = os.path.join(os.path.dirname(_HERE), "agentgate_git", "inside")
_SCRIPTS = frozenset(os.path.join(_INSIDE, name) for name in ("launch.py", "falsify.py"))
_CUSTOM = frozenset(("sitecustomize", "usercustomize"))
# What pytest imports when the first test has failed.
_AT_A_FAILURE = ("faulthandler", "pdb", "email.parser")
_HIGH = 200


@contextmanager
def warm_python(folder: Path, hash_seed: str = "") -> Iterator[str]:
    """The path to name as the interpreter, for as long as the block lasts; `folder` is made.

    Runs with another PYTHONHASHSEED than `hash_seed` get the real interpreter.
    """
    folder.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    if hash_seed:
        environment["PYTHONHASHSEED"] = hash_seed
    argv = [sys.executable, os.path.abspath(__file__), str(folder)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        try:
            yield str(folder / "python")
        finally:
            server.stdin.close()


class Call:
    """One who asks, and the process that was forked for it."""

    def __init__(self, connection: socket.socket, order: bytes, descriptors: list[int]) -> None:
        self.connection = connection
        self.order = order
        self.descriptors = descriptors
        self.pid = 0
        self.process = -1


class Server:
    """Forks for each call; the end of stdin is the end."""

    def __init__(self, address: bytes) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(address)
        self._listener.listen(16)
        self._calls: list[Call] = []

    def serve(self) -> Call | None:
        """Comes back in a forked process, with the call that it is for; None at the end."""
        while True:
            ready = self._wait()
            if 0 in ready:
                return None
            for call in [call for call in self._calls if call.process in ready or call.connection.fileno() in ready]:
                self._end(call)
            if self._listener.fileno() in ready:
                call = _received(self._listener.accept()[0])
                self._calls.append(call)
                call.pid = os.fork()
                if call.pid == 0:
                    self._close()
                    return call
                for descriptor in call.descriptors:
                    os.close(descriptor)
                call.process = os.pidfd_open(call.pid)

    def _wait(self) -> set[int]:
        poll = select.poll()
        for descriptor in (0, self._listener.fileno()):
            poll.register(descriptor, select.POLLIN)
        for call in self._calls:
            poll.register(call.process, select.POLLIN)
            poll.register(call.connection, select.POLLIN)
        return {descriptor for descriptor, _ in poll.poll()}

    def _end(self, call: Call) -> None:
        """It is over, or nobody waits for it any more."""
        ended, status = os.waitpid(call.pid, os.WNOHANG)
        if ended:
            call.connection.sendall(b"%d" % os.waitstatus_to_exitcode(status))
        else:
            os.killpg(call.pid, signal.SIGKILL)
            os.waitpid(call.pid, 0)
        call.connection.close()
        os.close(call.process)
        self._calls.remove(call)

    def _close(self) -> None:
        """In a forked process: none of this is its own."""
        self._listener.close()
        for call in self._calls:
            call.connection.close()
            if call.process >= 0:
                os.close(call.process)


def _received(connection: socket.socket) -> Call:
    head, descriptors, _, _ = socket.recv_fds(connection, 8, 16)
    left = int.from_bytes(head, "big")
    parts = []
    while left:
        parts.append(connection.recv(left))
        left -= len(parts[-1])
    return Call(connection, b"".join(parts), descriptors)


def run(call: Call, import_path: list[str]) -> None:
    """Be the process that was asked for; ends with the SystemExit of its script."""
    directory, argv, environment, numbers = marshal.loads(call.order)
    os.setsid()
    os.chdir(directory)
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH) for descriptor in call.descriptors]
    for descriptor in call.descriptors:
        os.close(descriptor)
    for descriptor, number in zip(high, numbers, strict=True):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environb.update(environment)
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    own = [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]
    sys.path[:] = [os.path.dirname(argv[0]), *own, *import_path]
    sys.argv = argv
    runpy.run_path(argv[0], run_name="__main__")


def main(folder: str) -> None:
    """Import what every run imports before it looks at a project, and serve."""
    import_path = sys.path[1:]
    sys.path[:] = import_path
    names = (f"_pytest.{name}" for name in import_module("_pytest.config").default_plugins)
    for name in ("pytest", *names, *_AT_A_FAILURE):
        import_module(name)
    address = b"\0agentgate-" + os.urandom(16).hex().encode()
    with open(os.path.join(folder, "warm"), "wb") as file:
        loaded = frozenset(name.partition(".")[0] for name in sys.modules)
        marshal.dump((sys.executable, _SCRIPTS, loaded | _CUSTOM, os.environ.get("PYTHONHASHSEED", ""), address), file)
    with open(os.path.join(_HERE, "warm_client.py"), encoding="utf-8") as source:
        client = f"#!{sys.executable} -IS\n{source.read()}"
    with open(os.path.join(folder, "python"), "w", encoding="utf-8") as file:
        file.write(client)
    os.chmod(file.name, 0o755)
    gc.collect()
    gc.freeze()
    server = Server(address)
    os.write(1, b"ready\n")
    call = server.serve()
    if call is not None:
        run(call, import_path)


if __name__ == "__main__":
    main(sys.argv[1])
