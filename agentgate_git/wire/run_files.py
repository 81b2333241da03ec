"""A run's record, credit and freeze as plain JSON files, one object each.

Readers never raise: what cannot be read is a record at its strictest with the reason in `problem`. A member of the
wrong type counts as missing, one that is not known is ignored. `version` (1) and `schema` may be given; a file of
another version is not read.
"""

from __future__ import annotations

from agentgate_git.model.run_record import Credit, Freeze, RunRecord
from agentgate_git.wire.canonical import Malformed, decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.wire.canonical import Json

VERSION = 1
RECORD_SCHEMA = "agentgate.record/1"
CREDIT_SCHEMA = "agentgate.credit/1"
FREEZE_SCHEMA = "agentgate.freeze/1"

_NOTHING_SAID = b"null"


def read_run_record(data: bytes) -> RunRecord:
    """The record of a run."""
    try:
        members = _object(data, RECORD_SCHEMA)
    except Malformed as reason:
        return RunRecord(problem=str(reason))
    return RunRecord(
        author_job=_text(members, "author_job"),
        runner_job=_text(members, "runner_job"),
        digest_status=_text(members, "digest_status"),
        logs_present=_flag(members, "logs_present"),
        logs_after_seal=_flag(members, "logs_after_seal"),
        failed_tests=_failed(members),
        proposal_id=_text(members, "proposal_id"),
        patch_path=_text(members, "patch_path"),
        log_visibility=_text(members, "log_visibility"),
    )


def read_credit(data: bytes) -> Credit:
    """The credit of a run."""
    try:
        members = _object(data, CREDIT_SCHEMA)
    except Malformed as reason:
        return Credit(problem=str(reason))
    return Credit(
        credit_id=_text(members, "credit_id"),
        digest=_text(members, "digest"),
        credited=_names(members, "credited") or (),
        test_ids=_names(members, "test_ids") or (),
        missing=_names(members, "missing"),
        tautologies=_names(members, "tautologies"),
        is_pass=_flag(members, "pass") is True,
    )


def read_freeze(data: bytes) -> Freeze | None:
    """The freeze of a failing test; None for a file that holds `null` and so says that there is none."""
    if data.strip() == _NOTHING_SAID:
        return None
    try:
        members = _object(data, FREEZE_SCHEMA)
    except Malformed as reason:
        return Freeze(problem=str(reason))
    return Freeze(
        author_job=_text(members, "author_job"),
        runner_job=_text(members, "runner_job"),
        runner_digest=_text(members, "runner_digest"),
        credit_id=_text(members, "credit_id"),
        test_id=_text(members, "test_id"),
        expires_at=_text(members, "expires_at"),
        freeze_id=_text(members, "freeze_id"),
    )


def _object(data: bytes, schema: str) -> dict[str, Json]:
    value = decode(data)
    if not isinstance(value, dict):
        raise Malformed("is no JSON object")
    version = value.get("version", VERSION)
    if type(version) is not int or version != VERSION:
        raise Malformed(f"is of version {version!r:.40}, and only {VERSION} is known here")
    if value.get("schema", schema) != schema:
        raise Malformed(f"is of schema {value['schema']!r:.80}, not {schema}")
    return value


def _text(members: dict[str, Json], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _flag(members: dict[str, Json], name: str) -> bool | None:
    value = members.get(name)
    return value if isinstance(value, bool) else None


def _names(members: dict[str, Json], name: str) -> tuple[str, ...] | None:
    """A list of names, None when it is not there or holds anything else."""
    value = members.get(name)
    names = tuple(one for one in value if isinstance(one, str) and one) if isinstance(value, list) else ()
    return names if isinstance(value, list) and len(names) == len(value) else None


def _failed(members: dict[str, Json]) -> tuple[str, ...] | None:
    """What cannot be read as a list of ids counts as a failed test without a name, which no freeze can cover."""
    if "failed_tests" not in members:
        return None
    value = members["failed_tests"]
    if not isinstance(value, list):
        return ("",)
    return tuple(one if isinstance(one, str) else "" for one in value)
