"""The one door to git: argv tuples, bytes in and out, a closed environment, never a shell.

Processes are started with posix_spawn directly: importing `subprocess` alone costs a commit hook more
than git itself does (docs/adr/0002-light-imports.md).
"""

from __future__ import annotations

import os
import select

from agentgate_git.model.failure import GitFailure, Undecided
from agentgate_git.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Argument = str | bytes

ALWAYS = (
    "--no-replace-objects",
    "--literal-pathspecs",
    "--no-optional-locks",
    "-c",
    "core.commitGraph=false",
    "-c",
    "core.multiPackIndex=false",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "advice.graftFileDeprecated=false",
)
ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
# What git tells its hooks about the repository they run for; every other GIT_* variable is dropped.
HOOK_VARIABLES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    ALTERNATES,
    "GIT_QUARANTINE_PATH",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
)
_FIXED = {
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}
_CHUNK = 1 << 16


class Answer(Record):
    """What one git process said."""

    status: int
    stdout: bytes
    stderr: bytes


def scrubbed(inherited: Mapping[str, str], keep: tuple[str, ...] = ()) -> dict[str, str]:
    """The environment for any child that is not our own git: no GIT_* variable but those named."""
    kept = {name: value for name, value in inherited.items() if name in keep or not name.startswith("GIT_")}
    for index in range(_config_count(inherited) if "GIT_CONFIG_COUNT" in keep else 0):
        for name in (f"GIT_CONFIG_KEY_{index}", f"GIT_CONFIG_VALUE_{index}"):
            kept[name] = inherited.get(name, "")
    return kept


def _config_count(inherited: Mapping[str, str]) -> int:
    count = inherited.get("GIT_CONFIG_COUNT", "0")
    return int(count) if count.isascii() and count.isdigit() else 0


class Git:
    """git, run in one repository with one environment."""

    def __init__(self, directory: str, environment: dict[str, str]) -> None:
        self.directory = directory
        self.environment = environment

    @classmethod
    def in_repository(cls, directory: str, inherited: Mapping[str, str]) -> Git:
        """The developer's own repository, as git or a hook runner handed it to us."""
        return cls(directory, {**scrubbed(inherited, HOOK_VARIABLES), **_FIXED})

    @classmethod
    def in_clean_room(cls, git_dir: str, stores: str, inherited: Mapping[str, str]) -> Git:
        """A bare repository of ours over somebody's objects: none of their configuration is read.

        `stores` are the object stores to read from, as git's variable for alternates holds them.
        """
        environment = {
            **scrubbed(inherited),
            **_FIXED,
            "GIT_DIR": git_dir,
            ALTERNATES: stores,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_ATTR_NOSYSTEM": "1",
        }
        return cls(git_dir, environment)

    def argv(self, args: tuple[Argument, ...]) -> list[Argument]:
        """The whole command line of one call."""
        return ["git", "-C", self.directory, *ALWAYS, *args]

    def run(self, *args: Argument, stdin: bytes = b"", extra: Mapping[str, str] | None = None) -> bytes:
        """stdout of one git command; GitFailure when it ends with another status than 0."""
        answer = self.try_run(*args, stdin=stdin, extra=extra)
        if answer.status != 0:
            raise failure_of(args, answer.status, answer.stderr)
        return answer.stdout

    def text(self, *args: Argument, stdin: bytes = b"", extra: Mapping[str, str] | None = None) -> str:
        """`run`, decoded, without the last newline."""
        return os.fsdecode(self.run(*args, stdin=stdin, extra=extra)).removesuffix("\n")

    def try_run(self, *args: Argument, stdin: bytes = b"", extra: Mapping[str, str] | None = None) -> Answer:
        """Run to the end and report the status, whatever it is."""
        return finish(self.start(*args, extra=extra, has_input=bool(stdin)), stdin)

    def stream(self, *args: Argument) -> Iterator[bytes]:
        """stdout of one git command as it comes, cut anywhere; GitFailure at its end for another status than 0."""
        process = self.start(*args, has_input=False)
        is_whole = False
        try:
            while chunk := os.read(process.stdout, _CHUNK):
                yield chunk
            is_whole = True
        finally:
            errors = _rest_of(process.stderr) if is_whole else b""
            status = process.wait()
        if status != 0:
            raise failure_of(args, status, errors)

    def start(
        self, *args: Argument, extra: Mapping[str, str] | None = None, has_input: bool = True, has_errors: bool = True
    ) -> Process:
        """Start a git that is talked to over pipes; the caller ends it with `wait`."""
        environment = {**self.environment, **extra} if extra else self.environment
        return spawn(self.argv(args), environment, has_input, has_errors)


class Process:
    """A running child: descriptors are -1 where there is no pipe."""

    def __init__(self, pid: int, stdin: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr

    def tell(self, data: bytes) -> None:
        """Write to its stdin; Undecided when it has ended, which must not look like a reader of ours that went away."""
        try:
            os.write(self.stdin, data)
        except BrokenPipeError:
            raise Undecided("git ended before it was asked", "run `git fsck`") from None

    def close(self) -> None:
        """Close our ends of the pipes."""
        for descriptor in (self.stdin, self.stdout, self.stderr):
            if descriptor >= 0:
                os.close(descriptor)
        self.stdin = self.stdout = self.stderr = -1

    def wait(self) -> int:
        """Close the pipes, reap the child, give its exit status (negative for a signal)."""
        self.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def spawn(argv: list[Argument], environment: Mapping[str, str], has_input: bool, has_errors: bool) -> Process:
    """Start argv[0] from PATH with pipes on stdout and, where wanted, stdin and stderr."""
    out_read, out_write = os.pipe()
    in_read, in_write = os.pipe() if has_input else (os.open(os.devnull, os.O_RDONLY), -1)
    err_read, err_write = os.pipe() if has_errors else (-1, os.open(os.devnull, os.O_WRONLY))
    actions = [
        (os.POSIX_SPAWN_DUP2, in_read, 0),
        (os.POSIX_SPAWN_DUP2, out_write, 1),
        (os.POSIX_SPAWN_DUP2, err_write, 2),
    ]
    try:
        pid = os.posix_spawnp(argv[0], argv, environment, file_actions=actions, setsigdef=(13,))  # SIGPIPE
    except OSError as error:
        for descriptor in (out_read, in_write, err_read):
            if descriptor >= 0:
                os.close(descriptor)
        raise Undecided(
            f"{os.fsdecode(argv[0])} cannot be started ({error.strerror})", "install git 2.38 or newer"
        ) from error
    finally:
        for descriptor in (in_read, out_write, err_write):
            os.close(descriptor)
    return Process(pid, in_write, out_read, err_read)


def finish(process: Process, stdin: bytes = b"") -> Answer:
    """Feed a started process its input, take all that it says, and reap it."""
    stdout, stderr = _exchange(process, stdin)
    return Answer(process.wait(), stdout, stderr)


def failure_of(args: tuple[Argument, ...], status: int, stderr: bytes) -> GitFailure:
    """The exception that tells of an answer with an unwanted status."""
    return GitFailure(tuple(os.fsdecode(arg) for arg in args), status, stderr.decode("utf-8", "replace"))


def _rest_of(descriptor: int) -> bytes:
    parts = []
    while chunk := os.read(descriptor, _CHUNK):
        parts.append(chunk)
    return b"".join(parts)


def _exchange(process: Process, data: bytes) -> tuple[bytes, bytes]:
    """Feed stdin and drain stdout and stderr together, so that no side can block the other."""
    received: dict[int, list[bytes]] = {process.stdout: [], process.stderr: []}
    poll = select.poll()
    for descriptor in received:
        poll.register(descriptor, select.POLLIN)
    rest = memoryview(data)
    if process.stdin >= 0:
        os.set_blocking(process.stdin, False)
        poll.register(process.stdin, select.POLLOUT)
    stdout, stderr = received[process.stdout], received[process.stderr]
    waiting = 2
    while waiting:
        for descriptor, _event in poll.poll():
            if descriptor == process.stdin:
                rest = _feed(process, rest)
                if process.stdin < 0:
                    poll.unregister(descriptor)
                continue
            chunk = os.read(descriptor, _CHUNK)
            received[descriptor].append(chunk)
            if not chunk:
                poll.unregister(descriptor)
                waiting -= 1
    return b"".join(stdout), b"".join(stderr)


def _feed(process: Process, rest: memoryview) -> memoryview:
    """Write what fits; close stdin at the end or when the child stopped reading."""
    try:
        rest = rest[os.write(process.stdin, rest[:_CHUNK]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        rest = rest[len(rest) :]
    if not rest:
        os.close(process.stdin)
        process.stdin = -1
    return rest
