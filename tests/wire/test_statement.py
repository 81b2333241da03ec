"""Statements: exactly one tree, canonical bytes, and a reason for everything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.model.evidence import Envelope
from agentgate_git.wire.canonical import encode
from agentgate_git.wire.dsse import IN_TOTO
from agentgate_git.wire.statement import (
    STATEMENT,
    Statement,
    Unreadable,
    read_statement,
    subject_mismatch,
    unsigned,
    write_statement,
)
from testing.records import SOME_TREE

OTHER = "b" * 40
GOOD: dict[str, Any] = {
    "_type": STATEMENT,
    "subject": [{"name": "tree", "digest": {"gitTree": SOME_TREE}}],
    "predicateType": "https://example.org/p/v1",
    "predicate": {"a": 1},
}


def test_what_is_written_is_read() -> None:
    payload = write_statement(SOME_TREE, "https://example.org/p/v1", {"a": 1})
    assert encode(GOOD) == payload
    assert Statement(SOME_TREE, "https://example.org/p/v1", {"a": 1}) == read_statement(unsigned(payload))


def test_b07_a_tree_of_a_sha256_repository_is_a_subject() -> None:
    tree = "c" * 64
    assert Statement(tree, "p", {}) == read_statement(unsigned(write_statement(tree, "p", {})))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(
            {"_type": "https://in-toto.io/Statement/v0.1"}, "is no in-toto Statement v1", id="an older version"
        ),
        pytest.param({"subject": []}, "is not about exactly one tree", id="no subject"),
        pytest.param({"subject": GOOD["subject"] * 2}, "is not about exactly one tree", id="two subjects"),
        pytest.param({"subject": [{"digest": {"sha256": "a" * 64}}]}, "is not about exactly one tree", id="no tree"),
        pytest.param({"subject": [{"digest": {"gitTree": "A" * 40}}]}, "is not about exactly one tree", id="capitals"),
        pytest.param({"subject": [{"digest": {"gitTree": "abc"}}]}, "is not about exactly one tree", id="abbreviated"),
        pytest.param({"subject": "tree"}, "is not about exactly one tree", id="text"),
        pytest.param({"predicate": []}, "has no predicate", id="a list for a predicate"),
        pytest.param({"predicateType": None}, "has no predicate", id="no predicate type"),
    ],
)
def test_what_is_no_statement_about_one_tree(change: dict[str, Any], reason: str) -> None:
    assert Unreadable(reason) == read_statement(unsigned(encode({**GOOD, **change})))


def test_another_payload_type_is_unreadable() -> None:
    assert Unreadable("is no in-toto statement but text/plain") == read_statement(Envelope(encode(GOOD), "text/plain"))


def test_b24_a_statement_that_is_not_canonical_is_unreadable() -> None:
    payload = json.dumps(GOOD).encode()
    assert Unreadable("is not written in canonical JSON") == read_statement(unsigned(payload))


@settings(deadline=None, max_examples=200)
@given(st.binary())
def test_any_payload_gives_a_statement_or_a_reason(payload: bytes) -> None:
    assert isinstance(read_statement(Envelope(payload, IN_TOTO)), Statement | Unreadable)


@pytest.mark.parametrize(
    ("subject", "tree", "key", "message"),
    [
        pytest.param(SOME_TREE, SOME_TREE, SOME_TREE, "", id="all the same"),
        pytest.param(
            SOME_TREE,
            SOME_TREE,
            OTHER,
            f"the record is about tree {SOME_TREE} and is kept under {OTHER}",
            id="copied note",
        ),
        pytest.param(
            OTHER,
            SOME_TREE,
            OTHER,
            f"the record is about tree {SOME_TREE}, its statement about {OTHER}",
            id="new subject",
        ),
    ],
)
def test_b29_the_trees_of_record_statement_and_key_must_agree(subject: str, tree: str, key: str, message: str) -> None:
    assert message == subject_mismatch(subject, tree, key)
