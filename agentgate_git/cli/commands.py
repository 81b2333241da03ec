"""The command table: verbs by name, each loaded when it is asked for."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Mapping
from importlib import import_module

from agentgate_git import __version__
from agentgate_git.cli.session import Session
from agentgate_git.model.exit_status import EXIT_ALLOW
from agentgate_git.model.failure import UsageFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, Protocol

    class Verb(Protocol):
        """What a module in cli/verbs offers; its examples are pairs of a command and what it is for."""

        HELP: str
        EXAMPLES: tuple[tuple[str, str], ...]

        def add_arguments(self, parser: argparse.ArgumentParser) -> None:
            """Declare the verb's arguments."""

        def run(self, args: argparse.Namespace, session: Session) -> int:
            """Do it; the exit status."""


VERBS = (
    "install",
    "uninstall",
    "doctor",
    "selftest",
    "snapshot",
    "pins",
    "check",
    "scan",
    "adopt",
    "capture",
    "verify",
    "run",
    "decide",
    "freeze",
    "explain",
    "logs",
    "show",
    "log",
    "sync",
    "ledger",
    "receive",
    "merge-driver",
    "demo",
    "help",
)
# Verbs that hand what stands behind `--` on to another program.
PASSING_ON = ("capture",)
_EXAMPLES = "examples:\n"


class _Help(argparse.HelpFormatter):
    """As wide as the terminal, found without shutil: argparse makes one for each argument, and that costs a start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Commands keep their lines: a broken one cannot be pasted."""
        prose, heading, commands = text.partition(_EXAMPLES)
        return (super()._fill_text(prose, width, indent) + "\n\n" if prose else "") + heading + commands


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns or 80)
    except (ValueError, OSError):
        return 80


class _Parser(argparse.ArgumentParser):
    """argparse that answers bad usage with one line and the next step."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, **options)

    def error(self, message: str) -> NoReturn:
        raise UsageFailure(message, f"see `{self.prog} -h`")


def run_command(argv: tuple[str, ...], environ: Mapping[str, str]) -> int:
    """`git agentgate …` but for hooks; the exit status."""
    before, after = _split_at_verb(argv)
    top = top_parser()
    known = top.parse_args(before)
    if known.version:  # argparse's own action breaks the line where the terminal is narrow
        sys.stdout.write(f"agentgate-git {__version__}\n")
        return EXIT_ALLOW
    if known.verb is None:
        top.print_help(sys.stderr)
        return UsageFailure.exit_status
    gc.set_threshold(50_000)  # a short life with few cycles; what collecting costs at start-up it never earns
    verb = load(known.verb)
    own, passed_on = _split_at_dashes(after) if known.verb in PASSING_ON else (after, ())
    args = verb_parser(known.verb, verb).parse_args(own, argparse.Namespace(passed_on=passed_on))
    return verb.run(args, Session(environ, os.path.abspath(known.C)))


def _split_at_verb(argv: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands up to the verb, and what belongs to the verb; argparse alone would take a `--` behind it."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] == "-C" else 1
    return argv[: at + 1], argv[at + 1 :]


def _split_at_dashes(argv: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if "--" not in argv:
        return argv, ()
    at = argv.index("--")
    return argv[:at], argv[at + 1 :]


def top_parser() -> argparse.ArgumentParser:
    """The parser of what stands before the verb."""
    parser = _Parser(
        prog="git agentgate",
        description='Makes "green" re-derivable from the commit itself.',
        epilog="verbs: " + ", ".join(VERBS) + ". `git agentgate help VERB` says more.",
        allow_abbrev=False,
    )
    parser.add_argument("-C", metavar="PATH", default=".", help="run as if started in PATH")
    parser.add_argument("--version", action="store_true", help="show program's version number and exit")
    parser.add_argument("verb", nargs="?", metavar="VERB", choices=VERBS, help="what to do")
    return parser


def verb_parser(name: str, verb: Verb) -> argparse.ArgumentParser:
    """The parser of one verb's arguments."""
    parser = _Parser(prog=f"git agentgate {name}", description=verb.HELP, allow_abbrev=False)
    verb.add_arguments(parser)
    parser.epilog = (parser.epilog or "") + _EXAMPLES + "".join(f"  {line}\n" for line in example_lines(verb))
    return parser


def example_lines(verb: Verb) -> tuple[str, ...]:
    """The examples of a verb as its help and the documentation show them, each command behind what it is for."""
    return tuple(line for command, what in verb.EXAMPLES for line in (f"# {what}", command))


def load(name: str) -> Verb:
    """The module of a verb."""
    verb: Verb = import_module(f"agentgate_git.cli.verbs.{name.replace('-', '_')}")
    return verb
