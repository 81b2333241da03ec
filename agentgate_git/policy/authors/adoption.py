"""What an adoption lets through: findings on exactly the paths and tests that a human took over.

An adoption speaks of one tree and one base tree; those of others are left out before they come here.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model import code
from agentgate_git.model.adoption import Adoption, Need, SignedAdoption
from agentgate_git.model.finding import WARN, Finding

SIGN = "sign the commit with an enrolled key that proves you were there (a hardware key, touched)"

# Nobody can take over what nobody can read: it could say anything to the next reader.
_NEVER = frozenset((code.MANIFEST_INVALID, code.BASE_MISSING, code.UNDECIDED))
# These name tests that were run: to take over the file they stand in is not enough.
_BY_TEST = frozenset((code.BASE_TESTS_FAIL,))


def is_adoptable(finding: Finding) -> bool:
    """True for a finding that blocks and that a human may take over."""
    return finding.is_blocking() and finding.code not in _NEVER and bool(finding.path or finding.tests)


def adopted(finding: Finding, adoptions: Iterable[SignedAdoption]) -> tuple[Finding, SignedAdoption | None]:
    """The finding as it stands beside these adoptions, and the one that covers it; others leave it as it is."""
    if is_adoptable(finding):
        for one in adoptions:
            if _covers(one.adoption, finding):
                message = f"{finding.message}; adopted by {one.principal}"
                found = finding._replace(severity=WARN, message=message, adopted_by=one.principal)
                return found._replace(next_step="see that the adoption says what you would say"), one
    return finding, None


def asked_for(finding: Finding, requests: Iterable[Adoption]) -> Finding:
    """For a hook, which is a courtesy: what a human was asked to adopt is let through, and said to be refused later."""
    if is_adoptable(finding) and any(_covers(one, finding) for one in requests):
        message = f"{finding.message}; a human was asked to adopt it"
        return finding._replace(severity=WARN, message=message, next_step="`verify` refuses it until a human adopts it")
    return finding


def with_way_out(finding: Finding, *, is_by_agent: bool, is_unproven: bool, is_staged: bool = False) -> Finding:
    """The finding with the honest way out in its next step: an agent asks, a human adopts.

    `is_unproven` when nothing but the lack of a proven human makes it agent work: then a human can also sign it.
    `is_staged` when it is about what is going to be committed.
    """
    if not is_adoptable(finding):
        return finding
    if is_by_agent or is_staged:
        way = f"run `git agentgate adopt --request{' --staged' if is_staged else ''}` to ask a human to adopt it"
    else:
        way = "adopt it as an enrolled human: `git agentgate adopt`"
    sign = f"; if you are a human, {SIGN}" if is_unproven and finding.code == code.GUARDED_PATH else ""
    return finding._replace(next_step=f"{finding.next_step}; or {way}{sign}")


def need_of(finding: Finding) -> Need:
    """What is kept of a finding in an adoption or a request."""
    return Need(finding.code, finding.path, finding.message)


def _covers(adoption: Adoption, finding: Finding) -> bool:
    """By its path, or by all of its tests."""
    by_tests = bool(finding.tests) and set(finding.tests) <= set(adoption.tests)
    if finding.code in _BY_TEST:
        return by_tests
    return by_tests or (bool(finding.path) and finding.path in adoption.paths)
