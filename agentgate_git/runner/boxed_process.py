"""A process that runs tests in a box, whose limits are watched and whose output is bounded."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from time import monotonic

from agentgate_git.model.sandbox import BUBBLEWRAP
from agentgate_git.runner.box import Box, boxed_argv
from agentgate_git.runner.capped_log import CappedLog
from agentgate_git.runner.descendants import descendants
from agentgate_git.runner.limits import Limits, Watch, held_by_kernel
from agentgate_git.runner.process import SuiteProcess, open_pidfd

_CHUNK = 1 << 16
_PATIENCE = 15.0


class BoxedProcess(SuiteProcess):
    """A child in a box. Nobody types to it, and everything that it started ends with it, at once."""

    pause = 0.05  # a fork bomb doubles in less, and root is not held by the kernel

    def __init__(
        self,
        box: Box,
        argv: tuple[str, ...],
        directory: str,
        environment: Mapping[str, str],
        descriptors: tuple[int, ...],
        log: str = "",
        *,
        umask: int = -1,
    ) -> None:
        self._is_interactive = False
        self._umask = umask
        self._box = box
        limits = Limits(box.memory, box.processes, box.file_bytes)
        self._inner_ending = -1
        argv = boxed_argv(box._replace(home=box.home or environment.get("HOME", "")), argv, directory, descriptors)
        self._log: CappedLog | None = None
        with ExitStack() as stack:
            printed = None
            if log:
                self._log = CappedLog(log, box.output_bytes)
                self.output, printed = os.pipe()
                os.set_blocking(self.output, False)
                stack.callback(os.close, printed)
            try:
                self._start(argv, directory, environment, descriptors, printed, held_by_kernel(limits))
            except BaseException:
                stack.close()
                self.close()
                raise
        self._watch = Watch(self._popen.pid, limits)

    def status(self) -> int | None:
        """The exit status, 128 and its number for a signal; None while it runs."""
        self._find_inner()
        return super().status()

    def end(self) -> int:
        """End it and all that it started; the exit status."""
        self._find_inner()
        if self._inner_ending >= 0:
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self._inner_ending, signal.SIGKILL)  # its namespace ends with it
        else:
            self._popen.terminate()
        with suppress(subprocess.TimeoutExpired):
            return self._popen.wait(_PATIENCE)
        for pid in (*descendants(self._popen.pid), self._popen.pid):  # the keeper was stopped from keeping
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        return self._popen.wait()

    def run(self, seconds: float) -> int:
        """Take what it prints until it has ended; it is ended when it takes too long or too much. Its exit status."""
        deadline = monotonic() + seconds
        try:
            while (status := self.status()) is None:
                if select.select([self.output], [], [], self.pause)[0]:
                    self.take_output()
                if monotonic() > deadline or self.excess():
                    return self.end()
            return status
        except BaseException:
            self.end()
            raise
        finally:
            self.close()

    def interrupt(self) -> int:
        """The same: what is left of a run that is called off is of no use."""
        return self.end()

    def excess(self) -> str:
        """What it takes too much of, as a clause; empty when it keeps to the limits."""
        return self._watch.excess()

    def take_output(self) -> bool:
        """Read what was printed, as far as it has come; False when nobody is left to print."""
        data = b""
        if self._log is not None:
            data = os.read(self.output, _CHUNK)
            self._log.write(data)
        return bool(data)

    def close(self) -> None:
        """Wait until nothing of it is left, and close the log."""
        super().close()
        if self._inner_ending >= 0:
            select.select([self._inner_ending], [], [], _PATIENCE)
            os.close(self._inner_ending)
            self._inner_ending = -1
        if self._log is not None:
            self._drain(self._log)
            os.close(self.output)
            self._log.close()
            self._log = None

    def _drain(self, log: CappedLog) -> None:
        with suppress(BlockingIOError):
            while data := os.read(self.output, _CHUNK):
                log.write(data)

    def _find_inner(self) -> None:
        """The first process of the namespace, which bubblewrap started; its end is the end of all of them."""
        if self._box.kind == BUBBLEWRAP and self._inner_ending < 0:
            inner = next(descendants(self._popen.pid), -1)
            self._inner_ending = open_pidfd(inner) if inner > 0 else -1
