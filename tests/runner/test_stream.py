from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.code import RUN_INCOMPLETE
from agentgate_git.model.packet import NOT_RUN, PASSED, RunReport
from agentgate_git.runner.conclude import judge
from agentgate_git.runner.event_lines import MAX_LINE
from agentgate_git.runner.stream import RunStream

NONCE = "right"
HELLO: dict[str, object] = {
    "event": "hello",
    "pytest": "9.2.0",
    "interpreter": "CPython 3.11.7",
    "platform": "linux x86_64",
    "environment": [["TZ", "UTC"]],
}
EVENTS: tuple[dict[str, object], ...] = (
    HELLO,
    {"event": "session", "plugins": ["pytest-cov 7.0", "agentgate-git 0.1.0"]},
    {"event": "selected", "ids": ["a.py::x", "a.py::y"]},
    {"event": "collected", "count": 2},
    {"event": "ran", "rows": [["a.py::x", "passed"]]},
    {"event": "ran", "rows": [["a.py::y", "passed"]]},
    {"event": "origins", "rows": [["pkg", "/x/pkg.py"]]},
    {"event": "finish", "nonce": NONCE, "status": 0, "warnings": 3},
    {"event": "end", "nonce": NONCE, "status": 0},
)


def numbered(*events: dict[str, object]) -> list[bytes]:
    return [json.dumps({**event, "number": number}).encode() + b"\n" for number, event in enumerate(events)]


def lines(*events: dict[str, object]) -> bytes:
    return b"".join(numbered(*events))


def report_of(data: bytes, step: int = 1 << 20) -> RunReport:
    stream = RunStream(NONCE)
    for start in range(0, len(data), step):
        stream.feed(data[start : start + step])
    return stream.report(0, "then", "now", ())


def test_a_whole_run_is_a_pass() -> None:
    report = report_of(lines(*EVENTS))
    assert () == judge(report)
    assert (("a.py::x", PASSED), ("a.py::y", PASSED)) == report.outcomes
    assert ("pytest 9.2.0", "pytest-cov 7.0") == report.plugins


@given(st.integers(min_value=1, max_value=40))
def test_where_the_bytes_are_cut_does_not_matter(step: int) -> None:
    data = lines(*EVENTS)
    assert report_of(data) == report_of(data, step)


def test_an_event_that_is_not_known_changes_nothing() -> None:
    assert report_of(lines(*EVENTS)) == report_of(lines({"event": "from the future"}, *EVENTS))


@pytest.mark.parametrize("position", range(len(EVENTS)), ids=[str(event["event"]) for event in EVENTS])
def test_a_run_that_lost_a_line_is_no_pass(position: int) -> None:
    kept = numbered(*EVENTS)
    del kept[position]
    assert (RUN_INCOMPLETE,) == tuple(finding.code for finding in judge(report_of(b"".join(kept))))


@given(st.binary(min_size=1, max_size=200))
def test_a_run_with_noise_is_no_pass(noise: bytes) -> None:
    assert judge(report_of(lines(*EVENTS) + noise))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from([str(event["event"]) for event in EVENTS]),
    st.sampled_from(["ids", "id", "count", "status", "nonce", "rows", "plugins", "environment", "text"]),
)
def test_any_value_in_any_field_is_taken(value: object, event: str, field: str) -> None:
    report_of(lines({"event": event, field: value}))


def test_x02_a_report_with_another_nonce_is_not_this_run() -> None:
    old = tuple({**event, "nonce": "old"} if "nonce" in event else event for event in EVENTS)
    report = report_of(lines(*old))
    assert not report.is_finished
    assert (RUN_INCOMPLETE,) == tuple(finding.code for finding in judge(report))


def test_an_outcome_that_is_none_is_refused() -> None:
    report = report_of(lines(*EVENTS[:4], {"event": "ran", "rows": [["a.py::x", "splendid"]]}))
    assert report.problems


def test_ids_after_the_collection_are_refused() -> None:
    report = report_of(lines(*EVENTS[:4], {"event": "selected", "ids": ["a.py::z"]}))
    assert ("a.py::x", "a.py::y") == report.selected
    assert report.problems


def test_what_ran_without_being_selected_comes_last() -> None:
    report = report_of(lines(*EVENTS[:4], {"event": "ran", "rows": [["b.py::z", "passed"]]}))
    assert (("a.py::x", NOT_RUN), ("a.py::y", NOT_RUN), ("b.py::z", PASSED)) == report.outcomes


def test_an_endless_line_is_let_go() -> None:
    stream = RunStream(NONCE)
    for _ in range(18):
        stream.feed(b"x" * (1 << 20))
    assert stream.report(0, "", "", ()).problems
    assert MAX_LINE == 16 << 20
