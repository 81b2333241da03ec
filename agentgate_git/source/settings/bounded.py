"""Settings as checks can compare them: no value is as long as a file, and there are not too many globs of one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from agentgate_git.model.config_node import TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.model.limits import MAX_SETTINGS
from agentgate_git.source.settings.runs import RUN, told

# Every glob of the base is held against every glob of the head.
MAX_GLOBS = 200
# Scripts that loops go over; of more the first are told.
MAX_SCRIPTS = 100
_INCLUDE = "include > "
_SCRIPTS = "scripts > "
_OF_RUN = f"{RUN} > "


def whole(found: Iterable[Setting]) -> tuple[Setting, ...]:
    """All of them, for what has to be looked at together; TreeError for more than are ever kept of a file."""
    kept = tuple(islice(found, MAX_SETTINGS + 1))
    if len(kept) > MAX_SETTINGS:
        raise TreeError(f"it makes more than {MAX_SETTINGS} settings")
    return kept


def bounded(found: Iterable[Setting]) -> Iterator[Setting]:
    """The same settings, long values as they are told; TreeError for too many globs. Marks of runs stay whole."""
    globs = scripts = 0
    for one in found:
        scripts += one.key.startswith(_SCRIPTS)
        if scripts > MAX_SCRIPTS and one.key.startswith(_SCRIPTS):
            continue
        globs += one.key.startswith(_INCLUDE)
        if globs > MAX_GLOBS:
            raise TreeError(f"it has more than {MAX_GLOBS} patterns of tests")
        yield one if one.key.startswith(_OF_RUN) else one._replace(value=told(one.value))
