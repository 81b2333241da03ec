"""Seals, credits, logs and freezes as in-toto statements under URIs of the project's own.

Strict where plain files are lenient: every field is there, of its type, jobs and names are not empty, digests are
sha256, and a stored digest that can be derived is derived again.
"""

from __future__ import annotations

from hashlib import sha256

from agentgate_git.model.evidence import Envelope
from agentgate_git.model.instant import instant_of
from agentgate_git.model.limits import MAX_LOG_TAIL
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.model.run_evidence import FiledFreeze, Probe, RunLogs, ScoredCredit, Seal, SealedInput
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
    from collections.abc import Callable
    from typing import Any, TypeVar

    from agentgate_git.wire.canonical import Json

    _Read = TypeVar("_Read", bound=Record)

SEAL = "urn:agentgate-git:seal:v1"
CREDIT = "urn:agentgate-git:credit:v1"
LOGS = "urn:agentgate-git:logs:v1"
FREEZE = "urn:agentgate-git:freeze:v1"

# What stands for bytes that are no UTF-8; a text with it cannot be turned into its bytes again.
_NO_TEXT = "\ufffd"
_CONTINUATION = bytes(range(0x80, 0xC0))


class SealStatement(Record):
    """A seal, and the tree that its statement says it is about."""

    subject: Oid
    seal: Seal


class CreditStatement(Record):
    """A credit, and the tree that its statement says it is about."""

    subject: Oid
    credit: ScoredCredit


class LogsStatement(Record):
    """The log of a run, and the tree that its statement says it is about."""

    subject: Oid
    logs: RunLogs


class FreezeStatement(Record):
    """A freeze, and the tree that its statement says it is about."""

    subject: Oid
    freeze: FiledFreeze


def _read_name(value: Json) -> str:
    text = read_text(value)
    if not text.strip():
        raise Malformed("is empty")
    return text


def _read_tail(value: Json) -> str:
    text = read_text(value)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_LOG_TAIL:
        raise Malformed(f"is longer than {MAX_LOG_TAIL} bytes")
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
_SEAL_FIELDS = record_of(
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
_LOGS_FIELDS = record_of(
    RunLogs,
    {
        **_ABOUT,
        "runner_job": _NAME,
        "seal_sha256": SHA256,
        "log_sha256": SHA256,
        "size": COUNT,
        "tail": Shape(TEXT.write, _read_tail),
        "published_at": TIME,
    },
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


def log_tail(end: bytes, size: int) -> str:
    """The `tail` of RunLogs for a log of `size` bytes; `end` are its last ones, MAX_LOG_TAIL of them or all."""
    text = _uncut(end, len(end) < size).decode("utf-8", "replace")
    encoded = text.encode()  # longer than `end` where U+FFFD stands for a byte
    return _uncut(encoded[-MAX_LOG_TAIL:], len(encoded) > MAX_LOG_TAIL).decode()


def _uncut(data: bytes, is_cut: bool) -> bytes:
    """Without what was left of a character at the front."""
    return data.lstrip(_CONTINUATION) if is_cut else data


def seal_payload(seal: Seal) -> bytes:
    """The statement of a seal, canonical."""
    return write_statement(seal.tree, SEAL, {EXTENSION: _SEAL.write(seal)})


def credit_payload(credit: ScoredCredit) -> bytes:
    """The statement of a credit, canonical."""
    return write_statement(credit.tree, CREDIT, {EXTENSION: _CREDIT.write(credit)})


def freeze_payload(freeze: FiledFreeze) -> bytes:
    """The statement of a freeze, canonical."""
    return write_statement(freeze.tree, FREEZE, {EXTENSION: _FREEZE.write(freeze)})


def logs_payload(logs: RunLogs) -> bytes:
    """The statement of the log of a run, canonical."""
    return write_statement(logs.tree, LOGS, {EXTENSION: _LOGS.write(logs)})


def read_seal(envelope: Envelope) -> SealStatement | Unreadable:
    """The seal in an envelope; one whose digest is not that of its inputs is Unreadable."""
    return _read(envelope, SEAL, _SEAL, SealStatement)


def read_scored_credit(envelope: Envelope) -> CreditStatement | Unreadable:
    """The credit in an envelope; whether it is enough is for policy to say."""
    return _read(envelope, CREDIT, _CREDIT, CreditStatement)


def read_run_logs(envelope: Envelope) -> LogsStatement | Unreadable:
    """The log in an envelope; one that stands there whole under the digest of another is Unreadable."""
    return _read(envelope, LOGS, _LOGS, LogsStatement)


def read_filed_freeze(envelope: Envelope) -> FreezeStatement | Unreadable:
    """The freeze in an envelope; who signed it is not looked at."""
    return _read(envelope, FREEZE, _FREEZE, FreezeStatement)


def _read(
    envelope: Envelope, predicate_type: str, shape: Shape, build: Callable[[Oid, Any], _Read]
) -> _Read | Unreadable:
    try:
        statement = expect(envelope, predicate_type)
        return build(statement.subject, shape.read(extension_of(statement.predicate)))
    except Malformed as reason:
        return Unreadable(str(reason))


def _checked_seal(seal: Seal) -> Seal:
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


def _checked_logs(logs: RunLogs) -> RunLogs:
    whole = logs.tail.encode("utf-8", "surrogatepass")
    if len(whole) == logs.size and _NO_TEXT not in logs.tail and sha256(whole).hexdigest() != logs.log_sha256:
        raise Malformed("has another log_sha256 than its log")
    return logs


_SEAL = Shape(_SEAL_FIELDS.write, lambda value: _checked_seal(_SEAL_FIELDS.read(value)))
_LOGS = Shape(_LOGS_FIELDS.write, lambda value: _checked_logs(_LOGS_FIELDS.read(value)))
