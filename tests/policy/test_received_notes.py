"""Who may add which lines of evidence, and that none goes."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import NOTE_LOST, NOTE_MALFORMED, NOTE_UNTRUSTED, SUBJECT_MISMATCH
from agentgate_git.model.evidence import KINDS
from agentgate_git.model.policy import Policy
from agentgate_git.model.received import NewLine
from agentgate_git.policy.received_notes import deleted_ref, lost_lines, rewound_ref, unfit_lines, writers_of

TREE = "a" * 40
PLAIN = NewLine(TREE, "b" * 64)

ALLOWED = {
    "anybody's line, unsigned": (PLAIN, ("anyone",)),
    "anybody's line, signed by a runner": (PLAIN._replace(signers=("runner:ci",)), ("anyone",)),
    "a runner's": (PLAIN._replace(signers=("runner:ci",)), ("runner",)),
    "one of several roles": (PLAIN._replace(signers=("human:pat",)), ("runner", "human")),
    "one principal": (PLAIN._replace(signers=("runner:ci",)), ("runner:ci",)),
    "one of two signatures": (PLAIN._replace(signers=("human:pat", "runner:ci")), ("runner",)),
    "a principal without a role, by name": (PLAIN._replace(signers=("ci@example.org",)), ("ci@example.org",)),
}
REFUSED = {
    "unsigned": (PLAIN, ("runner",), NOTE_UNTRUSTED),
    "another role": (PLAIN._replace(signers=("human:pat",)), ("runner",), NOTE_UNTRUSTED),
    "another principal": (PLAIN._replace(signers=("runner:ci",)), ("runner:other",), NOTE_UNTRUSTED),
    "a role for a name": (PLAIN._replace(signers=("runner",)), ("runner:ci",), NOTE_UNTRUSTED),
    "nobody may write": (PLAIN._replace(signers=("runner:ci",)), (), NOTE_UNTRUSTED),
    "a forged signature, though anyone may write": (PLAIN._replace(has_forged=True), ("anyone",), NOTE_UNTRUSTED),
    "no record": (PLAIN._replace(code=NOTE_MALFORMED, problem="is no JSON"), ("anyone",), NOTE_MALFORMED),
    "another tree's": (PLAIN._replace(code=SUBJECT_MISMATCH, problem="is about x"), ("anyone",), SUBJECT_MISMATCH),
}


@pytest.mark.parametrize(("line", "writers"), ALLOWED.values(), ids=ALLOWED)
def test_allow(line: NewLine, writers: tuple[str, ...]) -> None:
    assert [] == list(unfit_lines([line], writers))


@pytest.mark.parametrize(("line", "writers", "code"), REFUSED.values(), ids=REFUSED)
def test_refuse(line: NewLine, writers: tuple[str, ...], code: str) -> None:
    (finding,) = unfit_lines([line], writers)
    assert (code, True) == (finding.code, finding.is_blocking())


def test_without_a_policy_only_what_is_derived_again_is_open_to_anyone() -> None:
    open_to = {kind: writers_of(Policy(), kind) for kind in KINDS}
    assert {"packets", "verdicts", "requests"} == {kind for kind, writers in open_to.items() if "anyone" in writers}
    assert (("runner", "human"), ("human",)) == (open_to["freezes"], open_to["adoptions"])
    assert ("runner",) == open_to["seals"] == writers_of(Policy(), "a kind of later")


def test_a_policy_names_the_writers_of_one_kind_and_leaves_the_others() -> None:
    policy = Policy(notes=(("packets", ("runner",)), ("seals", ())))
    assert (("runner",), (), ("anyone",)) == tuple(
        writers_of(policy, kind) for kind in ("packets", "seals", "verdicts")
    )


def test_what_goes_is_counted_by_object() -> None:
    findings = list(lost_lines({TREE: 2, "c" * 40: 1}))
    assert [NOTE_LOST, NOTE_LOST] == [finding.code for finding in findings]
    assert findings[0].message.startswith("2 line(s) of the note of aaaaaaaaaaaa ")
    assert [NOTE_LOST, NOTE_LOST] == [
        finding("refs/notes/agentgate/seals").code for finding in (deleted_ref, rewound_ref)
    ]
