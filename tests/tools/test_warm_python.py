"""A forked process says and does what a started one does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from agentgate_git.model.packet import RunReport
from agentgate_git.runner.run_tests import run_tests
from testing import suites
from testing.command_line import agentgate, installed
from testing.proposals import SKIPPING, TEST_FILE, with_topic
from testing.repo_builder import RepoBuilder

SUITE = {
    "test_a.py": """
import os, sys, time
import pytest

def test_passes(tmp_path):
    assert (os.getcwd(), "0") == (os.path.dirname(__file__), os.environ["PYTHONHASHSEED"])
    assert sys.path.count(os.getcwd()) == 1
    assert time.tzname[0] == "XYZ"

def test_fails(capfd):
    print("out"); os.write(2, b"err")
    assert ("out\\n", "err") != capfd.readouterr()

@pytest.mark.skip
def test_skipped(): pass

def test_descriptors():
    descriptors = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    assert [each for each in descriptors if each < 100][:3] == [0, 1, 2]
    assert not sys.stdin.read()
"""
}


def report_of(python: str, directory: Path, *args: str, **more: str) -> RunReport:
    request = suites.request(directory, *args, PYTHONHASHSEED="0", TZ="XYZ3", **more)._replace(python=python)
    return run_tests(request)


def test_a_run_is_reported_as_that_of_the_interpreter(tmp_path: Path, warm: str) -> None:
    suite = tmp_path / "suite"
    suites.write(suite, SUITE)
    started, forked = (report_of(python, suite) for python in (sys.executable, warm))
    assert dict.fromkeys(("passed", "failed", "skipped")).keys() == {outcome for _, outcome in started.outcomes}
    same = {"started_at": "", "finished_at": "", "origins": ()}
    assert started._replace(**same) == forked._replace(**same)
    assert {name for name, _ in started.origins} <= {name for name, _ in forked.origins}


@pytest.mark.parametrize(
    ("status", "line"), [(7, "os._exit(7)"), (-9, "os.kill(os.getpid(), 9)"), (-6, "os.abort()")], ids=str
)
def test_it_ends_as_the_run_ends(status: int, line: str, tmp_path: Path, warm: str) -> None:
    suite = tmp_path / "suite"
    suites.write(suite, {"test_a.py": f"import os\ndef test_a(): {line}\n"})
    assert (status, status) == tuple(report_of(python, suite).exit_status for python in (sys.executable, warm))


@pytest.mark.parametrize("name", ["sitecustomize.py", "pluggy.py", "json/__init__.py"])
def test_a_module_in_the_place_of_an_imported_one_is_not_passed_over(name: str, tmp_path: Path, warm: str) -> None:
    suite = tmp_path / "suite"
    suites.write(suite, {name: "import os\nos._exit(77)\n", "test_a.py": suites.PASSING})
    request = suites.request(suite, PYTHONHASHSEED="0", PYTHONPATH=str(suite))
    seen = []
    for python in (sys.executable, warm):
        try:
            seen.append(run_tests(request._replace(python=python)).exit_status)
        except Exception as error:
            seen.append(str(error).replace(warm, sys.executable))
    assert seen[0] == seen[1]


def test_what_runs_too_long_is_ended(tmp_path: Path, warm: str) -> None:
    suite = tmp_path / "suite"
    mark = tmp_path / "mark"
    sleeper = f"import os, time\ndef test_a():\n    open({str(mark)!r}, 'w').write(str(os.getpid()))\n"
    suites.write(suite, {"test_a.py": sleeper + "    time.sleep(600)\n"})

    def decide(known: RunReport) -> bool:
        return True

    request = suites.request(suite, PYTHONHASHSEED="0")._replace(python=warm, time_limit=4)
    report = run_tests(request._replace(decide_after_collection=decide))
    assert report.problems == ("the time limit of 4 s was reached",)
    while mark.exists() and Path(f"/proc/{mark.read_text()}/cwd").exists():
        os.sched_yield()


def test_the_program_answers_as_the_installed_one(repo: RepoBuilder) -> None:
    topic = with_topic(repo)
    topic.commit_as_agent({TEST_FILE: SKIPPING})
    calls = [
        ("check",),
        ("check", "--format", "json"),
        ("verify", "--depth", "lookup"),
        ("log",),
        ("help", "verify"),
        ("frob",),
        ("-C", "/nonexistent", "check"),
        ("ledger", "list", "packets"),
    ]
    for args in calls:
        assert installed(topic, *args) == agentgate(topic, *args)
    for env in ({"LC_ALL": "C"}, {"PYTHONHASHSEED": "1"}, {"COLUMNS": "40"}, {"PATH": "/nonexistent"}):
        assert installed(topic, "help", **env) == agentgate(topic, "help", **env)


def test_the_program_reads_stdin_from_the_directory_it_is_called_in(repo: RepoBuilder) -> None:
    repo.commit({"sub/a": "1"})
    for call in (installed, agentgate):
        done = call(repo, "ledger", "append", "packets", repo.tree(), stdin="no record\n", cwd=repo.path / "sub")
        assert (done.status, done.stdout) == (2, ""), done
