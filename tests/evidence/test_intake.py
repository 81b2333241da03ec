"""What is too large stays out, and nothing else does: the ledger beside notes that others made large."""

from __future__ import annotations

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.model.limits import MAX_LINE
from testing.records import open_ledger, some_entries, some_key, some_line, stored_lines
from testing.repo_builder import RepoBuilder

PACKETS = "refs/notes/agentgate/packets"
KEY = some_key(0)
LONG_LINE = b"x" * (MAX_LINE + 1)
PROSE = b"".join(b"%064d%s\n" % (number, b"x" * (MAX_LINE - 64)) for number in range(64))


def write_notes(repo: RepoBuilder, files: dict[str, bytes], *parents: str) -> str:
    """A notes commit with exactly these notes beside the refs, in the flat layout."""
    stream = [b"feature done\ncommit refs/heads/notes\ncommitter A <a@example.org> 1 +0000\ndata 0\n"]
    stream += [b"from %b\n" % parent.encode() for parent in parents]
    stream += [b"deleteall\n"]
    stream += [b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data) for path, data in files.items()]
    repo.git("fast-import", "--quiet", "--force", stdin=b"".join([*stream, b"done\n"]))
    return repo.git("rev-parse", "refs/heads/notes")


def small_limit(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in ("intake", "union"):
        monkeypatch.setattr(f"agentgate_git.evidence.{module}.MAX_NOTE", size)


def sizes(repo: RepoBuilder) -> dict[str, int]:
    rows = repo.git("ls-tree", "-r", "-l", PACKETS).split("\n")
    return {row.split("\t")[1].replace("/", ""): int(row.split("\t")[0].split()[3]) for row in rows if row}


def joined(*numbers: int) -> bytes:
    return b"".join(some_line(number) + b"\n" for number in numbers)


def test_a_note_over_the_limit_is_left_out_and_all_others_come_in(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ours = ledger.append("packets", some_entries(KEY, 1)).commit
        theirs = write_notes(repo, {KEY: joined(1) + PROSE, some_key(1): joined(2)}, ours)
        report = ledger.merge("packets", theirs)
        assert (1, 1) == (report.gained, report.left_out)
        assert (0, report.commit, 1) == ledger.merge("packets", theirs)
        assert 1 == ledger.append("packets", some_entries(KEY, 3)).written
    assert {KEY: {some_line(1), some_line(3)}, some_key(1): {some_line(2)}} == stored_lines(repo)
    repo.git("merge-base", "--is-ancestor", theirs, PACKETS)


def test_a_note_over_the_limit_is_left_out_of_the_first_notes_that_come(repo: RepoBuilder) -> None:
    theirs = write_notes(repo, {KEY: PROSE, some_key(1): joined(2), some_key(2): joined(3) + LONG_LINE})
    with open_ledger(repo) as ledger:
        report = ledger.merge("packets", theirs)
        assert (2, 2) == (report.gained, report.left_out)
        ledger.append("packets", some_entries(KEY, 1))
    assert {KEY: {some_line(1)}, some_key(1): {some_line(2)}, some_key(2): {some_line(3)}} == stored_lines(repo)
    assert max(sizes(repo).values()) < MAX_LINE


def test_notes_that_only_together_are_over_the_limit_stay_as_ours_are(
    repo: RepoBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_limit(monkeypatch, len(joined(1, 2, 3)))
    theirs = write_notes(repo, {KEY: joined(3, 4), some_key(1): joined(5)})
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1, 2))
        report = ledger.merge("packets", theirs)
    assert (1, 1) == (report.gained, report.left_out)
    assert {KEY: {some_line(1), some_line(2)}, some_key(1): {some_line(5)}} == stored_lines(repo)


def test_a_line_over_the_limit_is_left_out_and_the_rest_of_its_note_comes_in(repo: RepoBuilder) -> None:
    theirs = write_notes(repo, {KEY: joined(2) + LONG_LINE + b"\nshort\n"})
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        report = ledger.merge("packets", theirs)
    assert (2, 1) == (report.gained, report.left_out)
    assert {KEY: len(joined(1, 2)) + 6} == sizes(repo)


def test_what_is_large_in_our_own_ref_already_stays_as_it_is(repo: RepoBuilder) -> None:
    ours = write_notes(repo, {KEY: PROSE, some_key(1): LONG_LINE})
    repo.git("update-ref", PACKETS, ours)
    theirs = write_notes(repo, {KEY: joined(1), some_key(1): joined(2), some_key(2): joined(3)}, ours)
    with open_ledger(repo) as ledger:
        report = ledger.merge("packets", theirs)
        assert (2, 1) == (report.gained, report.left_out)
        with pytest.raises(Undecided, match=f"note of {KEY} would be longer"):
            ledger.append("packets", some_entries(KEY, 4))
    assert {KEY: len(PROSE), some_key(1): len(LONG_LINE + b"\n" + joined(2)), some_key(2): len(joined(3))} == sizes(
        repo
    )


def test_a_large_note_of_ours_that_a_forced_fetch_took_away_comes_back(repo: RepoBuilder) -> None:
    repo.git("update-ref", PACKETS, write_notes(repo, {KEY: PROSE}))
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(some_key(1), 1))
        repo.git("update-ref", PACKETS, write_notes(repo, {KEY: joined(2)}))
        ledger.settle("packets")
    assert {KEY: len(PROSE + joined(2)), some_key(1): len(joined(1))} == sizes(repo)
