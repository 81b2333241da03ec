"""`.agentgate/allowed_signers`: ssh-keygen's ALLOWED SIGNERS format, read for who is enrolled with which key.

Whether a signature is good is ssh-keygen's answer; this only finds the line that it must be good for.
"""

from __future__ import annotations

import base64
import shlex

from agentgate_git.model.record import Record
from agentgate_git.wire.sshsig import fingerprint

_KEY_PREFIXES = ("ssh-", "ecdsa-", "sk-")


class Enrolment(Record):
    """One key of one principal: `role` is what stands before the colon of `human:pat`, empty without one."""

    principal: str
    role: str
    fingerprint: str


def read_allowed_signers(data: bytes) -> tuple[Enrolment, ...]:
    """Every plain key of the file. Certificate authorities and lines that cannot be read enrol nobody."""
    found: list[Enrolment] = []
    for row in data.decode("utf-8", "replace").split("\n"):
        found += _enrolments(row.strip())
    return tuple(found)


def silent_lines(data: bytes) -> int:
    """How many lines that are no comment enrol nobody: a typing error, or a certificate authority."""
    rows = (row.strip() for row in data.decode("utf-8", "replace").split("\n"))
    return sum(bool(row) and not row.startswith("#") and not _enrolments(row) for row in rows)


def read_revoked_keys(data: bytes) -> tuple[frozenset[str], int]:
    """The fingerprints of a list of public keys, one a line, and how many lines could not be read."""
    found: set[str] = set()
    unread = 0
    for row in data.decode("utf-8", "replace").split("\n"):
        if not row.strip() or row.strip().startswith("#"):
            continue
        fields = row.split()
        try:
            at = next(index for index, field in enumerate(fields) if field.startswith(_KEY_PREFIXES))
            found.add(fingerprint(base64.b64decode(fields[at + 1], validate=True)))
        except (ValueError, StopIteration, IndexError):
            unread += 1
    return frozenset(found), unread


def _enrolments(row: str) -> list[Enrolment]:
    if not row or row.startswith("#"):
        return []
    try:
        principals, *fields = shlex.split(row)
        at = next(index for index, field in enumerate(fields) if field.startswith(_KEY_PREFIXES))
        key = base64.b64decode(fields[at + 1], validate=True)
    except (ValueError, StopIteration, IndexError):
        return []
    if any("cert-authority" in option.lower() for option in fields[:at]):
        return []
    return [Enrolment(name, _role(name), fingerprint(key)) for name in principals.split(",") if name]


def _role(principal: str) -> str:
    role, colon, _ = principal.partition(":")
    return role if colon else ""
