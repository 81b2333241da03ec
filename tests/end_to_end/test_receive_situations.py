"""Servers in odd situations, and pushes that other tools let through; on a bare repository of the same disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from testing.command_line import Done
from testing.command_line import installed as agentgate
from testing.evidence_keys import Keys, some_payload, unsigned_line
from testing.hooked_repo import calls, recorder
from testing.repo_builder import RepoBuilder, hermetic_environment
from testing.server_repo import (
    BASELINE,
    FILES,
    MANIFEST,
    PACKETS,
    RUNNING,
    SEALS,
    SKIPPING,
    TEST_FILE,
    WORKFLOW,
    Remote,
    add_lines,
    bare,
    first_push,
    set_note,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def empty(tmp_path: Path, home: Path) -> Remote:
    """A server that nobody pushed to, and a developer with a first commit."""
    repo = RepoBuilder.create(tmp_path / "repo", home)
    server = bare(tmp_path / "server.git", home)
    repo.git("remote", "add", "origin", str(server.path))
    repo.commit(FILES, "first")
    return Remote(server, repo, Keys(tmp_path / "keys"))


@pytest.fixture(scope="module")
def remote_once(tmp_path_factory: pytest.TempPathFactory) -> Remote:
    directory = tmp_path_factory.mktemp("remote")
    return remote_of(directory, directory / "home")


@pytest.fixture
def remote(remote_once: Remote, tmp_path: Path, home: Path) -> Remote:
    """A server that has its first push."""
    return copy_of(remote_once, tmp_path, home)


def remote_of(directory: Path, home: Path, stage: str = "pre-receive") -> Remote:
    repo = RepoBuilder.create(directory / "repo", home)
    server = bare(directory / "server.git", home, stage=stage)
    return first_push(server, repo, str(server.path), Keys(directory / "keys"))


def copy_of(remote: Remote, directory: Path, home: Path) -> Remote:
    """The same server, clone and keys once more, and a developer with a home of their own."""
    shutil.copytree(remote.server.path.parent, directory, symlinks=True, dirs_exist_ok=True)
    places = (directory / one.path.name for one in (remote.server, remote.repo))
    server, repo = (RepoBuilder(place, hermetic_environment(home)) for place in places)
    repo.git("remote", "set-url", "origin", str(server.path))
    return Remote(server, repo, Keys(directory / "keys"))


def pushed(repo: RepoBuilder, *args: str) -> Done:
    done = repo.run("git", "push", *args)
    return Done(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))


# First pushes


def test_the_first_push_may_bring_the_target_and_more(empty: Remote) -> None:
    empty.repo.git("tag", "v0")
    empty.accepts("main", "main:topic", "v0")


def test_an_agent_does_not_set_up_the_gate(empty: Remote) -> None:
    empty.repo.commit_as_agent({WORKFLOW: "on: never\n"})
    empty.refuses("E_GUARDED_PATH", "main")


def test_a_server_whose_target_is_missing_takes_no_code(empty: Remote) -> None:
    """What is judged against nothing would pass: a repository that git made with another HEAD says so at once."""
    empty.server.git("symbolic-ref", "HEAD", "refs/heads/master")
    assert "refs/heads/master, which pushes are judged against" in empty.refuses("E_REF_GUARDED", "main")
    empty.server.git("config", "agentgate.target", "main")
    empty.accepts("main")
    empty.repo.commit({TEST_FILE: SKIPPING})
    empty.refuses("E_SKIP_MARKER", "main")


# What the repository is made of


def test_objects_that_the_server_borrows(remote: Remote, tmp_path: Path, home: Path) -> None:
    """A fork on the server has most of its objects in an alternate, whose path git must quote in quarantine."""
    pool = tmp_path / 'a : "pool"'
    remote.server.git("clone", "-q", "--bare", str(remote.server.path), str(pool))
    fork = tmp_path / "fork.git"
    remote.server.git("clone", "-q", "--bare", "--shared", str(pool), str(fork))
    server = RepoBuilder(fork, remote.server.environment)
    assert agentgate(server, "install", "--server").status == 0
    remote.repo.git("remote", "set-url", "origin", str(fork))
    forked = Remote(server, remote.repo, remote.keys)
    forked.begin("bad")
    forked.repo.commit({TEST_FILE: SKIPPING})
    forked.refuses("E_SKIP_MARKER", "bad")
    forked.begin("good")
    forked.repo.commit({"good.py": "x = 1\n"})
    forked.accepts("good")


@pytest.mark.parametrize("name", ["with a space.git", "colon:x.git", 'quo"te.git'])
def test_a_repository_in_an_odd_place(tmp_path: Path, home: Path, name: str) -> None:
    server = bare(tmp_path / name, home)
    repo = RepoBuilder.create(tmp_path / "repo", home)
    odd = first_push(server, repo, f"file://{server.path}", Keys(tmp_path / "keys"))
    odd.begin("bad")
    odd.repo.commit({TEST_FILE: SKIPPING})
    odd.refuses("E_SKIP_MARKER", "bad")


def test_a_push_from_a_shallow_clone(remote: Remote, tmp_path: Path) -> None:
    for number in range(3):
        remote.repo.commit({"a.py": f"x = {number}\n"})
    remote.accepts("main")
    url = f"file://{remote.server.path}"
    remote.repo.git("clone", "-q", "--depth", "1", url, str(tmp_path / "shallow"))
    shallow = RepoBuilder(tmp_path / "shallow", remote.repo.environment)
    shallow.commit({"a.py": "x = 9\n"})
    assert pushed(shallow, "origin", "HEAD:fine").status == 0
    shallow.commit({TEST_FILE: SKIPPING})
    assert "E_SKIP_MARKER" in pushed(shallow, "origin", "HEAD:bad").stderr


def test_a_history_that_is_cut_off_is_not_judged(remote: Remote, tmp_path: Path) -> None:
    """A server that lets a push move its shallow boundary would take in commits without a past."""
    remote.server.git("config", "receive.shallowUpdate", "true")
    other = RepoBuilder.create(tmp_path / "other", Path(remote.repo.environment["HOME"]))
    for number in range(3):
        other.commit({"a.py": f"x = {number}\n"})
    other.git("clone", "-q", "--depth", "1", f"file://{other.path}", str(tmp_path / "shallow"))
    shallow = RepoBuilder(tmp_path / "shallow", remote.repo.environment)
    before = remote.refs()
    done = pushed(shallow, str(remote.server.path), "HEAD:cut")
    assert "agentgate: refused: refs/heads/cut: E_UNDECIDED" in done.stderr
    assert before == remote.refs()


def test_the_update_hook_refuses_one_ref_alone(tmp_path: Path, home: Path) -> None:
    remote = remote_of(tmp_path, home, "update")
    remote.server.git("config", "receive.denyDeleteCurrent", "ignore")  # git asks that before it asks us
    remote.begin("good")
    remote.repo.commit({"good.py": "x = 1\n"})
    remote.begin("bad")
    remote.repo.commit({TEST_FILE: SKIPPING})
    before = remote.files()
    done = remote.push("good", "bad", ":main")
    assert done.status == 1
    assert "refused: refs/heads/main: E_REF_GUARDED" in done.stderr
    assert "refused: refs/heads/bad: E_SKIP_MARKER" in done.stderr
    assert {"refs/heads/good", "refs/heads/main"} == {row.split()[0] for row in remote.refs()}
    new = {name for name in remote.files() if not name.startswith("objects/")} - set(before)
    assert {"refs/heads/good"} == new


def test_the_hook_that_was_there_before_is_told_of_the_push_too(remote: Remote, tmp_path: Path) -> None:
    log = tmp_path / "log"
    recorder(remote.server.path / "hooks" / "pre-receive.agentgate-chained", log)
    remote.begin("bad")
    remote.repo.commit({TEST_FILE: SKIPPING})
    remote.refuses("E_SKIP_MARKER", "bad")
    assert ["pre-receive.agentgate-chained|"] == calls(log)
    tip = remote.repo.git("rev-parse", "bad")
    assert f"{'0' * 40} {tip} refs/heads/bad\n" == Path(f"{log}.pre-receive.agentgate-chained").read_text()


# Names that lead elsewhere


def test_another_name_for_main_is_main(remote: Remote) -> None:
    remote.server.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    remote.begin("main")
    remote.repo.git("commit", "-q", "--amend", "-m", "another history")
    remote.refuses("E_REF_GUARDED", "-f", "main:alias")


def test_x01_a_symbolic_notes_ref_takes_no_notes_into_a_branch(remote: Remote) -> None:
    remote.server.git("symbolic-ref", PACKETS, "refs/heads/main")
    remote.begin("main")
    remote.repo.git("notes", f"--ref={PACKETS}", "add", "-m", "x", "HEAD")
    remote.refuses("E_REF_GUARDED", "-f", PACKETS)


def test_a_tag_named_like_the_target_is_not_taken_for_it(remote: Remote) -> None:
    remote.server.git("config", "agentgate.target", "main")
    remote.begin("aside")
    remote.repo.commit({TEST_FILE: RUNNING.replace("test_limit", "test_other")})
    remote.repo.git("tag", "main")
    remote.push("refs/tags/main")
    remote.begin("bad")
    remote.repo.commit({TEST_FILE: SKIPPING})
    remote.refuses("E_SKIP_MARKER", "bad")


def test_a_branch_without_a_common_past_is_judged_whole(remote: Remote) -> None:
    remote.repo.git("checkout", "-q", "--orphan", "pages")
    remote.repo.git("rm", "-rqf", ".")
    remote.repo.commit({"index.html": "<p>orders</p>\n"})
    remote.accepts("pages")
    remote.repo.commit_as_agent({WORKFLOW: "on: never\n"})
    remote.refuses("E_GUARDED_PATH", "pages")


# Limits


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("maxRefs", "2", "this push has 3 refs, more than 2"),
        ("maxCommits", "4", "brings more than 4 commits"),
        ("maxNotes", "1", "changes more than 1 notes"),
        ("maxCommits", "many", "agentgate.maxCommits is 'many'"),
    ],
)
def test_a_push_that_is_too_large_is_refused_in_one_line(remote: Remote, key: str, value: str, said: str) -> None:
    remote.begin("large")
    for number in range(5):
        remote.repo.commit({"a.py": f"x = {number}\n"})
    for rev in ("HEAD", "HEAD~1"):
        tree = remote.repo.tree(rev)
        set_note(remote.repo, PACKETS, tree, [unsigned_line(tree)])
    remote.server.git("config", f"agentgate.{key}", value)
    before = remote.refs(), remote.files()
    done = remote.push("large", "large:again", PACKETS)
    assert done.status == 1
    assert said in done.stderr
    assert before == (remote.refs(), remote.files())
    remote.server.git("config", "--unset", f"agentgate.{key}")
    remote.accepts("large", "large:again", PACKETS)


def test_what_only_warns_is_told_and_goes_in(remote: Remote) -> None:
    remote.begin("new")
    remote.repo.commit({"tests/test_new.py": SKIPPING.replace("test_limit", "test_new")})
    assert "agentgate: warn: refs/heads/new: E_SKIP_MARKER tests/test_new.py" in remote.accepts("new")


def test_a_target_in_report_mode_refuses_no_code(remote: Remote) -> None:
    remote.repo.commit({".agentgate/policy.yaml": "version: 1\nmode: report\n"})
    remote.accepts("main")
    remote.begin("bad")
    remote.repo.commit_as_agent({WORKFLOW: "on: never\n"})
    assert "agentgate: warn: refs/heads/bad: E_GUARDED_PATH" in remote.accepts("bad")


# Evidence


def test_b21_b22_two_developers_sync_with_one_server(remote: Remote, tmp_path: Path) -> None:
    remote.repo.git("clone", "-q", str(remote.server.path), str(tmp_path / "second"))
    second = RepoBuilder(tmp_path / "second", remote.repo.environment)
    tree = remote.repo.tree()
    for number, repo in enumerate((remote.repo, second)):
        line = os.fsdecode(unsigned_line(tree, number)) + "\n"
        assert agentgate(repo, "ledger", "append", "packets", tree, stdin=line).status == 0
        done = agentgate(repo, "sync")
        assert done.status == 0, done.stderr
    note = remote.server.git("notes", f"--ref={PACKETS}", "show", tree)
    assert sorted(os.fsdecode(unsigned_line(tree, number)) for number in range(2)) == note.splitlines()


def test_what_sync_may_not_push_does_not_keep_the_rest_back(remote: Remote) -> None:
    tree = remote.repo.tree()
    for kind in ("packets", "seals"):
        line = os.fsdecode(unsigned_line(tree)) + "\n"
        assert agentgate(remote.repo, "ledger", "append", kind, tree, stdin=line).status == 0
    done = agentgate(remote.repo, "sync")
    assert done.status == 3
    assert "refused refs/notes/agentgate/seals (" in done.stderr
    assert "E_NOTE_UNTRUSTED: line " in done.stderr
    assert PACKETS in {row.split()[0] for row in remote.refs()}


def test_what_a_human_adopted_goes_in_once_the_adoption_is_there(remote: Remote) -> None:
    """An agent asks, the human signs, and the note is pushed before the work: a push cannot vouch for itself."""
    remote.begin("flow")
    remote.repo.commit_as_agent({WORKFLOW: "on: [push]\n"})
    assert "git agentgate adopt --request" in remote.refuses("E_GUARDED_PATH", "flow")
    asked = agentgate(remote.repo, "adopt", "--request", "--base", "origin/main")
    assert asked.status == 0, asked.stderr
    remote.accepts("refs/notes/agentgate/requests")
    signed = agentgate(remote.repo, "adopt", "--base", "origin/main", "--key", str(remote.keys.path("pat")))
    assert signed.status == 0, signed.stderr
    remote.refuses("E_GUARDED_PATH", "flow", "refs/notes/agentgate/adoptions")
    remote.accepts("refs/notes/agentgate/adoptions")
    remote.accepts("flow")


def test_b23_a_forced_notes_refspec_takes_nothing_away_on_the_server(remote: Remote) -> None:
    tree = remote.repo.tree()
    add_lines(remote, PACKETS, [unsigned_line(tree, 1)])
    remote.accepts(PACKETS)
    remote.repo.git("update-ref", "-d", PACKETS)
    remote.repo.git("notes", f"--ref={PACKETS}", "add", "-F", "-", tree, stdin=unsigned_line(tree, 2))
    remote.refuses("E_NOTE_LOST", "+refs/notes/*:refs/notes/*")


def test_b32_whoever_may_push_notes_cannot_write_what_only_a_runner_may(remote: Remote) -> None:
    tree = remote.repo.tree()
    add_lines(remote, SEALS, [unsigned_line(tree)])
    assert "not signed by any enrolled key; here runner may write" in remote.refuses("E_NOTE_UNTRUSTED", SEALS)


def test_keys_and_writers_are_those_of_the_target_before_the_push(remote: Remote) -> None:
    repo, tree = remote.repo, remote.repo.tree()
    signers = repo.git("show", "main:.agentgate/allowed_signers")
    more = signers + "\n" + remote.keys.enrolment("runner:second", "second")
    policy = "version: 1\nmode: lenient\nnotes:\n  packets: [runner]\n  seals: [human, 'runner:second']\n"
    repo.commit({".agentgate/allowed_signers": more, ".agentgate/policy.yaml": policy})
    second = remote.keys.signed_line("second", some_payload(tree))
    add_lines(remote, SEALS, [second], tree)
    remote.refuses("E_NOTE_UNTRUSTED", "main", SEALS)
    remote.accepts("main")
    remote.accepts(SEALS)
    add_lines(remote, SEALS, [remote.keys.signed_line("pat", some_payload(tree, 2))], tree)
    remote.accepts(SEALS)
    add_lines(remote, SEALS, [remote.keys.signed_line("ci", some_payload(tree, 3))], tree)
    assert "is signed by runner:ci; here human or runner:second may write" in remote.refuses("E_NOTE_UNTRUSTED", SEALS)
    add_lines(remote, PACKETS, [unsigned_line(tree)], tree)
    remote.refuses("E_NOTE_UNTRUSTED", PACKETS)


# Bug reports of others


def test_b05_b08_every_ref_of_a_push_is_judged(remote: Remote) -> None:
    remote.begin("old")
    remote.accepts("old")
    remote.begin("good")
    remote.repo.commit({"good.py": "x = 1\n"})
    remote.begin("bad")
    remote.repo.commit_as_agent({BASELINE: MANIFEST.replace("7", "8")})
    remote.refuses("E_GUARDED_PATH", ":old", "good", "bad")
    remote.accepts(":old", "good")


def test_b14_what_no_client_hook_saw_is_seen_here(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.commit({TEST_FILE: SKIPPING})
    tree = remote.repo.tree()
    plumbed = remote.repo.git("commit-tree", "-p", "origin/main", "-m", "x", tree)
    remote.refuses("E_SKIP_MARKER", f"{plumbed}:refs/heads/plumbed")
    remote.repo.git("push", "-q", "--no-verify", "origin", "origin/main:refs/heads/fine")
    remote.refuses("E_SKIP_MARKER", "--no-verify", "bad:fine")


def test_b18_a_gitlink_in_the_place_of_a_guarded_folder(remote: Remote) -> None:
    remote.begin("bad")
    repo = remote.repo
    repo.git("rm", "-rq", "--cached", ".github")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},.github")
    repo.git("commit", "-q", "-m", "x\n\nCo-Authored-By: Claude <noreply@anthropic.com>")
    assert ".github" in remote.refuses("E_GUARDED_PATH", "bad")
    repo.git("checkout", "-q", "-f", "main")


def test_b43_a_merge_that_no_driver_saw_drops_no_pin(remote: Remote) -> None:
    """A forge merges by text; what it then pushes to main is judged like any other push."""
    remote.begin("topic")
    remote.repo.commit({"a.py": "x = 1\n"})
    remote.begin("main")
    remote.repo.git("merge", "-q", "--no-ff", "--no-commit", "topic")
    remote.repo.commit({"entropy.yaml": MANIFEST.replace("  tz: UTC\n", "")}, "merge topic")
    remote.refuses("E_PIN_DROPPED", "main")


def test_b50_a_guarded_file_that_is_moved_away(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.git("mv", WORKFLOW, "docs.yml")
    remote.repo.commit_as_agent({"a.py": "x = 1\n"})
    assert WORKFLOW in remote.refuses("E_GUARDED_PATH", "bad")


def test_b51_attributes_hide_nothing(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.commit({".gitattributes": "*.py -diff\n* text eol=crlf\n"})
    remote.repo.commit({TEST_FILE: SKIPPING})
    remote.refuses("E_SKIP_MARKER", "bad")


def test_b58_an_evil_merge(remote: Remote) -> None:
    remote.begin("side")
    remote.repo.commit({"a.py": "x = 1\n"})
    remote.begin("bad")
    remote.repo.commit({"b.py": "x = 1\n"})
    remote.repo.git("merge", "-q", "--no-ff", "--no-commit", "side")
    remote.repo.commit_as_agent({WORKFLOW: "on: never\n"}, "merge side")
    remote.refuses("E_GUARDED_PATH", "bad")


def test_b62_replaced_and_grafted_objects_on_the_server_hide_nothing(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.commit({TEST_FILE: SKIPPING})
    bad, good = remote.repo.git("rev-parse", "bad"), remote.repo.git("rev-parse", "main")
    (remote.server.path / "info").mkdir(exist_ok=True)
    (remote.server.path / "info" / "grafts").write_text(f"{bad}\n")
    remote.server.git("update-ref", f"refs/replace/{bad}", good)
    remote.refuses("E_SKIP_MARKER", "bad")


def test_b65_a_squash_and_a_group_of_proposals_are_judged_as_what_they_bring(remote: Remote) -> None:
    remote.begin("one")
    remote.repo.commit({"a.py": "x = 1\n"})
    remote.begin("two")
    remote.repo.commit({"b.py": "x = 1\n"})
    remote.accepts("one", "two")
    remote.begin("main")
    remote.repo.git("merge", "-q", "--squash", "one")
    remote.repo.commit(message="one, squashed")
    remote.accepts("main")
    remote.begin("main")
    remote.repo.git("merge", "-q", "--no-ff", "-m", "group", "two")
    remote.accepts("main")
    remote.begin("main")
    remote.repo.commit({TEST_FILE: SKIPPING}, "squash of something")
    remote.refuses("E_SKIP_MARKER", "main")


def test_b66_a_squash_without_trailers_is_still_an_agent_in_strict_mode(remote: Remote) -> None:
    remote.begin("main")
    remote.repo.commit({".agentgate/policy.yaml": "version: 1\nmode: strict\n"})
    remote.accepts("main")
    remote.begin("bad")
    remote.repo.commit({WORKFLOW: "on: never\n"}, "squashed, nothing left of who made it")
    remote.refuses("E_GUARDED_PATH", "bad:main")


def test_a_policy_that_cannot_be_read_does_not_get_in(remote: Remote) -> None:
    """It would keep every later push out, the one that repairs it too."""
    remote.begin("main")
    remote.repo.commit({".agentgate/policy.yaml": "version: 1\nmode: loose\n"})
    assert ".agentgate/policy.yaml, line 2" in remote.refuses("E_MANIFEST_INVALID", "main")
