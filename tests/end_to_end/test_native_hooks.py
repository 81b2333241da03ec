"""Real commits, merges and pushes with the native hooks in place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from testing.hooked_repo import (
    AGENT,
    AGENT_SESSION,
    AGENT_TRAILER,
    BASELINE,
    DEEDS,
    MANIFEST,
    REFUSED,
    TOOLS,
    assert_passes,
    assert_refused,
    by_agent,
    calls,
    guarded_repo,
    hooks_of,
    install_native,
    path_of_programs,
    recorder,
    with_environment,
    with_remote,
    write_script,
)
from testing.repo_builder import RepoBuilder

LOCAL_CONFIG = """\
default_install_hook_types: [pre-push]
repos:
- repo: local
  hooks:
  - {{id: note, name: note, language: system, always_run: true, pass_filenames: false, entry: {entry}}}
"""
ODD_NAMES = (
    *(b"sp ace.py", b"t\tab.py", b"new\nline.py", b'quo"te.py', b"a b/x.py", b"bad\xe5.py", b"{a => b}.py"),
    *(b":colon.py", b"-dash.py", b" lead.py", "tě.py".encode(), b"back\\slash.py", b"[g]lob*.py"),
)


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> RepoBuilder:
    """A repository with a baseline and all native hooks."""
    return install_native(guarded_repo(tmp_path / "repo", home))


@pytest.fixture
def pushed(repo: RepoBuilder) -> tuple[RepoBuilder, RepoBuilder]:
    """The same with a remote that has its first commit; branches `good` and `bad` hold one more commit each."""
    remote = with_remote(repo)
    assert_passes(repo, "push", "-q", "-u", "origin", "main")
    make_branch(repo, "good", {"orders.py": "LIMIT = 4\n"})
    make_branch(by_agent(repo), "bad", {BASELINE: MANIFEST.replace("7", "8")})
    return repo, remote


def make_branch(repo: RepoBuilder, name: str, files: dict[str, str], start: str = "main") -> str:
    """A branch with one commit that no hook saw; the developer is back on main afterwards."""
    repo.git("checkout", "-q", "-b", name, start)
    commit = repo.commit(files, f"work on {name}")
    repo.git("checkout", "-q", "main")
    return commit


def heads(remote: RepoBuilder) -> list[str]:
    return remote.git("for-each-ref", "--format=%(refname)").splitlines()


# Commits


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("mark", ["author", "trailer", "session"])
def test_agent_work_on_the_baseline_is_refused(repo: RepoBuilder, deed: str, mark: str) -> None:
    DEEDS[deed](repo)
    message = f"change\n\n{AGENT_TRAILER}" if mark == "trailer" else "change"
    marks = {"author": AGENT, "trailer": {}, "session": AGENT_SESSION}
    said = assert_refused(with_environment(repo, marks[mark]), "commit", "-m", message)
    assert BASELINE in said


def test_b03_a_commit_that_only_deletes(repo: RepoBuilder) -> None:
    repo.commit({"old.py": "x = 1\n"})
    repo.git("rm", "-q", "old.py")
    assert_passes(by_agent(repo), "commit", "-qm", "drop")
    repo.git("rm", "-q", BASELINE)
    assert_refused(by_agent(repo), "commit", "-m", "drop")


@pytest.mark.parametrize("way", ["--author", "-c user.email"])
def test_the_author_may_be_named_on_the_command_line(repo: RepoBuilder, way: str) -> None:
    DEEDS["edited"](repo)
    if way == "--author":
        assert_refused(repo, "commit", "-m", "x", "--author=Claude <noreply@anthropic.com>")
        return
    for name in tuple(repo.environment):
        if name.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_")):
            del repo.environment[name]
    assert_refused(repo, "-c", "user.name=Claude", "-c", "user.email=noreply@anthropic.com", "commit", "-m", "x")


@pytest.mark.parametrize("way", ["-a", "-o", "-i"])
def test_b01_the_index_that_git_names_is_judged(repo: RepoBuilder, way: str) -> None:
    repo.write({BASELINE: MANIFEST.replace("7", "8"), "orders.py": "LIMIT = 4\n"})
    paths = [] if way == "-a" else [BASELINE]
    assert_refused(by_agent(repo), "commit", way, "-m", "x", *paths)
    assert [f" M {BASELINE}", " M orders.py"] == repo.git("status", "--porcelain").splitlines()


def test_b01_what_is_staged_but_not_committed_does_not_count(repo: RepoBuilder) -> None:
    DEEDS["edited"](repo)
    repo.write({"orders.py": "LIMIT = 4\n"})
    assert_passes(by_agent(repo), "commit", "-qm", "x", "-o", "orders.py")
    assert ["orders.py"] == repo.git("diff", "--name-only", "HEAD~", "HEAD").splitlines()


def test_b02_a_linked_work_tree(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "-b", "wt")
    tree = RepoBuilder(tmp_path / "wt", repo.environment)
    DEEDS["deleted"](tree)
    assert_refused(by_agent(tree), "commit", "-m", "x")
    tree.git("reset", "-q", "--hard")
    tree.write({"orders.py": "LIMIT = 5\n"})
    assert_passes(by_agent(tree), "commit", "-qam", "x")
    assert "" == repo.git("status", "--porcelain")


def test_b02_a_suite_that_calls_git_itself_runs_from_a_hook(repo: RepoBuilder, tmp_path: Path) -> None:
    suite = (
        "import subprocess\n\n\ndef test_git(tmp_path):\n"
        '    for argv in (["init", "-q"], ["add", "."], ["config", "core.bare", "true"]):\n'
        '        (tmp_path / "f").write_text("x")\n'
        '        subprocess.run(["git", *argv], cwd=tmp_path, check=True)\n'
    )
    repo.commit({"tests/test_git.py": suite, ".gitignore": "__pycache__/\n.pytest_cache/\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "-b", "wt")
    tree = RepoBuilder(tmp_path / "wt", repo.environment)
    write_script(hooks_of(repo) / "post-commit", "exec git agentgate capture >&2\n")
    config = (repo.path / ".git" / "config").read_bytes()
    tree.write({"orders.py": "LIMIT = 5\n"})
    said = assert_passes(tree, "commit", "-qam", "x")
    assert config == (repo.path / ".git" / "config").read_bytes()
    assert ("", "") == (repo.git("status", "--porcelain"), tree.git("status", "--porcelain"))
    assert [tree.tree()] == [line.split()[1] for line in tree.git("notes", "--ref=agentgate/packets").splitlines()], (
        said
    )


def test_inside_a_submodule(repo: RepoBuilder, tmp_path: Path, home: Path) -> None:
    outer = guarded_repo(tmp_path / "outer", home)
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.path), "sub")
    outer.commit()
    inner = install_native(RepoBuilder(outer.path / "sub", outer.environment))
    assert (outer.path / ".git" / "modules" / "sub" / "hooks" / "pre-commit").exists()
    DEEDS["renamed"](inner)
    assert_refused(by_agent(inner), "commit", "-m", "x")
    inner.git("reset", "-q", "--hard")
    inner.write({"orders.py": "LIMIT = 5\n"})
    assert_passes(by_agent(inner), "commit", "-qam", "x")


@pytest.mark.parametrize("ignored", [False, True])
def test_b18_a_gitlink_in_the_place_of_a_guarded_folder(repo: RepoBuilder, ignored: bool) -> None:
    repo.commit({".github/workflows/ci.yml": "on: push\n", ".gitmodules": "# none\n"})
    if ignored:
        repo.git("config", "diff.ignoreSubmodules", "all")
    repo.git("rm", "-rq", "--cached", ".github")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},.github")
    assert ".github" in assert_refused(by_agent(repo), "commit", "-m", "x")


def test_b04_arguments_are_not_what_is_judged(repo: RepoBuilder) -> None:
    DEEDS["edited"](repo)
    for names in ((), ("orders.py",), ("orders.py",) * 500):
        done = by_agent(repo).run("git-agentgate", "hook", "pre-commit", *names)
        assert (1, True) == (done.returncode, REFUSED.encode() in done.stdout + done.stderr)


def test_b16_staged_tampering_with_a_restored_work_copy(repo: RepoBuilder) -> None:
    DEEDS["edited"](repo)
    (repo.path / BASELINE).write_text(MANIFEST)
    before = repo.git("status", "--porcelain")
    assert_refused(by_agent(repo), "commit", "-m", "x")
    assert before == repo.git("status", "--porcelain")
    assert MANIFEST == (repo.path / BASELINE).read_text()


def test_b16_what_lies_in_the_work_tree_is_not_judged(repo: RepoBuilder) -> None:
    repo.write({"orders.py": "LIMIT = 4\n"})
    repo.git("add", "orders.py")
    (repo.path / BASELINE).unlink()
    assert_passes(by_agent(repo), "commit", "-qm", "x")


@pytest.mark.parametrize("marks", [{}, AGENT], ids=["human", "agent"])
def test_honest_work_passes_from_a_folder_and_with_odd_names(repo: RepoBuilder, marks: dict[str, str]) -> None:
    for name in ODD_NAMES:
        path = os.path.join(os.fsencode(repo.path), b"src", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"x = 1\n")
    below = RepoBuilder(repo.path / "src", repo.environment)
    below.git("add", ".")
    assert_passes(with_environment(below, marks), "commit", "-qm", "odd names")
    assert len(ODD_NAMES) == len(repo.git("ls-files", "-z", "src").rstrip("\0").split("\0"))


def test_a_guarded_file_with_an_odd_name_is_refused(repo: RepoBuilder) -> None:
    path = os.path.join(os.fsencode(repo.path), b".agentgate", b"bad\xe5\n.yaml")
    os.mkdir(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(b"x")
    repo.git("add", "-A")
    assert_refused(by_agent(repo), "commit", "-m", "x")


def test_a_first_commit(tmp_path: Path, home: Path) -> None:
    empty = guarded_repo(tmp_path / "empty", home)
    empty.git("checkout", "-q", "--orphan", "fresh")
    install_native(empty)
    assert_passes(empty, "commit", "-qm", "first")


def test_b15_a_resolved_merge_is_judged_against_every_parent(repo: RepoBuilder) -> None:
    repo.commit({"s": "base\n"})
    make_branch(by_agent(repo), "agent", {"s": "theirs\n", BASELINE: MANIFEST.replace("7", "8")})
    repo.commit({"s": "ours\n"})
    assert 1 == repo.run("git", "merge", "-q", "agent").returncode
    repo.write({"s": "both\n"})
    repo.git("add", "s")
    assert_refused(repo, "commit", "-m", "merged")


@pytest.mark.parametrize("stage", ["pre-merge-commit", "commit-msg"])
def test_a_merge_is_judged_with_what_it_brings(repo: RepoBuilder, stage: str) -> None:
    (hooks_of(repo) / ("commit-msg" if stage == "pre-merge-commit" else "pre-merge-commit")).unlink()
    make_branch(by_agent(repo), "honest", {"a.py": "x = 1\n"})
    make_branch(by_agent(repo), "agent", {BASELINE: MANIFEST.replace("7", "8")})
    repo.commit({"b.py": "x = 1\n"})
    assert_passes(repo, "merge", "-q", "--no-edit", "honest")
    assert 3 == len(repo.git("rev-list", "--parents", "-1", "HEAD").split())
    assert_refused(repo, "merge", "--no-edit", "agent")
    assert_refused(repo, "commit", "-m", "finish the merge")


def test_without_git_agentgate_nothing_goes_in_or_out(pushed: tuple[RepoBuilder, RepoBuilder], tmp_path: Path) -> None:
    repo, remote = pushed
    for stage in ("pre-commit", "pre-push"):
        hook = hooks_of(repo) / stage
        hook.write_bytes(hook.read_bytes().replace(bytes(TOOLS), b"/gone"))
    path = path_of_programs(tmp_path / "bin", "git", "sh")
    repo.write({"orders.py": "LIMIT = 9\n"})
    bare = with_environment(repo, {"PATH": path})
    said = assert_refused(bare, "commit", "-am", "x", code="install it")
    assert "not on PATH and not at /gone/git-agentgate" in said
    assert_refused(bare, "push", "origin", "good", code="refused by the pre-push hook")
    assert ["refs/heads/main"] == heads(remote)


@pytest.mark.parametrize("value", [".githooks", "absolute"])
def test_core_hooks_path(tmp_path: Path, home: Path, value: str) -> None:
    repo = guarded_repo(tmp_path / "repo", home)
    repo.git("config", "core.hooksPath", str(tmp_path / "my hooks") if value == "absolute" else value)
    install_native(repo)
    assert not (hooks_of(repo) / "pre-commit").exists()
    DEEDS["edited"](repo)
    assert_refused(by_agent(repo), "commit", "-m", "x")


def test_an_existing_hook_and_ours_both_run(tmp_path: Path, home: Path) -> None:
    repo = guarded_repo(tmp_path / "repo", home)
    log = tmp_path / "log"
    for stage in ("pre-commit", "commit-msg", "pre-push"):
        recorder(hooks_of(repo) / stage, log)
    install_native(repo)
    remote = with_remote(repo)
    DEEDS["edited"](repo)
    assert_refused(by_agent(repo), "commit", "-m", "x")
    repo.git("reset", "-q", "--hard")
    assert_passes(repo, "commit", "-q", "--allow-empty", "-m", "x")
    assert_passes(repo, "push", "-q", "origin", "main")
    names = [call.partition(".")[0] for call in calls(log)]
    assert ["pre-commit", "pre-commit", "commit-msg", "pre-push"] == names
    sent = f"refs/heads/main {repo.git('rev-parse', 'main')} refs/heads/main {'0' * 40}\n"
    assert sent == Path(f"{log}.pre-push.agentgate-chained").read_text()
    assert ["refs/heads/main"] == heads(remote)


# Pushes


def test_b05_every_ref_of_a_push_is_judged(pushed: tuple[RepoBuilder, RepoBuilder]) -> None:
    repo, remote = pushed
    said = assert_refused(repo, "push", "origin", "good", "bad")
    assert BASELINE in said
    assert ["refs/heads/main"] == heads(remote)
    assert_passes(repo, "push", "-q", "origin", "good")
    assert ["refs/heads/good", "refs/heads/main"] == heads(remote)


def test_b08_a_deletion_does_not_wave_the_rest_through(pushed: tuple[RepoBuilder, RepoBuilder]) -> None:
    repo, remote = pushed
    assert_passes(repo, "push", "-q", "origin", "main:old")
    assert_refused(repo, "push", "origin", ":old", "bad")
    assert ["refs/heads/main", "refs/heads/old"] == heads(remote)
    assert_passes(repo, "push", "-q", "origin", ":old", "good")
    assert ["refs/heads/good", "refs/heads/main"] == heads(remote)


def test_b08_nothing_to_push(pushed: tuple[RepoBuilder, RepoBuilder]) -> None:
    repo, _remote = pushed
    assert_passes(repo, "push", "-q", "origin", "main")
    done = repo.run("git-agentgate", "hook", "pre-push", "origin", "url", stdin=b"")
    assert (0, b"") == (done.returncode, done.stderr)


def test_b07_deleting_and_pushing_in_a_sha256_repository(tmp_path: Path, home: Path) -> None:
    repo = install_native(guarded_repo(tmp_path / "repo", home, object_format="sha256"))
    remote = with_remote(repo)
    assert_passes(repo, "push", "-q", "origin", "main", "main:t")
    assert_passes(repo, "push", "-q", "origin", ":t")
    assert ["refs/heads/main"] == heads(remote)
    make_branch(by_agent(repo), "bad", {BASELINE: MANIFEST.replace("7", "8")})
    assert_refused(repo, "push", "origin", "bad")


def test_notes_alone_pass(pushed: tuple[RepoBuilder, RepoBuilder]) -> None:
    repo, remote = pushed
    repo.git("notes", "--ref=agentgate/packets", "add", "-m", "{}", repo.tree())
    assert_passes(repo, "push", "-q", "origin", "refs/notes/agentgate/packets")
    by_agent(repo).git("notes", "--ref=agentgate/packets", "append", "-m", "{}", repo.tree())
    assert_passes(repo, "push", "-q", "origin", "refs/notes/agentgate/packets")
    assert ["refs/heads/main", "refs/notes/agentgate/packets"] == heads(remote)


@pytest.mark.parametrize("kind", ["lightweight", "annotated"])
def test_tags(pushed: tuple[RepoBuilder, RepoBuilder], kind: str) -> None:
    repo, remote = pushed
    flags = ["-a", "-m", "release"] if kind == "annotated" else []
    for name in ("main", "good", "bad"):
        repo.git("tag", *flags, f"v-{name}", name)
    assert_passes(repo, "push", "-q", "origin", "v-main", "v-good")
    assert_refused(repo, "push", "origin", "v-bad")
    assert ["refs/heads/main", "refs/tags/v-good", "refs/tags/v-main"] == heads(remote)


def test_a_tag_of_a_tree_passes(pushed: tuple[RepoBuilder, RepoBuilder]) -> None:
    repo, _remote = pushed
    repo.git("tag", "-a", "-m", "a tree", "t", repo.tree())
    assert_passes(repo, "push", "-q", "origin", "t")


@pytest.mark.parametrize("to", ["another name", "a url", "a forced update", "a detached head"])
def test_the_ways_of_a_bad_commit_to_the_remote(pushed: tuple[RepoBuilder, RepoBuilder], to: str) -> None:
    repo, remote = pushed
    if to == "a forced update":
        repo.git("push", "-q", "--no-verify", "origin", "good:work")
    if to == "a detached head":
        repo.git("checkout", "-q", "--detach", "bad")
    argv = {
        "another name": ("origin", "bad:refs/heads/main"),
        "a url": (str(remote.path), "bad"),
        "a forced update": ("--force", "origin", "bad:work"),
        "a detached head": ("origin", "HEAD:refs/heads/x"),
    }[to]
    assert_refused(repo, "push", *argv)


def test_what_is_on_the_remote_already_is_not_judged_again(pushed: tuple[RepoBuilder, RepoBuilder]) -> None:
    repo, _remote = pushed
    repo.git("push", "-q", "--no-verify", "origin", "bad")
    make_branch(repo, "next", {"orders.py": "LIMIT = 6\n"}, start="bad")
    assert_passes(repo, "push", "-q", "origin", "next")


def test_a_push_from_a_linked_work_tree(pushed: tuple[RepoBuilder, RepoBuilder], tmp_path: Path) -> None:
    repo, remote = pushed
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "bad")
    assert_refused(RepoBuilder(tmp_path / "wt", repo.environment), "push", "origin", "bad")
    assert ["refs/heads/main"] == heads(remote)


# From the command line


def test_install_doctor_snapshot_and_uninstall(tmp_path: Path, home: Path) -> None:
    repo = guarded_repo(tmp_path / "repo", home)
    repo.git("config", "agentgate.target", "main")

    def answer(*words: str) -> tuple[int, set[str]]:
        done = repo.run("git", "agentgate", *words)
        lines = done.stdout.decode().splitlines()
        return done.returncode, {line.partition(":")[0] for line in lines if not line.startswith(" ")}

    assert (1, {"ok", "warning", "missing"}) == answer("doctor")
    assert (0, {"done"}) == answer("install", "--native", "--attributes")
    assert (0, {"already there"}) == answer("install", "--native", "--attributes")
    assert (0, {"ok"}) == answer("doctor")
    DEEDS["edited"](repo)
    assert_refused(by_agent(repo), "commit", "-m", "x")
    assert 0 == answer("snapshot")[0]
    assert "rng_seed: 7" in (repo.path / BASELINE).read_text()
    assert (0, {"done", "by hand"}) == answer("uninstall")  # .gitattributes is the user's own file
    assert (1, {"ok", "warning", "missing"}) == answer("doctor")


# Beside pre-commit


@pytest.mark.parametrize("order", ["pre-commit first", "agentgate first"])
def test_ours_and_pre_commit_both_run_in_either_order(
    pushed: tuple[RepoBuilder, RepoBuilder], tmp_path: Path, order: str
) -> None:
    repo, remote = pushed
    log = tmp_path / "log"
    note = recorder(tmp_path / "note", log)
    repo.commit({".pre-commit-config.yaml": LOCAL_CONFIG.format(entry=note)})
    if order == "pre-commit first":
        (hooks_of(repo) / "pre-push").unlink()
    assert 0 == repo.run("pre-commit", "install").returncode
    install_native(repo)
    assert (hooks_of(repo) / "pre-push.legacy").exists()
    assert_refused(repo, "push", "origin", "good", "bad")
    assert ["refs/heads/main"] == heads(remote)
    before = len(calls(log))
    assert_passes(repo, "push", "-q", "origin", "good")
    assert before + 1 == len(calls(log))
    assert ["refs/heads/good", "refs/heads/main"] == heads(remote)
    assert 0 == repo.run("pre-commit", "uninstall").returncode
    assert_refused(repo, "push", "origin", "bad")


# Around the hooks


@pytest.mark.parametrize(
    "way", ["--no-verify", "core.hooksPath", "cherry-pick", "rebase", "am", "plumbing", "fast-forward", "squash"]
)
def test_b14_the_range_tells_what_the_hooks_did_not_see(repo: RepoBuilder, way: str) -> None:
    bad = make_branch(by_agent(repo), "bad", {BASELINE: MANIFEST.replace("7", "8")})
    base = repo.git("rev-parse", "main")
    if way in ("cherry-pick", "rebase", "am"):
        base = repo.commit({"other.py": "x = 1\n"})
    bypass(repo, way, bad)
    assert base != repo.git("rev-parse", "HEAD")
    done = repo.run("git", "agentgate", "check", "--range", f"{base}..HEAD")
    assert (1, True) == (done.returncode, REFUSED.encode() in done.stdout)


def bypass(repo: RepoBuilder, way: str, bad: str) -> None:
    """Bring the agent's change into the branch without a hook that could refuse it."""
    if way == "cherry-pick":
        repo.git("cherry-pick", bad)
    elif way == "rebase":
        repo.git("rebase", "-q", "main", "bad")
    elif way == "am":
        repo.git("am", "-q", stdin=repo.git("format-patch", "--stdout", f"{bad}~..{bad}").encode() + b"\n")
    elif way == "fast-forward":
        repo.git("merge", "-q", "--ff-only", "bad")
    elif way == "plumbing":
        commit = by_agent(repo).git("commit-tree", "-p", "HEAD", "-m", "x", f"{bad}^{{tree}}")
        repo.git("update-ref", "refs/heads/main", commit)
    elif way == "squash":
        repo.git("merge", "-q", "--squash", "bad")
        by_agent(repo).git("commit", "-q", "--no-verify", "-m", "squashed")
    else:
        DEEDS["edited"](repo)
        if way == "--no-verify":
            by_agent(repo).git("commit", "-q", "--no-verify", "-m", "x")
        else:
            by_agent(repo).git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "x")


@pytest.mark.parametrize(("added", "status", "code"), [("sneaky.py", 4, "E_NO_EVIDENCE"), (BASELINE, 1, REFUSED)])
def test_b17_what_a_later_hook_adds_is_in_no_evidence(repo: RepoBuilder, added: str, status: int, code: str) -> None:
    (hooks_of(repo) / "commit-msg").unlink()
    later = f"echo '# x' >> {added}\ngit add {added}\n"
    write_script(hooks_of(repo) / "pre-commit", f'git-agentgate hook pre-commit "$@" || exit\n{later}')
    repo.write({"orders.py": "LIMIT = 4\n"})
    repo.git("add", "-A")
    judged = repo.git("write-tree")
    assert_passes(by_agent(repo), "commit", "-qm", "x")
    assert judged != repo.tree()
    assert "" == repo.git("for-each-ref", "refs/notes")
    done = repo.run("git", "agentgate", "verify", "HEAD")
    assert (status, code) == (done.returncode, done.stdout.decode().split()[0])


def test_b17_the_commit_msg_hook_looks_again(repo: RepoBuilder) -> None:
    later = f"echo '# x' >> {BASELINE}\ngit add {BASELINE}\n"
    write_script(hooks_of(repo) / "pre-commit", f'git-agentgate hook pre-commit "$@" || exit\n{later}')
    repo.write({"orders.py": "LIMIT = 4\n"})
    repo.git("add", "-A")
    assert_refused(by_agent(repo), "commit", "-m", "x")
