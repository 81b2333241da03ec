"""`git agentgate run`: seal, run, score and decide a proposal, as a runner that had no part in it."""

from __future__ import annotations

import argparse
import os

from agentgate_git.cli.run_progress import run_progress
from agentgate_git.cli.session import Session
from agentgate_git.flows.run import RunRequest, run_sealed
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.sandbox import AUTO, WANTED
from agentgate_git.render.sealed_run import sealed_run_json, sealed_run_text

HELP = "Seal a proposal, run its tests in a sandbox under its pins, score credit, and keep signed evidence of it."
EXAMPLES = (
    (
        "git agentgate run HEAD --author-job agent-17 --runner-job ci-88 --key ~/.ssh/runner",
        "a job name for each run; the key is one that the base enrols as runner:NAME",
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rev", nargs="?", default="HEAD", metavar="REV", help="the proposal that ends here (HEAD)")
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--author-job", default="", metavar="JOB", help="the job that wrote the change")
    parser.add_argument("--runner-job", default="", metavar="JOB", help="the job that runs it (a new name of its own)")
    parser.add_argument("--proposal", default="", metavar="ID", help="what the change is a part of (the author's job)")
    parser.add_argument("--key", default="", metavar="FILE", help="the runner's SSH key (user.signingkey)")
    parser.add_argument("--sandbox", choices=WANTED, default=AUTO, help="auto: bubblewrap where it can work, else none")
    parser.add_argument("--python", default="", metavar="PATH", help="the project's interpreter, which has pytest")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to answer")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    request = RunRequest(
        rev=args.rev,
        author_job=args.author_job or session.environ.get("AGENTGATE_AUTHOR_JOB", ""),
        runner_job=args.runner_job or session.environ.get("AGENTGATE_RUNNER_JOB", "") or f"run-{os.urandom(6).hex()}",
        clock=session.now,
        base=args.base,
        proposal_id=args.proposal,
        key=session.path(args.key) if args.key else "",
        python=args.python,
        sandbox=args.sandbox,
    )
    with (
        Workspace(session.directory, session.environ, is_clean=True) as workspace,
        run_progress(session) as watcher,
    ):
        result = run_sealed(workspace, request, watcher)
    if args.format == "json":
        session.write(sealed_run_json(result) + "\n")
        return result.exit_status
    *lines, decision = sealed_run_text(result).splitlines()
    for line in lines:
        session.say(line)
    session.write(decision + "\n")
    return result.exit_status
