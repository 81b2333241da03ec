"""Whether production holds the same tests in both versions: only what surely does is left unread."""

from __future__ import annotations

import pytest

from agentgate_git.source.python.hidden_tests import may_differ_in_tests

APP = b'''from shop.base import Base


class App(Base):
    """What makes a client."""

    limit = 3

    def __init__(self):
        self.items = []

    def setup_items(self):
        """Nothing that test_client does."""
        return self.items

    def make_client(self):
        return self.setup_items()

    def run(self):
        return 1

    def test_client(self):
        return self.make_client()
'''

SAME = {
    "another method": APP.replace(b"return 1", b"return 2"),
    "a method more": APP + b"\n    def close(self):\n        pass\n",
    "a constructor that changed": APP.replace(b"self.items = []", b"self.items = [1]"),
    "a docstring": APP.replace(b"What makes", b"Makes"),
    "another function": APP + b"\n\ndef other():\n    return 1\n",
}
OTHER = {
    "the test": APP.replace(b"return self.make_client()", b"return None"),
    "what it calls": APP.replace(b"return self.setup_items()", b"return 1"),
    "what that calls": APP.replace(b"return self.items", b"return 1"),
    "the test is gone": APP.replace(b"test_client(self)", b"client(self)"),
    "a test more": APP + b"\n    def test_other(self):\n        pass\n",
    "a base class": APP.replace(b"App(Base)", b"App(Other)"),
    "what a base class stands for": APP.replace(b"from shop.base", b"from shop.other"),
    "a constructor more": APP.replace(b"    def run", b"    def __new__(cls):\n        pass\n\n    def run"),
    "a mark of the class": APP.replace(b"limit = 3", b"pytestmark = 3"),
    "an assertion": APP.replace(b"return 1", b"assert 1"),
    "not to be cut": APP + b"x = (\n",
}


@pytest.mark.parametrize("new", SAME.values(), ids=SAME)
def test_what_no_test_can_reach(new: bytes) -> None:
    assert not may_differ_in_tests(APP, new)


@pytest.mark.parametrize("new", OTHER.values(), ids=OTHER)
def test_what_may_reach_a_test(new: bytes) -> None:
    assert may_differ_in_tests(APP, new)


def test_production_without_tests() -> None:
    assert not may_differ_in_tests(b"x = 1\n", b"x = (\n")


def test_a_file_that_comes_or_goes() -> None:
    assert may_differ_in_tests(b"", APP)
    assert may_differ_in_tests(APP, b"")
