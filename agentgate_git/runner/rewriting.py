"""Files of a proposal written anew, by a process that runs nothing of the project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping

from agentgate_git.model.record import Record
from agentgate_git.model.symbol import SymbolChange

REWRITER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "inside", "rewritten.py")


class Sources(Record):
    """What there is to be written anew: files by path, as they are and as they were, and the symbols in them that are
    to look different.
    """

    new: Mapping[str, bytes]
    old: Mapping[str, bytes]
    symbols: tuple[SymbolChange, ...]


class Wanted(Record):
    """One mutant of a symbol: the `turn`th of its kind and label, counted from 0; of its kind alone without a label."""

    change: SymbolChange
    kind: str
    label: str = ""
    turn: int = 0


class Rewritten(Record):
    """Files written anew: `same` by path, with symbols that look different and mean the same.

    `broken` is one text for each mutant that was wanted, None where there is none: the file of its symbol, in which all
    other symbols are as in `same`.
    """

    same: Mapping[str, bytes]
    broken: tuple[bytes | None, ...]


def rewritten(sources: Sources, wanted: Iterable[Wanted], seconds: float) -> Rewritten:
    """Write all of it within `seconds`; nothing when that fails."""
    wanted = tuple(wanted)
    paths = {change.path for change in sources.symbols}
    old_paths = {each.change.old_path for each in wanted}
    order = {
        "rows": [
            {**each.change._asdict(), "mutant": each.kind, "label": each.label, "place": each.turn} for each in wanted
        ],
        "symbols": [change._asdict() for change in sources.symbols],
        "new": {path: _text(data) for path, data in sources.new.items() if path in paths},
        "old": {path: _text(data) for path, data in sources.old.items() if path in old_paths},
    }
    try:
        done = subprocess.run(
            (sys.executable, "-I", "-S", "-B", REWRITER),
            input=json.dumps(order).encode("ascii"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=True,
        )
        answer = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return Rewritten({}, (None,) * len(wanted))
    return Rewritten(
        {path: _bytes(text) for path, text in answer["same"].items()},
        tuple(None if text is None else _bytes(text) for text in answer["broken"]),
    )


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
