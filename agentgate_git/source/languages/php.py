"""PHP: PHPUnit and Pest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL, EXTENSION, NOT_COLLECTED, SKIPPED, SOUGHT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import CONSTANT, Check
from agentgate_git.source.languages.chains import callee_text, chain, names
from agentgate_git.source.languages.common import rule
from agentgate_git.source.languages.dialect import HOOK, TEST, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST, FunctionDialect
from agentgate_git.source.languages.listed import MAX_BYTES, MAX_ROWS, OPEN, rows_in, without_keys
from agentgate_git.source.languages.syntax import Code, Item, Span, split, unquoted
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.languages.words import is_negated, strength_of, word_set
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_TEST_MARK = pattern_of(r"(?:\w+\\)*Test\b")
_HOOK_MARK = pattern_of(r"\\?(?:\w+\\)*Before(?:Class)?\b")
_REQUIRES = pattern_of(r"(?:\w+\\)*Requires(?:\w*)\(|@requires\s")
_VERSION = pattern_of(r"RequiresPhp(unit)?\(\"([<>=!^~]*) ?(\d{1,4})(?:\.(\d{1,4}))?")
# What is no version of PHP or of PHPUnit yet, and what every PHP that is still kept up is.
_NO_PHP, _NO_PHPUNIT, _EVERY_PHP = (10, 0), (20, 0), (8, 1)
_OPERATING = pattern_of(r"RequiresOperatingSystem(?:Family)?\(\"(.*)\"\)")
_KNOWN_SYSTEMS = pattern_of(r"(?i)linux|win|darwin|mac|os ?x|bsd|sun|solaris|cygwin|unix|\.[*+]|\bL\b|\[")
_EXTENSION = pattern_of(r"RequiresPhpExtension\(\"(\w+)\"\)$|!\(?extension_loaded\(\"(\w+)\"\)\)?$")
# What is compiled in, or what distributions and the actions of pipelines bring with PHP.
_BUNDLED = word_set(
    "bcmath bz2 calendar core ctype curl date dba dom enchant exif ffi fileinfo filter ftp gd gettext gmp hash iconv "
    "imap intl json ldap libxml mbstring mysqli mysqlnd odbc opcache openssl pcntl pcre pdo pdo_mysql pdo_pgsql "
    "pdo_sqlite pgsql phar posix random readline reflection session shmop simplexml snmp soap sockets sodium spl "
    "sqlite3 standard sysvmsg sysvsem sysvshm tidy tokenizer xml xmlreader xmlwriter xsl zip zlib"
)
_PROVIDER = pattern_of(r"(?:DataProvider\(['\"]|@dataProvider\s+)(\w+)")
_PEST = frozenset(("it", "test", "describe", "arch"))


# `$response->assertOk()->assertSee("x")`: assertions of a value that makes them itself.
_ON_ANSWER = pattern_of(r"((?:\$(?!this->assert)|(?!\$|self|static|parent|Assert|PHPUnit)\w)[^\n]*?)->assert[A-Z]\w*")
_EXPECTED = pattern_of(r"(?:\$this->|self::|static::)?expectException(Message|Code|MessageMatches|Object)?")
_CLASS = pattern_of(r"(?:\\?((?:\w+\\)*\w+)::class|new \\?((?:\w+\\)*\w+))")
# What PHPUnit compares of what it is given; other assertions look at what stands nowhere in the call.
_COMPARES = pattern_of(
    r"(?:not )?(?:==|!=|assert(?:Not)?(?:Equals\w*|Same|True|False|Null|Empty|Contains\w*|Count|SameSize|InstanceOf"
    r"|Is\w+|GreaterThan\w*|LessThan\w*|Matches\w*|RegExp|String\w*|Array\w*|Json\w*|That|Infinite|Nan|ObjectEquals|Finite|Xml\w*))"
)
# What an expectation of an error is about: all that the test calls.
WHOLE_TEST = "what the test calls"


class Php(FunctionDialect):
    """The dialect of PHPUnit and Pest."""

    name = "php"
    grammar = "php:php"
    query = "php"
    loose_marker = "a name that PHPUnit does not run"
    rows = pattern_of(r"(?:\w+\\)*(?:TestWith\w*|DataProvider\w*)\(")
    stops = (
        rule(r"(?:\$this->|self::|static::|parent::)?markTest(?:Skipped|Incomplete)|(?:\$this->)?skip", SKIPPED),
        rule(r"(?:\$this->)?markTestSkippedUnless", CONDITIONAL),
    )
    throws = pattern_of(
        r"\b(?:Skipped(?:Test)?(?:Error|Exception|WithMessageException)|IncompleteTest(?:Error|Exception)?)\b"
    )
    pairs = pattern_of(r"assert\w+")
    fluent = frozenset(("expect",))
    fails = pattern_of(r"throw new |(?:\$this->|self::|static::)?fail\(")
    handlers = pattern_of(r"onNotSuccessfulTest")
    quits = pattern_of(r"(?:exit|die)(?:\((?:0|)\))?")
    swallows = pattern_of(r"\b(?:Throwable|Exception|AssertionFailedError|ExpectationFailedException|AssertionError)\b")
    refails = pattern_of(r"\b(?:throw|fail|assert\w*|expect\w*)\b")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        rows = _provided(code)
        for unit in super().units(code, path):
            used = list(_PROVIDER.findall(_doc(code, unit.span.start)))
            used += _PROVIDER.findall(code.text(Span(unit.span.start, (unit.body or unit.span).start)))
            found = rows.get(used[-1], ()) if used else ()
            on_it = tuple(row for row in unit.rows if _PROVIDER.search(row) is None)
            yield unit._replace(rows=(*on_it, *found)) if found else unit
        yield from _pest(code)

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        del path
        name = code.text(item.part("name"))
        if not types:
            return NO_TEST
        head = code.text(code.head(item))
        doc = _doc(code, item.start)
        is_hidden = re.search(r"\b(?:private|protected)\b", head) is not None
        if name in ("setUp", "setUpBeforeClass") or any(_HOOK_MARK.match(mark) for mark in marks) or "@before" in doc:
            return HOOK
        if name.startswith("test") or any(_TEST_MARK.match(mark) for mark in marks) or "@test" in doc:
            return LOOSE if is_hidden else TEST
        has_no_input = code.normal(item.part("params")) == "()"
        return LOOSE if has_no_input and not is_hidden and not name.startswith(("__", "tear", "provide")) else NO_TEST

    def mark_effects(self, code: Code, mark: Item) -> Iterator[Effect]:
        text = code.normal(mark.span)
        if _REQUIRES.match(text):
            yield from _required(text, mark.line)

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """An extension that no installation of PHP has by itself."""
        del effect
        found = _EXTENSION.search(condition)
        name = (found[1] or found[2]) if found is not None else ""
        return (EXTENSION + name,) if name and name.lower() not in _BUNDLED else ()

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        """What a test expects to be thrown, and what is asserted of an answer, in a chain or not."""
        if item.kind != "call" or self._is_inner(item):
            return
        callee, arguments = self.callee(code, item), self.arguments(code, item)
        thrown = _EXPECTED.fullmatch(callee)
        if thrown is not None and arguments:
            expected = _CLASS.sub(r"\1\2", ",".join(arguments))
            yield Check(f"{callee}({','.join(arguments)})", WHOLE_TEST, f"throws{thrown[1] or ''}", expected, SOUGHT)
            return
        of_answer = _ON_ANSWER.match(callee)
        if of_answer is None:
            for check in super().checks(code, item):
                is_of_state = check.void == CONSTANT and not _COMPARES.fullmatch(check.relation)
                is_of_state = is_of_state and callee.startswith(("$this->", "self::", "static::"))
                yield check._replace(subject=check.relation, void="") if is_of_state else check
            return
        holder = of_answer[1]
        for link in chain(f"it{callee[len(holder) :]}({','.join(arguments)})"):
            if link.name.startswith("assert") and link.arguments is not None:
                given = split(link.arguments)
                strength = strength_of(link.name, is_negative=is_negated(link.name), has_expected=bool(given))
                yield Check(f"{holder}->{link.name}({link.arguments})", holder, link.name, link.arguments, strength)

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        for item in code.items:
            if item.kind == "exit" and self.quits is not None and self.quits.fullmatch(text := code.normal(item.span)):
                yield item, text


def _required(text: str, line: int) -> Iterator[Effect]:
    """What a requirement does: nothing where every PHP of today meets it, and a skip where none ever will."""
    version = _VERSION.search(text)
    if version is not None and version[2] in ("", ">=", ">", "^", "~"):
        wanted = int(version[3]), int(version[4] or 0)
        if wanted >= (_NO_PHPUNIT if version[1] else _NO_PHP):
            yield Effect(SKIPPED, f"#[{text[:80]}]", line)
            return
        if not version[1] and wanted <= _EVERY_PHP:
            return
    system = _OPERATING.search(text)
    if system is not None and _KNOWN_SYSTEMS.search(system[1]) is None:
        yield Effect(SKIPPED, f"#[{text[:80]}]", line)
        return
    yield Effect(CONDITIONAL, f"#[{text[:80]}]", line, text[:120])


def _provided(code: Code) -> dict[str, tuple[str, ...]]:
    """What each function of the file yields or returns, by its name: the rows of a data provider."""
    found: dict[str, list[str]] = {}
    for item in code.items:
        if item.kind not in ("yield", "given") or item.end - item.start >= MAX_BYTES:
            continue
        above = next((one for one in item.above() if one.kind in ("function", "loop", "lambda")), None)
        if above is not None and above.kind != "lambda":
            holder = next((one for one in item.above() if one.kind == "function"), above)
            rows = _given(code.normal(item.part("rows") or item.span), is_in_loop=above.kind == "loop")
            found.setdefault(code.text(holder.part("name")), []).extend(rows)
    return {name: tuple(rows[:MAX_ROWS]) for name, rows in found.items()}


def _given(text: str, *, is_in_loop: bool) -> tuple[str, ...]:
    """The rows in what a provider yields or returns; one that is open for what only a run can tell."""
    if is_in_loop:
        return (f"{OPEN}{text}",)
    if text.startswith("yield") and not text.startswith("yield from"):
        return (without_keys(text.removeprefix("yield").strip()),)
    listed = text.removeprefix("yield from").strip().removeprefix("array")
    return rows_in(listed) or (f"{OPEN}{text}",)


def _doc(code: Code, start: int) -> str:
    """The comment right before a function, or right before its attributes."""
    at = code.comment_before(start)
    return code.text(at.span) if at is not None and code.normal(Span(at.end, start)) == "" else ""


def _pest(code: Code) -> Iterator[Unit]:
    """`it("sums", fn)->skip()`: the whole chain is one test."""
    for item in code.items:
        if item.kind != "call" or (
            item.around is not None and item.around.kind == "call" and item.around.start == item.start
        ):
            continue
        text = callee_text(code, item)
        links = chain(f"{text}({code.normal(item.part('args'))[1:-1]})")
        if not links or links[0].name not in _PEST or links[0].arguments is None:
            continue
        inner = next(
            (
                one
                for one in code.inside(item.span)
                if one.kind == "call"
                and one.start == item.start
                and one.end <= item.end
                and code.normal(one.part("name")) in _PEST
            ),
            item,
        )
        arguments = split(links[0].arguments)
        if not arguments or not arguments[0].startswith('"'):
            continue
        lambdas = [one for one in code.inside(inner.span) if one.kind == "lambda"]
        body = lambdas[0].part("body") if lambdas else None
        effects: list[Effect] = []
        focus = ""
        for link in links[1:]:
            effects.extend(_pest_effect(link.name, link.arguments or "", item.line))
            focus = "->only()" if link.name == "only" else focus
        if body is None and "skip" not in names(links):
            effects.append(Effect(NOT_COLLECTED, "a test without a body", item.line))
        given = (link.arguments or "" for link in links[1:] if link.name == "with")
        rows = tuple(row for one in given for row in (rows_in(one)[:MAX_ROWS] or (f"{OPEN}{one[:80]}",)))
        yield Unit(unquoted(arguments[0]), item.span, body, item.line, tuple(effects), rows, focus=focus)


def _pest_effect(name: str, argument: str, line: int) -> Iterator[Effect]:
    if name in ("todo", "skip") and (not argument or argument.startswith('"')):
        yield Effect(SKIPPED, f"->{name}()", line)
    elif name == "skip":
        verdict = truth(split(argument)[0], {})
        if verdict != NEVER:
            yield Effect(SKIPPED if verdict == ALWAYS else CONDITIONAL, "->skip()", line, argument[:120])
    elif name.startswith(("skipOn", "onlyOn")) and name not in ("skipOnWindows", "skipOnMac", "onlyOnLinux"):
        yield Effect(CONDITIONAL, f"->{name}()", line, name)
    elif name == "fails":
        yield Effect("expected-fail", "->fails()", line)
