"""What files of JavaScript do to a run: parts of the runner and of the subject that are replaced."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import HARNESS, PRODUCTION
from agentgate_git.source.languages.chains import MAX_CALLEE, argument_texts
from agentgate_git.source.languages.javascript_setups import is_set_up
from agentgate_git.source.languages.syntax import Code, Item, Span, unquoted
from agentgate_git.source.languages.words import word_set
from agentgate_git.source.roles import role_of

_STUB = pattern_of(
    r"(?:t\.)?mock\.method|(?:jest|vi|vitest)\.(?:spyOn|replaceProperty)|sinon\.(?:stub|replace)|sandbox\.stub|spyOn"
)
_PROTOTYPE = pattern_of(r"([\w$]+)\.prototype[.\[]")
_TAKEN_FROM = pattern_of(
    r"import\s+([^;'\"]{1,300}?)\s+from\s+['\"](\.[^'\"]+)['\"]"
    r"|(?:const|let|var)\s+([^=;]{1,300}?)=\s*(?:await\s+import|require)\(\s*['\"](\.[^'\"]+)['\"]"
)
# Parts of nest and angular that are put in the place of others; what decides who comes in, and what does the work.
_OVERRIDES = pattern_of(r"\.override(?:Guard|Pipe|Interceptor|Filter|(Provider|Component|Directive|Module))$")
_WITH_FACTORY = 2
# What a function answers by what it is given, written down.
_ANSWER = pattern_of(r"(?:=>|return |[?:]) ?(?:-?\d|\"[^\"]+\"|\[-?\d|\{\w+:(?:-?\d|\"))")
_HEAD_BYTES = 8_000
_RUNNER = pattern_of(
    r"chai\.(?:assert|expect|Assertion)(?:\.\w+){0,3}|require\(\"(?:node:)?assert(?:/strict)?\"\)(?:\.\w+){1,2}|"
    r"(?:global|globalThis|window|self)\.(?:expect|it|test|describe|assert)|(?:assert|expect)(?:\.\w+|\[[^\]]{1,80}\])?"
)
# What asserts for the tests, by the name that files give it.
_ASSERTER = pattern_of(r"(?:assert|expect|chai)(?:\.\w+)*|(?:chai\.)?Assertion(?:\.prototype)?")
_REPLACES = pattern_of(
    r"Object\.(?:assign|defineProperty|defineProperties|setPrototypeOf)|Reflect\.(?:set|defineProperty)"
)

_BUILT_IN = word_set(
    "toBe toEqual toStrictEqual toMatch toMatchObject toContain toContainEqual toHaveLength toHaveProperty toThrow "
    "toThrowError toBeCloseTo toBeTruthy toBeFalsy toBeNull toBeUndefined toBeDefined toBeNaN toBeGreaterThan "
    "toBeLessThan "
    "toBeGreaterThanOrEqual toBeLessThanOrEqual toBeInstanceOf toHaveBeenCalled toHaveBeenCalledWith "
    "toHaveBeenCalledTimes "
    "toHaveBeenLastCalledWith toHaveBeenNthCalledWith toMatchSnapshot toMatchInlineSnapshot resolves rejects"
)
_KNOWN_ASSERTS = (
    *("equal", "strictEqual", "deepEqual", "deepStrictEqual", "ok", "throws", "rejects", "match", "notEqual"),
    *("toBe", "toEqual", "toStrictEqual", "toMatch", "toThrow", "fail"),
)
_ANSWERS = (".mock", ".returns", ".callsFake", ".and.", ".resolves", ".throws")
_MAY_HOOK = pattern_of(
    rb"(?:Cypress|cy)\.on|\.override[A-Z]|expect\.extend|prototype|stub|[sS]py|[mM]ock|global|window|self|(?:assert|expect)(?:\.\w+|\[[^\]\n]{1,80}\])?\s*=[^=]|Object\.(?:assign|define|set)|Reflect|chai\.[\w.]{1,60}\s*=[^=]|assert(?:/strict)?['\"]\)\.\w+\s*=[^=]"
)
_IGNORES = pattern_of(
    r'"(?:uncaught:exception|fail)",(?:\(?[\w,]*\)?=>(?:false|\{return false\})|function\([\w,]*\)\{return false\})'
)
_MOCK = pattern_of(r"(?:jest|vi|vitest)\.(?:mock|doMock|unstable_mockModule)")


def hooks_of(code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
    """Items of a file that change what a run means: (kind, item, normalised source)."""
    if _MAY_HOOK.search(code.data) is None:
        return
    for item in code.items:
        if item.kind == "assign" and (stub := _patched(code, path, item)):
            yield stub, item, f"{code.normal(item.part('left'))} is replaced"
        elif item.kind == "assign" and _RUNNER.fullmatch(code.normal(item.part("left"))):
            yield "hook.outcome", item, f"{code.normal(item.part('left'))} is replaced"
        elif item.kind == "call" and item.end - item.start < MAX_CALLEE:
            text = code.normal(item.part("name"))
            given = code.normal(item.part("args")) if text in ("Cypress.on", "cy.on", "Cypress.once", "cy.once") else ""
            if given and (_IGNORES.search(given) or (given.startswith('("fail"') and _returns_false(given))):
                yield "hook.outcome", item, code.normal(item.span)
            elif name := _asserter_replaced(code, item, text):
                # Within a file of tests it may be the test of what wraps it.
                yield "hook.outcome" if is_set_up(path) else "hook.outcome.maybe", item, f"{name} is replaced"
            elif text == "expect.extend" and (name := _overridden(code, item)):
                yield "hook.outcome", item, f"expect.extend puts another {name} in the place of the built-in one"
            elif _is_overridden(code, path, item, text):
                # Whoever tests a controller alone may well do so.
                yield "hook.subject.maybe", item, f"{text.rpartition('.')[2]}{code.normal(item.part('args'))}"
            elif (
                (_STUB.fullmatch(text) and _is_stubbed(code, path, item))
                or (_MOCK.fullmatch(text) and _is_subject(path, argument_texts(code, item)))
                or (role_of(path) == HARNESS and _MOCK.fullmatch(text) and _is_answered(argument_texts(code, item)))
            ):
                yield "hook.subject", item, code.normal(item.span)


def _asserter_replaced(code: Code, item: Item, name: str) -> str:
    """What a call puts something else in the place of, where that asserts for the tests; empty for any other call."""
    is_stub = _STUB.fullmatch(name) is not None
    if not is_stub and not _REPLACES.fullmatch(name):
        return ""
    arguments = argument_texts(code, item)
    if len(arguments) < 2 or _ASSERTER.fullmatch(arguments[0]) is None:
        return ""
    if is_stub:
        return f"{arguments[0]}.{unquoted(arguments[1])}" if _is_answering(code, item, arguments) else ""
    # `Object.assign(assert, extra)` may add as well: what it is given has to be written there, under a known name.
    told = " ".join(arguments[1:])
    known = [one for one in _KNOWN_ASSERTS if re.search(rf"(?<![\w.]){one}\b", told)]
    return f"{arguments[0]}.{known[0]}" if known else ""


def _is_answering(code: Code, item: Item, arguments: tuple[str, ...]) -> bool:
    """True for a stub that is told what to do in place of what it stands for, and not only watched."""
    after = code.text(Span(item.end, item.end + 60)).lstrip()
    is_given = len(arguments) > _WITH_FACTORY or after.startswith(_ANSWERS)
    return is_given and not after.startswith((".and.callThrough", ".mockName"))


def _overridden(code: Code, item: Item) -> str:
    """The first built-in matcher that an object of matchers defines anew; empty for none."""
    for argument in code.arguments(item)[:1]:
        for one in argument.named_children:
            named = one.child_by_field_name("name") or one.child_by_field_name("key")
            name = named.text.decode("utf-8", "replace") if named is not None and named.text else ""
            if name in _BUILT_IN:
                return name
    return ""


def _is_answered(arguments: tuple[str, ...]) -> bool:
    """True for a module of the project that is replaced for all tests by answers that are written down."""
    if len(arguments) != _WITH_FACTORY or not unquoted(arguments[0]).startswith("."):
        return False
    made = arguments[1]
    return (
        "fn(" not in made and "requireActual" not in made and "importActual" not in made and bool(_ANSWER.search(made))
    )


def _returns_false(handler: str) -> bool:
    """True for a handler of a failure that does not always pass it on."""
    return "=>" in handler and (re.search(r"\breturn false\b", handler) is not None or "throw " not in handler)


def _patched(code: Code, path: str, item: Item) -> str:
    """The kind of trait that an assignment to a prototype makes: of a class of the subject, of a built-in one."""
    found = _PROTOTYPE.match(code.normal(item.part("left")))
    if found is None:
        return ""
    if found[1] == "Date":
        return "hook.subject"
    return "hook.subject" if _is_of_subject(code, path, found[1]) else ""


def _is_stubbed(code: Code, path: str, item: Item) -> bool:
    """True for a method of the subject that is given another body: `mock.method(range, "caret", fn)`."""
    arguments = argument_texts(code, item)
    name = arguments[0].partition(".prototype")[0] if len(arguments) > 1 else ""
    return _is_answering(code, item, arguments) and _is_of_subject(code, path, name)


def _is_overridden(code: Code, path: str, item: Item, name: str) -> bool:
    """True where a container of parts is told to put another in the place of one that the file is named after."""
    found = _OVERRIDES.search(name)
    if found is None:
        return False
    part = next(iter(argument_texts(code, item)), "")
    if not found[1]:
        return _is_of_subject(code, path, part)
    own = re.split(r"[.-](?:e2e|test|spec|int)", path.rpartition("/")[2])[0]
    return any(one.rpartition("/")[2] == own for one in _sources(code, part))


def _sources(code: Code, name: str) -> tuple[str, ...]:
    """The modules that the file takes a name from."""
    if not re.fullmatch(r"[\w$]+", name):
        return ()
    told = (one for one in code.once(_taken) if re.search(rf"\b{re.escape(name)}\b", one[1] or one[3]))
    return tuple(one[2] or one[4] for one in told)


def _is_of_subject(code: Code, path: str, name: str) -> bool:
    """True for a name that the file takes from the module it is named after."""
    stem = path.rpartition("/")[2].partition(".")[0].removesuffix("_test").removesuffix("-test").removeprefix("test-")
    sources = _sources(code, name)
    if any(one.rpartition("/")[2].partition(".")[0] == stem for one in sources):
        return True
    return name[:1].isupper() and is_set_up(path) and any(_is_production(path, one) for one in sources)


def _taken(code: Code) -> tuple[re.Match[str], ...]:
    """What the file takes from modules."""
    return tuple(_TAKEN_FROM.finditer(code.data[:_HEAD_BYTES].decode("utf-8", "replace")))


def _is_production(path: str, source: str) -> bool:
    """True for a module of the project, named from a file of its tests, that is none of the tests."""
    found = posixpath.normpath(posixpath.join(posixpath.dirname(path), source))
    return role_of(f"{found.removesuffix('.js').removesuffix('.ts')}.ts") == PRODUCTION


def _is_subject(path: str, arguments: tuple[str, ...]) -> bool:
    """True when a module is replaced that the test file is named after."""
    mocked = unquoted(arguments[0]) if len(arguments) > 1 else ""
    stem = path.rpartition("/")[2].partition(".")[0]
    return mocked.startswith(".") and mocked.rpartition("/")[2].partition(".")[0] == stem
