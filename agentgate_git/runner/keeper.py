"""Where there is no bubblewrap: a process between us and the tests that outlives what they do, and ends them all.

Tests may end their parent and their process group, and leave processes behind that belong to nobody. So the tests
lead a session of their own, their parent does nothing but wait, and the parent of that one, this process, adopts and
ends whatever is left. Code that looks for this process can end it too.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import NoReturn

from agentgate_git.runner.descendants import end_descendants

_PDEATHSIG, _SUBREAPER = 1, 36  # prctl
_PATIENCE = 10.0


class _Ended(BaseException):
    """Somebody wants this to be over."""


def main(argv: list[str]) -> int:
    """`PARENT DESCRIPTORS PROGRAM ARGUMENT…`: run the program, and end all that it started when it or we end."""
    parent, descriptors, program = int(argv[0]), tuple(map(int, filter(None, argv[1].split(",")))), argv[2:]
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _end)
    status = 128 + signal.SIGTERM
    try:
        _prctl(_SUBREAPER, 1)
        _prctl(_PDEATHSIG, signal.SIGTERM)
        if os.getppid() == parent:
            status = _run(program, descriptors)
    except _Ended:
        pass
    end_descendants(_PATIENCE)
    return status


def _end(_number: int, _frame: object) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise _Ended


def _run(program: list[str], descriptors: tuple[int, ...]) -> int:
    """The exit status, 128 and the signal's number for one that a signal ended."""
    child = os.fork()
    if child == 0:
        _wait_for(program, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    return _status(os.waitpid(child, 0)[1])


def _wait_for(program: list[str], descriptors: tuple[int, ...]) -> NoReturn:
    """The life of the tests' parent."""
    status = 127
    try:
        _forget_signals()
        _prctl(_PDEATHSIG, signal.SIGKILL)
        child = os.fork()
        if child == 0:
            _prctl(_PDEATHSIG, signal.SIGKILL)
            os.setsid()
            os.execv(program[0], program)  # noqa: S606 - no shell is wanted
        for descriptor in descriptors:
            os.close(descriptor)
        status = _status(os.waitpid(child, 0)[1])
    except OSError as error:
        print(f"{program[0]}: {error.strerror}", file=sys.stderr, flush=True)
    finally:
        os._exit(status)


def _forget_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _status(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _prctl(option: int, value: int) -> None:
    """Ask Linux; elsewhere there is no such thing, and what it would have held is not held."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)
