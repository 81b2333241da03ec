"""What a scan keeps in the git directory: worth time and nothing else."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import agentgate_git
from agentgate_git.flows import scan_history
from agentgate_git.flows.change_sets import judge_commits
from agentgate_git.flows.change_sets.scan_cache import ScanCache
from agentgate_git.flows.change_sets.workers import in_order
from agentgate_git.model.actor import Classification
from agentgate_git.model.failure import Undecided
from agentgate_git.model.finding import Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.wire.judged_commits import JudgedCommit, dump_judged, read_judged
from testing.command_line import agentgate
from testing.proposals import FILES, RUNNING, SKIPPING, TEST_FILE, opened
from testing.repo_builder import RepoBuilder

FINDING = Finding("E_SKIP_MARKER", "block", "tests/\udce5.py", "it is \u2028 skipped", "run it", 3, "a" * 40)


def judged(oid: str) -> JudgedCommit:
    return JudgedCommit(oid, Classification(oid, "human", "U_DEFAULT", "no mark"), (FINDING,))


JUDGED = judged("a" * 40)
FOLDER = ".git/agentgate/scan-cache-1"


def scanned(repo: RepoBuilder, *, keeps: bool = True) -> CheckResult:
    with opened(repo) as workspace:
        return scan_history.scan_all(workspace, "HEAD", keeps=keeps)


def kept(repo: RepoBuilder) -> list[Path]:
    return sorted((repo.path / FOLDER).rglob("*.jsonl"))


@pytest.fixture
def grown(repo: RepoBuilder) -> RepoBuilder:
    repo.commit(FILES)
    repo.commit({TEST_FILE: SKIPPING})
    repo.commit({TEST_FILE: RUNNING})
    return repo


def test_the_answer_is_the_same_with_and_without(grown: RepoBuilder) -> None:
    first = scanned(grown, keeps=False)
    assert [] == kept(grown)
    assert first == scanned(grown) == scanned(grown)
    assert 1 == len(kept(grown)), "a second scan finds nothing that is new"
    grown.commit({TEST_FILE: SKIPPING})
    assert scanned(grown, keeps=False) == scanned(grown)
    assert 2 == len(kept(grown))


def test_what_is_kept_is_believed_by_scan_and_by_nobody_else(grown: RepoBuilder) -> None:
    """Whoever writes into the git directory can have `scan` say what they like; what decides looks for itself."""
    bad = grown.commit({TEST_FILE: SKIPPING})
    scanned(grown)
    (path,) = kept(grown)
    forged = [one._replace(findings=()) for one in read_judged(path.read_bytes())]
    path.write_bytes(dump_judged(forged))
    assert () == scanned(grown).findings
    assert bad in [row.commit for row in scanned(grown, keeps=False).findings]
    assert 1 == agentgate(grown, "check", "--range", "HEAD~1..HEAD").status
    assert 1 == agentgate(grown, "scan", "--all", "--no-cache").status


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda data: data[:-10],
    "a line less": lambda data: b"\n".join(data.split(b"\n")[:-2]) + b"\n",
    "other bytes": lambda data: data.replace(b"human", b"agent"),
    "empty": lambda _: b"",
    "binary": lambda _: bytes(range(256)),
    "another format": lambda _: b'{"format": 2}\n',
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_counts_for_nothing_and_goes(grown: RepoBuilder, damage: Callable[[bytes], bytes]) -> None:
    expected = scanned(grown)
    (path,) = kept(grown)
    path.write_bytes(damage(path.read_bytes()))
    assert expected == scanned(grown)
    assert not path.exists()
    assert 1 == len(kept(grown))


def test_deleting_it_costs_nothing_but_time(grown: RepoBuilder) -> None:
    expected = scanned(grown)
    shutil.rmtree(grown.path / ".git/agentgate")
    assert expected == scanned(grown)


def test_a_git_directory_that_cannot_be_written(grown: RepoBuilder) -> None:
    (grown.path / ".git/agentgate").write_text("in the way")
    assert 3 == len(scanned(grown).commits)


def test_another_engine_or_other_rules_know_nothing_of_it(tmp_path: Path) -> None:
    one = ScanCache(str(tmp_path), b"rules")
    one.add([JUDGED])
    assert {JUDGED.oid: JUDGED} == ScanCache(str(tmp_path), b"rules").read() == one.read()
    assert {} == ScanCache(str(tmp_path), b"other rules").read()


def test_a_package_that_was_edited_knows_nothing_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    (package / "policy").mkdir(parents=True)
    check = package / "policy" / "check.py"
    check.write_text("LIMIT = 1\n", encoding="utf-8")
    monkeypatch.setattr(agentgate_git, "__file__", str(package / "__init__.py"))
    ScanCache(str(tmp_path)).add((JUDGED,))
    assert {JUDGED.oid: JUDGED} == ScanCache(str(tmp_path)).read()
    before = check.stat()
    check.write_text("LIMIT = 2\n", encoding="utf-8")
    os.utime(check, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert {} == ScanCache(str(tmp_path)).read(), "of the same size, and with its time set back"


def test_many_files_become_one_and_old_engines_go(tmp_path: Path) -> None:
    cache = ScanCache(str(tmp_path), b"rules")
    oids = [f"{n:040x}" for n in range(50)]
    for oid in oids:
        cache.add([judged(oid)])
    assert set(oids) == set(cache.read())
    assert 33 > len(list(tmp_path.rglob("*.jsonl")))
    for n in range(6):
        ScanCache(str(tmp_path), b"%d" % n).add([JUDGED])
    assert 3 == len(list((tmp_path / "agentgate/scan-cache-1").iterdir()))


def test_two_that_write_at_once_keep_both(tmp_path: Path) -> None:
    children = []
    for n in range(4):
        pid = os.fork()
        if not pid:
            for m in range(20):
                ScanCache(str(tmp_path), b"").add([judged(f"{n:020x}{m:020x}")])
            os._exit(0)
        children.append(pid)
    assert [0] * 4 == [os.waitpid(pid, 0)[1] for pid in children]
    found = ScanCache(str(tmp_path), b"").read()
    assert 80 >= len(found) > 0
    assert all(one == judged(oid) for oid, one in found.items())


def test_what_is_written_is_read_back_equal() -> None:
    assert [JUDGED, JUDGED] == list(read_judged(dump_judged([JUDGED, JUDGED])))
    with pytest.raises(TypeError):
        dump_judged([JUDGED._replace(findings=(object(),))])


@contextmanager
def squaring() -> Iterator[Callable[[int], bytes]]:
    def work(job: int) -> bytes:
        if job == 77:
            raise Undecided("it cannot be squared", "take another")
        return b"%d" % (job * job) * (job % 5 * 40_000)

    yield work


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_answers_come_in_the_order_of_the_jobs(workers: int) -> None:
    expected = [b"%d" % (job * job) * (job % 5 * 40_000) for job in range(40)]
    assert expected == list(in_order(range(40), squaring, workers))
    assert [] == list(in_order((), squaring, workers))


def test_a_job_that_fails_fails_here() -> None:
    with pytest.raises(Undecided, match="squared"):
        list(in_order(range(100), squaring, 2))


def test_a_worker_that_is_killed_is_stood_in_for() -> None:
    parent = os.getpid()

    @contextmanager
    def fragile() -> Iterator[Callable[[int], bytes]]:
        def work(job: int) -> bytes:
            if job == 6 and os.getpid() != parent:
                os.kill(os.getpid(), signal.SIGKILL)
            return b"%d" % job

        yield work

    assert [b"%d" % job for job in range(20)] == list(in_order(range(20), fragile, 2))


def test_leaving_early_ends_the_workers() -> None:
    answers = in_order(range(1_000), squaring, 2)
    next(answers)
    answers.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_history_in_several_processes(grown: RepoBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = scanned(grown, keeps=False)
    monkeypatch.setattr(judge_commits, "_ONE_PROCESS", 0)
    monkeypatch.setattr(judge_commits, "_JOB", 1)
    assert expected == scanned(grown, keeps=False)
