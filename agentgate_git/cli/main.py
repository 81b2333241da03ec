"""Where `git agentgate` starts: hooks go straight to their small part, everything else to the command table."""

from __future__ import annotations

import os
import sys

from agentgate_git.cli.boundary import guarded


def main() -> int:
    """The console script; the exit status."""
    _open_missing_streams()
    return guarded(_run)


def _run() -> int:
    """Load what was asked for and do it; Ctrl-C may come while modules load, too."""
    argv = tuple(sys.argv[1:])
    if argv[:1] == ("hook",):
        from agentgate_git.hook.stages import run_stage  # noqa: PLC0415 - the command table: a hook loads nothing else

        return run_stage(argv[1:], os.environ)
    from agentgate_git.cli.commands import run_command  # noqa: PLC0415 - the command table

    return run_command(argv, os.environ)


def _open_missing_streams() -> None:
    """Started with a stream closed (`>&-`), Python has None there, and the next file would take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
