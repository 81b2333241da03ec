"""Starting the process that runs tests, and ending it with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack, suppress

from agentgate_git.model.failure import Undecided

_GRACE = 3.0


class SuiteProcess:
    """A running child.

    It leads a session of its own, so that a time limit reaches everything it started. Only where a person
    may want to type to it does it stay in ours: there Ctrl-C, Ctrl-Z and a debugger work as they do with
    a bare pytest.
    """

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
        with ExitStack() as stack:
            output = stack.enter_context(open(log, "ab")) if log else None
            try:
                self._popen = subprocess.Popen(
                    argv,
                    cwd=directory,
                    env=dict(environment),
                    stdin=None if is_interactive else subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=descriptors,
                    start_new_session=not is_interactive,
                    umask=umask,
                )
            except OSError as error:
                raise Undecided(
                    f"{argv[0]} cannot be started ({error.strerror})", "name another interpreter with --python"
                ) from error

    def has_ended(self) -> bool:
        """True when there is an exit status."""
        return self._popen.poll() is not None

    def wait(self, seconds: float | None) -> int | None:
        """The exit status, negative for a signal; None when `seconds` passed without one."""
        try:
            return self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

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

    def _end_after_grace(self) -> int:
        self.wait(_GRACE)
        self._signal(signal.SIGKILL)
        return self._popen.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self._is_interactive:
            self._popen.send_signal(number)
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)
