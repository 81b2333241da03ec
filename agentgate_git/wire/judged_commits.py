"""What a scan found on commits, as lines that are kept, one a commit, with a digest over all of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

from agentgate_git.model.actor import Classification, Reason
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RECORDS: tuple[type[Any], ...] = (Classification, Reason, Finding)


class JudgedCommit(Record):
    """A commit, who it counts as, and the findings on it."""

    oid: Oid
    actor: Classification
    findings: tuple[Finding, ...]


def dump_judged(commits: Iterable[JudgedCommit]) -> bytes:
    """The bytes that `read_judged` reads back equal; TypeError for a record that it would not know."""
    lines = b"".join(_line(one) for one in commits)
    return hashlib.sha256(lines).hexdigest().encode("ascii") + b"\n" + lines


def read_judged(data: bytes) -> Iterator[JudgedCommit]:
    """The commits; `ValueError` for bytes that are not whole or not ours, before the first is given."""
    digest, _, lines = data.partition(b"\n")
    if digest != hashlib.sha256(lines).hexdigest().encode("ascii"):
        raise ValueError("its lines do not have the digest that its first line says")
    return _commits(lines)


def _line(one: JudgedCommit) -> bytes:
    """Three fields with tabs between them, which JSON has none of."""
    if one.actor.commit != one.oid:
        raise TypeError(f"the author of {one.actor.commit} is told of {one.oid}")
    actor = one.actor._replace(commit="")
    parts = (json.dumps(_encoded(field), separators=(",", ":")) for field in (actor, one.findings))
    return "\t".join((one.oid, *parts)).encode("ascii") + b"\n"


def _encoded(value: Any) -> Any:
    """Tuples as lists; a record with its number before its fields, as an object so that no tuple looks like it."""
    if isinstance(value, _RECORDS):
        return {str(_RECORDS.index(type(value))): [_encoded(field) for field in value]}
    if type(value) is tuple:
        return [_encoded(part) for part in value]
    if value is None or type(value) in (str, int, bool):
        return value
    raise TypeError(f"a {type(value).__name__} is not kept with the findings of a scan")


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_decoded, value))
    if isinstance(value, dict):
        ((number, fields),) = value.items()
        return _RECORDS[int(number)](*map(_decoded, fields))
    return value


def _commits(lines: bytes) -> Iterator[JudgedCommit]:
    """The commits of lines. Few actors make them and most have no finding, so equal fields are read once."""
    actors: dict[str, Classification] = {}
    several: dict[str, tuple[Finding, ...]] = {}
    for line in lines.decode("ascii").splitlines():
        try:
            oid, actor, findings = line.split("\t")
            if actor not in actors:
                actors[actor] = _actor(actor)
            if findings not in several:
                several[findings] = _findings(findings)
        except (TypeError, IndexError, AttributeError, RecursionError) as error:
            raise ValueError(f"a line is no judged commit ({error})") from None
        if not is_oid(oid):
            raise ValueError("a line is no judged commit")
        yield JudgedCommit(oid, actors[actor]._replace(commit=oid), several[findings])


def _actor(text: str) -> Classification:
    found = _decoded(json.loads(text))
    if not isinstance(found, Classification):
        raise TypeError("who made it is not told")
    return found


def _findings(text: str) -> tuple[Finding, ...]:
    found = _decoded(json.loads(text))
    if not isinstance(found, tuple) or not all(isinstance(one, Finding) for one in found):
        raise TypeError("what was found is not told")
    return found
