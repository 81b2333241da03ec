"""Adoptions and requests as statements: what is written is read back, and neither passes for the other."""

from __future__ import annotations

from typing import Any

import pytest

from agentgate_git.model.adoption import Adoption, Need
from agentgate_git.wire.adoption_statement import ADOPTION, REQUEST, AdoptionStatement, adoption_payload, read_adoption
from agentgate_git.wire.canonical import decode, encode
from agentgate_git.wire.statement import Unreadable, unsigned

SOME = Adoption(
    tree="a" * 40,
    base_tree="b" * 64,
    commit="",
    paths=("ci.yml", "b\udce5.py"),
    tests=("t.py::t",),
    needs=(Need("E_GUARDED_PATH", "ci.yml", "a guarded path is changed"),),
    reason="forks need it",
    made_at="2026-01-31T00:00:00Z",
)


@pytest.mark.parametrize(("kind", "other"), [(ADOPTION, REQUEST), (REQUEST, ADOPTION)])
def test_what_is_written_is_read_back(kind: str, other: str) -> None:
    envelope = unsigned(adoption_payload(SOME, kind))
    assert AdoptionStatement(SOME.tree, SOME) == read_adoption(envelope, kind)
    assert isinstance(read_adoption(envelope, other), Unreadable)


WRONG: dict[str, tuple[str, Any]] = {
    "no tree": ("tree", "x"),
    "paths that are no list": ("paths", "ci.yml"),
    "a time without a zone": ("made_at", "2026-01-31T00:00:00"),
    "a time with an option in it": ("made_at", "2026-01-31T00:00:00Z -O x"),
    "needs that are none": ("needs", [1]),
}


@pytest.mark.parametrize(("field", "value"), WRONG.values(), ids=WRONG)
def test_a_field_that_is_wrong(field: str, value: Any) -> None:
    statement: Any = decode(adoption_payload(SOME, ADOPTION))
    statement["predicate"]["agentgate"][field] = value
    found = read_adoption(unsigned(encode(statement)), ADOPTION)
    assert isinstance(found, Unreadable)
    assert field in found.reason


def test_a_field_that_is_missing() -> None:
    statement: Any = decode(adoption_payload(SOME, ADOPTION))
    del statement["predicate"]["agentgate"]["base_tree"]
    assert Unreadable("base_tree is missing") == read_adoption(unsigned(encode(statement)), ADOPTION)
