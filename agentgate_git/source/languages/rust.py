"""Rust: `cargo test`, with rstest, proptest, tokio and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import (
    CONDITIONAL,
    EXACT,
    EXPECTED_FAIL,
    FEATURE,
    NONE,
    NOT_COLLECTED,
    ON_DEMAND,
    PRESENT,
    SKIPPED,
    SOUGHT,
    SYMBOL,
    TYPE,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.always import ANYTHING, is_any_pattern
from agentgate_git.source.languages.assertions import (
    Check,
    condition_check,
    near_check,
    opposite_check,
    pair_check,
    strictly,
)
from agentgate_git.source.languages.dialect import TEST, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST, FunctionDialect, markers_of
from agentgate_git.source.languages.helpers import Pattern, is_checker
from agentgate_git.source.languages.matched import strength_of_pattern
from agentgate_git.source.languages.nearness import allowed_by
from agentgate_git.source.languages.rust_properties import properties_of
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, split
from agentgate_git.source.languages.truth import negation, truth
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_TEST = pattern_of(
    r"#\[(?:\w+::)*(?:test|rstest|test_case|case|proptest|quickcheck|wasm_bindgen_test|apply|async_test)\b"
)
_IN_TESTS = pattern_of(r"(?:^|/)(?:tests|benches)/")
_ATTRIBUTE = pattern_of(r"#!?\[(?:unsafe\()?((?:\w+::)*\w+)(?:\((.*)\)|=(.*))?\]$")
_ASSERT = pattern_of(r"(?:debug_)?assert(?:_\w+)?|prop_assert\w*|ensure|panic|unreachable|todo|matches")
_FAILING = pattern_of(r"\bif (.{1,400}?)\{(?:panic|unreachable)!")
_ALLOWED = ("epsilon=", "max_relative=", "abs=", "tolerance=")
_MACRO = 20_000
_MARK = 400
_MAX_MARKED = 5_000
# What stands on something that is compiled for tests alone.
_FOR_TESTS = pattern_of(r"#\[(?:cfg\((?:test|all\(test\b[^\]]*)\)|(?:\w+::)*test\b)")
_CALLED = pattern_of(r"\b(\w+)!\(")
_TRUE = frozenset(("test", "unix", "debug_assertions", 'target_family="unix"', 'target_os="linux"', 'panic="unwind"'))
_FALSE = frozenset(("windows", "miri", "doc", "doctest", 'target_os="windows"', 'target_os="macos"', "loom", "wasm"))
_OPERATORS = frozenset(("all", "any", "not"))
_FEATURE = pattern_of(r'(?<![\w"])feature="([\w.-]+)"')
_BARE = pattern_of(r'(?<![\w"=.-])([a-z]\w*)(?![\w"=.(-])')
_SET = pattern_of(r'target_pointer_width="64"|target_arch="x86_64"|target_endian="little"|target_has_atomic(?:="\w+")?')


def _test_modules(code: Code) -> frozenset[Span]:
    """The modules of a file that are compiled for tests alone."""
    marks = markers_of(code)
    return frozenset(
        item.span
        for item in code.items
        if item.kind == "type"
        and item.node.type == "mod_item"
        and item.around is None
        and any("test" in code.text(mark.span) for mark in marks.get(item.index, ()))
    )


def _is_main(code: Code, item: Item) -> bool:
    return item.kind == "function" and item.around is None and code.text(item.part("name")) == "main"


class Rust(FunctionDialect):
    """The dialect of `cargo test`, tests inside production files included."""

    name = "rust"
    grammar = "rust"
    query = "rust"
    loose_marker = "no #[test] on it"
    rows = pattern_of(r"#\[(?:rstest::)?(?:case|test_case)(?:::\w+)?\(")
    detaches = pattern_of(r"(?:std::)?thread::spawn|(?:tokio|async_std|smol|task)(?:::task)?::spawn")
    keeps = pattern_of(r"(?:(?:std::)?panic::)?catch_unwind")
    gives_up = pattern_of(r"Err")
    fails = pattern_of(r"(?:panic|unreachable)!")
    quits = pattern_of(r"(?:std::)?process::exit\(0\)|exit\(0\)|(?:libc::)?_?exit\(0\)")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        yield from super().units(code, path)
        yield from properties_of(code)

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        if any(_TEST.match(mark) for mark in marks) or any(
            re.match(r"#\[cfg_attr\([^,]*,\s*test", mark) for mark in marks
        ):
            return TEST
        in_tests = _IN_TESTS.search(path) is not None or any(
            code.text(one.part("name")).startswith("test") for one in types
        )
        has_no_input = code.normal(item.part("params")) == "()"
        return LOOSE if in_tests and has_no_input and code.text(item.part("name")) != "main" else NO_TEST

    def mark_effects(self, code: Code, mark: Item) -> Iterator[Effect]:
        text = code.normal(mark.span)
        found = _ATTRIBUTE.match(text)
        if found is None:
            return
        name, inner = found[1], found[2] or ""
        if name == "ignore":
            yield Effect(SKIPPED, f"#[ignore], {ON_DEMAND}" if found[3] else "#[ignore]", mark.line)
        elif name == "should_panic":
            expected = "(expected=…)" if "expected=" in text or '="' in text else ""
            yield Effect(EXPECTED_FAIL, f"#[should_panic{expected}], which is strict", mark.line)
        elif name == "cfg":
            yield from _where(inner, NOT_COLLECTED, text, mark.line)
        elif name == "cfg_attr":
            parts = split(inner)
            if any(re.match(r"ignore\b", part) for part in parts[1:]):
                yield from _where(f"not({parts[0]})", SKIPPED, text, mark.line)

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """Features and cfgs that are off unless someone switches them on."""
        if not effect.marker.startswith("#") or not (condition.startswith("!(") and condition.endswith(")")):
            return ()
        predicate = condition[2:-1]
        if truth(_expression(predicate, 0, unknown="false"), {}) != NEVER:
            return ()
        features = tuple(FEATURE + name for name in _FEATURE.findall(predicate))
        bare = (name for name in _BARE.findall(predicate) if name not in _TRUE | _FALSE and name not in _OPERATORS)
        return (*features, *(SYMBOL + name for name in bare))

    def file_effects(self, code: Code, path: str) -> Iterator[Effect]:
        del path
        for item in code.items:
            if item.kind == "directive" and item.around is None:
                yield from self.mark_effects(code, item)

    def beside_product(self, code: Code) -> Iterator[Span]:
        """What `#[cfg(test)]` or `#[test]` stands on: modules, functions, imports."""
        left = _MAX_MARKED
        for item in code.items:
            if item.kind == "type" and code.text(item.part("name")) in ("test", "tests"):
                yield item.span
            if item.kind != "marker" or left == 0 or _FOR_TESTS.match(code.text(item.span)[:_MARK]) is None:
                continue
            left -= 1
            holder = item.node.next_named_sibling
            while holder is not None and holder.type in ("attribute_item", "line_comment", "block_comment"):
                holder = holder.next_named_sibling
            yield Span(item.start, holder.end_byte if holder is not None else item.end)

    def setups(self, code: Code) -> Iterator[tuple[str, int, tuple[Effect, ...]]]:
        """Modules of tests that stand in other files, and what their declarations ask."""
        marks = markers_of(code)
        for item in code.items:
            name = code.text(item.part("name"))
            held = marks.get(item.index, ())
            if item.kind == "module" and ("test" in name or any("test" in code.text(mark.span) for mark in held)):
                yield f"mod {name}", item.line, tuple(self._effects(code, held))

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind == "assert":
            name = code.text(item.part("name")).rpartition("::")[2]
            yield from _asserted(name, self.arguments(code, item) if _ASSERT.fullmatch(name) else ())

    def is_of_product(self, code: Code, function: Item) -> bool:
        """What the product asserts of itself stands outside of the module of the tests."""
        modules = code.once(_test_modules)
        return bool(modules) and not any(above.span in modules for above in function.above())

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        """Those in tests and beside them; a program, or a function of the product, that ends is none of them."""
        yield from ((item, text) for item, text, is_of_tests in self._ends(code) if is_of_tests)

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        yield from super().hooks(code, path)
        kind = "exit.process" if _IN_TESTS.search(path) else "exit.process.maybe"
        others = [(kind, item, text) for item, text, is_of_tests in self._ends(code) if not is_of_tests]
        if others and not any(_is_main(code, item) for item in code.items):
            yield from others

    def _ends(self, code: Code) -> Iterator[tuple[Item, str, bool]]:
        """Each end of the process as a success, and whether it stands in what is compiled for tests alone."""
        found = tuple(super().exits(code))
        marks = markers_of(code) if found else {}
        for item, text in found:
            held = [
                code.text(mark.span)
                for above in item.above()
                if above.kind in ("function", "type", "module")
                for mark in marks.get(above.index, ())
            ]
            yield item, text, any(_TEST.match(one) or "test" in one for one in held)

    def patterns(self, code: Code) -> Iterator[Pattern]:
        for item in code.items:
            if item.kind == "macro" and is_checker(name := code.text(item.part("name"))):
                text = code.normal(item.span)
                yield Pattern(name, item.line, None, tuple(_written(text)))

    def called(self, code: Code, item: Item) -> str:
        if item.kind == "assert":
            return code.text(item.part("name")).rpartition("::")[2]
        return super().called(code, item)


def _matches(text: str, condition: str) -> Check | None:
    found = re.fullmatch(r"(?:std::)?matches!\((.*)\)", condition)
    parts = split(found[1]) if found else ()
    if len(parts) < 2:
        return None
    return _matched(text, parts[0], ",".join(parts[1:]))


def _matched(text: str, subject: str, pattern: str) -> Check:
    """A check that a value matches a pattern, which may be one that all values do."""
    if is_any_pattern(pattern):
        return Check(text, subject, "matches", "", NONE, void=ANYTHING)
    return Check(text, subject, "matches", pattern, strength_of_pattern(pattern))


def _where(predicate: str, state: str, text: str, line: int) -> Iterator[Effect]:
    """What a predicate does that must hold for the test to be there."""
    condition = _expression(predicate, 0)
    verdict = truth(condition, {})
    if verdict == NEVER:
        yield Effect(state, text, line)
    elif verdict != ALWAYS:
        yield Effect(CONDITIONAL, text, line, negation(predicate))


def _expression(predicate: str, depth: int, unknown: str = "unknown") -> str:
    """A cfg predicate as a condition: all, any and not become operators, what the gate is becomes true."""
    found = re.fullmatch(r"(all|any|not)\((.*)\)", predicate)
    if found is None or depth > 8:
        if predicate in _TRUE or _SET.fullmatch(predicate):
            return "true"
        is_told = predicate in _FALSE or _FEATURE.fullmatch(predicate) or _BARE.fullmatch(predicate)
        return "false" if predicate in _FALSE else unknown if is_told else "unknown"
    parts = [_expression(part, depth + 1, unknown) for part in split(found[2])]
    if found[1] == "not":
        return f"!({parts[0] if parts else 'true'})"
    if not parts:
        return "true" if found[1] == "all" else "false"
    return "(" + (" && " if found[1] == "all" else " || ").join(parts) + ")"


def _asserted(name: str, arguments: tuple[str, ...]) -> Iterator[Check]:
    """What a macro of this name asserts."""
    if not _ASSERT.fullmatch(name) or name in ("matches", "panic", "unreachable", "todo"):
        return
    text = f"{name}!({','.join(arguments)})"
    if name.endswith("_snapshot") and arguments:
        yield _snapshot(text, name, arguments)
        return
    if name in ("assert", "debug_assert", "prop_assert", "ensure") and arguments:
        check = _matches(text, arguments[0]) or strictly(condition_check(text, arguments[0], name), "true")
    elif name in ("assert_matches", "debug_assert_matches") and len(arguments) > 1:
        yield _matched(text, arguments[0], arguments[1])
        return
    else:
        is_near = "approx" in name or "relative" in name or "ulps" in name
        given = (*arguments[:2], *(one for one in arguments[2:3] if is_near or one.startswith(_ALLOWED)))
        check = pair_check(text, name, given, expected_first=False)
        if not check.tolerance and (allowed := allowed_by(arguments[2:])):
            check = near_check(text, check.subject, check.expected, allowed)
    yield check._replace(strength=PRESENT, relation=name) if name.startswith("debug_") else check


def _snapshot(text: str, name: str, arguments: tuple[str, ...]) -> Check:
    """A snapshot of insta: written out beside it or in a file, whole or with parts put in the place of others."""
    subject = arguments[1] if arguments[0].startswith('"') and len(arguments) > 1 else arguments[0]
    inline = next((one for one in arguments if one.startswith("@")), "")
    redacted = next((one for one in arguments if one.startswith("{") and "=>" in one), "")
    strength = (SOUGHT if redacted else EXACT) if inline else TYPE if redacted else SOUGHT
    return Check(text, subject, name, f"redacted {redacted}{inline}" if redacted else inline, strength)


def _written(text: str) -> Iterator[Check]:
    """What the body of a macro asserts, by its text: the grammar reads no calls in it."""
    text = text[:_MACRO]
    for found in _FAILING.finditer(text):
        yield opposite_check(found[1])
    for found in _CALLED.finditer(text):
        end = closing(text, found.end() - 1)
        if end > 0:
            yield from _asserted(found[1], split(text[found.end() : end]))
