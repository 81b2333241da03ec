"""Which branches people work on, by their names or patterns: string work only."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentgate_git.model.pattern import pattern_of

# The branch that all work goes to, those on which it is made, and patterns that take any.
_OF_WORK = pattern_of(
    r"(?:refs/(?:heads|pull)/|origin/)?(?:main|master|trunk|dev\w*|default|next|head|stable|current|v?\d[\w.]*|"
    r"work|feat\w*|fix\w*|bug\w*|topic|task|"
    r"users?|pull|pr|mr|merge\w*|wip|dependabot|renovate|agent|claude|codex|copilot|branches|pushes)(?:$|[/_*.\\-].*)"
    r"|[/^(]*(?:\.\*|\.\+|\*|\[|\(|\\w|\?).*|!.*|.*\$.*|.*\|.*|~.*|",
    re.IGNORECASE,
)


def is_of_work(branch: str) -> bool:
    """True for a name or pattern that can be the branch of a change under review; false for `release-.*`."""
    return _OF_WORK.fullmatch(branch.strip().strip("'\"").strip("/^").removesuffix("$")) is not None


def leaves_out_work(branches: Iterable[str]) -> bool:
    """True where branches are named and none of them is one on which anybody works."""
    named = tuple(branches)
    return bool(named) and not any(is_of_work(one) for one in named)
