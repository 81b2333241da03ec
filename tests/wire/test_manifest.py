"""Manifests: the vectors of pins.yaml, and canonical bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.code import MANIFEST_INVALID
from agentgate_git.model.finding import Finding
from agentgate_git.model.manifest import PIN_NAMES, Constraints, Manifest, Property
from agentgate_git.wire.manifest import dump_manifest, load_manifest, read_manifest
from agentgate_git.wire.strict_yaml import StrictYamlError

CASES = yaml.safe_load((Path(__file__).parent.parent / "cases" / "pins.yaml").read_text(encoding="utf-8"))

FOUNDING = b"""\
# entropy.yaml: proposed pin file. Agents may not delete keys.
version: 1
property_id: invoice_total_idempotent
module: tests/properties/test_invoice_total.py
pins:
  clock_unix: 1768003200
  rng_seed: 9173
  tz: UTC
  lang: C.UTF-8
  umask: "0022"
  temp_root: /tmp/entropy-invoice
  cassette_sha256: 9c1f0a2b7d4e88a1c3b6d0e5f7a9b2c4d6e8f0a1b3c5d7e9f1a3b5c7d9e0f2
constraints:
  forbid_skip_markers: ["network", "flaky", "skipif_tz"]
  forbid_dropped_pins: true
  require_host_b: true
"""


def test_reads_the_founding_shape() -> None:
    manifest = load_manifest(FOUNDING)
    one = manifest.properties[0]
    assert (1, 1) == (manifest.version, len(manifest.properties))
    assert ("invoice_total_idempotent", "tests/properties/test_invoice_total.py") == (one.property_id, one.module)
    assert PIN_NAMES == tuple(name for name, _ in one.pins)
    assert ("0022", 9173) == (dict(one.pins)["umask"], dict(one.pins)["rng_seed"])
    assert Constraints(("network", "flaky", "skipif_tz"), True, True) == one.constraints


ACCEPTED = {
    "pins only": ("version: 1\npins: {tz: UTC}\n", Property("", "", (("tz", "UTC"),))),
    "no pins yet": ("version: 1\npins:\n", Property("", "", ())),
    "null and empty pins": ('version: 1\npins: {tz: , lang: ""}\n', Property("", "", (("tz", None), ("lang", "")))),
    "a pin of one's own": ("version: 1\npins: {hash_seed: 0}\n", Property("", "", (("hash_seed", 0),))),
    "empty constraints": ("version: 1\npins: {}\nconstraints:\n", Property("", "", ())),
}


@pytest.mark.parametrize(("text", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_accepts(text: str, expected: Property) -> None:
    assert Manifest(1, (expected,)) == load_manifest(text.encode())


LINES = {
    "duplicate-key": 4,
    "anchor-alias": 2,
    "merge-key": 2,
    "python-tag": 2,
    "unknown-version": 1,
    "unquoted-octal-umask": 2,
    "hidden-line-separator": 3,
    "utf16": 1,
    "not-a-mapping": 1,
    "empty": 1,
}


@pytest.mark.parametrize("row", CASES["manifest_bytes"], ids=lambda row: row["id"])
def test_vectors_are_refused_with_the_line_at_fault(row: dict[str, Any]) -> None:
    data = bytes.fromhex(row["hex"]) if "hex" in row else row["text"].encode()
    answer = read_manifest("entropy.yaml", data)
    assert isinstance(answer, Finding)
    assert (MANIFEST_INVALID, "entropy.yaml", LINES[row["id"]]) == (answer.code, answer.path, answer.line)
    assert answer.is_blocking()


def test_an_unquoted_octal_umask_is_told_to_be_quoted() -> None:
    answer = read_manifest("entropy.yaml", b"version: 1\npins: {umask: 0022}\n")
    assert isinstance(answer, Finding)
    assert 'quote it: "0022"' in answer.message


REFUSED = {
    "no version": ("pins: {}\n", 1),
    "version as text": ('version: "1"\npins: {}\n', 1),
    "no pins": ("version: 1\n", 1),
    "pins as a list": ("version: 1\npins: [tz]\n", 2),
    "boolean pin": ("version: 1\npins:\n  tz: true\n", 3),
    "list as a pin": ("version: 1\npins:\n  tz: [UTC]\n", 3),
    "odd name of a pin": ("version: 1\npins:\n  TZ!: UTC\n", 3),
    "constraint of another kind": ("version: 1\npins: {}\nconstraints:\n  require_host_b: 1\n", 4),
    "markers as text": ("version: 1\npins: {}\nconstraints:\n  forbid_skip_markers: network\n", 4),
    "several without a name": ("version: 1\npins: {}\n---\nversion: 1\npins: {}\n", 1),
    "two of one name": ("version: 1\nproperty_id: a\npins: {}\n---\nversion: 1\nproperty_id: a\npins: {}\n", 5),
    "an empty document": ("version: 1\nproperty_id: a\npins: {}\n---\n", 5),
}


@pytest.mark.parametrize(("text", "line"), REFUSED.values(), ids=REFUSED)
def test_refuses_and_names_the_line(text: str, line: int) -> None:
    with pytest.raises(StrictYamlError) as refusal:
        load_manifest(text.encode())
    assert line == refusal.value.line


def test_keys_of_no_known_version_are_told_with_their_lines() -> None:
    manifest = load_manifest(b"version: 1\nowner: billing\npins: {}\nconstraints:\n  compare: junit\n")
    assert ((2, "owner"), (5, "compare")) == manifest.unread


def test_several_properties_keep_their_order() -> None:
    text = b"version: 1\nproperty_id: b\npins: {}\n---\nversion: 1\nproperty_id: a\npins: {}\n"
    assert ["b", "a"] == [one.property_id for one in load_manifest(text).properties]


def test_canonical_bytes_are_these() -> None:
    text = b'version: 1\nmodule: "tests/a b.py"\npins: {umask: "0022", tz: UTC, lang: "yes", seed: 7, temp_root: ~}\n'
    assert (
        b'version: 1\nmodule: "tests/a b.py"\npins:\n  umask: "0022"\n  tz: UTC\n  lang: "yes"\n  seed: 7\n'
        b"  temp_root: null\nconstraints:\n  forbid_skip_markers: []\n  forbid_dropped_pins: true\n"
        b"  require_host_b: false\n"
    ) == dump_manifest(load_manifest(text))


TEXT = st.text(
    st.one_of(st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cn", "Zl", "Zp")), st.sampled_from("\n\t")),
    max_size=20,
)
VALUES = st.one_of(TEXT, st.integers(-(2**53) + 1, 2**53 - 1), st.none(), st.sampled_from(["yes", "0022", "~", "1e5"]))
PROPERTIES = st.builds(
    Property,
    TEXT.filter(bool),
    TEXT,
    st.dictionaries(st.from_regex(r"\A[a-z][a-z0-9_]{0,12}\Z"), VALUES, max_size=5).map(
        lambda pins: tuple(pins.items())
    ),
    st.builds(Constraints, st.lists(TEXT, max_size=3).map(tuple), st.booleans(), st.booleans()),
)


@given(st.lists(PROPERTIES, min_size=1, max_size=3, unique_by=lambda one: one.property_id))
def test_canonical_bytes_are_read_back_equal(properties: list[Property]) -> None:
    manifest = Manifest(1, tuple(properties))
    written = dump_manifest(manifest)
    assert manifest == load_manifest(written)
    assert written == dump_manifest(load_manifest(written))
