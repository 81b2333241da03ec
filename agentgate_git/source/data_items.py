"""What a file of data of the tests is made of: the items of a document of JSON, else its lines.

Two versions are compared by them: data that only came to it takes nothing away.
"""

from __future__ import annotations

import json
from typing import Any

from agentgate_git.source.python.fingerprint import digest_of

MAX_BYTES = 1 << 18
MAX_ITEMS = 2_000


def items_of(path: str, data: bytes) -> tuple[tuple[str, str], ...]:
    """(empty name, digest) of each item; none for what is too large, or holds too many of them."""
    if len(data) > MAX_BYTES:
        return ()
    text = data.decode("utf-8", "replace")
    told = _of_json(text) if path.lower().endswith(".json") else None
    if told is None:
        told = [line.strip().rstrip(",") for line in text.splitlines() if line.strip(" \t,")]
    return tuple(("", digest_of(one)) for one in told) if len(told) <= MAX_ITEMS else ()


def _of_json(text: str) -> list[str] | None:
    """The items of the list or object that a document is; None for another one, and for what is no JSON."""
    try:
        held: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(held, dict):
        held = [[key, value] for key, value in held.items()]
    return [json.dumps(one, sort_keys=True) for one in held] if isinstance(held, list) else None
