"""Patterns that are compiled once they are asked for something."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re

import pytest

import agentgate_git
from agentgate_git.model.pattern import pattern_of


def test_it_answers_as_a_compiled_one() -> None:
    text = pattern_of(r"(?P<word>[a-z]+)(\d)?", re.IGNORECASE)
    plain = re.compile(r"(?P<word>[a-z]+)(\d)?", re.IGNORECASE)
    for _ in range(2):
        assert [found.span() for found in plain.finditer("Ab1 c")] == [found.span() for found in text.finditer("Ab1 c")]
    assert "-1 -" == text.sub(r"-\2", "Ab1 c")
    assert (plain.pattern, plain.flags, plain.groups) == (text.pattern, text.flags, text.groups)
    assert dict(plain.groupindex) == dict(text.groupindex)
    assert [b"b", b"c"] == pattern_of(rb"[bc]").findall(b"abcd")


def test_a_mistake_shows_at_the_first_use() -> None:
    wrong = pattern_of("(")
    with pytest.raises(re.error):
        wrong.match("x")


def test_what_a_pattern_has_not_is_no_attribute() -> None:
    assert not hasattr(pattern_of("a"), "nothing_of_that_name")


def test_every_pattern_of_ours_can_be_compiled() -> None:
    for found in pkgutil.walk_packages(agentgate_git.__path__, "agentgate_git."):
        if found.name.split(".")[1] in ("source", "policy", "wire", "render"):
            importlib.import_module(found.name)
    kind = type(pattern_of("a"))
    ours = [each for each in gc.get_objects() if type(each) is kind]
    assert len(ours) > 250
    assert {re.Pattern} == {type(re.compile(each.pattern, each._flags)) for each in ours if each.pattern != "("}
