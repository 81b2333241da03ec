"""Reporters, runners and environments of JavaScript's test tools that put their own result in place of the real one.

A tool loads them by a path in its configuration, so they may lie anywhere: they are known by the methods that the tool
calls. Found by words, line by line: nothing of production is parsed for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of

MAX_FORCED = 200
# Methods that jest, vitest, playwright, mocha, jasmine, karma and node:test call with what came out of the tests.
_REPORTS = pattern_of(
    rb"\b(?:onRunComplete|onTestResult|onTestFileResult|onTestRunEnd|onTestCaseResult|handleTestEvent|jasmineDone|specDone"
    rb"|onBrowserComplete|onTestEnd|EVENT_RUN_END|EVENT_TEST_FAIL)\b|\.numFail(?:ed|ing)(?:Tests|TestSuites)\s{0,9}=[^=]"
    rb"|extends\s{1,9}[\w.]{0,80}(?:TestRunner|Reporter|TestSequencer)\b|\brunner\.(?:on|once)\(\s{0,9}['\"](?:end|fail)['\"]"
    rb"|\bonEnd\s{0,9}\([^\n]{0,80}\b(?:result|FullResult)\b|\bonFinished\s{0,9}\([^\n]{0,80}\bfiles\b"
)
_FORCED = pattern_of(
    rb"(?<![\w$])(?:num(?:Failed|RuntimeError)\w{0,40}|failures|failureCount|numFailingTests|failedTests)"
    rb"\s{0,9}=\s{0,9}(?:0|\[\])\s{0,9}(?:;|$|\})"
    rb"|(?<![\w$])[\w$]{0,40}[rR]esults?\.success\s{0,9}=\s{0,9}(?:true|!0)\b"
    rb"|\b(?:result|test|testResult|state|task)\.(?:status|state)\s{0,9}=\s{0,9}['\"]pass(?:ed)?['\"]"
    rb"|\breturn\s{0,9}\{\s{0,9}status:\s{0,9}['\"]passed['\"]"
    rb"|\.testExecError\s{0,9}=\s{0,9}(?:null|undefined)\b"
)
# A copy of what the tests came to in which nothing failed: `{ ...results, numFailedTests: 0 }`.
_COPIED = pattern_of(
    rb"(?:\{\s{0,20}\.\.\.[\w$.]{1,60}|Object\.assign\([^(){}]{1,80}\{)[^{}]{0,400}?"
    rb"\b(num(?:Failed|RuntimeError)\w{1,40}|failedTests|success)\s{0,9}:\s{0,9}(?:0|true|!0|\[\])"
)
_SAYS_COUNT = pattern_of(rb"\bnum(?:Failed|RuntimeError)\w{1,40}\s{0,9}:\s{0,9}0\b")
_ENDS = pattern_of(rb"\bprocess\.(?:exit\(\s*0?\s*\)|exitCode\s*=\s*0\b)")
_WORDS = (
    *(b"Reporter", b"onRun", b"onTest", b"onFinished", b"EVENT_", b"TestRunner", b"Sequencer", b"jasmineDone"),
    *(b"onEnd", b"numFail", b"runner."),
)
_COMMENT = pattern_of(rb"\s*(?://|\*|/\*)")
# A reporter sets its own counts to nothing before it starts.
_OWN = pattern_of(rb"(?:\bthis\.(?:stats\.|results?\.)?|\b(?:const|let|var) )$")
_BEFORE = 20


def forced_results(data: bytes) -> Iterator[Trait]:
    """One trait for each line of a reporter that overwrites what the tests came to, or ends their process well."""
    if not any(word in data for word in _WORDS):
        return
    forced: list[Trait] = list(_copied(data))
    if not forced and _REPORTS.search(data) is None:
        return
    ends: list[Trait] = []
    for number, line in enumerate(data.splitlines(), 1):
        if _COMMENT.match(line) or len(forced) + len(ends) >= MAX_FORCED:
            continue
        shown = line.strip()[:120].decode("utf-8", "replace")
        found = _FORCED.search(line)
        before = line[max(0, found.start() - _BEFORE) : found.start()] if found is not None else b""
        if found is not None and _OWN.search(before) is None:
            forced.append(Trait("hook.outcome", shown, number))
        elif _ENDS.search(line) is not None:
            ends.append(Trait("exit.process", shown, number))
    yield from forced
    # To end well is what some do that count for themselves: only beside another result it is sure.
    yield from ends if forced else (one._replace(kind=f"{one.kind}.maybe") for one in ends)


def _copied(data: bytes) -> Iterator[Trait]:
    """A copy of the results in which no test failed, in a file that gives such a copy to others."""
    found = _COPIED.search(data) if _SAYS_COUNT.search(data) is not None else None
    if found is not None:
        line = data.count(b"\n", 0, found.start()) + 1
        yield Trait("hook.outcome", found[0].strip()[:120].decode("utf-8", "replace"), line)
