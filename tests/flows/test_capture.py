"""Captures of real suites in real repositories, into a ledger in memory."""

from __future__ import annotations

import os
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest

from agentgate_git.evidence.memory import MemoryLedger
from agentgate_git.flows.capture import Subject, capture_in_place, capture_revision
from agentgate_git.flows.packets.runs import RunPlan
from agentgate_git.model.code import FOREIGN_IMPORT, TESTS_FAILED, UNSTABLE_IDS
from agentgate_git.model.evidence import PACKETS
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.packet import IN_PLACE, SCRATCH, CaptureResult, Packet
from agentgate_git.repo.clean_room import CleanRoom
from agentgate_git.repo.process import Git
from agentgate_git.wire.packet_statement import PacketStatement, read_packet
from testing import suites
from testing.repo_builder import RepoBuilder

PROJECT = {
    "src/pkg/__init__.py": "def total(x):\n    return sum(x)\n",
    "tests/test_total.py": "from pkg import total\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
}
FLAT = {"pkg.py": "ONE = 1\n", "test_pkg.py": "import pkg\n\ndef test_one():\n    assert pkg.ONE == 1\n"}


def plan_of(repo: RepoBuilder, *args: str, python: str = sys.executable) -> RunPlan:
    return RunPlan(
        python=python,
        args=args,
        environ={**repo.environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        settings=(("CI", "true"), ("TZ", "UTC")),
        roots=(),
        time_limit=120,
        nonce=suites.NONCE,
        now=time.time,
        log=str(repo.path.parent / "output.txt"),
    )


class Desk:
    """A developer's repository and what was captured in it."""

    def __init__(self, repo: RepoBuilder) -> None:
        self.repo = repo
        self.ledger = MemoryLedger()
        self.git = Git.in_repository(str(repo.path), repo.environment)

    def subject(self) -> Subject:
        return Subject(self.repo.git("rev-parse", "HEAD"), self.repo.tree(), "0" * 40, "job-7", "agentgate-git 0")

    def in_place(self, plan: RunPlan | None = None, standing_in: str = "") -> CaptureResult:
        top = str(self.repo.path)
        plan = plan or plan_of(self.repo)
        return capture_in_place(self.git, self.ledger, self.subject(), plan, top, os.path.join(top, standing_in))

    def revision(self, plan: RunPlan | None = None) -> CaptureResult:
        return capture_revision(self.git, self.ledger, self.subject(), plan or plan_of(self.repo))

    def kept(self) -> list[Packet]:
        notes = self.ledger.read(PACKETS, [self.repo.tree()])
        statements = [read_packet(line.envelope) for note in notes.values() for line in note.lines]
        return [statement.packet for statement in statements if isinstance(statement, PacketStatement)]


@pytest.fixture
def desk(repo: RepoBuilder) -> Desk:
    return Desk(repo)


def test_a_pass_in_place_is_kept_under_its_tree(desk: Desk) -> None:
    desk.repo.commit({**FLAT, "entropy.yaml": "version: 1\n"})
    result = desk.in_place(plan_of(desk.repo, "-q"))
    assert (0, True, (), ()) == (result.exit_status, result.is_recorded, result.findings, result.notes)
    (packet,) = desk.kept()
    assert packet == result.packet
    assert packet.is_pass()
    assert desk.repo.tree() == packet.tree
    assert ("job-7", IN_PLACE, ("-q",), 1) == (packet.author_job, packet.isolation, packet.argv, packet.node_count)
    assert (("CI", "true"), ("TZ", "UTC")) == packet.environment
    assert sha256(b"version: 1\n").hexdigest() == packet.manifest_sha256


def test_a_pass_in_scratch_imports_the_tree_and_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.repo.commit(PROJECT)
    desk.repo.write({"tests/test_total.py": "broken here, not in the commit"})
    (tmp_path / "scratch").mkdir()
    plan = plan_of(desk.repo)
    result = desk.revision(plan._replace(environ={**plan.environ, "TMPDIR": str(tmp_path / "scratch")}))
    assert (0, ()) == (result.exit_status, result.findings)
    assert SCRATCH == result.packet.isolation
    assert [] == list((tmp_path / "scratch").glob("agentgate-*"))


def test_both_ways_give_the_same_ids(desk: Desk) -> None:
    desk.repo.commit(FLAT)
    in_place, scratch = desk.in_place().packet, desk.revision().packet
    assert in_place.tests_sha256 == scratch.tests_sha256
    assert in_place.outcomes_sha256 == scratch.outcomes_sha256
    assert in_place.environment == scratch.environment


def test_a_failed_run_is_kept_as_what_it_is(desk: Desk) -> None:
    desk.repo.commit({**FLAT, "pkg.py": "ONE = 2\n"})
    result = desk.in_place()
    assert (1, True) == (result.exit_status, result.is_recorded)
    assert [(TESTS_FAILED,)] == [packet.codes for packet in desk.kept()]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"pkg.py": "ONE = 3 - 2\n"}, r"the work tree differs from the commit \(pkg.py\)", id="edited"),
        pytest.param({"pkg.py": None}, r"the work tree differs from the commit \(pkg.py\)", id="deleted"),
    ],
)
def test_a_work_tree_that_is_not_the_commit_is_refused(
    change: dict[str, str | bytes | None], message: str, desk: Desk
) -> None:
    desk.repo.commit(FLAT)
    desk.repo.write(change)
    with pytest.raises(UsageFailure, match=message):
        desk.in_place()
    assert [] == desk.kept()


def test_an_index_that_is_not_the_commit_is_refused(desk: Desk) -> None:
    desk.repo.commit(FLAT)
    desk.repo.write({"new.py": ""})
    desk.repo.git("add", "new.py")
    with pytest.raises(UsageFailure, match=r"the index differs from the commit \(new.py\)"):
        desk.in_place()


def test_untracked_files_are_said_and_counted(desk: Desk) -> None:
    desk.repo.commit(FLAT)
    desk.repo.write({"scratch.txt": "mine"})
    result = desk.in_place()
    assert ("files that git does not track were there during the run: scratch.txt",) == result.notes
    assert (1, 64) == (result.packet.untracked_count, len(result.packet.untracked_sha256))


def test_a_run_that_changes_tracked_files_is_not_kept(desk: Desk) -> None:
    desk.repo.commit({"test_a.py": "def test_a():\n    open('data', 'w').write('new')\n", "data": "old"})
    result = desk.in_place()
    assert (3, False) == (result.exit_status, result.is_recorded)
    assert "the run changed tracked files (data)" in result.notes[0]
    assert [] == desk.kept()


def test_paths_are_named_from_the_top(desk: Desk) -> None:
    desk.repo.commit({"sub/test_a.py": suites.PASSING})
    with pytest.raises(
        UsageFailure, match=r"test_a.py::test_ok does not exist at the top.*name sub/test_a.py::test_ok"
    ):
        desk.in_place(plan_of(desk.repo, "test_a.py::test_ok"), "sub")
    assert 0 == desk.in_place(plan_of(desk.repo, "sub/test_a.py::test_ok"), "sub").exit_status


def test_an_editable_install_elsewhere_is_a_foreign_import(desk: Desk, tmp_path: Path) -> None:
    desk.repo.commit(PROJECT)
    suites.write(tmp_path / "elsewhere", PROJECT)
    python = suites.make_environment(tmp_path / "venv", tmp_path / "elsewhere/src")
    result = desk.in_place(plan_of(desk.repo, python=python))
    assert (FOREIGN_IMPORT,) == result.packet.codes
    assert (("pkg", str(tmp_path / "elsewhere/src/pkg/__init__.py")),) == result.packet.foreign_imports
    assert 0 == desk.revision(plan_of(desk.repo, python=python)).exit_status


def test_an_editable_install_of_this_tree_is_none(desk: Desk, tmp_path: Path) -> None:
    desk.repo.commit(PROJECT)
    python = suites.make_environment(tmp_path / "venv", desk.repo.path / "src")
    assert () == desk.in_place(plan_of(desk.repo, python=python)).findings


@pytest.mark.parametrize("root", ["lib", "packages/foo/src"])
@pytest.mark.parametrize("holds_it", [True, False], ids=["known-checkout", "any-other-checkout"])
def test_an_editable_install_of_the_clone_does_not_stand_in_for_the_tree(
    holds_it: bool, root: str, desk: Desk, tmp_path: Path
) -> None:
    test = "from foo import ONE\n\ndef test_one():\n    assert ONE == 1\n"
    desk.repo.commit({f"{root}/foo/__init__.py": "ONE = 2\n", "tests/test_foo.py": test})
    desk.repo.write({f"{root}/foo/__init__.py": "ONE = 1\n"})
    python = suites.make_environment(tmp_path / "venv", desk.repo.path / root)
    plan = plan_of(desk.repo, python=python)._replace(checkouts=(str(desk.repo.path),) if holds_it else ())
    result = desk.revision(plan)
    assert (1, (FOREIGN_IMPORT,)) == (result.exit_status, result.packet.codes)
    assert (("foo", str(desk.repo.path / root / "foo/__init__.py")),) == result.packet.foreign_imports
    assert (TESTS_FAILED,) == desk.revision(plan._replace(roots=(root,))).packet.codes


def test_code_behind_a_link_out_of_the_tree_is_foreign(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("ONE = 1\n")
    (desk.repo.path / "pkg.py").symlink_to(tmp_path / "code.py")
    desk.repo.git("add", "pkg.py")
    desk.repo.commit({"test_pkg.py": FLAT["test_pkg.py"]})
    for capture in (desk.in_place, desk.revision):
        assert (FOREIGN_IMPORT,) == capture().packet.codes


@pytest.mark.parametrize(
    "stray",
    [
        pytest.param({"pytest.ini": "[pytest]\naddopts = -k nothing\n"}, id="pytest.ini"),
        pytest.param({"setup.cfg": "[tool:pytest]\naddopts = -k nothing\n"}, id="setup.cfg"),
        pytest.param({"setup.py": ""}, id="setup.py"),
        pytest.param({"conftest.py": "raise SystemExit('not of the tree')\n"}, id="conftest.py"),
    ],
)
@pytest.mark.parametrize("args", [(), ("tests",)], ids=["no-args", "a-folder"])
def test_files_above_the_tree_decide_nothing(
    args: tuple[str, ...], stray: dict[str, str], desk: Desk, tmp_path: Path
) -> None:
    desk.repo.commit({"tests/test_a.py": suites.PASSING})
    suites.write(tmp_path, stray)
    (tmp_path / "scratch").mkdir()
    plan = plan_of(desk.repo, *args)
    plan = plan._replace(environ={**plan.environ, "TMPDIR": str(tmp_path / "scratch")})
    for capture in (desk.in_place, desk.revision):
        packet = capture(plan).packet
        assert ((), args) == (packet.codes, packet.argv)
        assert ["tests/test_a.py"] == [path for path, _, _ in packet.tests_by_file]


def test_b02_a_suite_that_calls_git_does_not_reach_the_repository(desk: Desk) -> None:
    desk.repo.commit(
        {
            "test_a.py": """
import subprocess
def test_a(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "f").write_text("x")
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    assert (tmp_path / ".git" / "index").exists()
"""
        }
    )
    git_dir = desk.repo.git("rev-parse", "--absolute-git-dir")
    index = {"GIT_DIR": git_dir, "GIT_INDEX_FILE": f"{git_dir}/index", "GIT_WORK_TREE": str(desk.repo.path)}
    plan = plan_of(desk.repo)
    for capture in (desk.in_place, desk.revision):
        assert 0 == capture(plan._replace(environ={**plan.environ, **index})).exit_status
        assert "" == desk.repo.git("status", "--porcelain", "--untracked-files=no")
        assert "test_a.py" == desk.repo.git("ls-files")


@pytest.mark.parametrize("is_asked", [True, False], ids=["asked", "not-asked"])
def test_b70_unstable_ids_are_found_when_asked(is_asked: bool, desk: Desk) -> None:
    desk.repo.commit(
        {"test_a.py": "import pytest\n@pytest.mark.parametrize('x', [object()], ids=repr)\ndef test_a(x): pass\n"}
    )
    result = desk.in_place(plan_of(desk.repo)._replace(checks_ids=is_asked))
    assert ((UNSTABLE_IDS,) if is_asked else ()) == result.packet.codes


def test_line_endings_of_the_attributes_are_laid_out(desk: Desk) -> None:
    desk.repo.commit(
        {
            ".gitattributes": "*.txt text eol=crlf\n",
            "a.txt": "one\n",
            "test_a.py": "def test_a():\n    assert open('a.txt', 'rb').read() == b'one\\r\\n'\n",
        }
    )
    assert 0 == desk.revision().exit_status


def test_a_clean_room_lays_out_the_bytes_that_are_judged(desk: Desk) -> None:
    desk.repo.commit(
        {
            ".gitattributes": "*.txt text eol=crlf\n",
            "a.txt": "one\n",
            "test_a.py": "def test_a():\n    assert open('a.txt', 'rb').read() == b'one\\n'\n",
        }
    )
    with CleanRoom(desk.git, desk.repo.environment) as room:
        result = capture_revision(room, desk.ledger, desk.subject(), plan_of(desk.repo))
    assert 0 == result.exit_status


def test_no_pytest_is_said_and_nothing_kept(desk: Desk, tmp_path: Path) -> None:
    desk.repo.commit(FLAT)
    python = suites.make_environment(tmp_path / "venv", has_pytest=False)
    with pytest.raises(Undecided, match="pytest cannot be imported there"):
        desk.in_place(plan_of(desk.repo, python=python))
    assert [] == desk.kept()


def test_a_tree_that_git_writes_wrongly_is_not_run(desk: Desk) -> None:
    desk.repo.commit(FLAT)
    oid = desk.repo.git("rev-parse", "HEAD:pkg.py")
    other = desk.repo.git("hash-object", "-w", "--stdin", stdin=b"ONE = 1 # another\n")
    objects = desk.repo.path / ".git" / "objects"
    target = objects / oid[:2] / oid[2:]
    target.chmod(0o644)
    target.write_bytes((objects / other[:2] / other[2:]).read_bytes())
    with pytest.raises(Undecided, match="other content than the tree names"):
        desk.revision()
