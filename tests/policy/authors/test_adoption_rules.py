"""What an adoption covers, and that losing one never helps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.adoption import Adoption, SignedAdoption
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.policy.authors.adoption import adopted, asked_for, is_adoptable, with_way_out

FINDING = Finding("E_SKIP_MARKER", BLOCK, "tests/test_a.py", "test_a is skipped", "take it out")
NAMED = FINDING._replace(tests=("tests/test_a.py::test_a", "tests/test_a.py::test_b"))
REPLAYED = NAMED._replace(code="E_BASE_TESTS_FAIL")
PLACE = FINDING._replace(code="E_GUARDED_PATH", path="ci.yml")


def over(*paths: str, tests: tuple[str, ...] = ()) -> SignedAdoption:
    made = Adoption("a" * 40, "b" * 40, "", paths, tests, (), "", "2026-01-01T00:00:00Z")
    return SignedAdoption(made, "human:pat", "0" * 64)


COVERED = {
    "the path": (FINDING, over("tests/test_a.py"), True),
    "one of several paths": (PLACE, over("a", "ci.yml"), True),
    "all of its tests": (NAMED, over(tests=NAMED.tests), True),
    "more tests than it has": (NAMED, over(tests=(*NAMED.tests, "x::y")), True),
    "the tests of a replay": (REPLAYED, over(tests=NAMED.tests), True),
    "another path": (FINDING, over("tests/test_b.py"), False),
    "some of its tests": (NAMED, over(tests=NAMED.tests[:1]), False),
    "a replay by its file": (REPLAYED, over("tests/test_a.py"), False),
    "a finding without tests, by a test": (FINDING, over(tests=NAMED.tests), False),
    "nothing": (FINDING, over(), False),
    "a finding without a place": (FINDING._replace(path=""), over(""), False),
    "a manifest that cannot be read": (PLACE._replace(code="E_MANIFEST_INVALID"), over("ci.yml"), False),
}


@pytest.mark.parametrize(("finding", "adoption", "is_covered"), COVERED.values(), ids=COVERED)
def test_what_is_covered(finding: Finding, adoption: SignedAdoption, is_covered: bool) -> None:
    found, used = adopted(finding, [over("elsewhere"), adoption])
    assert (adoption if is_covered else None) == used
    assert (WARN if is_covered else BLOCK, "human:pat" if is_covered else "") == (found.severity, found.adopted_by)
    asked = asked_for(finding, [adoption.adoption])
    assert (WARN if is_covered else BLOCK, "") == (asked.severity, asked.adopted_by)


@pytest.mark.parametrize("severity", [WARN, ADVICE])
def test_what_does_not_block_needs_no_adoption(severity: str) -> None:
    finding = FINDING._replace(severity=severity)
    assert not is_adoptable(finding)
    assert (finding, None) == adopted(finding, [over("tests/test_a.py")])
    assert finding == with_way_out(finding, is_by_agent=True, is_unproven=True)


def test_the_way_out() -> None:
    assert "adopt --request`" in with_way_out(FINDING, is_by_agent=True, is_unproven=False).next_step
    assert (
        "adopt --request --staged`"
        in with_way_out(FINDING, is_by_agent=True, is_unproven=False, is_staged=True).next_step
    )
    own = with_way_out(FINDING, is_by_agent=False, is_unproven=False)
    assert own.next_step.endswith("adopt it as an enrolled human: `git agentgate adopt`")
    assert "sign the commit" in with_way_out(PLACE, is_by_agent=True, is_unproven=True).next_step
    assert "sign the commit" not in with_way_out(FINDING, is_by_agent=True, is_unproven=True).next_step


PATHS = st.sampled_from(["a", "b", "c"])


@given(st.lists(st.lists(PATHS)), st.lists(PATHS), st.data())
def test_losing_an_adoption_never_helps(named: list[list[str]], paths: list[str], data: st.DataObject) -> None:
    adoptions = [over(*some) for some in named]
    kept = [one for one in adoptions if data.draw(st.booleans())]
    for path in paths:
        finding = PLACE._replace(path=path)
        assert adopted(finding, adoptions)[0].is_blocking() <= adopted(finding, kept)[0].is_blocking()
