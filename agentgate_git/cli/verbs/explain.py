"""`git agentgate explain`: what the evidence about a proposal answers, or what a code means."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.code_pages import code_page
from agentgate_git.flows.explain import explain_revision
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.code import ALLOW, CODES
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_NO_EVIDENCE
from agentgate_git.render.explanation import code_json, code_text, explanation_json, explanation_text
from agentgate_git.render.formats import JSON, TEXT

HELP = "Say from evidence alone who wrote, who sealed, what has credit and what is frozen; or what a code means."
EXAMPLES = (
    ("git agentgate explain HEAD", "who wrote it, who ran it, what bites"),
    ("git agentgate explain E_STALE", "the page of a code"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "topic", nargs="?", default="HEAD", metavar="REV|CODE", help="the proposal that ends here (HEAD), or a code"
    )
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--format", choices=(TEXT, JSON), default=TEXT, help="how it is written (text)")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    is_json = args.format == JSON
    if args.topic == ALLOW or (args.topic.startswith("E_") and args.topic.isupper()):
        page = code_page(args.topic)
        info = CODES[args.topic]
        session.write(code_json(info, page) + "\n" if is_json else code_text(info, page))
        return EXIT_ALLOW
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        found = explain_revision(workspace, args.topic, args.base, session.now())
    status = EXIT_ALLOW if found.seals else EXIT_NO_EVIDENCE
    session.write(explanation_json(found, status) + "\n" if is_json else explanation_text(found))
    if not found.seals:
        session.say("git agentgate: no seal is kept for this tree on this base: have a runner seal and run it, or sync")
    return status
