"""What JavaScript and TypeScript tests check: expect chains, assert functions, chai, ava, node:test and cypress."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from agentgate_git.model.inventory import BOUND, EXACT, PRESENT, TYPE
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import (
    Check,
    condition_check,
    is_literal,
    matcher_check,
    no_check,
    pair_check,
)
from agentgate_git.source.languages.chains import MAX_CALLEE, Link, argument_texts, chain, names
from agentgate_git.source.languages.syntax import Code, Item, Span, split, unquoted
from agentgate_git.source.languages.words import strength_of, word_set

NO_MATCHER = "it has no matcher, and compares nothing"
NOT_CALLED = "its matcher is named and never called"
_SINON = {
    **dict.fromkeys(("calledOnceWithExactly", "calledOnceWithMatch", "notCalled", "callOrder"), "exact"),
    **dict.fromkeys(("calledWithExactly", "alwaysCalledWithExactly", "calledOnceWith", "calledWith"), "close"),
    **dict.fromkeys(("calledWithMatch", "threw", "calledOn"), "sought"),
    **dict.fromkeys(("callCount", "calledOnce", "calledTwice", "calledThrice"), "bound"),
    "called": "present",
}
ASSERTERS = frozenset(("assert", "t", "should", "chai", "tap", "strict"))
_PLAIN = word_set(
    "ok is not deepEqual equal equals strictEqual deepStrictEqual notEqual notStrictEqual notDeepEqual match "
    "doesNotMatch "
    "notDeepStrictEqual throws rejects doesNotThrow doesNotReject throwsAsync notThrows notThrowsAsync truthy "
    "falsy true "
    "false like regex notRegex snapshot assert pass fail same notOk isTrue isFalse isNull isNotNull isDefined "
    "isUndefined "
    "isOk isNotOk include notInclude includes lengthOf property instanceOf typeOf isArray isString isNumber isObject "
    "isFunction isBoolean isAbove isBelow isAtLeast isAtMost closeTo approximately exists notExists sameMembers "
    "sameDeepMembers deepInclude eql isEmpty isNotEmpty hasAllKeys hasAnyKeys isEqual strict"
)
_CHAI = word_set("to be been is that which and has have with at of same but does still also an a it its")
_CHAI_FLAGS = frozenset(("deep", "not", "own", "ordered", "nested", "any", "all", "strictly", "resolves", "rejects"))
_PROPERTY_MATCHERS = word_set(
    "true false ok null undefined exist empty NaN extensible sealed frozen arguments called calledOnce calledTwice "
    "fulfilled rejected finite truthy falsy"
)
# Methods of chai and of jest, which do nothing where they are only named.
_CALLABLE = pattern_of(
    r"equals?|eqls?|eq|includes?|contains?|match|matches|throws?|Throw|property|lengthOf|keys?|members|within|above|below"
    r"|gte?|lte?|least|most|closeTo|approximately|string|satisf(?:y|ies)|instance[oO]f|oneOf|changes?|(?:in|de)creases?"
    r"|calledWith\w*|rejectedWith|respondTo|to(?:Be|Equal|StrictEqual|Match|Contain|Have|Throw|Satisfy|Return)\w*"
)
_MANNERS = frozenset(("soft", "poll", "element"))
_WAITING = ("then", "catch", "finally")
# Checks of types alone, and those that every value passes.
_TYPED = frozenset(("expectType", "expectAssignable", "expectNotType", "expectNotAssignable", "assertType"))
_OF_ANY_TYPE = frozenset(("toBeAny", "toBeUnknown"))
_METHODS = frozenset(("get", "post", "put", "patch", "delete", "del", "head", "options"))
_CALLBACK = pattern_of(r"done|cb|callback|next|end|fn")
_RAISES = frozenset(("throws", "rejects", "throwsAsync", "throw", "toThrow", "toThrowError", "rejectedWith", "Throw"))
# What any error passes: a function that says yes to all, a pattern that finds itself in all.
_ANY_ERROR = pattern_of(
    r"(?:async)?\(?\w*\)?=>(?:true|!0|\{return (?:true|!0)\})|(?:async )?function\(\w*\)\{return (?:true|!0)\}|Boolean|"
    r"\"\"|"
    r"/(?:\.\*|\.|\(\?:\)|\^|\[\\s\\S\]\*?)/\w*|\{\}|expect\.anything\(\)|\{message:/\.\*/\}"
)
_CALLEE = pattern_of(r"(?:await )?((?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*)\(")
_AVA = pattern_of(rb"[\"']ava[\"']")
_PLAIN_NAME = pattern_of(r"[A-Za-z_$][\w$]*")


def call_checks(code: Code, item: Item, links: tuple[Link, ...]) -> Iterator[Check]:
    """The checks that a call makes: one, or one for each `should` of a chain of cypress."""
    path = names(links)
    if path[0] == "cy":
        links = (*links[:-1], links[-1]._replace(arguments=",".join(argument_texts(code, item))))
    told = [at for at, link in enumerate(links) if link.name in ("should", "and") and link.arguments]
    if path[0] != "cy" or len(told) < 2 - (path[-1] not in ("should", "and")):
        check = call_check(code, item, links)
        yield from () if check is None else (_followed(code, item, check),)
        return
    for at in told:
        asked = [link for number, link in enumerate(links[:at]) if number not in told]
        subject = ".".join(f"{one.name}({one.arguments})" if one.arguments is not None else one.name for one in asked)
        first, *rest = split(links[at].arguments or "")
        words = unquoted(first)
        text = f"{subject}.should({links[at].arguments})"
        is_negative = words.startswith("not.")
        yield matcher_check(text, subject, words.removeprefix("not."), tuple(rest), is_negative=is_negative)


def call_check(code: Code, item: Item, links: tuple[Link, ...]) -> Check | None:
    """The check that a call makes, by its chain; None for any other call."""
    links = _without_manner(links)
    first = links[0]
    path = names(links)
    text = code.normal(item.span)
    arguments = argument_texts(code, item)
    if path[-1] in _RAISES:
        arguments = tuple(one for at, one in enumerate(arguments) if not (_ANY_ERROR.fullmatch(one) and at < 2))
    if first.name in ("expect", "expectTypeOf", "expectAsync") and first.arguments is not None and len(links) > 1:
        return _expectation(code, item, links, arguments)
    if first.name == "expect" and path[:2] == ("expect", "fail"):
        return None
    if (
        path == ("expect",)
        and len(arguments) == 1
        and not code.data[item.end : item.end + 40].lstrip().startswith(b".")
    ):
        return no_check(text, "expect")._replace(subject=arguments[0], void=NO_MATCHER)
    if path[:2] == ("sinon", "assert") and len(path) == 3 and arguments:
        strength = _SINON.get(path[2], strength_of(path[2], is_negative=False, has_expected=len(arguments) > 1))
        return Check(text, arguments[0], path[2], ",".join(arguments[1:]), strength)
    if "should" in path[1:-1] and first.name != "cy":
        subject = text[: text.find(".should.")]
        return matcher_check(text, subject, path[-1], arguments, is_negative="not" in path)
    if first.name == "cy" or path[-1] in ("should", "shouldBe"):
        return _cypress(text, links, path, arguments)
    if path == ("assert",) or path[-2:] in (("t", "assert"), ("assert", "ok"), ("console", "assert")):
        if path[-2:] == ("console", "assert"):
            return no_check(text, "console.assert")
        return condition_check(text, arguments[0], "ok") if arguments else None
    if len(path) > 1 and path[0] in ASSERTERS and path[-1] in _PLAIN:
        if "skip" in path:
            return no_check(text, ".".join(path))
        if path[-1] in ("pass", "fail"):
            return no_check(text, path[-1]) if path[-1] == "pass" else None
        check = pair_check(text, path[-1], arguments, expected_first=False)
        if check.truth and path[0] == "t" and not code.once(_is_of_ava):
            check = check._replace(truth="")  # tape and tap ask for what counts as true
        return check._replace(strength=PRESENT) if path[-1] in _RAISES and len(arguments) < 2 else check
    if path[0] in _TYPED and len(path) == 1 and arguments and _given_type(code, item):
        return type_check(code, item, arguments[0], path)
    if len(path) == 1 and path[0] in (
        "deepEqual",
        "strictEqual",
        "deepStrictEqual",
        "equal",
        "ok",
        "throws",
        "rejects",
    ):
        return pair_check(text, path[-1], arguments, expected_first=False)
    if len(path) > 2 and path[0] in ASSERTERS and path[-1] == "skip" and path[-2] in _PLAIN:
        return no_check(text, ".".join(path))
    return None


def _expectation(code: Code, item: Item, links: tuple[Link, ...], arguments: tuple[str, ...]) -> Check | None:
    """What an `expect` with a matcher says; None for what counts assertions, or waits for one."""
    path, text, subject = names(links), code.normal(item.span), links[0].arguments or ""
    if path[1] in ("assertions", "hasAssertions"):
        return None
    if path[-1] in _WAITING:
        if links[-2].arguments is not None:
            return None  # what stands before it is a check of its own
        path, arguments = path[:-1], ()
    if path[0] == "expectTypeOf":
        return type_check(code, item, subject, path)
    if path[-1] in ("a", "an") and arguments:
        is_negative = "not" in path[1:]
        relation = "not a" if is_negative else "a"
        return Check(text, subject, relation, arguments[0], BOUND if is_negative else TYPE)
    telling = [one for one in path[1:] if one not in _CHAI and one not in _CHAI_FLAGS]
    flags = [one for one in path[1:-1] if one in _CHAI_FLAGS and one != "not"]
    name = telling[-1] if telling else "equal"
    if "called" in name.lower() or path[-1] != name:
        arguments = arguments if path[-1] == name else ()
    check = matcher_check(text, subject, name, arguments, is_negative="not" in path[1:])
    return check._replace(relation=" ".join((*flags, check.relation))) if flags else check


def _without_manner(links: tuple[Link, ...]) -> tuple[Link, ...]:
    """`expect.soft(x)` and `expect.poll(f)` look at what they are given as `expect(x)` does.

    What is called on `require("assert")` is called on `assert`.
    """
    if len(links) > 1 and links[0].name == "require":
        module = unquoted(links[0].arguments or "").removeprefix("node:").partition("/")[0]
        if module == "assert":
            return (Link("assert"), *links[1:])
        return links[1:] if module in ("chai", "@jest/globals", "vitest") else links
    if len(links) > 2 and links[0] == Link("expect") and links[1].name in _MANNERS and links[1].arguments:
        return (Link("expect", split(links[1].arguments)[0]), *links[2:])
    return links


def type_check(code: Code, item: Item, subject: str, path: tuple[str, ...]) -> Check:
    """A check of a type alone: `expectTypeOf(x).toEqualTypeOf<T>()`, `expectType<T>(x)`."""
    text, name = code.normal(item.span), path[-1]
    given = _given_type(code, item) or ",".join(argument_texts(code, item) if len(path) > 1 else ())
    is_any = name in _OF_ANY_TYPE or given in ("any", "unknown")
    strength = PRESENT if is_any else EXACT if given else TYPE
    relation = f"not {name}" if "not" in path[:-1] else name
    return Check(text, subject, relation, given, strength)


def _given_type(code: Code, item: Item) -> str:
    """The types that a call is given, between its name and its arguments."""
    name, given = item.part("name"), item.part("args")
    return code.normal(Span(name.end, given.start)) if name and given and name.end < given.start else ""


def _is_of_ava(code: Code) -> bool:
    return _AVA.search(code.data) is not None


def _followed(code: Code, item: Item, check: Check) -> Check:
    """A check whose expected value is a name: what it holds in its place.

    That is what the code under test gives, by a call of the same name, or a value that the test itself writes down.
    """
    called = _CALLEE.match(check.subject)
    if called is None or _PLAIN_NAME.fullmatch(check.expected) is None:
        return check
    held = code.once(_bound).get(check.expected, [])
    at = bisect_left(held, item.start, key=lambda one: one.start)
    if not at:
        return check
    value = code.normal(held[at - 1].part("value"))
    given = _CALLEE.match(value)
    is_own = held[at - 1].around is not None and any(one is held[at - 1].around for one in item.above())
    is_told = (given is not None and given[1] == called[1]) or (is_own and is_literal(value))
    return check._replace(expected=value) if is_told else check


def _bound(code: Code) -> dict[str, list[Item]]:
    """What each name of the file is bound to, in order."""
    bound: dict[str, list[Item]] = {}
    for one in code.items:
        if one.kind == "constant":
            bound.setdefault(code.text(one.part("name")), []).append(one)
    return bound


def _cypress(text: str, links: tuple[Link, ...], path: tuple[str, ...], arguments: tuple[str, ...]) -> Check | None:
    """`cy.get(x).should("have.text", "3")`, and `cy.contains`, which fails where it finds nothing."""
    subject = text[: text.rfind(f".{path[-1]}(")] if len(links) > 1 else text
    if path[-1] in ("should", "and") and arguments:
        words = unquoted(arguments[0])
        is_negative = words.startswith("not.")
        return matcher_check(text, subject, words.removeprefix("not."), arguments[1:], is_negative=is_negative)
    if path[-1] in ("contains", "get", "find") and path[0] == "cy":
        return Check(text, subject, path[-1], ",".join(arguments), "sought")
    return None


def property_checks(code: Code, item: Item) -> Iterator[Check]:
    """chai's checks without a call: `expect(x).to.be.true`, `x.should.exist`."""
    links = chain(code.normal(item.span)) if item.end - item.start < MAX_CALLEE else ()
    path = names(links)
    is_of_expect = bool(path) and path[0] == "expect" and links[0].arguments is not None
    if len(links) > 1 and links[-1].arguments is None and _CALLABLE.fullmatch(path[-1]):
        if is_of_expect or "should" in path[1:]:
            text = code.normal(item.span)
            yield no_check(text, path[-1])._replace(subject=links[0].arguments or "", void=NOT_CALLED)
        return
    if len(links) < 3 or path[-1] not in _PROPERTY_MATCHERS:
        return
    is_negative = "not" in path
    if is_of_expect and links[0].arguments is not None:
        yield matcher_check(code.normal(item.span), links[0].arguments, path[-1], (), is_negative=is_negative)
    elif "should" in path:
        subject = ".".join(path[: path.index("should")])
        yield matcher_check(code.normal(item.span), subject, path[-1], (), is_negative=is_negative)


def request_checks(links: tuple[Link, ...], last: tuple[str, ...]) -> Iterator[Check]:
    """supertest's checks of an answer: `request(app).get("/").expect(200, "ok", done)`."""
    at = next((at for at, link in enumerate(links) if link.name in _METHODS and link.arguments is not None), None)
    if at is None or links[0].name == "cy":
        return
    said = ".".join(
        link.name if link.arguments is None else f"{link.name}({link.arguments})" for link in links[: at + 1]
    )
    for link in links[at + 1 :]:
        if link.name != "expect":
            continue
        of_link = last if link is links[-1] else split(link.arguments or "")
        given = tuple(one for one in of_link if one and _CALLBACK.fullmatch(one) is None)
        if given:
            is_sought = any(one.startswith(("/", "function", "(")) for one in given)
            strength = "sought" if is_sought else "exact"
            yield Check(f"{said}.expect({','.join(given)})", said, "expect", ",".join(given), strength)
