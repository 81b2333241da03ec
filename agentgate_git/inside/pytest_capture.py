"""The `pytest11` entry point: `pytest --agentgate` hands the run over to `git agentgate capture`.

Without the flag it adds one option and does nothing else. Whether a run is a pass is for a parent process
to say, so this process is replaced by that parent before it loads a conftest or captures output.
"""

from __future__ import annotations

import os
import sys

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, NoReturn, Tuple

FLAG = "--agentgate"
RECORDER = "agentgate-recorder"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag."""
    parser.getgroup("agentgate").addoption(
        FLAG,
        action="store_true",
        dest="agentgate",
        help="run the tests under `git agentgate capture` and keep the outcome as evidence for this tree",
    )


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Hand over when asked to, unless this run is recorded already."""
    if early_config.known_args_namespace.agentgate and not _is_recorded(early_config):
        _hand_over(tuple(early_config.invocation_params.args))
    yield


def _is_recorded(config: pytest.Config) -> bool:
    return config.pluginmanager.has_plugin(RECORDER) or "PYTEST_XDIST_WORKER" in os.environ


def _hand_over(args: Tuple[str, ...]) -> NoReturn:
    """Become the parent, which starts the tests in this same interpreter with these same arguments."""
    rest = [os.fspath(arg) for arg in args if arg != FLAG]
    sys.stdout.flush()
    sys.stderr.flush()
    # -P: the directory that pytest was started in must not be where our own modules come from.
    argv = [sys.executable, "-P", "-m", "agentgate_git", "capture", "--python", sys.executable, "--", *rest]
    os.execv(sys.executable, argv)  # noqa: S606 - no shell is wanted
