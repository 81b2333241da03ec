"""Groups of tests that one file sets apart: what one of them leaves out may be what another takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import Setting
from agentgate_git.source.settings.bounded import whole
from agentgate_git.source.settings.runs import key

_INCLUDE, _EXCLUDE = "include > ", "exclude > "


def with_groups(tool: str, groups: Iterable[Iterable[Setting]]) -> Iterator[Setting]:
    """All settings of the groups, and of each group what it takes without leaving it out itself, and what it leaves."""
    for group in groups:
        settings = whole(group)
        yield from settings
        left = {one.value for one in settings if one.key.startswith(_EXCLUDE)}
        for one in settings:
            if one.key.startswith(_EXCLUDE):
                yield Setting(key("apart", tool, "leaves"), one.value, one.line)
            elif one.key.startswith(_INCLUDE) and one.value not in left:
                yield Setting(key("apart", tool, "takes"), one.value, one.line)
