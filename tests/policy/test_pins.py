"""Pins: the vectors of pins.yaml, constraints, properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from agentgate_git.model.code import MANIFEST_INVALID, PIN_CHANGED, PIN_DROPPED
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.manifest import Constraints, Manifest, PinChange, Property
from agentgate_git.policy.pins import compare_pins, grow, manifest_findings

CASES = yaml.safe_load((Path(__file__).parent.parent / "cases" / "pins.yaml").read_text(encoding="utf-8"))

Pins = dict[str, Any]


def manifest(pins: Pins, name: str = "", module: str = "", **constraints: Any) -> Manifest:
    return Manifest(1, (Property(name, module, tuple(pins.items()), Constraints(**constraints)),))


def codes(base: Manifest, head: Manifest | None) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in manifest_findings(base, head, "entropy.yaml")]


@pytest.mark.parametrize("row", CASES["rows"], ids=lambda row: row["id"])
def test_vectors(row: dict[str, Any]) -> None:
    base, head = row["base"].items(), (row["head"] or {}).items()
    expected = PinChange(tuple(row["missing"]), tuple(row["changed"]), tuple(row["added"]))
    assert expected == compare_pins(base, head)


@pytest.mark.parametrize("row", CASES["rows"], ids=lambda row: row["id"])
def test_vectors_as_findings(row: dict[str, Any]) -> None:
    head = manifest(row["head"]) if row["head"] is not None else None
    found = codes(manifest(row["base"]), head)
    expected = [(row["expect"], BLOCK)] if "expect" in row else []
    assert expected == found[:1]


def test_both_codes_are_told_when_both_happen() -> None:
    found = codes(manifest({"tz": "UTC", "rng_seed": 1}), manifest({"rng_seed": 2}))
    assert [(PIN_DROPPED, BLOCK), (PIN_CHANGED, BLOCK)] == found


def test_the_finding_names_pins_and_values() -> None:
    findings = manifest_findings(manifest({"umask": "0022"}, "invoice"), manifest({"umask": 18}, "invoice"), "e.yaml")
    assert ["the property invoice changes umask from '0022' to 18"] == [finding.message for finding in findings]


def test_a_property_that_asks_for_nothing_may_go() -> None:
    assert [] == codes(manifest({}), None)


def test_constraints_do_not_vanish_with_a_property_that_has_no_pins() -> None:
    base = manifest({}, forbid_skip_markers=("network",), require_host_b=True)
    assert [(PIN_CHANGED, BLOCK), (PIN_CHANGED, BLOCK)] == codes(base, None)


def test_constraints_only_grow() -> None:
    base, head = Constraints(("network",), True, True), Constraints(("flaky", "network"), False, False)
    assert Constraints(("network", "flaky"), True, True) == grow(base, head)
    assert Constraints(("flaky", "network"), True, True) == grow(head, base)


LOOSENED = {
    "allow: same": ({"require_host_b": True}, {"require_host_b": True}, []),
    "allow: more": ({}, {"require_host_b": True, "forbid_skip_markers": ("slow",)}, []),
    "allow: other order": ({"forbid_skip_markers": ("a", "b")}, {"forbid_skip_markers": ("b", "a")}, []),
    "host b taken back": ({"require_host_b": True}, {}, [(PIN_CHANGED, BLOCK)]),
    "dropped pins allowed": ({}, {"forbid_dropped_pins": False}, [(PIN_CHANGED, BLOCK)]),
    "markers emptied": ({"forbid_skip_markers": ("a",)}, {}, [(PIN_CHANGED, BLOCK)]),
}


@pytest.mark.parametrize(("base", "head", "expected"), LOOSENED.values(), ids=LOOSENED)
def test_taking_a_constraint_back_is_told(base: Pins, head: Pins, expected: list[tuple[str, str]]) -> None:
    assert expected == codes(manifest({"tz": "UTC"}, **base), manifest({"tz": "UTC"}, **head))


def test_the_proposal_cannot_allow_itself_to_drop_pins() -> None:
    head = manifest({}, forbid_dropped_pins=False)
    assert [(PIN_DROPPED, BLOCK), (PIN_CHANGED, BLOCK)] == codes(manifest({"tz": "UTC"}), head)


def test_a_base_that_allows_it_is_warned_of_dropped_pins() -> None:
    base, head = manifest({"tz": "UTC"}, forbid_dropped_pins=False), manifest({}, forbid_dropped_pins=False)
    assert [(PIN_DROPPED, WARN)] == codes(base, head)


def test_a_property_that_points_at_another_module_is_told() -> None:
    base, head = manifest({}, "a", "tests/test_total.py"), manifest({}, "a", "tests/test_smoke.py")
    assert [(PIN_CHANGED, BLOCK)] == codes(base, head)


def test_a_property_that_is_gone_takes_its_pins_with_it() -> None:
    both = Manifest(1, (*manifest({"tz": "UTC"}, "a").properties, *manifest({"lang": "C"}, "b").properties))
    assert [(PIN_DROPPED, BLOCK)] == codes(both, manifest({"tz": "UTC"}, "a"))
    assert [] == codes(manifest({"tz": "UTC"}, "a"), both)


def test_a_baseline_without_names_pins_every_property() -> None:
    head = Manifest(1, (*manifest({"tz": "UTC"}, "a").properties, *manifest({}, "b").properties))
    assert [(PIN_DROPPED, BLOCK)] == codes(manifest({"tz": "UTC"}), head)


def test_keys_that_nothing_reads_are_advice() -> None:
    head = manifest({"tz": "UTC"})._replace(unread=((2, "owner"),))
    findings = manifest_findings(manifest({"tz": "UTC"}), head, "entropy.yaml")
    assert [(MANIFEST_INVALID, ADVICE, 2)] == [(one.code, one.severity, one.line) for one in findings]
