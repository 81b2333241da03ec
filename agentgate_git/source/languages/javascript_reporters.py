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
    rb"\b(?:onRunComplete|onTestResult|onTestFileResult|onTestRunEnd|onTestCaseResult|getLastError|handleTestEvent"
    rb"|onFinished|jasmineDone|specDone|onBrowserComplete|onTestEnd|EVENT_RUN_END|EVENT_TEST_FAIL)\b"
    rb"|onEnd\s*\(|\.numFail(?:ed|ing)(?:Tests|TestSuites)\s*=[^=]"
    rb"|extends\s+[\w.]*(?:TestRunner|Reporter|TestSequencer)\b|\brunner\.(?:on|once)\(\s*['\"](?:end|fail)['\"]"
)
_FORCED = pattern_of(
    rb"(?:^|[^\w$])(?:[\w$]+\.)*(?:num(?:Failed|RuntimeError)\w*|failures|failureCount|numFailingTests|failedTests|stats\.failures)"
    rb"\s*=\s*(?:0|\[\])\s*(?:;|$|\})"
    rb"|(?:^|[^\w$])[\w$]*[rR]esults?\.success\s*=\s*(?:true|!0)\b"
    rb"|\b(?:result|test|testResult|state|task)\.(?:status|state)\s*=\s*['\"]pass(?:ed)?['\"]"
    rb"|\breturn\s*\{\s*status:\s*['\"]passed['\"]"
    rb"|\b[\w$]+\.testExecError\s*=\s*(?:null|undefined)\b"
)
_ENDS = pattern_of(rb"\bprocess\.(?:exit\(\s*0?\s*\)|exitCode\s*=\s*0\b)")
_WORDS = (
    *(b"Reporter", b"onRun", b"onTest", b"onFinished", b"EVENT_", b"TestRunner", b"Sequencer", b"jasmineDone"),
    *(b"onEnd", b"numFail", b"runner."),
)
_COMMENT = pattern_of(rb"\s*(?://|\*|/\*)")
# A reporter sets its own counts to nothing before it starts.
_OWN = pattern_of(rb"\bthis\.")


def forced_results(data: bytes) -> Iterator[Trait]:
    """One trait for each line of a reporter that overwrites what the tests came to, or ends their process well."""
    if not any(word in data for word in _WORDS) or _REPORTS.search(data) is None:
        return
    forced: list[Trait] = []
    ends: list[Trait] = []
    for number, line in enumerate(data.splitlines(), 1):
        if _COMMENT.match(line) or len(forced) + len(ends) >= MAX_FORCED:
            continue
        shown = line.strip()[:120].decode("utf-8", "replace")
        if (found := _FORCED.search(line)) is not None and _OWN.search(found[0]) is None:
            forced.append(Trait("hook.outcome", shown, number))
        elif _ENDS.search(line) is not None:
            ends.append(Trait("exit.process", shown, number))
    yield from forced
    # To end well is what some do that count for themselves: only beside another result it is sure.
    yield from ends if forced else (one._replace(kind=f"{one.kind}.maybe") for one in ends)
