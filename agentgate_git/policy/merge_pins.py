"""Three-way merge of two manifests: what both sides pin is kept, and nothing is lost without a word.

The sides are equal: in a rebase git's `ours` is upstream, in a merge it is the branch one stands on. So the answer
is the same when they are swapped, and neither side wins: other values, or something taken back, are a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.manifest import PIN_NAMES, Constraints, Manifest, Property
from agentgate_git.model.record import Record

Pins = dict[str, str | int]

FLAGS = ("forbid_dropped_pins", "require_host_b")


class Side(Record):
    """One version: its manifest, and (property, key, value as text) of each key that version 1 does not know."""

    manifest: Manifest
    unknown: frozenset[tuple[str, str, str]] = frozenset()


class Merged(Record):
    """The merged version, or the conflicts as sentences for a person; exactly one of the two is there."""

    side: Side | None
    conflicts: tuple[str, ...] = ()


def merge_pins(base: Manifest | None, one: Side, other: Side) -> Merged:
    """Merge two versions; `base` is None where there is none, or none that can be read."""
    before, first, second = _by_id(base), _by_id(one.manifest), _by_id(other.manifest)
    properties: list[Property] = []
    conflicts: list[str] = []
    for name in _in_order(before, (), first, second):
        merged, told = _property(before.get(name), first.get(name), second.get(name))
        properties.append(merged)
        conflicts += told
    if len(properties) > 1 and any(not merged.property_id for merged in properties):
        conflicts.append("one side names its property and the other does not")
    keys = sorted({f"`{key}`" for _, key, _ in one.unknown ^ other.unknown})
    if keys:
        conflicts.append(f"the sides differ in {', '.join(keys)}, which version 1 does not know")
    if conflicts:
        return Merged(None, tuple(conflicts))
    version = max(one.manifest.version, other.manifest.version)
    return Merged(Side(Manifest(version, tuple(properties)), one.unknown))


def means_the_same(one: Side, other: Side) -> bool:
    """True when two versions pin and forbid the same, whatever the order of their lines."""
    return _meaning(one) == _meaning(other)


def _meaning(side: Side) -> tuple[object, ...]:
    properties = {
        item.property_id: (
            item.module,
            _pinned(item),
            frozenset(item.constraints.forbid_skip_markers),
            *(getattr(item.constraints, flag) for flag in FLAGS),
        )
        for item in side.manifest.properties
    }
    return side.manifest.version, properties, side.unknown


def _by_id(manifest: Manifest | None) -> dict[str, Property]:
    return {item.property_id: item for item in manifest.properties} if manifest else {}


def _property(base: Property | None, one: Property | None, other: Property | None) -> tuple[Property, tuple[str, ...]]:
    """One property of the result and what stands against it; where there is a conflict, the result means nothing."""
    present = [item for item in (one, other) if item is not None]
    if base is not None and len(present) < 2:
        side = "one side" if present else "both sides"
        return base, (f"{side} dropped {_name(base)}",)
    if len(present) == 1:
        return present[0], ()
    first, second = present
    pins, told = _pins(base, first, second)
    module, moved = _module(base, first, second)
    merged = Property(first.property_id, module, pins, _constraints(base, first, second))
    return merged, (*told, *moved, *_loosened(base, first, second))


def _pins(base: Property | None, one: Property, other: Property) -> tuple[tuple[tuple[str, str | int], ...], list[str]]:
    before, first, second = _pinned(base), _pinned(one), _pinned(other)
    pins: Pins = {}
    conflicts: list[str] = []
    for name in _in_order(before, PIN_NAMES, first, second):
        values = [side[name] for side in (first, second) if name in side]
        if name in before and len(values) < 2:
            side = "one side" if values else "both sides"
            conflicts.append(f"{side} dropped the pin {name} of {_name(one)}")
        elif len(set(values)) > 1:
            shown = " and ".join(sorted(map(repr, values)))
            conflicts.append(f"the pin {name} of {_name(one)} has the values {shown}")
        if values:
            pins[name] = values[0]
    return tuple(pins.items()), conflicts


def _module(base: Property | None, one: Property, other: Property) -> tuple[str, tuple[str, ...]]:
    values = sorted({item.module for item in (one, other)} - {""})
    had_one = base is not None and base.module != ""
    if len(values) > 1 or (had_one and not (one.module and other.module)):
        shown = " and ".join(item or "no module" for item in sorted((one.module, other.module)))
        return "", (f"{_name(one)} points at {shown}",)
    return "".join(values), ()


def _constraints(base: Property | None, one: Property, other: Property) -> Constraints:
    """All that either side forbids."""
    before = base.constraints.forbid_skip_markers if base else ()
    first, second = one.constraints, other.constraints
    markers = tuple(_in_order(before, (), first.forbid_skip_markers, second.forbid_skip_markers))
    return Constraints(markers, *(getattr(first, flag) or getattr(second, flag) for flag in FLAGS))


def _loosened(base: Property | None, one: Property, other: Property) -> Iterator[str]:
    """Constraints of the base that a side takes back."""
    if base is None:
        return
    for marker in base.constraints.forbid_skip_markers:
        if any(marker not in side.constraints.forbid_skip_markers for side in (one, other)):
            yield f"a side no longer forbids the skip marker {marker} for {_name(base)}"
    for flag in FLAGS:
        if getattr(base.constraints, flag) and not (
            getattr(one.constraints, flag) and getattr(other.constraints, flag)
        ):
            yield f"a side takes back the constraint {flag} of {_name(base)}"


def _pinned(item: Property | None) -> Pins:
    """The pins that have a value; null and "" pin nothing."""
    pairs = item.pins if item is not None else ()
    return {name: value for name, value in pairs if value is not None and value != ""}


def _in_order(base: Iterable[str], known: Iterable[str], one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    """Names in the order of the base, then in a known one, then by alphabet: never by the side they come from."""
    before = tuple(base)
    named = {*one, *other}
    return tuple(dict.fromkeys((*before, *(name for name in known if name in named), *sorted(named))))


def _name(item: Property) -> str:
    return f"the property {item.property_id}" if item.property_id else "the manifest"
