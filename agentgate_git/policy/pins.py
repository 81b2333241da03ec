"""E_PIN_DROPPED and E_PIN_CHANGED: what a proposed manifest does to the pins of the base.

The base's manifest and baseline are what counts; the proposal's own constraints can only add to theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.manifest import Constraints, Manifest, PinChange, Property

Pins = Iterable[tuple[str, str | int | None]]


def compare_pins(base: Pins, head: Pins) -> PinChange:
    """How `head` differs from `base`. Values compare by type and value; a pin that is null or "" is no pin."""
    pinned = {name: value for name, value in base if _is_pinned(value)}
    proposed = {name: value for name, value in head if _is_pinned(value)}
    return PinChange(
        missing=tuple(name for name in pinned if name not in proposed),
        changed=tuple(name for name in pinned if name in proposed and not _is_same(pinned[name], proposed[name])),
        added=tuple(name for name in proposed if name not in pinned),
    )


def grow(base: Constraints, head: Constraints) -> Constraints:
    """The constraints that hold for a proposal: the base's, and whatever the head adds."""
    return Constraints(
        tuple(dict.fromkeys((*base.forbid_skip_markers, *head.forbid_skip_markers))),
        base.forbid_dropped_pins or head.forbid_dropped_pins,
        base.require_host_b or head.require_host_b,
    )


def manifest_findings(base: Manifest, head: Manifest | None, path: str) -> tuple[Finding, ...]:
    """What a proposed manifest does to each property of the base; `head` is None when the file is gone.

    A property of the base without a `property_id` pins every property of the head.
    """
    findings = [finding for one in base.properties for finding in _property_findings(one, head, path)]
    return (*dict.fromkeys(findings), *(_unread(path, *row) for row in (head.unread if head else ())))


def _property_findings(base: Property, head: Manifest | None, path: str) -> Iterator[Finding]:
    proposed = tuple(one for one in head.properties if base.property_id in ("", one.property_id)) if head else ()
    if not proposed:
        yield from _gone(base, path)
    for one in proposed:
        yield from _pin_findings(base, one, path)
        yield from _loosened(base, one, path)


def _gone(base: Property, path: str) -> Iterator[Finding]:
    """A property that is in no document of the head: its pins are dropped, and so are constraints it set itself."""
    missing = compare_pins(base.pins, ()).missing
    if missing:
        yield _finding(code.PIN_DROPPED, path, f"{_name(base)} is gone, and with it {_listed(missing)}")
    else:
        yield from _loosened(base._replace(module=""), Property(base.property_id, "", ()), path)


def _pin_findings(base: Property, head: Property, path: str) -> Iterator[Finding]:
    change = compare_pins(base.pins, head.pins)
    is_forbidden = grow(base.constraints, head.constraints).forbid_dropped_pins
    if change.missing:
        finding = _finding(code.PIN_DROPPED, path, f"{_name(head)} no longer pins {_listed(change.missing)}")
        yield finding if is_forbidden else finding._replace(severity=WARN)
    if change.changed:
        before, after = dict(base.pins), dict(head.pins)
        pairs = ", ".join(f"{name} from {before[name]!r} to {after[name]!r}" for name in change.changed)
        yield _finding(code.PIN_CHANGED, path, f"{_name(head)} changes {pairs}")


def _loosened(base: Property, head: Property, path: str) -> Iterator[Finding]:
    """Constraints taken back and a property pointed at another module: the base's still hold, but it was tried."""
    lost = tuple(
        marker for marker in base.constraints.forbid_skip_markers if marker not in head.constraints.forbid_skip_markers
    )
    if lost:
        yield _finding(code.PIN_CHANGED, path, f"{_name(head)} no longer forbids the skip markers {_listed(lost)}")
    for name in ("forbid_dropped_pins", "require_host_b"):
        if getattr(base.constraints, name) and not getattr(head.constraints, name):
            yield _finding(code.PIN_CHANGED, path, f"{_name(head)} takes back the constraint {name}")
    if base.module and head.module != base.module:
        target = head.module or "no module"
        yield _finding(code.PIN_CHANGED, path, f"{_name(head)} points at {target} in place of {base.module}")


def _unread(path: str, line: int, key: str) -> Finding:
    message = f"`{key}` is no key of version 1 and has no effect"
    return Finding(code.MANIFEST_INVALID, ADVICE, path, message, "correct the key or take it out", line=line)


def _finding(name: str, path: str, message: str) -> Finding:
    return Finding(name, BLOCK, path, message, code.next_step(name))


def _name(one: Property) -> str:
    return f"the property {one.property_id}" if one.property_id else "the manifest"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _is_pinned(value: str | int | None) -> bool:
    return value is not None and value != ""


def _is_same(one: str | int | None, other: str | int | None) -> bool:
    return type(one) is type(other) and one == other
