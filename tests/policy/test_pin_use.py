"""What a property reads against what it pins."""

from __future__ import annotations

import pytest

from agentgate_git.model.facts import Trait
from agentgate_git.model.manifest import Property
from agentgate_git.policy.pin_use import pin_use

CLOCK = Trait("entropy.read.clock", "time.time()", 4, "issue")
CHANCE = Trait("entropy.read.rng", "random.random()", 8, "pick")
FOLDER = Trait("entropy.read.fs", "tempfile.mkdtemp()", 9, "scratch")
LISTED = Trait("entropy.read.fs", "os.listdir('.')", 10, "names")
LOCAL = Trait("entropy.read.clock", "time.localtime()", 11, "stamp")
FROZEN = Trait("entropy.freeze.rng", "random.seed(7)", 2, "test_a")

USES: dict[str, tuple[dict[str, str | int | None], list[Trait], list[tuple[str, str]]]] = {
    "allow: nothing read, nothing pinned": ({}, [], []),
    "allow: what is read is pinned": ({"clock_unix": 1, "rng_seed": 2}, [CLOCK, CHANCE], []),
    "allow: a pin that no source stands for": ({"house_rule": "x"}, [], []),
    "allow: a zone is read with local time": ({"clock_unix": 1, "tz": "UTC"}, [LOCAL], []),
    "allow: a listing has no pin": ({}, [LISTED], []),
    "a clock without a pin": ({"rng_seed": 2}, [CLOCK, CHANCE], [("missing", "clock_unix")]),
    "a pin of no value pins nothing": ({"rng_seed": None}, [CHANCE], [("missing", "rng_seed")]),
    "a temporary folder": ({}, [FOLDER], [("missing", "temp_root")]),
    "a pin that nothing reads": ({"lang": "C"}, [], [("unread", "lang")]),
    "a seed is no read": ({"rng_seed": 2}, [FROZEN], [("unread", "rng_seed")]),
}


@pytest.mark.parametrize(("pins", "traits", "expected"), USES.values(), ids=USES)
def test_uses(pins: dict[str, str | int | None], traits: list[Trait], expected: list[tuple[str, str]]) -> None:
    one = Property("total", "tests/test_a.py", tuple(pins.items()))
    found = pin_use(one, [("tests/test_a.py", tuple(traits))])
    assert expected == [(use.kind, use.pin) for use in found.uses]


def test_what_no_pin_fixes_is_listed_apart() -> None:
    found = pin_use(Property("total", "", ()), [("app/a.py", (LISTED,)), ("app/b.py", ())])
    assert (["os.listdir('.')"], ("app/a.py", "app/b.py")) == ([read.what for read in found.unpinnable], found.files)
