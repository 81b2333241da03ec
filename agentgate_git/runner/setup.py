"""The environment of sealed runs: made once for what locks it down, by commands of the base's policy.

A virtual environment in a folder that is named by a digest over all that went into it: the commands, the files that
they read, and the interpreter. The commands see these files and nothing else of the tree, so that no proposal can put
anything into an environment that another one will get.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256

from agentgate_git.model.failure import Undecided
from agentgate_git.model.record import Record
from agentgate_git.runner.box import Box
from agentgate_git.runner.boxed_process import BoxedProcess
from agentgate_git.runner.interpreter_paths import interpreter_paths

_DONE = "complete"
# What pip and its like need to find packages, beside PATH.
_KEPT = frozenset(("PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"))
_KEPT_BEGINNINGS = ("PIP_", "UV_")
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
# The virtual environment first, so that `python` and `pip` are its own in every command.
_SCRIPT = '"$0" -m venv "$1" && PATH="$1/bin:$PATH" && VIRTUAL_ENV="$1" && export PATH VIRTUAL_ENV && shift && '
_EACH = 'for command do printf "+ %s\\n" "$command" && sh -e -c "$command" || exit; done'


class SetupRequest(Record):
    """`commands` are run by `sh` where the `files` of the tree lie, pairs of path and bytes.

    `python` makes the virtual environment, `top` is the folder of all environments, `environ` what we have ourselves.
    Output goes to the file `log`. `time_limit` is in seconds.
    """

    commands: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    python: str
    top: str
    environ: Mapping[str, str]
    box_kind: str
    log: str
    time_limit: float


class MadeEnvironment(Record):
    """`python` is its interpreter, `folders` what that needs to be read, `sha256` over what it was made from.

    What was installed there may have changed the interpreter: neither its files nor its word tell what it needs.
    """

    python: str
    folders: tuple[str, ...]
    sha256: str


def made_environment(request: SetupRequest) -> MadeEnvironment:
    """The environment, made now or by an earlier run; Undecided when a command fails."""
    name = _digest(request)
    folder = os.path.join(os.path.realpath(request.top), name)
    os.makedirs(request.top, mode=0o700, exist_ok=True)
    with _locked(f"{folder}.lock"):
        if not os.path.exists(os.path.join(folder, _DONE)):
            shutil.rmtree(folder, ignore_errors=True)  # an earlier run was ended while it made this one
            _make(request, folder)
            with open(os.path.join(folder, _DONE), "x", encoding="ascii"):
                pass
    needed = (folder, *interpreter_paths(request.python))
    return MadeEnvironment(os.path.join(folder, "bin", "python"), needed, name)


def _digest(request: SetupRequest) -> str:
    """Over the interpreter, the commands and the files, each with its length."""
    parts = [
        os.fsencode(os.path.realpath(request.python)),
        _version(request.python),
        *map(os.fsencode, request.commands),
    ]
    for path, data in sorted(request.files):
        parts += (os.fsencode(path), data)
    digest = sha256(b"%d" % len(request.commands))
    for part in parts:
        digest.update(b":%d:" % len(part) + part)
    return digest.hexdigest()


def _version(python: str) -> bytes:
    try:
        return subprocess.run((python, "-I", "-VV"), check=True, capture_output=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise Undecided(f"{python} does not say its version ({error})", "name another with --python") from error


def _make(request: SetupRequest, folder: str) -> None:
    with tempfile.TemporaryDirectory(prefix="agentgate-setup-", ignore_cleanup_errors=True) as scratch:
        files, home, temp = (os.path.join(os.path.realpath(scratch), name) for name in ("files", "home", "tmp"))
        for each in (files, home, temp, folder):
            os.mkdir(each, 0o700)
        for path, data in request.files:
            os.makedirs(os.path.dirname(os.path.join(files, path)), exist_ok=True)
            with open(os.path.join(files, path), "xb") as file:
                file.write(data)
        environment = {**_environment(request.environ), "HOME": home, "TMPDIR": temp}
        box = Box(
            kind=request.box_kind,
            writable=(files, temp, folder),
            readable=interpreter_paths(request.python),
            home=home,
            has_network=True,
        )
        shell = shutil.which("sh", path=request.environ.get("PATH")) or "/bin/sh"
        argv = (shell, "-e", "-c", _SCRIPT + _EACH, request.python, folder, *request.commands)
        status = BoxedProcess(box, argv, files, environment, (), request.log).run(request.time_limit)
    if status != 0:
        shutil.rmtree(folder, ignore_errors=True)
        raise Undecided(
            f"the environment could not be made: {_last_line(request.log)}",
            "repair `environment` in the policy of the base branch, or the files that it names in `locks`",
        )


def _environment(ambient: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in ambient.items()
        if name in _KEPT or name.startswith(_KEPT_BEGINNINGS) or name.lower() in _PROXIES
    }


def _last_line(log: str) -> str:
    with open(log, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
        lines = [line for line in file.read().decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else "a command failed without a word"


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """One run makes an environment, and others wait for it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
