"""Which refs a push may touch."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import REF_GUARDED
from agentgate_git.model.evidence import KINDS
from agentgate_git.policy.received_refs import brings_no_code, closed_ref, kind_of, missing_target, target_loss

OPEN = ("refs/heads/main", "refs/tags/v1", "refs/notes/commits", "refs/odd/place", "refs/heads/refs/agentgate/x")
CLOSED = (
    *("refs/agentgate/kept/packets", "refs/agentgate/remote/origin/packets", "refs/replace/" + "a" * 40),
    *("refs/notes/agentgate", "refs/notes/agentgate/", "refs/notes/agentgate/other", "refs/notes/agentgate/packets/x"),
)


@pytest.mark.parametrize("ref", [*OPEN, *(f"refs/notes/agentgate/{kind}" for kind in KINDS)])
def test_allow_a_ref_that_is_judged_by_what_it_holds(ref: str) -> None:
    assert closed_ref(ref) is None


@pytest.mark.parametrize("ref", CLOSED)
def test_a_closed_ref_is_nobodys(ref: str) -> None:
    finding = closed_ref(ref)
    assert finding is not None
    assert (REF_GUARDED, True) == (finding.code, finding.is_blocking())
    assert ref in finding.message


def test_the_kind_of_a_notes_ref() -> None:
    assert ("packets", "", "") == tuple(map(kind_of, ("refs/notes/agentgate/packets", "refs/notes/x", "refs/heads/x")))


def test_notes_of_others_bring_no_code_and_everything_else_may() -> None:
    assert [True, False, False, False] == [
        brings_no_code(ref) for ref in ("refs/notes/x", "refs/heads/x", "refs/tags/x", "refs/x")
    ]


def test_the_target_goes_forward_only() -> None:
    assert target_loss("refs/heads/main", is_deletion=False, is_forward=True) is None
    for is_deletion in (True, False):
        finding = target_loss("refs/heads/main", is_deletion=is_deletion, is_forward=False)
        assert finding is not None
        assert (REF_GUARDED, True) == (finding.code, finding.is_blocking())


def test_a_missing_target_is_named_with_the_way_to_set_another() -> None:
    finding = missing_target("refs/heads/master")
    assert "refs/heads/master" in finding.message
    assert "git config agentgate.target" in finding.next_step
