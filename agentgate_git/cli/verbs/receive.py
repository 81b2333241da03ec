"""`git agentgate receive`: the hook of a server repository; it judges what is pushed and writes nothing."""

from __future__ import annotations

import argparse
import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from agentgate_git.cli.session import Session
from agentgate_git.flows.clone.server import server_limits
from agentgate_git.flows.receive import OutOfTime, read_updates, receive, ref_update
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED
from agentgate_git.model.failure import Failure
from agentgate_git.model.received import RefUpdate
from agentgate_git.render.received import received_lines, refusal_line, summary_line

HELP = "Judge a push to this server repository: its pre-receive hook (refs on stdin), update hook or gitolite VREF."
EXAMPLES = (("git agentgate receive", "what `install --server pre-receive` has git call"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--update", nargs=3, default=(), metavar=("REF", "OLD", "NEW"), help="one ref, as an update hook is told of it"
    )


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it: 0 when the push may go in, 1 for whatever else."""
    try:
        updates = (ref_update(*args.update),) if args.update else read_updates(session.read_input())
        refused = _judge(updates, session) if updates else 0
    except Failure as failure:
        session.say(refusal_line(failure.message, failure.next_step))
        return EXIT_REJECTED
    if refused:
        session.say(summary_line(refused, is_one_ref=bool(args.update)))
    return EXIT_REJECTED if refused else EXIT_ALLOW


def _judge(updates: tuple[RefUpdate, ...], session: Session) -> int:
    """Say what is found; how many refs are refused."""
    refused = 0
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        limits = server_limits(workspace.clone)
        with _time_limit(limits.seconds):
            for answer in receive(workspace, updates, limits):
                for line in received_lines(answer):
                    session.say(line)
                refused += answer.is_refused()
    return refused


@contextlib.contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
    """Whatever a push holds, its judgement ends."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        step = "push less at once, or raise agentgate.maxSeconds on the server"
        raise OutOfTime(f"this push could not be judged within {seconds} seconds", step)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
