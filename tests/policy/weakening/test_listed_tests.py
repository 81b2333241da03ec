"""Lists of tests to leave out and files of cases: base and head of a change set, allow rows first."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import SKIP_MARKER, TEST_REMOVED
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.listed_tests import listed_findings
from agentgate_git.policy.weakening.trait_changes import Changes
from agentgate_git.source.facts import read_facts
from testing.change_sets import Files, facts_of

TEST = "def test_dns():\n    assert resolve('a')\n"
LISTED = "# one name a line\ntest_dns\n"
CASES = '[\n {"id": "int", "text": "5"},\n {"id": "off", "text": "off"},\n {"id": "word", "text": "blue"}\n]\n'
FEWER = CASES.replace(' {"id": "off", "text": "off"},\n', "")
KEYED = '{"int": {"text": "5"}, "off": {"text": "off"}}'
YAML = "- id: int\n  text: 5\n- id: off\n  text: off\n"
HELD = "cases:\n  - {id: int, text: 5}\n  - {id: off, text: off}\n"
CSV = "id,text\nint,5\noff,off\n"

HOOK = (
    "import pytest\n{0} = {{'test_x'}}\ndef pytest_collection_modifyitems(items):\n    for item in items:\n"
    "        if item.name in {0}:\n            item.add_marker(pytest.mark.{1})\n"
)


def of_hook(name: str, mark: str, path: str = "tests/conftest.py") -> tuple[Files, Files]:
    """A hook that marks the tests of a list, which gains a name."""
    text = HOOK.format(name, mark)
    return {path: text}, {path: text.replace("{'test_x'}", "{'test_x', 'test_b'}")}


ALLOWED: dict[str, tuple[Files, Files]] = {
    "a list that shrinks": ({"test/quarantine.txt": LISTED}, {"test/quarantine.txt": "# none left\n"}),
    "a name in a comment": (
        {"test/quarantine.txt": LISTED},
        {"test/quarantine.txt": f"{LISTED}# test_b left in 2.0\n"},
    ),
    "a list in another order": ({"xfails.txt": "test_b\ntest_a\n"}, {"xfails.txt": "test_a\ntest_b\n"}),
    "a list that moved": ({"test/skip.txt": LISTED}, {"test/skip.txt": "", "test/unit/skip.txt": LISTED}),
    "a list of other things": ({"docs/excluded.txt": "index\n"}, {"docs/excluded.txt": "index\nabout\n"}),
    "a test that comes with its name on the list": (
        {"test/flaky.txt": LISTED},
        {"test/flaky.txt": f"{LISTED}test_slow\n", "test/test_a.py": TEST.replace("dns", "slow")},
    ),
    "a file of tests in a list of durations": ({"test/times.json": "{}"}, {"test/times.json": '{"test_a": 1}'}),
    "more cases": ({"tests/cases.json": FEWER}, {"tests/cases.json": CASES}),
    "cases laid out anew": ({"tests/cases.json": CASES}, {"tests/cases.json": CASES.replace("\n ", " ")}),
    "an edited case": ({"tests/cases.json": CASES}, {"tests/cases.json": CASES.replace("blue", "red")}),
    "cases in two files": (
        {"tests/cases.json": CASES},
        {"tests/cases.json": FEWER, "tests/cases_words.json": '[{"id": "off", "text": "off"}]'},
    ),
    "a file of cases that is gone": ({"tests/cases.json": CASES}, {}),
    "data of the product": ({"app/cases.json": CASES}, {"app/cases.json": FEWER}),
    "YAML with comments": ({"tests/cases.yaml": YAML}, {"tests/cases.yaml": f"# of 2.0\n{YAML}"}),
    "more of YAML": ({"tests/cases.yaml": YAML}, {"tests/cases.yaml": f"{YAML}- id: word\n  text: blue\n"}),
    "another heading": ({"tests/cases.csv": CSV}, {"tests/cases.csv": CSV.replace("id,", "name,")}),
    "a list of slow tests": of_hook("SLOW", "slow"),
    "a list in code that shrinks": of_hook("SKIPPED", "skip")[::-1],
    "a list of texts": ({"tests/skips.py": "WORDS = ['a']\n"}, {"tests/skips.py": "WORDS = ['a', 'a test_b c']\n"}),
}
WARNED: dict[str, tuple[Files, Files]] = {
    "cases of a function that is gone": (
        {"tests/cases.json": CASES, "app/flags.py": "def off():\n    return 1\n"},
        {"tests/cases.json": FEWER, "app/flags.py": "def on():\n    return 1\n"},
    ),
    "fewer cases and others": (
        {"tests/cases.json": CASES},
        {"tests/cases.json": FEWER.replace("blue", "red").replace(' {"id": "int", "text": "5"},\n', "")},
    ),
}
BLOCKED: dict[str, tuple[Files, Files]] = {
    "a name more": ({"test/quarantine.txt": LISTED}, {"test/quarantine.txt": f"{LISTED}test_backoff\n"}),
    "an id more": ({"ci/xfail.txt": LISTED}, {"ci/xfail.txt": f"{LISTED}tests/test_a.py::TestA::test_b[1-x]\n"}),
    "a name more in JSON": (
        {"tests/known_failures.json": '["test_a"]'},
        {"tests/known_failures.json": '["test_a", "test_b"]'},
    ),
    "a name more in YAML": (
        {"deselected.yaml": "tests:\n- test_a\n"},
        {"deselected.yaml": "tests:\n- test_a\n- test_b\n"},
    ),
    "a list that was empty": ({"tests/broken-tests.txt": ""}, {"tests/broken-tests.txt": "test_a.ATest.test_b\n"}),
    "a name more beside a repair": (
        {"test/flaky.txt": LISTED, "app/a.py": "def a():\n    return 1\n"},
        {"test/flaky.txt": f"{LISTED}test_b\n", "app/a.py": "def a():\n    return 2\n"},
    ),
    "a case less": ({"tests/cases.json": CASES}, {"tests/cases.json": FEWER}),
    "a case less beside other work": (
        {"tests/cases.json": CASES, "app/a.py": "def a():\n    return 1\n"},
        {"tests/cases.json": FEWER, "app/a.py": "def a():\n    return 1\n\n\ndef b():\n    return 2\n"},
    ),
    "a case less by its key": ({"tests/vectors.json": KEYED}, {"tests/vectors.json": '{"int": {"text": "5"}}'}),
    "a case less in YAML": ({"tests/cases.yaml": YAML}, {"tests/cases.yaml": YAML.partition("- id: off")[0]}),
    "a case less below a key": ({"tests/cases.yml": HELD}, {"tests/cases.yml": HELD.partition("  - {id: off")[0]}),
    "a case less in a table": ({"tests/table.csv": CSV}, {"tests/table.csv": CSV.replace("off,off\n", "")}),
    "a name more in a conftest": of_hook("NAMES", "skip"),
    "a name more that is expected to fail": of_hook("NAMES", "xfail(reason='x')"),
    "a name more in a module": (
        {"tests/quarantine.py": "NAMES = ['test_x']\n"},
        {"tests/quarantine.py": "NAMES = ['test_x', 'test_b']\n"},
    ),
    "a name more under a name that says so": (
        {"tests/names.py": "KNOWN_FAILURES = frozenset({'test_x'})\n"},
        {"tests/names.py": "KNOWN_FAILURES = frozenset({'test_x', 'tests/test_a.py::test_b'})\n"},
    ),
}


def severities(change: tuple[Files, Files]) -> set[str]:
    found = listed_findings(Changes(*facts_of(*change)))
    return {finding.severity for finding in found if finding.code in (SKIP_MARKER, TEST_REMOVED)}


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED)
def test_nothing_is_said(change: tuple[Files, Files]) -> None:
    assert set() == severities(change)


@pytest.mark.parametrize("change", WARNED.values(), ids=WARNED)
def test_what_is_arguable_warns(change: tuple[Files, Files]) -> None:
    assert {WARN} == severities(change)


@pytest.mark.parametrize("change", BLOCKED.values(), ids=BLOCKED)
def test_what_is_plain_blocks(change: tuple[Files, Files]) -> None:
    assert {BLOCK} == severities(change)


def test_what_is_too_much_to_be_read_is_told() -> None:
    problems = {
        (path, text): read_facts(path, text.encode()).problem
        for path, text in (
            ("tests/quarantine.txt", LISTED),
            ("tests/cases.csv", CSV),
            ("tests/cases.csv", "id\n" + "1\n" * 100_001),
            ("tests/quarantine.txt", "#" * (4 << 20) + LISTED),
        )
    }
    assert ["", "", "it has more than 100,000 rows", "it is larger than 4 MiB"] == list(problems.values())
