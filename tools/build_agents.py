"""Turn the shared facts about agents (agents.yaml) into the registry that is shipped.

    python tools/build_agents.py write [agents.yaml]     make agentgate_git/data/agents.json
    python tools/build_agents.py check [agents.yaml]     fail when the shipped file is not what `write` would make

Kept is what the rules need. Left out are sources and counts, marks that the facts call ambiguous (confidence
low), and variables that people's own shells carry.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from agentgate_git.model.registry import (
    ASSISTED,
    AUTHORED,
    NEUTRAL,
    AgentRegistry,
    FooterMark,
    IdentityMark,
    KeyMark,
    TrailerMark,
    VariableMark,
)
from agentgate_git.wire.agents import dump_registry

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ROOT / "agentgate_git" / "data" / "agents.json"
FACTS = ROOT.parent / "shared" / "data" / "agents.yaml"

# The same language without nested repetition, which takes exponential time on a long line that does not match.
LINEAR = {r"[^<:@]+:[^<@]+(?: \[?[\w .+-]+\]?)*": r"[^<:@]+:[^<@]+"}


def build(facts: dict[str, Any]) -> AgentRegistry:
    agents = facts["agents"]
    everyone = [*agents, {"id": "generic", **facts["generic"]}]
    never = frozenset(facts["never_decisive"]["env"])
    return AgentRegistry(
        compiled=facts["compiled"],
        identities=tuple(
            _identity(one["id"], row) for one in agents for row in one.get("identities", ()) if _names(row)
        ),
        trailers=tuple(_trailer(one["id"], row) for one in everyone for row in one.get("trailers", ()) if _tells(row)),
        footers=tuple(
            FooterMark(one["id"], row["line_regex"], row["means"])
            for one in agents
            for row in one.get("footers", ())
            if row.get("only") != "pr_body" and _is_sure(row)
        ),
        variables=tuple(
            VariableMark(one["id"], row["name"], row["value_regex"], tuple(sorted(row.get("requires", {}).items())))
            for one in everyone
            for row in one.get("env", ())
            if row["scope"] == "child" and row["name"] not in never and _is_sure(row)
        ),
        keys=tuple(_key(one["id"], row) for one in agents for row in one.get("signing", ()) if _is_sure(row)),
        bots=tuple(_identity(row.get("login", row.get("email")), row) for row in facts["non_ai_bots"]),
        words=tuple(facts["generic"]["known_agent_words"]),
    )


def _key(agent: str, row: dict[str, Any]) -> KeyMark:
    """A forge's own key stands among the marks of an agent that it signs for; its note begins with its name."""
    if row["means"] == NEUTRAL:
        return KeyMark(row["note"].partition(" key")[0], row["key_id"], NEUTRAL)
    return KeyMark(agent, row["fingerprint"])


def _is_sure(row: dict[str, Any]) -> bool:
    return row["confidence"] in ("high", "medium")


def _names(row: dict[str, Any]) -> bool:
    """An exact address is no accident even where few commits show it, unless the facts call it a hint."""
    return _is_sure(row) or ("name_regex" not in row and "hint" not in row.get("note", ""))


def _tells(row: dict[str, Any]) -> bool:
    return row["means"] in (AUTHORED, ASSISTED) and (_is_sure(row) or row.get("declared", False))


def _identity(agent: str, row: dict[str, Any]) -> IdentityMark:
    return IdentityMark(
        agent,
        tuple(row["roles"]),
        row.get("means", AUTHORED),
        email=row.get("email", ""),
        email_pattern=row.get("email_regex", ""),
        name_pattern=row.get("name_regex", ""),
    )


def _trailer(agent: str, row: dict[str, Any]) -> TrailerMark:
    value = LINEAR.get(row["value_regex"], row["value_regex"])
    is_declared = row.get("declared", False)
    is_session = row["confidence"] == "high" and row["key"] != "Assisted-by"
    return TrailerMark(agent, row["key"], value, row["means"], is_declared, is_session)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in ("write", "check") or len(arguments) > 2:
        print(__doc__, file=sys.stderr)
        return 2
    source = Path(arguments[1]) if len(arguments) == 2 else FACTS
    if not source.exists():
        print(f"{source} is not here; the shipped registry stays as it is", file=sys.stderr)
        return 0
    made = dump_registry(build(yaml.safe_load(source.read_text(encoding="utf-8"))))
    if arguments[0] == "write":
        SHIPPED.parent.mkdir(exist_ok=True)
        SHIPPED.write_bytes(made)
        return 0
    if SHIPPED.read_bytes() == made:
        return 0
    print(f"{SHIPPED} is out of date: run `python tools/build_agents.py write`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
