"""reviewdog's lines."""

from __future__ import annotations

import json

from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.render.rdjsonl import check_rdjsonl
from testing.findings import ODD, SKIPPED, WHOLE_PATH, result_of


def test_nothing_found_is_no_line() -> None:
    assert "" == check_rdjsonl(result_of())


def test_a_line_for_each_finding() -> None:
    first, second = map(json.loads, check_rdjsonl(result_of(SKIPPED, WHOLE_PATH)).splitlines())
    assert {
        "message": "test_one is skipped\nnext: take it out",
        "location": {"path": "tests/test_core.py", "range": {"start": {"line": 3}}},
        "severity": "ERROR",
        "source": {"name": "agentgate-git"},
        "code": {"value": "E_SKIP_MARKER"},
    } == first
    assert {"path": ".github/ci.yml"} == second["location"]


def test_severities() -> None:
    result = result_of(*(SKIPPED._replace(severity=severity) for severity in (BLOCK, WARN, ADVICE)))
    told = [json.loads(line)["severity"] for line in check_rdjsonl(result).splitlines()]
    assert ["ERROR", "WARNING", "INFO"] == told


def test_b35_odd_bytes_harm_no_reader() -> None:
    text = check_rdjsonl(result_of(ODD, SKIPPED))
    assert (True, False, 2) == (text.isascii(), "\\ud" in text, len(text.splitlines()))
    assert "a:b,c\\xe5\n<&>.py" == json.loads(text.splitlines()[0])["location"]["path"]
