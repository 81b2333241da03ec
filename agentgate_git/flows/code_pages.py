"""The page of each code, which the package brings along so that it can be read where there is no network."""

from __future__ import annotations

import os

from agentgate_git.flows.files import read_file
from agentgate_git.flows.shipped import pages_directory
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
