"""Which tests a change set brings."""

from __future__ import annotations

import pytest

from agentgate_git.source.python.changed_tests import changed_tests

BASE = b"""
import pytest, shop

def test_a():
    assert shop.total([1]) == 3

class TestB:
    @pytest.mark.parametrize("n", [1, 2])
    def test_b(self, n):
        assert shop.total([n]) == 3 * n
"""
HEADS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "the_same": (BASE, ()),
    "moved_and_commented": (b"# first\n" + BASE, ()),
    "added": (BASE + b"\ndef test_c():\n    assert shop.total([]) == 0\n", ("t/test_shop.py::test_c",)),
    "edited": (BASE.replace(b"[1]) == 3", b"[2]) == 6"), ("t/test_shop.py::test_a",)),
    "a_row_more": (BASE.replace(b"[1, 2]", b"[1, 2, 3]"), ("t/test_shop.py::TestB::test_b",)),
    "unreadable": (b"def test_a(:", ()),
}


@pytest.mark.parametrize(("head", "expected"), HEADS.values(), ids=HEADS)
def test_what_is_new_or_differs(head: bytes, expected: tuple[str, ...]) -> None:
    assert expected == changed_tests({"t/test_shop.py": BASE}, {"t/test_shop.py": head})


def test_all_of_a_new_file() -> None:
    found = changed_tests({}, {"t/test_shop.py": BASE})
    assert ("t/test_shop.py::TestB::test_b", "t/test_shop.py::test_a") == found
