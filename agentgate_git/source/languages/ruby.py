"""Ruby: RSpec, minitest and test-unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL, EXACT, EXPECTED_FAIL, RUNS, SKIPPED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import CONSTANT, Check, no_check, pair_check
from agentgate_git.source.languages.called import Definition, Title, Word, title_of, units_of, words
from agentgate_git.source.languages.common import NO_MATCHER, matcher_text_check, rule
from agentgate_git.source.languages.dialect import HOOK, STOPS_IF, STOPS_UNLESS, TAG_MARK, TEST, Stop, Unit, with_tags
from agentgate_git.source.languages.functions import LOOSE, NO_TEST, FunctionDialect
from agentgate_git.source.languages.helpers import is_used
from agentgate_git.source.languages.listed import MAX_ROWS
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of, split
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_WORDS = {
    **words(
        "it specify example scenario its test should",
        "describe context feature example_group shared_examples group",
        "before setup around prepend_before",
    ),
    "focus": Word(TEST, "", is_focus=True),
    "pending": Word(TEST, EXPECTED_FAIL),
    "skip": Word(TEST, SKIPPED),
}
_OWNERS = pattern_of(r"(?:RSpec|self|config|Minitest::Spec)\.?")
# `private` alone on its line: what follows in the class is not called by the runner.
_ACCESS = pattern_of(r"^\s*(private|protected|public)\s*$", re.MULTILINE)
_EXPECTATIONS = pattern_of(r"(?:assert|refute)\w*|must_\w+|wont_\w+")
# What a block does to a number that is told as a text or a function, and what compares what it is given: all others
# look at an answer, a page or a queue that stands nowhere in the call.
_COUNTED = frozenset(("assert_difference", "assert_no_difference", "assert_changes", "assert_no_changes"))
_COMPARES = pattern_of(
    r"(?:assert|refute)(?:_(?:not_)?(?:equal|nil|same|match|includes?|empty|operator|predicate|kind_of|instance_of|in_delta"
    r"|in_epsilon|respond_to|true|false|boolean|not|compare|alias_method))?"
)
_STUBBED = pattern_of(
    r"allow(?:_any_instance_of)?\((?:subject|described_class)\)\.to receive.*"
    r"(?:and_return|and_raise|and_yield|and_throw|\{|do\b)"
)
_STUBBED_BY_NAME = pattern_of(
    r"allow\((\w+)\)\.to receive\(:(\w+)[?!]?\).*(?:and_return|and_raise|and_yield|and_throw|\{|do\b)|$^"
)
_SHARED = frozenset(("it_behaves_like", "it_should_behave_like", "include_examples"))
_TABLE_BYTES = 20_000
_HELD = pattern_of(r"^(?P<subject>.*)\.(?P<verb>to|not_to|to_not|should|should_not)$", re.DOTALL)


class Ruby(FunctionDialect):
    """The dialect of RSpec and minitest."""

    name = "ruby"
    grammar = "ruby"
    query = "ruby"
    loose_marker = "a name that minitest does not run"
    stops = (
        rule(r"(?:self\.)?(?:skip|omit|notify)", SKIPPED),
        rule(r"(?:self\.)?pending", EXPECTED_FAIL),
        rule(r"(?:self\.)?(?:omit_if|skip_if)", SKIPPED, STOPS_IF),
        rule(r"(?:self\.)?(?:omit_unless|skip_unless)", SKIPPED, STOPS_UNLESS),
        rule(r"(?:self\.)?skip_until", CONDITIONAL),
    )
    fails = pattern_of(r"raise\b|flunk\b|fail\b")
    handlers = pattern_of(
        r"(?<![\w.])(?:\w+\.)*instance_variable_set\(:@exception,\s*nil\)|(?:self\.)?failures\.(?:clear|pop|shift|reject!.*)"
    )
    quits = pattern_of(r"(?:Kernel\.|Process\.|at_exit\{)?(?:exit!?|exit!?\((?:0|true|)\)|exit!? (?:0|true))\}?")
    swallows = pattern_of(
        r"\bException\b|Minitest::(?:Assertion|UnexpectedError)|ExpectationNotMetError|AssertionFailedError"
    )
    refails = pattern_of(r"\b(?:raise|fail|flunk|assert\w*|refute\w*|expect|must_\w+|abort)\b")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        yield from super().units(code, path)
        shared = self._given(code)
        for unit in units_of(self._definitions(code), focus_is_certain=False):
            rows = _loop_rows(code, unit) if unit.kind == TEST else ()
            if shared and unit.kind == TEST:
                rows = (*rows, *(row for title in unit.name.split("::") for row in shared.get(title, ())))
            yield with_tags(unit._replace(rows=rows))

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        del marks, path
        name = code.text(item.part("name"))
        if not types:
            return NO_TEST
        head = code.text(Span(types[-1].start, types[-1].start + 200)).split("\n")[0]
        if not re.search(r"<\s*.*(?:Test|TestCase|Spec)\b", head):
            return NO_TEST
        if name == "setup":
            return HOOK
        before = code.text(Span(types[-1].start, item.start))
        if [one[1] for one in _ACCESS.finditer(before)][-1:] not in ([], ["public"]):
            return LOOSE
        has_input = item.node.child_by_field_name("parameters") is not None
        return NO_TEST if has_input else TEST if name.startswith("test_") else LOOSE if name != "teardown" else NO_TEST

    def stop(self, code: Code, item: Item) -> Stop | None:
        if item.kind == "word":
            text = code.text(item.span)
            found = next((one for one in self.stops if one.pattern.fullmatch(text)), None)
            return Stop(found.state, _strict(text, found.state)) if found else None
        if item.kind == "call" and "block" in item.parts and code.text(item.part("name")) in ("skip", "pending"):
            return None
        found_stop = super().stop(code, item)
        if found_stop is None:
            return None
        return found_stop._replace(marker=_strict(found_stop.marker, found_stop.state))

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind == "word" and code.text(item.span) in ("pass",):
            yield no_check("pass", "pass")
        if item.kind != "call":
            return
        callee = self.callee(code, item)
        name = callee.rpartition(".")[2]
        arguments = self.arguments(code, item)
        held = _HELD.match(callee)
        if name == "expect" and callee == name and _is_bare(item):
            told = arguments[0] if arguments else code.normal(item.part("block"))
            yield no_check(code.normal(item.span), name)._replace(subject=told, void=NO_MATCHER)
        elif name in _SHARED and arguments:
            yield Check(f"{name}({','.join(arguments)})", arguments[0], "behaves like", ",".join(arguments), EXACT)
        elif held and arguments:
            subject = held["subject"]
            found = re.fullmatch(r"(?:expect|is_expected|subject)(?:\((.*)\)|\{(.*)\})?", subject, re.DOTALL)
            text = f"{callee} {','.join(arguments)}"
            told = next((one for one in (found[1], found[2]) if one), subject) if found else subject
            matcher = re.sub(r"^(\w+) (.+)$", r"\1(\2)", ",".join(arguments), flags=re.DOTALL)
            yield matcher_text_check(text, told, matcher, is_negative="not" in held["verb"])
        elif _EXPECTATIONS.fullmatch(name):
            text = f"{callee}({','.join(arguments)})"
            if name.startswith(("must_", "wont_")):
                subject = callee.rpartition(".")[0]
                given = (subject, *arguments)
                yield pair_check(text, name.replace("wont_", "not_"), given, expected_first=False)
            elif name in _COUNTED:
                by = arguments[1] if len(arguments) > 1 else "0" if "_no_" in name else "1"
                yield Check(text, arguments[0] if arguments else "", name, by, EXACT)
            else:
                check = pair_check(text, name.replace("refute", "assert_not"), arguments, expected_first=True)
                is_of_answer = check.void == CONSTANT and not _COMPARES.fullmatch(name)
                yield check._replace(subject=name, void="", expected=",".join(arguments)) if is_of_answer else check

    def called(self, code: Code, item: Item) -> str:
        return code.text(item.part("name"))

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        for item in code.items:
            if item.kind in ("call", "word") and item.end - item.start < 200 and self.quits is not None:
                text = code.normal(item.span)
                if self.quits.fullmatch(text) and not text.startswith("at_exit"):
                    yield item, text

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        """`allow(subject).to receive(…)`: an answer put into the very thing that is tested."""
        yield from super().hooks(code, path)
        for item in code.items if b"receive" in code.data else ():
            if item.kind == "call" and code.text(item.part("name")) == "to" and item.end - item.start < 1_000:
                text = code.normal(item.span)
                if _STUBBED.match(text) or _is_asserted(code, _STUBBED_BY_NAME.match(text)):
                    yield "hook.subject", item, text
        for item in code.items if b"_method" in code.data else ():
            if item.kind == "call" and code.text(item.part("name")) in ("remove_method", "undef_method"):
                whole = [item, *(above for above in item.above() if above.kind == "call")][-1]
                if whole.end - whole.start < _TABLE_BYTES and "test_" in code.text(whole.span):
                    yield "hook.collection", item, code.normal(whole.span)[:200]

    def setups(self, code: Code) -> Iterator[tuple[str, int, tuple[Effect, ...]]]:
        """Metadata that skips what it fits."""
        for item in code.items if b"define_derived_metadata" in code.data else ():
            if item.kind == "call" and code.text(item.part("name")) == "define_derived_metadata":
                text = code.normal(item.part("block"))
                found = re.search(r"\[:(?:skip|pending)\]=(.*)", text)
                if found:
                    yield (
                        "define_derived_metadata",
                        item.line,
                        (Effect(CONDITIONAL, "skip", item.line, found[1][:200]),),
                    )

    def _definitions(self, code: Code) -> Iterator[Definition]:
        for item in code.items:
            if item.kind != "call":
                continue
            name = code.text(item.part("name"))
            if name in _SHARED and item.part("args") is not None and self._is_ours(code, item):
                title = f"behaves like {title_of(code.text(span_of(code.arguments(item)[0])))}"
                yield Definition(item, item.span, Word(TEST), name, Title(title, item.span))
                continue
            word = _WORDS.get(name)
            if word is None or not self._is_ours(code, item):
                continue
            block = item.part("block")
            arguments = code.arguments(item)
            if block is None and (word.kind != TEST or name in ("skip", "pending", "focus", "test", "should")):
                continue
            if word.kind == TEST and block is None and not arguments:
                continue
            title = title_of(code.text(span_of(arguments[0]))) if arguments else ""
            effects, focus = _metadata(code, [code.normal(span_of(node)) for node in arguments[1:]], item.line)
            yield Definition(item, item.span, word, name, Title(title, block, effects, focus))

    def _given(self, code: Code) -> dict[str, tuple[str, ...]]:
        """The values that shared examples of the file are run on, by their titles."""
        found: dict[str, list[str]] = {}
        for item in code.items if b"behave" in code.data or b"include_examples" in code.data else ():
            if item.kind == "call" and item.part("args") is not None and code.text(item.part("name")) in _SHARED:
                arguments = self.arguments(code, item)
                if len(arguments) > 1 and item.end - item.start < _TABLE_BYTES:
                    found.setdefault(title_of(arguments[0]), []).append(f"({','.join(arguments[1:])})")
        return {title: tuple(rows[:MAX_ROWS]) for title, rows in found.items()}

    def _is_ours(self, code: Code, item: Item) -> bool:
        receiver = item.node.child_by_field_name("receiver")
        return receiver is None or _OWNERS.fullmatch(code.normal(span_of(receiver))) is not None


def _is_bare(item: Item) -> bool:
    """True for `expect(x)` with no `to` behind it, which compares nothing."""
    parent = item.node.parent
    is_inner = parent is not None and parent.type == "call" and parent.start_byte == item.start
    return not (is_inner or is_used(item)) and ("args" in item.parts or "block" in item.parts)


def _is_asserted(code: Code, stubbed: re.Match[str] | None) -> bool:
    """True for an answer that is put into the very method that the file asserts something of."""
    if stubbed is None:
        return False
    asked = rf"expect\(\s*{re.escape(stubbed[1])}\.{re.escape(stubbed[2])}(?![\w?!])"
    return re.search(asked.encode(), code.data) is not None


def _strict(marker: str, state: str) -> str:
    """`pending` of RSpec runs the example, and fails it where it passes."""
    return f"{marker}, which is strict" if state == EXPECTED_FAIL else marker


def _metadata(code: Code, arguments: list[str], line: int) -> tuple[tuple[Effect, ...], str]:
    """(effects, focus) of the metadata after a title: `skip: true`, `:pending`, `if: x`."""
    effects: list[Effect] = []
    focus = ""
    for text in arguments:
        key, _, value = text.replace("=>", ":").removeprefix(":").partition(":")
        key, value = key.strip(), value.strip() or "true"
        verdict = ALWAYS if value.startswith('"') else truth(value, code.constants)
        if key in ("skip", "pending") and verdict != NEVER:
            state = SKIPPED if key == "skip" else EXPECTED_FAIL
            is_certain = verdict == ALWAYS
            effects.append(
                Effect(state if is_certain else CONDITIONAL, text[:80], line, "" if is_certain else value[:120])
            )
        elif key in ("if", "unless"):
            stops = value if key == "unless" else f"!({value})"
            verdict = truth(stops, code.constants)
            if verdict != NEVER:
                effects.append(Effect(SKIPPED if verdict == ALWAYS else CONDITIONAL, text[:80], line, stops[:120]))
        elif key in ("focus", "focused") and verdict == ALWAYS:
            focus = text
        elif re.fullmatch(r"[a-z]\w*", key) and verdict == ALWAYS:
            effects.append(Effect(RUNS, f"{TAG_MARK}{key}", line))
    return tuple(effects), focus


def _loop_rows(code: Code, unit: Unit) -> tuple[str, ...]:
    """The rows of a table that is written where `each` makes tests of it."""
    item = next((one for one in code.inside(unit.span) if one.kind == "call" and one.span == unit.span), None)
    for above in item.above() if item is not None else ():
        if above.kind == "call" and code.text(above.part("name")) in ("each", "each_with_index", "each_pair"):
            receiver = above.node.child_by_field_name("receiver")
            if receiver is None or receiver.end_byte - receiver.start_byte > _TABLE_BYTES:
                return ()
            text = code.normal(span_of(receiver))
            return split(text[1:-1]) if text[:1] in ("{", "[") and text[-1:] in ("}", "]") else ()
    return ()
