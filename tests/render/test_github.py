"""Workflow commands: what a runner would obey is escaped, and what it would drop is counted."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.github import MAX_OF_A_KIND, check_github
from testing.findings import ODD, SKIPPED, WHOLE_PATH, many, result_of


def lines_of(*findings: Finding) -> list[str]:
    return check_github(result_of(*findings)).split("\n")


def test_nothing_found_is_no_command() -> None:
    assert "" == check_github(result_of())
    assert "note: the range is empty" == check_github(CheckResult((), (), 0, ("the range is empty",)))


def test_a_finding_with_its_place() -> None:
    (line,) = lines_of(SKIPPED)
    command, _, data = line.removeprefix("::").partition("::")
    assert "error file=tests/test_core.py,line=3,title=E_SKIP_MARKER" == command
    assert "in cccccccccccc: test_one is skipped%0Anext: take it out" == data


def test_a_whole_path_and_no_path() -> None:
    assert [
        "::error title=E_SKIP_MARKER::test_one is skipped%0Anext: take it out",
        "::warning file=.github/ci.yml,title=E_GUARDED_PATH::a guarded path is changed%0Anext: ask a human",
    ] == lines_of(SKIPPED._replace(path="", line=0, commit=""), WHOLE_PATH)


@pytest.mark.parametrize(
    ("text", "in_data", "in_property"),
    [
        ("plain ä", "plain ä", "plain ä"),
        ("50%", "50%25", "50%25"),
        ("%0A", "%250A", "%250A"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a:b,c", "a:b,c", "a%3Ab%2Cc"),
        ("\x1b[31m\udce5\u2028", "\\x1b[31m\\udce5\\u2028", "\\x1b[31m\\udce5\\u2028"),
    ],
)
def test_what_is_escaped(text: str, in_data: str, in_property: str) -> None:
    (line,) = lines_of(Finding("E_A", BLOCK, text, text, "go on"))
    assert f"::error file={in_property},title=E_A::{in_data}%0Anext: go on" == line


def test_no_byte_of_the_author_begins_a_line_or_ends_a_property() -> None:
    (line,) = lines_of(ODD)
    properties, _, data = line.removeprefix("::error ").partition("::")
    assert ["file", "title"] == [part.partition("=")[0] for part in properties.split(",")]
    assert data.endswith("next: go on")
    assert not {"\x1b", "\r", "\n", "\udce5"} & set(line)
    noted = check_github(CheckResult((), (), 0, ("a\n::error::b", "::stop-commands::x")))
    assert ["note: a\\n::error::b", "note: ::stop-commands::x"] == noted.split("\n")


def test_ten_of_a_kind_and_the_others_counted() -> None:
    assert 10 == MAX_OF_A_KIND
    lines = lines_of(*many(12), *many(10, WARN), *many(11, ADVICE))
    kinds = [line.split()[0].strip(":") if line.startswith("::") else line for line in lines]
    assert [
        *["error"] * 10,
        "and 2 more of kind error; --format text lists them all",
        *["warning"] * 10,
        *["notice"] * 10,
        "and 1 more of kind notice; --format text lists them all",
    ] == kinds
