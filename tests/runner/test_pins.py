"""From manifests to what a run is given: which pins hold, and what is said where one cannot."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.runner.cassettes import cassettes_digest, is_cassette
from agentgate_git.runner.pins import CLOCK_PINNED, Pins, pinned, pins_of
from agentgate_git.wire.manifest import load_manifest

PLAIN = {"PATH": os.environ["PATH"]}
DIGEST = cassettes_digest((("tests/cassettes/a.yaml", b"interactions: []\n"),))


def manifest(pins: str, property_id: str = "one") -> str:
    return f"version: 1\nproperty_id: {property_id}\npins: {{{pins}}}\n"


def of(
    *texts: str, python: str = sys.executable, cassettes: str = "", settings: tuple[tuple[str, str], ...] = ()
) -> Pins:
    return pins_of(tuple(load_manifest(text.encode()) for text in texts), python, PLAIN, settings, cassettes)


def test_a_run_without_a_manifest_is_pinned_too() -> None:
    pins = of()
    variables = dict(pins.environment)
    assert {"CI": "true", "TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}.items() <= (
        variables.items()
    )
    assert (None, "") == (pins.umask, pins.temp_root)
    assert "TMPDIR" not in variables
    assert {"clock_mode": "real", "rng_seed": "0", "hash_seed": "0", "tz": "UTC", "lang": "C.UTF-8"} == dict(pins.held)


def test_the_policy_holds_where_no_pin_speaks() -> None:
    settings = (("TZ", "Asia/Tokyo"), ("PYTHONHASHSEED", "7"))
    held = dict(of(manifest("lang: C.UTF-8"), settings=settings).held)
    assert ("Asia/Tokyo", "7") == (held["tz"], held["hash_seed"])
    assert "UTC" == dict(of(manifest("tz: UTC"), settings=settings).held)["tz"]


def test_every_pin_is_held() -> None:
    text = manifest(
        'clock_unix: 1768003200, rng_seed: 9173, tz: Asia/Tokyo, lang: C.UTF-8, umask: "0027", temp_root: /tmp/x/,'
        f" cassette_sha256: {DIGEST}"
    )
    pins = of(text, cassettes=DIGEST)
    assert {
        "clock_mode": CLOCK_PINNED,
        "clock_unix": "1768003200",
        "rng_seed": "9173",
        "hash_seed": "331198173",
        "tz": "Asia/Tokyo",
        "lang": "C.UTF-8",
        "umask": "0027",
        "temp_root": "/tmp/x",
        "cassette_sha256": DIGEST,
    } == dict(pins.held)
    assert {"ENTROPY_CLOCK_UNIX": "1768003200", "ENTROPY_RNG_SEED": "9173", "TMPDIR": "/tmp/x"}.items() <= (
        dict(pins.environment).items()
    )
    assert (0o027, "/tmp/x") == (pins.umask, pins.temp_root)


def test_properties_that_agree_share_a_run() -> None:
    two = manifest("tz: UTC") + "---\n" + manifest("tz: UTC, rng_seed: 3", "two")
    assert "3" == dict(of(two, manifest("rng_seed: 3")).held)["rng_seed"]


def test_a_pin_that_is_null_or_empty_asks_for_nothing() -> None:
    assert of().held == of(manifest('tz: "", clock_unix: null, shiny: null')).held


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        pytest.param(
            [manifest("tz: UTC") + "---\n" + manifest("tz: Asia/Tokyo", "two")],
            "pins tz to 'UTC' for one and to 'Asia/Tokyo' for two",
            id="two properties that disagree",
        ),
        pytest.param(
            [manifest("rng_seed: 1"), manifest("rng_seed: 2")],
            "pins rng_seed to 1 for one and to 2 for one",
            id="base and head that disagree",
        ),
        pytest.param(
            [manifest("umask: 18") + "---\n" + manifest('umask: "0022"', "two")],
            "pins umask to 18 for one and to '0022' for two",
            id="values of two types",
        ),
        pytest.param([manifest("moon_phase: full")], "pins moon_phase, which nothing here can hold", id="unknown"),
        pytest.param([manifest("clock_unix: noon")], "pins clock_unix to 'noon'", id="a clock in words"),
        pytest.param(
            [manifest("clock_unix: 300000000000")], "pins clock_unix to 300000000000", id="a clock beyond all calendars"
        ),
        pytest.param([manifest("umask: 18")], "pins umask to 18", id="a number for umask"),
        pytest.param([manifest('umask: "0099"')], "pins umask to '0099'", id="a umask that is not octal"),
        pytest.param([manifest("tz: Mars/Olympus")], "pins tz to Mars/Olympus", id="an unknown zone"),
        pytest.param([manifest("tz: ../../etc/passwd")], "pins tz to ../../etc/passwd", id="a path for a zone"),
        pytest.param([manifest("lang: tlh_QO.UTF-8")], "pins lang to tlh_QO.UTF-8", id="an unknown locale"),
        pytest.param([manifest("temp_root: tmp")], "pins temp_root to 'tmp'", id="a relative temp_root"),
        pytest.param([manifest('rng_seed: "1\\nlent=/tmp"')], "pins rng_seed to '1.+lent=/tmp'", id="two lines"),
        pytest.param([manifest("temp_root: /")], "pins temp_root to '/'", id="everything as temp_root"),
        pytest.param([manifest("cassette_sha256: aa")], "the cassettes of the tree are not there", id="no cassettes"),
    ],
)
def test_what_cannot_be_held_is_undecided(texts: list[str], message: str) -> None:
    with pytest.raises(Undecided, match=message) as caught:
        of(*texts)
    assert caught.value.next_step


def test_cassettes_that_changed_are_named() -> None:
    with pytest.raises(Undecided, match=f"to aa, and the cassettes of the tree have the sha256 {DIGEST}"):
        of(manifest("cassette_sha256: aa"), cassettes=DIGEST)


def answering(directory: Path, abi: str) -> str:
    """An interpreter of another kind: it says so, and has nothing."""
    path = directory / "python"
    path.write_text(f"#!/bin/sh\nprintf '{abi}\\n0\\n1\\n'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_clock_is_undecided_where_nothing_can_hold_it(tmp_path: Path) -> None:
    other = answering(tmp_path, "cpython-27")
    with pytest.raises(Undecided, match=f"pins clock_unix, and {other} has no time_machine"):
        of(manifest("clock_unix: 1"), python=other)
    assert "real" == dict(of(manifest("rng_seed: 1"), python=other).held)["clock_mode"]


def test_our_own_time_machine_is_lent_to_an_interpreter_of_the_same_kind(tmp_path: Path) -> None:
    import sysconfig

    import time_machine

    lent = str(Path(time_machine.__file__).parent.parent)
    pins = of(manifest("clock_unix: 1"), python=answering(tmp_path, sysconfig.get_config_var("SOABI")))
    assert (pins.import_folder, lent) == pins.readable
    assert f"lent={lent}" in dict(pins.environment)["AGENTGATE_PINS"].split("\n")


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/true"], ids=["none", "one that is no Python"])
def test_an_interpreter_that_does_not_answer_is_undecided(python: str) -> None:
    with pytest.raises(Undecided, match="does not say what it can hold"):
        of(manifest("clock_unix: 1"), python=python)


def test_pins_go_over_a_run() -> None:
    pins = of(manifest("tz: Asia/Tokyo"))
    environment, args = pinned({"TZ": "UTC", "A": "1", "PYTHONPATH": "/tree/src"}, ("-q",), pins)
    assert ("Asia/Tokyo", "1") == (environment["TZ"], environment["A"])
    assert f"{pins.import_folder}:/tree/src" == environment["PYTHONPATH"]
    assert (*pins.args, "-q") == args
    assert pins.import_folder == pinned({}, (), pins)[0]["PYTHONPATH"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("cassettes/a.yaml", True),
        ("tests/vcr_cassettes/sub/a.json", True),
        ("tests/cassettes", False),
        ("tests/cassettes.py", False),
    ],
)
def test_which_files_are_cassettes(path: str, *, expected: bool) -> None:
    assert expected == is_cassette(path)


def test_the_digest_of_cassettes_knows_names_bytes_and_where_they_end() -> None:
    files = (("a", b"1"), ("b", b"2"))
    assert cassettes_digest(files) == cassettes_digest(reversed(files))
    others = [(("a", b"12"),), (("a", b"2"), ("b", b"1")), (("a1", b""), ("b", b"2")), (("a", b"1"), ("b", b""))]
    assert len(others) + 1 == len({cassettes_digest(files), *map(cassettes_digest, others)})
