"""What the text of a test says about why nothing could make it fail."""

from __future__ import annotations

import pytest

from testing.facts import assertions
from testing.tautology import NO_ASSERTION, explain_tautology

HONEST = {
    "equality": "def test_a(): assert total([1]) == 3\n",
    "raises": "import pytest\ndef test_a():\n    with pytest.raises(ValueError): total(None)\n",
    "bound": "def test_a(): assert total([1]) > 2\n",
    "one_of_two": "def test_a():\n    assert True\n    assert total([1]) == 3\n",
    "unittest": "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(), 3)\n",
}
EXPLAINED = {
    "nothing": ("def test_a(): total([1])\n", NO_ASSERTION),
    "constant": ("def test_a():\n    total([1])\n    assert True\n", "no assertion of it can fail"),
    "itself": ("def test_a(): assert total([1]) == total([1])\n", "no assertion of it can fail"),
    "or_true": ("def test_a(): assert total([1]) == 3 or True\n", "no assertion of it can fail"),
    "tuple": ("def test_a(): assert (total([1]) == 3, 'wrong')\n", "no assertion of it can fail"),
    "swallowed": (
        "def test_a():\n    try:\n        assert total([1]) == 3\n    except AssertionError:\n        pass\n",
        "no assertion of it can fail",
    ),
    "present": ("def test_a(): assert total([1]) is not None\n", "it asks only whether something is there"),
    "type": ("def test_a(): assert isinstance(total([1]), int)\n", "it asks only for a type"),
}


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_what_can_fail_is_not_explained_away(text: str) -> None:
    (test,) = assertions("test_a.py", text, whole=True)
    assert explain_tautology(test) == ""


@pytest.mark.parametrize(("text", "reason"), EXPLAINED.values(), ids=EXPLAINED)
def test_why_it_cannot_fail(text: str, reason: str) -> None:
    (test,) = assertions("test_a.py", text, whole=True)
    assert explain_tautology(test).startswith(reason)
