"""A process that has imported what many processes begin with, and forks one of them for each call.

Started as `python fork_server.py ADDRESS MODULE …`, with the address in hexadecimal. Each fork is a process with a
session, environment, directory and descriptors of its own, and runs a script as the interpreter would run it.
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
import sys
import time
from importlib import import_module

_HIGH = 200


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
    time.tzset()
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    own = [path for path in os.environ.get("PYTHONPATH", "").split(":") if path]
    sys.path[:] = [os.path.dirname(argv[0]), *own, *import_path]
    sys.argv = argv
    runpy.run_path(argv[0], run_name="__main__")


def main(address: bytes, modules: list[str]) -> None:
    """Import, and serve until stdin ends; what was imported is said on stdout.

    In a process that is no child of who started it: tests look whether the code under test leaves children behind.
    """
    if os.fork():
        os._exit(0)
    os.setsid()
    import_path = sys.path[1:]
    sys.path[:] = import_path
    for name in modules:
        import_module(name)
    gc.collect()
    gc.freeze()
    server = Server(address)
    os.write(1, " ".join(sorted({name.partition(".")[0] for name in sys.modules})).encode() + b"\n")
    call = server.serve()
    if call is not None:
        run(call, import_path)


if __name__ == "__main__":
    main(bytes.fromhex(sys.argv[1]), sys.argv[2:])
