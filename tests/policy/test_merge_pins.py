"""The merge of manifests: a table of what is merged and what is refused, and the laws that hold for any three."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.manifest import Constraints, Manifest, Property
from agentgate_git.policy.merge_pins import FLAGS, Merged, Side, means_the_same, merge_pins

Pins = dict[str, Any]


def manifest(pins: Pins, name: str = "orders", module: str = "shop.orders", **constraints: Any) -> Manifest:
    return Manifest(1, (Property(name, module, tuple(pins.items()), Constraints(**constraints)),))


def both(*manifests: Manifest) -> Manifest:
    return Manifest(1, tuple(item for one in manifests for item in one.properties))


def side(one: Manifest, **unknown: str) -> Side:
    return Side(one, frozenset(("orders", key, value) for key, value in unknown.items()))


UTC = manifest({"tz": "UTC"})
MERGED: dict[str, tuple[Manifest | None, Manifest, Manifest, Manifest]] = {
    "both as the base": (UTC, UTC, UTC, UTC),
    "one side adds": (UTC, UTC, manifest({"tz": "UTC", "lang": "C"}), manifest({"tz": "UTC", "lang": "C"})),
    "each side adds its own": (
        UTC,
        manifest({"tz": "UTC", "umask": "0022"}),
        manifest({"lang": "C", "tz": "UTC"}),
        manifest({"tz": "UTC", "lang": "C", "umask": "0022"}),
    ),
    "both add the same": (
        UTC,
        manifest({"tz": "UTC", "lang": "C"}),
        manifest({"lang": "C", "tz": "UTC"}),
        manifest({"tz": "UTC", "lang": "C"}),
    ),
    "both rotate to the same": (UTC, manifest({"tz": "CET"}), manifest({"tz": "CET"}), manifest({"tz": "CET"})),
    "no base, same pins": (None, UTC, UTC, UTC),
    "no base, other pins": (None, UTC, manifest({"lang": "C"}), manifest({"tz": "UTC", "lang": "C"})),
    "no base, null beside a value": (None, UTC, manifest({"tz": None}), UTC),
    "empty base": (manifest({}), UTC, manifest({}), UTC),
    "a null of the base": (manifest({"tz": None}), UTC, manifest({"lang": "C"}), manifest({"tz": "UTC", "lang": "C"})),
    "each side adds a property": (
        UTC,
        both(UTC, manifest({"lang": "C"}, "b", "")),
        both(manifest({"lang": "D"}, "a", ""), UTC),
        both(UTC, manifest({"lang": "D"}, "a", ""), manifest({"lang": "C"}, "b", "")),
    ),
    "one side names a module": (manifest({}, module=""), UTC, manifest({}, module=""), UTC),
    "constraints grow": (
        UTC,
        manifest({"tz": "UTC"}, forbid_skip_markers=("slow",)),
        manifest({"tz": "UTC"}, forbid_skip_markers=("net",), require_host_b=True),
        manifest({"tz": "UTC"}, forbid_skip_markers=("net", "slow"), require_host_b=True),
    ),
    "a flag that one side raises": (
        manifest({}, forbid_dropped_pins=False),
        manifest({}, forbid_dropped_pins=False),
        manifest({}),
        manifest({}),
    ),
    "no base, the stricter constraint": (
        None,
        manifest({}, forbid_dropped_pins=False),
        manifest({}, forbid_dropped_pins=True),
        manifest({}),
    ),
}
MARKED = manifest({}, forbid_skip_markers=("slow",))
REFUSED: dict[str, tuple[Manifest | None, Manifest, Manifest, str]] = {
    "b47 both change": (UTC, manifest({"tz": "CET"}), manifest({"tz": "JST"}), "has the values 'CET' and 'JST'"),
    "b47 one side changes": (UTC, UTC, manifest({"tz": "JST"}), "has the values 'JST' and 'UTC'"),
    "b47 one side drops": (UTC, UTC, manifest({}), "one side dropped the pin tz of the property orders"),
    "b47 one side nulls": (UTC, UTC, manifest({"tz": None}), "one side dropped the pin tz"),
    "b47 one side empties": (UTC, UTC, manifest({"tz": ""}), "one side dropped the pin tz"),
    "both drop": (UTC, manifest({"lang": "C"}), manifest({"umask": "1"}), "both sides dropped the pin tz"),
    "b47 no base, other values": (None, UTC, manifest({"tz": "CET"}), "has the values 'CET' and 'UTC'"),
    "another type": (None, manifest({"umask": "22"}), manifest({"umask": 22}), "has the values '22' and 22"),
    "a property dropped": (both(UTC, manifest({}, "b")), UTC, both(UTC, manifest({}, "b")), "dropped the property b"),
    "a property renamed": (UTC, UTC, manifest({"tz": "UTC"}, "other"), "one side dropped the property orders"),
    "a property dropped by both": (UTC, manifest({}, "a"), manifest({}, "b"), "both sides dropped the property orders"),
    "no base, one without a name": (None, manifest({}, ""), UTC, "one side names its property"),
    "another module": (UTC, UTC, manifest({"tz": "UTC"}, module="x"), "points at shop.orders and x"),
    "no module any more": (UTC, UTC, manifest({"tz": "UTC"}, module=""), "points at no module and shop.orders"),
    "a marker taken back": (MARKED, MARKED, manifest({}), "no longer forbids the skip marker slow"),
    "dropping allowed": (UTC, UTC, manifest({"tz": "UTC"}, forbid_dropped_pins=False), "forbid_dropped_pins"),
    "host b taken back": (manifest({}, require_host_b=True), manifest({}), manifest({}), "require_host_b"),
}


@pytest.mark.parametrize(("base", "one", "other", "expected"), MERGED.values(), ids=MERGED)
def test_what_is_merged(base: Manifest | None, one: Manifest, other: Manifest, expected: Manifest) -> None:
    assert Merged(Side(expected)) == merge_pins(base, side(one), side(other))
    assert Merged(Side(expected)) == merge_pins(base, side(other), side(one))


@pytest.mark.parametrize(("base", "one", "other", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_a_conflict_on_either_side(base: Manifest | None, one: Manifest, other: Manifest, told: str) -> None:
    merged = merge_pins(base, side(one), side(other))
    assert [True] == [told in conflict for conflict in merged.conflicts]
    assert merged == merge_pins(base, side(other), side(one))


def test_keys_that_nobody_knows_must_be_equal() -> None:
    assert () == merge_pins(UTC, side(UTC, owner="'pat'"), side(UTC, owner="'pat'")).conflicts
    for other in (side(UTC), side(UTC, owner="'kim'"), side(UTC, owner="'pat'", team="1")):
        assert 1 == len(merge_pins(UTC, side(UTC, owner="'pat'"), other).conflicts)


def test_the_order_of_lines_has_no_meaning() -> None:
    one = manifest({"tz": "UTC", "lang": "C"}, forbid_skip_markers=("a", "b"))
    other = manifest({"lang": "C", "umask": None, "tz": "UTC"}, forbid_skip_markers=("b", "a"))
    assert means_the_same(side(one), side(other))
    for changed in (manifest({"tz": "UTC"}), manifest({"tz": "UTC", "lang": "C"}, require_host_b=True)):
        assert not means_the_same(side(one), side(changed))
    assert not means_the_same(side(one), side(one, owner="1"))


NAMES = st.sampled_from(["tz", "lang", "umask", "own_pin"])
VALUES = st.sampled_from(["UTC", "22", 22, "", None])
CONSTRAINTS = st.builds(Constraints, st.lists(st.sampled_from("ab"), unique=True).map(tuple), st.booleans())
PROPERTIES = st.builds(
    Property,
    st.just(""),
    st.sampled_from(["", "m"]),
    st.dictionaries(NAMES, VALUES, max_size=3).map(lambda pins: tuple(pins.items())),
    CONSTRAINTS,
)


@st.composite
def manifests(draw: st.DrawFn) -> Manifest:
    ids = draw(st.lists(st.sampled_from("pqr"), min_size=1, max_size=2, unique=True))
    return Manifest(1, tuple(draw(PROPERTIES)._replace(property_id=name) for name in ids))


def pinned(one: Manifest | None) -> set[tuple[str, str, str | int]]:
    items = one.properties if one else ()
    return {(item.property_id, name, value) for item in items for name, value in item.pins if value not in (None, "")}


def forbidden(one: Manifest | None) -> set[tuple[str, str]]:
    items = one.properties if one else ()
    markers = {(item.property_id, marker) for item in items for marker in item.constraints.forbid_skip_markers}
    return markers | {(item.property_id, flag) for item in items for flag in FLAGS if getattr(item.constraints, flag)}


@given(st.none() | manifests(), manifests(), manifests())
def test_b47_the_sides_are_equal(base: Manifest | None, one: Manifest, other: Manifest) -> None:
    assert merge_pins(base, Side(one), Side(other)) == merge_pins(base, Side(other), Side(one))


@given(st.none() | manifests(), manifests(), manifests())
def test_nothing_is_lost_without_a_conflict(base: Manifest | None, one: Manifest, other: Manifest) -> None:
    merged = merge_pins(base, Side(one), Side(other))
    assert (merged.side is None) == bool(merged.conflicts)
    if merged.side is not None:
        result = merged.side.manifest
        assert pinned(one) | pinned(other) == pinned(result)
        assert forbidden(base) | forbidden(one) | forbidden(other) == forbidden(result)
        assert {row[:2] for row in pinned(base)} <= {row[:2] for row in pinned(result)}


@given(st.none() | manifests(), manifests())
def test_a_side_merged_with_itself_is_itself_or_has_lost_something(base: Manifest | None, one: Manifest) -> None:
    merged = merge_pins(base, Side(one), Side(one))
    assert merged.side is None or means_the_same(Side(one), merged.side)
    alone = merge_pins(None, Side(one), Side(one)).side
    assert alone is not None
    assert means_the_same(Side(one), alone)
