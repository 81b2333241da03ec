"""JavaScript and TypeScript: jest, vitest, mocha, jasmine, ava, node:test, playwright and cypress."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL, EXPECTED_FAIL, NOT_COLLECTED, RUNS, SKIPPED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.chains import MAX_CALLEE, Link, argument_texts, chain, names
from agentgate_git.source.languages.dialect import HOOK, STOPS_IF, TEST, Dialect, Stop, Unit
from agentgate_git.source.languages.emptied import is_emptied
from agentgate_git.source.languages.helpers import Pattern
from agentgate_git.source.languages.javascript_checks import call_checks, property_checks, request_checks
from agentgate_git.source.languages.javascript_harness import hooks_of
from agentgate_git.source.languages.javascript_names import (
    CONTEXTS,
    FUNCTIONS,
    HOOKS,
    IS_WRAPPER,
    SKIPS,
    SUITES,
    TESTS,
    chosen,
    is_given,
    is_title,
    links_of,
)
from agentgate_git.source.languages.javascript_places import asked_by_place, is_own, named_body
from agentgate_git.source.languages.javascript_properties import drawn_in
from agentgate_git.source.languages.javascript_rows import by_file_name, filtered, loop_rows
from agentgate_git.source.languages.javascript_setups import guards_of
from agentgate_git.source.languages.javascript_waits import is_callee, void_by_place
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of, split, unquoted
from agentgate_git.source.languages.truth import negation, truth
from agentgate_git.source.languages.words import word_set
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_FAILS = frozenset(("failing", "fails", "fail"))
_FOCUS = frozenset(("only",))
_IF = {"skipIf": "if", "skipif": "if", "runIf": "unless", "todoIf": "if"}
_PASSIVE = word_set(
    "cb concurrent each sequential serial parallel for extend describe configure parameterize slow shuffle ignore"
)
_TABLES = frozenset(("each", "for", "parameterize"))
_OPTIONS = ("skip", "todo", "fixme", "ignore")
_KNOBS = ("retry", "retries", "repeats", "timeout")
_ENDS = frozenset(("skip", "fixme", "todo", "fail", "pending"))
_GIVES_SKIP = pattern_of(rb"\(\{[^{}()]{0,200}\bskip\b[^{}()]{0,200}\}(?::[^()]{0,80})?\)\s*=>")
_SPREAD = pattern_of(r"\.\.\.\(?(.+?)(?:&&|\?)(\{.*)", re.DOTALL)
_OFF = pattern_of(r"\b(?:skip|todo|fixme|fails|failing)\b")
_OF_CYPRESS = pattern_of(rb"\bcy\.|Cypress\.")
_WAITING = (b".catch", b".then", b".finally")
_TAIL = 10
_EXITS = pattern_of(r"(?:process|Deno)\.(?:exit|reallyExit)\((?:0|EXIT_SUCCESS|)\)")


class _Callable(Record):
    """A call that defines something: what, with what effects, and the chain that says so."""

    kind: str
    effects: tuple[Effect, ...]
    focus: str
    rows: tuple[str, ...]


class JavaScript(Dialect):
    """The dialect of every runner at once: their names do not collide."""

    name = "javascript"
    grammar = "javascript"
    query = "javascript"
    fails = pattern_of(r"throw new\b|(?:expect|assert|chai|t)\.fail\(|fail\(|done\((?:new |err)|done\.fail\(")
    keeps = pattern_of(r"Promise\.allSettled")
    told_late = pattern_of(r"\bthrow\b|\brejected\b|\.status\b|\.reason\b|fulfilled|\.fail\(")
    refails = pattern_of(
        r"\b(?:throw|fail|assert\w*|expect\w*|reject|should|rejects|t\.\w+)\b"
        r"|\b(?:done|next)\b(?!\((?:null|undefined|void 0|)\))"
    )

    def grammar_of(self, path: str) -> str:
        if path.endswith((".ts", ".mts", ".cts")):
            return "typescript:typescript"
        return "typescript:tsx" if path.endswith(".tsx") else "javascript"

    def beside_product(self, code: Code) -> Iterator[Span]:
        """What vitest is given inside of a source file."""
        for item in code.items if code.says(b"import.meta.vitest") else ():
            if item.kind == "if" and code.normal(item.part("condition")).strip("()") == "import.meta.vitest":
                yield item.span

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        elsewhere = tuple(by_file_name(code, path))
        suites: list[tuple[Span, str, tuple[Effect, ...], str]] = []
        test: Span | None = None
        for item in code.items:
            if item.kind != "call" or (item.around is not None and item.around.part("name") == item.span):
                continue
            while suites and suites[-1][0].end <= item.start:
                suites.pop()
            links = links_of(code, item)
            found = _definition(code, item, links) or _subtest(links)
            if found is None or (found.kind == HOOK and test is not None and test.holds(item.span)):
                continue
            prefix = suites[-1][1] if suites else ""
            inherited = suites[-1][2] if suites else ()
            focus = found.focus or (suites[-1][3] if suites else "")
            if not found.rows and (rows := loop_rows(code, item)):
                found = found._replace(rows=rows)
            unit = _unit(code, item, found, prefix, (*inherited, *found.effects, *filtered(code, item)), focus)
            if found.kind == "suite":
                if unit.body is not None:
                    effects = (*unit.effects, *_lost_by_suite(code, item, unit))
                    suites.append((unit.body, unit.name, effects, focus))
            elif unit.body is not None or found.kind == TEST:
                test = unit.body if found.kind == TEST else test
                yield unit._replace(effects=(*unit.effects, *elsewhere)) if elsewhere else unit

    def stop(self, code: Code, item: Item) -> Stop | None:
        if item.kind != "call":
            return None
        links = links_of(code, item)
        path = names(links)
        if path == ("pending",) or (path == ("skip",) and _GIVES_SKIP.search(code.data)):
            return Stop(SKIPPED, f"{path[0]}()")
        if len(path) < 2 or path[-1] not in _ENDS or path[0] not in CONTEXTS or any(link.arguments for link in links):
            return None
        arguments = argument_texts(code, item)
        if path[-1] == "fail" and is_given(code, item, path[0]):
            return None
        if path[0] in ("test", "it") and any(node.type in FUNCTIONS for node in code.arguments(item)[1:]):
            return None
        marker = f"{'.'.join(path)}()"
        state = EXPECTED_FAIL if path[-1] == "fail" and path[0] in ("test", "it", "testInfo") else SKIPPED
        if path[-1] == "fail" and state == SKIPPED:
            return None
        if path[0] in ("test", "testInfo") and arguments and not arguments[0].startswith('"'):
            return Stop(state, marker, STOPS_IF, _result(arguments[0]))
        return Stop(state, marker)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind == "property":
            yield from property_checks(code, item)
        if item.kind != "call":
            return
        outer = item.around
        if outer is not None and outer.kind == "call" and is_callee(item, outer):
            name = outer.part("name")
            if name is None or not code.data[max(name.start, name.end - _TAIL) : name.end].endswith(_WAITING):
                return
            if not code.text(item.span).startswith(("assert", "expect")):
                return
        links = links_of(code, item)
        if not links:
            return
        checks = tuple(call_checks(code, item, links))
        yield from checks or request_checks(links, argument_texts(code, item))

    def void(self, code: Code, item: Item, body: Span) -> str:
        return void_by_place(code, item, body)

    def asks(self, code: Code, item: Item, body: Span) -> str:
        return asked_by_place(code, item, body)

    def called(self, code: Code, item: Item) -> str:
        links = links_of(code, item)
        if links and links[-1].name == "require":
            links = chain(code.normal(item.part("name"))) or links
        return links[-1].name if links else ""

    def is_own(self, code: Code, function: Item) -> bool:
        return is_own(code, function)

    def offers(self, code: Code) -> Iterator[tuple[str, Effect]]:
        """`exports.itSlow = cond ? it : it.skip`."""
        if b"skip" not in code.data:
            return
        for item in code.items:
            left = (
                item.part("left") if item.kind == "assign" else item.part("name") if item.kind == "constant" else None
            )
            if left is None or item.end - item.start > MAX_CALLEE:
                continue
            value = code.normal(item.part("right") if item.kind == "assign" else item.part("value"))
            for link in chosen(value):
                if link.name == "skipIf":
                    condition = link.arguments or ""
                    effect = Effect(CONDITIONAL, "it.skip", item.line, condition[:120])
                    verdict = truth(condition, code.constants)
                    effect = effect._replace(state=SKIPPED) if verdict == ALWAYS else effect
                    yield code.normal(left).rpartition(".")[2], effect

    def patterns(self, code: Code) -> Iterator[Pattern]:
        """`Cypress.Commands.add("x", fn)` and `test.macro(fn)` of ava."""
        for item in code.items:
            if item.kind == "call" and code.normal(item.part("name")) in (
                "Cypress.Commands.add",
                "Cypress.Commands.overwrite",
            ):
                arguments = code.arguments(item)
                if len(arguments) > 1 and arguments[0].type == "string":
                    name = unquoted(code.text(span_of(arguments[0])))
                    yield Pattern(name, item.line, span_of(arguments[-1]))
            elif item.kind == "constant" and code.data.startswith(
                b"test.macro(", (value := item.parts["value"]).start_byte
            ):
                yield Pattern(code.text(item.part("name")), item.line, span_of(value))

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        if b"xit" not in code.data:
            return
        for item in code.items:
            if item.kind == "call" and item.end - item.start < 200:
                text = code.normal(item.span)
                if _EXITS.fullmatch(text):
                    yield item, text
            elif item.kind == "assign" and item.end - item.start < 200:
                text = code.normal(item.span)
                if text in ("process.exitCode=0", "process.exitCode=undefined"):
                    yield item, text

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        yield from hooks_of(code, path)
        yield from guards_of(code, path)


def _definition(code: Code, item: Item, links: tuple[Link, ...]) -> _Callable | None:
    """What a call defines by its chain; None for any other call."""
    if not links:
        return None
    first = links[0].name
    if first in TESTS:
        kind = TEST
    elif first in SUITES:
        kind = "suite"
    elif first in HOOKS and len(links) == 1:
        return _Callable(HOOK, (), "", ())
    else:
        return None
    if len(links) == 2 and first == "test" and links[1].name in HOOKS:
        return _Callable(HOOK, (), "", ())
    if len(links) > 1 and links[1].name == "describe":
        kind = "suite"
    arguments = code.arguments(item)
    # `test.skip(({ browserName }) => browserName !== "chromium", "why")` defines nothing: it asks for all around it.
    is_asking = len(links) > 1 and len(arguments) < 3 and bool(arguments) and arguments[0].type in FUNCTIONS
    has_body = any(node.type in FUNCTIONS for node in arguments) and not is_asking
    if len(links) > 1 and links[-1].name not in _TABLES and not has_body and not is_title(arguments):
        return None if is_given(code, item, first) else _Callable(HOOK, (), "", ())
    marker = ".".join(link.name for link in links if link.name)
    effects: list[Effect] = []
    focus = marker if first[0] == "f" and first[1:] in ("it", "test", "describe", "context") else ""
    if first[0] == "x" or first == "ddescribe":
        effects.append(Effect(SKIPPED, marker, item.line))
    rows: tuple[str, ...] = ()
    for link in links[1:]:
        if link.name in SKIPS:
            effects.append(Effect(SKIPPED, marker, item.line))
        elif link.name in _FAILS:
            effects.append(Effect(EXPECTED_FAIL, marker, item.line))
        elif link.name in _FOCUS:
            focus = marker
        elif link.name in _IF:
            effects.append(_conditional(code, link, _IF[link.name], item.line))
        elif link.name in _TABLES:
            rows = _rows(link)
            if link.arguments is not None and (link.arguments == "[[]]" or is_emptied(link.arguments, code.unchanged)):
                effects.append(Effect(NOT_COLLECTED, f"{marker} of an empty table", item.line))
        elif link.name not in _PASSIVE and link.name:
            return None
    return _Callable(kind, tuple(effects), focus, rows)


def _subtest(links: tuple[Link, ...]) -> _Callable | None:
    """`t.test(…)` of node:test and tap."""
    return _Callable(TEST, (), "", ()) if names(links) in (("t", "test"), ("tap", "test"), ("t", "step")) else None


def _conditional(code: Code, link: Link, when: str, line: int) -> Effect:
    text = link.arguments or ""
    condition = text if when == "if" else negation(text)
    verdict = truth(condition, code.constants)
    if verdict == ALWAYS:
        return Effect(SKIPPED, f"{link.name}({text})", line)
    return Effect(RUNS if verdict == NEVER else CONDITIONAL, link.name, line, condition[:120])


def _rows(link: Link) -> tuple[str, ...]:
    text = link.arguments or ""
    return split(text[1:-1]) if text.startswith("[") and text.endswith("]") else ()


def _unit(code: Code, item: Item, found: _Callable, prefix: str, effects: tuple[Effect, ...], focus: str) -> Unit:
    arguments = code.arguments(item)
    title = unquoted(" ".join(code.text(span_of(arguments[0])).split())) if arguments and found.kind != HOOK else ""
    name = f"{prefix}::{title}" if prefix else title
    body = None
    knobs: list[tuple[str, str]] = []
    options: list[str] = []
    for node in arguments:
        if node.type in FUNCTIONS:
            holder = node.child_by_field_name("body")
            body = span_of(holder) if holder is not None else None
        elif node.type == "object":
            options.append(code.normal(span_of(node)))
        elif node.type == "identifier" and (held := _bundle(code, code.text(span_of(node)))):
            options.append(held)
        elif node is not arguments[0] and node.type in ("identifier", "call_expression", "member_expression"):
            named = named_body(code, node) if found.kind == TEST else None
            body = named or span_of(node)
    for text in options:
        more, only, soft = _options(code, text, item.line)
        effects = (*effects, *more)
        focus = focus or only
        knobs.extend(soft)
    if found.kind == HOOK and (body is None or code.text(item.part("name")).endswith((".skip", ".fixme", ".fail"))):
        body = item.span
    if body is None and found.kind == TEST:
        effects = (*effects, Effect(NOT_COLLECTED, "a test without a body", item.line))
    kind = TEST if found.kind == "suite" else found.kind
    if found.kind == TEST:
        knobs.extend(drawn_in(code, body))
    uses = (first,) if IS_WRAPPER.match(first := re.split(r"\W", code.text(item.span)[:80])[0]) else ()
    return Unit(name, item.span, body, item.line, effects, found.rows, tuple(knobs), kind, prefix, focus, uses=uses)


def _bundle(code: Code, name: str) -> str:
    """The object that a variable of the file is bound to, empty for any other name."""
    values = (one for one in code.items if one.kind == "bundle" and code.text(one.part("name")) == name)
    return next((code.normal(one.part("value")) for one in values), "")


def _options(code: Code, text: str, line: int) -> tuple[tuple[Effect, ...], str, tuple[tuple[str, str], ...]]:
    """(effects, focus, knobs) of an options object: `{ skip: true, retry: 3 }`."""
    effects: list[Effect] = []
    knobs: list[tuple[str, str]] = []
    focus = ""
    for part in split(text[1:-1]):
        key, colon, value = part.partition(":")
        key = unquoted(key)
        spread = _SPREAD.fullmatch(part)
        if spread and _OFF.search(spread[2]):
            effects.append(Effect(CONDITIONAL, f"{{ {part} }}"[:80], line, spread[1][:120]))
        if not colon or spread or value.startswith(("function", "(", "async")):
            continue
        verdict = ALWAYS if value.startswith('"') and value != '""' else truth(value, code.constants)
        if key in (*_OPTIONS, "fails", "failing"):
            state = EXPECTED_FAIL if key.startswith("fail") else SKIPPED
            if verdict == ALWAYS:
                effects.append(Effect(state, f"{{ {key}: {value} }}", line))
            elif verdict != NEVER:
                effects.append(Effect(CONDITIONAL, f"{{ {key}: {value} }}", line, value[:120]))
        elif key == "only" and verdict == ALWAYS:
            focus = "{ only: true }"
        elif key in _KNOBS:
            knobs.append((key, value))
        elif key == "browser" and code.once(_is_of_cypress):
            effects.append(Effect(CONDITIONAL, f"{{ {key}: {value} }}", line, f"the browser is {value}"[:120]))
    return tuple(effects), focus, tuple(knobs)


def _is_of_cypress(code: Code) -> bool:
    return _OF_CYPRESS.search(code.data) is not None


def _lost_by_suite(code: Code, item: Item, unit: Unit) -> Iterator[Effect]:
    """What the body of a suite does to tests in it: an async body that waits before it defines them loses them."""
    for node in code.arguments(item):
        if node.type not in FUNCTIONS:
            continue
        if code.text(span_of(node)).startswith("async"):
            waits = [one for one in code.inside(unit.body) if one.kind == "await"]
            first = next(
                (
                    one
                    for one in code.inside(unit.body)
                    if one.kind == "call" and names(links_of(code, one))[:1] in (("it",), ("test",))
                ),
                None,
            )
            if waits and (first is None or waits[0].start < first.start):
                yield Effect(NOT_COLLECTED, "a suite that waits before it defines its tests", waits[0].line)
    for one in code.inside(unit.body):
        if one.kind == "return" and one.around is not None and one.around.part("body") == unit.body:
            yield Effect(NOT_COLLECTED, "a suite that returns before it defines its tests", one.line)
            return
        if one.kind == "call" and (links := links_of(code, one)) and links[0].name in TESTS:
            return


def _result(text: str) -> str:
    """What a condition given as a function returns: `() => isCI` is isCI."""
    found = re.fullmatch(r"\(?[\w{},]*\)?=>(.*)", text)
    return found[1] if found else text
