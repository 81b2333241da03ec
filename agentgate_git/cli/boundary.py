"""The one boundary: every exception ends here as one line, the right exit status, and nothing lost."""

from __future__ import annotations

import errno
import os
import sys

from agentgate_git import __version__
from agentgate_git.cli.endings import Ended, hear_endings
from agentgate_git.model.exit_status import EXIT_INTERRUPTED, EXIT_UNDECIDED
from agentgate_git.model.failure import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def guarded(action: Callable[[], int]) -> int:
    """Run a command; say on stderr why it could not be done."""
    hear_endings()
    try:
        return _finished(action)
    except Failure as failure:
        _say(str(failure))
        return failure.exit_status
    except KeyboardInterrupt:
        _say("interrupted")
        return EXIT_INTERRUPTED
    except Ended as ended:
        _say_last(f"ended by {ended.name}, and what was not finished is not recorded: run it again")
        return ended.exit_status
    except BrokenPipeError:
        # The reader went away (`| head`): not an answer, so not a success either.
        _silence_stdout()
        return EXIT_UNDECIDED
    except OSError as error:
        _silence_stdout()
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        _say(f"{place}{error.strerror or error}: {_step(error)}, then run it again")
        return EXIT_UNDECIDED
    except Exception:
        sys.stderr.write(_crash_report() + "\n")
        return EXIT_UNDECIDED


def _finished(action: Callable[[], int]) -> int:
    """The exit status, once all that was written has gone out; argparse ends with SystemExit after `-h`."""
    try:
        status = action()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else EXIT_UNDECIDED
    sys.stdout.flush()
    return status


def _step(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "make room there; TMPDIR says where scratch folders go"
    return "see that it exists, may be used and has room"


def _silence_stdout() -> None:
    """What could not be written is not tried again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    """One line, whatever stands in it."""
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    sys.stderr.write(f"git agentgate: {shown}\n")


def _say_last(text: str) -> None:
    """One line, where there is somebody left to hear it: the terminal may be what went away."""
    try:
        _say(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _crash_report() -> str:
    """A report to paste into an issue: versions, the command, where it happened."""
    import traceback  # noqa: PLC0415 - loaded only after a crash; a hook must not pay for it

    return "\n".join(
        [
            "git agentgate: could not finish, a defect of agentgate-git: please report what follows",
            "",
            f"agentgate-git {__version__}, Python {sys.version.split()[0]} on {sys.platform}",
            f"command: {' '.join(sys.argv[1:])}",
            "",
            traceback.format_exc().rstrip(),
        ]
    )
