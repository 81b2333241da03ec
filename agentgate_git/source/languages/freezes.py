"""What a file of tests holds still for the tests: the time zone, the clock, chance. Found by its words, by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of

FREEZE = "entropy.freeze."
MAX_FREEZES = 200
_ANY = pattern_of(
    rb"\bTZ\b|TimeZone|timezone_set|time\.Local|Date\.now|SystemTime|Timecop|freeze_time|setTestNow|random|srand|rand\.Seed"
    rb"|GOMAXPROCS|Random|seed|mt19937|max_cases|MockDate|timekeeper|setFixedTime|useFakeTimers|timers\.enable|cy\.|fulfill"
    rb"|spyOn"
)
_SOURCES = (
    (
        "tz",
        pattern_of(
            rb"process\.env\.TZ\s*=(?!=)|ENV\[['\"]TZ['\"]\]\s*=(?!=)|(?:os\.Setenv|set_var|setenv|putenv)\(['\"]TZ\b"
            rb"|\btime\.Local\s*=(?!=)|\bTimeZone\.setDefault\(|\bdate_default_timezone_set\(|NSTimeZone\.default\s*="
            rb"|\bexport TZ="
        ),
    ),
    (
        "clock",
        pattern_of(
            rb"\bDate\.now\s*=(?!=)|\.setSystemTime\(|\bMockDate\.set\(|\btimekeeper\.(?:freeze|travel)\(|\.setFixedTime\("
            rb"|[uU]seFakeTimers\(\s*(?:\d|new Date\(|Date\.UTC\(|\{[^}\n]{0,200}\bnow:)"
            rb"|mock\.timers\.enable\([^)\n]{0,200}\bnow:|\bcy\.clock\(\s*\w"
            rb"|[sS]pyOn\(\s*Date\s*,\s*['\"]now['\"]\)\s*\.(?:mock(?:Return|Impl)|and\.)|\bTimecop\.(?:freeze|travel)|\bfreeze_time\b"
            rb"|::setTestNow\("
        ),
    ),
    (
        "rng",
        pattern_of(
            rb"\bMath\.random\s*=(?!=)|(?:[sS]pyOn|\bstub|mock\.method)\(\s*Math\s*,\s*['\"]random['\"]"
            rb"(?:\s*,|\)\s*\.(?:mock(?:Return|Impl)|and\.(?:return|call)|returns|callsFake))|\brandom\s*=\s*\(\)\s*=>\s*[\d.]+|\b(?:mt_)?srand\(\d+\)|\brand\.Seed\(\d+\)"
            rb"|\b(?:Random|SplittableRandom|StdRandom)\(\s*\d+L?\s*\)|\bRandom\.new\(\d+\)|\bseed_from_u64\(\d"
            rb"|\brand\.New(?:Source|PCG)\(\d|\bmt19937(?:_64)?\s*(?:\w+\s*)?[({]\s*\d|:rand\.seed\([^)\n]*\d"
        ),
    ),
    (
        # What a page is answered in place of its server: of tests that were there to ask both.
        "network",
        pattern_of(
            rb"\bcy\.intercept\((?!\s*['\"`][A-Z]+['\"`]\s*,\s*['\"`][^'\"`\n]{0,300}['\"`]\s*\))[^\n]{0,300},\s{0,9}"
            rb"(?:\{\s*(?:statusCode|body|fixture|forceNetworkError|headers)\b|\[|['\"`][^'\"`\n]{0,300}['\"`]\s*\))"
            rb"|\.fulfill\(\s*\{|\bcy\.route\([^\n]{0,300},\s*(?:['\"]fixture:|\{|\[)"
        ),
    ),
    ("concurrency", pattern_of(rb"\bruntime\.GOMAXPROCS\(1\)|\bExUnit\.\w+\([^)\n]*\bmax_cases:\s*1\b")),
    ("order", pattern_of(rb"\bExUnit\.\w+\([^)\n]*\bseed:\s*\d")),
)
_COMMENT = pattern_of(rb"\s*(?://|\*|/\*|#(?!\[)|--)")


def freezes(data: bytes, owner_of: Callable[[int], str]) -> Iterator[Trait]:
    """One trait for each line that holds something still; `owner_of` names the test that a byte stands in.

    All are open (`.maybe`): many suites have good reasons.
    """
    if _ANY.search(data) is None:
        return
    at = count = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        if _COMMENT.match(line) is None:
            for source, pattern in _SOURCES:
                found = pattern.search(line)
                if found and count < MAX_FREEZES:
                    count += 1
                    owner = owner_of(at + found.start())
                    kind = f"{FREEZE}{source}.maybe" if owner else f"{FREEZE}{source}.suite.maybe"
                    yield Trait(kind, line.strip()[:120].decode("utf-8", "replace"), number, owner)
        at += len(line)
