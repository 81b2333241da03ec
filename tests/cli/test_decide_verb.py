"""`git agentgate decide`: every vector through the command line, and what goes wrong with files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentgate_git.cli.boundary import guarded
from agentgate_git.cli.commands import run_command
from agentgate_git.model.code import ALLOW, CODES
from testing.command_line import PROGRAM, Done
from testing.run_cases import NOW, RunCase, as_bytes, decide_cases, good, merge_rule_cases

ROOT = Path(__file__).resolve().parents[2]
CASES = (*decide_cases(), *merge_rule_cases())
OWN_STEPS = {
    "E_TESTS_FAILED": "repair the defect, or have a freeze filed (`git agentgate freeze`) for a test that may fail now"
}
# One process for each way to end: allowed, each file broken, a freeze, a class of change.
IN_A_PROCESS = ("sealed-credited-no-freeze", "job-missing", "credit-file-truncated", "freeze-ok", "docs-only")


def arguments(case: RunCase, folder: Path) -> tuple[str, ...]:
    """The files of a case, written down, as arguments."""
    given = ["--now", NOW, "--change", case.change]
    for name in ("record", "credit", "freeze"):
        data = getattr(case, name)
        if data is not None:
            (folder / f"{name}.json").write_bytes(data)
            given += [f"--{name}", f"{name}.json"]
    return tuple(given)


def decide_here(capfd: pytest.CaptureFixture[str], folder: Path, *args: str) -> Done:
    """The command in this process, as `git-agentgate` runs it."""
    status = guarded(lambda: run_command(("-C", str(folder), "decide", *args), os.environ))
    out, err = capfd.readouterr()
    return Done(status, out, err)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_vector(case: RunCase, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = decide_here(capfd, tmp_path, *arguments(case, tmp_path))
    assert (case.expected == ALLOW, case.expected + "\n") == (done.status == 0, done.stdout)
    if case.expected == ALLOW:
        assert "" == done.stderr
    else:
        assert (1, 1) == (done.status, done.stderr.count("\n"))
        assert done.stderr.startswith(f"git agentgate: {case.expected}: ")
        assert done.stderr.endswith(f": {OWN_STEPS.get(case.expected, CODES[case.expected].next_step)}\n")


@pytest.mark.parametrize("case", [one for one in CASES if one.id in IN_A_PROCESS], ids=lambda case: case.id)
def test_vectors_in_a_process_of_their_own(case: RunCase, tmp_path: Path) -> None:
    command = [PROGRAM, "decide", *arguments(case, tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert (case.expected + "\n", case.expected == ALLOW) == (done.stdout, done.returncode == 0)


def written(folder: Path) -> tuple[str, ...]:
    """A run that is allowed, with a freeze that is not needed."""
    files = (as_bytes(good(name)) for name in ("record", "credit", "freeze"))
    return arguments(RunCase("", next(files) or b"", next(files), next(files), ALLOW), folder)


@pytest.mark.parametrize(
    ("name", "code"), [("record", "E_JOB_MISSING"), ("credit", "E_CREDIT_MISSING"), ("freeze", "E_FREEZE_UNBOUND")]
)
def test_a_file_that_was_named_and_cannot_be_read(
    name: str, code: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = written(tmp_path)
    file = tmp_path / f"{name}.json"
    for break_it, words in (
        (lambda: file.write_bytes(b""), "is not JSON"),
        (lambda: file.write_bytes(b"{}" * (1 << 20)), "is longer than 1048576 bytes"),
        (lambda: file.write_bytes(b'{"version": 2}'), "is of version 2"),
        (file.unlink, "cannot be read (No such file or directory)"),
        (file.mkdir, "cannot be read (Is a directory)"),
    ):
        break_it()
        done = decide_here(capfd, tmp_path, *given)
        assert (1, f"{code}\n") == (done.status, done.stdout)
        assert f"git agentgate: {code}: the {name} {words}" in done.stderr


def test_what_stands_in_a_file_stays_on_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    given = written(tmp_path)
    evil = good("credit") | {"missing": ["a\nALLOW\x1b[2J"]}
    (tmp_path / "credit.json").write_bytes(as_bytes(evil) or b"")
    done = decide_here(capfd, tmp_path, *given)
    assert ("E_CREDIT_MISSING\n", 1) == (done.stdout, done.stderr.count("\n"))
    assert "a\\nALLOW\\x1b[2J" in done.stderr


def test_the_clock_is_asked_when_no_time_is_given(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = tuple(one for one in written(tmp_path) if one not in ("--now", NOW))
    for ends, code in (("9999-12-31T00:00:00Z", "ALLOW"), ("2001-01-01T00:00:00Z", "E_FREEZE_EXPIRED")):
        (tmp_path / "freeze.json").write_bytes(as_bytes(good("freeze") | {"expires_at": ends}) or b"")
        assert f"{code}\n" == decide_here(capfd, tmp_path, *files).stdout


@pytest.mark.parametrize("now", ["2026-10-12T12:00:00", "yesterday", "2026-02-30T00:00:00Z"])
def test_a_time_of_review_that_is_none(now: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = decide_here(capfd, tmp_path, *written(tmp_path), "--now", now)
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
    assert "is no time with a zone: write it like" in done.stderr


@pytest.mark.parametrize("args", [(), ("--credit", "x"), ("--record", "x", "--change", "all"), ("--record", "x", "y")])
def test_bad_usage_of_decide(args: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = decide_here(capfd, tmp_path, *args)
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
    assert "git agentgate decide -h" in done.stderr


PROBE = """
import sys
before = set(sys.modules)
from agentgate_git.cli.main import main
status = main()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def test_a_decision_loads_few_modules(tmp_path: Path) -> None:
    """Nothing for repositories, YAML, signatures or types; argparse and json are what it needs."""
    code = f"import sys; sys.path.append({str(ROOT)!r})\n{PROBE}"
    command = [sys.executable, "-I", "-S", "-c", code, "decide", *written(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    loaded = set(done.stderr.split())
    assert "ALLOW\n" == done.stdout
    assert set() == loaded & {"typing", "yaml", "git", "hashlib", "subprocess", "datetime", "shutil", "dataclasses"}
    assert 12 > len([name for name in loaded if name.startswith("agentgate_git.model.")])
