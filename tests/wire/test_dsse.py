"""DSSE: the pre-authentication encoding of the specification, and envelopes in either base64 alphabet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.wire.canonical import Malformed
from agentgate_git.wire.dsse import IN_TOTO, _decode_json, _decode_plain, decode_envelope, encode_envelope, pae

TEXT = st.text(st.characters(codec="utf-8"))
ENVELOPES = st.builds(
    Envelope,
    st.binary(),
    TEXT.filter(bool),
    st.lists(st.builds(Signature, TEXT, st.binary()), max_size=3).map(tuple),
)


def test_pae_of_the_specification() -> None:
    expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert expected == pae("http://example.com/HelloWorld", b"hello world")


def test_pae_counts_bytes_not_characters() -> None:
    assert b"DSSEv1 2 \xc3\xa9 3 \xe2\x82\xac" == pae("é", "€".encode())


@settings(deadline=None, max_examples=300)
@given(TEXT, st.binary(), TEXT, st.binary())
def test_pae_tells_any_two_inputs_apart(kind: str, payload: bytes, other_kind: str, other_payload: bytes) -> None:
    same_input = (kind, payload) == (other_kind, other_payload)
    assert same_input == (pae(kind, payload) == pae(other_kind, other_payload))


@settings(deadline=None, max_examples=300)
@given(ENVELOPES)
def test_an_envelope_survives(envelope: Envelope) -> None:
    line = encode_envelope(envelope)
    assert b"\n" not in line
    assert envelope == decode_envelope(line)


@settings(deadline=None, max_examples=300)
@given(ENVELOPES, st.sampled_from([IN_TOTO, "t"]), st.integers(0, 400), st.binary(max_size=2), st.integers(0, 2))
def test_the_short_way_reads_what_the_long_way_reads(
    envelope: Envelope, payload_type: str, at: int, put_in: bytes, cut: int
) -> None:
    line = encode_envelope(envelope._replace(payload_type=payload_type))
    for changed in (line, line[:at] + put_in + line[at + cut :]):
        short = _decode_plain(changed)
        assert short is None or short == _decode_json(changed)


def test_what_we_write_unsigned_is_read_the_short_way() -> None:
    envelope = Envelope(b"payload", IN_TOTO)
    assert envelope == _decode_plain(encode_envelope(envelope))
    assert _decode_plain(encode_envelope(envelope._replace(signatures=(Signature("SHA256:a+/=", b"s"),)))) is None


@pytest.mark.parametrize(
    ("line", "envelope"),
    [
        pytest.param(
            b'{"payload":"+/+/","payloadType":"t","signatures":[]}',
            Envelope(b"\xfb\xff\xbf", "t"),
            id="standard base64",
        ),
        pytest.param(
            b'{"payload":"-_-_","payloadType":"t","signatures":[]}',
            Envelope(b"\xfb\xff\xbf", "t"),
            id="url-safe base64",
        ),
        pytest.param(
            b'{"payload":"YQ==","payloadType":"t","signatures":[{"sig":"Yg=="}],"more":{"x":1}}',
            Envelope(b"a", "t", (Signature("", b"b"),)),
            id="no keyid, and a member we do not know",
        ),
    ],
)
def test_what_is_read(line: bytes, envelope: Envelope) -> None:
    assert envelope == decode_envelope(line)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b"[]", "not an object", id="a list"),
        pytest.param(b'{"payload":"YQ==","signatures":[]}', "payloadType is missing", id="no type"),
        pytest.param(b'{"payload":"YQ==","payloadType":"t"}', "signatures is no list", id="no signatures"),
        pytest.param(b'{"payloadType":"t","signatures":[]}', "payload is no base64", id="no payload"),
        pytest.param(b'{"payload":"YQ","payloadType":"t","signatures":[]}', "payload is no base64", id="no padding"),
        pytest.param(b'{"payload":"Y Q==","payloadType":"t","signatures":[]}', "payload is no base64", id="a space"),
        pytest.param(
            '{"payload":"ÿ","payloadType":"t","signatures":[]}'.encode(), "payload is no base64", id="not ASCII"
        ),
        pytest.param(b'{"payload":"","payloadType":"t","signatures":[1]}', "a signature is no object", id="a number"),
        pytest.param(
            b'{"payload":"","payloadType":"t","signatures":[{}]}', "sig is no base64", id="an empty signature"
        ),
        pytest.param(
            b'{"payload":"","payloadType":"t","signatures":[{"keyid":1,"sig":""}]}', "keyid is no text", id="a keyid"
        ),
    ],
)
def test_what_is_refused(line: bytes, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode_envelope(line)
    assert f"is no DSSE envelope: {reason}" == str(caught.value)
