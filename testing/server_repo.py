"""A server repository that developers push to, and how to see that a refused push leaves nothing behind."""

from __future__ import annotations

import os
from pathlib import Path

from testing.command_line import PROGRAM, Done, agentgate
from testing.evidence_keys import Keys
from testing.repo_builder import RepoBuilder

MANIFEST = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  tz: UTC\n  rng_seed: 7\n"
BASELINE = "entropy.baseline.yaml"
WORKFLOW = ".github/workflows/ci.yml"
TEST_FILE = "tests/test_orders.py"
RUNNING = "import pytest\n\nfrom orders import LIMIT\n\n\ndef test_limit():\n    assert 3 == LIMIT\n"
SKIPPING = RUNNING.replace("def test_limit", "@pytest.mark.skip\ndef test_limit")
FILES = {
    "entropy.yaml": MANIFEST,
    BASELINE: MANIFEST,
    "orders.py": "LIMIT = 3\n",
    TEST_FILE: RUNNING,
    WORKFLOW: "on: push\n",
}
PACKETS = "refs/notes/agentgate/packets"
SEALS = "refs/notes/agentgate/seals"


class Remote:
    """A server repository as a developer sees it: its path on disk, and a clone that pushes to it."""

    def __init__(self, server: RepoBuilder, repo: RepoBuilder, keys: Keys) -> None:
        self.server = server
        self.repo = repo
        self.keys = keys

    def push(self, *args: str) -> Done:
        """Push; the messages of the server stand in stderr."""
        done = self.repo.run("git", "push", "origin", *args)
        return Done(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))

    def refs(self) -> list[str]:
        """Every ref with its id."""
        return self.server.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()

    def files(self) -> list[str]:
        """Every file and folder of the server repository."""
        return sorted(str(path.relative_to(self.server.path)) for path in self.server.path.rglob("*"))

    def begin(self, branch: str) -> None:
        """A new branch off what the server holds as main, which is taken from the disk: it is pushes that are tried."""
        self.repo.git("fetch", "-q", str(self.server.path), "+refs/heads/*:refs/remotes/origin/*")
        self.repo.git("checkout", "-q", "-B", branch, "origin/main")

    def accepts(self, *args: str) -> str:
        """A push that must go in; what the server said."""
        done = self.push(*args)
        assert done.status == 0, done.stderr
        return done.stderr

    def refuses(self, code: str, *args: str) -> str:
        """A push that must be refused with a code, and must leave nothing behind; what the server said."""
        before = self.refs(), self.files()
        done = self.push(*args)
        assert done.status != 0, done.stderr
        assert any(row.startswith("remote: agentgate: refused:") and code in row for row in done.stderr.splitlines()), (
            done.stderr
        )
        assert before == (self.refs(), self.files())
        return done.stderr


def bare(path: Path, home: Path, *, object_format: str = "sha1", stage: str = "pre-receive") -> RepoBuilder:
    """A bare repository with our hook in it."""
    server = RepoBuilder.create(path, home, object_format=object_format, bare=True)
    done = agentgate(server, "install", "--server", stage)
    assert done.status == 0, done.stderr
    assert PROGRAM in (path / "hooks" / stage).read_text()
    return server


def first_push(server: RepoBuilder, repo: RepoBuilder, url: str, keys: Keys) -> Remote:
    """A developer's clone with the first commit, pushed to an empty server; the target enrols a runner and a human."""
    signers = keys.enrolment("runner:ci", "ci") + keys.enrolment("human:pat", "pat")
    policy = "version: 1\nmode: lenient\n"
    repo.git("remote", "add", "origin", url)
    remote = Remote(server, repo, keys)
    repo.commit({**FILES, ".agentgate/policy.yaml": policy, ".agentgate/allowed_signers": signers}, "first")
    remote.accepts("main")
    return remote


def take_notes(remote: Remote, ref: str) -> None:
    """Let the clone hold the notes that the server holds, and no others."""
    if any(row.startswith(f"{ref} ") for row in remote.refs()):
        remote.repo.git("fetch", "-q", str(remote.server.path), f"+{ref}:{ref}")
    else:
        remote.repo.git("update-ref", "-d", ref)


def set_note(repo: RepoBuilder, ref: str, key: str, lines: list[bytes]) -> None:
    """Replace the note of an object by these lines."""
    repo.git("notes", f"--ref={ref}", "add", "-f", "-F", "-", key, stdin=b"".join(line + b"\n" for line in lines))


def add_lines(remote: Remote, ref: str, lines: list[bytes], key: str = "") -> None:
    """Add lines to what the server holds, by default about the tree that is checked out; in the clone only."""
    take_notes(remote, ref)
    key = key or remote.repo.tree()
    held = remote.repo.run("git", "notes", f"--ref={ref}", "show", key)
    set_note(remote.repo, ref, key, [*held.stdout.splitlines(), *lines])
