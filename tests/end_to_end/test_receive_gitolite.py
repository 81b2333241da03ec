"""Real pushes through sshd and gitolite3, with our hook as pre-receive, and as a VREF beside rules for users."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agentgate_git.flows.clone.hook_files import shim_text
from testing.command_line import PROGRAM
from testing.evidence_keys import Keys, some_payload, unsigned_line
from testing.hooked_repo import put_shim
from testing.push_deeds import HONEST, REFUSED
from testing.push_servers import Ssh, gitolite_user, set_up_gitolite, sshd
from testing.repo_builder import RepoBuilder
from testing.server_repo import PACKETS, SEALS, SKIPPING, TEST_FILE, WORKFLOW, Remote, add_lines, first_push

pytestmark = pytest.mark.slow

# gitolite makes both repositories with the HEAD that git's configuration says, which need not be main.
RULES = f"""\
repo hooked
    RW+ = @all
    config agentgate.target = main

repo judged
    RW+ {SEALS} = runner
    - {SEALS} = @all
    RW+ = @all
    - VREF/agentgate = @all
    config agentgate.target = main
"""
USERS = ("dev", "runner")
# A connection through sshd and gitolite takes its time; the other servers are tried with every deed.
SOME_HONEST = ("an agent's work on a branch", "a commit on main", "packets that nobody signed")
SOME_REFUSED = ("a guarded path by an agent", "a good ref and a bad one", "a line of a note removed", "closed refs")


class Gitolite:
    """A running gitolite with two repositories: one has our pre-receive hook, the other our VREF."""

    def __init__(self, directory: Path, ssh: Ssh, keys: Keys) -> None:
        self._directory = directory
        self._ssh = ssh
        self._keys = keys

    def remote(self, name: str, user: str) -> Remote:
        """A repository after the first push of a user."""
        home = self._directory / user
        repo = RepoBuilder.create(self._directory / f"{user}-{name}", home)
        server = RepoBuilder(self._directory / "home" / "repositories" / f"{name}.git", repo.environment)
        repo.environment.update(self._ssh.environment(user))
        return first_push(server, repo, self._ssh.url(name), self._keys)

    def same(self, remote: Remote, user: str) -> Remote:
        """The same repository, seen by another user."""
        environment = {**remote.repo.environment, **self._ssh.environment(user)}
        return Remote(remote.server, RepoBuilder(remote.repo.path, environment), self._keys)


@pytest.fixture(scope="module")
def gitolite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gitolite]:
    directory = tmp_path_factory.mktemp("gitolite")
    home, keys = directory / "home", Keys(directory / "keys")
    keys.path("admin")
    set_up_gitolite(home, directory / "keys" / "admin.pub", {"VREF/agentgate": shim_text("update", PROGRAM)}, RULES)
    put_shim(home / "repositories" / "hooked.git" / "hooks", "pre-receive", PROGRAM)
    with sshd(directory / "sshd", keys, "".join(gitolite_user(keys, user) for user in USERS), home) as ssh:
        yield Gitolite(directory, ssh, keys)


@pytest.fixture(scope="module")
def hooked(gitolite: Gitolite) -> Remote:
    return gitolite.remote("hooked", "dev")


@pytest.fixture(scope="module")
def judged(gitolite: Gitolite) -> Remote:
    return gitolite.remote("judged", "dev")


@pytest.mark.parametrize("deed", SOME_HONEST)
def test_honest_work_goes_in(hooked: Remote, deed: str) -> None:
    HONEST[deed](hooked)


@pytest.mark.parametrize("deed", SOME_REFUSED)
def test_what_is_refused_leaves_nothing_behind(hooked: Remote, deed: str) -> None:
    REFUSED[deed](hooked)


def test_as_a_vref_it_refuses_one_ref_and_lets_the_others_in(judged: Remote) -> None:
    judged.begin("good")
    judged.repo.commit({"good.py": "x = 1\n"})
    judged.begin("bad")
    judged.repo.commit({TEST_FILE: SKIPPING})
    done = judged.push("good", "bad")
    assert done.status == 1
    assert "agentgate: refused: refs/heads/bad: E_SKIP_MARKER" in done.stderr
    heads = {row.split()[0] for row in judged.refs()}
    assert {"refs/heads/good", "refs/heads/main"} == heads


def test_as_a_vref_it_judges_agents_and_packets_too(judged: Remote) -> None:
    judged.begin("bad")
    judged.repo.commit_as_agent({WORKFLOW: "on: never\n"})
    assert "E_GUARDED_PATH" in judged.push("bad").stderr
    judged.begin("main")
    add_lines(judged, PACKETS, [unsigned_line(judged.repo.tree())])
    judged.accepts(PACKETS)
    judged.repo.git("update-ref", "-d", PACKETS)
    add = judged.repo.git("commit-tree", "-m", "no notes", judged.repo.git("mktree", stdin=b""))
    assert "E_NOTE_LOST" in judged.push("-f", f"{add}:{PACKETS}").stderr


def test_gitolite_says_who_pushes_and_we_say_who_signed(judged: Remote, gitolite: Gitolite) -> None:
    """Rules of gitolite for users stand beside ours for keys: both must let a seal in."""
    judged.begin("main")
    signed = judged.keys.signed_line("ci", some_payload(judged.repo.tree()))
    add_lines(judged, SEALS, [signed])
    assert "DENIED by" in judged.push(SEALS).stderr
    runner = gitolite.same(judged, "runner")
    add_lines(runner, SEALS, [unsigned_line(runner.repo.tree())])
    assert "E_NOTE_UNTRUSTED" in runner.push(SEALS).stderr
    add_lines(runner, SEALS, [signed])
    runner.accepts(SEALS)
