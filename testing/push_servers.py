"""Real servers on the loopback interface: sshd, gitolite behind sshd, and git-http-backend behind lighttpd.

Each is started as the user who runs the tests, with files of its own, and ended by its process id.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from testing.evidence_keys import Keys
from testing.repo_builder import hermetic_environment

SSHD = "/usr/sbin/sshd"
LIGHTTPD = "/usr/sbin/lighttpd"
GITOLITE_SHELL = "/usr/share/gitolite3/gitolite-shell"
_PRIVILEGE_SEPARATION = Path("/run/sshd")
_ATTEMPTS = 5
_SECONDS = 30


@contextlib.contextmanager
def started(argv: list[str], port: int, log: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """Run a server in the foreground until it listens, and end it afterwards."""
    with log.open("ab") as output:
        server = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=dict(environment))
    try:
        for _ in range(_SECONDS * 20):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None:
                raise OSError(f"{argv[0]} ended with {server.returncode}: {log.read_text(errors='replace')}")
            time.sleep(0.05)
        else:
            raise OSError(f"{argv[0]} does not listen: {log.read_text(errors='replace')}")
        yield
    finally:
        server.terminate()
        server.wait(_SECONDS)


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def on_some_port(start: Callable[[int], AbstractContextManager[None]]) -> Iterator[int]:
    """Run what `start` makes of a free port; another port is tried where somebody took it meanwhile."""
    for attempt in range(_ATTEMPTS):
        port = free_port()
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(start(port))
            except OSError:
                if attempt == _ATTEMPTS - 1:
                    raise
                continue
            yield port
            return


class Ssh:
    """How to reach an sshd: `command` is what git runs in place of ssh, by the name of the key to show."""

    def __init__(self, keys: Keys, known_hosts: Path, port: int) -> None:
        self._keys = keys
        self._known_hosts = known_hosts
        self.port = port

    def environment(self, key: str) -> dict[str, str]:
        """The variables of a developer who shows a key."""
        options = ("BatchMode=yes", "IdentitiesOnly=yes", "IdentityAgent=none", "StrictHostKeyChecking=yes")
        named = [f"UserKnownHostsFile={self._known_hosts}", f"Port={self.port}", *options]
        argv = ["ssh", "-F", "/dev/null", "-i", str(self._keys.path(key)), *(f"-o{option}" for option in named)]
        return {"GIT_SSH_COMMAND": " ".join(argv), "GIT_SSH_VARIANT": "ssh"}

    def url(self, path: str) -> str:
        """The URL of a repository, by the path that the server knows it by."""
        return f"ssh://{getpass.getuser()}@127.0.0.1/{path.removeprefix('/')}"


@contextlib.contextmanager
def sshd(directory: Path, keys: Keys, authorized: str, home: Path) -> Iterator[Ssh]:
    """An sshd with host keys of its own. What it starts has `home` for its home, and no PATH but the system's."""
    directory.mkdir()
    if os.geteuid() == 0:
        _PRIVILEGE_SEPARATION.mkdir(mode=0o755, exist_ok=True)
    (directory / "authorized_keys").write_text(authorized)
    settings = {
        "ListenAddress": "127.0.0.1",
        "HostKey": keys.path("host"),
        "PidFile": "none",
        "AuthorizedKeysFile": directory / "authorized_keys",
        "PasswordAuthentication": "no",
        "KbdInteractiveAuthentication": "no",
        "PermitRootLogin": "prohibit-password",
        "StrictModes": "no",  # the temporary folder above belongs to everybody
        "UsePAM": "no",
        "LogLevel": "ERROR",
        "SetEnv": f"HOME={home} PATH=/usr/local/bin:/usr/bin:/bin GIT_CONFIG_NOSYSTEM=1",
    }
    known = directory / "known_hosts"

    def start(port: int) -> AbstractContextManager[None]:
        config = directory / "sshd_config"
        config.write_text("".join(f"{key} {value}\n" for key, value in {"Port": port, **settings}.items()))
        known.write_text(f"[127.0.0.1]:{port} {keys.public('host')}")
        return started([SSHD, "-D", "-e", "-f", str(config)], port, directory / "log", {"PATH": os.defpath})

    with on_some_port(start) as port:
        yield Ssh(keys, known, port)


@contextlib.contextmanager
def lighttpd(directory: Path, root: Path, home: Path) -> Iterator[str]:
    """lighttpd with git-http-backend over the repositories below `root`; the URL that stands for `root`."""
    directory.mkdir()
    backend = subprocess.run(["git", "--exec-path"], check=True, capture_output=True, text=True).stdout.strip()

    def start(port: int) -> AbstractContextManager[None]:
        config = directory / "lighttpd.conf"
        config.write_text(f"""\
server.document-root = "{directory}"
server.bind = "127.0.0.1"
server.port = {port}
server.modules = ("mod_alias", "mod_cgi", "mod_setenv")
server.errorlog = "{directory}/errors"
alias.url = ("/git" => "{backend}/git-http-backend")
$HTTP["url"] =~ "^/git/" {{
    cgi.assign = ("" => "")
    setenv.add-environment = ("GIT_PROJECT_ROOT" => "{root}", "GIT_HTTP_EXPORT_ALL" => "1", "HOME" => "{home}")
}}
""")
        return started(
            [LIGHTTPD, "-D", "-f", str(config)], port, directory / "log", {"PATH": "/usr/local/bin:/usr/bin:/bin"}
        )

    with on_some_port(start) as port:
        yield f"http://127.0.0.1:{port}/git"


def set_up_gitolite(home: Path, admin: Path, local_code: Mapping[str, bytes], rules: str) -> None:
    """A gitolite of its own in a home, where the rules may set our configuration.

    `admin` is the public key of who administers it, `local_code` are programs by path, `rules` are its gitolite.conf.
    """
    home.mkdir()
    for name, program in local_code.items():
        path = home / "local" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(program)
        path.chmod(0o755)
    user = getpass.getuser()
    environment = {**hermetic_environment(home), "USER": user, "LOGNAME": user}

    def run(*argv: str) -> None:
        done = subprocess.run(["gitolite", *argv], capture_output=True, env=environment, cwd=home, check=False)
        assert done.returncode == 0, done.stderr

    run("setup", "-pk", str(admin))
    rc = home / ".gitolite.rc"
    text = re.sub(r"(GIT_CONFIG_KEYS\s*=>\s*)''", r"\1'agentgate\\..*'", rc.read_text())
    rc.write_text(text.replace("%RC = (\n", f"%RC = (\n    LOCAL_CODE => '{home}/local',\n", 1))
    (home / ".gitolite" / "conf" / "gitolite.conf").write_text(rules)
    run("compile")
    run("setup")


def gitolite_user(keys: Keys, name: str) -> str:
    """The line of authorized_keys that makes whoever shows a key a user of gitolite."""
    return f'command="{GITOLITE_SHELL} {name}",no-port-forwarding,no-pty {keys.public(name)}'
