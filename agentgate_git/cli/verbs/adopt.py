"""`git agentgate adopt`: a human takes over what the gate refuses; an agent asks for it."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.adopt import Wanted, adopt, list_adoptions, list_requests, request, request_staged
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.adoption import Adoption, ListedAdoption
from agentgate_git.model.failure import UsageFailure
from agentgate_git.render.adoptions import adoption_text, listed_json, listed_text

_NOTHING = (
    "git agentgate: nothing blocks here that a human could adopt: name a path or a test if it should be all the same"
)

HELP = "Take over, as an enrolled human, what the gate refuses in agent work; or ask for that."
EXAMPLES = (
    ("git agentgate adopt --request --staged --reason 'forks need it'", "an agent asks, before it commits"),
    ("git agentgate adopt --list", "a human sees what is asked for"),
    ("git agentgate adopt HEAD --path .github/workflows/ci.yml --key ~/.ssh/id_ed25519", "and takes it over"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rev", nargs="?", default="", metavar="REV", help="the proposal that ends here (HEAD)")
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--path", action="append", default=[], metavar="PATH", help="a path of a finding; else all")
    parser.add_argument("--test", action="append", default=[], metavar="ID", help="a test, as path::name")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for whoever reads it later")
    parser.add_argument("--key", default="", metavar="FILE", help="the SSH key to sign with (user.signingkey)")
    parser.add_argument("--staged", action="store_true", help="with --request: what the index would commit")
    deed = parser.add_mutually_exclusive_group()
    deed.add_argument("--request", action="store_true", help="ask a human for it; nothing is signed")
    deed.add_argument("--list", action="store_true", help="print what is kept about REV; without one, every request")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to list")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    if args.list and (args.path or args.test or args.reason or args.key):
        raise UsageFailure("--list goes with a revision and a base only", "leave the rest out")
    if args.staged and (not args.request or args.rev or args.base):
        raise UsageFailure("--staged goes with --request, and with no revision or base", "leave the rest out")
    with Workspace(session.directory, session.environ, is_clean=not args.staged) as workspace:
        if args.list:
            return _list(args, session, workspace)
        wanted = Wanted(
            rev=args.rev or "HEAD",
            now=session.now(),
            base=args.base,
            paths=tuple(args.path),
            tests=tuple(args.test),
            reason=args.reason,
        )
        if args.request:
            asked = request_staged(workspace, wanted) if args.staged else request(workspace, wanted)
            return _tell_asked(asked, session)
        return _sign(args, wanted, session, workspace)


def _list(args: argparse.Namespace, session: Session, workspace: Workspace) -> int:
    found: tuple[ListedAdoption, ...] = tuple(
        list_adoptions(workspace, args.rev, args.base) if args.rev else list_requests(workspace)
    )
    session.write(listed_json(found) + "\n" if args.format == "json" else listed_text(found))
    return 0


def _tell_asked(asked: Adoption | None, session: Session) -> int:
    if asked is None:
        session.say(_NOTHING)
        return 0
    session.write(adoption_text(asked, "asked for"))
    session.say("git agentgate: run `git agentgate sync` to share the request, and leave the rest to a human")
    return 0


def _sign(args: argparse.Namespace, wanted: Wanted, session: Session, workspace: Workspace) -> int:
    signed = adopt(workspace, wanted, session.path(args.key) if args.key else "")
    if signed is None:
        session.say(_NOTHING)
        return 0
    session.write(adoption_text(signed.adoption, f"adopted by {signed.principal}"))
    session.say("git agentgate: run `git agentgate sync` to share it")
    return 0
