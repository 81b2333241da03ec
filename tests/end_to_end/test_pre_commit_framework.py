"""Real commits and pushes with pre-commit, which builds its environment from a clone of this very project."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from agentgate_git.flows.clone.hook_files import find_hooks, our_file
from testing.hooked_repo import (
    AGENT,
    AGENT_SESSION,
    AGENT_TRAILER,
    BASELINE,
    DEEDS,
    MANIFEST,
    PROJECT,
    REFUSED,
    assert_passes,
    assert_refused,
    by_agent,
    calls,
    git_of,
    guarded_repo,
    with_environment,
    with_remote,
    with_tools,
    write_script,
)
from testing.repo_builder import RepoBuilder, hermetic_environment

pytestmark = pytest.mark.slow

TYPES = "default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg, pre-push]\n"
IDS = ("agentgate-pre-commit", "agentgate-commit-msg", "agentgate-pre-push")
# What pip needs to find packages where the tests run.
_PASSED_ON = ("PIP_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")


class Framework:
    """This project as pre-commit sees it, and the home in which pre-commit keeps what it built from it."""

    def __init__(self, directory: Path) -> None:
        self.project = RepoBuilder.create(directory / "project", directory / "home")
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=PROJECT,
            capture_output=True,
            check=True,
        )
        names = [name for name in os.fsdecode(listed.stdout).split("\0") if name]
        self.project.write({name: (PROJECT / name).read_bytes() for name in names if (PROJECT / name).is_file()})
        self.rev = self.project.commit()
        kept = {name: value for name, value in os.environ.items() if name.upper().startswith(_PASSED_ON)}
        cache = {"PIP_CACHE_DIR": str(directory / "pip"), "PRE_COMMIT_HOME": str(directory / "pre-commit")}
        self.environment = {**cache, **kept}
        self.home = Path(self.environment["PRE_COMMIT_HOME"])

    def config(self, *ids: str, more: str = "") -> str:
        """A configuration with our ids, each with the further options `more`."""
        hooks = "".join(f"  - id: {name}\n{more}" for name in ids or IDS)
        return f"{TYPES}repos:\n- repo: {self.project.path}\n  rev: {self.rev}\n  hooks:\n{hooks}"

    def guard(self, path: Path, home: Path, config: str = "") -> RepoBuilder:
        """A repository with a baseline, the configuration, and pre-commit installed."""
        repo = with_environment(guarded_repo(path, home), self.environment)
        repo.commit({".pre-commit-config.yaml": config or self.config()})
        self.install(repo)
        return repo

    def install(self, repo: RepoBuilder) -> None:
        done = repo.run("pre-commit", "install", "--install-hooks")
        assert 0 == done.returncode, done.stdout


@pytest.fixture(scope="session")
def framework(tmp_path_factory: pytest.TempPathFactory) -> Framework:
    return Framework(tmp_path_factory.mktemp("framework"))


@pytest.fixture(scope="session")
def guarded_once(framework: Framework, tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    directory = tmp_path_factory.mktemp("guarded")
    return framework.guard(directory / "repo", directory / "home")


@pytest.fixture
def repo(guarded_once: RepoBuilder, framework: Framework, tmp_path: Path, home: Path) -> RepoBuilder:
    """The same repository once more, and a developer with a home of their own."""
    home.mkdir()
    shutil.copytree(guarded_once.path, tmp_path / "repo", symlinks=True)
    copy = with_tools(RepoBuilder(tmp_path / "repo", hermetic_environment(home)))
    return with_environment(copy, framework.environment)


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("mark", ["author", "trailer"])
def test_agent_work_on_the_baseline_is_refused(repo: RepoBuilder, deed: str, mark: str) -> None:
    DEEDS[deed](repo)
    message = f"change\n\n{AGENT_TRAILER}" if mark == "trailer" else "change"
    marks = AGENT if mark == "author" else {}
    said = assert_refused(with_environment(repo, marks), "commit", "-m", message)
    assert BASELINE in said
    stage = "agentgate-pre-commit" if mark == "author" else "agentgate-commit-msg"
    assert f"- hook id: {stage}" in said


def test_an_agent_s_session_is_refused(repo: RepoBuilder) -> None:
    DEEDS["deleted"](repo)
    assert_refused(with_environment(repo, AGENT_SESSION), "commit", "-m", "x")


@pytest.mark.parametrize("way", ["-a", "-o"])
def test_b01_the_index_that_git_names_is_judged(repo: RepoBuilder, way: str) -> None:
    repo.write({BASELINE: MANIFEST.replace("7", "8")})
    paths = [BASELINE] if way == "-o" else []
    assert_refused(by_agent(repo), "commit", way, "-m", "x", *paths)


def test_b02_a_linked_work_tree(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "-b", "wt")
    tree = RepoBuilder(tmp_path / "wt", repo.environment)
    DEEDS["renamed"](tree)
    assert_refused(by_agent(tree), "commit", "-m", "x")
    assert "" == repo.git("status", "--porcelain")


def test_inside_a_submodule(framework: Framework, repo: RepoBuilder, tmp_path: Path, home: Path) -> None:
    outer = with_environment(guarded_repo(tmp_path / "outer", home), framework.environment)
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.path), "sub")
    inner = RepoBuilder(outer.path / "sub", outer.environment)
    framework.install(inner)
    DEEDS["symlinked"](inner)
    assert_refused(by_agent(inner), "commit", "-m", "x")
    inner.git("reset", "-q", "--hard")
    inner.write({"orders.py": "LIMIT = 4\n"})
    assert_passes(by_agent(inner), "commit", "-qam", "x")


def test_honest_work_passes(repo: RepoBuilder) -> None:
    # No name here that is not UTF-8: pre-commit itself stops at one.
    repo.write({f"src/{name}": "x = 1\n" for name in ("sp ace.py", "new\nline.py", "tě.py", "-dash.py", "[g]lob*.py")})
    below = by_agent(RepoBuilder(repo.path / "src", repo.environment))
    below.git("add", ".")
    assert_passes(below, "commit", "-qm", "odd names")
    repo.git("rm", "-rq", "src")
    assert_passes(by_agent(repo), "commit", "-qm", "only deletions")


def test_b03_a_commit_that_only_deletes(repo: RepoBuilder) -> None:
    repo.git("rm", "-q", BASELINE)
    assert "no files to check" not in assert_refused(by_agent(repo), "commit", "-m", "drop baseline")


def test_b04_many_files_are_judged_in_one_call(framework: Framework, tmp_path: Path, home: Path) -> None:
    log = tmp_path / "log"
    counted = shlex.quote(f'echo "$#" >> {log}; exec git-agentgate hook pre-commit "$@"')
    config = framework.config("agentgate-pre-commit", more=f"    entry: sh -c {counted} --\n")
    repo = framework.guard(tmp_path / "repo", home, config)
    repo.write({f"data/{'x' * 90}{number:05}.txt": "1\n" for number in range(4000)})
    repo.git("add", "-A")
    assert_passes(repo, "commit", "-qm", "many")
    assert ["0"] == calls(log)


def test_b04_parallel_calls_with_file_names_agree(framework: Framework, tmp_path: Path, home: Path) -> None:
    more = "    pass_filenames: true\n    require_serial: false\n"
    repo = framework.guard(tmp_path / "repo", home, framework.config("agentgate-pre-commit", more=more))
    repo.write({f"data/{'x' * 90}{number:05}.txt": "1\n" for number in range(3000)})
    repo.git("add", "-A")
    DEEDS["edited"](repo)
    assert assert_refused(by_agent(repo), "commit", "-m", "many").count(f"{REFUSED} ") > 1
    repo.git("checkout", "-q", "HEAD", "--", BASELINE)
    assert_passes(by_agent(repo), "commit", "-qm", "many")


def test_a_merge(repo: RepoBuilder) -> None:
    repo.git("checkout", "-q", "-b", "agent")
    by_agent(repo).commit({BASELINE: MANIFEST.replace("7", "8")})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "x = 1\n"})
    assert_refused(repo, "merge", "--no-edit", "agent")
    assert_refused(repo, "commit", "-m", "finish the merge")


def test_b05_a_push_under_pre_commit_is_said_to_be_covered_in_part(repo: RepoBuilder) -> None:
    remote = with_remote(repo)
    repo.git("push", "-q", "--no-verify", "origin", "main")
    for name, files in (("good", {"a.py": "x = 1\n"}), ("bad", {BASELINE: MANIFEST.replace("7", "8")})):
        repo.git("checkout", "-q", "-b", name, "main")
        by_agent(repo).commit(files)
    assert "partial coverage" in assert_refused(repo, "push", "origin", "bad")
    # The hole that the native hook closes: pre-commit hands over the first ref only. It is named, not hidden.
    said = assert_passes(repo, "push", "origin", "good", "bad")
    assert (True, True) == ("partial coverage" in said, REFUSED in said)
    heads = remote.git("for-each-ref", "--format=%(refname)").splitlines()
    assert ["refs/heads/bad", "refs/heads/good", "refs/heads/main"] == heads


def test_b14_skip_is_seen_in_the_range(repo: RepoBuilder) -> None:
    DEEDS["edited"](repo)
    assert_passes(with_environment(by_agent(repo), {"SKIP": ",".join(IDS)}), "commit", "-qm", "x")
    done = repo.run("git", "agentgate", "check", "HEAD")
    assert (1, True) == (done.returncode, REFUSED.encode() in done.stdout)


def test_b17_what_a_later_hook_adds(framework: Framework, tmp_path: Path, home: Path) -> None:
    sneaky = write_script(tmp_path / "sneaky", f"echo '# x' >> {BASELINE}\ngit add {BASELINE}\n")
    config = framework.config("agentgate-pre-commit") + (
        "- repo: local\n  hooks:\n  - id: sneaky\n    name: sneaky\n    language: system\n    always_run: true\n"
        f"    pass_filenames: false\n    stages: [pre-commit]\n    entry: {sneaky}\n"
    )
    repo = framework.guard(tmp_path / "repo", home, config)
    repo.write({"orders.py": "LIMIT = 4\n"})
    repo.git("add", "-A")
    assert_passes(by_agent(repo), "commit", "-qm", "x")
    assert [BASELINE, "orders.py"] == repo.git("diff", "--name-only", "HEAD~", "HEAD").splitlines()
    assert "" == repo.git("for-each-ref", "refs/notes")
    done = repo.run("git", "agentgate", "check", "HEAD")
    assert (1, True) == (done.returncode, REFUSED.encode() in done.stdout)


def test_the_wheel_ships_the_shims(framework: Framework, repo: RepoBuilder) -> None:
    (program,) = framework.home.glob("repo*/py_env-*/bin/git-agentgate")
    assert 0 == repo.run(str(program), "install").returncode
    hook = Path(our_file(find_hooks(git_of(repo)), "pre-push"))
    assert ("pre-push.legacy", True) == (hook.name, f"installed={program}\n" in hook.read_text())


def test_the_doctor_runs_by_hand(repo: RepoBuilder, framework: Framework) -> None:
    repo.write({".pre-commit-config.yaml": framework.config(*IDS, "agentgate-doctor")})
    repo.git("add", "-A")
    done = repo.run("pre-commit", "run", "--hook-stage", "manual", "agentgate-doctor")
    assert (1, True) == (done.returncode, b"cat_sort_uniq" in done.stdout)
    assert 0 == repo.run("git", "agentgate", "install").returncode
    done = repo.run("pre-commit", "run", "--hook-stage", "manual", "agentgate-doctor")
    assert 0 == done.returncode, done.stdout


def test_try_repo(framework: Framework, tmp_path: Path, home: Path) -> None:
    repo = by_agent(with_environment(guarded_repo(tmp_path / "repo", home), framework.environment))
    DEEDS["deleted"](repo)
    done = repo.run("pre-commit", "try-repo", str(framework.project.path), "agentgate-pre-commit")
    assert (1, True) == (done.returncode, REFUSED.encode() in done.stdout), done.stdout
