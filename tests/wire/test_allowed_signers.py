"""Who is enrolled: plain keys of readable lines, and nobody else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.wire.allowed_signers import Enrolment, read_allowed_signers, read_revoked_keys, silent_lines

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKy87HxSEheG8vEPhSs9u2KZCtVErAQfpmprtUJCZ2w7"
FINGERPRINT = "SHA256:32dP45eSMmVSt/G/CGvcxl/P+MO3Nwj9xeTh/GSA2wc"
ENROLLING = {
    "plain": (f"human:pat {KEY}", ("human:pat",)),
    "options": (f'human:pat namespaces="git,agentgate",valid-after="20260101" {KEY} comment', ("human:pat",)),
    "several principals": (f"human:pat,runner:ci {KEY}", ("human:pat", "runner:ci")),
    "no role": (f"pat@example.org {KEY}", ("pat@example.org",)),
    "quoted principal": (f'"human:pat" {KEY}', ("human:pat",)),
}
NOT_ENROLLING = {
    "comment": f"# human:pat {KEY}",
    "empty": "",
    "certificate authority": f"*@example.org cert-authority {KEY}",
    "certificate authority among options": f'*@example.org namespaces="git",cert-authority {KEY}',
    "no key": "human:pat ssh-ed25519",
    "broken base64": "human:pat ssh-ed25519 AAAA*",
    "base64 beyond ASCII": "human:pat ssh-ed25519 AAAA\u0144",
    "open quote": f'human:pat namespaces="git {KEY}',
}


@pytest.mark.parametrize(("row", "principals"), ENROLLING.values(), ids=ENROLLING)
def test_lines_that_enrol(row: str, principals: tuple[str, ...]) -> None:
    expected = tuple(Enrolment(name, name.partition(":")[0] if ":" in name else "", FINGERPRINT) for name in principals)
    assert expected == read_allowed_signers(f"{row}\n".encode())


@pytest.mark.parametrize("row", NOT_ENROLLING.values(), ids=NOT_ENROLLING)
def test_lines_that_enrol_nobody(row: str) -> None:
    assert () == read_allowed_signers(f"{row}\n".encode())


def test_lines_that_look_as_if_they_enrolled_somebody_are_counted() -> None:
    assert 0 == silent_lines("".join(f"{row}\n" for row, _ in ENROLLING.values()).encode())
    assert len(NOT_ENROLLING) - 2 == silent_lines("".join(f"{row}\n" for row in NOT_ENROLLING.values()).encode())


@given(st.binary())
def test_any_bytes_are_read(data: bytes) -> None:
    assert isinstance(read_allowed_signers(data), tuple)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (KEY, (frozenset((FINGERPRINT,)), 0)),
        ("# ssh-ed25519", (frozenset(), 0)),
        ("ssh-ed25519", (frozenset(), 1)),
        ("ssh-ed25519 AAAA*", (frozenset(), 1)),
        ("ssh-ed25519 AAAA\u0144", (frozenset(), 1)),
    ],
    ids=["a key", "a comment", "no key", "broken base64", "base64 beyond ASCII"],
)
def test_a_revoked_key_that_cannot_be_read_is_counted(row: str, expected: tuple[frozenset[str], int]) -> None:
    assert expected == read_revoked_keys(f"{row}\n".encode())
