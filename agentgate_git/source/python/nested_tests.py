"""Tests whose definition stands in a file and that nobody collects: inside a function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from agentgate_git.model.facts import Trait
from agentgate_git.model.inventory import Inventory
from agentgate_git.model.pattern import pattern_of

NESTED = "test.nested"
_MAX = 500
_DEFINED = pattern_of(rb"^[ \t]{0,40}(?:async[ ]+)?def[ ]+(test\w{0,120})[ ]*\(", re.MULTILINE)


def nested_tests(data: bytes, tests: Inventory) -> Iterator[Trait]:
    """The last names of such tests, the first ones of very many."""
    if b"def test" not in data or tests.problem:
        return
    known = {one.name.rpartition("::")[2] for one in tests.tests}
    named = ((found.start(), found[1].decode("utf-8", "replace")) for found in _DEFINED.finditer(data))
    line, at = 1, 0
    for start, name in islice((one for one in named if one[1] not in known), _MAX):
        line += data.count(b"\n", at, start)
        at = start
        yield Trait(NESTED, name, line)
