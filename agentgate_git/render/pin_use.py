"""What properties read and pin: for a person, and as versioned JSON."""

from __future__ import annotations

import json

from agentgate_git.model.exit_status import EXIT_ALLOW
from agentgate_git.model.pin_use import MISSING, PropertyUse, Read
from agentgate_git.render.printable import printable

PINS_SCHEMA = "agentgate.pins/1"
_SHOWN = 5


def pins_text(found: tuple[PropertyUse, ...]) -> str:
    """One block for each property: pins that are missing with the places that read, then pins that nothing reads."""
    return "".join(_block(one) for one in found)


def pins_json(found: tuple[PropertyUse, ...]) -> str:
    """`agentgate.pins/1`, one line."""
    told = {"schema": PINS_SCHEMA, "properties": [_property(one) for one in found], "exit": EXIT_ALLOW}
    return json.dumps(told, separators=(",", ":"))


def _block(one: PropertyUse) -> str:
    name = one.property_id or one.module or "the property"
    lines = [f"{printable(name)}: {len(one.files)} file(s) read"]
    for use in one.uses:
        if use.kind == MISSING:
            lines.append(f"    add {use.pin}: {use.source} is read and not pinned")
            lines += [f"        {_place(read)}" for read in use.reads[:_SHOWN]]
            if len(use.reads) > _SHOWN:
                lines.append(f"        and {len(use.reads) - _SHOWN} more")
        else:
            lines.append(f"    {use.pin} is pinned, and nothing was found that reads it")
    if one.unpinnable:
        lines.append("    read, and no pin fixes it:")
        lines += [f"        {_place(read)}" for read in one.unpinnable[:_SHOWN]]
    if len(lines) == 1:
        lines.append("    every read has its pin")
    return "\n".join(lines) + "\n"


def _place(read: Read) -> str:
    owner = f" in {read.owner}" if read.owner else ""
    return printable(f"{read.path}:{read.line}{owner}: {read.what}")


def _property(one: PropertyUse) -> dict[str, object]:
    return {
        "property_id": one.property_id,
        "module": one.module,
        "files": list(one.files),
        "pins": [
            {"pin": use.pin, "kind": use.kind, "source": use.source, "reads": [_read(read) for read in use.reads]}
            for use in one.uses
        ],
        "unpinnable": [_read(read) for read in one.unpinnable],
    }


def _read(read: Read) -> dict[str, object]:
    return {"path": read.path, "line": read.line, "owner": read.owner, "what": read.what}
