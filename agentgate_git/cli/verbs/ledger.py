"""`git agentgate ledger`: evidence as JSON lines, for scripts."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from agentgate_git.cli.session import Session
from agentgate_git.flows.export import export
from agentgate_git.flows.ledger import append, cat, load, summarise
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import KINDS, AppendReport
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_NO_EVIDENCE

HELP = "Store and print evidence lines: append, cat, list, import; export them for other tools."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="append|cat|list|import|export")
    for name, takes, text in (
        ("append", "", "store envelope lines from stdin under one object"),
        ("cat", "?", "print the lines of one object, or of all"),
        ("list", None, "print how many lines each object has"),
        ("import", None, "store what `cat KIND` wrote, from stdin, in one batch"),
        ("export", "", "print the lines that a key signed, with its signature as tools of DSSE check it"),
    ):
        deed = deeds.add_parser(name, help=text, description=text, allow_abbrev=False)
        deed.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
        if takes is not None:
            deed.add_argument("object", nargs=takes or None, default="", metavar="OBJECT", help="the full id of a tree")
        if name == "export":
            deed.add_argument("--key", default="", metavar="FILE", help="the SSH key that signed (user.signingkey)")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with Workspace(session.directory, session.environ, is_clean=False) as workspace:
        ledger = workspace.ledger()
        if args.deed == "export":
            return _export(session, workspace, args)
        if args.deed == "cat":
            _print(session, cat(ledger, args.kind, args.object))
        elif args.deed == "list":
            _print(session, summarise(ledger, args.kind))
        elif args.deed == "append":
            _report(session, append(ledger, args.kind, args.object, session.read_input().split(b"\n")))
        else:
            _report(session, load(ledger, args.kind, session.read_input().split(b"\n")))
    return EXIT_ALLOW


def _export(session: Session, workspace: Workspace, args: argparse.Namespace) -> int:
    lines, left_out = export(workspace, args.kind, args.object, session.path(args.key) if args.key else "")
    _print(session, lines)
    if left_out:
        session.say(f"git agentgate: {left_out} line(s) left out that this key did not sign: name the key that did")
    return EXIT_ALLOW if lines else EXIT_NO_EVIDENCE


def _print(session: Session, lines: Iterable[bytes]) -> None:
    for line in lines:
        session.write_bytes(line + b"\n")


def _report(session: Session, report: AppendReport) -> None:
    session.say(f"{report.written} line(s) stored, {report.already} were there already")
