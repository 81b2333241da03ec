"""Traits of Python files: what counts as one, through whatever name, and what no bytes do to the reader."""

from __future__ import annotations

import pytest

from agentgate_git.model.facts import Trait
from agentgate_git.source.facts import is_read, read_facts

CONFTEST = "tests/conftest.py"
PRODUCT = "app/tokens.py"


def traits(path: str, code: str) -> list[Trait]:
    return list(read_facts(path, code.encode()).traits)


def kinds(path: str, code: str) -> list[str]:
    return [trait.kind for trait in traits(path, code)]


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos._exit(0)\n",
        "import os as o\no._exit(0)\n",
        "from os import _exit\n_exit(0)\n",
        "from os import _exit as leave\nleave(0)\n",
        "import os\ngetattr(os, '_ex' + 'it')(0)\n",
        "import os\nleave = os._exit\nleave(0)\n",
        "__import__('os')._exit(0)\n",
    ],
)
def test_an_exit_is_found_under_any_name(code: str) -> None:
    assert ["exit.process"] == kinds(CONFTEST, code)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("time.time()", "entropy.read.clock"),
        ("datetime.datetime.now(datetime.timezone.utc)", "entropy.read.clock"),
        ("random.random()", "entropy.read.rng"),
        ("random.Random()", "entropy.read.rng"),
        ("uuid.uuid4()", "entropy.read.rng"),
        ("os.urandom(4)", "entropy.read.rng"),
        ("socket.getaddrinfo('h', 80)", "entropy.read.network"),
        ("os.listdir('.')", "entropy.read.fs"),
    ],
)
def test_production_reads_what_differs_from_run_to_run(call: str, kind: str) -> None:
    code = f"import datetime, os, random, socket, time, uuid\n\ndef f():\n    return {call}\n"
    assert kind in kinds(PRODUCT, code)


def test_a_trait_knows_its_line_and_owner() -> None:
    code = "import time\n\nclass Clock:\n    def now(self):\n        return time.time()\n"
    assert [Trait("entropy.read.clock", "time.time()", 5, "Clock::now")] == traits(PRODUCT, code)


def test_layout_and_aliases_of_a_value_change_no_trait() -> None:
    short, long = "time.time = lambda: 0.0", "time.time = (\n    lambda:\n    0.0\n)  # fixed"
    found = [traits(CONFTEST, f"import time\n{code}\n") for code in (short, long)]
    assert found[0] == found[1] != []


@pytest.mark.parametrize(
    "path", ["app/a.py", "setup_helper.py", "tests/test_a.py", "evil.pth", "tests/cassettes/a.yaml", "junit.xml"]
)
def test_files_that_can_have_traits_are_read(path: str) -> None:
    assert is_read(path)


@pytest.mark.parametrize("path", ["README.md", "app/data.json", "app/data/rows.xml", "app/a.c2"])
def test_others_are_not(path: str) -> None:
    assert not is_read(path)


def test_production_without_a_telling_word_is_not_parsed() -> None:
    facts = read_facts("app/a.py", b"def broken(:\n    pass\n")
    assert ("", ()) == (facts.problem, facts.traits)


def test_production_that_matters_and_cannot_be_read_has_a_problem() -> None:
    assert "no Python" in read_facts("app/a.py", b"import time\ndef broken(:\n").problem


HOSTILE = {
    "brackets": b"import time\nx = " + b"(" * 5_000,
    "one long line": b"x)" * 50_000,
    "comparisons": (b"==" + b" " * 50) * 2_000,
    "texts": b"'''\n" * 20_000,
    "handlers": b"except " * 20_000,
    "not text": bytes(range(256)) * 50,
    "nested functions": b"".join(b" " * at + b"def pytest_%d():\n" % at for at in range(90))
    + b" " * 90
    + b"os._exit(0)",
    "nested branches": b"".join(b" " * at + b"if x == %d:\n" % at for at in range(90)) + b" " * 90 + b"exit()",
    "long chains": b"import time\nx = time" + b".time" * 2_000 + b"()\n",
    "sums": b"import time\ndef f(x):\n    return " + b"+".join([b"time.time()"] * 500),
}


@pytest.mark.parametrize("path", ["app/a.py", CONFTEST, "tests/test_a.py", "sitecustomize.py"])
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_no_bytes_stop_the_reader(data: bytes, path: str) -> None:
    assert path == read_facts(path, data).path
