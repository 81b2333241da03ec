"""Java: JUnit 4 and 5, TestNG, AssertJ, Hamcrest and Truth; the words that Kotlin and Scala share with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.inventory import (
    BOUND,
    CONDITIONAL,
    EXACT,
    EXPECTED_FAIL,
    NONE,
    NOT_COLLECTED,
    PRESENT,
    RUNS,
    SKIPPED,
    SOUGHT,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import SWALLOWED, Check, condition_check, no_check
from agentgate_git.source.languages.common import NO_MATCHER, StopRule, rule
from agentgate_git.source.languages.dialect import HOOK, STOPS_IF, STOPS_UNLESS, TEST, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST, FunctionDialect, markers_of
from agentgate_git.source.languages.helpers import is_checker, is_statement
from agentgate_git.source.languages.java_chains import chain_checks, may_have_chains
from agentgate_git.source.languages.launchers import silent_launchers
from agentgate_git.source.languages.listed import MAX_BYTES, MAX_ROWS, OPEN, rows_in
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, split
from agentgate_git.source.languages.truth import negation, truth
from agentgate_git.source.languages.words import weaker, word_set
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

TESTS = pattern_of(
    r"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Theory|Property|Example)\b"
)
HOOKS = pattern_of(r"@(?:\w+\.)*(?:Before|BeforeEach|BeforeAll|BeforeClass|BeforeMethod|BeforeTest|BeforeSuite)\b")
OTHER = pattern_of(
    r"@(?:\w+\.)*(?:After\w*|DataProvider|Provides|Bean|Override|Nested|Rule|Factory|MethodSource|Benchmark)\b"
)
TAGGED = pattern_of(
    r'@(?:\w+\.)*Tag\((?:value *= *)?"([\w.-]+)"|@(?:\w+\.)*Category\((?:\w+\.)*(\w+)|\bgroups *= *\{? *"([\w.-]+)"'
)
NESTED = pattern_of(r"@(?:\w+\.)*Nested\b")
_SHOWN = 120
_LISTED = pattern_of(
    r"@(?:\w+\.)*(CsvSource|ValueSource)\((?:value=|ints=|strings=|longs=|doubles=|chars=|shorts=|bytes=|floats=|classes=)?"
    r"[\[{](.*)[\]}]\)",
    re.DOTALL,
)
_NAMED_VALUES = pattern_of(r"@(?:\w+\.)*EnumSource\(.*\bnames=[{\[]?([^{}\[\]]*)[}\]]?\)")
_BLOCK = pattern_of(r'textBlock\s*=\s*"""(.*?)"""', re.DOTALL)
_PROVIDED = pattern_of(r'@(?:\w+\.)*Test\([^)]*\bdataProvider\s*=\s*"(\w+)"')
_PROVIDER_NAME = pattern_of(r'\bname\s*=\s*"(\w+)"')
_ARRAYS = pattern_of(r"new \w+(?:\[\]){2}\{")
_NEVER = pattern_of(r"(?:atMost|times)\(0\)")
_ARGUMENTS = pattern_of(r"of|arguments")
_WILDCARD = pattern_of(r"(?:\w+\.)*(?:any\w*|isA|isNotNull|notNull|nullable|argThat)\(.*\)")
_FACTORY = pattern_of(r"@(?:\w+\.)*(?:MethodSource|CsvFileSource|ArgumentsSource)\b(?:\(\"(\w+)(?:\(\))?\"\))?")
_CELL = pattern_of(r"-?\d[\w.]*|\".*\"|true|false|[\w.]+(?:\.class|::class)")
# All elements of a collection, and no others: as a matcher `contains` says what AssertJ calls `containsExactly`.
_HAMCREST = pattern_of(r",(?:is\()?(?:contains|containsInAnyOrder|arrayContaining\w*)\((?!.*\b(?:any|anything)\()")
_MOCKED = pattern_of(
    r"(?:\w+\.)*(?:mock|spy|mockk|spyk|mock\[)(?:\((\w+)(?:\.class|::class.*)?[,)].*|<(\w+)>\(.*\)|\((?:new )(\w+)\(.*)"
)
ROWS = pattern_of(
    r"@(?:\w+\.)*(?:ValueSource|CsvSource|EnumSource|MethodSource|CsvFileSource|RepeatedTest|ArgumentsSource)\b"
)
SKIPS = pattern_of(r"@(?:\w+\.)*(?:Disabled|Ignore|Ignored|IgnoreRest|PendingFeature)(?:\(.*\))?$")
_USED_SYSTEMS = pattern_of(r"LINUX|WINDOWS|MAC|\b[a-z]")
# A condition that is a method of the file, and what such a method gives.
_ASKS = pattern_of(r"@(?:\w+\.)*(Disabled|Enabled)If\(\"(\w+)\"(?:,[^()]*)?\)")
_ANSWER = pattern_of(r"(?:\{return |=)(true|false)\}?")
_TAKES_ROWS = pattern_of(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:public\s+|final\s+)*void\s+\w+\s*$")
_ANY_VALUE = pattern_of(r'matches="\.[*+]"')
# Every Java that a JUnit of today runs on, and the later ones.
_SINCE_EVER = pattern_of(r"DisabledForJreRange\(min=(?:JRE\.)?JAVA_(?:8|9|1[0-7])(?:,disabledReason=.*)?\)")
ONLY_ON = pattern_of(
    r"@(?:\w+\.)*(?:(?:Enabled|Disabled)(?:On\w+|If\w*|For\w+|In\w+)|RequiresX\w+|IfProfileValue|Requires\w+|Conditional\w+)\b"
)
ASSERTIONS = pattern_of(r"assert(?!That$|j$|All$|Timeout)\w*")
ALWAYS_SET = pattern_of(r'named="(?:java\.version|os\.name|user\.dir|java\.vendor|PATH|HOME)"')
BROAD = pattern_of(r"\b(?:Throwable|AssertionError|Error|AssertionFailedError|Exception|ComparisonFailure)\b")
STOPS: tuple[StopRule, ...] = (
    rule(r"(?:\w+\.)*assumeTrue|(?:\w+\.)*assumeThat", SKIPPED, STOPS_UNLESS),
    rule(r"(?:\w+\.)*assumeFalse", SKIPPED, STOPS_IF),
    rule(r"(?:\w+\.)*assumeNoException", SKIPPED, STOPS_IF),
    rule(r"(?:Assumptions\.)abort|abort", SKIPPED),
)
FLUENT = word_set(
    "assertThat assertThatThrownBy assertThatCode assertThatExceptionOfType expectThat expectThatThrownBy "
    "assertWithMessage verify then assertThatNoException"
)


class Java(FunctionDialect):
    """The dialect of JUnit and TestNG."""

    name = "java"
    grammar = "java"
    query = "java"
    loose_marker = "no @Test on it"
    rows = ROWS
    tagged = TAGGED
    stops: tuple[StopRule, ...] = STOPS
    throws = pattern_of(
        r"\b(?:SkipException|TestAbortedException|AssumptionViolatedException|IncompleteExecutionException)\b"
    )
    pairs = ASSERTIONS
    fluent = FLUENT
    matched = frozenset(("assertThat",))
    keeps = pattern_of(r"(?:Assertions\.|BDDAssertions\.)?catchThrowable(?:OfType)?")
    fails = pattern_of(r"throw new (?:\w+\.)*\w*(?:Error|Assert|Fail)|(?:\w+\.)*fail\(")
    handlers = pattern_of(
        r"handle(?:TestExecution|BeforeEachMethodExecution|AfterEachMethodExecution)Exception"
        r"|TestResult\.(?:Ignored|Success)\((?:.*\))??"
    )
    quits = pattern_of(r"(?:System\.exit|Runtime\.getRuntime\(\)\.(?:exit|halt))\(0\)")
    swallows = BROAD
    refails = pattern_of(r"\b(?:throw|fail|assert\w*|expect\w*|addFailure|verify|collector)\b")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        marks = markers_of(code)
        lost = {one.index: effect for one in code.items if one.kind == "type" for effect in _of_class(code, one, marks)}
        for unit in super().units(code, path):
            holder = next(
                (one for one in code.inside(unit.span) if one.kind == "function" and one.span == unit.span), None
            )
            above = (
                [one for one in holder.above() if one.index in lost] if holder is not None and unit.kind == TEST else []
            )
            rows = [row for text in unit.rows for row in (_made(code, unit, text) or _values(text))]
            head = code.text(Span(unit.span.start, (unit.body or unit.span).start))
            if "textBlock" in head:
                rows = [*(row for row in rows if "textBlock" not in row), *_in_block(head)]
            if (provider := _PROVIDED.search(head)) is not None:
                rows += _provided(code, provider[1])
            unit = unit._replace(rows=tuple(rows))
            yield unit._replace(effects=(*unit.effects, *(lost[one.index] for one in above))) if above else unit

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        del path
        if any(TESTS.match(mark) for mark in marks):
            return TEST
        if any(HOOKS.match(mark) for mark in marks):
            return HOOK
        name = code.text(item.part("name"))
        if any(OTHER.match(mark) for mark in marks):
            return NO_TEST
        if code.normal(item.part("params")) != "()" and not self.may_have_rows(code, item, name):
            return NO_TEST
        return self.by_name(code, name, types)

    def may_have_rows(self, code: Code, item: Item, name: str) -> bool:
        """True for a method that takes values and could be a test with rows which lost its annotations."""
        head = code.text(Span(item.start, (item.part("params") or item.span).start))
        return _TAKES_ROWS.search(head) is not None and not is_checker(name)

    def by_name(self, code: Code, name: str, types: list[Item]) -> str:
        """A method without annotations: of a JUnit 3 class a test by its name, else one that lost its annotation."""
        head = code.data[types[-1].start : types[-1].end][:400] if types else b""
        if b"extends TestCase" in head and name.startswith("test"):
            return TEST
        return LOOSE if types and name not in ("setUp", "tearDown", "main", "toString", "hashCode") else NO_TEST

    def mark_effects(self, code: Code, mark: Item) -> Iterator[Effect]:
        text = code.normal(mark.span)
        asked = _ASKS.match(text)
        told = code.once(_constant_answers).get(asked[2]) if asked is not None else None
        if asked is not None and told is not None:
            if told == (asked[1] == "Disabled"):
                yield Effect(SKIPPED, text[:80], mark.line)
            return
        yield from annotation_effects(text, mark.line)

    def type_offers(self, code: Code, item: Item, marks: Iterable[Item]) -> Iterator[Effect]:
        head = code.text(Span(item.start, (item.part("body") or item.span).start))
        if re.search(r"@interface\b|\bannotation class\b", head):
            for mark in marks:
                yield from self.mark_effects(code, mark)
        elif re.search(r"\bExecutionCondition\b", head):
            text = code.normal(item.part("body"))
            found = re.search(r"(?:return|=>?|if\() ?(.{0,400}?disabled\()", text)
            if found:
                yield Effect(CONDITIONAL, "an ExecutionCondition", item.line, found[1])

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        """A mock or spy of the class that the file is named after; what makes every test run again where it fails."""
        yield from super().hooks(code, path)
        for item in code.items if b"setRetryAnalyzer" in code.data else ():
            if item.kind == "call" and code.text(item.part("name")) == "setRetryAnalyzer":
                yield "rerun", item, code.normal(item.span)
        subject = re.sub(
            r"(?:Unit|Integration)?(?:Tests?|TestCase|IT|Spec)$", "", path.rpartition("/")[2].partition(".")[0]
        )
        if not subject or not re.search(rb"mock|spy|Mock|Spy", code.data):
            return
        for item in code.items:
            if item.kind == "call" and item.end - item.start < 200:
                text = code.normal(item.span)
                found = _MOCKED.fullmatch(text)
                if found and (found[1] or found[2]) == subject:
                    yield "hook.subject", item, text

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        yield from super().exits(code)
        yield from silent_launchers(code)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind == "check":
            text = code.normal(item.span)
            yield condition_check(text, text.removeprefix("assert ").removeprefix("assert").partition(":")[0])
            return
        if item.kind == "call" and code.says(b"mockito") and code.text(item.part("name")) == "verify":
            arguments = self.arguments(code, item)
            if arguments and is_statement(item):
                yield no_check(code.normal(item.span), "verify")._replace(subject=arguments[0], void=NO_MATCHER)
                return
        if item.kind == "call" and may_have_chains(code) and not self._is_inner(item):
            yield from chain_checks(self.callee(code, item), self.arguments(code, item))
        for check in super().checks(code, item):
            if check.text.startswith("assertThat(") and _HAMCREST.search(check.text):
                check = check._replace(strength=EXACT)
            yield _verified(check) if check.text.startswith("verify(") else check

    def void(self, code: Code, item: Item, body: Span) -> str:
        """Soft assertions that nobody asks for all of them."""
        if not code.says(b"SoftAssert") or b"assertAll" in code.data[body.start : body.end]:
            return ""
        text = code.text(Span(item.start, min(item.end, item.start + _SHOWN)))
        root = re.match(r"(?:new \w*SoftAssert\w*\(|(\w+)\.)", text)
        if root is None:
            return ""
        is_made = root[1] is None or re.search(rf"\b{root[1]}\s*=\s*(?:new )?\w*SoftAssert\w*\(", code.text(body))
        return SWALLOWED if is_made else ""

    def asked(self, arguments: tuple[str, ...]) -> tuple[str, ...]:
        """JUnit 4 takes a message before the condition, JUnit 5 behind it."""
        return arguments[1:] if len(arguments) > 1 and arguments[0].startswith('"') else arguments

    def compared(self, arguments: tuple[str, ...]) -> tuple[str, ...]:
        if len(arguments) > 2 and arguments[0].startswith('"') and not arguments[2].startswith('"'):
            return arguments[1:]
        return arguments


def _made(code: Code, unit: Unit, text: str) -> tuple[str, ...]:
    """The rows that a method of the file makes: `arguments(1, 2)` each; one that is open where nothing shows them."""
    found = _FACTORY.match(text)
    if found is None:
        return ()
    if not found[0].rpartition(".")[2].removeprefix("@").startswith("MethodSource"):
        return (f"{OPEN}{text}",)
    name = found[1] or unit.name.rpartition("::")[2]
    named = (one for one in code.items if one.kind == "function" and code.text(one.part("name")) == name)
    factory = next((one for one in named if one.span != unit.span), None)
    body = factory.part("body") if factory is not None else None
    calls = (
        one for one in code.inside(body) if one.kind == "call" and _ARGUMENTS.fullmatch(code.text(one.part("name")))
    )
    rows = [one for one in calls if not code.normal(one.span).startswith(("Stream.", "List."))]
    return tuple(code.normal(one.part("args")) for one in rows) or (f"*{text}",)


def _in_block(head: str) -> tuple[str, ...]:
    """The rows in a text block: a line each."""
    found = _BLOCK.search(head)
    lines = [line.strip() for line in found[1].splitlines()] if found is not None else []
    plain = (line.replace("'", '"') for line in lines if line and not line.startswith("#"))
    return tuple(f"CsvSource({','.join(_cells(split(line)))})" for line in plain)


def _provided(code: Code, name: str) -> tuple[str, ...]:
    """The rows of a data provider of TestNG: an array of arrays."""
    return code.once(_providers).get(name) or (f"{OPEN}{name}",)


def _rows_in_body(code: Code, body: Span) -> tuple[str, ...]:
    if body.end - body.start > MAX_BYTES:
        return ()
    text = code.normal(body)
    found = _ARRAYS.search(text)
    end = closing(text, found.end() - 1) if found is not None else -1
    rows = rows_in(text[found.end() - 1 : end + 1]) if found is not None and end > 0 else ()
    return tuple(f"({row[1:-1]})" for row in rows[:MAX_ROWS])


def _providers(code: Code) -> dict[str, tuple[str, ...]]:
    """The rows of the data providers of a file, by the names that tests call them by."""
    found: dict[str, tuple[str, ...]] = {}
    for item in code.items:
        body = item.part("body")
        if item.kind != "function" or body is None:
            continue
        head = code.text(Span(item.start, min(body.start, item.start + MAX_BYTES)))
        if "DataProvider" in head:
            named = _PROVIDER_NAME.search(head)
            called = named[1] if named is not None else code.text(item.part("name"))
            found[called] = _rows_in_body(code, body)
    return found


def _cells(cells: Iterable[str]) -> Iterator[str]:
    """Cells of a row of text as values: what is no value is a text."""
    return (one if _CELL.fullmatch(one) else f'"{one.strip(chr(39))}"' for one in cells)


def _values(text: str) -> Iterator[str]:
    """The rows in an annotation that holds several: `@CsvSource({"1, 2", "3, 4"})`, `@ValueSource(ints = {1, 2})`."""
    found = _LISTED.fullmatch(text)
    named = _NAMED_VALUES.search(text) if found is None else None
    if named is not None and "mode=" not in text:
        yield from (f"EnumSource({name})" for name in split(named[1]))
        return
    if found is None:
        yield text
        return
    for row in split(found[2]):
        cells = split(row[1:-1]) if found[1] == "CsvSource" and len(row) > 1 else (row,)
        yield f"{found[1]}({','.join(_cells(cells))})"


def _verified(check: Check) -> Check:
    """`verify(mock, times(2)).send("a")`: of the mock, called so often, and what with."""
    mock, *modes = split(check.subject)
    mode = " ".join(one.rpartition("Mockito.")[2] for one in modes if not one.endswith("times(1)"))
    mode = _NEVER.sub("never()", mode)
    given = split(check.expected)
    loose = sum(_WILDCARD.fullmatch(one) is not None for one in given)
    strength = EXACT if not loose or "never()" in mode else PRESENT if loose == len(given) else SOUGHT
    strength = NONE if "atLeast(0)" in mode else weaker(strength, BOUND) if "atMost" in mode else strength
    return check._replace(subject=mock, relation=f"{check.relation} {mode}".rstrip(), strength=strength)


def annotation_effects(text: str, line: int) -> Iterator[Effect]:
    """What an annotation of JUnit, TestNG or Spring does to the tests it stands on."""
    if SKIPS.match(text):
        yield Effect(SKIPPED, text[:80], line)
    elif re.match(r"@(?:\w+\.)*Test\(", text):
        enabled = re.search(r"\benabled=([^,)]+)", text)
        if enabled and (verdict := truth(enabled[1], {})) != ALWAYS:
            yield Effect(
                SKIPPED if verdict == NEVER else CONDITIONAL, f"enabled={enabled[1]}", line, negation(enabled[1])
            )
        thrown = re.search(r"\b(?:expectedExceptions|expected)=\{?(?:\w+\.)*(\w+)(?:\.class|::class)", text)
        if thrown and BROAD.fullmatch(thrown[1]):
            yield Effect(EXPECTED_FAIL, f"expected={thrown[1]}", line)
        percent = re.search(r"\bsuccessPercentage=(\d+)", text)
        if percent and int(percent[1]) < 100:
            yield Effect(EXPECTED_FAIL, f"successPercentage={percent[1]}", line)
    elif ONLY_ON.match(text):
        yield _conditional(text, line)


def _of_class(code: Code, item: Item, marks: Mapping[int, tuple[Item, ...]]) -> Iterator[Effect]:
    """What a class does to its tests: JUnit 5 runs an inner one with `@Nested`, and an abstract one by its heirs."""
    head = code.text(Span(item.start, (item.part("body") or item.span).start))
    is_inner = any(above.kind == "type" for above in item.above())
    if re.search(r"\babstract\s+(?:\w+\s+)*class\b", head) and not is_inner:
        yield Effect(CONDITIONAL, "an abstract class", item.line, "a class inherits it")
    elif (
        is_inner
        and b"org.junit.jupiter" in code.data
        and not re.search(r"\b(?:static|interface|object|companion)\b", head)
        and not any(NESTED.match(code.text(one.span)) for one in marks.get(item.index, ()))
    ):
        yield Effect(NOT_COLLECTED, "an inner class without @Nested", item.line)


def _constant_answers(code: Code) -> dict[str, bool]:
    """The methods of a file that give one truth and nothing else, by their names."""
    found: dict[str, bool] = {}
    for item in code.items if code.says(b"If(") else ():
        body = item.part("body")
        if item.kind == "function" and body is not None and body.end - body.start < _SHOWN:
            told = _ANSWER.fullmatch(code.normal(body))
            if told is not None:
                found[code.text(item.part("name"))] = told[1] == "true"
    return found


def _conditional(text: str, line: int) -> Effect:
    name = re.sub(r"^@(?:\w+\.)*", "", text)
    is_enabling = name.startswith(("Enabled", "Requires", "IfProfile", "Conditional"))
    if ALWAYS_SET.search(text) and _ANY_VALUE.search(text):
        return Effect(RUNS if is_enabling else SKIPPED, text[:80], line, "" if not is_enabling else "it is always set")
    systems = re.search(r"On(?:Os)?\((.*)\)", name)
    if systems and (is_enabling == ("LINUX" in systems[1])) and name.startswith(("EnabledOnOs", "DisabledOnOs")):
        return Effect(RUNS, text[:80], line, "the gate runs on Linux")
    if systems and name.startswith("DisabledOnOs") and all(one in systems[1] for one in ("LINUX", "WINDOWS", "MAC")):
        return Effect(SKIPPED, text[:80], line)
    if _SINCE_EVER.fullmatch(name):
        return Effect(SKIPPED, text[:80], line)
    if systems and name.startswith("EnabledOnOs") and not _USED_SYSTEMS.search(systems[1]):
        return Effect(SKIPPED, text[:80], line)
    return Effect(CONDITIONAL, name[:60], line, text[:120])
