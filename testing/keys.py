"""Key pairs for tests, made by the real programs: SSH keys, and OpenPGP keys in a key ring of their own."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from agentgate_git.wire.sshsig import armour
from testing.repo_builder import RepoBuilder

_SK_TYPE = b"sk-ssh-ed25519@openssh.com"
_SK_APPLICATION = b"ssh:"
LONG_AGO = "20200101T000000"


class Keys:
    """A folder of SSH key pairs."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        """The private key of that name, made when it is asked for first; its public half stands beside it."""
        path = self._directory / name
        if not path.exists():
            options = ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
            subprocess.run(["ssh-keygen", *options], check=True, capture_output=True)
        return path

    def line(self, principal: str, name: str, options: str = 'namespaces="git,agentgate"') -> str:
        """A line of allowed_signers."""
        return f"{principal} {options} {self.public(name)}"

    def run(self, *argv: str, data: bytes = b"") -> bytes:
        """stdout of a program."""
        return subprocess.run(argv, input=data, capture_output=True, check=True).stdout

    def public(self, name: str) -> str:
        """The line of the public key."""
        return self.path(name).with_suffix(".pub").read_text()


class PgpRing:
    """An OpenPGP key ring in a folder of its own; keys are without passphrases."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(mode=0o700)

    def make(self, name: str, *, made_at: str = "", expires: str = "never") -> str:
        """A new key for `name@example.org`, made at a time like 20200101T000000; its fingerprint."""
        clock = ["--faked-system-time", made_at] if made_at else []
        options = ["--passphrase", "", "--quick-gen-key", f"{name} <{name}@example.org>", "ed25519", "sign", expires]
        self._gpg(*clock, *options)
        return self.fingerprint(name)

    def fingerprint(self, name: str) -> str:
        """Of the primary key."""
        rows = self._gpg("--with-colons", "--list-keys", f"{name}@example.org").decode().split("\n")
        return next(row.split(":")[9] for row in rows if row.startswith("fpr:"))

    def public(self, name: str) -> bytes:
        """The key as gpg exports it, armoured."""
        return self._gpg("--armor", "--export", f"{name}@example.org")

    def revoked(self, name: str) -> bytes:
        """The key as it is exported once it is revoked; this key ring does not know of that."""
        with self._copied() as copy:
            certificate = copy.directory / "openpgp-revocs.d" / f"{self.fingerprint(name)}.rev"
            copy._gpg("--import", data=certificate.read_bytes().replace(b":-----BEGIN", b"-----BEGIN"))
            return copy.public(name)

    def expired(self, name: str) -> bytes:
        """A key that was made LONG_AGO, as it is exported once it is expired; this key ring does not know of that."""
        with self._copied() as copy:
            copy._gpg("--faked-system-time", "20200102T000000", "--quick-set-expire", self.fingerprint(name), "30d")
            return copy.public(name)

    def sign_commits(self, repo: RepoBuilder, name: str) -> None:
        """Let the developer of a repository sign every commit with a key."""
        repo.environment["GNUPGHOME"] = str(self.directory)
        fingerprint = self.fingerprint(name)
        for key, value in (("gpg.format", "openpgp"), ("user.signingkey", fingerprint), ("commit.gpgsign", "true")):
            repo.git("config", key, value)

    def close(self) -> None:
        """End the agent that gpg started to sign."""
        environment = {**os.environ, "GNUPGHOME": str(self.directory)}
        subprocess.run(["gpgconf", "--kill", "all"], env=environment, capture_output=True, check=False)

    @contextmanager
    def _copied(self) -> Iterator[PgpRing]:
        with TemporaryDirectory() as directory:
            copy = PgpRing(Path(directory) / "ring")
            shutil.copytree(self.directory, copy.directory, dirs_exist_ok=True, ignore=shutil.ignore_patterns("S.*"))
            yield copy
            copy.close()

    def _gpg(self, *args: str, data: bytes = b"") -> bytes:
        argv = ["gpg", "--homedir", str(self.directory), "--batch", "--yes", "--quiet", *args]
        done = subprocess.run(argv, input=data, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return done.stdout


def sign_with(repo: RepoBuilder, key: Path) -> None:
    """Let the developer of a repository sign every commit with an SSH key."""
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(key)), ("commit.gpgsign", "true")):
        repo.git("config", name, value)


class TouchKey:
    """A key of the kind that hardware holds, in software, so that a test decides whether it was touched."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir()
        self._pem = directory / "key.pem"
        self._openssl("genpkey", "-algorithm", "ed25519", "-out", str(self._pem))
        raw = self._openssl("pkey", "-in", str(self._pem), "-pubout", "-outform", "DER")[-32:]
        self._public = b"".join(map(_field, (_SK_TYPE, raw, _SK_APPLICATION)))

    def line(self, principal: str, options: str = 'namespaces="git,agentgate"') -> str:
        """A line of allowed_signers."""
        return f"{principal} {options} {_SK_TYPE.decode()} {base64.b64encode(self._public).decode()}\n"

    def sign(self, namespace: str, payload: bytes, *, flags: int) -> bytes:
        """The binary SSHSIG over a payload; flags 1 is a touch, 4 a PIN, 0 neither."""
        head = (namespace.encode(), b"", b"sha512")
        signed = b"SSHSIG" + b"".join(map(_field, (*head, hashlib.sha512(payload).digest())))
        tail = bytes([flags]) + (7).to_bytes(4, "big")
        message = hashlib.sha256(_SK_APPLICATION).digest() + tail + hashlib.sha256(signed).digest()
        with TemporaryDirectory() as directory:
            path = Path(directory) / "message"
            path.write_bytes(message)
            made = self._openssl("pkeyutl", "-sign", "-rawin", "-inkey", str(self._pem), "-in", str(path))
        blob = _field(_SK_TYPE) + _field(made) + tail
        return b"SSHSIG" + (1).to_bytes(4, "big") + b"".join(map(_field, (self._public, *head, blob)))

    def _openssl(self, *args: str) -> bytes:
        return subprocess.run(["openssl", *args], capture_output=True, check=True).stdout


def signed_commit(repo: RepoBuilder, key: TouchKey, *, flags: int) -> str:
    """HEAD again, signed with a key; the branch is moved to it."""
    raw = repo.run("git", "cat-file", "commit", "HEAD").stdout
    head, _, body = raw.partition(b"\n\n")
    text = armour(key.sign("git", raw, flags=flags)).strip().replace("\n", "\n ")
    data = head + b"\ngpgsig " + text.encode() + b"\n\n" + body
    made = repo.git("hash-object", "-w", "-t", "commit", "--stdin", stdin=data)
    repo.git("reset", "-q", "--hard", made)
    return made


def _field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data
