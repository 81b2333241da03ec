"""A notes ref is shared: layouts, lines and files that we did not write, and writers that do not compare."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from agentgate_git.evidence.ledger import GitLedger
from agentgate_git.model.evidence import AppendReport, MergeReport
from agentgate_git.model.failure import Undecided
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Answer, Git
from testing.records import open_ledger, some_entries, some_key, some_line, stored_lines
from testing.repo_builder import RepoBuilder

PACKETS = "refs/notes/agentgate/packets"
KEY = some_key(0)
PLACES = {"flat": KEY, "one level": f"{KEY[:2]}/{KEY[2:]}", "two levels": f"{KEY[:2]}/{KEY[2:4]}/{KEY[4:]}"}


def write_notes(repo: RepoBuilder, files: dict[str, bytes], *parents: str) -> str:
    """A notes commit with exactly these files, and the ref moved to it."""
    stream = [b"feature done\ncommit %b\ncommitter A <a@example.org> 1 +0000\ndata 0\n" % PACKETS.encode()]
    stream += [b"from %b\n" % parent.encode() for parent in parents[:1]]
    stream += [b"merge %b\n" % parent.encode() for parent in parents[1:]]
    stream += [b"deleteall\n"]
    stream += [b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data) for path, data in files.items()]
    repo.git("fast-import", "--quiet", "--force", stdin=b"".join([*stream, b"done\n"]))
    return repo.git("rev-parse", PACKETS)


def files_of(repo: RepoBuilder) -> dict[str, bytes]:
    names = repo.git("ls-tree", "-r", "--name-only", PACKETS).split("\n")
    return {name: repo.run("git", "cat-file", "blob", f"{PACKETS}:{name}").stdout for name in names}


@pytest.mark.parametrize("place", PLACES)
def test_any_fan_out_is_read_and_rewritten_to_one_level(repo: RepoBuilder, place: str) -> None:
    write_notes(repo, {PLACES[place]: some_line(1) + b"\n"})
    assert {KEY: {some_line(1)}} == stored_lines(repo)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 2))
    assert {PLACES["one level"]: b"".join(line + b"\n" for line in sorted(map(some_line, (1, 2))))} == files_of(repo)


def test_a_note_that_stands_at_several_places_is_united(repo: RepoBuilder) -> None:
    write_notes(repo, {path: some_line(number) + b"\n" for number, path in enumerate(PLACES.values())})
    assert {KEY: set(map(some_line, range(3)))} == stored_lines(repo)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 3))
    assert [PLACES["one level"]] == list(files_of(repo))
    assert {KEY: set(map(some_line, range(4)))} == stored_lines(repo)


def test_an_append_of_what_is_there_leaves_a_foreign_layout_alone(repo: RepoBuilder) -> None:
    tip = write_notes(repo, {KEY: some_line(1) + b"\n"})
    with open_ledger(repo) as ledger:
        assert tip == ledger.append("packets", some_entries(KEY, 1)).commit


def test_lines_that_are_no_records_and_files_that_are_no_notes_are_kept(repo: RepoBuilder) -> None:
    prose = b"Reviewed-by: Pat\n\nlast words \xff\r"
    write_notes(repo, {KEY: prose, "README": b"hello", some_key(1): b"other\n"})
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        (note,) = ledger.read("packets", [KEY]).values()
    files = files_of(repo)
    assert {b"Reviewed-by: Pat", b"last words \xff\r", some_line(1)} == set(files[PLACES["one level"]].split(b"\n")) - {
        b""
    }
    assert (b"hello", b"other\n") == (files["README"], files[some_key(1)])
    assert ([some_line(1)], 2) == ([line.text for line in note.lines], len(note.bad_lines))


@pytest.mark.parametrize("strategy", ["union", "cat_sort_uniq"])
def test_b24_a_merge_by_git_is_the_same_set_as_one_by_us(repo: RepoBuilder, strategy: str) -> None:
    with open_ledger(repo) as ledger:
        base = ledger.append("packets", some_entries(KEY, 1)).commit
        ours = ledger.append("packets", some_entries(KEY, 2, 3)).commit
    theirs = write_notes(repo, {KEY: some_line(1) + b"\n" + some_line(4) + b"\n"}, base)
    for name, tip in (("ours", ours), ("theirs", theirs)):
        repo.git("update-ref", f"refs/notes/{name}", tip)
    repo.git("notes", "--ref=ours", "merge", "-q", "-s", strategy, "refs/notes/theirs")
    repo.git("update-ref", PACKETS, "refs/notes/ours")
    by_git = stored_lines(repo)
    repo.git("update-ref", PACKETS, ours)
    with open_ledger(repo) as ledger:
        assert 1 == ledger.merge("packets", theirs).gained
    assert by_git == stored_lines(repo) == {KEY: set(map(some_line, (1, 2, 3, 4)))}


def test_a_merge_has_both_sides_as_ancestors_and_is_done_once(repo: RepoBuilder) -> None:
    ours = write_notes(repo, {KEY: some_line(1) + b"\n"})
    theirs = write_notes(repo, {KEY: some_line(2) + b"\n", "README": b"theirs", "docs/x": b"x"})
    repo.git("update-ref", PACKETS, ours)
    with open_ledger(repo) as ledger:
        merged = ledger.merge("packets", theirs)
        assert 1 == merged.gained
        assert MergeReport(0, merged.commit) == ledger.merge("packets", theirs)
        assert MergeReport(0, merged.commit) == ledger.merge("packets", ours)
    assert f"{ours} {theirs}" == repo.git("log", "-1", "--format=%P", PACKETS)
    assert (b"theirs", b"x") == (files_of(repo)["README"], files_of(repo)["docs/x"])


def test_a_merge_never_lets_a_file_take_the_place_of_notes(repo: RepoBuilder) -> None:
    ours = write_notes(repo, {PLACES["one level"]: some_line(1) + b"\n", "docs/x": b"x"})
    theirs = write_notes(repo, {KEY[:2]: b"a file", "docs": b"another"})
    repo.git("update-ref", PACKETS, ours)
    with open_ledger(repo) as ledger:
        ledger.merge("packets", theirs)
    assert {PLACES["one level"]: some_line(1) + b"\n", "docs/x": b"x"} == files_of(repo)


def test_a_merge_into_nothing_or_of_a_descendant_makes_no_commit(repo: RepoBuilder) -> None:
    first = write_notes(repo, {KEY: some_line(1) + b"\n"})
    second = write_notes(repo, {KEY: some_line(1) + b"\n" + some_line(2) + b"\n"}, first)
    repo.git("update-ref", "-d", PACKETS)
    with open_ledger(repo) as ledger:
        assert MergeReport(1, first) == ledger.merge("packets", first)
        assert MergeReport(1, second) == ledger.merge("packets", second)


def test_a_descendant_that_dropped_lines_is_not_followed_blindly(repo: RepoBuilder) -> None:
    first = write_notes(repo, {KEY: some_line(1) + b"\n"})
    second = write_notes(repo, {some_key(1): some_line(2) + b"\n"}, first)
    repo.git("update-ref", PACKETS, first)
    with open_ledger(repo) as ledger:
        ledger.merge("packets", second)
    assert {KEY: {some_line(1)}, some_key(1): {some_line(2)}} == stored_lines(repo)


def test_b21_a_writer_that_read_before_us_and_wrote_after_us_loses_nothing(repo: RepoBuilder, tmp_path: Path) -> None:
    """`git notes add` waits for its editor; meanwhile we write; then it puts back the tree it had read."""
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import subprocess, sys\n"
        f"subprocess.run([sys.executable, '-m', 'testing.ledger_writer', {str(repo.path)!r}, {KEY!r}, '1', '3'],"
        f" check=True, cwd={str(Path(__file__).parents[2])!r})\n"
        "open(sys.argv[1], 'w').write('from an editor')\n"
    )
    head = repo.commit()
    repo.git("notes", "--ref=agentgate/packets", "add", head, GIT_EDITOR=f"{sys.executable} {editor}", TERM="dumb")
    assert head == repo.git("notes", "--ref=agentgate/packets", "list").split(" ")[1], "git notes does not compare"
    assert {KEY: set(map(some_line, (1, 2, 3))), head: set()} == stored_lines(repo), "readers see what was kept"
    with open_ledger(repo) as ledger:
        report = ledger.append("packets", some_entries(KEY, 3, 4))
    assert AppendReport(1, 1, repo.git("rev-parse", PACKETS)) == report
    assert {KEY: set(map(some_line, (1, 2, 3, 4))), head: set()} == stored_lines(repo)
    assert "from an editor" == repo.git("notes", "--ref=agentgate/packets", "show", head)


def test_b23_a_forced_fetch_over_unpublished_notes_is_made_good_by_the_next_write(repo: RepoBuilder) -> None:
    theirs = write_notes(repo, {some_key(1): some_line(1) + b"\n"})
    repo.git("update-ref", "-d", PACKETS)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 2))
    repo.git("fetch", "-q", ".", f"+{theirs}:{PACKETS}")
    assert {KEY: {some_line(2)}, some_key(1): {some_line(1)}} == stored_lines(repo)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 3))
    assert {KEY: {some_line(2), some_line(3)}, some_key(1): {some_line(1)}} == stored_lines(repo)


def test_what_was_left_behind_is_read_with_the_rest_of_its_note(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        repo.git("notes", "--ref=agentgate/packets", "add", "-f", "-m", some_line(2).decode(), KEY)
        (note,) = ledger.read("packets", [KEY, some_key(1)]).values()
        (line,) = (line for line in note.lines if line.text == some_line(1))
        assert sorted(map(some_line, (1, 2))) == [line.text for line in note.lines]
        assert repo.git("rev-parse", f"{PACKETS}~1") == ledger.introduced_by("packets", KEY, line.sha256)
        settled = ledger.settle("packets")
    assert settled == repo.git("rev-parse", PACKETS)
    assert 2 == len(repo.git("notes", "--ref=agentgate/packets", "show", KEY).split("\n"))


class LosingGit(Git):
    """The real git of a writer who is always too late: somebody else moves the ref before each of its swaps."""

    def try_run(self, *args: str | bytes, stdin: bytes = b"", extra: Mapping[str, str] | None = None) -> Answer:
        if "update-ref" in args and PACKETS.encode() in stdin:
            plain = ("notes", "--ref=agentgate/packets", "add", "-f", "-m", os.urandom(8).hex(), some_key(1))
            super().try_run("-c", "user.name=P", "-c", "user.email=p@example.org", *plain)
        return super().try_run(*args, stdin=stdin, extra=extra)


def test_b21_a_writer_that_always_comes_too_late_stores_beside_the_ref(
    repo: RepoBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
    git = LosingGit.in_repository(str(repo.path), repo.environment)
    with Objects(git) as objects:
        late = GitLedger(git, objects)
        assert [2, 1] == [late.append("packets", some_entries(KEY, *numbers)).written for numbers in ((2, 3), (3, 4))]
        monkeypatch.setattr("agentgate_git.evidence.ledger.ATTEMPTS", 3)
        with pytest.raises(Undecided, match="could not be moved"):
            late.settle("packets")
    assert {KEY: set(map(some_line, (1, 2, 3, 4))), some_key(1): set()} == stored_lines(repo)
    assert some_line(1).decode() == repo.git("notes", "--ref=agentgate/packets", "show", KEY)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 5))
    assert 5 == len(repo.git("notes", "--ref=agentgate/packets", "show", KEY).split("\n"))


@pytest.mark.parametrize("numbers", [(), (1,), (2,)], ids=["nothing new", "what was there", "something new"])
def test_b23_a_ref_that_a_pruning_fetch_took_away_comes_back(repo: RepoBuilder, numbers: tuple[int, ...]) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        repo.git("update-ref", "-d", PACKETS)
        assert ledger.has_ref("packets")
        assert {KEY: {some_line(1)}} == stored_lines(repo)
        ledger.append("packets", some_entries(KEY, *numbers))
    assert sorted(map(some_line, {1, *numbers})) == [
        line.encode() for line in repo.git("notes", "--ref=agentgate/packets", "show", KEY).split("\n")
    ]


def test_evidence_is_given_up_by_deleting_both_refs(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        for ref in (PACKETS, "refs/agentgate/kept/packets"):
            repo.git("update-ref", "-d", ref)
        assert not ledger.has_ref("packets")
        ledger.append("packets", some_entries(KEY, 2))
    assert {KEY: {some_line(2)}} == stored_lines(repo)
