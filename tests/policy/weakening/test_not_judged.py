"""E_NOT_JUDGED: what cannot be read is told, as harshly as what could be read before deserves."""

from __future__ import annotations

import pytest

from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.model.code import NOT_JUDGED
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.not_judged import unread_findings

TEST = b"def test_a():\n    assert total([1]) == 1\n"
BROKEN = b"def test_a(:\n"
HUGE = b"x = 1\n" * 400_000
PIPELINE = b"on: [push]\njobs:\n  t:\n    steps:\n      - run: pytest\n"
RELEASE = (
    b"on: [push]\njobs:\n  t:\n    steps:\n      - run: echo a=b >> $GITHUB_OUTPUT\n      - run: gh release create\n"
)
BROKEN_PIPELINE = b"on: [push\njobs: *\n"
MODULE = b"import time\n\n\ndef now():\n    return time.time()\n"
PYTHON_2 = MODULE + b'print "now"\n'
TEMPLATE = b"import time\n\n\nclass {{ name }}:\n    pass\n"


def judged(path: str, base: bytes | None, head: bytes) -> list[tuple[str, str]]:
    before = [read_facts(path, base)] if base is not None else []
    return [(one.code, one.severity) for one in unread_findings(before, [read_facts(path, head)])]


@pytest.mark.parametrize(
    ("path", "base", "head"),
    [
        ("test_a.py", TEST, TEST + TEST),
        ("src/app.py", None, PYTHON_2),
        ("src/app.py", PYTHON_2, PYTHON_2 + b"\n"),
        ("src/app.py", PYTHON_2, MODULE),
        ("templates/app.py", None, TEMPLATE),
        ("templates/app.py", TEMPLATE, TEMPLATE + b"\n"),
        ("src/app.py", None, b"import time\nx = '\xe9'\n"),
        ("src/a.bin.py", None, b"import time\0\0"),
    ],
    ids=[
        "a test file",
        "new code for Python 2",
        "code for Python 2",
        "code for Python 3 at last",
        "a new template",
        "a template",
        "a codec that is not told",
        "no text at all",
    ],
)
def test_what_can_be_read_and_what_never_was_python_is_nothing(path: str, base: bytes | None, head: bytes) -> None:
    assert [] == judged(path, base, head)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (None, BROKEN, WARN),
        (TEST, TEST + b"print 'x'\n", WARN),
        (TEST, TEST + b"    assert total([2])\n\tassert total([3])\n", WARN),
        (TEST, b"<<<<<<< HEAD\n" + TEST, WARN),
        (TEST, TEST + b"def test_b[T](x):\n    pass\n", BLOCK),
        (TEST, TEST + b"try:\n    pass\nexcept A, B:\n    pass\n", BLOCK),
        (None, TEST + HUGE, BLOCK),
        (TEST, BROKEN, BLOCK),
        (TEST, TEST.decode().encode("utf-16"), BLOCK),
        (TEST, TEST + HUGE, BLOCK),
        (BROKEN, BROKEN, WARN),
        (BROKEN, TEST, WARN),
    ],
    ids=[
        "new",
        "Python 2 now",
        "tabs among blanks",
        "an open conflict",
        "a grammar that may be newer",
        "another that is newer",
        "new and huge",
        "broken now",
        "utf-16 now",
        "huge now",
        "broken before and now",
        "broken before",
    ],
)
def test_b56_a_test_file_that_cannot_be_read_is_told_and_never_skipped(
    base: bytes | None, head: bytes, expected: str
) -> None:
    assert [(NOT_JUDGED, expected)] == judged("test_a.py", base, head)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (None, BROKEN_PIPELINE, WARN),
        (RELEASE, BROKEN_PIPELINE, WARN),
        (PIPELINE, BROKEN_PIPELINE, BLOCK),
        (BROKEN_PIPELINE, BROKEN_PIPELINE + b"\n", WARN),
    ],
    ids=["new", "a release that is broken now", "broken now", "broken before and now"],
)
def test_a_pipeline_that_cannot_be_read_is_told(base: bytes | None, head: bytes, expected: str) -> None:
    assert [(NOT_JUDGED, expected)] == judged(".github/workflows/ci.yml", base, head)


@pytest.mark.parametrize(
    ("base", "head"),
    [(MODULE, PYTHON_2), (MODULE, MODULE + HUGE), (None, MODULE + HUGE), (MODULE + HUGE, MODULE + HUGE + b"\n")],
    ids=["broken now", "huge now", "new and huge", "huge before and now"],
)
def test_production_that_cannot_be_read_is_a_question_and_no_more(base: bytes | None, head: bytes) -> None:
    assert [(NOT_JUDGED, WARN)] == judged("src/app.py", base, head)
