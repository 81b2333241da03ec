"""The one boundary: every exception ends here as one line, the right exit status, and nothing lost."""

from __future__ import annotations

import os
import sys

from agentgate_git import __version__
from agentgate_git.model.failure import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

EXIT_UNDECIDED = 3
EXIT_INTERRUPTED = 130


def guarded(action: Callable[[], int]) -> int:
    """Run a command; say on stderr why it could not be done."""
    try:
        status = action()
        sys.stdout.flush()
        return status
    except Failure as failure:
        _say(f"git agentgate: {failure}")
        return failure.exit_status
    except KeyboardInterrupt:
        _say("git agentgate: interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): not an answer, so not a success either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNDECIDED
    except Exception:
        _say(_crash_report())
        return EXIT_UNDECIDED


def _say(text: str) -> None:
    sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


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
