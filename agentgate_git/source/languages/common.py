"""What most languages share: tables of calls that skip, of assertion functions, of fluent assertions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.inventory import BUT_FOR, SOUGHT, STRENGTHS, TYPE
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.assertions import (
    Check,
    condition_check,
    is_literal,
    matcher_check,
    near_check,
    no_check,
    pair_check,
)
from agentgate_git.source.languages.chains import Link, argument_texts, callee_text, chain
from agentgate_git.source.languages.dialect import ALWAYS_STOPS, Dialect, Stop
from agentgate_git.source.languages.helpers import is_statement
from agentgate_git.source.languages.nearness import tolerance_of, with_values
from agentgate_git.source.languages.syntax import Code, Item, closing, split

_MAY_END = pattern_of(rb"[eE]xit|halt|stop")
_MAX_TEXT = 2_000
_COMPARED = pattern_of(r"(?:be|is|a|value)?(===?|!=|>=|<=|>|<)(.+)")
_SAYS = frozenset(("as", "describedAs", "withFailMessage", "because"))
_ASKING = ("assertthat", "expectthat", "expect")
NO_MATCHER = "it has no matcher, and compares nothing"
_WRAPPERS = frozenset(
    ("is", "be", "a_value", "described_as", "that", "Is", "Does", "Has", "to", "isA_", "CoreMatchers")
)
_JOINS = frozenset(
    (
        "and",
        "And",
        "as",
        "describedAs",
        "extracting",
        "hasMessageThat",
        "hasCauseThat",
        "withFailMessage",
        "which",
        "that",
        "because",
        "asString",
        "Which",
    )
)
_ANY_OF = frozenset(("anyOf", "any_of", "AnyOf", "Or", "or", "either", "oneOf", "SatisfyAny"))
_ALL_OF = frozenset(("allOf", "all_of", "AllOf", "And", "SatisfyAll", "both"))
_MAX_JOINED = 4
_WORD = pattern_of(r"\w+")
_TYPED = pattern_of(r"([^\n]{1,2000})<([\w.,? ]{1,80})>")
_TYPES = re.compile(r"<[\w.,? ]{1,80}>(?=\()")
_NEAR = frozenset(("Within", "within", "plusOrMinus", "of_tolerance"))
_LEAVES_OUT = pattern_of(r"(?:using|ignoring)(?:Recursive\w*|\w*Fields?\w*|\w*Types?|\w*Properties\w*)(?<!Comparator)")
_WITHIN = frozenset(("be_within", "a_value_within", "isWithin"))
_OF = frozenset(("of", "percent_of"))
_HOLDERS = frozenset(("To", "ToNot", "NotTo", "Should", "ShouldNot", "to", "toNot", "notTo"))
_NEGATORS = frozenset(("not", "Not", "isNot", "never", "no", "No"))


class StopRule(Record):
    """A call that ends a test: `pattern` fits what it calls, `argument` is where its condition stands."""

    pattern: re.Pattern[str]
    state: str
    holds: str = ALWAYS_STOPS
    argument: int = 0
    ends_late: bool = True


def rule(pattern: str, state: str, holds: str = ALWAYS_STOPS, *, argument: int = 0, ends_late: bool = True) -> StopRule:
    """A stop rule from the text of its pattern."""
    return StopRule(re.compile(pattern), state, holds, argument, ends_late)


class CommonDialect(Dialect):
    """A dialect by tables.

    `stops` are calls that end a test, `throws` what is thrown to skip; `pairs` fits the last names of assertion
    functions, `fluent` the names that start a fluent assertion, `matched` those that take a matcher as an argument,
    `asking` those that assert nothing without a matcher behind them, `hollow` the checks in name only, `quits` whole
    calls that end the process with success.
    """

    stops: tuple[StopRule, ...] = ()
    throws: re.Pattern[str] | None = None
    throw_state = "skipped"
    pairs: re.Pattern[str] | None = None
    expected_first = True
    fluent: frozenset[str] = frozenset()
    matched: frozenset[str] = frozenset()
    asking = frozenset(("assertThat", "expectThat", "expect", "Expect", "Ω", "Should"))
    hollow: re.Pattern[str] | None = None
    quits: re.Pattern[str] | None = None

    def stop(self, code: Code, item: Item) -> Stop | None:
        if item.kind == "throw" and self.throws is not None and item.end - item.start < _MAX_TEXT:
            text = code.normal(item.span)
            found = self.throws.search(text)
            return Stop(self.throw_state, found[0]) if found else None
        if item.kind not in ("call", "assert"):
            return None
        text = self.callee(code, item)
        for one in self.stops:
            if one.pattern.fullmatch(text):
                arguments = self.asked(self.arguments(code, item))
                condition = arguments[one.argument] if len(arguments) > one.argument else ""
                holds = one.holds if condition or one.holds == ALWAYS_STOPS else ALWAYS_STOPS
                return Stop(one.state, text, holds, condition, one.ends_late)
        return None

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind not in ("call", "assert") or self._is_inner(item):
            return
        callee = self.callee(code, item)
        if not callee:
            return
        name = re.sub(r"[\[<].*[\]>]$", "", re.split(r"\.|->|::", callee)[-1]).rstrip("!?")
        arguments = with_values(self.arguments(code, item), code.constants)
        if self.hollow is not None and self.hollow.fullmatch(name):
            yield no_check(f"{callee}({','.join(arguments)})", name)
        elif name in self.matched and len(arguments) > 1:
            text = f"{callee}({','.join(arguments)})"
            yield matcher_text_check(text, arguments[0], arguments[1], is_negative=False)
        elif self.pairs is not None and self.pairs.fullmatch(name):
            text = f"{callee}({','.join(arguments)})"
            yield pair_check(text, name, self.compared(arguments), expected_first=self.expected_first)
        elif name in self.asking and len(arguments) == (0 if name == "Should" else 1) and is_statement(item):
            subject = arguments[0] if arguments else callee.rpartition(".")[0]
            yield no_check(f"{callee}({','.join(arguments)})", name)._replace(subject=subject, void=NO_MATCHER)
        else:
            yield from self._fluent(callee, arguments)

    def callee(self, code: Code, item: Item) -> str:
        """What a call calls, as normalised text."""
        return callee_text(code, item)

    def arguments(self, code: Code, item: Item) -> tuple[str, ...]:
        """The arguments of a call as normalised text."""
        span = item.part("args")
        return argument_texts(code, item) if span is not None and span.end - span.start < 20 * _MAX_TEXT else ()

    def asked(self, arguments: tuple[str, ...]) -> tuple[str, ...]:
        """The arguments of a call that ends a test, the condition where its rule says that it stands."""
        return arguments

    def compared(self, arguments: tuple[str, ...]) -> tuple[str, ...]:
        """The arguments of an assertion function that are compared: without a message, without the test itself."""
        return arguments

    def called(self, code: Code, item: Item) -> str:
        found = re.search(r"([A-Za-z_$][\w$]*[?!]?)$", self.callee(code, item))
        return found[1] if found else ""

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        if self.quits is None or _MAY_END.search(code.data) is None:
            return
        for item in code.items:
            if item.kind in ("call", "assert") and item.end - item.start < 300:
                text = code.normal(item.span)
                if self.quits.fullmatch(text):
                    yield item, text

    def _is_inner(self, item: Item) -> bool:
        """True for a call that another call is a member of: only the outermost says what is checked."""
        outer = item.around
        if outer is None or outer.kind != "call":
            return False
        args = outer.part("args")
        return outer.start == item.start and (args is None or args.start >= item.end) and bool(self.fluent)

    def _fluent(self, callee: str, arguments: tuple[str, ...]) -> Iterator[Check]:
        if "<" in callee and not self.fluent.isdisjoint(_WORD.findall(callee)):
            typed = _TYPED.fullmatch(callee)
            callee, arguments = (typed[1], (typed[2], *arguments)) if typed is not None else (callee, arguments)
            callee = _TYPES.sub("", callee)
        root = callee[: closing(callee, 0) + 1] if callee.startswith("(") else ""
        links = chain(f"{'it' if root else ''}{callee[len(root) :]}({','.join(arguments)})")
        start = next((at for at, link in enumerate(links) if link.name in self.fluent), None)
        if start is None:
            return
        first = links[start]
        subject = (first.arguments or callee[: callee.find(first.name, len(root))]).rstrip(".->:")
        head = f"{first.name}({first.arguments})"
        is_negative = is_told = False
        left_out = ""
        for link in links[start + 1 :]:
            if link.name in _JOINS:
                subject = subject if link.name in _SAYS else link.arguments or subject
            elif link.name in _NEGATORS and not link.arguments:
                is_negative = True
            elif _LEAVES_OUT.fullmatch(link.name) and link.arguments is not None and link is not links[-1]:
                left_out += f"{link.name}({link.arguments})" if link.arguments else ""
            elif link.arguments is not None:
                text = f"{head}{'.not' if is_negative else ''}.{link.name}({link.arguments})"
                if link.name in _WITHIN and links[-1].name in _OF:
                    of = links[-1].arguments or ""
                    yield near_check(f"{text}.of({of})", subject, of, tolerance_of(link.arguments))
                    return
                if link.name in _HOLDERS:
                    is_negative = is_negative or "ot" in link.name[1:]
                    yield matcher_text_check(text, subject, link.arguments, is_negative=is_negative)
                else:
                    check = matcher_check(text, subject, link.name, split(link.arguments), is_negative=is_negative)
                    if left_out or "Excluding(" in link.arguments:
                        relation = f"{check.relation}{BUT_FOR}{left_out or 'a part'}"
                        check = check._replace(text=f"{text} {left_out}", relation=relation)
                    is_of_error = "Thrown" in first.name or "Exception" in first.name
                    yield check._replace(strength=SOUGHT) if is_of_error and check.strength == TYPE else check
                is_negative = False
                is_told = True
        if not is_told and first.name.lower().startswith(_ASKING) and "(" in callee:
            yield no_check(f"{callee}({','.join(arguments)})", first.name)._replace(subject=subject, void=NO_MATCHER)


def matcher_text_check(text: str, subject: str, matcher: str, *, is_negative: bool) -> Check:
    """A check whose matcher is an argument: `assertThat(x, is(3))`, `expect(x).to eq(3)`, `Is.EqualTo(3)`."""
    compared = _COMPARED.fullmatch(matcher)
    if compared:
        check = condition_check(text, f"{subject}{compared[1]}{compared[2]}")
        return check._replace(relation=f"not {check.relation}" if is_negative else check.relation)
    if is_literal(matcher):
        return matcher_check(text, subject, "equals", (matcher,), is_negative=is_negative)
    links = chain(_TYPES.sub("", matcher))
    joined = _joined(text, subject, links, is_negative=is_negative)
    if joined is not None:
        return joined
    for _ in range(4):
        telling = [link for link in links if link.name not in _WRAPPERS or link.arguments is not None]
        is_negative = is_negative != any(link.name in _NEGATORS for link in links)
        telling = [link for link in telling if link.name not in _NEGATORS or link.arguments]
        if not telling:
            break
        link = next((one for one in telling if one.arguments), telling[-1])
        near = next((one for one in telling[1:] if one.name in _NEAR and one.arguments), None)
        if near is not None and link is not near and link.arguments:
            return near_check(text, subject, link.arguments, tolerance_of(near.arguments or ""))
        of = next((one for one in telling[1:] if one.name in _OF and one.arguments), None)
        if of is not None and link.name in _WITHIN and not is_negative:
            return near_check(text, subject, of.arguments or "", tolerance_of(link.arguments or ""))
        inner = chain(link.arguments or "") if link.name in _WRAPPERS or link.name in _NEGATORS else ()
        if not inner or inner[0].arguments is None:
            name = "equals" if link.name in _WRAPPERS and link.arguments else link.name
            return matcher_check(text, subject, name, split(link.arguments or ""), is_negative=is_negative)
        links = inner
    return matcher_check(text, subject, matcher[:80], (), is_negative=is_negative)


def _joined(text: str, subject: str, links: tuple[Link, ...], *, is_negative: bool) -> Check | None:
    """A check by several matchers: one that takes any of them is worth less than each, all are worth the strongest."""
    at = next((at for at, link in enumerate(links) if link.name in _ANY_OF | _ALL_OF), None)
    if at is None:
        return None
    link = links[at]
    parts = split(link.arguments or "")
    if link.name in _ALL_OF and len(parts) > 1 and at < 2:
        checks = [matcher_text_check(text, subject, part, is_negative=is_negative) for part in parts[:_MAX_JOINED]]
        return min(checks, key=lambda one: STRENGTHS.index(one.strength))
    if link.name in _ANY_OF and (len(parts) > 1 or at > 0):
        told = [matcher_text_check(text, subject, part, is_negative=is_negative) for part in parts[:_MAX_JOINED]]
        strength = max((SOUGHT, *(one.strength for one in told)), key=STRENGTHS.index)
        return Check(text, subject, link.name, link.arguments or "", strength)
    return None
