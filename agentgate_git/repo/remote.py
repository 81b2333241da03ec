"""Fetching and pushing: the only place where git may use the network.

GitPython runs the transfer and reads its progress; it decides nothing. Where it cannot open the repository the same
command goes through the door. Neither lets hooks run, uses a configured refspec, or forces.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import IO, TYPE_CHECKING

from agentgate_git.model.failure import Undecided, UsageFailure, reason_of
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.model.record import Record
from agentgate_git.model.transfer import Progress
from agentgate_git.repo.process import Answer, Git
from agentgate_git.repo.refs import git_dir

if TYPE_CHECKING:
    import git as gitpython

# What a user sets to reach a server; everything else stays out, as for any other git of ours.
NETWORK_VARIABLES = (
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "GIT_HTTP_USER_AGENT",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_SSL_CERT",
    "GIT_SSL_KEY",
    "GIT_SSL_NO_VERIFY",
)
# GitPython's children inherit the whole environment of this process, and it cannot take anything out of it. Where one
# of these is set, which the door drops and which would steer the transfer, the door does it.
_STEERING = (
    "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_ALLOW_PROTOCOL",
    "GIT_IMPLICIT_WORK_TREE",
)
_STAGES = {4: "counting", 8: "compressing", 16: "writing", 32: "receiving", 64: "resolving", 128: "finding sources"}
_DONE_FLAGS = frozenset(" *=")
_REFUSED = "remote: agentgate: refused: "


class PushStatus(Record):
    """What became of one ref: git's flag (` ` moved, `*` new, `=` there already, `!` refused) and its reason."""

    ref: str
    flag: str
    reason: str

    def is_done(self) -> bool:
        """True when the remote holds what was pushed; every other flag is a refusal, known or not."""
        return self.flag in _DONE_FLAGS


class Remote:
    """A configured remote. `inherited` is the environment of this process, `progress` is told how far it is."""

    def __init__(
        self, git: Git, name: str, inherited: Mapping[str, str], progress: Callable[[Progress], None] | None = None
    ) -> None:
        kept = {key: value for key, value in git.environment.items() if key != "GIT_ALLOW_PROTOCOL"}
        network = {key: inherited[key] for key in NETWORK_VARIABLES if key in inherited}
        self.name = name
        self._git = Git(git.directory, {**kept, **network})
        self._is_steered = any(key in inherited for key in _STEERING)
        self._progress = progress
        if name not in git.text("remote").split("\n"):
            raise UsageFailure(f"there is no remote {name!r}", "see `git remote`, or add it with `git remote add`")

    def fetch(self, refspec: str) -> bool:
        """Fetch by one refspec and no other; False when the remote was reached and a ref could not be moved."""
        # Without --refmap= git would also move what the configured refspecs name, and a forced one for notes
        # overwrites notes that were never published.
        options = (
            "--no-tags",
            "--no-prune",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
        )
        answer = self._transfer("fetch", "--progress", "--refmap=", *options, "--end-of-options", self.name, refspec)
        if answer.status == 0:
            return True
        self.refs(refspec.partition(":")[0])
        return False

    def refs(self, pattern: str) -> dict[str, Oid]:
        """The remote's refs that match a pattern; Undecided when the remote cannot be reached."""
        answer = self._git.try_run("ls-remote", "--refs", "--end-of-options", self.name, pattern)
        if answer.status != 0:
            raise Undecided(
                f"{self.name} cannot be read ({reason_of(answer.stderr.decode('utf-8', 'replace'))})",
                f"see that `git ls-remote {self.name}` works, then run it again",
            )
        rows = (row.split("\t", 1) for row in answer.stdout.decode("utf-8", "surrogateescape").splitlines())
        return {row[1]: row[0] for row in rows if len(row) == 2 and is_oid(row[0])}

    def push(self, wanted: Mapping[str, Oid]) -> tuple[PushStatus, ...]:
        """Push commits to refs, each on its own and never by force; a status for every one of them."""
        refspecs = [f"{oid}:{ref}" for ref, oid in wanted.items()]
        options = ("--porcelain", "--progress", "--no-verify", "--no-follow-tags", "--recurse-submodules=no")
        answer = self._transfer("push", *options, "--end-of-options", self.name, *refspecs)
        told = {status.ref: status for status in map(_status, answer.stdout.decode("utf-8", "replace").split("\n"))}
        missing = (
            reason_of(answer.stderr.decode("utf-8", "replace"))
            if answer.status
            else "git did not say what became of it"
        )
        found = (told.get(ref, PushStatus(ref, "", missing)) for ref in wanted)
        return tuple(status if status.is_done() else _with_reason(status, answer.stderr) for status in found)

    def _transfer(self, *args: str) -> Answer:
        mirror = f"remote.{self.name}.mirror=false"  # a mirror pushes everything and refuses refspecs
        whole = ("-c", "core.hooksPath=/dev/null", "-c", mirror, *args)
        repository = None if self._is_steered else _open(self._git)
        if repository is None:
            return self._git.try_run(*whole)
        try:
            return _run_with_progress(repository, self._git, whole, self._progress)
        finally:
            repository.close()


def _status(row: str) -> PushStatus:
    """A line of `push --porcelain`: flag, tab, from:to, tab, summary; other lines give a status of no ref."""
    fields = row.split("\t", 2)
    if len(fields) != 3 or len(fields[0]) != 1:
        return PushStatus("", "", "")
    return PushStatus(fields[1].partition(":")[2], fields[0], fields[2])


def _with_reason(status: PushStatus, stderr: bytes) -> PushStatus:
    """A refusal with what a server that runs our hook says about its ref."""
    lines = (line.strip() for line in stderr.decode("utf-8", "replace").splitlines())
    said = next((line for line in lines if line.startswith(f"{_REFUSED}{status.ref}:")), "")
    return status._replace(reason=f"{status.reason}; {said.removeprefix(_REFUSED)}") if said else status


def _open(git: Git) -> gitpython.Repo | None:
    """The repository as GitPython sees it; None where it cannot, and the door has to do."""
    try:
        import git as gitpython  # noqa: PLC0415 - one of the two named places: its import takes 0.1 s
    except ImportError:  # also when it finds no git to start
        return None
    try:
        return gitpython.Repo(git_dir(git), expand_vars=False)
    except (gitpython.exc.GitError, OSError, ValueError):
        return None


def _run_with_progress(
    repository: gitpython.Repo, git: Git, args: tuple[str, ...], report: Callable[[Progress], None] | None
) -> Answer:
    import git as gitpython  # noqa: PLC0415 - as in _open

    class Reporter(gitpython.RemoteProgress):
        def update(self, op_code: int, cur_count: object, max_count: object = None, _message: str = "") -> None:
            if report is not None:
                stage = _STAGES.get(op_code & self.OP_MASK, "")
                report(Progress(stage, int(float(str(cur_count or 0))), int(float(str(max_count or 0)))))

    process = repository.git.execute(git.argv(args), as_process=True, env=git.environment)
    # stdout is a few lines and waits in its pipe. GitPython's own pumps lose the rest of a stream at the first byte
    # that is not UTF-8, and a server's hook may write any.
    child = process.proc
    assert child is not None
    assert child.stdout is not None
    assert child.stderr is not None
    stderr = _read_progress(child.stderr, Reporter().new_message_handler())
    stdout = child.stdout.read()
    try:
        return Answer(process.wait(), stdout, stderr)
    except gitpython.exc.GitCommandError as error:
        return Answer(error.status if isinstance(error.status, int) else 1, stdout, stderr)


def _read_progress(stream: IO[bytes], tell: Callable[[str], None]) -> bytes:
    """All of stderr; each line is told as it ends, by a carriage return or a newline."""
    whole = rest = b""
    while chunk := os.read(stream.fileno(), 1 << 16):
        whole += chunk
        *lines, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            tell(line.decode("utf-8", "replace"))
    return whole
