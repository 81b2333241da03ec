"""Real repositories for tests, built quickly and the same way every time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

DATE = "2026-01-01T00:00:00+00:00"


def hermetic_environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a developer with an empty home and no git configuration of their own.

    pytest loads none of the plugins that happen to be installed here (`with_plugins` lets it), which is half of its
    start. Its temporary folders lie in the home: in the one that all sessions of a user share it also clears away what
    other sessions left behind, which takes minutes where they were large.
    """
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TMPDIR") if name in os.environ}
    identity = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", "Pat Example"), ("EMAIL", "pat@example.org"), ("DATE", DATE))
    }
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C.UTF-8",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_DEBUG_TEMPROOT": str(home),
        **identity,
        **more,
    }


def with_plugins(environment: Mapping[str, str]) -> dict[str, str]:
    """The same environment, in which pytest loads whatever plugins are installed."""
    return {name: value for name, value in environment.items() if name != "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}


def quoted(path: str) -> bytes:
    """A path as git's fast-import takes it, whatever bytes it has."""
    plain = frozenset(range(32, 256)) - frozenset(b'"\\')
    return b'"%s"' % b"".join(bytes((byte,)) if byte in plain else b"\\%03o" % byte for byte in os.fsencode(path))


class RepoBuilder:
    """One repository and the developer who works in it; `python` is who runs its tests where a test names no other."""

    python = sys.executable

    def __init__(self, path: Path, environment: Mapping[str, str]) -> None:
        self.path = path
        self.environment = dict(environment)

    @classmethod
    def create(cls, path: Path, home: Path, *, object_format: str = "sha1", bare: bool = False) -> Self:
        """An empty repository on branch `main`; files that lie there already are left untracked."""
        home.mkdir(parents=True, exist_ok=True)
        builder = cls(path, hermetic_environment(home))
        path.mkdir(parents=True, exist_ok=True)
        options = ["--bare"] if bare else []
        builder.git("init", "-q", "-b", "main", f"--object-format={object_format}", *options)
        return builder

    def git(self, *args: str | bytes, stdin: bytes | None = None, check: bool = True, **env: str) -> str:
        """stdout of a git command, surrogateescape text without the last newline."""
        done = self.run("git", *args, stdin=stdin, **env)
        if check and done.returncode != 0:
            raise AssertionError(f"git {args!r} ended with {done.returncode}:\n{os.fsdecode(done.stderr)}")
        return os.fsdecode(done.stdout).removesuffix("\n")

    def run(self, *argv: str | bytes, stdin: bytes | None = None, **env: str) -> subprocess.CompletedProcess[bytes]:
        """Run any program in the repository."""
        return subprocess.run(
            argv, cwd=self.path, env={**self.environment, **env}, input=stdin, capture_output=True, check=False
        )

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files by path; None deletes one."""
        for name, content in files.items():
            target = self.path / name
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, str | bytes | None] | None = None, message: str = "change", **env: str) -> str:
        """Write files, stage everything, commit without hooks; the commit's id."""
        self.write(files or {})
        self.git("add", "-A")
        options = ("-q", "--no-verify", "--allow-empty")
        self.git("-c", "maintenance.auto=false", "commit", *options, "-m", message, **env)
        return self._head()

    def _head(self) -> str:
        """The commit just made; read from the files where they lie as they mostly do: thousands of commits are made."""
        place = self.path / ".git"
        if not place.is_dir():
            return self.git("rev-parse", "HEAD")
        head = (place / "HEAD").read_text().strip()
        return (place / head[5:]).read_text().strip() if head.startswith("ref: ") else head

    def commit_as_agent(self, files: Mapping[str, str | bytes | None], message: str = "agent change") -> str:
        """A commit that carries an agent's exact mark."""
        return self.commit(files, f"{message}\n\nCo-Authored-By: Claude <noreply@anthropic.com>")

    def tree(self, rev: str = "HEAD") -> str:
        """The tree id of a revision."""
        return self.git("rev-parse", f"{rev}^{{tree}}")
