"""Risk-weighted sampling: which change sets are run again at once, at night, or not at all.

It decides what is re-run, never what is gated. What the policy cannot name is run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agentgate_git.model.actor import AGENT
from agentgate_git.model.record import Record
from agentgate_git.model.role import CI, CONFIG, DATA, DOCS, HARNESS, LOCK, PRODUCTION, TEST

ALWAYS = "always"
NIGHTLY = "nightly"
NEVER = "never"
CLASSES = (ALWAYS, NIGHTLY, NEVER)

# An agent that came back to its own change this often was probably led by the tests it was shown.
MANY_ROUNDS = 2

_ALSO_DEPENDENCIES = ("pyproject.toml", "setup.cfg", "setup.py", "package.json")


class Changed(Record):
    """A changed path and its role (model/role.py)."""

    path: str
    role: str


class ChangeFacts(Record):
    """What else is known about a change set; the defaults are the strictest.

    `author` is a class of model/actor.py; `edit_rounds` counts the commits of the proposal that edit one file.
    `is_code_changed` is False when production files differ in comments and annotations only.
    """

    author: str = AGENT
    edit_rounds: int = 0
    is_pytest_config_changed: bool = True
    is_code_changed: bool = True


class Sampling(Record):
    """`sample` is one of CLASSES, `reason` names the row that decided."""

    sample: str
    reason: str


def sample(changes: Iterable[Changed], facts: ChangeFacts) -> Sampling:
    """The strictest class of any path; of equally strict rows the first in the table."""
    answers = {_answer(change, facts) for change in changes}
    return min(answers, key=lambda one: (CLASSES.index(one.sample), _ORDER.index(one)), default=_UNCLASSIFIED)


def _answer(change: Changed, facts: ChangeFacts) -> Sampling:
    return next((answer for test, answer in _ROWS if test(change, facts)), _UNCLASSIFIED)


def _selects_tests(change: Changed, facts: ChangeFacts) -> bool:
    if change.role == CONFIG and change.path.rpartition("/")[2].lower() in _ALSO_DEPENDENCIES:
        return facts.is_pytest_config_changed
    return change.role in (HARNESS, CI, CONFIG)


def _is_environment(change: Changed, _: ChangeFacts) -> bool:
    return change.role in (LOCK, CONFIG)


def _was_retried(change: Changed, facts: ChangeFacts) -> bool:
    is_code = change.role in (PRODUCTION, TEST, DATA)
    return is_code and facts.author == AGENT and facts.edit_rounds >= MANY_ROUNDS


def _is_prose(change: Changed, facts: ChangeFacts) -> bool:
    return change.role == PRODUCTION and not facts.is_code_changed


_Test = Callable[[Changed, ChangeFacts], bool]
_ROWS: tuple[tuple[_Test, Sampling], ...] = (
    (_selects_tests, Sampling(ALWAYS, "selection-drift")),
    (_is_environment, Sampling(ALWAYS, "environment-drift")),
    (_was_retried, Sampling(ALWAYS, "tree-drift")),
    (_is_prose, Sampling(NEVER, "comments-or-types-only")),
    (lambda change, _: change.role in (PRODUCTION, DATA), Sampling(NIGHTLY, "production-change")),
    (lambda change, _: change.role == TEST, Sampling(NIGHTLY, "test-only")),
    (lambda change, _: change.role == DOCS, Sampling(NEVER, "no-claim")),
)
_UNCLASSIFIED = Sampling(ALWAYS, "unclassified")
_ORDER = (*(answer for _, answer in _ROWS), _UNCLASSIFIED)
