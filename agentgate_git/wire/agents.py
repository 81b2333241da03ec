"""The registry of agents as shipped (`agentgate_git/data/agents.json`, made by tools/build_agents.py)."""

from __future__ import annotations

import json
from typing import Any

from agentgate_git.model.registry import (
    AgentRegistry,
    FooterMark,
    IdentityMark,
    KeyMark,
    TrailerMark,
    VariableMark,
)

FORMAT = 1


def read_registry(data: bytes) -> AgentRegistry:
    """The registry; `ValueError` for a file that is not one of ours."""
    try:
        table = json.loads(data)
        if table["format"] != FORMAT:
            raise ValueError(f"format {table['format']} of the registry is not known")
        return AgentRegistry(
            compiled=table["compiled"],
            identities=tuple(_identity(row) for row in table["identities"]),
            trailers=tuple(TrailerMark(**row) for row in table["trailers"]),
            footers=tuple(FooterMark(**row) for row in table["footers"]),
            variables=tuple(_variable(row) for row in table["variables"]),
            keys=tuple(KeyMark(**row) for row in table["keys"]),
            bots=tuple(_identity(row) for row in table["bots"]),
            words=tuple(table["words"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no registry of agents ({error})") from None


def dump_registry(registry: AgentRegistry) -> bytes:
    """The bytes that `read_registry` reads back equal: one mark a line, defaults left out."""
    table: dict[str, Any] = {"format": FORMAT}
    for field, value in registry._asdict().items():
        table[field] = [_row(mark) for mark in value] if isinstance(value, tuple) else value
    return (_lines(table)).encode("ascii")


def _identity(row: dict[str, Any]) -> IdentityMark:
    return IdentityMark(**{**row, "roles": tuple(row["roles"])})


def _variable(row: dict[str, Any]) -> VariableMark:
    return VariableMark(**{**row, "requires": tuple((name, value) for name, value in row.get("requires", ()))})


def _row(mark: Any) -> Any:
    if isinstance(mark, str):
        return mark
    defaults = mark._field_defaults
    return {name: value for name, value in mark._asdict().items() if name not in defaults or value != defaults[name]}


def _lines(table: dict[str, Any]) -> str:
    parts = []
    for key, value in table.items():
        if isinstance(value, list):
            rows = ",\n".join(f"    {json.dumps(row)}" for row in value)
            parts.append(f"  {json.dumps(key)}: [\n{rows}\n  ]")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
