"""Manifests: which entropy sources a property pins (entropy.yaml, entropy.baseline.yaml)."""

from __future__ import annotations

from agentgate_git.model.record import Record

PIN_NAMES = ("clock_unix", "rng_seed", "tz", "lang", "umask", "temp_root", "cassette_sha256")


class Constraints(Record):
    """What the manifest forbids; the base's constraints apply and only ever grow."""

    forbid_skip_markers: tuple[str, ...] = ()
    forbid_dropped_pins: bool = True
    require_host_b: bool = False


class Property(Record):
    """One YAML document: `pins` keeps the file's order; values keep their type, None for null."""

    property_id: str
    module: str
    pins: tuple[tuple[str, str | int | None], ...]
    constraints: Constraints = Constraints()


class Manifest(Record):
    """All properties of one file, in its order; `unread` are (line, key) that version 1 does not know."""

    version: int
    properties: tuple[Property, ...]
    unread: tuple[tuple[int, str], ...] = ()


class PinChange(Record):
    """How proposed pins differ from the baseline's, names in the baseline's (or the proposal's) order."""

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    added: tuple[str, ...]
