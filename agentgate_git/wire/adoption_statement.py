"""Adoptions and requests for one, as in-toto statements under URIs of the project's own."""

from __future__ import annotations

from agentgate_git.model.adoption import Adoption, Need
from agentgate_git.model.evidence import Envelope
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.wire.canonical import Malformed
from agentgate_git.wire.shapes import OID, TEXT, TEXTS, TIME, list_of, optional, record_of
from agentgate_git.wire.statement import EXTENSION, Unreadable, expect, extension_of, write_statement

ADOPTION = "urn:agentgate-git:adoption:v1"
REQUEST = "urn:agentgate-git:adoption-request:v1"


class AdoptionStatement(Record):
    """An adoption or a request, and the tree that its statement says it is about."""

    subject: Oid
    adoption: Adoption


_ADOPTION = record_of(
    Adoption,
    {
        "tree": OID,
        "base_tree": OID,
        "commit": optional(OID),
        "paths": TEXTS,
        "tests": TEXTS,
        "needs": list_of(record_of(Need, {"code": TEXT, "path": TEXT, "message": TEXT})),
        "reason": TEXT,
        "made_at": TIME,
    },
)


def adoption_payload(adoption: Adoption, predicate_type: str) -> bytes:
    """The statement of an adoption (ADOPTION) or of a request for one (REQUEST), canonical."""
    return write_statement(adoption.tree, predicate_type, {EXTENSION: _ADOPTION.write(adoption)})


def read_adoption(envelope: Envelope, predicate_type: str) -> AdoptionStatement | Unreadable:
    """The adoption or request in an envelope; who signed it is not looked at."""
    try:
        statement = expect(envelope, predicate_type)
        return AdoptionStatement(statement.subject, _ADOPTION.read(extension_of(statement.predicate)))
    except Malformed as reason:
        return Unreadable(str(reason))
