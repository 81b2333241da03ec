"""in-toto Statement v1 (in-toto/attestation spec/v1/statement.md) about one tree.

Our own fields stand in one extension object, `agentgate`, of the predicate; its field names are those of the
records in model/. Each predicate has a module of its own: packet_statement.py, verdict_statement.py.
Readers give a typed statement or an Unreadable that says why; they never raise.
"""

from __future__ import annotations

from agentgate_git.model.evidence import Envelope
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.model.record import Record
from agentgate_git.wire.canonical import Malformed, decode, encode, is_canonical
from agentgate_git.wire.dsse import IN_TOTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.wire.canonical import Json

STATEMENT = "https://in-toto.io/Statement/v1"
EXTENSION = "agentgate"
PASSED = "PASSED"
FAILED = "FAILED"


class Unreadable(Record):
    """Why a line is no statement of the kind asked for; `reason` completes "it …"."""

    reason: str


class Statement(Record):
    """A statement about one tree: `subject` is the tree's id, `predicate` the decoded object."""

    subject: Oid
    predicate_type: str
    predicate: dict[str, Json]


def unsigned(payload: bytes) -> Envelope:
    """The envelope of a statement that nobody signed."""
    return Envelope(payload, IN_TOTO)


def read_statement(envelope: Envelope) -> Statement | Unreadable:
    """Any statement about exactly one tree, whatever its predicate."""
    try:
        return _read_any(envelope)
    except Malformed as reason:
        return Unreadable(str(reason))


def subject_mismatch(subject: Oid, tree: Oid, key: Oid) -> str:
    """What disagrees about the tree: statement, record and note key; empty when all three name the same."""
    if tree != subject:
        return f"the record is about tree {tree}, its statement about {subject}"
    if subject != key:
        return f"the record is about tree {subject} and is kept under {key}"
    return ""


def misplacement(subject: Oid, about: tuple[Oid, Oid], here: tuple[Oid, Oid]) -> str:
    """Why a record over one change does not count for another; completes "it …", empty when it does.

    A change is a tree and the base tree that it starts from.
    """
    if mismatch := subject_mismatch(subject, about[0], here[0]):
        return f"is not about this tree: {mismatch}"
    if about[1] != here[1]:
        return f"is over a change from tree {about[1][:12]}, and this one is from {here[1][:12]}"
    return ""


def write_statement(tree: Oid, predicate_type: str, predicate: dict[str, Json]) -> bytes:
    """The canonical payload of a statement about a tree."""
    return encode(
        {
            "_type": STATEMENT,
            "predicate": predicate,
            "predicateType": predicate_type,
            "subject": [{"digest": {"gitTree": tree}, "name": "tree"}],
        }
    )


def expect(envelope: Envelope, predicate_type: str) -> Statement:
    """The statement in an envelope; Malformed unless its predicate is of the type asked for."""
    statement = _read_any(envelope)
    if statement.predicate_type != predicate_type:
        raise Malformed(f"is no {predicate_type} but {statement.predicate_type[:200]}")
    return statement


def extension_of(predicate: dict[str, Json]) -> dict[str, Json]:
    """Our own object of a predicate; Malformed when there is none."""
    extension = predicate.get(EXTENSION)
    if not isinstance(extension, dict):
        raise Malformed(f"has no {EXTENSION} object")
    return extension


def _read_any(envelope: Envelope) -> Statement:
    if envelope.payload_type != IN_TOTO:
        raise Malformed(f"is no in-toto statement but {envelope.payload_type[:80]}")
    value = decode(envelope.payload)
    if not isinstance(value, dict) or value.get("_type") != STATEMENT:
        raise Malformed("is no in-toto Statement v1")
    if not is_canonical(value, envelope.payload):
        raise Malformed("is not written in canonical JSON")
    predicate_type, predicate = value.get("predicateType"), value.get("predicate")
    if not isinstance(predicate_type, str) or not isinstance(predicate, dict):
        raise Malformed("has no predicate")
    return Statement(_subject(value.get("subject")), predicate_type, predicate)


def _subject(value: Json) -> Oid:
    trees = []
    for item in value if isinstance(value, list) else ():
        digest = item.get("digest") if isinstance(item, dict) else None
        trees.append(digest.get("gitTree") if isinstance(digest, dict) else None)
    if len(trees) != 1 or not isinstance(trees[0], str) or not is_oid(trees[0]):
        raise Malformed("is not about exactly one tree")
    return trees[0]
