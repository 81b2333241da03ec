"""Drift by name."""

from __future__ import annotations

from typing import Any

import pytest

from agentgate_git.model.packet import Packet
from agentgate_git.model.verdict import DRIFT_FIELDS, DriftDetail, FileDrift
from agentgate_git.policy.runs.drift import drift_of
from agentgate_git.policy.runs.drift import tests_drift as drift_of_tests

PACKET = Packet(
    tree="a" * 40,
    base_tree="b" * 40,
    commit="c" * 40,
    author_job="job",
    codes=(),
    tests_sha256="1" * 64,
    node_count=2,
    tests_by_file=(("tests/test_a.py", 1, "aa"), ("tests/test_b.py", 1, "bb")),
    outcomes_sha256="2" * 64,
    outcomes=(("passed", 2),),
    outcome_lines=("passed tests/test_a.py::test_one", "passed tests/test_b.py::test_two"),
    failed=(),
    trimmed=(),
    deselected_count=0,
    reruns=(),
    warnings=0,
    interpreter="CPython 3.11.7",
    platform="Linux",
    argv=("-q",),
    plugins=(),
    environment=(("CI", "true"), ("TZ", "UTC")),
    isolation="in-place",
    untracked_count=0,
    untracked_sha256="",
    foreign_imports=(),
    manifest_sha256="3" * 64,
    exit_status=0,
    nonce="n",
    tool="agentgate",
    started_at="2026-01-01T00:00:00Z",
    finished_at="2026-01-01T00:00:01Z",
)

CHANGES: dict[str, tuple[dict[str, Any], DriftDetail]] = {
    "tree": ({"tree": "d" * 40}, DriftDetail("tree", "a" * 40, "d" * 40)),
    "tests": ({"tests_sha256": "9" * 64}, DriftDetail("tests", "1" * 64, "9" * 64)),
    "node_count": ({"node_count": 3}, DriftDetail("node_count", "2", "3")),
    "interpreter": ({"interpreter": "PyPy"}, DriftDetail("interpreter", "CPython 3.11.7", "PyPy")),
    "env": ({"environment": (("CI", "true"), ("TZ", "CET"))}, DriftDetail("env", "TZ=UTC", "TZ=CET")),
    "manifest": ({"manifest_sha256": ""}, DriftDetail("manifest", "3" * 64, "")),
    "argv": ({"argv": ("-q", "a b")}, DriftDetail("argv", "-q", "-q 'a b'")),
    "isolation": ({"isolation": "scratch"}, DriftDetail("isolation", "in-place", "scratch")),
}


@pytest.mark.parametrize(("changes", "expected"), CHANGES.values(), ids=CHANGES)
def test_each_field_drifts_by_its_name(changes: dict[str, Any], expected: DriftDetail) -> None:
    assert (expected,) == drift_of(PACKET, PACKET._replace(**changes))


def test_fields_come_in_the_published_order() -> None:
    everything: dict[str, Any] = {}
    for changes, _ in CHANGES.values():
        everything |= changes
    assert DRIFT_FIELDS == tuple(row.field for row in drift_of(PACKET, PACKET._replace(**everything)))


def test_what_says_nothing_about_the_subject_is_no_drift() -> None:
    later = PACKET._replace(finished_at="2027-01-01T00:00:00Z", nonce="m", warnings=3, commit="e" * 40)
    assert () == drift_of(PACKET, later)


NOW = PACKET._replace(tests_by_file=(("tests/test_a.py", 2, "ab"), ("tests/test_c.py", 1, "cc")))
IDS = ("tests/test_a.py::test_one", "tests/test_a.py::test_new[a b]", "tests/test_c.py::test_three")


def test_added_and_removed_ids_are_named_by_file() -> None:
    assert (
        FileDrift("tests/test_a.py", 1, 2, added=("tests/test_a.py::test_new[a b]",)),
        FileDrift("tests/test_b.py", 1, 0, removed=("tests/test_b.py::test_two",)),
        FileDrift("tests/test_c.py", 0, 1, added=("tests/test_c.py::test_three",)),
    ) == drift_of_tests(PACKET, NOW, IDS)


def test_counts_remain_where_ids_were_not_kept() -> None:
    recorded = PACKET._replace(outcome_lines=())
    assert (
        FileDrift("tests/test_a.py", 1, 2),
        FileDrift("tests/test_b.py", 1, 0),
        FileDrift("tests/test_c.py", 0, 1),
    ) == drift_of_tests(recorded, NOW, IDS)


def test_equal_files_are_left_out() -> None:
    assert () == drift_of_tests(PACKET, PACKET, ())
