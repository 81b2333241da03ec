"""Where notes stand in a notes tree."""

from __future__ import annotations

import pytest

from agentgate_git.evidence.notes_tree import key_of, note_path, possible_paths

KEY = "0123456789abcdef0123456789abcdef01234567"
LONG_KEY = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("path", "key"),
    [
        pytest.param(KEY, KEY, id="flat"),
        pytest.param(f"{KEY[:2]}/{KEY[2:]}", KEY, id="one level"),
        pytest.param(f"{KEY[:2]}/{KEY[2:4]}/{KEY[4:]}", KEY, id="two levels"),
        pytest.param(f"{KEY[:3]}/{KEY[3:]}", "", id="a directory of three digits"),
        pytest.param(KEY[:-1], "", id="an abbreviation"),
        pytest.param(KEY.upper(), "", id="capitals"),
        pytest.param("README", "", id="somebody's file"),
        pytest.param(LONG_KEY, "", id="an id of the other hash"),
    ],
)
def test_the_object_of_a_path(path: str, key: str) -> None:
    assert key == key_of(path, 40)


@pytest.mark.parametrize("key", [pytest.param(KEY, id="sha1"), pytest.param(LONG_KEY, id="sha256")])
def test_b07_every_place_of_an_object_leads_back_to_it(key: str) -> None:
    paths = possible_paths(key)
    assert {key} == {key_of(path, len(key)) for path in paths}
    assert (key, note_path(key), len(key) // 2) == (paths[0], paths[1], len(paths))
