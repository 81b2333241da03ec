"""Every check that compares what files said before with what they say now, in the order findings are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import Finding
from agentgate_git.policy.settings.gate_config import config_findings
from agentgate_git.policy.weakening.asked_loosely import loosely_asked_findings
from agentgate_git.policy.weakening.assert_weakened import assert_findings
from agentgate_git.policy.weakening.assertion_ledger import settled
from agentgate_git.policy.weakening.check_silenced import silenced_findings
from agentgate_git.policy.weakening.custom_names import as_if_collected
from agentgate_git.policy.weakening.entropy_silenced import entropy_findings
from agentgate_git.policy.weakening.fakes_loosened import loosened_findings
from agentgate_git.policy.weakening.harness_tampered import harness_findings
from agentgate_git.policy.weakening.held_values import data_findings, held_findings
from agentgate_git.policy.weakening.helped_along import helped_findings
from agentgate_git.policy.weakening.helpers_softened import softened_findings
from agentgate_git.policy.weakening.inherited_tests import inherited_findings
from agentgate_git.policy.weakening.listed_tests import listed_findings
from agentgate_git.policy.weakening.not_judged import unread_findings
from agentgate_git.policy.weakening.overlap_lost import overlap_findings
from agentgate_git.policy.weakening.package_twins import twin_findings
from agentgate_git.policy.weakening.read_by_lines import line_findings
from agentgate_git.policy.weakening.skip_marker import skip_findings
from agentgate_git.policy.weakening.special_cased import special_findings
from agentgate_git.policy.weakening.taken import with_taken
from agentgate_git.policy.weakening.taken_by_name import with_named
from agentgate_git.policy.weakening.taken_settings import with_settings
from agentgate_git.policy.weakening.test_removed import removal_findings
from agentgate_git.policy.weakening.trait_changes import Changes
from agentgate_git.policy.weakening.undeclared import undeclared_findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    Check = Callable[[tuple[FileFacts, ...], tuple[FileFacts, ...]], Iterable[Finding]]


def _skips(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    return skip_findings((one.tests for one in before), (one.tests for one in after))


def _assertions(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    """Both look at the same books, which are dear to make."""
    change = settled(before, after)
    return (*assert_findings(change), *overlap_findings(change), *removal_findings(change))


TRAITS = (
    harness_findings,
    loosened_findings,
    helped_findings,
    loosely_asked_findings,
    entropy_findings,
    special_findings,
    listed_findings,
)


def _traits(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    """All look at the same multisets."""
    changes = Changes(before, after)
    for check in TRAITS:
        yield from check(changes)


CHECKS: tuple[Check, ...] = (
    unread_findings,
    _skips,
    inherited_findings,
    _assertions,
    held_findings,
    data_findings,
    softened_findings,
    twin_findings,
    _traits,
    undeclared_findings,
    config_findings,
    silenced_findings,
    line_findings,
)


def weakening_findings(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[Finding, ...]:
    """The findings on a whole change set: facts of the changed files at the base and at the head."""
    sides = with_taken(*as_if_collected(tuple(before), tuple(after)))
    old, new = (with_named(with_settings(side)) for side in sides)
    return tuple(finding for check in CHECKS for finding in check(old, new))
