"""Starting the process that runs tests, and ending it with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress

from agentgate_git.model.failure import Undecided

_GRACE = 3.0


class SuiteProcess:
    """A running child.

    It leads a session of its own, so that a time limit reaches everything it started. Only where a person
    may want to type to it does it stay in ours: there Ctrl-C, Ctrl-Z and a debugger work as they do with
    a bare pytest.

    `descriptors` are for it alone; `umask` is set in it, -1 leaves it. `ending` is a descriptor that can be read when
    it has ended, -1 where the system has none; `output` one that can be read when it printed something, -1 when that
    goes elsewhere by itself. It should be looked at every `pause` seconds.
    """

    ending = -1
    output = -1
    pause = 0.2

    def __init__(
        self,
        argv: tuple[str, ...],
        directory: str,
        environment: Mapping[str, str],
        descriptors: tuple[int, ...],
        log: str = "",
        *,
        is_interactive: bool = False,
        umask: int = -1,
    ) -> None:
        self._is_interactive = is_interactive
        self._umask = umask
        with ExitStack() as stack:
            output = stack.enter_context(open(log, "ab")).fileno() if log else None
            self._start(argv, directory, environment, descriptors, output, None)

    def _start(
        self,
        argv: tuple[str, ...],
        directory: str,
        environment: Mapping[str, str],
        descriptors: tuple[int, ...],
        output: int | None,
        prepare: Callable[[], None] | None,
    ) -> None:
        try:
            self._popen = subprocess.Popen(
                argv,
                cwd=directory,
                env=dict(environment),
                stdin=None if self._is_interactive else subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=descriptors,
                start_new_session=not self._is_interactive,
                umask=self._umask,
                preexec_fn=prepare,
            )
        except OSError as error:
            raise Undecided(
                f"{argv[0]} cannot be started ({error.strerror})", "name another interpreter with --python"
            ) from error
        self.ending = open_pidfd(self._popen.pid)

    def status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._popen.poll()

    def end(self) -> int:
        """Ask it to end, then make it; the exit status."""
        self._signal(signal.SIGTERM)
        return self._end_after_grace()

    def interrupt(self) -> int:
        """Pass Ctrl-C on; the exit status. The terminal has told a child in our session already."""
        if self._is_interactive:
            return self._popen.wait()
        self._signal(signal.SIGINT)
        return self._end_after_grace()

    def excess(self) -> str:
        """What it takes too much of, as a clause; it may take what it likes here."""
        return ""

    def take_output(self) -> bool:
        """Called when `output` can be read; False when there will be no more."""
        return False

    def close(self) -> None:
        """Give up what is open, once it has ended."""
        if self.ending >= 0:
            os.close(self.ending)
            self.ending = -1

    def _end_after_grace(self) -> int:
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_GRACE)
        self._signal(signal.SIGKILL)  # what it started may have stayed
        return self._popen.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self._is_interactive:
            self._popen.send_signal(number)
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)


def open_pidfd(pid: int) -> int:
    """A descriptor that can be read when the process has ended; -1 where there is no such thing, or it is gone."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1
