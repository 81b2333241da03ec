"""OpenPGP keys that the base holds: `.agentgate/gpg/<role>/<name>.asc`, each an exported public key."""

from __future__ import annotations

from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.actor import AGENT, BOT, HUMAN
from agentgate_git.model.change import GITLINK, SYMLINK
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import PGP_FOLDER
from agentgate_git.model.record import Record
from agentgate_git.repo.gpg import Verifier
from agentgate_git.repo.materialise import list_tree
from agentgate_git.wire.openpgp import PublicKey, is_named_by, read_public_keys

_ROLES = (AGENT, HUMAN, BOT)
_SUFFIX = ".asc"


class EnrolledKey(Record):
    """A public key and whose it is: `role` is the folder it stands in, `principal` is `<role>:<name>`."""

    role: str
    principal: str
    key: PublicKey


class PgpKeys:
    """The enrolled OpenPGP keys of a base tree; gpg is started only when a commit claims one of them.

    `notes` are sentences about files there that enrol nobody.
    """

    def __init__(self, workspace: Workspace, base_tree: Oid) -> None:
        self._workspace = workspace
        self._keys: list[EnrolledKey] = []
        self._files: list[bytes] = []
        self._verifier: Verifier | None = None
        self.notes: tuple[str, ...] = ()
        folder = workspace.objects.find(f"{base_tree}:{PGP_FOLDER}")
        if folder is not None and folder.kind == "tree":
            self._read(folder.oid)

    def has_human(self) -> bool:
        """True when a human's key is enrolled."""
        return any(one.role == HUMAN for one in self._keys)

    def find(self, issuer: str) -> EnrolledKey | None:
        """The enrolled key of that fingerprint or id; an agent's before others', should two have the same id."""
        return next((one for one in self._keys if is_named_by(one.key, issuer)), None)

    def problem(self, key: EnrolledKey, payload: bytes, signature: str) -> str:
        """Why the signature over `payload` is not good for the key, completing "the signature …"; empty when it is."""
        if self._verifier is None:
            self._verifier = Verifier(tuple(self._files), self._workspace.environ, self._workspace.scratch())
        return self._verifier.problem(key.key.fingerprints[0], payload, signature)

    def _read(self, folder: Oid) -> None:
        for entry in list_tree(self._workspace.room, folder):
            role, _, name = entry.path.partition("/")
            where = f"{PGP_FOLDER}/{entry.path}"
            is_file = entry.mode not in (GITLINK, SYMLINK)
            if not is_file or role not in _ROLES or "/" in name or not name.endswith(_SUFFIX):
                self._note(f"{where} at the base is no file <role>/<name>{_SUFFIX} and enrols nobody")
                continue
            data = self._workspace.objects.read(entry.oid)
            try:
                keys = read_public_keys(data)
            except ValueError as reason:
                self._note(f"{where} at the base enrols nobody: it {reason}")
                continue
            self._files.append(data)
            principal = f"{role}:{name.removesuffix(_SUFFIX)}"
            self._keys += [EnrolledKey(role, principal, key) for key in keys]
        self._keys.sort(key=lambda one: _ROLES.index(one.role))

    def _note(self, sentence: str) -> None:
        self.notes = (*self.notes, sentence)
