"""`git agentgate verify`: derive the evidence again and decide."""

from __future__ import annotations

import argparse
import os

from agentgate_git.cli.ranges import split_range
from agentgate_git.cli.rerun_progress import run_again_progress
from agentgate_git.cli.session import Session
from agentgate_git.flows.packets.record_verdict import record_verdicts
from agentgate_git.flows.sync import connect, fetch
from agentgate_git.flows.verify import DEPTHS, POLICY, VerifyRequest, exit_status_of, verify
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import Failure, UsageFailure
from agentgate_git.model.verdict import VerifyResult
from agentgate_git.render.json_format import verify_json
from agentgate_git.render.printable import printable
from agentgate_git.render.text import authors_text, verify_text

# Who says so, in a recorded verdict: the tool itself, since nothing is signed.
VERIFIER = "urn:agentgate-git:verify"

HELP = "Re-derive the evidence of revisions and answer ALLOW or exactly one code."
EXAMPLES = (
    ("git agentgate verify", "HEAD"),
    ("git agentgate verify HEAD --base origin/main --fetch origin", "in CI, with the evidence of the remote"),
    ("git agentgate verify origin/main..HEAD --depth lookup", "each commit of a range, without running tests"),
    ("git agentgate verify --log tests.log", "where the output of the tests goes"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("revs", nargs="*", default=["HEAD"], metavar="REV", help="revisions or ranges A..B (HEAD)")
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--depth", choices=DEPTHS, default=POLICY, help="how far to derive again (default policy)")
    parser.add_argument("--packet", default="", metavar="FILE", help="take the packet from a file, not from the notes")
    parser.add_argument("--python", default="", metavar="PATH", help="the project's interpreter, which has pytest")
    parser.add_argument("--log", default=os.devnull, metavar="FILE", help="where the output of the tests goes")
    parser.add_argument("--base-run", action="store_true", help="run the base's tests to compare outcomes with")
    parser.add_argument("--replay-base", action="store_true", help="run the base's tests on the head's code")
    parser.add_argument("--fetch", default="", metavar="REMOTE", help="fetch the evidence of a remote first")
    parser.add_argument("--record", action="store_true", help="keep the verdict as an unsigned note on the tree")
    parser.add_argument("--explain-authorship", action="store_true", help="in text: who made each commit, and why")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to answer")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    request = VerifyRequest(
        base=args.base,
        depth=args.depth,
        python=args.python,
        packet_file=_packet(args.packet, session),
        now=session.now(),
        log=session.path(args.log),
        runs_base=args.base_run,
        replays_base=args.replay_base,
    )
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        if args.fetch:
            fetch(workspace.ledger(), *connect(workspace, args.fetch))
        with run_again_progress(session) as observer:
            results, failures = _answers(workspace, request._replace(observer=observer), args.revs)
        if args.record:
            record_verdicts(workspace, results, VERIFIER, session.now())
    for failure in failures:
        session.say(printable(f"git agentgate: {failure}"))
    status = exit_status_of((*results, *failures))
    if failures and not results:
        return status
    if not results:
        session.say("git agentgate: the range is empty: there is nothing to verify")
    session.write(verify_json(results, status) + "\n" if args.format == "json" else verify_text(results))
    if args.explain_authorship and args.format == "text":
        for result in results:
            session.write(authors_text(result.authorship))
    return status


def _answers(
    workspace: Workspace, request: VerifyRequest, given: list[str]
) -> tuple[tuple[VerifyResult, ...], list[Failure]]:
    """An answer for each revision that there is, and what stands against the others: one bad name hides no answer."""
    results: list[VerifyResult] = []
    failures: list[Failure] = []
    for name in given:
        try:
            results.extend(verify(workspace, request, rev) for rev in _expand(workspace, name))
        except Failure as failure:
            failures.append(failure)
    return tuple(results), failures


def _expand(workspace: Workspace, given: str) -> tuple[str, ...]:
    if ".." not in given:
        return (given,)
    return workspace.proposals.listed(*split_range(given))


def _packet(name: str, session: Session) -> bytes | None:
    if not name:
        return None
    try:
        with open(session.path(name), "rb") as data:
            return data.read()
    except OSError as error:
        raise UsageFailure(f"{name} cannot be read ({error.strerror})", "name a file with a packet line") from error
