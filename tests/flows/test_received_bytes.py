"""Whatever bytes a push brings, an answer comes of it."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.flows.receive import read_updates
from agentgate_git.flows.signers.line_signers import LineSigners
from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.model.failure import UsageFailure
from agentgate_git.wire.dsse import IN_TOTO
from testing.evidence_keys import Keys

OIDS = st.sampled_from(["0" * 40, "a" * 40, "0" * 64, "b" * 64])
REFS = st.binary(min_size=1, max_size=30).filter(lambda name: not set(name) & set(b"\0\n"))


@given(st.binary(max_size=300))
def test_a_list_of_refs_is_read_or_refused(listed: bytes) -> None:
    try:
        updates = read_updates(listed)
    except UsageFailure:
        return
    assert len([row for row in listed.split(b"\n") if row]) == len(updates)


@given(st.lists(st.tuples(OIDS, REFS), max_size=5))
def test_what_git_writes_is_read_as_it_is(rows: list[tuple[str, bytes]]) -> None:
    listed = b"".join(b"%b %b %b\n" % (oid.encode(), oid.encode(), ref) for oid, ref in rows)
    assert [(oid, oid, ref) for oid, ref in rows] == [
        (update.old, update.new, os.fsencode(update.ref)) for update in read_updates(listed)
    ]


@pytest.fixture(scope="module")
def signers(tmp_path_factory: pytest.TempPathFactory) -> LineSigners:
    keys = Keys(tmp_path_factory.mktemp("keys"))
    return LineSigners(keys.enrolment("runner:ci", "ci").encode(), os.environ)


SIGNATURES = st.builds(
    Signature,
    st.text(max_size=20),
    st.one_of(st.binary(max_size=80), st.binary(max_size=80).map(lambda tail: b"SSHSIG\0\0\0\1" + tail)),
)


@settings(max_examples=200)
@given(payload=st.binary(max_size=20), signatures=st.lists(SIGNATURES, max_size=20))
def test_signatures_of_any_bytes_are_nobodys(signers: LineSigners, payload: bytes, signatures: list[Signature]) -> None:
    assert ((), False) == signers.facts(Envelope(payload, IN_TOTO, tuple(signatures)))
