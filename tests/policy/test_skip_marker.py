"""E_SKIP_MARKER: base and head of a change set, allow rows first."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import NOT_JUDGED, SKIP_MARKER
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.skip_marker import skip_findings
from agentgate_git.source.python_tests import read_inventory

HEAD = "import sys, unittest\nimport pytest\nfrom app import total\n\n"
A = "def test_a():\n    assert total([1, 2]) == 3\n"
B = "def test_b():\n    assert total([]) == 0\n"
SKIP = "@pytest.mark.skip(reason='flaky')\n"
GUARD = "@pytest.mark.skipif(not has_db(), reason='')\n"

BASE = "class Base:\n    def test_a(self):\n        assert total(1)\n"

Files = dict[str, str]
ONE: Files = {"tests/test_a.py": A + B}


def findings(base: Files, head: Files) -> list[tuple[str, str, str]]:
    inventories = [
        [read_inventory(path, (HEAD + text).encode()) for path, text in side.items()] for side in (base, head)
    ]
    return [(finding.code, finding.severity, finding.path) for finding in skip_findings(*inventories)]


def blocked(path: str = "tests/test_a.py") -> list[tuple[str, str, str]]:
    return [(SKIP_MARKER, BLOCK, path)]


def warned(path: str = "tests/test_a.py") -> list[tuple[str, str, str]]:
    return [(SKIP_MARKER, WARN, path)]


ALLOWED: dict[str, tuple[Files, Files]] = {
    "nothing changed": (ONE, ONE),
    "test edited": (ONE, {"tests/test_a.py": A.replace("3", "4") + B}),
    "test added": (ONE, {"tests/test_a.py": A + B + "def test_c():\n    assert c\n"}),
    "skip removed": ({"tests/test_a.py": SKIP + A}, {"tests/test_a.py": A}),
    "skip reworded": ({"tests/test_a.py": SKIP + A}, {"tests/test_a.py": "@unittest.skip('x')\n" + A}),
    "skip moved with its test": ({"tests/test_a.py": SKIP + A}, {"tests/unit/test_b.py": SKIP + A}),
    "guard kept, test edited": ({"tests/test_a.py": GUARD + A}, {"tests/test_a.py": GUARD + A.replace("3", "4")}),
    "guard removed": ({"tests/test_a.py": GUARD + A}, {"tests/test_a.py": A}),
    "guard that never holds here": (ONE, {"tests/test_a.py": "@pytest.mark.skipif(sys.platform == 'win32')\n" + A + B}),
    "renamed test": (ONE, {"tests/test_a.py": A.replace("test_a", "test_sum") + B}),
    "moved file": (ONE, {"tests/unit/test_sums.py": A + B}),
    "moved into a class": (
        ONE,
        {"tests/test_a.py": "class TestA:\n    def test_a(self):\n        assert total([1, 2]) == 3\n" + B},
    ),
    "test removed": (ONE, {"tests/test_a.py": A}),
    "new test with a guard": (ONE, {"tests/test_a.py": A + B + GUARD + "def test_c():\n    assert c\n"}),
    "new strict xfail": (
        ONE,
        {"tests/test_a.py": A + B + "@pytest.mark.xfail(strict=True)\ndef test_c():\n    assert c\n"},
    ),
    "body moved into a helper that the test calls": (
        ONE,
        {"tests/test_a.py": A.replace("test_a", "check") + "def test_a():\n    check()\n" + B},
    ),
    "tests moved into a base class of another file": (
        {"tests/test_a.py": BASE.replace("Base", "TestA")},
        {
            "tests/bases.py": BASE,
            "tests/test_a.py": "from tests.bases import Base\nclass TestA(Base):\n    pass\n",
        },
    ),
    "one of two heirs dropped": (
        {"tests/test_a.py": BASE + "class TestA(Base):\n    x = 1\nclass TestB(Base):\n    y = 2\n"},
        {"tests/test_a.py": BASE + "class TestA(Base):\n    x = 1\n"},
    ),
    "test with an empty body removed": (
        {"tests/test_a.py": A + "def test_b():\n    pass\n"},
        {"tests/test_a.py": A + "def helper():\n    pass\n"},
    ),
    "new helper": (ONE, {"tests/test_a.py": A + B, "tests/helpers.py": "def helper():\n    return 1\n"}),
    "fixture that skips nothing": (
        ONE,
        {"tests/conftest.py": "@pytest.fixture(autouse=True)\ndef x(tmp_path):\n    pass\n"},
    ),
    "words about skipping": (ONE, {"tests/test_a.py": A + B + "# @pytest.mark.skip\n"}),
}

BLOCKED: dict[str, tuple[Files, Files]] = {
    "skip added": (ONE, {"tests/test_a.py": SKIP + A + B}),
    "xfail added": (ONE, {"tests/test_a.py": "@pytest.mark.xfail\n" + A + B}),
    "strict xfail added": (ONE, {"tests/test_a.py": "@pytest.mark.xfail(strict=True)\n" + A + B}),
    "skip added and test edited": (ONE, {"tests/test_a.py": SKIP + A.replace("3", "4") + B}),
    "skip added and test renamed": (ONE, {"tests/test_a.py": SKIP + A.replace("test_a", "test_sum") + B}),
    "guard turned into a skip": ({"tests/test_a.py": GUARD + A}, {"tests/test_a.py": SKIP + A}),
    "name that is not collected": (ONE, {"tests/test_a.py": A.replace("test_a", "check_a") + B}),
    "body hidden under another name": (
        ONE,
        {"tests/test_a.py": A.replace("test_a", "_a") + "def test_a():\n    pass\n" + B},
    ),
    "body hidden by a second definition": (ONE, {"tests/test_a.py": A + "def test_a():\n    pass\n" + B}),
}

WARNED: dict[str, tuple[Files, Files]] = {
    "guard added": (ONE, {"tests/test_a.py": GUARD + A + B}),
    "second guard added": (
        {"tests/test_a.py": GUARD + A},
        {"tests/test_a.py": GUARD + "@pytest.mark.skipif(sys.platform == 'linux')\n" + A},
    ),
    "guard of a kind the file already used": (
        {"tests/test_a.py": A + GUARD + B},
        {"tests/test_a.py": GUARD + A + GUARD + B},
    ),
    "new test that is skipped": (ONE, {"tests/test_a.py": A + B + SKIP + "def test_c():\n    assert c\n"}),
    "new test that is expected to fail": (
        ONE,
        {"tests/test_a.py": A + B + "@pytest.mark.xfail\ndef test_c():\n    assert c\n"},
    ),
    "expected failure turned into a skip": (
        {"tests/test_a.py": "@pytest.mark.xfail\n" + A},
        {"tests/test_a.py": SKIP + A},
    ),
}


@pytest.mark.parametrize(("base", "head"), ALLOWED.values(), ids=ALLOWED)
def test_allows(base: Files, head: Files) -> None:
    assert [] == findings(base, head)


@pytest.mark.parametrize(("base", "head"), BLOCKED.values(), ids=BLOCKED)
def test_blocks(base: Files, head: Files) -> None:
    assert blocked() == findings(base, head)


@pytest.mark.parametrize(("base", "head"), WARNED.values(), ids=WARNED)
def test_warns(base: Files, head: Files) -> None:
    assert warned() == findings(base, head)


def test_a_test_that_is_moved_and_skipped_is_found_where_it_went() -> None:
    assert blocked("tests/unit/test_b.py") == findings(ONE, {"tests/unit/test_b.py": SKIP + A + B})


def test_a_file_that_is_renamed_out_of_collection_stops_its_tests() -> None:
    assert blocked("tests/checks.py") == findings(ONE, {"tests/checks.py": A + B})


CONFTESTS = {
    "unconditional": ("@pytest.fixture(autouse=True)\ndef x():\n    pytest.skip()\n", BLOCK),
    "by name": (
        "@pytest.fixture(autouse=True)\ndef x(item):\n    if item.node.name == 'test_a':\n        pytest.skip()\n",
        BLOCK,
    ),
    "by hook": ("def pytest_runtest_setup(item):\n    pytest.skip()\n", BLOCK),
    "under a condition": (
        "@pytest.fixture(autouse=True)\ndef x():\n    if not has_db():\n        pytest.skip()\n",
        WARN,
    ),
}


@pytest.mark.parametrize(("text", "severity"), CONFTESTS.values(), ids=CONFTESTS)
def test_a_conftest_that_skips_stands_before_tests_of_other_files(text: str, severity: str) -> None:
    assert [(SKIP_MARKER, severity, "tests/conftest.py")] == findings(ONE, {"tests/conftest.py": text})


def test_one_marker_is_one_finding_that_names_the_tests() -> None:
    base = [read_inventory("tests/test_a.py", (HEAD + A + B).encode())]
    head = [read_inventory("tests/test_a.py", (HEAD + "pytestmark = pytest.mark.skip\n" + A + B).encode())]
    (finding,) = skip_findings(base, head)
    assert "test_a, test_b ran at the base and are now skipped (pytest.mark.skip)" == finding.message
    assert 5 == finding.line


def test_a_forbidden_marker_blocks_where_the_manifest_forbids_it() -> None:
    marked = (HEAD + "@pytest.mark.network\n" + A).encode()
    base = [read_inventory("tests/test_a.py", (HEAD + A).encode(), ("network",))]
    assert [BLOCK] == [
        one.severity for one in skip_findings(base, [read_inventory("tests/test_a.py", marked, ("network",))])
    ]
    assert () == skip_findings(base, [read_inventory("tests/test_a.py", marked)])


BROKEN = b"def test_a(:\n"


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (None, BROKEN, BLOCK),
        (A.encode(), BROKEN, BLOCK),
        (A.encode(), A.encode("utf-16"), BLOCK),
        (BROKEN, BROKEN, WARN),
        (BROKEN, A.encode(), WARN),
    ],
    ids=["new", "broken now", "utf-16 now", "broken before and now", "broken before"],
)
def test_b56_a_test_file_that_cannot_be_read_is_told_and_never_skipped(
    base: bytes | None, head: bytes, expected: str
) -> None:
    before = [read_inventory("test_a.py", base)] if base is not None else []
    found = skip_findings(before, [read_inventory("test_a.py", head)])
    assert [(NOT_JUDGED, expected)] == [(finding.code, finding.severity) for finding in found]
