"""Expectations that a run must meet, and the same ones in words by which it need not: how often a mock has to be
called, and rules of an architecture that are frozen, hold for nothing, or leave a part out.

Both are traits whose `what` is the expectation without those words, so that two versions of a test are compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.common import CommonDialect
from agentgate_git.source.languages.dialect import Dialect
from agentgate_git.source.languages.engine import Engine
from agentgate_git.source.languages.syntax import Code, Item, closing
from agentgate_git.source.test_names import DART

FIRM = "asks.firm"
LOOSE = "asks.loose"
OPEN = ".maybe"

MAX_ASKED = 500
_LONG = 1_000
_MAY = pattern_of(
    rb"Times\.|MustHaveHappened|Quantity\.|[vV]erify\b|have_received|receive\(|->expects\(|should(?:Have)?Receive"
    rb"|\.Received\(|\bEXPECT|\.[tT]imes\(|\.called\(|once|Once\(|\.Maybe\(|[aA]tMost|noMoreThan|\.On\(|[cC]lasses\(\)|layeredArchitecture"
    rb"|slices\(\)|(?:no)?(?:[mM]ethods|[fF]ields|Constructors)\(\)"
)
_ZERO = r"(?:0\.\.(?:=?\d*)|\.\.=?\d*)"
# Words by which no call at all is as good as one.
_LOOSE = pattern_of(
    r",?Times\.(?:AtMostOnce|AtMost|AtLeast(?=\(0\))|Between(?=\(0,))(?:\([^()]*\))?"
    r"|(?<=\.MustHaveHappened)(?:(?:Once|Twice)OrLess\(\)|\(\d+,Times\.OrLess\)|\(0,Times\.OrMore\))"
    r"|(?<=\.Received\()Quantity\.Within\(0,\d+\)"
    r"|(?<=erify)\((?:atMost=\d+|atLeast=0)(?:,atMost=\d+)?\)(?=\{)"
    r"|\.(?:at_most\((?::\w+|\d+)\)(?:\.times?)?|at_least\(0\)\.times)"
    r"|(?<=->expects\()(?:\$this->|self::|static::)(?:any\(\)|atMost\(\d+\)|atLeast\(0\))"
    r"|->(?:zeroOrMoreTimes\(\)|atMost\(\)->(?:once|twice|times)\(\d*\)|between\(0,\d+\))"
    r"|\.(?:AnyTimes\(\)|MaxTimes\(\d+\)|MinTimes\(0\)|Maybe\(\)|anyTimes\(\)|anyNumberOfTimes\(?\)?|noMoreThan(?:Once|Twice)\(?\)?)"
    r"|\.Times\((?:::)?(?:testing::)?(?:AtMost\(\d+\)|AnyNumber\(\)|AtLeast\(0\)|Between\(0,\d+\))\)"
    rf"|\.times\({_ZERO}\)|\.times\(0,\d+\)"
    r"|\.called\((?:less\w+\(\d+\)|anything|isNonNegative|greaterThanOrEqualTo\(0\)|inInclusiveRange\(0,\d+\))\)"
)
# Words by which at least one call is asked for.
_FIRM = pattern_of(
    r",?Times\.(?:Once|Exactly|AtLeastOnce|AtLeast)(?:\([^()]*\))?"
    r"|(?<=\.MustHaveHappened)(?:(?:Once|Twice)(?:Exactly|OrMore)\(\)|\(\d+,Times\.(?:Exactly|OrMore)\)|\(\))"
    r"|(?<=\.Received\()[1-9]\d*"
    r"|(?<=erify)\((?:exactly|atLeast)=[1-9]\d*\)(?=\{)"
    r"|\.(?:once|twice|thrice|(?:exactly|at_least)\((?::\w+|\d+)\)(?:\.times?)?)(?![\w(])"
    r"|(?<=->expects\()(?:\$this->|self::|static::)(?:once\(\)|exactly\([1-9]\d*\)|atLeastOnce\(\)|atLeast\([1-9]\d*\))"
    r"|->(?:atLeast\(\)->)?(?:once|twice|times)\((?!0)\d*\)"
    r"|\.(?:Once\(\)|Twice\(\)|MinTimes\([1-9]\d*\)|once\(\)|twice\(\)|[tT]imes\([1-9]\d*\)|called\([1-9]\d*\))"
    r"|\.Times\((?:::)?(?:testing::)?(?:AtLeast|Exactly)\([1-9]\d*\)\)"
)
# What asks for a call where nothing is said of how often.
_ASKS = pattern_of(
    r"(?:co)?[vV]erify\{|.*\bhave_received\(|.*\breceive\(:|EXPECT_CALL\(|.*\.EXPECT\(\)\.\w+\(|.*\.Received\(\)\."
    r"|.*->shouldHaveReceived\(|.*\.Verify\("
)
_RULES = pattern_of(
    r"(?:\w+\.)*(?:(?:no)?(?:[cC]lasses|[mM]ethods|[fF]ields|[cC]onstructors|[mM]embers|[cC]odeUnits)\(\)\.|slices\(\)\."
    r"|(?:layered|onion)Architecture\(\)\.)"
)
_FROZEN = pattern_of(r"(?:FreezingArchRule\.)?freeze\(")
_SPARED = pattern_of(
    r"\.allowEmptyShould\(true\)|\.withOptionalLayers\(true\)|\.(?:ignoreDependency|ignoreDependsOn)\([^()]*(?:\([^()]*\)[^()]*){0,3}\)"
    r"|\.(?:and|as)\(\)\.(?:resideOutsideOfPackages?|areNot\w*|haveNo\w+|doNotHave\w+|haveNameNot\w+|doNotBelong\w+)\([^()]*\)"
)


def firm_traits(code: Code, engine: Engine, dialect: Dialect) -> Iterator[Trait]:
    """One trait for each expectation of a file of tests, at most MAX_ASKED of them."""
    told = [found.start() for found in _MAY.finditer(code.data)]
    if not told:
        return
    count = read_to = 0
    starts = [unit.span.start for unit in engine.units]
    for item in code.items:
        if item.kind not in ("call", "assert") or item.end - item.start > _LONG or _is_inner(item):
            continue
        first = bisect_left(starts, item.start)
        if item.end <= read_to or (first < len(starts) and starts[first] < item.end):
            continue  # it was read with what is around it, or a test stands in it
        at = bisect_left(told, item.start)
        if dialect.name != DART and not (at < len(told) and told[at] < item.end):
            continue
        found = _asked(_text(code, item, dialect))
        if found is not None:
            count, read_to = count + 1, item.end
            if count > MAX_ASKED:
                return
            yield Trait(found[0], found[1], item.line, engine.owner(item))


def _text(code: Code, item: Item, dialect: Dialect) -> str:
    """A call with all that it is called on, which the grammar of Dart has beside it."""
    if dialect.name != DART or not isinstance(dialect, CommonDialect):
        return code.normal(item.span)
    return f"{dialect.callee(code, item)}{code.normal(item.part('args'))}"


def _asked(text: str) -> tuple[str, str] | None:
    """(kind, expectation without its words); None for what is none."""
    rule = _rule(text)
    if rule is not None:
        return rule
    for kind, words in ((LOOSE, _LOOSE), (FIRM, _FIRM)):
        what, times = words.subn("", text)
        if times:
            return kind, what
    return (FIRM, text) if _ASKS.match(text) is not None else None


def _rule(text: str) -> tuple[str, str] | None:
    """A rule of ArchUnit: frozen, it passes what is wrong today."""
    frozen = _FROZEN.match(text)
    end = closing(text, frozen.end() - 1) if frozen is not None else -1
    inner = f"{text[frozen.end() : end]}{text[end + 1 :]}" if frozen is not None and end > 0 else text
    if _RULES.match(inner) is None:
        return None
    what, times = _SPARED.subn("", inner)
    if frozen is not None:
        return LOOSE, what
    return (LOOSE + OPEN if times else FIRM), what


def _is_inner(item: Item) -> bool:
    """True for the start of a longer chain of calls, or what is frozen, which is looked at as a whole."""
    outer = item.around
    return outer is not None and outer.kind == "call" and outer.start == item.start and outer.end > item.end
