"""pre-merge-commit: say when an attribute gives the pins to a driver that is not there, since git does not."""

from __future__ import annotations

import os
import sys

from agentgate_git.flows.clone.driver_config import driver_rows
from agentgate_git.flows.workspace import open_clone
from agentgate_git.model.setup import MISSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def warn_of_text_merge(environ: Mapping[str, str]) -> None:
    """One line for each driver that cannot run; the merge is judged by its result all the same."""
    for row in driver_rows(open_clone(os.getcwd(), environ)):
        if row.state == MISSING:
            sys.stderr.write(f"agentgate: {row.message}\n    next: {row.next_step}\n")
