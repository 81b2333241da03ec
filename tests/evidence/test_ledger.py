"""The ledger in git notes and its twin in memory: what both must do, then what only git can show."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentgate_git.evidence.memory import MemoryLedger
from agentgate_git.evidence.reader import NotesReader
from agentgate_git.flows.ports import Ledger
from agentgate_git.model.evidence import KINDS, AppendReport, Entry
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.limits import MAX_LINE
from agentgate_git.model.oid import empty_tree
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from testing.records import open_ledger, some_entries, some_key, some_line, stored_lines
from testing.repo_builder import RepoBuilder

PACKETS = "refs/notes/agentgate/packets"
KEY = some_key(0)


@pytest.fixture(params=["git", "memory"])
def ledger(request: pytest.FixtureRequest, repo: RepoBuilder) -> Iterator[Ledger]:
    """An empty ledger of either kind."""
    with contextlib.ExitStack() as stack:
        yield stack.enter_context(open_ledger(repo)) if request.param == "git" else MemoryLedger()


def texts(ledger: Ledger, key: str, kind: str = "packets") -> list[bytes]:
    return [line.text for note in ledger.read(kind, (key,)).values() for line in note.lines]


def test_what_is_appended_is_read(ledger: Ledger) -> None:
    report = ledger.append("packets", [*some_entries(KEY, 2, 1), *some_entries(some_key(9), 3)])
    assert (3, 0) == (report.written, report.already)
    assert sorted([some_line(1), some_line(2)]) == texts(ledger, KEY)
    assert {KEY, some_key(9)} == {note.object for note in ledger.read_all("packets")}


def test_a_line_that_is_there_is_not_written_again(ledger: Ledger) -> None:
    ledger.append("packets", some_entries(KEY, 1))
    report = ledger.append("packets", some_entries(KEY, 1, 1, 2))
    assert (1, 1) == (report.written, report.already)
    assert 2 == len(texts(ledger, KEY))


def test_objects_without_a_note_are_absent(ledger: Ledger) -> None:
    ledger.append("packets", some_entries(KEY, 1))
    assert {} == ledger.read("packets", [some_key(7)])


def test_b28_nothing_fetched_and_not_in_it_are_told_apart(ledger: Ledger) -> None:
    assert not ledger.has_ref("packets")
    ledger.append("packets", some_entries(KEY, 1))
    assert (True, False) == (ledger.has_ref("packets"), ledger.has_ref("seals"))


def test_b33_the_empty_tree_is_never_evidence(ledger: Ledger) -> None:
    for like in ("a" * 40, "a" * 64):
        with pytest.raises(UsageFailure, match="the empty tree is never evidence"):
            ledger.append("packets", some_entries(empty_tree(like), 1))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        pytest.param(Entry("HEAD", some_line(1)), "'HEAD' is no object id of this repository", id="a name"),
        pytest.param(Entry("0" * 40, some_line(1)), f"'{'0' * 40}' is no object id of this repository", id="zero"),
        pytest.param(Entry("a" * 39, some_line(1)), f"'{'a' * 39}' is no object id of this repository", id="short"),
        pytest.param(Entry(KEY, b"hello"), "record 2 cannot be stored: it is not JSON", id="prose"),
        pytest.param(Entry(KEY, b"{}"), "record 2 cannot be stored: it is no DSSE envelope", id="no envelope"),
        pytest.param(Entry(KEY, some_line(1) + b"\n"), "record 2 cannot be stored: it holds a newline", id="two lines"),
        pytest.param(Entry(KEY, b" " * (MAX_LINE + 1)), "record 2 cannot be stored: it is longer than", id="too long"),
    ],
)
def test_one_bad_entry_and_nothing_is_stored(ledger: Ledger, entry: Entry, message: str) -> None:
    with pytest.raises(UsageFailure, match=message):
        ledger.append("packets", [*some_entries(some_key(5), 5), entry])
    assert [] == list(ledger.read_all("packets"))


def test_an_unknown_kind_is_refused_by_every_verb(ledger: Ledger) -> None:
    for verb in (
        lambda: ledger.append("stuff", []),
        lambda: ledger.read("stuff", [KEY]),
        lambda: list(ledger.read_all("stuff")),
        lambda: ledger.has_ref("stuff"),
        lambda: ledger.introduced_by("stuff", KEY, ""),
    ):
        with pytest.raises(UsageFailure, match="'stuff' is no kind of record"):
            verb()


def test_appending_nothing_makes_no_ref(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        assert AppendReport(0, 0, "") == ledger.append("packets", [])
    assert "" == repo.git("for-each-ref")


def test_b07_either_object_format(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    tree = repo.commit({"a": "1"}) and repo.tree()
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(tree, 1))
        (note,) = ledger.read("packets", [tree]).values()
        (line,) = note.lines
        assert repo.git("rev-parse", PACKETS) == ledger.introduced_by("packets", tree, line.sha256)
    assert some_line(1).decode() == repo.git("notes", "--ref=agentgate/packets", "show", tree)


def test_b07_an_id_of_the_other_hash_is_refused(repo_of_each_hash: RepoBuilder) -> None:
    length = len(repo_of_each_hash.commit({"a": "1"}))
    with (
        open_ledger(repo_of_each_hash) as ledger,
        pytest.raises(UsageFailure, match="is no object id of this repository"),
    ):
        ledger.append("packets", some_entries("a" * (104 - length), 1))


def test_a_bare_repository(tmp_path: Path, home: Path) -> None:
    bare = RepoBuilder.create(tmp_path / "bare.git", home, bare=True)
    with open_ledger(bare) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
    assert {KEY: {some_line(1)}} == stored_lines(bare)


def test_a_linked_work_tree_and_a_subdirectory_share_one_ledger(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"sub/a": "1"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    for number, place in enumerate((repo.path, repo.path / "sub", tmp_path / "linked", tmp_path / "linked" / "sub")):
        with open_ledger(RepoBuilder(place, repo.environment)) as ledger:
            ledger.append("packets", some_entries(KEY, number))
    assert {KEY: set(map(some_line, range(4)))} == stored_lines(repo)
    assert ["packets.lock"] == [path.name for path in (repo.path / ".git" / "agentgate").iterdir()]


def test_no_identity_is_needed_and_none_is_used(repo: RepoBuilder) -> None:
    nobody = {
        name: value for name, value in repo.environment.items() if "AUTHOR" not in name and "COMMITTER" not in name
    }
    with open_ledger(RepoBuilder(repo.path, {**nobody, "EMAIL": ""})) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
    expected = "agentgate-git <agentgate-git@localhost.invalid>"
    assert expected == repo.git("log", "-1", "--format=%an <%ae>", PACKETS)


def test_a_batch_is_one_commit_and_leaves_nothing_else(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", [entry for number in range(300) for entry in some_entries(some_key(number), number)])
    assert "1" == repo.git("rev-list", "--count", PACKETS)
    assert [PACKETS, "refs/agentgate/kept/packets"] == sorted(
        repo.git("for-each-ref", "--format=%(refname)").split("\n"), reverse=True
    )
    assert "" == repo.git("fsck", "--strict", "--no-dangling")
    assert 300 == len(stored_lines(repo))


def test_hooks_of_the_repository_do_not_run(repo: RepoBuilder) -> None:
    hook = repo.path / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
    hook.chmod(0o755)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
    assert not (repo.path / ".git" / "ran").exists()
    assert not (repo.path / "ran").exists()


def test_kinds_do_not_touch_each_other(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        for number, kind in enumerate(KINDS):
            ledger.append(kind, some_entries(KEY, number))
    assert [{KEY: {some_line(number)}} for number in range(len(KINDS))] == [stored_lines(repo, kind) for kind in KINDS]


def test_a_reader_is_told_which_notes_commit_to_read(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        first = ledger.append("packets", some_entries(KEY, 1)).commit
        ledger.append("packets", some_entries(KEY, 2))
    git = Git.in_repository(str(repo.path), repo.environment)
    with Objects(git) as objects:
        reader = NotesReader(git, objects, lambda kind: (first,) if kind == "packets" else ())
        assert [some_line(1)] == [line.text for note in reader.read_all("packets") for line in note.lines]
        assert not reader.has_ref("seals")


def test_reading_may_stop_early_and_go_on_elsewhere(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", [entry for number in range(40) for entry in some_entries(some_key(number), number)])
        assert 1 == len(list(itertools.islice(ledger.read_all("packets"), 1)))
        assert [some_line(7)] == texts(ledger, some_key(7))


def test_many_objects_are_read_at_once(repo: RepoBuilder) -> None:
    keys = [some_key(number) for number in range(100)]
    with open_ledger(repo) as ledger:
        ledger.append("packets", [entry for number in range(0, 100, 2) for entry in some_entries(keys[number], number)])
        assert set(keys[::2]) == set(ledger.read("packets", keys))


def test_b32_the_commit_that_brought_a_line_in_is_named(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        forged = some_line(2).decode()
        repo.git("notes", "--ref=agentgate/packets", "append", "-m", forged, KEY, GIT_COMMITTER_NAME="Mallory")
        ledger.append("packets", some_entries(KEY, 3))
        (note,) = ledger.read("packets", [KEY]).values()
        brought = {line.text: ledger.introduced_by("packets", KEY, line.sha256) for line in note.lines}
        assert ledger.introduced_by("packets", KEY, "0" * 64) is None
        assert ledger.introduced_by("seals", KEY, "0" * 64) is None
    names = {text: repo.git("log", "-1", "--format=%cn", commit or "") for text, commit in brought.items()}
    assert {some_line(1): "agentgate-git", some_line(2): "Mallory", some_line(3): "agentgate-git"} == names


def test_x01_a_symbolic_notes_ref_is_refused(repo: RepoBuilder) -> None:
    tip = repo.commit({"a": "1"})
    for target in ("refs/heads/main", "refs/heads/unborn"):
        repo.git("symbolic-ref", PACKETS, target)
        with open_ledger(repo) as ledger:
            for verb in (lambda: ledger.append("packets", some_entries(KEY, 1)), lambda: ledger.read("packets", [KEY])):
                with pytest.raises(Undecided, match=f"is a symbolic ref to {target}"):
                    verb()
    assert tip == repo.git("rev-parse", "refs/heads/main")
    assert "refs/heads/unborn" == repo.git("symbolic-ref", PACKETS)


def test_a_broken_notes_ref_is_not_taken_for_a_missing_one(repo: RepoBuilder) -> None:
    ref = repo.path / ".git" / PACKETS
    ref.parent.mkdir(parents=True)
    ref.write_text("garbage\n")
    with open_ledger(repo) as ledger:
        for verb in (lambda: ledger.append("packets", some_entries(KEY, 1)), lambda: ledger.has_ref("packets")):
            with pytest.raises(Undecided, match="is a broken ref"):
                verb()


def test_what_cannot_be_moved_is_undecided_and_says_what_git_said(
    repo: RepoBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentgate_git.evidence.ledger.ATTEMPTS", 2)
    lock = repo.path / ".git" / f"{PACKETS}.lock"
    lock.parent.mkdir(parents=True)
    lock.write_bytes(b"")
    with open_ledger(repo) as ledger:
        with pytest.raises(Undecided, match=r"could not be moved in 2 attempts .*File exists"):
            ledger.append("packets", some_entries(KEY, 1))
        lock.unlink()
        ledger.append("packets", some_entries(KEY, 1))
    assert {KEY: {some_line(1)}} == stored_lines(repo)


def test_x04_dates_of_notes_commits_order_nothing(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        repo.git(
            "notes", "--ref=agentgate/packets", "append", "-m", some_line(2).decode(), KEY,
            GIT_COMMITTER_DATE="2099-01-01T00:00:00Z",
        )  # fmt: skip
        repo.git(
            "notes", "--ref=agentgate/packets", "append", "-m", some_line(3).decode(), KEY,
            GIT_COMMITTER_DATE="1971-01-01T00:00:00Z",
        )  # fmt: skip
        ledger.append("packets", some_entries(KEY, 4))
        (note,) = ledger.read("packets", [KEY]).values()
        assert sorted(map(some_line, (1, 2, 3, 4))) == [line.text for line in note.lines]
        (middle,) = (line for line in note.lines if line.text == some_line(3))
        assert repo.git("rev-parse", f"{PACKETS}~1") == ledger.introduced_by("packets", KEY, middle.sha256)


def test_b30_a_rewritten_history_keeps_the_evidence_of_untouched_trees(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    kept_tree = repo.tree()
    repo.commit({"a": "1", "secret": "x"})
    lost_tree = repo.tree()
    with open_ledger(repo) as ledger:
        ledger.append("packets", [*some_entries(kept_tree, 1), *some_entries(lost_tree, 2)])
    repo.git("checkout", "-q", "--orphan", "rewritten", "HEAD~1")
    repo.commit(message="another message")
    repo.git("branch", "-q", "-D", "main")
    assert kept_tree == repo.tree()
    assert {kept_tree: {some_line(1)}, lost_tree: {some_line(2)}} == stored_lines(repo)


def test_b34_evidence_outlives_its_tree(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    repo.commit({"a": "2"})
    tree = repo.tree()
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(tree, 1))
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "-q", "--prune=now")
    assert 0 != repo.run("git", "cat-file", "-e", tree).returncode
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(tree, 2))
    assert {tree: {some_line(1), some_line(2)}} == stored_lines(repo)


def test_b34_nothing_here_ever_prunes_notes() -> None:
    package = Path(__file__).parents[2] / "agentgate_git"
    sources = [
        path.read_text(encoding="utf-8")
        for part in ("evidence", "flows", "repo")
        for path in (package / part).glob("*.py")
    ]
    assert [] == [source for source in sources if '"prune"' in source]
