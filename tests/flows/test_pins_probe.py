"""`pins probe`, over a repository and by itself: what a run is seen to read, on every Python of the machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agentgate_git.runner.pins import ARGS, IMPORT_FOLDER
from agentgate_git.runner.run_tests import run_tests
from testing import suites
from testing.command_line import agentgate
from testing.pythons import minor_of, of_machine, pure_packages
from testing.repo_builder import RepoBuilder

PYTHONS = [Path(sys.executable), *(python for python in of_machine() if minor_of(python) > 11)]

PRODUCT = """\
import datetime
import functools
import getpass
import locale
import logging
import os
import random
import socket
import subprocess
import tempfile
import threading
import time
import uuid
from time import time as early


class Stamp(datetime.datetime):
    pass


def stamp(): return early()
def through_getattr(): return getattr(time, "time_ns")()
def of_subclass(): return Stamp.now(datetime.timezone.utc)
def naive(): return datetime.datetime.now()
def utc(): return datetime.datetime.now(datetime.timezone.utc)
def formatted(): return time.strftime("%Y")
def formatted_other(): return time.strftime("%Y", time.gmtime(0))
def zone(): return time.localtime(0)
def steady(): return time.monotonic()
def draw(): return random.randint(1, 6)
def own_generator(): return random.Random().random()
def seeded_generator(): return random.Random(1).random()
def strong(): return uuid.uuid4()
def words(): return locale.localeconv()
def variable(): return os.environ.get("TZ"), os.getenv("LANG"), "TMPDIR" in os.environ
def copied(): return dict(os.environ), os.environ.copy(), {**os.environ}
def folder():
    with tempfile.TemporaryDirectory() as found: return found
def cached_folder(): return tempfile.gettempdir()
def mask(): return os.umask(0o022)
def listing(): return os.listdir(".")
def connected():
    with socket.socket() as one:
        one.connect(("192.0.2.1", 9))
def resolved(): return socket.getaddrinfo("example.invalid", 80)
def here(): return socket.getaddrinfo("127.0.0.1", 80)
def in_a_thread():
    thread = threading.Thread(target=lambda: time.time())
    thread.start()
    thread.join()
def logged(): logging.getLogger("x").warning("y")
def waited(): return threading.Event().wait(0.001)
"""
TEST = """\
import contextlib, os, random, time
import pytest
import product

LOADED = time.time()
NAMES = [name for name, value in vars(product).items() if getattr(value, "__module__", "") == "product"]

@pytest.fixture(scope="session")
def shared():
    yield time.time()
    random.random()

def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", [name for name in NAMES if name not in ("Stamp", "early")])

def test_each(name):
    with contextlib.suppress(OSError):
        getattr(product, name)()

def test_itself(shared, tmp_path):
    with open("made", "w"):
        pass
    assert int(os.environ["ENTROPY_RNG_SEED"]) == 9173
"""
# What each function is seen to read: rows of pin, source, need, what.
EXPECTED: dict[str, set[tuple[str, str, bool, str]]] = {
    "stamp": {("clock_unix", "clock", True, "time.time()")},
    "through_getattr": {("clock_unix", "clock", True, "time.time_ns()")},
    "of_subclass": {("clock_unix", "clock", True, "datetime.now()")},
    "naive": {("clock_unix", "clock", True, "datetime.now()"), ("tz", "tz", False, "datetime.now()")},
    "utc": {("clock_unix", "clock", True, "datetime.now()")},
    "formatted": {("clock_unix", "clock", True, "time.strftime()")},
    "zone": {("tz", "tz", True, "time.localtime()")},
    "steady": {("", "clock", True, "time.monotonic()")},
    "draw": {("rng_seed", "rng", True, "random.Random.randint()")},
    "own_generator": {("", "rng", True, "random.Random.__init__()")},
    "strong": {("", "rng", True, "uuid.uuid4()")},
    "words": {("lang", "locale", True, "locale.localeconv()")},
    "variable": {
        ("tz", "tz", True, "os.environ['TZ']"),
        ("lang", "locale", True, "os.getenv()"),
        ("temp_root", "fs", True, "os.environ['TMPDIR']"),
    },
    "folder": {("temp_root", "fs", True, "tempfile.TemporaryDirectory.__init__()")},
    "cached_folder": {("temp_root", "fs", True, "tempfile.gettempdir()")},
    "mask": {("umask", "fs", True, "os.umask()")},
    "listing": {("", "fs", True, "os.listdir()")},
    "connected": {("cassette_sha256", "network", True, "socket.connect()")},
    "resolved": {("cassette_sha256", "network", True, "socket.getaddrinfo()")},
    "<lambda>": {("clock_unix", "clock", True, "time.time()")},
    # In the tests themselves:
    "": {("clock_unix", "clock", True, "time.time()")},
    "shared": {("clock_unix", "clock", True, "time.time()"), ("rng_seed", "rng", True, "random.random()")},
    "test_itself": {("umask", "fs", False, "open()"), ("rng_seed", "rng", True, "os.environ['ENTROPY_RNG_SEED']")},
}


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: "-".join(path.parts[-3:]))
def test_what_is_read_is_seen_with_its_place(python: Path, tmp_path: Path) -> None:
    packages = pure_packages(tmp_path / "packages")
    project = tmp_path / "project"
    suites.write(project, {"product.py": PRODUCT, "test_product.py": TEST})
    request = suites.request(
        project,
        *ARGS,
        "-p",
        "_agentgate_probe",
        PYTHONPATH=f"{IMPORT_FOLDER}:{packages}",
        AGENTGATE_PINS="rng_seed=9173\nnetwork=refused",
        AGENTGATE_PROBE=str(tmp_path / "seen.json"),
        ENTROPY_RNG_SEED="9173",
        LC_ALL="C.UTF-8",
    )
    report = run_tests(request._replace(python=str(python)))
    assert {"passed"} == {outcome for _, outcome in report.outcomes}, Path(request.log).read_text()
    seen: dict[str, Any] = json.loads((tmp_path / "seen.json").read_text())
    assert ["product.py", "test_product.py"] == seen["files"]
    found: dict[str, set[tuple[str, str, bool, str]]] = {}
    for pin, source, is_needed, path, line, owner, what in seen["reads"]:
        assert "product.py" in path
        assert line > 0
        found.setdefault(owner.rpartition(".")[2], set()).add((pin, source, is_needed, what))
    assert EXPECTED == found


MANIFEST = """\
version: 1
property_id: tokens
module: tests/test_tokens.py
pins: {clock_unix: 1768003200, rng_seed: 7, tz: Asia/Tokyo, umask: "0022"}
---
version: 1
property_id: letters
module: app.letters
pins: {lang: C.UTF-8, tz: Asia/Tokyo}
"""
FILES = {
    "entropy.yaml": MANIFEST,
    "app/__init__.py": "",
    "app/tokens.py": "import time\n\n\ndef issue():\n    return time.strftime('%H:%M', time.localtime())\n",
    "app/letters.py": "import random\n\n\ndef draw():\n    return random.choice('ab')\n",
    "tests/test_tokens.py": "from app import tokens\n\n\ndef test_issue():\n    assert tokens.issue() == '09:00'\n",
    "tests/test_letters.py": "from app import letters\n\n\ndef test_draw():\n    assert letters.draw() == '?'\n",
}


def test_each_property_is_run_once_and_compared_with_its_pins(repo: RepoBuilder) -> None:
    repo.commit(FILES)
    done = agentgate(repo, "pins", "probe", "--python", sys.executable, "--format", "json")
    assert "letters: 1 failed; what these did not come to was not seen" in done.stderr
    assert 0 == done.status
    tokens, letters = done.json()["properties"]
    assert {"app/tokens.py", "tests/test_tokens.py"} <= set(tokens["files"])
    assert [("rng_seed", "unread"), ("umask", "unread")] == [(one["pin"], one["kind"]) for one in tokens["pins"]]
    (missing, *unread) = letters["pins"]
    assert ("rng_seed", "missing", "rng") == (missing["pin"], missing["kind"], missing["source"])
    place = {"path": "app/letters.py", "line": 5, "owner": "draw", "what": "random.Random.choice()"}
    assert [place] == missing["reads"]
    assert ["lang", "tz"] == [one["pin"] for one in unread]


@pytest.mark.parametrize(
    ("files", "status", "message"),
    [
        ({"entropy.yaml": "version: 1\npins: {moon: full}\n"}, 3, "pins moon, which nothing here can hold"),
        (
            {"entropy.yaml": "version: 1\npins: {tz: UTC}\n", "tests/test_a.py": "import os\nos._exit(0)\n"},
            3,
            "ended without saying what they read",
        ),
    ],
    ids=["a pin that cannot be held", "tests that end the process"],
)
def test_what_cannot_be_answered(repo: RepoBuilder, files: dict[str, str], status: int, message: str) -> None:
    repo.commit(files)
    done = agentgate(repo, "pins", "probe", "--python", sys.executable)
    assert (status, "") == (done.status, done.stdout)
    assert message in done.stderr
