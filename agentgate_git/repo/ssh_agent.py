"""A key of SSH that signs bytes as they are, through an agent (draft-ietf-sshm-ssh-agent).

`ssh-keygen -Y` always signs a wrapped digest. Only an agent gives out the bare signature that other tools check.
"""

from __future__ import annotations

import base64
import os
import signal
import socket
import tempfile
import time
from contextlib import ExitStack, suppress

from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.repo.process import Process, finish, scrubbed, spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

_LIST, _LISTED = 11, 12
_SIGN, _SIGNED = 13, 14
_RSA_SHA256 = 2
_LIFETIME = "300"  # seconds, should we be killed before we end our agent
_PATIENCE = 5.0
_LONGEST = 1 << 20


class AgentKey:
    """A context manager over one key; `public_key` is its blob.

    `key` is a private key file, for which an agent of our own is started, or a public one whose key the user's agent
    holds. UsageFailure when it cannot be used.
    """

    def __init__(self, key: str, environ: Mapping[str, str]) -> None:
        self._key = key
        self._environ = {**scrubbed(environ), "LC_ALL": "C"}
        self._stack = ExitStack()
        self.public_key = b""

    def __enter__(self) -> AgentKey:
        try:
            with open(self._key, "rb") as file:
                text = file.read(_LONGEST)
        except OSError as error:
            raise UsageFailure(
                f"{self._key} cannot be read ({error.strerror})", "name another key with --key"
            ) from None
        with ExitStack() as stack:
            self._socket = stack.enter_context(socket.socket(socket.AF_UNIX))
            self._socket.settimeout(60)
            if b"PRIVATE KEY" in text.partition(b"\n")[0]:
                self._connect(stack.enter_context(_OwnAgent(self._key, self._environ)).path)
                self.public_key = self._only_key()
            else:
                self._connect(self._environ.get("SSH_AUTH_SOCK", ""))
                self.public_key = self._blob(text)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def sign(self, data: bytes) -> bytes:
        """The blob of a signature over these bytes, an algorithm's name and what it made; RSA with SHA-256."""
        answer = self._ask(bytes([_SIGN]) + _string(self.public_key) + _string(data) + _RSA_SHA256.to_bytes(4, "big"))
        if answer[:1] != bytes([_SIGNED]):
            raise UsageFailure(
                f"the agent does not sign with {self._key}", "run `ssh-add` with it, or name another key"
            )
        return _strings(answer[1:], 1)[0]

    def _connect(self, path: str) -> None:
        try:
            self._socket.connect(path)
        except OSError as error:
            step = "give the private key with --key, or start ssh-agent and run `ssh-add`"
            raise UsageFailure(f"no agent of SSH answers ({error.strerror or error})", step) from None

    def _blob(self, text: bytes) -> bytes:
        words = text.split()
        try:
            return base64.b64decode(words[1], validate=True)
        except (IndexError, ValueError):
            raise UsageFailure(f"{self._key} is no key of SSH", "name another key with --key") from None

    def _only_key(self) -> bytes:
        """The first that our own agent holds and that is no certificate."""
        answer = self._ask(bytes([_LIST]))
        count = int.from_bytes(answer[1:5], "big") if answer[:1] == bytes([_LISTED]) else 0
        for blob in _strings(answer[5:], 2 * min(count, 4))[::2]:
            if b"-cert-" not in _strings(blob, 1)[0]:
                return blob
        raise UsageFailure(f"the agent did not take {self._key}", "name another key with --key")

    def _ask(self, message: bytes) -> bytes:
        try:
            self._socket.sendall(_string(message))
            size = int.from_bytes(self._take(4), "big")
            return self._take(min(size, _LONGEST))
        except OSError as error:
            raise Undecided(f"the agent of SSH went away ({error.strerror or error})", "run it again") from error

    def _take(self, count: int) -> bytes:
        taken = b""
        while len(taken) < count:
            piece = self._socket.recv(count - len(taken))
            if not piece:
                raise OSError("it closed the connection")
            taken += piece
        return taken


class _OwnAgent:
    """An agent that holds one key and is gone afterwards."""

    def __init__(self, key: str, environment: Mapping[str, str]) -> None:
        self._key = key
        self._environment = environment
        self._stack = ExitStack()
        self.path = ""

    def __enter__(self) -> _OwnAgent:
        with ExitStack() as stack:
            directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="agentgate-agent-"))
            self.path = os.path.join(directory, "agent")
            agent = _started(["ssh-agent", "-D", "-a", self.path], self._environment)
            stack.callback(_end, agent)
            _await(self.path)
            add = _started(
                ["ssh-add", "-q", "-t", _LIFETIME, self._key], {**self._environment, "SSH_AUTH_SOCK": self.path}
            )
            answer = finish(add)
            if answer.status != 0:
                last = answer.stderr.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
                raise UsageFailure(f"ssh-add did not take {self._key} ({last})", "name another key with --key")
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


def _started(argv: list[str], environment: Mapping[str, str]) -> Process:
    try:
        return spawn([*argv], environment, False, True)
    except Undecided as failure:
        raise Undecided(f"nothing can be signed: there is no {argv[0]}", "install OpenSSH") from failure


def _end(agent: Process) -> None:
    with suppress(ProcessLookupError):
        os.kill(agent.pid, signal.SIGTERM)
    agent.wait()


def _await(path: str) -> None:
    """Until the agent answers, which is a moment after its socket is there."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(path) == 0:
                return
        if time.monotonic() > deadline:
            raise Undecided("ssh-agent did not start", "see whether `ssh-agent -D` does, then run it again")
        time.sleep(0.005)


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _strings(data: bytes, count: int) -> list[bytes]:
    """The first fields of some bytes; an empty one for each that is cut short."""
    found, at = [], 0
    for _ in range(count):
        size = int.from_bytes(data[at : at + 4], "big")
        found.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return found
