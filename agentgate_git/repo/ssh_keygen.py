"""ssh-keygen as the judge of SSH signatures; never git's own, whose program the repository's configuration names."""

from __future__ import annotations

import os
import tempfile

from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.repo.process import finish, scrubbed, spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

COMMIT_NAMESPACE = "git"
EVIDENCE_NAMESPACE = "agentgate"


def sign(key: str, namespace: str, payload: bytes, environ: Mapping[str, str]) -> str:
    """The armoured signature over `payload`; `key` is a private key file, or a public one whose key ssh-agent holds.

    A passphrase is asked for on the terminal. UsageFailure when the key cannot be used.
    """
    argv = ["ssh-keygen", "-Y", "sign", "-f", key, "-n", namespace]
    try:
        answer = finish(spawn([*argv], {**scrubbed(environ), "LC_ALL": "C"}, True, True), payload)
    except Undecided as failure:
        raise Undecided("nothing can be signed: there is no ssh-keygen", "install OpenSSH") from failure
    if answer.status != 0:
        last = answer.stderr.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
        raise UsageFailure(f"ssh-keygen did not sign with {key} ({last})", "name another key with --key")
    return answer.stdout.decode("ascii", "replace")


class Verifier:
    """Checks signatures against one set of allowed signers; `environ` is the environment of this process."""

    def __init__(self, allowed_signers: bytes, environ: Mapping[str, str]) -> None:
        self._allowed = allowed_signers
        self._environment = {**scrubbed(environ), "LC_ALL": "C"}

    def is_good(self, principal: str, namespace: str, payload: bytes, signature: str, at: str = "") -> bool:
        """True when the armoured signature over `payload` is that principal's, in that namespace, by a valid key.

        Valid now, or at the time that `at` gives as RFC 3339 with `Z`.
        """
        with tempfile.TemporaryDirectory(prefix="agentgate-signature-") as directory:
            allowed, signed = os.path.join(directory, "allowed_signers"), os.path.join(directory, "signature")
            with open(allowed, "wb") as file:
                file.write(self._allowed)
            with open(signed, "w", encoding="utf-8") as file:
                file.write(signature.strip() + "\n")
            argv = ["-Y", "verify", "-f", allowed, "-I", principal, "-n", namespace, "-s", signed]
            if at:
                argv += ["-O", "verify-time=" + "".join(char for char in at if char.isalnum() and char != "T")]
            try:
                answer = finish(spawn(["ssh-keygen", *argv], self._environment, True, True), payload)
            except Undecided as failure:
                raise Undecided("a signature cannot be checked: there is no ssh-keygen", "install OpenSSH") from failure
        return answer.status == 0
