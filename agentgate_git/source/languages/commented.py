"""Tests and checks of languages other than Python that stand in comments: taken out of a run, left where they stood."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code
from agentgate_git.source.python.commented import COMMENTED_CHECK, COMMENTED_TEST, MAX_COMMENTED

# What documents is an example and no test that somebody took out.
_DOCUMENTS = ("///", "//!", "/**", "/*!")
_LEADER = pattern_of(r"[ \t]*+(?:(?:/[/*]+|\*+(?!/)|#+(?!\[))[ \t]*+)?")
_TITLED = pattern_of(
    r"[xf]?(?:it|test|specify|scenario|testWidgets)\b(?:\.\w++)*+[ \t]*+\(?[ \t]*+"
    r"(?:\"([^\"\n]+)|'([^'\n]+)|`([^`\n]+))"
    r"|(?:@test|(?:begin|start)_?test)[ \t]++[\"']([^\"'\n]+)"
    r"|(?:TEST(?:_F|_P|_CASE)?|SCENARIO)[ \t]*+\([ \t]*+(?:\w++[ \t]*+,[ \t]*+)?\"?([^\",)\n]+)"
)
_MARK = pattern_of(
    r"(?:@(?:\w++\.)*+(?:Test|ParameterizedTest|RepeatedTest)|#\[(?:\w++::)*+test"
    r"|\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod))\b(?:[^\]\n]*+\])?+(?:\([^)\n]*+\))?+[ \t]*+"
)
_FUNCTION = pattern_of(
    r"(?:(?:pub|public|private|internal|protected|async|static|final|open|override|suspend|virtual)[ \t]++)*+"
    r"(?:void|fun|fn|func|def|function|Task|ValueTask|Future<void>)[ \t]++(\w++|`[^`\n]++`)[ \t]*+[(<]"
)
_NAMED_TEST = pattern_of(r"(?:[Tt]est|it_)\w*+$")
_CHECK = pattern_of(
    r"(?:await[ \t]++)?(?:(?:expect|assert|require|verify|XCTAssert|EXPECT_|ASSERT_|REQUIRE|CHECK)\w*+!?[ \t]*+[.(]"
    r"|(?:\w{1,60}[.:]{1,2}){0,4}?(?:assert\w{0,60}|Assert)(?:[.:]{1,2}\w{1,60})?[ \t]*+\("
    r"|t\.(?:is|not|true|false|truthy|falsy|deepEqual|notDeepEqual|like|regex|throws|throwsAsync|Error|Errorf|Fatal|Fatalf)\("
    r"|[^\n]{1,200}?\.(?:should(?:_not)?\b|Should\w*+\())"
)


def commented_out(code: Code) -> Iterator[Trait]:
    """The tests by the last part of their names, and the checks as they are written."""
    yield from islice(_found(code), MAX_COMMENTED)


def _found(code: Code) -> Iterator[Trait]:
    marked = 0
    for item in code.comments:
        comment = code.text(item.span)
        if comment.startswith(_DOCUMENTS):
            continue
        for number, line in enumerate(comment.splitlines(), item.line):
            text = line[_end(_LEADER, line) :].rstrip().removesuffix("*/")
            mark = _end(_MARK, text)
            is_marked = bool(mark) or marked == number - 1
            marked = number if mark else 0
            name = _test_in(text[mark:], is_marked=is_marked)
            if name:
                yield Trait(COMMENTED_TEST, name, number)
            elif _CHECK.match(text):
                yield Trait(COMMENTED_CHECK, " ".join(text.split()), number)


def _test_in(text: str, *, is_marked: bool) -> str:
    """The name of the test that a line begins, empty for none."""
    titled = _TITLED.match(text)
    if titled is not None:
        return next(group for group in titled.groups() if group).strip()
    function = _FUNCTION.match(text)
    if function is None or not (is_marked or _NAMED_TEST.search(function[1])):
        return ""
    return function[1].strip("`")


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0
