"""What stands for the interpreter under a WarmPython: hands the call over to its server, or to the real one.

Copied behind a `#!` line into the server's folder. It imports what an interpreter has built in, and nothing else.
"""

from __future__ import annotations

import _socket
import marshal
import os
import sys

# With any other of its variables Python would start in another way.
_UNDERSTOOD = frozenset(("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"))


def main() -> None:
    """End as the run ended."""
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))
    with open(os.path.join(folder, "warm"), "rb") as file:
        python, scripts, loaded, seed, address = marshal.load(file)
    if sys.argv[1:2] == [] or sys.argv[1] not in scripts or _starts_otherwise(loaded, seed):
        os.execv(python, [python, *sys.argv[1:]])
    descriptors = [0, 1, 2, *map(int, sys.argv[2:])]
    order = marshal.dumps((os.getcwdb(), sys.argv[1:], dict(os.environb), descriptors))
    status = _asked(address, order, descriptors)
    if status < 0:
        os.kill(os.getpid(), -status)
    os._exit(status)


def _starts_otherwise(loaded: frozenset[str], seed: str) -> bool:
    """True under other settings, and where the project has modules in the place of those that are loaded already."""
    if os.environ.get("PYTHONHASHSEED", "") != seed:
        return True
    if any(name.startswith("PYTHON") and name not in _UNDERSTOOD for name in os.environ):
        return True
    folders = [os.getcwd(), *os.environ.get("PYTHONPATH", "").split(":")]
    names = (name for folder in folders if os.path.isdir(folder) for name in os.listdir(folder))
    return any(name.partition(".")[0] in loaded for name in names)


def _asked(address: bytes, order: bytes, descriptors: list[int]) -> int:
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    server.connect(address)
    packed = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
    server.sendmsg([len(order).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, packed)])
    rest = memoryview(order)
    while rest:
        rest = rest[server.send(rest) :]
    return int(server.recv(64))


if __name__ == "__main__":
    main()
