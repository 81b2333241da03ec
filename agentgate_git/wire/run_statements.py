"""Seals, credits and freezes as in-toto statements under URIs of the project's own.

Strict where plain files are lenient: every field is there, of its type, jobs and names are not empty, digests are
sha256, and a stored digest that can be derived is derived again.
"""

from __future__ import annotations

from hashlib import sha256

from agentgate_git.model.evidence import Envelope
from agentgate_git.model.instant import instant_of
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.model.run_evidence import FiledFreeze, Probe, ScoredCredit, Seal, SealedInput
from agentgate_git.model.run_record import Credit, Freeze
from agentgate_git.wire.canonical import Malformed, encode
from agentgate_git.wire.shapes import (
    COUNT,
    FLAG,
    OID,
    PAIRS,
    SHA256,
    TEXT,
    TIME,
    Shape,
    list_of,
    optional,
    read_text,
    record_of,
)
from agentgate_git.wire.statement import EXTENSION, Unreadable, expect, extension_of, write_statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.wire.canonical import Json

SEAL = "urn:agentgate-git:seal:v1"
CREDIT = "urn:agentgate-git:credit:v1"
FREEZE = "urn:agentgate-git:freeze:v1"


class SealStatement(Record):
    """A seal, and the tree that its statement says it is about."""

    subject: Oid
    seal: Seal


class CreditStatement(Record):
    """A credit, and the tree that its statement says it is about."""

    subject: Oid
    credit: ScoredCredit


class FreezeStatement(Record):
    """A freeze, and the tree that its statement says it is about."""

    subject: Oid
    freeze: FiledFreeze


def _read_name(value: Json) -> str:
    text = read_text(value)
    if not text.strip():
        raise Malformed("is empty")
    return text


def _read_end(value: Json) -> str:
    text = read_text(value)
    if instant_of(text) is None:
        raise Malformed("is no time with a zone")
    return text


_NAME = Shape(TEXT.write, _read_name)
_NAMES = list_of(_NAME)
_ABOUT = {"tree": OID, "base_tree": OID, "commit": optional(OID)}
_INPUTS = list_of(record_of(SealedInput, {"path": _NAME, "size": COUNT, "sha256": SHA256}))
_SEAL = record_of(
    Seal,
    {
        **_ABOUT,
        "proposal_id": TEXT,
        "author_job": _NAME,
        "runner_job": _NAME,
        "inputs": _INPUTS,
        "input_count": COUNT,
        "inputs_sha256": SHA256,
        "pins": PAIRS,
        "manifest_sha256": optional(SHA256),
        "sealed_at": TIME,
    },
)
_CREDIT = record_of(
    ScoredCredit,
    {
        **_ABOUT,
        "runner_job": _NAME,
        "credit": record_of(
            Credit,
            {
                "credit_id": _NAME,
                "digest": SHA256,
                "credited": _NAMES,
                "test_ids": _NAMES,
                "missing": _NAMES,
                "tautologies": _NAMES,
                "is_pass": FLAG,
            },
        ),
        "scored_at": TIME,
    },
    {"probes": list_of(record_of(Probe, {"name": _NAME, "symbol": TEXT, "is_held": FLAG, "detail": TEXT}))},
)
_FREEZE = record_of(
    FiledFreeze,
    {
        **_ABOUT,
        "freeze": record_of(
            Freeze,
            {
                "author_job": _NAME,
                "runner_job": _NAME,
                "runner_digest": SHA256,
                "credit_id": _NAME,
                "test_id": _NAME,
                "expires_at": Shape(TEXT.write, _read_end),
                "freeze_id": TEXT,
            },
        ),
        "reason": TEXT,
        "filed_at": TIME,
    },
)


def inputs_sha256(inputs: tuple[SealedInput, ...]) -> str:
    """The digest of sealed inputs: over their canonical JSON in the order of their paths."""
    ordered = tuple(sorted(inputs))
    return sha256(encode(_INPUTS.write(ordered))).hexdigest()


def seal_payload(seal: Seal) -> bytes:
    """The statement of a seal, canonical."""
    return write_statement(seal.tree, SEAL, {EXTENSION: _SEAL.write(seal)})


def credit_payload(credit: ScoredCredit) -> bytes:
    """The statement of a credit, canonical."""
    return write_statement(credit.tree, CREDIT, {EXTENSION: _CREDIT.write(credit)})


def freeze_payload(freeze: FiledFreeze) -> bytes:
    """The statement of a freeze, canonical."""
    return write_statement(freeze.tree, FREEZE, {EXTENSION: _FREEZE.write(freeze)})


def read_seal(envelope: Envelope) -> SealStatement | Unreadable:
    """The seal in an envelope; one whose digest is not that of its inputs is Unreadable."""
    try:
        statement = expect(envelope, SEAL)
        return SealStatement(statement.subject, _checked(_SEAL.read(extension_of(statement.predicate))))
    except Malformed as reason:
        return Unreadable(str(reason))


def read_scored_credit(envelope: Envelope) -> CreditStatement | Unreadable:
    """The credit in an envelope; whether it is enough is for policy to say."""
    try:
        statement = expect(envelope, CREDIT)
        return CreditStatement(statement.subject, _CREDIT.read(extension_of(statement.predicate)))
    except Malformed as reason:
        return Unreadable(str(reason))


def read_filed_freeze(envelope: Envelope) -> FreezeStatement | Unreadable:
    """The freeze in an envelope; who signed it is not looked at."""
    try:
        statement = expect(envelope, FREEZE)
        return FreezeStatement(statement.subject, _FREEZE.read(extension_of(statement.predicate)))
    except Malformed as reason:
        return Unreadable(str(reason))


def _checked(seal: Seal) -> Seal:
    if not seal.inputs and seal.input_count:
        return seal
    if len(seal.inputs) != seal.input_count:
        raise Malformed(f"counts {seal.input_count} inputs and lists {len(seal.inputs)}")
    paths = [one.path for one in seal.inputs]
    if paths != sorted(set(paths)):
        raise Malformed("lists inputs twice or out of order")
    if inputs_sha256(seal.inputs) != seal.inputs_sha256:
        raise Malformed("has another inputs_sha256 than its inputs")
    return seal
