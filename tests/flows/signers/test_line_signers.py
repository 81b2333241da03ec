"""Signatures on lines of evidence, by real keys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate_git.flows.signers.line_signers import LineSigners
from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.wire.allowed_signers import read_allowed_signers
from agentgate_git.wire.dsse import IN_TOTO, decode_envelope, encode_envelope
from testing.evidence_keys import Keys, some_payload, unsigned_line

TREE = "a" * 40


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(tmp_path_factory.mktemp("keys"))


def facts(allowed: str, line: bytes) -> tuple[tuple[str, ...], bool]:
    return LineSigners(allowed.encode(), os.environ).facts(decode_envelope(line))


def fingerprints(allowed: str) -> list[str]:
    return [one.fingerprint for one in read_allowed_signers(allowed.encode())]


@pytest.mark.parametrize("is_armoured", [True, False])
def test_either_form_of_a_signature_is_read(keys: Keys, is_armoured: bool) -> None:
    line = keys.signed_line("ci", some_payload(TREE), is_armoured=is_armoured)
    assert (("runner:ci",), False) == facts(keys.enrolment("runner:ci", "ci"), line)


@pytest.mark.parametrize("keyid", ["", "of the signing key", "SHA256:of-nobody", "of another enrolled key"])
def test_the_name_of_a_key_is_a_hint_that_refuses_nothing(keys: Keys, keyid: str) -> None:
    signed = decode_envelope(keys.signed_line("ci", some_payload(TREE)))
    allowed = keys.enrolment("runner:ci", "ci") + keys.enrolment("runner:other", "other")
    named = dict(zip(("of the signing key", "of another enrolled key"), fingerprints(allowed), strict=True))
    (signature,) = signed.signatures
    line = encode_envelope(signed._replace(signatures=(signature._replace(keyid=named.get(keyid, keyid)),)))
    assert (("runner:ci",), False) == facts(allowed, line)


def test_a_key_may_be_enrolled_for_several(keys: Keys) -> None:
    line = keys.signed_line("ci", some_payload(TREE))
    allowed = keys.enrolment("runner:old", "ci", 'namespaces="git"') + keys.enrolment("runner:a,runner:b", "ci")
    assert (("runner:a", "runner:b"), False) == facts(allowed, line)


def test_what_nobody_enrolled_says_nothing(keys: Keys) -> None:
    allowed = keys.enrolment("runner:ci", "ci")
    other = encode_envelope(Envelope(some_payload(TREE), IN_TOTO, (Signature("another kind", b"\x00\x01"),)))
    for line in (unsigned_line(TREE), keys.signed_line("stranger", some_payload(TREE)), other):
        assert ((), False) == facts(allowed, line)


FORGED = {
    "for another use": {"namespace": "git"},
    "expired": {"options": 'namespaces="agentgate",valid-before="20200101"'},
    "enrolled for git alone": {"options": 'namespaces="git"'},
}


@pytest.mark.parametrize("how", FORGED.values(), ids=FORGED)
def test_a_signature_that_is_not_good_for_its_enrolled_key(keys: Keys, how: dict[str, str]) -> None:
    line = keys.signed_line("ci", some_payload(TREE), namespace=how.get("namespace", "agentgate"))
    allowed = keys.enrolment("runner:ci", "ci", how.get("options", 'namespaces="agentgate"'))
    assert ((), True) == facts(allowed, line)


def test_a_signature_over_other_bytes_and_one_that_names_an_enrolled_key_only(keys: Keys) -> None:
    signed = decode_envelope(keys.signed_line("ci", some_payload(TREE)))
    allowed = keys.enrolment("runner:ci", "ci")
    moved = encode_envelope(signed._replace(payload=some_payload(TREE, 2)))
    assert ((), True) == facts(allowed, moved)
    (enrolled,) = fingerprints(allowed)
    named = encode_envelope(signed._replace(signatures=(Signature(enrolled, b"nothing"),)))
    assert ((), True) == facts(allowed, named)


def test_a_certificate_authority_enrols_nobody(keys: Keys, tmp_path: Path) -> None:
    line = keys.signed_line("ci", some_payload(TREE))
    assert ((), False) == facts(keys.enrolment("runner:*", "ci", 'cert-authority,namespaces="agentgate"'), line)
