"""`git agentgate help`: what a verb or a code means, without a man page."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.model.code import CODES
from agentgate_git.model.failure import UsageFailure

HELP = "Explain a verb or a code; without either, list both."
EXAMPLES = (
    ("git agentgate help verify", "how a verb is called"),
    ("git agentgate help E_STALE", "what a code means, in two lines"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("topic", nargs="?", default="", metavar="VERB|CODE", help="what to explain")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    session.write(_text(args.topic))
    return 0


def _text(topic: str) -> str:
    from agentgate_git.cli.commands import VERBS, load, top_parser, verb_parser  # noqa: PLC0415 - it loads us

    if topic in CODES:
        info = CODES[topic]
        return f"{info.code}: {info.title}\nnext: {info.next_step}\n"
    if topic in VERBS:
        return verb_parser(topic, load(topic)).format_help()
    if topic:
        raise UsageFailure(f"there is no verb or code {topic!r}", "see `git agentgate help`")
    verbs = "".join(f"  {name:12} {load(name).HELP}\n" for name in VERBS)
    codes = "".join(f"  {info.code:20} {info.title}\n" for info in CODES.values())
    return f"{top_parser().format_usage()}\nverbs\n{verbs}\ncodes\n{codes}"
