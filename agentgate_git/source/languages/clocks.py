"""Clocks of production in other languages than Python: names that read the time, and those that hold a constant of it.

Found by their words, for names that say what they are (`now`, `clock`, `today`): no production is parsed for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of

READ = "entropy.read.clock"
FIXED = "entropy.fixed.clock"
FROZEN = "entropy.freeze.clock.suite"

MAX_CLOCKS = 200
_BODY = 300
_NAMED = pattern_of(
    rb"(?m)^([ \t]*(?:[\w<>\[\].,:&*?() ]{0,120}?[ \t])?)(\w{0,40}(?:[nN]ow|[cC]lock|[tT]oday|[cC]urrentTime)\w{0,40})"
    rb"\b([^\n=;{]{0,80})(=>?|\{|$)([^\n]{0,300})"
)
_OF_FILE = pattern_of(
    rb"^(?:var |let |const |static |@)?$|^[^ \t]"
    rb"|\b(?:static|private|public|protected|internal|readonly|override|fun|func|fn|def|function)\b"
)
_READS = pattern_of(
    rb"\btime\.Now\b|\b(?:Instant|LocalDate\w*|ZonedDateTime|OffsetDateTime|DateTime)\.now\(|\bcurrentTimeMillis\("
    rb"|\bDateTime(?:Offset)?\.(?:Utc)?Now\b|\b(?:Utc|Local|SystemTime|Instant)::now\(|\b(?:Time|Date|DateTime)\.(?:now|current|today)\b"
    rb"|\bnew \\?DateTime(?:Immutable)?\(\)|\bClock\.system\w*\(|\bTime\.zone\.now\b|system_clock::now\("
)
_CONSTANT = pattern_of(
    rb"\btime\.(?:Date|Unix|UnixMilli)\(|\bInstant\.(?:of\w+|parse)\(|\bLocalDate\w*\.(?:of|parse)\("
    rb"|\bnew \\?DateTime(?:Offset|Immutable)?\(['\"]?\d|\bfrom_timestamp(?:_opt|_millis)?\(\d|\bwith_ymd_and_hms\(\d"
    rb"|\bTime\.(?:at|utc|new|gm|local)\(\d|\bClock\.fixed\(|\bDateTime\(\d{4}|\bUNIX_EPOCH\b"
)
_IN_START = pattern_of(rb"(?m)^func init\(\) \{\n((?:[ \t][^\n]{0,200}\n|\n){1,40})")
_REPLACED = pattern_of(rb"\b(\w+) = (func\(\) time\.Time \{[^}]{0,300})")
_OPEN = (b"{", b"(", b"=", b"=>", b"do")


def clock_traits(data: bytes) -> Iterator[Trait]:
    """One trait for each clock of a production file, its owner the name of what tells the time."""
    if _READS.search(data) is None and _CONSTANT.search(data) is None:
        return
    for count, found in enumerate(_NAMED.finditer(data)):
        if count >= MAX_CLOCKS:
            break
        if _OF_FILE.search(found[1]) is None and b"(" not in found[3]:
            continue  # a local variable
        told = found[5].strip()
        if told.endswith(_OPEN) or not told:
            rest = data[found.start(5) : found.start(5) + _BODY]
            told = rest.partition(b"\n}")[0].partition(b"\nend")[0]
        kind = READ if _READS.search(told) else FIXED if _CONSTANT.search(told) else ""
        if kind:
            name = found[2].decode("utf-8", "replace")
            shown = " ".join(told.decode("utf-8", "replace").split())[:120]
            yield Trait(kind, shown, _line_of(data, found.start(2)), name)
    for start in _IN_START.finditer(data) if b"func init()" in data else ():
        for one in _REPLACED.finditer(start[1]):
            if _CONSTANT.search(one[2]) and not _READS.search(one[2]):
                line = _line_of(data, start.start(1) + one.start())
                yield Trait(FROZEN, f"{one[1].decode()} = a constant in init()", line, "init")


def _line_of(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
