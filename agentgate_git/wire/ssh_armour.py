"""SSH signatures as they may stand in an envelope: binary, or in the armour that ssh-keygen writes."""

from __future__ import annotations

import base64

from agentgate_git.wire.sshsig import BEGIN, END, unarmour

_MAGIC = b"SSHSIG"
_WIDTH = 70


def armoured(data: bytes) -> str:
    """Either form of a signature, as ssh-keygen reads it; `ValueError` when it is neither."""
    if data.startswith(_MAGIC):
        text = base64.b64encode(data).decode("ascii")
        return "\n".join((BEGIN, *(text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)), END))
    text = data.decode("ascii")
    unarmour(text)
    return text
