"""E_CHECK_SILENCED: never blocks; warns for a whole file, advises for the rest, says nothing of what was there."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import ADVICE, WARN
from agentgate_git.policy.weakening.check_silenced import silenced_findings
from agentgate_git.source.facts import read_facts

PLAIN = "import os\n"


def severities(before: dict[str, str], after: dict[str, str]) -> list[str]:
    old, new = ([read_facts(path, text.encode()) for path, text in files.items()] for files in (before, after))
    return [finding.severity for finding in silenced_findings(old, new)]


NOTHING = {
    "it was there": ({"a.py": "import os  # noqa\n"}, {"a.py": "import os  # noqa\nimport re\n"}),
    "it moved": ({"a.py": "import os  # noqa\n", "b.py": ""}, {"a.py": "", "b.py": "import os  # noqa\n"}),
    "it was taken out": ({"a.py": "import os  # noqa\n"}, {"a.py": PLAIN}),
    "a code in a new file": ({}, {"pkg/__init__.py": "from pkg.a import b  # noqa: F401\n"}),
    "a code in a test": ({"tests/test_a.py": PLAIN}, {"tests/test_a.py": "import os  # noqa: F401\n"}),
}
TOLD = {
    "a code": ({"a.py": PLAIN}, {"a.py": "import os  # noqa: F401\n"}, ADVICE),
    "a line": ({"a.py": PLAIN}, {"a.py": "import os  # noqa\n"}, ADVICE),
    "one more of the same": ({"a.py": "a()  # noqa\n"}, {"a.py": "a()  # noqa\nb()  # noqa\n"}, ADVICE),
    "a line of a test": ({"tests/test_a.py": PLAIN}, {"tests/test_a.py": "import os  # noqa\n"}, ADVICE),
    "a file": ({"a.py": PLAIN}, {"a.py": "# ruff: noqa\nimport os\n"}, WARN),
    "a file of TypeScript": ({"a.ts": "let a\n"}, {"a.ts": "// @ts-nocheck\nlet a\n"}, WARN),
    "a new file": ({}, {"a.py": "# flake8: noqa\nimport os\n"}, ADVICE),
}


@pytest.mark.parametrize(("before", "after"), NOTHING.values(), ids=NOTHING)
def test_silent(before: dict[str, str], after: dict[str, str]) -> None:
    assert [] == severities(before, after)


@pytest.mark.parametrize(("before", "after", "severity"), TOLD.values(), ids=TOLD)
def test_told(before: dict[str, str], after: dict[str, str], severity: str) -> None:
    assert [severity] == severities(before, after)
