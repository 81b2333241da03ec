"""Pins in the processes that they are for: real runs of small projects."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentgate_git.model.falsification import FALSIFIED
from agentgate_git.model.packet import RunReport
from agentgate_git.runner.cassettes import cassettes_digest
from agentgate_git.runner.credit_run import find_kills
from agentgate_git.runner.pins import IMPORT_FOLDER, Pins, pinned, pins_of
from agentgate_git.runner.run_tests import run_tests
from agentgate_git.wire.manifest import load_manifest
from testing import pin_reads, suites
from testing.credit import credit_request
from testing.pythons import minor_of, of_machine, pure_packages

PYTHONS = [python for python in of_machine() if minor_of(python) >= 8]
CLOCK = 1768003200
DRAWS = """
    import json, os, random
    import numpy, pytest

    LOADED = random.random()

    @pytest.fixture(scope="session")
    def shared():
        return [random.random(), float(numpy.random.rand())]

    @pytest.fixture(scope="module")
    def another():
        return random.random()

    @pytest.fixture(autouse=True)
    def keep(request):
        drawn = []
        yield drawn
        with open("drawn.jsonl", "a") as file:
            print(json.dumps([request.node.name, drawn]), file=file)

    def draw():
        return [random.random(), float(numpy.random.rand())]

    def test_first(keep, shared, another): keep += [LOADED, shared, another, draw()]
    def test_second(keep): keep += [draw()]
    def test_third(keep, shared): keep += [LOADED, shared, draw()]
    @pytest.mark.parametrize("n", [1, 2])
    def test_many(keep, n): keep += [draw()]
    """


def pins(text: str, cassettes: str = "") -> Pins:
    return pins_of(
        (load_manifest(f"version: 1\npins: {{{text}}}\n".encode()),), sys.executable, os.environ, (), cassettes
    )


def run(directory: Path, held: Pins, *args: str, umask: int | None = None) -> RunReport:
    request = suites.request(directory, *args)
    environment, args = pinned(request.environment, request.args, held)
    mask = held.umask if umask is None else umask
    return run_tests(request._replace(environment=environment, args=args, umask=-1 if mask is None else mask))


def log_of(directory: Path) -> str:
    return (directory.parent / "output.txt").read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty folder whose runs leave `output.txt` beside it."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_the_table_of_the_documentation_is_what_holds(tmp_path: Path) -> None:
    assert pin_reads.page(pin_reads.measure(tmp_path)) == pin_reads.PAGE.read_text(encoding="utf-8")


def drawn(project: Path, *args: str) -> dict[str, Any]:
    report = run(project, pins("rng_seed: 9173"), *args)
    assert {"passed"} == {outcome for _, outcome in report.outcomes}
    lines = (project / "drawn.jsonl").read_text().splitlines()
    (project / "drawn.jsonl").unlink()
    return dict(json.loads(line) for line in lines)


def test_a_test_draws_the_same_whatever_runs_before_it(project: Path) -> None:
    suites.write(
        project, {"test_draws.py": DRAWS, "test_earlier.py": "import random\nrandom.random()\ndef test(): pass\n"}
    )
    whole = drawn(project)
    assert 5 == len(whole)
    backwards = drawn(project, "test_earlier.py", *(f"test_draws.py::{name}" for name in reversed(whole)))
    assert whole == backwards
    alone = drawn(project, "test_draws.py::test_third")
    assert {"test_third": whole["test_third"]} == alone
    draws = [json.dumps(row[-1]) for row in whole.values()]
    assert len(draws) == len(set(draws)), "no two tests draw the same"


CLOCKS = f"""
    import time, datetime
    import freezegun, pytest

    PIN = {CLOCK}
    LOADED = time.time()

    def near(moment): return 0 <= moment - PIN < 20

    def test_it_ticks():
        start = time.time()
        time.sleep(0.05)
        assert 0.05 <= time.time() - start < 20
    def test_it_starts_anew(): assert near(time.time()) and near(LOADED)
    def test_a_frozen_clock_stands_still():
        with freezegun.freeze_time("2001-02-03"):
            assert datetime.datetime.now() == datetime.datetime(2001, 2, 3)
        assert near(time.time())
    def test_the_plugin_of_time_machine(time_machine):
        time_machine.move_to(77, tick=False)
        assert time.time() == 77
    def test_it_was_put_back(): assert near(time.time())
    """


@pytest.mark.parametrize("args", [(), ("-p", "xdist", "-n", "1")], ids=["here", "in a worker"])
def test_the_clock_ticks_and_starts_anew(project: Path, args: tuple[str, ...]) -> None:
    suites.write(project, {"test_clock.py": CLOCKS, "pytest.ini": "[pytest]\nfilterwarnings = error\n"})
    report = run(project, pins(f"clock_unix: {CLOCK}"), *args, "-p", "time_machine")
    assert {"passed"} == {outcome for _, outcome in report.outcomes}, log_of(project)
    assert 5 == len(report.outcomes)


def test_a_lent_time_machine_holds_and_nothing_else_of_ours_is_there(project: Path, tmp_path: Path) -> None:
    python = suites.make_environment(tmp_path / "venv", pure_packages(tmp_path / "packages"), has_pytest=False)
    code = """
        import subprocess, sys, time
        import pytest
        READ = "import time; print(time.time())"

        def test_here(): assert 0 <= time.time() - {0} < 20
        def test_child(): assert 0 <= float(subprocess.check_output([sys.executable, "-c", READ])) - {0} < 20
        def test_nothing_else():
            with pytest.raises(ImportError):
                import wrapt
        """
    suites.write(project, {"test_lent.py": code.format(CLOCK)})
    text = f"version: 1\npins: {{clock_unix: {CLOCK}}}\n"
    lent = pins_of((load_manifest(text.encode()),), python, os.environ)
    assert 2 == len(lent.readable)
    request = suites.request(project)
    environment, args = pinned(request.environment, request.args, lent)
    report = run_tests(request._replace(python=python, environment=environment, args=args))
    assert ["passed"] * 3 == [outcome for _, outcome in report.outcomes], log_of(project)


def test_a_run_does_not_start_where_a_pin_is_not_held(project: Path) -> None:
    suites.write(project, {"test_ok.py": suites.PASSING, "sitecustomize.py": ""})
    held = pins('umask: "0027"')
    refused = run(project, held, umask=0o077)
    assert (4, ()) == (refused.exit_status, refused.outcomes)
    assert "these pins are not held here: umask" in log_of(project)
    held_here = run(project, held)
    assert 0 == held_here.exit_status
    assert not any(path.startswith(IMPORT_FOLDER) for _, path in held_here.origins), "it is no module of the project"
    without_folder = held._replace(import_folder="/nowhere")
    assert 4 == run(project, without_folder).exit_status


CASSETTE = """\
interactions:
- request: {body: null, headers: {}, method: GET, uri: 'http://example.invalid/known'}
  response:
    body: {string: recorded}
    headers: {}
    status: {code: 200, message: OK}
version: 1
"""
RECORDED = """
    from urllib.request import urlopen
    import pytest, vcr

    def test_what_is_recorded_is_played():
        with vcr.use_cassette("cassettes/one.yaml"):
            assert urlopen("http://example.invalid/known").read() == b"recorded"
    @pytest.mark.parametrize("path", ["cassettes/one.yaml", "cassettes/new.yaml"])
    def test_the_rest_is_refused(path):
        with vcr.use_cassette(path, record_mode="all"):
            with pytest.raises(vcr.errors.CannotOverwriteExistingCassetteException):
                urlopen("http://example.invalid/other")
    """


def test_recordings_are_played_and_nothing_is_recorded(project: Path) -> None:
    suites.write(project, {"test_recorded.py": RECORDED, "cassettes/one.yaml": CASSETTE})
    digest = cassettes_digest((("cassettes/one.yaml", CASSETTE.encode()),))
    report = run(project, pins(f"cassette_sha256: {digest}", digest))
    assert ["passed"] * 3 == [outcome for _, outcome in report.outcomes], log_of(project)
    assert ["one.yaml"] == [path.name for path in (project / "cassettes").iterdir()]
    assert CASSETTE == (project / "cassettes/one.yaml").read_text()


def test_symbols_are_falsified_under_pins(project: Path) -> None:
    files = {
        "shop.py": "import time\n\n\ndef due():\n    return int(time.time()) + 60\n",
        "test_shop.py": f"import shop\n\n\ndef test_due():\n    assert {CLOCK + 60} <= shop.due() < {CLOCK + 90}\n",
    }
    request = credit_request(project, files)
    environment, args = pinned(request.environment, request.args, pins(f"clock_unix: {CLOCK}"))
    found = find_kills(request._replace(environment=environment, args=args))
    assert ((), [FALSIFIED]) == (found.problems, [result.state for result in found.symbols]), log_of(project)


SHOWS = "import sys, random, json; print(json.dumps([random.random(), getattr(sys, 'was_hidden', 0)]))"


def test_every_python_of_the_machine_holds_what_it_can(tmp_path: Path) -> None:
    """And runs the sitecustomize that ours hides; without a time_machine it says that the clock is real."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.was_hidden = 1\n")
    environment = {
        "PYTHONPATH": f"{IMPORT_FOLDER}:{tmp_path}",
        "AGENTGATE_PINS": f"rng_seed=9173\nclock_unix={CLOCK}\nnetwork=refused",
    }
    seen = []
    for python in PYTHONS:
        argv = [python, "-c", SHOWS]
        done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=True)
        assert f"agentgate: clock_unix is not held in {python}" in done.stderr
        seen.append(done.stdout)
    assert {seen[0]} == set(seen)
    assert 1 == json.loads(seen[0])[1]
    unpinned = subprocess.run(
        [sys.executable, "-c", SHOWS],
        env={"PYTHONPATH": f"{IMPORT_FOLDER}:{tmp_path}"},
        capture_output=True,
        check=True,
    )
    assert (1, b"") == (json.loads(unpinned.stdout)[1], unpinned.stderr)
    assert seen[0] != unpinned.stdout.decode()
