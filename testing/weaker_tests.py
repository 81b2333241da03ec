"""One test of the base against one head, as the check of assertions judges the two."""

from __future__ import annotations

from textwrap import indent

from agentgate_git.model.code import ASSERT_WEAKENED
from agentgate_git.model.facts import FileFacts
from agentgate_git.policy.weakening.assert_weakened import assert_findings
from agentgate_git.policy.weakening.assertion_ledger import settled
from agentgate_git.source.facts import read_facts

HEAD = "import math, re, sys, unittest\nfrom unittest import mock\nimport pytest\nfrom app.calc import total, scale\n\n"
SCALE = "\n\ndef test_scale():\n    assert scale(2, 3) == 6\n"
OTHER_CODE = {"app/calc.py": "def total(xs):\n    return len(xs)\n"}
CODE = {"app/calc.py": "def total(xs):\n    return sum(xs)\n"}


Files = dict[str, str]


def one(body: str, before: str = "", arguments: str = "") -> str:
    """A file with `test_total` of this body, and another test that stays as it is."""
    return f"{before}def test_total({arguments}):\n{indent(body, '    ')}\n{SCALE}"


BASE = one("assert total([1, 2]) == 3")


def facts(files: Files) -> tuple[FileFacts, ...]:
    return tuple(
        read_facts(path, ((HEAD if path.startswith("tests") else "") + text).encode()) for path, text in files.items()
    )


def severities(base: Files, head: Files) -> list[str]:
    changed = [path for path in base.keys() | head.keys() if base.get(path) != head.get(path)]
    old, new = ({path: files[path] for path in changed if path in files} for files in (base, head))
    found = assert_findings(settled(facts(old), facts(new)))
    assert {ASSERT_WEAKENED} >= {finding.code for finding in found}
    return sorted({finding.severity for finding in found})


def judged(text: str, base: str = BASE, *, with_code: bool = False) -> list[str]:
    before, after = (OTHER_CODE, CODE) if with_code else ({}, {})
    return severities({"tests/test_a.py": base, **before}, {"tests/test_a.py": text, **after})
