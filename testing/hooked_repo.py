"""Repositories with hooks in them, and the programs that hooks meet."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from agentgate_git.flows.clone.hook_files import shim_text
from agentgate_git.flows.install import install
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder

PROJECT = Path(__file__).resolve().parent.parent
TOOLS = Path(sys.executable).parent
AGENT = {"GIT_AUTHOR_NAME": "Claude", "GIT_AUTHOR_EMAIL": "noreply@anthropic.com"}
AGENT_TRAILER = "Co-Authored-By: Claude <noreply@anthropic.com>"
AGENT_SESSION = {"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1"}
BASELINE = "entropy.baseline.yaml"
MANIFEST = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  tz: UTC\n  rng_seed: 7\n"
REFUSED = "E_GUARDED_PATH"


def git_of(repo: RepoBuilder) -> Git:
    """The door to a repository, with the environment of its developer."""
    return Git.in_repository(str(repo.path), repo.environment)


def with_tools(repo: RepoBuilder) -> RepoBuilder:
    """Put git-agentgate and pre-commit of this environment on the developer's PATH."""
    repo.environment["PATH"] = os.pathsep.join((str(TOOLS), repo.environment["PATH"]))
    return repo


def path_of_programs(directory: Path, *names: str) -> str:
    """A PATH that holds the named programs and no others."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in names:
        found = shutil.which(name, path=os.pathsep.join((str(TOOLS), os.environ["PATH"])))
        assert found, f"{name} is needed for the tests"
        (directory / name).symlink_to(found)
    return str(directory)


def write_script(path: Path, body: str, *, interpreter: str = "/bin/sh") -> Path:
    """An executable script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{interpreter}\n{body}")
    path.chmod(0o755)
    return path


def recorder(path: Path, log: Path, *, status: int = 0, reads: bool = True) -> Path:
    """A program that writes down its name, its arguments and its stdin, and ends with `status`.

    Each call adds `<name>|<arg>|…` and a newline to `log` and puts stdin into `<log>.<name>`.
    """
    body = f'{{ printf "%s" "${{0##*/}}"; printf "|%s" "$@"; echo; }} >> "{log}"\n'
    if reads:
        body += f'cat > "{log}.${{0##*/}}"\n'
    return write_script(path, f"{body}exit {status}\n")


def calls(log: Path) -> list[str]:
    """What recorders wrote down, in order."""
    return log.read_text(errors="surrogateescape").splitlines() if log.exists() else []


def put_shim(directory: Path, stage: str, program: str = "") -> Path:
    """The shim of a stage as `install` would write it."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / stage
    path.write_bytes(shim_text(stage, program))
    path.chmod(0o755)
    return path


def hooks_of(repo: RepoBuilder) -> Path:
    """The default hooks directory."""
    directory = repo.path / ".git" / "hooks"
    directory.mkdir(exist_ok=True)
    return directory


def snapshot_of(repo: RepoBuilder) -> dict[str, tuple[int, bytes]]:
    """Mode and bytes of the configuration and of everything in the hooks directory but git's samples."""
    files = [repo.path / ".git" / "config", *sorted(hooks_of(repo).iterdir())]
    return {
        path.name: (stat.S_IMODE(path.lstat().st_mode), path.read_bytes()) for path in files if path.suffix != ".sample"
    }


def with_environment(repo: RepoBuilder, more: Mapping[str, str]) -> RepoBuilder:
    """The same repository, and a developer with more variables."""
    return RepoBuilder(repo.path, {**repo.environment, **more})


def by_agent(repo: RepoBuilder) -> RepoBuilder:
    """The same repository, and commits that name an agent as their author."""
    return with_environment(repo, AGENT)


def guarded_repo(path: Path, home: Path, *, object_format: str = "sha1") -> RepoBuilder:
    """A repository whose first commit holds a manifest, a baseline and a module."""
    repo = with_tools(RepoBuilder.create(path, home, object_format=object_format))
    repo.commit({"entropy.yaml": MANIFEST, BASELINE: MANIFEST, "orders.py": "LIMIT = 3\n"}, "first")
    return repo


def with_remote(repo: RepoBuilder, name: str = "origin") -> RepoBuilder:
    """Give the repository an empty bare remote; the remote."""
    object_format = repo.git("rev-parse", "--show-object-format")
    remote = RepoBuilder.create(
        repo.path.parent / f"{repo.path.name}-{name}.git",
        Path(repo.environment["HOME"]),
        object_format=object_format,
        bare=True,
    )
    repo.git("remote", "add", name, str(remote.path))
    return remote


# What one may do to a guarded file; each stages its change.
def _delete(repo: RepoBuilder) -> None:
    repo.git("rm", "-q", BASELINE)


def _rename(repo: RepoBuilder) -> None:
    repo.git("mv", BASELINE, "other.yaml")


def _link(repo: RepoBuilder) -> None:
    (repo.path / BASELINE).unlink()
    (repo.path / BASELINE).symlink_to("entropy.yaml")
    repo.git("add", BASELINE)


def _make_executable(repo: RepoBuilder) -> None:
    (repo.path / BASELINE).chmod(0o755)
    repo.git("add", BASELINE)


def _edit(repo: RepoBuilder) -> None:
    repo.write({BASELINE: MANIFEST.replace("7", "8")})
    repo.git("add", BASELINE)


DEEDS = {
    "deleted": _delete,
    "renamed": _rename,
    "symlinked": _link,
    "mode-changed": _make_executable,
    "edited": _edit,
}


def install_native(repo: RepoBuilder) -> RepoBuilder:
    """Every native hook of ours."""
    install(git_of(repo), str(TOOLS / "git-agentgate"), is_native=True)
    return repo


def assert_refused(repo: RepoBuilder, *argv: str, code: str = REFUSED) -> str:
    """Run a git command that a hook must refuse with exit 1 and the code, and that must move no ref; its messages."""
    before = repo.git("for-each-ref")
    done = repo.run("git", *argv)
    said = os.fsdecode(done.stdout + done.stderr)
    assert done.returncode == 1, said
    assert code in said, said
    assert before == repo.git("for-each-ref")
    return said


def assert_passes(repo: RepoBuilder, *argv: str) -> str:
    """Run a git command that no hook may refuse; its messages."""
    done = repo.run("git", *argv)
    said = os.fsdecode(done.stdout + done.stderr)
    assert done.returncode == 0, said
    return said
