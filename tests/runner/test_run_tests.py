"""What the parent sees of real pytest processes."""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path

import pytest

from agentgate_git.model.code import RUN_INCOMPLETE, SELECTION_DRIFT, UNSTABLE_IDS
from agentgate_git.model.failure import Undecided
from agentgate_git.model.packet import FAILED, NOT_RUN, PASSED, RunReport
from agentgate_git.runner.conclude import judge
from agentgate_git.runner.origins import foreign_imports
from agentgate_git.runner.run_tests import Observer, run_tests
from agentgate_git.runner.stability import collect, unstable_ids
from testing import suites

TWO = "def test_one(): pass\ndef test_two(): pass\n"
XDIST = ("-p", "xdist", "-n", "2")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "suite").mkdir()
    return tmp_path / "suite"


class Diary(Observer):
    """An observer that remembers."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, int]] = []

    def collected(self, count: int) -> None:
        self.entries.append(("collected", count))

    def ran(self, done: int, count: int) -> None:
        self.entries.append((f"ran of {count}", done))


def codes_of(report: object) -> tuple[str, ...]:
    return tuple(finding.code for finding in judge(report))  # type: ignore[arg-type]


def test_what_a_report_holds(suite: Path) -> None:
    suites.write(suite, {"test_a.py": TWO, "conftest.py": "import warnings\nwarnings.warn('once')\n"})
    diary = Diary()
    report = run_tests(suites.request(suite, "-k", "one", TZ="UTC")._replace(recorded=("TZ", "LANG")), diary)
    assert ("test_a.py::test_one",) == report.selected
    assert ("test_a.py::test_two",) == report.deselected
    assert (("test_a.py::test_one", PASSED),) == report.outcomes
    assert (("TZ", "UTC"),) == report.environment
    assert f"CPython {sys.version.split()[0]}" == report.interpreter
    assert report.plugins[0].startswith("pytest ")
    assert 1 == report.warnings
    assert (0, 0, 0, True) == (report.exit_status, report.session_status, report.main_status, report.is_finished)
    assert ("collected", 1) == diary.entries[0]
    assert ("ran of 1", 1) == diary.entries[-1]
    assert "1 passed" in (suite.parent / "output.txt").read_text()


@pytest.mark.parametrize("is_wanted", [True, False], ids=["go", "stop"])
def test_the_parent_decides_after_collection(is_wanted: bool, suite: Path) -> None:
    suites.write(suite, {"test_a.py": "from pathlib import Path\ndef test_a(): Path('ran').touch()\n"})
    seen: list[tuple[str, ...]] = []

    def decide(known: RunReport) -> bool:
        seen.append(known.selected)
        assert known.interpreter.startswith("CPython")
        return is_wanted

    report = run_tests(suites.request(suite)._replace(decide_after_collection=decide))
    assert [("test_a.py::test_a",)] == seen
    assert is_wanted == (suite / "ran").exists()
    assert (() if is_wanted else (RUN_INCOMPLETE,)) == codes_of(report)


def test_a_decision_that_cannot_be_made_ends_the_run(suite: Path) -> None:
    suites.write(suite, {"test_a.py": TWO})

    def decide(known: RunReport) -> bool:
        raise LookupError("no packet")

    with pytest.raises(LookupError):
        run_tests(suites.request(suite)._replace(decide_after_collection=decide))


def test_xdist_workers_are_seen_through(suite: Path, tmp_path: Path) -> None:
    conftest = """
        import sys
        sys.path.insert(0, {elsewhere!r})
        def pytest_collection_modifyitems(items, config):
            config.hook.pytest_deselected(items=[items.pop()])
            if hasattr(config, "workerinput"):
                items.pop()
        """
    suites.write(tmp_path / "elsewhere", {"pkg.py": ""})
    suites.write(
        suite,
        {
            "src/pkg.py": "",
            "conftest.py": conftest.replace("{elsewhere!r}", repr(str(tmp_path / "elsewhere"))),
            "test_a.py": "import pkg, os\ndef test_env(): assert 'PYTEST_PLUGINS' not in os.environ\n"
            + "".join(f"def test_{number}(): pass\n" for number in range(4)),
        },
    )
    report = run_tests(suites.request(suite, *XDIST))
    assert ("test_a.py::test_env", "test_a.py::test_0", "test_a.py::test_1") == report.selected
    assert ("test_a.py::test_3",) == report.deselected
    assert ("test_a.py::test_2",) == report.trimmed
    assert {PASSED} == {outcome for _, outcome in report.outcomes}
    assert (SELECTION_DRIFT,) == codes_of(report)
    foreign = foreign_imports(report.origins, ("src/pkg.py", "test_a.py"), ("src",), str(suite))
    assert ["pkg"] == [name for name, _ in foreign]


XFAILS = """
import pytest

@pytest.mark.xfail(strict=True)
def test_strict(): assert False

@pytest.mark.xfail
def test_loose(): assert False

@pytest.mark.xfail(False, reason="never")
def test_by_hand(): pytest.xfail("later")

@pytest.mark.xfail(strict=True)
def test_repaired(): pass
"""


@pytest.mark.parametrize("args", [(), XDIST], ids=["plain", "xdist"])
@pytest.mark.parametrize(
    ("settings", "strict"),
    [
        ("", ("test_repaired", "test_strict")),
        ("xfail_strict = true", ("test_by_hand", "test_loose", "test_repaired", "test_strict")),
    ],
    ids=["loose", "strict"],
)
def test_which_expected_failures_are_strict(
    suite: Path, args: tuple[str, ...], settings: str, strict: tuple[str, ...]
) -> None:
    suites.write(suite, {"test_a.py": XFAILS, "pytest.ini": f"[pytest]\n{settings}\n"})
    report = run_tests(suites.request(suite, *args))
    assert tuple(f"test_a.py::{name}" for name in strict) == report.strict_xfails


def test_xdist_waits_for_the_decision_too(suite: Path) -> None:
    suites.write(suite, {"test_a.py": "from pathlib import Path\ndef test_a(): Path('ran').touch()\n"})
    report = run_tests(suites.request(suite, *XDIST)._replace(decide_after_collection=lambda _known: False))
    assert (("test_a.py::test_a", NOT_RUN),) == report.outcomes
    assert not (suite / "ran").exists()


def test_xdist_worker_that_dies_is_a_failure(suite: Path) -> None:
    suites.write(suite, {"test_a.py": "import os\ndef test_a(): os._exit(0)\ndef test_b(): pass\n"})
    report = run_tests(suites.request(suite, *XDIST))
    assert ("test_a.py::test_a", FAILED) in report.outcomes


UNSTABLE = """
    import pytest
    @pytest.mark.parametrize("name", {"john", "kate", "mary", "paul", "rose"})
    def test_order(name): pass
    @pytest.mark.parametrize("thing", [object()], ids=repr)
    def test_address(thing): pass
    """


def test_b70_ids_that_differ_are_named_and_order_is_not_enough(suite: Path) -> None:
    suites.write(suite, {"test_a.py": UNSTABLE})
    unstable = unstable_ids(suites.request(suite))
    assert 2 == len(unstable)
    assert all(test.startswith("test_a.py::test_address[<object object at") for test in unstable)


def test_b70_workers_that_disagree_are_heard(suite: Path) -> None:
    suites.write(suite, {"test_a.py": UNSTABLE})
    report = run_tests(suites.request(suite, *XDIST))
    assert (RUN_INCOMPLETE, UNSTABLE_IDS) == codes_of(report)


def test_collecting_runs_nothing(suite: Path) -> None:
    suites.write(suite, {"test_a.py": "from pathlib import Path\ndef test_a(): Path('ran').touch()\n"})
    assert ("test_a.py::test_a",) == collect(suites.request(suite)).selected
    assert not (suite / "ran").exists()


def test_odd_ids_arrive_as_they_are(suite: Path) -> None:
    ids = ["", " ", "a::b", "[x]", "größe", "line\nbreak", "\x00", "z" * 3000]
    suites.write(
        suite,
        {"test_größe.py": f"import pytest\n@pytest.mark.parametrize('v', {ids!r}, ids={ids!r})\ndef test_a(v): pass\n"},
    )
    report = run_tests(suites.request(suite))
    assert () == judge(report)
    assert len(ids) == len(set(report.selected))
    assert report.selected[0].startswith("test_größe.py::test_a[")


def test_many_tests(suite: Path) -> None:
    suites.write(
        suite, {"test_a.py": "import pytest\n@pytest.mark.parametrize('n', range(3000))\ndef test_a(n): pass\n"}
    )
    report = run_tests(suites.request(suite, "-q"))
    assert () == judge(report)
    assert 3000 == len(report.outcomes)


def test_the_time_limit_ends_everything_that_was_started(suite: Path) -> None:
    suites.write(
        suite,
        {
            "test_a.py": """
            import fcntl, subprocess, sys, time
            def test_a():
                lock = open("lock", "w")
                fcntl.flock(lock, fcntl.LOCK_EX)
                wait = [sys.executable, "-c", "import time; time.sleep(600)"]
                subprocess.Popen(wait, pass_fds=[lock.fileno()])
                time.sleep(600)
            """
        },
    )
    report = run_tests(suites.request(suite)._replace(time_limit=8))
    assert (RUN_INCOMPLETE,) == codes_of(report)
    assert ("the time limit of 8 s was reached",) == report.problems
    assert "test_a.py::test_a was running then" in judge(report)[0].message
    with open(suite / "lock", "r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # waits for the last process that holds it


@pytest.mark.parametrize(
    ("body", "running"),
    [
        ("def test_2(): os._exit(0)", "test_a.py::test_2"),
        ("def test_2(): pass\ndef teardown_module(): os._exit(0)", "test_a.py::test_2"),
        ("def test_2(): os.kill(os.getpid(), 9)", "test_a.py::test_2"),
        ("def test_2(): os.closerange(3, 4096); os._exit(0)", "test_a.py::test_2"),
        (
            "def test_2(): pass\n@pytest.fixture(autouse=True, scope='session')\ndef one(): yield; os._exit(0)",
            "test_a.py::test_2",
        ),
    ],
)
def test_it_is_known_at_which_test_a_run_ended(suite: Path, body: str, running: str) -> None:
    suites.write(suite, {"test_a.py": f"import os, pytest\ndef test_1(): pass\n{body}\n"})
    report = run_tests(suites.request(suite))
    assert running == report.running
    assert f"; {running} was running then" in judge(report)[0].message


def test_of_a_run_that_ended_as_it_should_no_test_is_named(suite: Path) -> None:
    suites.write(suite, {"test_a.py": TWO})
    assert "" == run_tests(suites.request(suite)).running


def test_a_run_that_is_called_off_loads_nothing_of_the_project(suite: Path) -> None:
    suites.write(suite, {"conftest.py": "open('loaded', 'w')\n", "test_a.py": TWO})

    def refuse() -> None:
        raise LookupError("not clean")

    with pytest.raises(LookupError):
        run_tests(suites.request(suite)._replace(precondition=refuse))
    assert not (suite / "loaded").exists()


def test_a_process_left_behind_is_not_waited_for(suite: Path) -> None:
    suites.write(
        suite,
        {
            "test_a.py": """
            import os, time
            def test_a():
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(20)
                    os._exit(0)
            """
        },
    )
    assert () == judge(run_tests(suites.request(suite)._replace(time_limit=15)))


def test_a_forked_child_that_runs_on_tells_nothing(suite: Path) -> None:
    suites.write(
        suite,
        {
            "test_a.py": """
            import os
            def test_a():
                child = os.fork()
                if child:
                    os.waitpid(child, 0)
            def test_b(): pass
            """
        },
    )
    report = run_tests(suites.request(suite))
    assert () == judge(report)
    assert 2 == len(report.outcomes)


def test_a_suite_that_deletes_its_own_tree(suite: Path) -> None:
    suites.write(suite, {"test_a.py": "import shutil, os\ndef test_a(): shutil.rmtree(os.getcwd())\n"})
    report = run_tests(suites.request(suite))
    assert (("test_a.py::test_a", PASSED),) == report.outcomes
    assert (RUN_INCOMPLETE,) == codes_of(report)


def test_children_of_the_tests_learn_nothing_of_the_pipes(suite: Path) -> None:
    suites.write(
        suite,
        {
            "test_a.py": f"""
            import os, subprocess
            def test_descriptors():
                shown = subprocess.run(["ls", "-l", "/proc/self/fd"], capture_output=True, text=True, close_fds=False)
                assert "pipe" in shown.stdout
                pipes = [line for line in shown.stdout.splitlines() if "pipe:" in line]
                numbers = {{int(line.split(" -> ")[0].split()[-1]) for line in pipes}}
                assert numbers <= {{0, 1, 2}}
            def test_variables():
                assert {suites.NONCE!r} not in os.environ.values()
            def test_command_line():
                assert {suites.NONCE!r} not in open("/proc/self/cmdline").read()
            """
        },
    )
    assert () == judge(run_tests(suites.request(suite)))


def test_the_import_path_is_that_of_python_m_pytest(suite: Path) -> None:
    suites.write(
        suite,
        {
            "beside.py": "",
            "tests/test_a.py": """
            import os, sys
            import beside
            def test_path():
                assert os.getcwd() in sys.path
                assert not any(entry.endswith("inside") for entry in sys.path)
                assert "_agentgate_recorder" not in sys.modules
            """,
        },
    )
    assert () == judge(run_tests(suites.request(suite)))


def test_wrong_arguments_are_said(suite: Path) -> None:
    suites.write(suite, {"test_a.py": TWO})
    (finding,) = judge(run_tests(suites.request(suite, "nowhere.py")))
    assert "pytest could not use its arguments" in finding.message


def test_no_pytest_is_said_with_the_next_step(suite: Path, tmp_path: Path) -> None:
    python = suites.make_environment(tmp_path / "venv", has_pytest=False)
    with pytest.raises(Undecided, match=r"pytest cannot be imported there.*install pytest 7"):
        run_tests(suites.request(suite)._replace(python=python))


def test_an_old_pytest_is_said(suite: Path) -> None:
    suites.write(suite, {"pytest.py": "__version__ = '6.2.5'\n"})
    with pytest.raises(Undecided, match=r"pytest 6\.2\.5 is installed there, and 7 is the oldest"):
        run_tests(suites.request(suite))


def test_an_interpreter_that_is_none_is_said(suite: Path) -> None:
    with pytest.raises(Undecided, match="cannot be started"):
        run_tests(suites.request(suite)._replace(python="/nowhere/python"))
    with pytest.raises(Undecided, match="ended with status 0 before it could start pytest"):
        run_tests(suites.request(suite)._replace(python="/bin/true"))


SELECT_ONE = "[pytest]\naddopts = -k one\n"


@pytest.mark.parametrize(
    ("files", "args", "expected"),
    [
        pytest.param({}, (), 2, id="none-in-the-tree"),
        pytest.param({"pytest.ini": ""}, (), 2, id="an-empty-one"),
        pytest.param({"tox.ini": "[tox]\n"}, (), 2, id="a-file-that-could-hold-one"),
        pytest.param({"pyproject.toml": "[project]\nname = 'a'\n"}, (), 2, id="another-that-could-hold-one"),
        pytest.param({"tox.ini": SELECT_ONE}, (), 1, id="at-the-top"),
        pytest.param({"tests/pytest.ini": SELECT_ONE}, ("tests",), 1, id="between-the-top-and-what-is-named"),
        pytest.param({"tests/pytest.ini": SELECT_ONE}, (), 2, id="below-what-is-named"),
        pytest.param({"own.ini": SELECT_ONE}, ("-c", "own.ini"), 1, id="named"),
        pytest.param({"own.ini": SELECT_ONE}, ("--config-file=own.ini",), 1, id="named-in-one-word"),
    ],
)
@pytest.mark.parametrize("more", [(), XDIST], ids=["alone", "xdist"])
def test_the_configuration_is_the_tree_s_own(
    more: tuple[str, ...], files: dict[str, str], args: tuple[str, ...], expected: int, suite: Path
) -> None:
    suites.write(suite.parent, {"pytest.ini": "[pytest]\naddopts = -k nothing\n"})
    suites.write(suite, {"tests/test_a.py": TWO, "tests/test_b.py": "def test_one_more(): pass\n", **files})
    report = run_tests(suites.request(suite, *args, *more))
    assert () == judge(report)
    assert expected + 1 == len(report.selected)
    assert {"tests/test_a.py", "tests/test_b.py"} == {test.partition("::")[0] for test in report.selected}
