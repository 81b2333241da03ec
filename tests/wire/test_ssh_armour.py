"""Both forms in which a signature may stand in an envelope."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.wire.sshsig import BEGIN, END, armoured, unarmour


@given(st.binary(max_size=200))
def test_either_form_is_armoured_and_means_the_same(tail: bytes) -> None:
    data = b"SSHSIG" + tail
    text = armoured(data)
    assert (text, data) == (armoured(text.encode()), unarmour(text))
    assert max(map(len, text.splitlines())) <= 70


@pytest.mark.parametrize(
    "data", [b"", b"nothing", BEGIN.encode(), b"\xff" + BEGIN.encode(), f"{BEGIN}\n#\n{END}".encode()]
)
def test_what_is_neither_form_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - that it is one is all that is promised
        armoured(data)
