"""C and C++: GoogleTest, Catch2, doctest, Boost.Test, CppUnit, Unity and Criterion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import (
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
from agentgate_git.source.languages.assertions import UNREACHED, Check, condition_check, no_check, pair_check
from agentgate_git.source.languages.common import CommonDialect, matcher_text_check, rule
from agentgate_git.source.languages.dialect import HOOK, Unit
from agentgate_git.source.languages.helpers import Pattern, is_checker
from agentgate_git.source.languages.listed import MAX_ROWS
from agentgate_git.source.languages.preprocessed import symbols_of
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, span_of, split
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import NEVER
from agentgate_git.source.python.effects import Effect

_FUNCTIONS = pattern_of(
    r"(?:TYPED_|SYNC_|ASYNC_)?TEST(?:_F|_P|_GROUP_BASE)?|Test|ParameterizedTest|IGNORE_TEST|XTEST(?:_F)?|T_DECL"
)
_BLOCKS = pattern_of(
    r"(?:TEMPLATE_)?(?:TEST_CASE\w*|SCENARIO\w*)|TEST_CASE_METHOD|BOOST_(?:AUTO|FIXTURE|DATA|PARAM)_TEST_CASE|METHOD_AS_TEST_CASE"
)
_GTEST = pattern_of(
    r"(?:EXPECT|ASSERT)_(?:EQ|NE|LT|LE|GT|GE|STREQ|STRNE|STRCASEEQ|FLOAT_EQ|DOUBLE_EQ|NEAR|TRUE|FALSE|THAT|THROW|ANY_THROW|"
    r"NO_THROW|DEATH\w*|EXIT|PRED\w*|NO_FATAL_FAILURE|HRESULT\w*)|(?:CU_|TEST_|CPPUNIT_|LONGS_|CHECK_|STRCMP_|DOUBLES_|cr_|ck_|TEST_|"
    r"g_)?(?:ASSERT|assert|EQUAL|expect)\w*"
)
_CONDITION = pattern_of(
    r"(?:STATIC_)?(?:REQUIRE|CHECK|WARN)(?:_UNARY|_FALSE|_UNARY_FALSE)?|BOOST_(?:TEST|CHECK|REQUIRE|ASSERT)|assert|ASSERT|CHECK_TRUE"
)
# An error of a type, with a text or of any kind; what no error may come from is read as others are.
_THROWS = pattern_of(
    r"(?:EXPECT|ASSERT)_(?:ANY_)?THROW|(?:REQUIRE|CHECK)_THROWS(?:_AS|_WITH|_WITH_AS|_MATCHES)?"
    r"|BOOST_(?:CHECK|REQUIRE)_(?:THROW|EXCEPTION)|CPPUNIT_ASSERT_THROW|(?:CHECK|REQUIRE)_THROW"
)
_ANY_ERROR = ("_ANY_THROW", "_THROWS")
_NAMED_BY = pattern_of(r"(\w+)\((\w+)\)")
_PAIR = pattern_of(
    r"(?:REQUIRE|CHECK|WARN|BOOST_(?:CHECK|REQUIRE|TEST))_(?:EQ|NE|LT|LE|GT|GE|EQUAL|CLOSE|CLOSE_FRACTION|SMALL|THROW\w*|THROWS\w*|"
    r"NOTHROW|NOTHROWS|THAT|EQUAL_COLLECTIONS|MESSAGE|EXCEPTION|NO_THROW|BITWISE_EQUAL|PREDICATE|THROWS_\w+)"
)
_INSTANCES = pattern_of(
    r"INSTANTIATE_(?:TYPED_)?TEST_(?:SUITE|CASE)_P|GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(?:_SUITE)?"
)
_VALUES = pattern_of(r"(?:::)?(?:testing::)?(?:Values|Types)\(")
_SECTION = pattern_of(r"(?:DYNAMIC_)?SECTION\(|SUBCASE\(|(?:AND_)?(?:GIVEN|WHEN|THEN)\(")
_SHORT = 40
_NO_ROWS = ("*",)
_ALMOST = ("_FLOAT_EQ", "_DOUBLE_EQ")
_MACRO = 20_000
_CALLED = pattern_of(r"\b(\w+)\(")


class Cpp(CommonDialect):
    """The dialect of GoogleTest, Catch2 and what looks like them."""

    name = "cpp"
    grammar = "cpp"
    query = "cpp"
    stops = (rule(r"GTEST_SKIP|SKIP|TEST_IGNORE\w*|cr_skip\w*|ck_skip|g_test_skip", SKIPPED),)
    keeps = pattern_of(r"EXPECT_(?:NON)?FATAL_FAILURE(?:_ON_ALL_THREADS)?")
    fails = pattern_of(r"throw\b|FAIL\w*\(|ADD_FAILURE\w*\(|abort\(")
    quits = pattern_of(r"(?:std::)?(?:exit|_exit|_Exit|quick_exit)\((?:0|EXIT_SUCCESS)\)")
    swallows = pattern_of(r"\(\.\.\.\)|TestFailureException|assertion|exception")
    refails = pattern_of(
        r"\b(?:throw|FAIL\w*|ADD_FAILURE\w*|EXPECT_\w+|ASSERT_\w+|REQUIRE\w*|CHECK\w*|abort|BOOST_\w+)\b"
    )

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        del path
        made = self._instances(code)
        for item in code.items:
            name = code.text(item.part("name"))
            if item.kind == "function" and _FUNCTIONS.fullmatch(name):
                parts = split(code.normal(item.part("params"))[1:-1])
                effects = []
                if any(part.startswith("DISABLED_") for part in parts):
                    effects.append(Effect(NOT_COLLECTED, "DISABLED_", item.line))
                if name.startswith(("IGNORE", "XTEST")):
                    effects.append(Effect(SKIPPED, name, item.line))
                named = [found for part in parts if (found := _NAMED_BY.fullmatch(part))]
                if named:
                    text = f"{named[0][1]}, a macro that names tests"
                    effects.append(
                        Effect(self._named(code, named[0][1]), text, item.line, "what the macro makes of it")
                    )
                parts = tuple(part.removeprefix("DISABLED_") for part in parts)
                parts = tuple(found[2] if (found := _NAMED_BY.fullmatch(part)) else part for part in parts)
                uses = tuple(found[1] for found in named)
                rows = made.get(parts[0], ()) if name in ("TEST_P", "TYPED_TEST_P") and parts else ()
                if name == "TEST_P" and not rows:
                    effects.append(Effect(CONDITIONAL, "TEST_P", item.line, "another file instantiates it"))
                if rows == _NO_ROWS:
                    effects.append(Effect(NOT_COLLECTED, "nothing instantiates it", item.line))
                unit = Unit("::".join(parts), item.span, item.part("body"), item.line, tuple(effects), rows, uses=uses)
                yield unit._replace(rows=() if rows == _NO_ROWS else rows)
            elif item.kind == "function" and name in ("SetUp", "SetUpTestSuite"):
                yield Unit(name, item.span, item.part("body"), item.line, kind=HOOK)
            elif item.kind == "call" and _BLOCKS.fullmatch(name):
                yield from self._block(code, item)

    def _instances(self, code: Code) -> dict[str, tuple[str, ...]]:
        """The values that suites with parameters are run on, by the names of the suites."""
        found: dict[str, list[str]] = {}
        never: set[str] = set()
        for item in code.items if b"INSTANTIA" in code.data else ():
            name = code.text(item.part("name")) if item.kind == "call" else ""
            arguments = self.arguments(code, item) if _INSTANCES.fullmatch(name) else ()
            if name.startswith("GTEST_ALLOW") and arguments:
                never.add(arguments[0])
            elif len(arguments) > 2:
                values = _VALUES.match(arguments[2])
                end = closing(arguments[2], values.end() - 1) if values is not None else -1
                rows = split(arguments[2][values.end() : end]) if values is not None and end > 0 else ()
                found.setdefault(arguments[1], []).extend(rows or (f"*{arguments[2]}",))
        made = {suite: tuple(rows[:MAX_ROWS]) for suite, rows in found.items()}
        return {**dict.fromkeys(never, _NO_ROWS), **made}

    @staticmethod
    def _named(code: Code, macro: str) -> str:
        """The state of a test that a macro of the file names; what one of another file does, that file offers."""
        bodies = [
            code.text(one.span) for one in code.items if one.kind == "macro" and code.text(one.part("name")) == macro
        ]
        if not bodies:
            return RUNS
        return NOT_COLLECTED if any("DISABLED_" in body for body in bodies) else RUNS

    def offers(self, code: Code) -> Iterator[tuple[str, Effect]]:
        for item in code.items:
            if item.kind == "macro" and "DISABLED_" in code.text(item.part("body")):
                yield code.text(item.part("name")), Effect(NOT_COLLECTED, "DISABLED_", item.line)

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """Symbols of the preprocessor that the test stands under."""
        return symbols_of(effect, condition)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind != "call":
            return
        yield from _asserted(code.text(item.part("name")), self.arguments(code, item))

    def void(self, code: Code, item: Item, body: Span) -> str:
        """What stands in a section that is never entered: the grammar takes `if (x) SECTION("a") {` for two things."""
        if not code.says(b"SECTION(") and not code.says(b"SUBCASE("):
            return ""
        node = item.node.parent
        while node is not None and node.start_byte > body.start:
            before = node.prev_named_sibling if node.type == "compound_statement" else None
            if before is not None and before.type == "if_statement":
                asked, then = before.child_by_field_name("condition"), before.child_by_field_name("consequence")
                is_section = then is not None and _SECTION.match(code.text(span_of(then))[:_SHORT]) is not None
                if asked is not None and is_section and truth(code.normal(span_of(asked)), code.constants) == NEVER:
                    return UNREACHED
            node = node.parent
        return ""

    def patterns(self, code: Code) -> Iterator[Pattern]:
        for item in code.items:
            if item.kind == "macro" and is_checker(name := code.text(item.part("name"))):
                yield Pattern(name, item.line, None, tuple(_written(code.normal(item.part("body")).replace("\\", " "))))

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        yield from super().exits(code)
        for item in code.items:
            if item.kind == "function" and code.text(item.part("name")) == "main":
                text = code.normal(item.part("body"))
                runs = re.search(r"RUN_ALL_TESTS\(\)|Session\(?\)?\.run\(|context\.run\(", text)
                if runs and not re.search(r"(?:return|exit\(|=|\bif\(|\?)[^;{}]*?(?:RUN_ALL_TESTS|\.run\()", text):
                    yield item, "main drops the result of the tests"
                kept = re.search(r"\b(\w+)=[^;{}]*?(?:RUN_ALL_TESTS\(|\.run\()", text)
                if kept and re.search(rf"return[^;{{}}]*?(?:\?{kept[1]}:0|\?0:{kept[1]})", text):
                    yield item, "main drops the result of the tests under a condition"

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        del path
        for item in code.items:
            if item.kind == "function" and code.text(item.part("name")) == "main":
                text = code.normal(item.part("body"))
                for found in re.findall(
                    r"(?:GTEST_FLAG\(filter\)|FLAGS_gtest_filter|GTEST_FLAG_SET\(filter,?)[^\n]{0,80}", text
                ):
                    yield "env.runner", item, found[:80]

    def _block(self, code: Code, item: Item) -> Iterator[Unit]:
        """A macro with a title, and the block that follows it."""
        statement = item.node.parent
        body = statement.next_named_sibling if statement is not None else None
        if body is None or body.type != "compound_statement":
            return
        arguments = self.arguments(code, item)
        whole = ",".join(arguments)
        tags = re.sub(r'^"[^"]*"', "", whole)
        effects = []
        if re.search(r"\[!(?:mayfail|shouldfail)\]|may_fail\(|should_fail\(|expected_failures\(", tags):
            effects.append(Effect(EXPECTED_FAIL, tags[:80], item.line))
        if re.search(r"\[\.\w*\]|\[!hide\]|\[hide\]", tags):
            effects.append(Effect(NOT_COLLECTED, tags[:80], item.line))
        if re.search(r"doctest::skip\(\)|skip\(true\)|unit_test::disabled\(\)|\bdisabled\(\)|enabled<false>\(\)", tags):
            effects.append(Effect(SKIPPED, tags[:80], item.line))
        quoted = re.search(r'"([^"]*)"', whole)
        title = quoted[1] if quoted else arguments[0] if arguments else ""
        yield Unit(title, Span(item.start, body.end_byte), span_of(body), item.line, tuple(effects))


def _asserted(name: str, arguments: tuple[str, ...]) -> Iterator[Check]:
    """What a call of a macro of this name asserts."""
    text = f"{name}({','.join(arguments)})"
    if name.endswith("_MESSAGE") and len(arguments) > 1:
        name, arguments = name.removesuffix("_MESSAGE"), arguments[:-1]
        text = f"{name}({','.join(arguments)})"
    if name in ("CHECK_NOFAIL", "SUCCEED"):
        if name == "CHECK_NOFAIL":
            check = condition_check(text, arguments[0], name) if arguments else no_check(text, name)
            yield check._replace(strength=NONE)
    elif name.endswith("_THAT") and len(arguments) > 1:
        yield matcher_text_check(text, arguments[0], arguments[1], is_negative=False)
    elif _CONDITION.fullmatch(name) and arguments:
        check = condition_check(text, arguments[0], name)
        if name.endswith("_FALSE"):
            check = condition_check(text, f"!({arguments[0]})", name)
        yield check._replace(strength=NONE) if name.startswith(("WARN", "BOOST_WARN")) else check
    elif _THROWS.fullmatch(name) and arguments:
        is_any = name.endswith(_ANY_ERROR) or len(arguments) < 2
        expected = "" if is_any else ",".join(arguments[1:])
        yield Check(text, _block(arguments[0]), "throws", expected, PRESENT if is_any else SOUGHT)
    elif _PAIR.fullmatch(name) or _GTEST.fullmatch(name):
        check = pair_check(text, name, arguments, expected_first=True)
        if name.endswith(_ALMOST):  # as near as arithmetic comes
            check = check._replace(strength=EXACT)
        yield check._replace(strength=NONE) if name.startswith("WARN") else check


def _block(statement: str) -> str:
    """A statement without the braces around it."""
    return statement[1:-1] if statement[:1] == "{" and closing(statement, 0) == len(statement) - 1 else statement


def _written(text: str) -> Iterator[Check]:
    """What the body of a macro asserts, by its text: the grammar reads no calls in it."""
    text = text[:_MACRO]
    for found in _CALLED.finditer(text):
        end = closing(text, found.end() - 1)
        if end > 0:
            yield from _asserted(found[1], split(text[found.end() : end]))
