"""`git agentgate ledger`: evidence as JSON lines, for scripts."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from agentgate_git.cli.session import Session
from agentgate_git.flows.export import export
from agentgate_git.flows.ledger import append, cat, load, object_of, summarise
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import KINDS, AppendReport
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_NO_EVIDENCE
from agentgate_git.model.oid import Oid

HELP = "Store and print evidence lines: append, cat, list, import; export them for other tools."
EXAMPLES = (
    ("git agentgate ledger list packets", "how many lines each tree has"),
    ("git agentgate ledger cat packets", "all of them, for `ledger import packets` elsewhere"),
)


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
            what = "a tree, or a commit for its tree"
            deed.add_argument("object", nargs=takes or None, default="", metavar="OBJECT", help=what)
        if name == "export":
            deed.add_argument("--key", default="", metavar="FILE", help="the SSH key that signed (user.signingkey)")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with Workspace(session.directory, session.environ, is_clean=False) as workspace:
        ledger = workspace.ledger()
        if args.deed == "list":
            return _print(session, summarise(ledger, args.kind), _nothing(args.kind))
        if args.deed == "import":
            return _report(session, load(ledger, args.kind, session.read_input().split(b"\n")))
        key = object_of(workspace, args.object) if args.object else ""
        if args.deed == "append":
            return _report(session, append(ledger, args.kind, key, session.read_input().split(b"\n")))
        if args.deed == "cat":
            return _print(session, cat(ledger, args.kind, key), _nothing(args.kind, key))
        return _export(session, workspace, args, key)


def _export(session: Session, workspace: Workspace, args: argparse.Namespace, key: Oid) -> int:
    lines, left_out = export(workspace, args.kind, key, session.path(args.key) if args.key else "")
    if left_out:
        session.say(f"git agentgate: {left_out} line(s) left out that this key did not sign: name the key that did")
        return _print(session, lines)
    return _print(session, lines, _nothing(args.kind, key))


def _nothing(kind: str, key: Oid = "") -> str:
    about = f" about tree {key}" if key else ""
    return f"git agentgate: no {kind} are kept here{about}: run `git agentgate sync` for those of a remote"


def _print(session: Session, lines: Iterable[bytes], nothing: str = "") -> int:
    """The lines, or what is to be said where there are none; the exit status."""
    has_lines = False
    for line in lines:
        session.write_bytes(line + b"\n")
        has_lines = True
    if not has_lines and nothing:
        session.say(nothing)
    return EXIT_ALLOW if has_lines else EXIT_NO_EVIDENCE


def _report(session: Session, report: AppendReport) -> int:
    session.say(f"{report.written} line(s) stored, {report.already} were there already")
    return EXIT_ALLOW
