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

# The branch that changes go to once they are reviewed, and the names of variables that hold it.
_MAIN = pattern_of(
    r"(?:refs/heads/|origin/|\^)*(?:main|master|trunk|dev|develop|development|default|production|stable)\$?|"
    r"\$?\{?[\w.-]*default[_-]?branch\}?|\$?\{?MAIN_BRANCH\}?",
    re.IGNORECASE,
)


def is_of_work(branch: str) -> bool:
    """True for a name or pattern that can be the branch of a change under review; false for `release-.*`."""
    return _OF_WORK.fullmatch(branch.strip().strip("'\"").strip("/^").removesuffix("$")) is not None


def leaves_out_work(branches: Iterable[str]) -> bool:
    """True where branches are named and none of them is one on which anybody works."""
    named = tuple(branches)
    return bool(named) and not any(is_of_work(one) for one in named)


def is_main(branch: str) -> bool:
    """True for the name of the branch that changes go to once they are reviewed."""
    return _MAIN.fullmatch(branch.strip().strip("'\"/")) is not None


def is_main_alone(branches: Iterable[str]) -> bool:
    """True where that branch is named, and beside it none but those on which nobody works."""
    named = tuple(branches)
    return any(is_main(one) for one in named) and all(is_main(one) or not is_of_work(one) for one in named)


# Branches of one change each, as the work on it is called.
_TOPIC = pattern_of(
    r"(?:refs/heads/)?(?:feat\w*|(?:hot|bug)?fix\w*|topic|task|work|wip|users?|agents?|ai|bots?|claude|codex|copilot|"
    r"cursor|devin|aider|jules|chore|refactor|issue|ticket|try|tmp)(?:$|[/_*.\\-].*)",
    re.IGNORECASE,
)


def is_topic(pattern: str) -> bool:
    """True for a name or pattern of branches of one change each, as `feature/*`, `/^agent/`."""
    return _TOPIC.fullmatch(pattern.strip().strip("'\"!").strip("/^(").removesuffix("$")) is not None


def is_where_work_is_done(pattern: str) -> bool:
    """True for a pattern of branches on which changes are made, as `fix/*`, `agent/*` or any."""
    return is_of_work(pattern) and not is_main(pattern)
