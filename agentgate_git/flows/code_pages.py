"""The page of each code, which the package brings along so that it can be read where there is no network."""

from __future__ import annotations

import os

import agentgate_git
from agentgate_git.flows.files import read_file
from agentgate_git.model.code import CODES
from agentgate_git.model.failure import Undecided, UsageFailure


def code_page(code: str) -> str:
    """The text of a code's page without its title, empty for ALLOW; UsageFailure for what is no code."""
    if code not in CODES:
        raise UsageFailure(f"there is no code {code!r}", "see `git agentgate help` for all of them")
    if not code.startswith("E_"):
        return ""
    data = read_file(os.path.join(pages_directory(), f"{code}.md"))
    if data is None:
        raise Undecided(f"the page of {code} is missing", "install agentgate-git again")
    return data.decode("utf-8").partition("\n")[2].lstrip("\n")


def pages_directory() -> str:
    """Where the pages are: in the wheel beside the package's modules, in a checkout in docs/codes/."""
    package = os.path.dirname(os.path.abspath(agentgate_git.__file__))
    shipped = os.path.join(package, "codes")
    return shipped if os.path.isdir(shipped) else os.path.join(os.path.dirname(package), "docs", "codes")
