"""Drift: which fields of a packet no longer hold, by name and never as a mere yes or no."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable

from agentgate_git.model.packet import Packet
from agentgate_git.model.verdict import DRIFT_FIELDS, DriftDetail, FileDrift

_READ: dict[str, Callable[[Packet], object]] = {
    "tree": lambda packet: packet.tree,
    "tests": lambda packet: packet.tests_sha256,
    "node_count": lambda packet: packet.node_count,
    "interpreter": lambda packet: packet.interpreter,
    "env": lambda packet: packet.environment,
    "manifest": lambda packet: packet.manifest_sha256,
    "argv": lambda packet: packet.argv,
    "isolation": lambda packet: packet.isolation,
}


def drift_of(recorded: Packet, derived: Packet) -> tuple[DriftDetail, ...]:
    """The fields that differ between a packet and what was derived now, in the order of DRIFT_FIELDS."""
    return tuple(
        DriftDetail(field, *_shown(field, recorded, derived))
        for field in DRIFT_FIELDS
        if _READ[field](recorded) != _READ[field](derived)
    )


def tests_drift(recorded: Packet, derived: Packet, derived_ids: Iterable[str]) -> tuple[FileDrift, ...]:
    """How the collected ids differ, file by file, sorted by path.

    Added and removed ids are named when the packet kept its ids; otherwise the counts of the files that differ.
    """
    before = {path: (count, digest) for path, count, digest in recorded.tests_by_file}
    now = {path: (count, digest) for path, count, digest in derived.tests_by_file}
    old_ids = _by_file(line.partition(" ")[2] for line in recorded.outcome_lines)
    new_ids = _by_file(derived_ids)
    has_ids = bool(recorded.outcome_lines)
    return tuple(
        FileDrift(
            path,
            before.get(path, (0, ""))[0],
            now.get(path, (0, ""))[0],
            _missing(new_ids, old_ids, path) if has_ids else (),
            _missing(old_ids, new_ids, path) if has_ids else (),
        )
        for path in sorted(before.keys() | now.keys())
        if before.get(path) != now.get(path)
    )


def _shown(field: str, recorded: Packet, derived: Packet) -> tuple[str, str]:
    if field == "env":
        return _variables(recorded, derived), _variables(derived, recorded)
    if field == "argv":
        return shlex.join(recorded.argv), shlex.join(derived.argv)
    return str(_READ[field](recorded)), str(_READ[field](derived))


def _variables(one: Packet, other: Packet) -> str:
    """The variables of one packet that the other has not, or has with another value."""
    there = set(other.environment)
    return " ".join(f"{name}={value}" for name, value in one.environment if (name, value) not in there)


def _by_file(ids: Iterable[str]) -> dict[str, frozenset[str]]:
    files: dict[str, set[str]] = {}
    for node_id in ids:
        files.setdefault(node_id.partition("::")[0], set()).add(node_id)
    return {path: frozenset(found) for path, found in files.items()}


def _missing(ids: dict[str, frozenset[str]], others: dict[str, frozenset[str]], path: str) -> tuple[str, ...]:
    return tuple(sorted(ids.get(path, frozenset()) - others.get(path, frozenset())))
