"""JUnit XML, read again by a parser."""

from __future__ import annotations

from xml.etree import ElementTree

from agentgate_git.model.finding import WARN
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.junit import check_junit
from testing.findings import ODD, SKIPPED, WHOLE_PATH, result_of


def suite_of(result: CheckResult) -> ElementTree.Element:
    text = check_junit(result)
    assert text.isascii()
    suites = ElementTree.fromstring(text.encode())
    (suite,) = suites
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {name: suites.get(name) for name in counts}
    assert counts["tests"] == str(len(suite))
    assert counts["failures"] == str(len(suite.findall("testcase/failure")))
    return suite


def told(suite: ElementTree.Element) -> list[tuple[str | None, bool]]:
    """Each case by name, and whether it passed."""
    return [(case.get("name"), case.find("failure") is None) for case in suite]


def test_nothing_found_is_one_case_that_passed() -> None:
    suite = suite_of(CheckResult((), (), 0, ("the range is empty",)))
    assert ("agentgate", [("decision", True)]) == (suite.get("name"), told(suite))
    assert ["the range is empty"] == [output.text for output in suite.iter("system-out")]


def test_a_case_for_each_code_and_only_what_blocks_fails() -> None:
    suite = suite_of(result_of(WHOLE_PATH, SKIPPED, SKIPPED._replace(line=9), SKIPPED._replace(severity=WARN)))
    assert [("decision", False), ("E_GUARDED_PATH", True), ("E_SKIP_MARKER", False)] == told(suite)
    _, guarded, skip = suite
    assert "warn .github/ci.yml: a guarded path is changed; next: ask a human" == guarded.findtext("system-out")
    failure = skip.find("failure")
    assert failure is not None
    assert "2 blocking finding(s)" == failure.get("message")
    assert [
        "block tests/test_core.py:3 [cccccccccccc]: test_one is skipped; next: take it out",
        "block tests/test_core.py:9 [cccccccccccc]: test_one is skipped; next: take it out",
    ] == (failure.text or "").split("\n")
    assert (skip.findtext("system-out") or "").startswith("warn tests/test_core.py:3")


def test_warnings_alone_pass() -> None:
    assert [("decision", True), ("E_GUARDED_PATH", True)] == told(suite_of(result_of(WHOLE_PATH)))


def test_b35_what_xml_cannot_say_is_spelt_out() -> None:
    (_, case) = suite_of(result_of(ODD))
    failure = case.findtext("failure")
    assert 'block a:b,c\\udce5\\n<&>.py: \\x1b[31m\\udce5 %0A\\r\\n::error::<x a="b">&]]>; next: go on' == failure
