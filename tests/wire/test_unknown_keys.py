"""Keys of a manifest that version 1 does not know, in a form to compare two files by."""

from __future__ import annotations

import pytest

from agentgate_git.wire.strict_yaml import StrictYamlError
from agentgate_git.wire.unknown_keys import unknown_keys

PINS = "pins: {tz: UTC}\n"
ROWS = {
    "allow: none": (f"version: 1\n{PINS}", set()),
    "a word": (f"version: 1\nowner: pat\n{PINS}", {("", "owner", "'pat'")}),
    "a number is no word": (f"version: 1\nowner: 1\nteam: '1'\n{PINS}", {("", "owner", "1"), ("", "team", "'1'")}),
    "under constraints": (f"{PINS}constraints: {{forbid_all: true}}\n", {("", "constraints.forbid_all", "True")}),
    "order in a mapping": ("own: {b: 1, a: [x, null]}\n", {("", "own", "{'a': ['x', None], 'b': 1}")}),
    "by property": (
        "property_id: a\nown: 1\n---\nproperty_id: b\nown: 1\n",
        {("'a'", "own", "1"), ("'b'", "own", "1")},
    ),
    "no mapping": ("- a\n", set()),
}


@pytest.mark.parametrize(("text", "expected"), ROWS.values(), ids=ROWS)
def test_what_is_unknown(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert expected == unknown_keys(text.encode())


def test_what_is_not_strict_yaml_is_refused() -> None:
    with pytest.raises(StrictYamlError):
        unknown_keys(b"a: &x 1\n")
