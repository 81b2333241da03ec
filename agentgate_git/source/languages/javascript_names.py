"""What calls of JavaScript call: by what their first name is bound to where that is a word of a runner."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.chains import MAX_CALLEE, Link, callee, chain, followed, names
from agentgate_git.source.languages.javascript_checks import ASSERTERS
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, split
from agentgate_git.source.languages.truth import negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

TESTS = frozenset(("it", "test", "specify", "xit", "xtest", "fit", "ftest", "xspecify", "Deno.test"))
SUITES = frozenset(("describe", "context", "suite", "xdescribe", "xcontext", "fdescribe", "fcontext", "ddescribe"))
HOOKS = frozenset(("beforeEach", "before", "beforeAll", "setup", "suiteSetup"))
SKIPS = frozenset(("skip", "todo", "fixme", "disable"))
CONTEXTS = frozenset(("this", "t", "ctx", "context", "test", "testInfo", "it", "tap", "task", "env"))
FUNCTIONS = frozenset(("arrow_function", "function_expression", "function", "generator_function"))
_KNOWN = TESTS | SUITES | HOOKS | ASSERTERS | CONTEXTS | {"expect", "cy", "pending"}
_GLOBALS = frozenset(("globalThis", "global", "window", "self"))
_REQUIRED = pattern_of(r'require\("[^"]*"\)\.([\w.]+)')
_CHOICE = pattern_of(r"\(?(.+?)\?([\w.\[\]\"]+):([\w.\[\]\"]+)\)?")
# What may be `it` under another name, taken from another file of the tests.
IS_WRAPPER = pattern_of(r"(?:it|test|describe|specify|spec)[A-Z_]\w*$")
_TABLE = pattern_of(r"([\w.]+\.(?:each|for))`(.*)`", re.DOTALL)
_WRAPPER_BYTES = 400
# What a chain of calls costs for each byte, once it is longer than those that are written every day.
_SHORT = 100
_COST_OF_LINKS = 4


def links_of(code: Code, item: Item) -> tuple[Link, ...]:
    """What a call calls: by what its first name is bound to where that is a word of a runner, else as it stands."""
    known = code.once(_known_links)
    if item.index not in known:
        known[item.index] = _resolved(code, item)
    return known[item.index]


def _known_links(_code: Code) -> dict[int, tuple[Link, ...]]:
    """The links of the calls that were asked for, by their index."""
    return {}


def _resolved(code: Code, item: Item) -> tuple[Link, ...]:
    name = item.part("name")
    if name is None or name.end - name.start >= MAX_CALLEE:
        return callee(code, item)
    text = code.normal(name)
    if text.endswith("`") and (table := _TABLE.fullmatch(text)) is not None:
        return (*chain(table[1])[:-1], Link(chain(table[1])[-1].name, _as_list(table[2])))
    if len(text) > _SHORT:
        code.spend(_COST_OF_LINKS * len(text))
    raw = chain(text)
    links = followed(code, raw)
    if raw and raw[0].name in (wrapped := code.once(_wrappers)):
        return (*wrapped[raw[0].name], *raw[1:])
    if (
        raw
        and raw[0].name not in _KNOWN
        and IS_WRAPPER.match(raw[0].name)
        and code.constants.get(raw[0].name, "require(").startswith("require(")
    ):
        arguments = code.arguments(item)
        if len(arguments) > 1 and is_title(arguments) and arguments[1].type in FUNCTIONS:
            return (Link("it"), *raw[1:])
    picked = chosen(code.constants.get(raw[0].name, "") if raw else text)
    if picked:
        return (*picked, *raw[1:])
    if links and links[0].name in _GLOBALS and len(links) > 1:
        links = links[1:]
    required = _REQUIRED.fullmatch(code.constants.get(raw[0].name, "")) if raw else None
    if required:
        links = (raw[0], *(link for link in chain(required[1]) if link.name not in _KNOWN), *raw[1:])
    if links and links[0].name not in _KNOWN and raw and raw[0].name in _KNOWN:
        return raw
    return links


def _as_list(table: str) -> str:
    """The rows of a table that is written as a template, as a list of objects."""
    head, *_ = table.partition("${")
    columns = [one.strip() for one in head.split("|") if one.strip()]
    values, at = [], table.find("${")
    while at >= 0:
        end = closing(table, at + 1)
        if end < 0:
            break
        values.append(table[at + 2 : end])
        at = table.find("${", end)
    width = max(1, len(columns))
    rows = (values[start : start + width] for start in range(0, len(values), width))
    shown = (",".join(f"{name}:{value}" for name, value in zip(columns, row, strict=False)) for row in rows)
    return f"[{','.join(f'{{{row}}}' for row in shown)}]"


def _wrappers(code: Code) -> dict[str, tuple[Link, ...]]:
    """Functions of the file that hand a title and a body to `it`, with what they make of it: `slow`, `flaky`."""
    found: dict[str, tuple[Link, ...]] = {}
    for item in code.items:
        name = code.text(item.part("name"))
        body = item.part("body")
        if item.kind != "function" or body is None or name in _KNOWN or body.end - body.start > _WRAPPER_BYTES:
            continue
        text = code.normal(body).removeprefix("{").removesuffix("}")
        links = chain(text)
        at = next((at for at, link in enumerate(links) if link.arguments is not None), None)
        if at is None or links[0].name not in TESTS:
            continue
        given = split(links[at].arguments or "")
        if len(given) > 1 and re.fullmatch(r"\w+", given[0]):
            is_kept = re.fullmatch(r"\w+", given[-1]) is not None
            more = () if is_kept else (Link("skip"),)
            found[name] = (*(link._replace(arguments=None) for link in links[: at + 1]), *more)
    return found


def chosen(text: str) -> tuple[Link, ...]:
    """`cond ? it : it.skip` is it, skipped unless cond holds."""
    found = _CHOICE.fullmatch(text)
    if found is None:
        return ()
    first, second = chain(found[2]), chain(found[3])
    if not (first and second and first[0].name in TESTS | SUITES and second[0].name in TESTS | SUITES):
        return ()
    is_off = not SKIPS.isdisjoint(names(first)) or first[0].name.startswith("x")
    condition = found[1] if is_off else negation(found[1])
    return (*(second if is_off else first), Link("skipIf", condition))


def is_given(code: Code, item: Item, name: str) -> bool:
    """True where a name of a runner is what a function around is given: `function (test) { test.fail(); }`."""
    for above in item.above():
        body = above.part("body")
        if above.kind in ("lambda", "function") and body is not None:
            head = code.text(Span(above.start, body.start))
            if len(head) < MAX_CALLEE and re.search(rf"[(,\s]{re.escape(name)}\s*[,)=]", head):
                return True
    return False


def is_title(arguments: tuple[Node, ...]) -> bool:
    """True where the first argument is a text."""
    return bool(arguments) and arguments[0].type in ("string", "template_string")
