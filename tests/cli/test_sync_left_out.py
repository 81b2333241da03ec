"""`sync` says in one line that something of the remote was too large, and ends well."""

from __future__ import annotations

from pathlib import Path

from agentgate_git.model.limits import MAX_LINE
from testing.command_line import agentgate
from testing.hooked_repo import with_remote
from testing.proposals import NOTES_REF, store_packet, with_topic
from testing.repo_builder import RepoBuilder

TREE = "a" * 40


def test_what_is_too_large_is_told_and_stops_nothing(repo: RepoBuilder, tmp_path: Path) -> None:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    with_remote(repo)
    repo.git("push", "-q", "origin", "main", "topic")
    store_packet(repo)
    repo.git("clone", "-q", repo.git("remote", "get-url", "origin"), str(tmp_path / "other"))
    other = RepoBuilder(tmp_path / "other", repo.environment)
    blob = other.git("hash-object", "-w", "--stdin", stdin=b"x" * (MAX_LINE + 1))
    other.git("notes", "--ref=agentgate/packets", "add", "-C", blob, TREE)
    other.git("push", "-q", "origin", NOTES_REF)
    fetched = [
        "fetched from origin: nothing new",
        "left out, because notes or lines of origin are too large: 1 object(s) of packets",
    ]
    for args, pushed in ((("origin", "--fetch-only"), []), ((), ["pushed to origin: packets"])):
        done = agentgate(repo, "sync", *args)
        assert (0, [*fetched, *pushed]) == (done.status, done.stderr.splitlines())
    assert "fetched from origin: nothing new" == agentgate(repo, "sync").stderr.splitlines()[0]
