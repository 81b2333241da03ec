"""The vectors of decide.yaml and merge_rule.yaml as the three files that a decision is made from.

`python -m testing.run_cases >agentgate_git/data/expected_codes.json` makes the corpus that is shipped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from agentgate_git.model.record import Record
from agentgate_git.model.run_record import PRODUCTION

CASES = Path(__file__).parent.parent / "tests/cases"
VECTORS = yaml.safe_load((CASES / "decide.yaml").read_text(encoding="utf-8"))
MERGE_RULE = yaml.safe_load((CASES / "merge_rule.yaml").read_text(encoding="utf-8"))
NOW: str = VECTORS["now"]


class RunCase(Record):
    """One decision: the bytes of each file, None where there is no such file, and the code that must come out."""

    id: str
    record: bytes
    credit: bytes | None
    freeze: bytes | None
    expected: str
    change: str = PRODUCTION


def good(name: str) -> dict[str, Any]:
    """The record, the credit or the freeze of a run that is allowed."""
    return dict(VECTORS["freeze_example"] if name == "freeze" else VECTORS["base"][name])


def as_bytes(members: dict[str, Any] | None) -> bytes | None:
    """The file that holds the members; None for no file."""
    return None if members is None else json.dumps(members).encode()


def decide_cases() -> tuple[RunCase, ...]:
    """Every row of decide.yaml: each part overlays that of the base, and null deletes a key."""
    return tuple(map(_decide_case, VECTORS["rows"]))


def merge_rule_cases() -> tuple[RunCase, ...]:
    """Every row of merge_rule.yaml, with what a row does not name as in a run that is allowed."""
    return tuple(map(_merge_rule_case, MERGE_RULE["rows"]))


def _decide_case(row: dict[str, Any]) -> RunCase:
    return RunCase(
        row["id"],
        as_bytes(_overlaid("record", row)) or b"",
        row["credit_text"].encode() if "credit_text" in row else as_bytes(_overlaid("credit", row)),
        row["freeze_text"].encode() if "freeze_text" in row else as_bytes(row.get("freeze")),
        row["expect"],
    )


def _merge_rule_case(row: dict[str, Any]) -> RunCase:
    when = row["when"]
    record, credit, freeze = good("record"), good("credit"), good("freeze")
    record |= {"missing": {"author_job": ""}, "same": {"runner_job": record["author_job"]}, "split": {}}[when["jobs"]]
    record["digest_status"] = when.get("seal", "sealed")
    record["logs_after_seal"] = when.get("logs") != "early"
    credit["pass"] = when.get("credit", "pass") == "pass"
    freeze["runner_digest"] = "other" if when.get("freeze") == "other-digest" else credit["digest"]
    return RunCase(
        row["id"],
        as_bytes(record) or b"",
        None if when.get("run", "none") == "none" else as_bytes(credit),
        as_bytes(freeze) if when.get("freeze", "none") != "none" else None,
        row["expect"],
        when.get("change", PRODUCTION),
    )


def _overlaid(name: str, row: dict[str, Any]) -> dict[str, Any]:
    members = good(name) | row.get(name, {})
    return {key: value for key, value in members.items() if value is not None}


def corpus() -> str:
    """The text of agentgate_git/data/expected_codes.json."""
    rows = [
        {
            "id": case.id,
            "record": case.record.decode(),
            "credit": case.credit and case.credit.decode(),
            "freeze": case.freeze and case.freeze.decode(),
            "change": case.change,
            "now": NOW,
            "code": case.expected,
        }
        for case in (*decide_cases(), *merge_rule_cases())
    ]
    return json.dumps({"rows": rows}, indent=1) + "\n"


if __name__ == "__main__":
    print(corpus(), end="")
