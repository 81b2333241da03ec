"""gpg as the judge of OpenPGP signatures, with a key ring of its own: never the user's, never a program git names."""

from __future__ import annotations

import tempfile

from agentgate_git.model.failure import Undecided
from agentgate_git.repo.process import finish, scrubbed, spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentgate_git.repo.process import Answer

# No options of the user or the machine, no network, no agent, no trust of its own: the keys that are given count.
_ALWAYS = (
    *("--no-options", "--batch", "--no-tty", "--no-autostart", "--disable-dirmngr", "--no-auto-key-retrieve"),
    *("--no-auto-key-locate", "--trust-model", "always", "--no-auto-check-trustdb", "--no-permission-warning"),
)
# What gpg says of a signature that does not count, though its arithmetic may be right.
_BAD = {
    "BADSIG": "does not belong to this commit",
    "EXPSIG": "is expired",
    "EXPKEYSIG": "is of a key that is expired",
    "REVKEYSIG": "is of a key that is revoked",
    "ERRSIG": "cannot be checked by gpg",
}


class Verifier:
    """Checks signatures against the keys of some exported files; `environ` is the environment of this process."""

    def __init__(self, keys: tuple[bytes, ...], environ: Mapping[str, str], directory: str) -> None:
        """`directory` is where the key ring is made; whoever gives it takes it away."""
        self._keys = keys
        self._directory = directory
        self._environment = {**scrubbed(environ), "LC_ALL": "C", "GNUPGHOME": directory}
        self._has_ring = False

    def problem(self, fingerprint: str, payload: bytes, signature: str) -> str:
        """Why the signature over `payload` is not good for the primary key `fingerprint` today; empty when it is."""
        self._make_ring()
        with tempfile.NamedTemporaryFile(dir=self._directory, suffix=".asc") as signed:
            signed.write(signature.strip().encode("utf-8", "surrogateescape") + b"\n")
            signed.flush()
            answer = self._run("--status-fd", "1", "--verify", "--", signed.name, "-", data=payload)
        return _problem(answer, fingerprint)

    def _make_ring(self) -> None:
        if self._has_ring:
            return
        for key in self._keys:
            with tempfile.NamedTemporaryFile(dir=self._directory, suffix=".key") as exported:
                exported.write(key)
                exported.flush()
                self._run("--import", "--", exported.name)  # of a key it does not take no signature is good
        self._has_ring = True

    def _run(self, *args: str, data: bytes = b"") -> Answer:
        argv = ["gpg", "--homedir", self._directory, *_ALWAYS, *args]
        try:
            return finish(spawn(list(argv), self._environment, True, True), data)
        except Undecided as failure:
            raise Undecided("a signature cannot be checked: there is no gpg", "install GnuPG") from failure


def _problem(answer: Answer, fingerprint: str) -> str:
    """One good signature of the wanted key and nothing beside it; gpg's words in a language are not read."""
    rows = [line.split()[1:] for line in answer.stdout.decode("utf-8", "replace").split("\n") if _is_status(line)]
    for row in rows:
        if row[0] in _BAD:
            return _BAD[row[0]]
    valid = [row for row in rows if row[0] == "VALIDSIG"]
    good = [row for row in rows if row[0] == "GOODSIG"]
    if answer.status != 0 or len(valid) != 1 or len(good) != 1 or len(valid[0]) < 11:
        return _BAD["ERRSIG"]
    return "" if valid[0][10] == fingerprint else "is of another key than it names"


def _is_status(line: str) -> bool:
    return line.startswith("[GNUPG:] ") and len(line.split()) > 1
