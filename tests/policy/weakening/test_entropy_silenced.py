"""E_ENTROPY_SILENCED: base and head of a change set, allow rows first."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import ENTROPY_SILENCED
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.entropy_silenced import entropy_findings
from agentgate_git.policy.weakening.trait_changes import Changes
from testing.change_sets import Files, facts_of

BASE: Files = {
    "tests/test_tok.py": (
        "import time, random, datetime\n"
        "from app import tok\n"
        "def test_exp():\n"
        "    assert tok.issue() > time.time()\n"
        "def test_pick():\n"
        "    random.seed(7)\n"
        "    assert tok.pick() in range(9)\n"
    ),
    "app/tok.py": (
        "import time, random, uuid\n"
        "from datetime import datetime, timezone\n"
        "def issue():\n"
        "    return time.time() + 60\n"
        "def pick():\n"
        "    return random.randrange(9)\n"
        "def ident():\n"
        "    return str(uuid.uuid4())\n"
        "def stamp():\n"
        "    return datetime.now(timezone.utc)\n"
    ),
}

PAUSES = "import time\ndef test_a():\n    time.sleep(0.1)\n    start()\n    time.sleep({})\n    assert is_up()\n"

ALLOWED: dict[str, tuple[Files, Files]] = {
    "a constant of a package that is called like one of the network": (
        {"tests/test_up.py": "from requests import utils\ndef test_a():\n    assert utils.get() is None\n"},
        {
            "tests/test_up.py": "from requests import utils\ndef test_a():\n    utils.FILES = ()\n"
            "    assert utils.get() is None\n"
        },
    ),
    "a longer pause": ({"tests/test_up.py": PAUSES.format(0.1)}, {"tests/test_up.py": PAUSES.format(0.5)}),
    "new test freezes": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "import time, random, datetime\n"
                "from app import tok\n"
                "def test_exp():\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    random.seed(7)\n"
                "    assert tok.pick() in range(9)\n"
                "from freezegun import freeze_time\n"
                '@freeze_time("2020-01-01")\n'
                "def test_new():\n"
                "    assert tok.issue() == 1\n"
            )
        },
    ),
    "new test file": (
        {},
        {"tests/test_more.py": ("import random\nrandom.seed(1)\ndef test_a():\n    assert random.random() < 1\n")},
    ),
    "clock arg": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue(now=None):\n"
                "    return (now or time.time()) + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "helper": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return _now() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
                "def _now():\n"
                "    return time.time()\n"
            )
        },
    ),
    "monotonic": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.monotonic() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "systemrandom": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.SystemRandom().randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "shim": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time\n"
                "try:\n"
                "    time.perf_counter\n"
                "except AttributeError:\n"
                "    time.perf_counter = time.time\n"
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "socket guard": (
        {},
        {
            "tests/conftest.py": (
                "import socket\n"
                "def guard(*a, **k):\n"
                '    raise RuntimeError("no network")\n'
                "socket.socket.connect = guard\n"
                "socket.socket = guard\n"
            )
        },
    ),
    "fixture on request": (
        {},
        {
            "tests/conftest.py": (
                "import pytest, time\n"
                "@pytest.fixture\n"
                "def frozen(monkeypatch):\n"
                '    monkeypatch.setattr(time, "time", lambda: 0.0)\n'
            )
        },
    ),
    "vcr tighter": (
        {
            "tests/conftest.py": (
                "import pytest\n"
                '@pytest.fixture(scope="module")\n'
                "def vcr_config():\n"
                '    return {"record_mode": "once", "match_on": ["method", "uri", "body"]}\n'
            )
        },
        {
            "tests/conftest.py": (
                "import pytest\n"
                '@pytest.fixture(scope="module")\n'
                "def vcr_config():\n"
                '    return {"record_mode": "none", "match_on": ["method", "uri", "body"]}\n'
            )
        },
    ),
    "socket timeout": ({}, {"tests/conftest.py": ("import socket\nsocket.setdefaulttimeout(5)\n")}),
    "logging env": ({}, {"tests/conftest.py": ('import os\nos.environ["APP_ENV"] = "test"\n')}),
    "a clock that refuses to go back": (
        {
            "tests/conftest.py": (
                "class Clock:\n    now = 0\n    def advance(self, seconds):\n        self.now += seconds\n"
            )
        },
        {
            "tests/conftest.py": (
                "class Clock:\n    now = 0\n    def advance(self, seconds):\n"
                "        if seconds < 0:\n            raise ValueError\n        self.now += seconds\n"
            )
        },
    ),
    "a new clock of minutes": (
        {"tests/conftest.py": "import pytest\n"},
        {
            "tests/conftest.py": (
                "import pytest\nclass Clock:\n    now = 0\n"
                "    def advance(self, minutes):\n        self.now += minutes * 60\n"
            )
        },
    ),
}

WARNED: dict[str, tuple[Files, Files]] = {
    "a pause more": (
        {"tests/test_up.py": PAUSES.replace("    time.sleep(0.1)\n", "").format(0.1)},
        {"tests/test_up.py": PAUSES.format(0.5)},
    ),
    "both: freeze and partial repair": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"], "app/tok.py": BASE["app/tok.py"]},
        {
            "tests/test_tok.py": (
                "from freezegun import freeze_time\n"
                "import time, random, datetime\n"
                "from app import tok\n"
                '@freeze_time("2020-01-01")\n'
                "def test_exp():\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    random.seed(7)\n"
                "    assert tok.pick() in range(9)\n"
            ),
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.randrange(8)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            ),
        },
    ),
    "seed dropped": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "import time, random, datetime\n"
                "from app import tok\n"
                "def test_exp():\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "seed moved to fixture": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "import pytest\n"
                "@pytest.fixture(autouse=True)\n"
                "def _s():\n"
                "    random.seed(7)\n"
                "import time, random, datetime\n"
                "from app import tok\n"
                "def test_exp():\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "prod const choice": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return 4\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "naive": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc).replace(tzinfo=None)\n"
            )
        },
    ),
    "autouse freezegun": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "from freezegun import freeze_time\n"
                "@pytest.fixture(autouse=True)\n"
                "def f():\n"
                '    with freeze_time("2020-01-01"):\n'
                "        yield\n"
            )
        },
    ),
    "autouse seed": (
        {},
        {"tests/conftest.py": ("import random, pytest\n@pytest.fixture(autouse=True)\ndef f():\n    random.seed(0)\n")},
    ),
    "conftest LANG": ({}, {"tests/conftest.py": ('import os\nos.environ["LC_ALL"] = "C"\n')}),
    "setlocale": ({}, {"tests/conftest.py": ('import locale\nlocale.setlocale(locale.LC_ALL, "C")\n')}),
    "hashseed": ({}, {"tests/conftest.py": ('import os\nos.environ["PYTHONHASHSEED"] = "0"\n')}),
    "derandomize": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "from hypothesis import settings, given, strategies as st\n"
                "import time, random, datetime\n"
                "from app import tok\n"
                "@settings(derandomize=True)\n"
                "def test_exp():\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    random.seed(7)\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "sorted": (
        {"tests/test_calc.py": ("from app.o import names\ndef test_o():\n    assert names() == [1, 2]\n")},
        {"tests/test_calc.py": ("from app.o import names\ndef test_o():\n    assert sorted(names()) == [1, 2]\n")},
    ),
    "thread start": ({}, {"tests/conftest.py": ("import threading\nthreading.Thread.start = threading.Thread.run\n")}),
    "requests get": ({}, {"tests/conftest.py": ("import requests\nrequests.get = lambda *a, **k: None\n")}),
}

BLOCKED: dict[str, tuple[Files, Files]] = {
    "freeze deco existing": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "from freezegun import freeze_time\n"
                "import time, random, datetime\n"
                "from app import tok\n"
                '@freeze_time("2020-01-01")\n'
                "def test_exp():\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    random.seed(7)\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "time_machine with": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "import time_machine\n"
                "import time, random, datetime\n"
                "from app import tok\n"
                "def test_exp():\n"
                "    with time_machine.travel(0):\n"
                "        assert tok.issue() > 0\n"
                "def test_pick():\n"
                "    random.seed(7)\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "monkeypatch time existing": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "import time, random, datetime\n"
                "from app import tok\n"
                "def test_exp(monkeypatch):\n"
                '    monkeypatch.setattr(time, "time", lambda: 0.0)\n'
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    random.seed(7)\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "seed added": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "import time, random, datetime\n"
                "from app import tok\n"
                "def test_exp():\n"
                "    random.seed(0)\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    random.seed(7)\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "reseed": (
        {"tests/test_tok.py": BASE["tests/test_tok.py"]},
        {
            "tests/test_tok.py": (
                "import time, random, datetime\n"
                "from app import tok\n"
                "def test_exp():\n"
                "    assert tok.issue() > time.time()\n"
                "def test_pick():\n"
                "    random.seed(11)\n"
                "    assert tok.pick() in range(9)\n"
            )
        },
    ),
    "prod uuid const": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                '    return "12345678-1234-5678-1234-567812345678"\n'
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "prod datetime const": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime(2024, 1, 1, tzinfo=timezone.utc)\n"
            )
        },
    ),
    "prod Random(0)": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.Random(0).randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "prod seed in func": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    random.seed(0)\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "prod time patched": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                "    return time.time() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
                "time.time = lambda: 0.0\n"
            )
        },
    ),
    "prod freezegun": (
        {"app/tok.py": BASE["app/tok.py"]},
        {
            "app/tok.py": (
                "from freezegun import freeze_time\n"
                "import time, random, uuid\n"
                "from datetime import datetime, timezone\n"
                "def issue():\n"
                '    with freeze_time("2030-01-01"):\n'
                "        return time.time() + 60\n"
                "def pick():\n"
                "    return random.randrange(9)\n"
                "def ident():\n"
                "    return str(uuid.uuid4())\n"
                "def stamp():\n"
                "    return datetime.now(timezone.utc)\n"
            )
        },
    ),
    "autouse time": (
        {},
        {
            "tests/conftest.py": (
                "import time, pytest\n"
                "@pytest.fixture(autouse=True)\n"
                "def f(monkeypatch):\n"
                '    monkeypatch.setattr("time.time", lambda: 0.0)\n'
            )
        },
    ),
    "conftest random patched": ({}, {"tests/conftest.py": ("import random\nrandom.choice = lambda xs: xs[0]\n")}),
    "vcr dict mode": (
        {
            "tests/conftest.py": (
                "import pytest\n"
                '@pytest.fixture(scope="module")\n'
                "def vcr_config():\n"
                '    return {"record_mode": "none", "match_on": ["method", "uri", "body"]}\n'
            )
        },
        {
            "tests/conftest.py": (
                "import pytest\n"
                '@pytest.fixture(scope="module")\n'
                "def vcr_config():\n"
                '    return {"record_mode": "all", "match_on": ["method", "uri", "body"]}\n'
            )
        },
    ),
    "vcr match": (
        {
            "tests/conftest.py": (
                "import pytest\n"
                '@pytest.fixture(scope="module")\n'
                "def vcr_config():\n"
                '    return {"record_mode": "none", "match_on": ["method", "uri", "body"]}\n'
            )
        },
        {
            "tests/conftest.py": (
                "import pytest\n"
                '@pytest.fixture(scope="module")\n'
                "def vcr_config():\n"
                '    return {"record_mode": "none", "match_on": ["method", "uri"]}\n'
            )
        },
    ),
    "vcr kw": (
        {
            "tests/test_calc.py": (
                "import vcr\n"
                "def test_a():\n"
                '    with vcr.use_cassette("a.yaml", record_mode="none"):\n'
                "        assert 1\n"
            )
        },
        {
            "tests/test_calc.py": (
                "import vcr\n"
                "def test_a():\n"
                '    with vcr.use_cassette("a.yaml", record_mode=vcr.mode.ALL):\n'
                "        assert 1\n"
            )
        },
    ),
    "patch dict autouse time": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "from unittest.mock import patch\n"
                "@pytest.fixture(autouse=True)\n"
                "def _f():\n"
                '    with patch("time.time", return_value=0):\n'
                "        yield\n"
            )
        },
    ),
    "datetime class autouse": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "class FakeDT:\n"
                "    @classmethod\n"
                "    def now(cls):\n"
                "        return 0\n"
                "@pytest.fixture(autouse=True)\n"
                "def _f(monkeypatch):\n"
                '    monkeypatch.setattr("app.tok.datetime", FakeDT)\n'
            )
        },
    ),
    "a clock that goes further than it is told": (
        {
            "tests/conftest.py": (
                "class Clock:\n    now = 0\n    def advance(self, seconds):\n        self.now += seconds\n"
            )
        },
        {
            "tests/conftest.py": (
                "class Clock:\n    now = 0\n    def advance(self, seconds):\n"
                "        self.now += seconds if seconds < 10 else seconds * 2\n"
            )
        },
    ),
    "a clock that goes further, assigned": (
        {"tests/conftest.py": "class Clock:\n    now = 0\n    def tick(self, by):\n        self.now = self.now + by\n"},
        {
            "tests/conftest.py": (
                "class Clock:\n    now = 0\n    def tick(self, by):\n        self.now = self.now + by + 1\n"
            )
        },
    ),
}


def severities(change: tuple[Files, Files]) -> set[tuple[str, str]]:
    return {(finding.code, finding.severity) for finding in entropy_findings(Changes(*facts_of(*change)))}


CLOCK = (
    "class Clock:\n    now = 0\n    def time(self):\n        return self.now\n    def go(self):\n        self.now = 1\n"
)
CLOCKED = BASE["tests/test_tok.py"].replace(
    "def test_exp():", CLOCK + "def test_exp(monkeypatch):\n    clock = Clock()"
)
SET = "    monkeypatch.setattr(time, 'time', clock.time)\n"
MOVED = CLOCKED.replace("    assert tok.issue", f"{SET}    clock.go()\n    assert tok.issue")
HELD = CLOCKED.replace("    assert tok.issue", f"{SET}    assert tok.issue")
WARNED["a clock that the test moves on"] = (
    {"tests/test_tok.py": BASE["tests/test_tok.py"]},
    {"tests/test_tok.py": MOVED},
)
BLOCKED["a clock that nobody moves on"] = (
    {"tests/test_tok.py": BASE["tests/test_tok.py"]},
    {"tests/test_tok.py": HELD},
)


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED.keys())
def test_nothing_is_said(change: tuple[Files, Files]) -> None:
    assert set() == severities(change)


@pytest.mark.parametrize("change", WARNED.values(), ids=WARNED.keys())
def test_what_is_arguable_warns(change: tuple[Files, Files]) -> None:
    assert {(ENTROPY_SILENCED, WARN)} == severities(change)


@pytest.mark.parametrize("change", BLOCKED.values(), ids=BLOCKED.keys())
def test_what_is_plain_blocks(change: tuple[Files, Files]) -> None:
    assert (ENTROPY_SILENCED, BLOCK) in severities(change)
