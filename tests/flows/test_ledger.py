"""The ledger verbs on JSON lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.evidence.memory import MemoryLedger
from agentgate_git.flows.ledger import append, cat, load, summarise
from agentgate_git.model.evidence import AppendReport, Entry
from agentgate_git.model.failure import UsageFailure
from testing.records import open_ledger, some_key, some_line
from testing.repo_builder import RepoBuilder

KEY = some_key(0)
SPACED = b'{"payloadType": "t", "payload": "e30=", "signatures": []}'


def test_lines_are_stored_under_one_object_and_given_back_as_they_were() -> None:
    ledger = MemoryLedger()
    lines = [some_line(1) + b"\n", b"\n", SPACED + b"\r\n", some_line(1)]
    assert AppendReport(2, 0, "") == append(ledger, "packets", KEY, lines)
    assert sorted([some_line(1), SPACED]) == list(cat(ledger, "packets", KEY))


def test_an_object_without_records_gives_nothing() -> None:
    assert [] == list(cat(MemoryLedger(), "packets", KEY))


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.integers(0, 5), st.lists(st.integers(0, 5), min_size=1)))
def test_what_cat_writes_is_what_import_reads(content: dict[int, list[int]]) -> None:
    source, copy = MemoryLedger(), MemoryLedger()
    for key, numbers in content.items():
        source.append("packets", [Entry(some_key(key), some_line(number)) for number in numbers])
    written = list(cat(source, "packets"))
    assert len(written) == load(copy, "packets", written).written
    assert list(source.read_all("packets")) == list(copy.read_all("packets"))
    assert 0 == load(copy, "packets", written).written


def test_an_envelope_that_is_not_canonical_keeps_its_bytes_through_cat_and_import() -> None:
    source, copy = MemoryLedger(), MemoryLedger()
    append(source, "packets", KEY, [SPACED])
    (row,) = cat(source, "packets")
    assert b'{"object":"%b","envelope":%b}' % (KEY.encode(), SPACED) == row
    load(copy, "packets", [row + b"\n"])
    assert [SPACED] == list(cat(copy, "packets", KEY))


def test_rows_in_another_order_are_imported_too() -> None:
    ledger = MemoryLedger()
    row = b' {"envelope": %b, "object": "%b"}' % (some_line(1), KEY.encode())
    load(ledger, "packets", [row, b"\n"])
    assert [some_line(1)] == list(cat(ledger, "packets", KEY))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param(b"hello", "line 2 cannot be imported: it is not JSON", id="prose"),
        pytest.param(b"[]", "line 2 cannot be imported: it has no object id", id="a list"),
        pytest.param(b'{"envelope":{}}', "line 2 cannot be imported: it has no object id", id="no object"),
        pytest.param(b'{"object":"HEAD","envelope":{}}', "'HEAD' is no object id of this repository", id="a name"),
        pytest.param(b'{"object":"%b","envelope":{}}' % KEY.encode(), "record 2 cannot be stored", id="no envelope"),
        pytest.param(b'{"object":"%b"}' % KEY.encode(), "record 2 cannot be stored", id="nothing to store"),
    ],
)
def test_one_line_that_cannot_be_read_and_nothing_is_imported(row: bytes, message: str) -> None:
    ledger = MemoryLedger()
    good = b'{"object":"%b","envelope":%b}' % (KEY.encode(), some_line(1))
    with pytest.raises(UsageFailure, match=message):
        load(ledger, "packets", [good, row])
    assert [] == list(cat(ledger, "packets"))


def test_a_summary_counts_records_and_lines_that_are_none(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        append(ledger, "packets", KEY, [some_line(1), some_line(2)])
        repo.git("notes", "--ref=agentgate/packets", "append", "-m", "prose", KEY)
        assert [b'{"bad_lines":1,"lines":2,"object":"%b"}' % KEY.encode()] == list(summarise(ledger, "packets"))
