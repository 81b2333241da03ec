"""What goes wrong ends as one line with the next step, the right status, nothing lost, and no traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentgate_git.wire.bundle import read_line
from agentgate_git.wire.packet_statement import PacketStatement, read_packet
from testing.command_line import BIN, PROGRAM, Done, agentgate
from testing.proposals import FILES, NOTES_REF, TEST_FILE, line_of, store_line, store_packet, with_topic
from testing.repo_builder import RepoBuilder, hermetic_environment
from testing.suites import make_environment

READERS = ("check", "verify", "show", "log")
PYTHON = ("--python", sys.executable)


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    return repo


def assert_one_line(done: Done, status: int, *words: str) -> None:
    """One line on stderr that tells what happened and, behind a colon, what to do; nothing on stdout."""
    assert (status, "", 1) == (done.status, done.stdout, done.stderr.count("\n")), done
    assert done.stderr.startswith("git agentgate: ")
    what, colon, step = done.stderr.removeprefix("git agentgate: ").rpartition(": ")
    assert all((what, colon, step.strip())), done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


# Where there is nothing to look at


@pytest.mark.parametrize("verb", [*READERS, "capture", "sync", "install", "doctor", "snapshot", "uninstall"])
def test_not_a_repository(verb: str, tmp_path: Path, home: Path) -> None:
    somewhere = RepoBuilder(tmp_path, hermetic_environment(home, GIT_CEILING_DIRECTORIES=str(tmp_path)))
    assert_one_line(agentgate(somewhere, verb), 2, "is not in a git repository")
    assert_one_line(agentgate(somewhere, "-C", "/nonexistent", verb), 2, "is not in a git repository", "-C")


@pytest.mark.parametrize("args", [("ledger", "list", "packets"), ("hook", "pre-commit"), ("hook", "commit-msg", "x")])
def test_not_a_repository_for_longer_commands(args: tuple[str, ...], tmp_path: Path, home: Path) -> None:
    somewhere = RepoBuilder(tmp_path, hermetic_environment(home, GIT_CEILING_DIRECTORIES=str(tmp_path)))
    assert_one_line(agentgate(somewhere, *args), 2, "is not in a git repository")


@pytest.mark.parametrize("verb", [*READERS, "capture"])
def test_an_empty_repository(verb: str, repo: RepoBuilder, home: Path, tmp_path: Path) -> None:
    assert_one_line(agentgate(repo, verb), 2, "no commit yet", "first commit")
    bare = RepoBuilder.create(tmp_path / "bare.git", home, bare=True)
    assert 2 == agentgate(bare, verb).status


def test_an_unborn_branch_beside_others(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "--orphan", "unborn")
    for verb in READERS:
        assert_one_line(agentgate(topic, verb), 2, "no commit yet")
    assert 0 == agentgate(topic, "check", "topic").status
    assert 0 == agentgate(topic, "check", "--staged").status


def test_a_detached_head_is_nothing_special(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "--detach")
    assert [0, 4, 4, 0] == [agentgate(topic, verb).status for verb in READERS]


def test_a_bare_repository_has_no_work_tree_to_capture(topic: RepoBuilder, tmp_path: Path) -> None:
    topic.git("clone", "-q", "--bare", str(topic.path), str(tmp_path / "bare.git"))
    bare = RepoBuilder(tmp_path / "bare.git", topic.environment)
    assert_one_line(agentgate(bare, "capture", *PYTHON), 2, "no work tree", "name a revision")
    assert_one_line(agentgate(bare, "scan"), 2, "no work tree: name commits with --range or --all")
    assert_one_line(agentgate(bare, "snapshot"), 2, "no work tree: go to a work tree")


# Revisions and ranges


@pytest.mark.parametrize("verb", READERS)
@pytest.mark.parametrize("rev", ["no-such-branch", "HEAD~99", "0" * 40, "HEAD:core.py", "a b", "@{99}", "\udce5"])
def test_a_revision_that_is_not_here(topic: RepoBuilder, verb: str, rev: str) -> None:
    assert_one_line(agentgate(topic, verb, rev), 2)


@pytest.mark.parametrize("verb", READERS)
def test_b42_a_revision_that_looks_like_an_option(topic: RepoBuilder, verb: str) -> None:
    for args in (("--all",), ("--", "--all"), ("--", "--output=x"), ("--", "-1"), ("--output=x..HEAD",)):
        assert_one_line(agentgate(topic, verb, *args), 2)
    assert_one_line(agentgate(topic, verb, "--", "--output=x..HEAD"), 2)
    assert not (topic.path / "x").exists()


@pytest.mark.parametrize("text", ["..", "a..", "..HEAD", "HEAD...main", "nowhere..HEAD", "HEAD..nowhere"])
def test_a_bad_range(topic: RepoBuilder, text: str) -> None:
    for args in (("check", "--range", text), ("check", text), ("verify", text), ("log", text)):
        assert_one_line(agentgate(topic, *args), 2)


def test_no_range_at_all(topic: RepoBuilder) -> None:
    assert_one_line(agentgate(topic, "check", "--range", "HEAD"), 2, "'HEAD' is no range", "A..B")


def test_an_empty_range_is_clean(topic: RepoBuilder) -> None:
    checked = agentgate(topic, "check", "topic..topic")
    assert (0, True) == (checked.status, "the range is empty" in checked.stdout)
    verified = agentgate(topic, "verify", "topic..main")
    assert (0, "", True) == (verified.status, verified.stdout, "range is empty" in verified.stderr)
    assert {"schema": "agentgate.verify/1", "results": [], "exit": 0} == agentgate(
        topic, "verify", "topic..main", "--format", "json"
    ).json()


def test_a_base_that_is_not_here(topic: RepoBuilder) -> None:
    for verb in ("check", "verify"):
        assert_one_line(agentgate(topic, verb, "--base", "nowhere"), 2, "nowhere")
        assert_one_line(agentgate(topic, verb, "--base=--all"), 2, "--all")
    assert_one_line(agentgate(topic, "check", "main..topic", "--base", "main"), 2, "--base")
    assert_one_line(agentgate(topic, "check", "--staged", "--base", "main"), 2, "--base")


def test_a_target_that_is_not_here(topic: RepoBuilder) -> None:
    topic.git("config", "agentgate.target", "release")
    for verb in ("check", "verify"):
        assert_one_line(agentgate(topic, verb), 2, "agentgate.target", "release", "git config")


# Usage


@pytest.mark.parametrize(
    "args",
    [
        ("frob",),
        ("--frob",),
        ("--frob", "check"),
        ("check", "--format", "yaml"),
        ("check", "a", "b"),
        ("check", "--staged", "HEAD"),
        ("check", "--staged", "--range", "a..b"),
        ("verify", "--depth", "deep"),
        ("verify", "--base"),
        ("verify", "--pack", "x"),
        ("log", "-n", "x"),
        ("log", "-n", "0"),
        ("scan", "--before", "x"),
        ("scan", "--after", "x"),
        ("scan", "--all", "--range", "a..b"),
        ("scan", "--range", "HEAD"),
        ("scan", "x"),
        ("ledger",),
        ("ledger", "frob", "packets"),
        ("ledger", "cat", "frob"),
        ("ledger", "append", "packets"),
        ("help", "frob"),
        ("hook",),
        ("hook", "frob"),
        ("hook", "commit-msg"),
        ("-C",),
    ],
)
def test_bad_usage(topic: RepoBuilder, args: tuple[str, ...]) -> None:
    assert_one_line(agentgate(topic, *args), 2)


def test_a_line_break_in_an_argument_stays_on_one_line(topic: RepoBuilder) -> None:
    assert_one_line(agentgate(topic, "scan", "--before", "a\nb\x1b[31m", "--after", "."), 2, "a\\nb\\x1b")
    assert_one_line(agentgate(topic, "check", "a\nb", "c\nd"), 2)


# Files and directories


def test_a_packet_file_that_is_none(topic: RepoBuilder, tmp_path: Path) -> None:
    for name in (str(tmp_path / "nowhere"), str(tmp_path)):
        assert_one_line(agentgate(topic, "verify", "--packet", name), 2, "cannot be read")
    (tmp_path / "garbage").write_bytes(b"\xff\0{}\n" * 100)
    done = agentgate(topic, "verify", "--packet", str(tmp_path / "garbage"))
    assert (4, "", "E_NO_EVIDENCE") == (done.status, done.stderr, done.stdout.split()[0])


def test_a_log_file_that_cannot_be_written(topic: RepoBuilder) -> None:
    done = agentgate(topic, "verify", "--log", "/nonexistent/log", "--depth", "lookup")
    assert 4 == done.status
    store_packet(topic)
    assert_one_line(
        agentgate(topic, "verify", "--log", "/nonexistent/log", "--depth", "rerun", *PYTHON), 3, "/nonexistent"
    )


def test_a_temporary_directory_that_is_not_there(topic: RepoBuilder) -> None:
    assert_one_line(agentgate(topic, "capture", "HEAD", *PYTHON, TMPDIR="/nonexistent"), 3, "/nonexistent")
    assert "" == topic.git("for-each-ref", "refs/notes")
    assert 0 == agentgate(topic, "check", TMPDIR="/nonexistent").status


def test_a_directory_that_was_removed_under_us(topic: RepoBuilder) -> None:
    gone = topic.path / "gone"
    gone.mkdir()
    script = f'cd "{gone}" && rmdir "{gone}" && exec "{PROGRAM}" check'
    done = topic.run("sh", "-c", script)
    assert (3, b"", 1) == (done.returncode, done.stdout, done.stderr.count(b"\n")), done.stderr


def test_a_work_tree_that_is_dirty_is_not_captured_and_stays_as_it_is(topic: RepoBuilder) -> None:
    topic.write({"core.py": "ONE = 1 + 0\n"})
    before = topic.git("status", "--porcelain")
    assert_one_line(agentgate(topic, "capture", *PYTHON), 2, "core.py", "commit or stash")
    assert (before, "ONE = 1 + 0\n") == (topic.git("status", "--porcelain"), (topic.path / "core.py").read_text())
    topic.git("add", "core.py")
    assert_one_line(agentgate(topic, "capture", *PYTHON), 2, "index", "core.py")


# The environment


def test_no_pytest_in_the_environment(topic: RepoBuilder, tmp_path: Path) -> None:
    python = make_environment(tmp_path / "bare", has_pytest=False)
    assert_one_line(agentgate(topic, "capture", "HEAD", "--python", python), 3, python, "pytest")
    assert "" == topic.git("for-each-ref", "refs/notes")
    store_packet(topic)
    done = agentgate(topic, "verify", "--depth", "collect", "--python", python)
    assert (3, "", "E_UNDECIDED") == (done.status, done.stderr, done.stdout.split()[0])
    assert "install pytest" in done.stdout.splitlines()[-1]


def test_no_git_on_the_path(topic: RepoBuilder, tmp_path: Path) -> None:
    done = topic.run(PROGRAM, "check", PATH=str(tmp_path))
    assert (3, b"", 1) == (done.returncode, done.stdout, done.stderr.count(b"\n")), done.stderr
    assert b"git" in done.stderr


def test_a_remote_that_is_not_there(topic: RepoBuilder) -> None:
    for args in (("sync",), ("sync", "nowhere"), ("sync", "--fetch-only"), ("verify", "--fetch", "nowhere")):
        assert_one_line(agentgate(topic, *args), 2, "no remote")
    assert_one_line(agentgate(topic, "sync", "--", "--upload-pack=touch x"), 2)
    assert not (topic.path / "x").exists()


def test_a_remote_that_cannot_be_reached(topic: RepoBuilder) -> None:
    topic.git("remote", "add", "origin", str(topic.path / "nowhere"))
    store_packet(topic)
    assert_one_line(agentgate(topic, "sync"), 3, "origin")
    assert 0 == agentgate(topic, "verify", "--depth", "lookup").status


def test_a_configuration_that_git_cannot_read(topic: RepoBuilder) -> None:
    with open(topic.path / ".git/config", "a") as config:
        config.write("[broken\n")
    for verb in ("check", "verify", "show"):
        done = agentgate(topic, verb)
        assert (True, "", 1) == (done.status in (2, 3), done.stdout, done.stderr.count("\n")), done


def test_a_broken_note_is_told_and_nothing_is_lost(topic: RepoBuilder) -> None:
    store_packet(topic)
    topic.git("notes", "--ref=agentgate/packets", "append", "-m", "no record", topic.tree())
    before = topic.git("rev-parse", NOTES_REF)
    done = agentgate(topic, "verify", "--depth", "lookup")
    assert (0, "ALLOW", "") == (done.status, done.stdout.split()[0], done.stderr)
    assert "E_NOTE_MALFORMED warn" in done.stdout
    assert "no record" in agentgate(topic, "show").stdout
    assert "1 lines are no records" in agentgate(topic, "log").stdout
    assert before == topic.git("rev-parse", NOTES_REF)


# Readers and writers that go away


@pytest.mark.parametrize(
    "args", [("ledger", "cat", "packets"), ("log", "-n", "1000"), ("help",), ("help", "verify"), ("verify", "-h")]
)
def test_a_reader_that_goes_away_is_no_crash(topic: RepoBuilder, args: tuple[str, ...]) -> None:
    """`| head -1`, here even before the first line is written."""
    store_packet(topic)
    child = subprocess.Popen(
        [PROGRAM, *args], cwd=topic.path, env=topic.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    child.stdout.close()
    _, stderr = child.communicate()
    assert (3, b"") == (child.returncode, stderr)


def test_a_device_without_room(topic: RepoBuilder) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [PROGRAM, "check"], cwd=topic.path, env=topic.environment, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (3, 1) == (done.returncode, done.stderr.count(b"\n")), done.stderr
    assert b"No space left" in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(topic: RepoBuilder, closed: str) -> None:
    """As from a daemon: the exit status is all that is wanted, and no file is taken for a stream."""
    for command, status in (("check", 0), ("verify --depth lookup", 4), ("check nowhere", 2)):
        done = topic.run("sh", "-c", f'"{PROGRAM}" {command} {closed}')
        assert status == done.returncode, (command, done)
        assert b"Traceback" not in done.stderr
    assert "" == topic.git("status", "--porcelain")


def test_ledger_append_without_stdin_stores_nothing(topic: RepoBuilder) -> None:
    done = topic.run("sh", "-c", f'"{PROGRAM}" ledger append packets {topic.tree()} <&-')
    assert (0, b"") == (done.returncode, done.stdout)
    assert "" == topic.git("for-each-ref", "refs/notes")


# Ctrl-C


def started(marker: Path, child: subprocess.Popen[bytes]) -> bool:
    """Wait until the tests run and have said their pid, however slow the machine is."""
    while not (marker.exists() and marker.stat().st_size):
        if child.poll() is not None:
            return False
        time.sleep(0.05)
    return True


def hear_ctrl_c() -> None:
    """What a shell starts in the background ignores it, and so do all that are started from there."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_nohup_is_heard_by_nobody(topic: RepoBuilder) -> None:
    script = "import signal; from agentgate_git.cli.endings import hear_endings; hear_endings();"
    done = topic.run("nohup", sys.executable, "-c", script + "print(signal.getsignal(signal.SIGHUP).name)")
    assert (0, b"SIG_IGN\n") == (done.returncode, done.stdout)


def test_every_name_that_is_none_is_said(topic: RepoBuilder) -> None:
    done = agentgate(topic, "verify", "nowhere", "elsewhere", *PYTHON)
    said = [f"git agentgate: '{name}' names no commit here: check the spelling, or fetch it first" for name in NAMES]
    assert (2, "", said) == (done.status, done.stdout, done.stderr.splitlines())


NAMES = ("nowhere", "elsewhere")
CTRL_C_WHILE_LOADING = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
sys.argv = ["git-agentgate", *{args!r}]
from agentgate_git.cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("argparse", ("log",)),
        ("agentgate_git.flows.show", ("log",)),
        ("agentgate_git.flows.change_sets.staged", ("hook", "pre-commit")),
    ],
)
def test_ctrl_c_while_modules_load_is_ctrl_c(topic: RepoBuilder, name: str, args: tuple[str, ...]) -> None:
    done = topic.run(sys.executable, "-c", CTRL_C_WHILE_LOADING.format(name=name, args=args))
    assert (130, b"git agentgate: interrupted\n") == (done.returncode, done.stderr)


@pytest.mark.parametrize(
    ("verb", "number", "status", "words"),
    [
        ("capture", signal.SIGINT, 130, "interrupted"),
        ("verify", signal.SIGINT, 130, "interrupted"),
        ("capture", signal.SIGTERM, 143, "ended by SIGTERM, and what was not finished is not recorded: run it again"),
        ("verify", signal.SIGHUP, 129, "ended by SIGHUP, and what was not finished is not recorded: run it again"),
    ],
)
def test_ended_from_outside_it_says_so_and_leaves_nothing_behind(
    topic: RepoBuilder, tmp_path: Path, verb: str, number: signal.Signals, status: int, words: str
) -> None:
    marker, scratch = tmp_path / "started", tmp_path / "scratch"
    scratch.mkdir()
    sleeper = f"import os, time\n\n\ndef test_slow():\n    open({str(marker)!r}, 'w').write(str(os.getpid()))\n"
    topic.commit({TEST_FILE: sleeper + "    time.sleep(600)\n"})
    args = ["capture", "HEAD"] if verb == "capture" else ["verify", "--depth", "rerun"]
    if verb == "verify":
        quick = {TEST_FILE: sleeper}
        topic.commit(quick)
        assert 0 == agentgate(topic, "capture", "HEAD", *PYTHON).status
        line = agentgate(topic, "ledger", "cat", "packets", topic.tree()).stdout
        marker.unlink()
        topic.commit({TEST_FILE: sleeper + "    time.sleep(600)\n"})
        other = topic.tree()
        topic.git("update-ref", "-d", NOTES_REF)
        topic.git("update-ref", "-d", "refs/agentgate/kept/packets")
        _store_as(topic, line.strip().encode(), other)
    before = topic.git("for-each-ref")
    child = subprocess.Popen(
        [PROGRAM, *args, *PYTHON],
        cwd=topic.path,
        env={**topic.environment, "PATH": f"{BIN}:{topic.environment['PATH']}", "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )
    assert started(marker, child), child.communicate()
    if number == signal.SIGINT:
        os.killpg(child.pid, number)
    else:
        child.send_signal(number)
    _, stderr = child.communicate()
    assert status == child.returncode, stderr
    assert stderr.endswith(f"git agentgate: {words}\n".encode())
    assert before == topic.git("for-each-ref")
    assert [] == list(scratch.iterdir())
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)


def _store_as(repo: RepoBuilder, line: bytes, tree: str) -> None:
    """The packet of another tree, made out for this one."""
    statement = read_packet(read_line(line).envelope)
    assert isinstance(statement, PacketStatement)
    store_line(repo, tree, line_of(statement.packet._replace(tree=tree)))


def test_nothing_of_this_was_written_into_the_repository(topic: RepoBuilder) -> None:
    """Every reader leaves refs, index, work tree and configuration as they were."""
    before = (
        topic.git("for-each-ref"),
        (topic.path / ".git/config").read_text(),
        sorted(os.listdir(topic.path / ".git")),
    )
    for verb in READERS:
        agentgate(topic, verb)
        agentgate(topic, verb, "nowhere")
    after = topic.git("for-each-ref"), (topic.path / ".git/config").read_text(), sorted(os.listdir(topic.path / ".git"))
    assert before == after
    assert sorted(FILES) == sorted(topic.git("ls-files").splitlines())
