"""Adoptions and requests for a person, and as versioned JSON."""

from __future__ import annotations

import json

from agentgate_git.model.adoption import Adoption, ListedAdoption
from agentgate_git.model.exit_status import EXIT_ALLOW
from agentgate_git.render.printable import printable

ADOPTIONS_SCHEMA = "agentgate.adoptions/1"


def adoption_text(adoption: Adoption, state: str) -> str:
    """One adoption or request: the tree, the state, then what it is over."""
    lines = [f"tree {adoption.tree[:12]} (commit {adoption.commit[:12] or 'unknown'}): {printable(state)}"]
    lines += [f"    path {printable(path)}" for path in adoption.paths]
    lines += [f"    test {printable(test)}" for test in adoption.tests]
    lines += [f"    for {need.code} {printable(f'{need.path}: {need.message}')}" for need in adoption.needs]
    if adoption.reason:
        lines.append(f"    reason: {printable(adoption.reason)}")
    return "\n".join(lines) + "\n"


def listed_text(listed: tuple[ListedAdoption, ...]) -> str:
    """A list for a terminal, with the command that adopts what is asked for."""
    if not listed:
        return "no adoption and no request\n"
    texts = []
    for one in listed:
        texts.append(adoption_text(one.adoption, f"{one.kind} of {one.adoption.made_at}, {one.state}"))
        if one.kind == "request" and one.state in ("open", "filed") and one.adoption.commit:
            texts.append(f"    next: read the change, then `git agentgate adopt {one.adoption.commit[:12]}`\n")
    return "".join(texts)


def listed_json(listed: tuple[ListedAdoption, ...]) -> str:
    """`agentgate.adoptions/1`, one line."""
    rows = [{"kind": one.kind, "state": one.state, **_adoption(one.adoption)} for one in listed]
    return json.dumps({"schema": ADOPTIONS_SCHEMA, "adoptions": rows, "exit": EXIT_ALLOW}, separators=(",", ":"))


def _adoption(adoption: Adoption) -> dict[str, object]:
    return {**adoption._asdict(), "needs": [need._asdict() for need in adoption.needs]}
