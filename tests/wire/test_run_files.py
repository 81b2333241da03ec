"""A run's files: what is read, what counts as missing, and that no bytes raise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.run_record import Credit, Freeze, RunRecord
from agentgate_git.wire.run_files import read_credit, read_freeze, read_run_record
from testing.run_cases import as_bytes, good

READERS = (read_run_record, read_credit, read_freeze)


def test_a_record_is_read() -> None:
    assert RunRecord(
        author_job="model-session-17",
        runner_job="server-job-88",
        digest_status="sealed",
        logs_present=True,
        logs_after_seal=True,
        failed_tests=("t",),
        proposal_id="p-2026-10-12-014",
        patch_path="patches/014.diff",
        log_visibility="hidden",
    ) == read_run_record(as_bytes(good("record") | {"failed_tests": ["t"]}) or b"")


def test_a_credit_is_read() -> None:
    assert Credit(
        credit_id="credit-014",
        digest="abc123",
        credited=("apply_discount", "tax_cents"),
        test_ids=("prop-discount-bounds", "prop-tax-bounds"),
        missing=(),
        tautologies=(),
        is_pass=True,
    ) == read_credit(as_bytes(good("credit")) or b"")


def test_a_freeze_is_read() -> None:
    assert Freeze(
        author_job="reviewer-job-2",
        runner_job="server-job-88",
        runner_digest="abc123",
        credit_id="credit-014",
        test_id="test_report_timezone_flake",
        expires_at="2026-10-19T00:00:00+00:00",
        freeze_id="fz-014",
    ) == read_freeze(as_bytes(good("freeze")) or b"")


def test_null_says_that_there_is_no_freeze() -> None:
    assert read_freeze(b" null\n") is None
    assert "is no JSON object" == read_credit(b"null").problem


@pytest.mark.parametrize("extra", [{"note": "x"}, {"version": 1}, {"nested": {"a": [1, None, True]}}])
def test_members_that_are_not_known_are_ignored(extra: dict[str, Any]) -> None:
    for read, name in zip(READERS, ("record", "credit", "freeze"), strict=True):
        assert read(as_bytes(good(name)) or b"") == read(as_bytes(good(name) | extra) or b"")


def test_the_schema_may_be_said() -> None:
    said = good("freeze") | {"schema": "agentgate.freeze/1"}
    assert read_freeze(as_bytes(good("freeze")) or b"") == read_freeze(as_bytes(said) or b"")


BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "is not JSON"),
    "truncated": (b'{"credit_id": "credit-014", "pass": tr', "is not JSON"),
    "no UTF-8": (b'{"a": "\xff"}', "is not UTF-8"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "is not JSON"),
    "a list": (b"[]", "is no JSON object"),
    "a key twice": (b'{"pass": false, "pass": true}', "two members of the same name"),
    "a key twice, deep down": (b'{"x": [{"a": 1, "a": 1}]}', "two members of the same name"),
    "too deep": (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nests deeper"),
    "too long": (b'{"x": "' + b"a" * (1 << 20) + b'"}', "is longer than"),
    "a float": (b'{"x": 0.5}', "a number that is no integer"),
    "not a number": (b'{"x": NaN}', "a number that is no integer"),
    "two objects": (b"{}{}", "is not JSON"),
    "a later version": (b'{"version": 2}', "is of version 2"),
    "a version that is a flag": (b'{"version": true}', "is of version True"),
    "a version as text": (b'{"version": "1"}', "is of version '1'"),
    "a version that is nothing": (b'{"version": null}', "is of version None"),
    "a schema of something else": (b'{"schema": "agentgate.verify/1"}', "is of schema 'agentgate.verify/1'"),
    "a later schema": (b'{"schema": "agentgate.freeze/2"}', "is of schema 'agentgate.freeze/2'"),
}


@pytest.mark.parametrize(("data", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_a_value_with_a_reason(data: bytes, reason: str) -> None:
    for read, at_its_strictest in zip(READERS, (RunRecord(), Credit(), Freeze()), strict=True):
        found = read(data)
        assert found is not None
        assert reason in found.problem
        assert at_its_strictest == found._replace(problem="")


WRONG: dict[str, Any] = {"null": None, "a number": 1, "text": "true", "an object": {}, "a mixed list": ["a", 1, ""]}


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG)
def test_a_member_of_the_wrong_type_counts_as_missing(value: Any) -> None:
    lists = ("credited", "test_ids", "missing", "tautologies")
    wrong = dict.fromkeys(("pass", *lists), value)
    assert Credit() == read_credit(as_bytes(wrong) or b"")
    flags = dict.fromkeys(("logs_present", "logs_after_seal"), value)
    assert RunRecord() == read_run_record(as_bytes(flags) or b"")


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [([], ()), (["t", "u"], ("t", "u")), (None, ("",)), ("t", ("",)), ({}, ("",)), (["t", 1, None], ("t", "", ""))],
)
def test_failed_tests_that_cannot_be_read_are_failed_tests(given_value: Any, expected: tuple[str, ...]) -> None:
    assert expected == read_run_record(json.dumps({"failed_tests": given_value}).encode()).failed_tests


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_no_bytes_raise(data: bytes) -> None:
    for read in READERS:
        read(data)
