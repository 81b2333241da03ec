"""Shell: bats, and shunit2's functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agentgate_git.model.inventory import BOUND, EXACT, NOT_COLLECTED, PRESENT, PROGRAM, SKIPPED, SOUGHT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import SWALLOWED, Check
from agentgate_git.source.languages.common import CommonDialect
from agentgate_git.source.languages.dialect import HOOK, STOPS_IF, STOPS_UNLESS, TEST, Stop, Unit
from agentgate_git.source.languages.shell_blocks import blocks, by_status, is_unheard_in_block
from agentgate_git.source.languages.syntax import Code, Item, Span, unquoted
from agentgate_git.source.python.effects import Effect
from agentgate_git.source.test_names import is_named_test

_TEST_FOLDERS = frozenset(("t", "test", "tests", "testing", "testsuite", "spec"))
_DEFINITION = pattern_of(rb"^([ \t]*)@test[ \t]+(.+?)[ \t]+\{([ \t]*(?:#.*)?)$", re.MULTILINE)
# What bats holds a status against as it runs something: `run -2 greet`, `run ! greet`.
_RUN = pattern_of(r"(?:\w+_)?run (?:--[\w-]+ )*(?:-(\d+)|!) ")
# What stands before `|| skip`, a command that asks for a tool, and a test that asks for a variable.
_ASKED = pattern_of(r"(.+?) (\|\||&&) ?(?:\{ )?")
_TOOL = pattern_of(r"(?:command -v|which|type(?: -\w)?|hash) [\"']?([\w.-]+)")
_VARIABLE = pattern_of(r"\[\[? (-n|-z|) ?[\"']?\$\{?([A-Z]\w+)(?::?-)?\}?[\"']? \]\]?")
# The same without its blanks.
_NORMAL_VARIABLE = pattern_of(r"\[\[?(-n|-z|)\"?\$\{?([A-Z]\w+)(?::?-)?\}?\"?\]\]?")
# What stands behind a command and drops its failure, whatever the grammar makes of both.
_DROPPED = pattern_of(rb"[ \t]*\|\|[ \t]*(?:true|:|exit 0|return(?: 0)?)[ \t]*(?:\n|;|$)")
_HAS_TESTS = pattern_of(rb"@test\b|shunit2|(?m:^[ \t]*begin_?test\b)|(?m:^[ \t]*\[\[? )|(?m:^\s*test\w*\s*\(\))")
_TWO = pattern_of(r"(\"[^\"]*\"|'[^']*'|[^\s\"']+) (\"[^\"]*\"|'[^']*'|[^\s\"']+)")
_ASSERTIONS = pattern_of(r"assert\w*|refute\w*|fail_unless\w*")
_HARMLESS = pattern_of(r"(?:\|\||;)(?:true|:|exit 0|return 0|echo\b[^|;&]*|printf\b[^|;&]*)\}?$")


# What is tried by `run`, which keeps the status to itself.
_TRIED = pattern_of(r"run (?:--[\w-]+ )*((?:\[\[?|test) .+)")
_ALONE = pattern_of(r"(-[nz]) (\S+)")
UNHEARD = "nothing looks at its status"
# A script that is one test: by its name, where it stands among tests.
_SCRIPT = pattern_of(
    r"(?:.*/)?(?:(?:t|test|check)s?[-_]?\d*[-_]|t?\d{2,4}[-_])[\w.-]+\.(?:sh|bash)|.*[-_]test\.(?:sh|bash)"
)
_NO_TEST = pattern_of(r"helper|common|lib\b|util|setup|init|env\b|run[-_.]|[-_]all\b|runner|functions", re.IGNORECASE)
_STRICT = pattern_of(rb"^(?:#![^\n]*\s-\w*e|\s*set\s[^\n]*(?:-\w*e\w*\b|-o\s+errexit))", re.MULTILINE)
_LOOKED_AT = frozenset(
    ("exit", "return", "fail", "die", "false", "abort", "error", "err", "flunk", "failed", "bad", "not_ok")
)
_LOOKED_INTO = 400
_UNCALLED = Effect(NOT_COLLECTED, "a function that nothing calls", 0)
_SET_UPS = pattern_of(r"(?:setup|teardown)\w*|oneTime\w+|setUp|tearDown")


class Shell(CommonDialect):
    """The dialect of bats."""

    name = "shell"
    grammar = "bash"
    query = "shell"
    fails = pattern_of(r"return [1-9]|exit [1-9]|false$|fail\b|flunk\b")
    quits = pattern_of(r"exit 0")
    returns_early = False

    def prepare(self, data: bytes) -> bytes:
        """`@test "x" {` is a function to bats; it becomes one of as many bytes for the grammar."""
        return _DEFINITION.sub(_as_function, data)

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        found = (*self._named(code), *blocks(code))
        script = None if any(unit.kind == TEST for unit in found) else _script(code, path)
        return (*found, script) if script is not None else found

    def _named(self, code: Code) -> Iterator[Unit]:
        for item in code.items:
            if item.kind != "function":
                continue
            head = code.text(code.head(item))
            name = code.text(item.part("name"))
            found = re.match(r"@test\s+(.+?)\s*$", head, re.DOTALL)
            if found:
                yield Unit(unquoted(found[1]), item.span, item.part("body"), item.line)
            elif name in ("setup", "setup_file", "oneTimeSetUp", "setUp"):
                yield Unit(name, item.span, item.part("body"), item.line, kind=HOOK)
            elif name.startswith("test") and b"shunit2" in code.data:
                yield Unit(name, item.span, item.part("body"), item.line, kind=TEST)
            elif b"@test" in code.data and not _SET_UPS.fullmatch(name) and _checks_uncalled(code, item):
                yield Unit(name, item.span, item.part("body"), item.line, effects=(_UNCALLED,))

    def leaves(self, code: Code, item: Item) -> bool:
        return item.kind == "call" and code.normal(item.span) in ("return", "return 0", "exit 0")

    def plainly(self, condition: str) -> str:
        return _NORMAL_VARIABLE.sub(lambda found: _asked_for(found[1], found[2]), condition)

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        """What leaves a subshell ends no process, and what a file without tests defines may be called in one."""
        held = ("lambda",) if _HAS_TESTS.search(code.data) else ("lambda", "function")
        found = super().exits(code)
        return ((item, text) for item, text in found if not any(above.kind in held for above in item.above()))

    def stop(self, code: Code, item: Item) -> Stop | None:
        if item.kind != "call":
            return None
        name = code.text(item.part("name"))
        if name in ("skip", "bats::skip", "startSkipping"):
            return _skip(code, item, name)
        text = code.normal(item.span)
        if text not in ("return 0", "return", "exit 0", "exit 77"):
            return None
        if text.startswith("return") and not _is_of_test(code, item):
            return None  # it ends a function, and no test
        found = _skip(code, item, text) if item.around is not None and item.around.kind == "list" else None
        return found._replace(ends_late=False) if found else Stop(SKIPPED, text, ends_late=False)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        text = " ".join(code.text(item.span).split())
        if item.kind == "check" or (item.kind == "call" and text.startswith("test ")):
            if not any(_is_condition(above, item) for above in item.above()):
                yield _bracket_check(text.removeprefix("test "))
        elif item.kind == "call" and (tried := _TRIED.match(text)):
            yield _bracket_check(tried[1])._replace(text=text, void=UNHEARD)
        elif item.kind == "call" and (ran := _RUN.match(text)):
            yield _bracket_check(f'[ "$status" -eq {ran[1]} ]' if ran[1] else '[ "$status" -ne 0 ]')
        elif item.kind == "call" and _ASSERTIONS.fullmatch(code.text(item.part("name"))):
            name, _, rest = text.partition(" ")
            if (said := _in_brackets(name, rest)) is not None:
                yield _bracket_check(said)._replace(text=text)
                return
            is_loose = any(word in name for word in ("match", "contain", "partial", "line")) or rest.startswith(
                ("-p", "--p", "--reg", "-e")
            )
            yield Check(text, rest, name, "", SOUGHT if is_loose else EXACT)
        elif item.kind == "call" and not any(_is_condition(above, item) for above in item.above()):
            found = by_status(item, code.text(item.part("name")), text)
            yield from (found,) if found is not None else ()

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        tool = _TOOL.match(condition.removeprefix("!(")) if effect.marker.endswith("skip") else None
        return (f"{PROGRAM}{tool[1]}",) if tool is not None else ()

    def void(self, code: Code, item: Item, body: Span) -> str:
        if item.kind != "call" and body.start == 0 and _is_unheard(code, item):
            return UNHEARD
        if is_unheard_in_block(code, item, body):
            return UNHEARD
        if _DROPPED.match(code.data, item.end) is not None:
            return SWALLOWED
        for above in item.above():
            if not body.holds(above.span):
                break
            if above.kind == "list" and above.start <= item.start and _HARMLESS.search(code.normal(above.span)):
                return SWALLOWED
        return ""

    def called(self, code: Code, item: Item) -> str:
        return code.text(item.part("name"))


def _checks_uncalled(code: Code, item: Item) -> bool:
    """True for a function of a file of bats that compares something and that nothing calls."""
    name, body = code.text(item.part("name")), item.part("body")
    if body is None or not name or code.count(name) != 1:
        return False
    return any(one.kind == "check" for one in code.inside(body))


def _is_of_test(code: Code, item: Item) -> bool:
    """True for what stands in a test itself: `@test "a" { … }`, `test_a() { … }`, a whole script."""
    around = next((above for above in item.above() if above.kind == "function"), None)
    return around is None or code.text(code.head(around)).lstrip().startswith(("@test", "test"))


def _script(code: Code, path: str) -> Unit | None:
    """A whole script as a test, where it compares something by itself."""
    folders = path.lower().split("/")[:-1]
    if not _SCRIPT.fullmatch(path) or _NO_TEST.search(path.rpartition("/")[2]):
        return None
    is_among_tests = not _TEST_FOLDERS.isdisjoint(folders) or is_named_test(path)
    if not is_among_tests or not any(one.kind == "check" and _is_at_top(one) for one in code.items):
        return None
    whole = Span(0, len(code.data))
    return Unit(path.rpartition("/")[2], whole, whole, 1)


def _is_at_top(item: Item) -> bool:
    return all(above.kind == "list" for above in item.above())


def _is_unheard(code: Code, item: Item) -> bool:
    """True for a comparison of a script that goes on whatever it comes to."""
    outer = item
    for above in item.above():
        if above.kind != "list":
            return False
        outer = above
    is_strict, end = _whole(code.data)
    if is_strict or outer.end >= end:
        return False
    after = code.text(Span(item.end, min(outer.end, item.end + _LOOKED_INTO)))
    return outer is item or _LOOKED_AT.isdisjoint(re.findall(r"\w+", after))


@lru_cache(maxsize=4)
def _whole(data: bytes) -> tuple[bool, int]:
    """Whether a script ends where a command of it fails, and where its last command ends."""
    return _STRICT.search(data) is not None, len(data.rstrip(b" \t\r\n;"))


def _skip(code: Code, item: Item, name: str) -> Stop:
    """A skip behind `||` or `&&` hangs on what stands before it."""
    holder = item.around
    if holder is None or holder.kind != "list":
        return Stop(SKIPPED, name)
    asked = " ".join(code.text(Span(holder.start, item.start)).split())
    found = _ASKED.fullmatch(asked)
    if found is None:
        return Stop(SKIPPED, name)
    return Stop(SKIPPED, name, STOPS_UNLESS if found[2] == "||" else STOPS_IF, _as_question(found[1]))


def _as_question(text: str) -> str:
    """`[ -n "$X" ]` as other languages ask for a variable; other commands as they stand."""
    found = _VARIABLE.fullmatch(text)
    if found is None:
        return text
    return _asked_for(found[1], found[2])


def _asked_for(option: str, name: str) -> str:
    return f'getenv("{name}")' if option in ("-n", "") else f'!(getenv("{name}"))'


def _is_condition(above: Item, item: Item) -> bool:
    condition = above.part("condition")
    return condition is not None and condition.holds(item.span)


def _in_brackets(name: str, rest: str) -> str | None:
    """What an assertion of bats-assert says as a comparison would: `assert_success` is `[ "$status" -eq 0 ]`."""
    if name == "assert_success" and not rest:
        return '[ "$status" -eq 0 ]'
    if name == "assert_failure":
        return f'[ "$status" -eq {rest} ]' if rest else '[ "$status" -ne 0 ]'
    if name == "assert_output" and rest and not rest.startswith("-"):
        return f'[ "$output" = {rest} ]'
    given = _TWO.fullmatch(rest) if name == "assert_equal" else None
    return f"[ {given[1]} = {given[2]} ]" if given is not None else None


def _bracket_check(text: str) -> Check:
    """What `[ "$output" = 3 ]` says."""
    inner = text.strip("[] ")
    alone = _ALONE.fullmatch(inner)
    if alone:
        return Check(text, alone[2], alone[1], "", PRESENT)
    found = re.match(r"(.+?) (==|=|-eq|!=|-ne|-lt|-gt|-le|-ge|=~|<|>) (.+)", inner)
    if found is None:
        return Check(text, inner, "test", "", PRESENT)
    is_exact = found[2] in ("=", "==", "-eq")
    strength = SOUGHT if found[2] == "=~" or "*" in found[3] else EXACT if is_exact else BOUND
    void = "it compares a value with itself" if found[1] == found[3] else ""
    return Check(text, found[1], "==" if is_exact else found[2], found[3], strength, void=void)


def _as_function(found: re.Match[bytes]) -> bytes:
    lead, name, rest = found.groups()
    gap = len(found[0]) - len(lead) - len(b"t(){") - len(rest)
    del name
    return lead + b"t()" + b" " * gap + b"{" + rest
