"""Test files that only got plain tests more, and everything that is more than that."""

from __future__ import annotations

import pytest

from agentgate_git.source.python.added_tests import only_adds_tests

PATH = "tests/test_shop.py"
HEAD = "import pytest\nfrom shop import total\n\n\n"
HELPER = "def needs_net():\n    pytest.skip('no net')\n\n\n"
FIRST = "def test_first():\n    assert total([1]) == 1\n\n\n"
CLASS = "class TestCart:\n    cart = []\n\n    def test_empty(self):\n        assert not self.cart\n\n\n"
BASE = HEAD + HELPER + FIRST + CLASS
NEW = "def test_new():\n    assert total([2]) == 2\n"
METHOD = "    def test_more(self):\n        assert self.cart == []\n\n\n"

PLAIN = {
    "at the end": BASE + NEW,
    "between others": HEAD + HELPER + NEW + "\n\n" + FIRST + CLASS,
    "with rows": BASE + "@pytest.mark.parametrize('n', [1, 2])\ndef test_rows(n):\n    assert total([n]) == n\n",
    "a method": BASE.rstrip("\n") + "\n\n" + METHOD,
    "with an import of something new": BASE.replace("import pytest\n", "import pytest\nimport decimal\n") + NEW,
    "a comment beside it": BASE + "# why\n" + NEW,
}
MORE = {
    "nothing of the old may go": BASE.replace("== 1", ">= 1") + NEW,
    "a test is gone": HEAD + HELPER + CLASS + NEW,
    "a name that was there": BASE + FIRST.replace("== 1", "== 2"),
    "a test that is skipped": BASE + "@pytest.mark.skip\n" + NEW,
    "a test that skips itself": BASE + NEW + "    pytest.skip()\n",
    "a test that a helper may stop": BASE + NEW.replace("():\n", "():\n    needs_net()\n"),
    "a test that returns early": BASE + NEW.replace("():\n", "():\n    return\n"),
    "a generator": BASE + NEW + "    yield\n",
    "a test that touches the environment": BASE + NEW + "    os.environ['A'] = 'b'\n",
    "a comment that silences": BASE + NEW.replace("== 2", "== 2  # noqa"),
    "a fixture": BASE + "@pytest.fixture(autouse=True)\ndef shop():\n    pass\n",
    "a helper": BASE + "def helper():\n    pass\n",
    "a set-up": BASE.rstrip("\n") + "\n\n    def setup_method(self):\n        self.cart = [1]\n",
    "a mark for the module": BASE + "pytestmark = pytest.mark.skip\n",
    "an import of a name in use": BASE.replace("import pytest\n", "import pytest\nfrom other import total\n") + NEW,
    "an import of everything": BASE.replace("import pytest\n", "import pytest\nfrom other import *\n") + NEW,
    "a base class": BASE.replace("class TestCart:", "class TestCart(Base):"),
    "a coroutine": BASE + "async def test_new():\n    assert total([2]) == 2\n",
    "no Python that can be cut": BASE + NEW + "x = (\n",
}


@pytest.mark.parametrize("new", PLAIN.values(), ids=PLAIN)
def test_plain_tests_were_added(new: str) -> None:
    assert only_adds_tests(PATH, BASE.encode(), new.encode())


@pytest.mark.parametrize("new", MORE.values(), ids=MORE)
def test_more_than_that_happened(new: str) -> None:
    assert not only_adds_tests(PATH, BASE.encode(), new.encode())


@pytest.mark.parametrize("line", ["pytestmark = pytest.mark.skip\n", "collect_ignore = ['x']\n"])
def test_tests_that_arrive_in_a_file_that_holds_them_back(line: str) -> None:
    base = BASE + line
    assert not only_adds_tests(PATH, base.encode(), (base + NEW).encode())
