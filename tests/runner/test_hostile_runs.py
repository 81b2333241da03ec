"""What hostile tests do to a run, to what stands beside it and to us, in a box and without one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentgate_git.model.code import RUN_INCOMPLETE
from agentgate_git.model.packet import PASSED, RunReport
from agentgate_git.model.sandbox import BUBBLEWRAP, NO_BOX
from agentgate_git.runner.box import Box
from agentgate_git.runner.conclude import judge
from agentgate_git.runner.run_tests import run_tests
from testing import suites
from testing.boxes import KINDS, running

# Each of these is caught in the test itself, so a run of all of them passes.
DEEDS = """
    import errno, os, shutil, socket
    import pytest

    def refused(error):
        return pytest.raises(OSError, check=lambda raised: raised.errno == error)

    def test_more_memory_than_there_may_be():
        with pytest.raises(MemoryError):
            bytearray(8 << 30)

    def test_more_files_than_may_be_open():
        kept = []
        with refused(errno.EMFILE):
            while len(kept) < 100_000:
                kept.append(os.open(os.devnull, os.O_RDONLY))
        for each in kept:
            os.close(each)

    def test_a_file_larger_than_it_may_be(tmp_path):
        with refused(errno.EFBIG):
            (tmp_path / "large").write_bytes(bytes(5 << 20))

    def test_a_long_print():
        for _ in range(256):
            os.write(1, b"x" * (1 << 20))

    def test_a_tree_that_is_deleted():
        shutil.rmtree(os.getcwd(), ignore_errors=True)
        assert not os.path.exists("test_a.py")
    """
IN_A_BOX = """
    import os, resource
    import pytest

    def test_the_parent_is_out_of_reach():
        os.kill(os.getppid(), 9)

    def test_limits_stay():
        with pytest.raises(ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    @pytest.mark.parametrize("path", {hidden!r})
    def test_what_is_not_there(path):
        assert not os.path.exists(path) or os.listdir(path) == []

    @pytest.mark.parametrize("path", {readable!r})
    def test_what_is_read_only(path):
        with pytest.raises(OSError):
            open(os.path.join(path, "new"), "w")
        with pytest.raises(OSError):
            os.remove(os.path.join(path, "file"))
    """


def boxed(directory: Path, files: dict[str, str], box: Box, *args: str, seconds: float = 60) -> RunReport:
    directory.mkdir(exist_ok=True)
    suites.write(directory, files)
    box = box._replace(writable=(str(directory),))
    return run_tests(suites.request(directory, *args)._replace(box=box, time_limit=seconds))


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_takes_what_it_can_get(kind: str, tmp_path: Path) -> None:
    box = Box(kind, memory=1 << 30, output_bytes=1 << 20, file_bytes=4 << 20)
    report = boxed(tmp_path / "tree", {"test_a.py": DEEDS}, box, "-s")
    assert {PASSED} == {outcome for _, outcome in report.outcomes}
    # Without a box the folder itself goes too, and pytest cannot say how it ended.
    assert bool(judge(report)) == (kind == NO_BOX)
    log = (tmp_path / "output.txt").read_bytes()
    assert 1 << 20 < len(log) < 1100 << 10
    assert b"bytes are left out here" in log
    assert (b"5 passed" in log) == (kind == BUBBLEWRAP)


def test_a_boxed_run_reaches_nothing_of_ours(tmp_path: Path) -> None:
    repository, logs, readable = tmp_path / "clone/.git", tmp_path / "logs", tmp_path / "clone"
    for folder in (repository, logs):
        folder.mkdir(parents=True)
    for folder in (repository, logs, readable):
        (folder / "file").write_text("whole")
    text = IN_A_BOX.format(hidden=list(map(str, (repository, logs, tmp_path / "output.txt"))), readable=[str(readable)])
    box = Box(BUBBLEWRAP, readable=(str(readable),), hidden=(str(repository), str(logs)))
    assert () == judge(boxed(tmp_path / "tree", {"test_a.py": text}, box))
    assert ["whole"] * 3 == [(folder / "file").read_text() for folder in (repository, logs, readable)]


LEFT_BEHIND = """
    import os, signal, subprocess, sys, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        os._exit(0)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", {marker!r}], start_new_session=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    """
ENDINGS = {
    "endless": ("while True: time.sleep(1)", "the time limit of 3 s was reached"),
    "its_parent": ("os.kill(os.getppid(), 9); os.killpg(0, 9)", "the process ended with status 137 before"),
    "a_fork_bomb": ("for _ in range(9): os.fork()", "it ran more than 60 processes and threads at once"),
    "shared_memory": (
        "import mmap; kept = mmap.mmap(-1, 2 << 30); [kept.write(bytes(1 << 20)) for _ in range(1 << 11)]",
        "it took more than 400 MiB of memory",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("deed", "problem"), ENDINGS.values(), ids=ENDINGS)
def test_a_run_that_is_ended_leaves_nothing_behind(deed: str, problem: str, kind: str, tmp_path: Path) -> None:
    marker = f"left behind by {tmp_path}"
    text = f"def test_a():{LEFT_BEHIND.format(marker=marker)}{deed}\n    time.sleep(600)\n"
    box = Box(kind, memory=400 << 20, processes=60)
    report = boxed(tmp_path / "tree", {"test_a.py": text}, box, seconds=3 if deed.startswith("while") else 60)
    (finding,) = judge(report)
    assert RUN_INCOMPLETE == finding.code
    assert problem in finding.message
    assert () == running(marker)


def test_who_is_killed_takes_the_run_along(tmp_path: Path) -> None:
    marker = f"left behind by {tmp_path}"
    for kind in KINDS:
        text = f"def test_a():{LEFT_BEHIND.format(marker=marker)}time.sleep(600)\n"
        suites.write(tmp_path / "tree", {"test_a.py": text})
        program = (
            "import time; from pathlib import Path; from testing import suites\n"
            "from agentgate_git.runner.box import Box; from agentgate_git.runner.run_tests import run_tests\n"
            f"request = suites.request(Path({str(tmp_path / 'tree')!r}))\n"
            f"run_tests(request._replace(box=Box({kind!r}, writable=(request.directory,))))\n"
        )
        us = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parents[2])
        wait_for(lambda: bool(running(marker)))
        us.kill()
        us.wait()
        wait_for(lambda: not running(marker))


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)
