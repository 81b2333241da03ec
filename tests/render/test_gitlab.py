"""GitLab's code quality report."""

from __future__ import annotations

import json
from typing import Any

from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.render.gitlab import check_gitlab
from testing.findings import ODD, SKIPPED, WHOLE_PATH, many, result_of


def rows_of(*findings: Finding) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(check_gitlab(result_of(*findings)))
    return rows


def test_nothing_found_is_an_empty_array() -> None:
    assert "[]" == check_gitlab(result_of())


def test_every_field_of_an_issue() -> None:
    (row,) = rows_of(SKIPPED)
    mark = row.pop("fingerprint")
    assert (64, True) == (len(mark), mark.isalnum())
    assert {
        "description": "E_SKIP_MARKER: test_one is skipped\nnext: take it out",
        "check_name": "E_SKIP_MARKER",
        "severity": "blocker",
        "location": {"path": "tests/test_core.py", "lines": {"begin": 3}},
    } == row


def test_a_whole_path_begins_at_its_first_line_and_no_path_is_the_project() -> None:
    whole, nowhere = rows_of(WHOLE_PATH, SKIPPED._replace(path="", line=0))
    assert {"path": ".github/ci.yml", "lines": {"begin": 1}} == whole["location"]
    assert {"path": ".", "lines": {"begin": 1}} == nowhere["location"]


def test_severities() -> None:
    rows = rows_of(*(SKIPPED._replace(severity=severity) for severity in (BLOCK, WARN, ADVICE)))
    assert ["blocker", "minor", "info"] == [row["severity"] for row in rows]


def test_fingerprints_are_unique_and_know_no_line() -> None:
    findings = (SKIPPED, SKIPPED, WHOLE_PATH, *many(50))
    marks = [row["fingerprint"] for row in rows_of(*findings)]
    assert len(findings) == len(set(marks))
    moved = [finding._replace(line=finding.line + 7, commit="d" * 40) for finding in findings]
    assert marks == [row["fingerprint"] for row in rows_of(*moved)]


def test_b35_odd_bytes_harm_no_reader() -> None:
    text = check_gitlab(result_of(ODD))
    assert (True, False) == (text.isascii(), "\\ud" in text)
    (row,) = json.loads(text)
    assert "a:b,c\\xe5\n<&>.py" == row["location"]["path"]
