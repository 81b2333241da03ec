"""C#: xUnit, NUnit, MSTest, FluentAssertions and Shouldly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CLOSE, CONDITIONAL, EXACT, EXPECTED_FAIL, PUT_ASIDE, SKIPPED, SOUGHT, SYMBOL
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import NOT_AWAITED, Check, no_check, pair_check
from agentgate_git.source.languages.common import matcher_text_check, rule
from agentgate_git.source.languages.dialect import HOOK, STOPS_IF, STOPS_UNLESS, TEST, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST, FunctionDialect
from agentgate_git.source.languages.helpers import is_checker
from agentgate_git.source.languages.listed import OPEN, dead_rows, member_rows
from agentgate_git.source.languages.nearness import is_hair, of_digits
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import NEVER
from agentgate_git.source.python.effects import Effect

_TESTS = pattern_of(
    r"(?:\w+\.)*(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|SkippableFact|SkippableTheory|"
    r"Property|Scenario|\w+(?:Fact|Theory))(?:Attribute)?\b"
)
_HOOKS = pattern_of(r"(?:\w+\.)*(?:SetUp|OneTimeSetUp|TestInitialize|ClassInitialize|TestFixtureSetUp)\b")
_OTHER = pattern_of(
    r"(?:\w+\.)*(?:TearDown|OneTimeTearDown|TestCleanup|ClassCleanup|Benchmark|GlobalSetup|DynamicData)\b"
)
_SKIPS = pattern_of(r"(?:\w+\.)*(?:Ignore|Explicit)(?:Attribute)?(?:\(.*\))?$")
_SKIP_VALUE = pattern_of(r"\b(?:Skip|Ignore|IgnoreReason|Explicit)=(?!null\b|false\b)([^,)]+)")
# A row that is there and not run.
_SKIPPED_ROW = pattern_of(r"[(,](?:(?:Skip|Ignore|IgnoreReason|IgnoreMessage)=(?!null\b|\"\")|Explicit=true)")
# The systems that pipelines run on, as NUnit and MSTest call them.
_SYSTEMS = ("Linux", "Win", "Mac|OSX")
_USED = pattern_of(r"(?i)linux|unix|win|mac|osx|net|mono|bit|\bnameof\b|\+")
_RECORDED = pattern_of(r"Record\.Exception(Async)?\((.*)\)")
_PLATFORM = pattern_of(r"(?:\w+\.)*(?:Platform|OSCondition)\((.*)\)$")
_ONLY_ON = pattern_of(r"(?:\w+\.)*(?:Platform|Culture|SupportedOSPlatform|Conditional\w+|OSCondition)\(")
_GIVEN_BY = pattern_of(r"\b(?:MemberData|TestCaseSource|DynamicData|ValueSource)\((?:nameof\((?:\w+\.)*|\")(\w+)")
_TASK = pattern_of(r"\bAssert\.\w+Async(?:<.*>)?$|\.(?:Not)?Throw\w*Async(?:<.*>)?$")
_AWAITING = pattern_of(rb"\[(?:Fact|Theory|TestMethod|DataTestMethod)\b")
_SYMBOLS = pattern_of(r"[A-Z_0-9&|!() ]+")
_SYMBOL = pattern_of(r"[A-Z_][A-Z_0-9]+")
# What the compiler or the build gives by itself.
_GIVEN = pattern_of(
    r"(?:DEBUG|RELEASE|TRACE|NET\w*|WINDOWS\w*|ANDROID|IOS|MACOS|MACCATALYST|TVOS|BROWSER|LINUX|UNITY\w*)$"
)
_NO_WORD = pattern_of(r"[\W_]+")
_CLASSES = frozenset(("Assert", "CollectionAssert", "StringAssert", "FileAssert", "DirectoryAssert", "ClassicAssert"))


class CSharp(FunctionDialect):
    """The dialect of `dotnet test`."""

    name = "csharp"
    grammar = "c_sharp"
    query = "csharp"
    loose_marker = "no attribute says that it is a test"
    rows = pattern_of(r"(?:\w+\.)*(?:InlineData|TestCase|DataRow|Values)\(")
    tagged = pattern_of(r'\b(?:Test)?Category\("([\w.-]+)"|\bTrait\("\w+", *"([\w.-]+)"')
    stops = (
        rule(r"(?:\w+\.)*Assert\.(?:Ignore|Inconclusive|Skip)", SKIPPED),
        rule(r"(?:\w+\.)*Assert\.Pass", SKIPPED, ends_late=False),
        rule(r"(?:\w+\.)*(?:Assert\.SkipWhen|Skip\.If)", SKIPPED, STOPS_IF),
        rule(r"(?:\w+\.)*(?:Assert\.SkipUnless|Skip\.IfNot|Assume\.That)", SKIPPED, STOPS_UNLESS),
    )
    throws = pattern_of(
        r"\b(?:SkipException|IgnoreException|InconclusiveException|AssertInconclusiveException|SuccessException)\b"
    )
    fluent = frozenset(("Should", "Expect"))
    detaches = pattern_of(
        r"(?:System\.Threading\.)?(?:Tasks\.)?(?:Task\.Run|Task\.Factory\.StartNew|ThreadPool\.QueueUserWorkItem)"
    )
    keeps = pattern_of(r"Record\.Exception(?:Async)?")
    fails = pattern_of(r"throw new (?:\w+\.)*\w*(?:Exception|Assert)|Assert\.Fail\(")
    quits = pattern_of(r"(?:System\.)?Environment\.(?:Exit\(0\)|ExitCode=0)")
    swallows = pattern_of(
        r"^$|\b(?:Exception|AssertionException|XunitException|AssertFailedException|AssertActualExpectedException)\b"
    )
    refails = pattern_of(r"\b(?:throw|Fail|Assert|Should\w*)\b")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        for unit in super().units(code, path):
            named = _GIVEN_BY.findall(code.text(Span(unit.span.start, (unit.body or unit.span).start)))
            rows = tuple(row for name in named for row in member_rows(code, name) or (f"{OPEN}{name}",))
            dead = tuple((PUT_ASIDE, _NO_WORD.sub("", row)) for name in named for row in dead_rows(code, name))
            unit = unit._replace(knobs=(*unit.knobs, *dead)) if dead else unit
            off = tuple(row for row in unit.rows if _SKIPPED_ROW.search(row))
            if off and len(off) == len(unit.rows) + len(rows):
                unit = unit._replace(effects=(*unit.effects, Effect(SKIPPED, f"[{off[0][:80]}]", unit.line)))
            elif off:
                unit = unit._replace(rows=tuple(row for row in unit.rows if row not in off))
            yield unit._replace(rows=(*unit.rows, *rows)) if rows else unit

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        del path
        if any(_TESTS.match(mark) for mark in marks):
            return TEST
        if any(_HOOKS.match(mark) for mark in marks):
            return HOOK
        if any(_OTHER.match(mark) for mark in marks) or not types or _is_local(item):
            return NO_TEST
        if code.normal(item.part("params")) != "()" and is_checker(code.text(item.part("name"))):
            return NO_TEST
        head = code.text(item.span)[:200]
        return (
            LOOSE
            if re.match(
                r"(?:\[[^\]]*\]\s*)*(?:(?:public|internal|private|protected)\s+)*(?:async\s+)?(?:void|Task|ValueTask)\b",
                head,
            )
            else NO_TEST
        )

    def mark_effects(self, code: Code, mark: Item) -> Iterator[Effect]:
        text = code.normal(mark.span)
        skip = _SKIP_VALUE.search(text)
        if (
            _SKIPS.match(text)
            or (skip and _TESTS.match(text))
            or ((on := _PLATFORM.match(text)) is not None and _is_nowhere(on[1]))
        ):
            yield Effect(SKIPPED, f"[{text[:80]}]", mark.line)
        elif _ONLY_ON.match(text):
            yield Effect(CONDITIONAL, f"[{text[:80]}]", mark.line, text[:120])
        elif re.match(r"(?:\w+\.)*ExpectedException\(typeof\((?:\w+\.)*(?:\w*Assert\w*Exception|Exception)\)", text):
            yield Effect(EXPECTED_FAIL, f"[{text[:80]}]", mark.line)

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """Symbols of the preprocessor that the test stands under."""
        if effect.marker != f"if {condition}" or not _SYMBOLS.fullmatch(condition):
            return ()
        names = tuple(dict.fromkeys(_SYMBOL.findall(condition)))
        if any(_GIVEN.match(name) for name in names) or truth(_SYMBOL.sub("false", condition), {}) != NEVER:
            return ()
        return tuple(SYMBOL + name for name in names)

    def type_offers(self, code: Code, item: Item, marks: Iterable[Item]) -> Iterator[Effect]:
        """An attribute of the project's own that sets `Skip`."""
        del marks
        head = code.text(Span(item.start, (item.part("body") or item.span).start))
        body = code.normal(item.part("body"))
        if re.search(r"\b(?:Fact|Theory|Test|TestMethod)(?:Attribute)?\b", head.partition(":")[2]) and (
            found := re.search(
                r"(?:if\(((?:[^()]|\((?:[^()]|\([^()]*\))*\)){1,200})\).{0,80})?\b(?:Skip|Ignore)=", body
            )
        ):
            state = CONDITIONAL if found[1] or "?" in body else SKIPPED
            chosen = re.search(r"\bSkip=(.{1,200}?)\?", body)
            asked = found[1] or (chosen[1] if chosen else "an expression")
            yield Effect(state, "Skip=", item.line, asked if state == CONDITIONAL else "")

    def offers(self, code: Code) -> Iterator[tuple[str, Effect]]:
        for name, effect in super().offers(code):
            yield name, effect
            if name.endswith("Attribute"):
                yield name.removesuffix("Attribute"), effect

    def void(self, code: Code, item: Item, body: Span) -> str:
        """An assertion that is a task which nobody waits for; those of NUnit wait by themselves."""
        del body
        is_task = _TASK.search(self.callee(code, item)) is not None
        if not is_task or code.says(b"NUnit") or not code.once(_is_awaiting):
            return ""
        holder = item.node.parent
        if holder is not None and holder.type == "assignment_expression":
            left = holder.child_by_field_name("left")
            return NOT_AWAITED if left is not None and left.text == b"_" else ""
        return NOT_AWAITED if holder is not None and holder.type == "expression_statement" else ""

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind != "call":
            return
        callee = self.callee(code, item)
        path = re.sub(r"<[^<>]*>$", "", callee).split(".")
        arguments = self.arguments(code, item)
        text = f"{callee}({','.join(arguments)})"
        name = path[-1]
        owner = path[-2] if len(path) > 1 else ""
        if owner in _CLASSES:
            if name in ("Ignore", "Inconclusive", "Pass", "Skip", "SkipWhen", "SkipUnless", "Fail", "Multiple"):
                return
            if name in ("IsType", "IsAssignableFrom") and (caught := _caught(code, arguments)):
                yield Check(text, caught[1], f"Throws{caught[0]}", "", SOUGHT)
            elif name == "That" and len(arguments) > 1:
                yield matcher_text_check(text, arguments[0], arguments[1], is_negative=False)
            elif name == "InRange" and len(arguments) == 3 and (near := _middle(*arguments[1:])) is not None:
                yield Check(text, arguments[0], "is near", near[0], CLOSE, near[1])
            else:
                check = pair_check(text, "assertTrue" if name == "That" else name, arguments, expected_first=True)
                digits = of_digits(arguments[2]) if name == "Equal" and len(arguments) > 2 else ""
                strength = EXACT if is_hair(digits) else CLOSE
                yield check._replace(tolerance=digits, strength=strength) if digits else check
        elif owner == "Warn":
            yield no_check(text, callee)
        elif name.startswith("Should") and name != "Should" and len(path) > 1:
            yield pair_check(text, name, (callee.rpartition(".")[0], *arguments), expected_first=False)
        else:
            yield from super().checks(code, item)


def _caught(code: Code, arguments: tuple[str, ...]) -> tuple[str, str] | None:
    """("Async" or empty, what was called) of an error that `Record.Exception` caught and an assertion looks at."""
    found = _RECORDED.fullmatch(code.constants.get(arguments[-1], "")) if arguments else None
    return (found[1] or "", found[2]) if found is not None else None


def _is_nowhere(given: str) -> bool:
    """True for platforms among which is none that a pipeline runs on, or that leave out all of those."""
    if "Exclude" in given:
        return all(re.search(one, given) for one in _SYSTEMS)
    return given.startswith('"') and _USED.search(given) is None


def _is_awaiting(code: Code) -> bool:
    """True where its runner waits for a test, and not for each assertion in it."""
    return _AWAITING.search(code.data) is not None


def _is_local(item: Item) -> bool:
    """True for what no runner could call: a function inside a method."""
    return item.node.type == "local_function_statement"


def _middle(low: str, high: str) -> tuple[str, str] | None:
    """The middle of two numbers and how far each is from it; None for what is no number."""
    try:
        first, second = float(low), float(high)
    except ValueError:
        return None
    return f"{(first + second) / 2:g}", f"{abs(second - first) / 2:g}"
