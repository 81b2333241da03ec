"""Shell: bats, and shunit2's functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import BOUND, EXACT, PRESENT, SKIPPED, SOUGHT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import SWALLOWED, Check
from agentgate_git.source.languages.common import CommonDialect
from agentgate_git.source.languages.dialect import HOOK, STOPS_IF, STOPS_UNLESS, TEST, Stop, Unit
from agentgate_git.source.languages.syntax import Code, Item, Span, unquoted

_DEFINITION = pattern_of(rb"^([ \t]*)@test[ \t]+(.+?)[ \t]+\{([ \t]*(?:#.*)?)$", re.MULTILINE)
# What bats holds a status against as it runs something: `run -2 greet`, `run ! greet`.
_RUN = pattern_of(r"run (?:--[\w-]+ )*(?:-(\d+)|!) ")
# What stands before `|| skip`, a command that asks for a tool, and a test that asks for a variable.
_ASKED = pattern_of(r"(.+?) (\|\||&&) ?(?:\{ )?")
_TOOL = pattern_of(r"(?:command -v|which|type(?: -\w)?|hash) [\"']?([\w.-]+)")
_VARIABLE = pattern_of(r"\[\[? (-n|-z|) ?[\"']?\$\{?([A-Z]\w+)(?::?-)?\}?[\"']? \]\]?")
_USED = 3
_ASSERTIONS = pattern_of(r"assert\w*|refute\w*|fail_unless\w*")
_HARMLESS = pattern_of(r"(?:\|\||;)(?:true|:|exit 0|return 0|echo\b[^|;&]*|printf\b[^|;&]*)\}?$")


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
        del path
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

    def stop(self, code: Code, item: Item) -> Stop | None:
        if item.kind != "call":
            return None
        name = code.text(item.part("name"))
        if name in ("skip", "bats::skip", "startSkipping"):
            return _skip(code, item, name)
        text = code.normal(item.span)
        return Stop(SKIPPED, text, ends_late=False) if text in ("return 0", "return", "exit 0") else None

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        text = " ".join(code.text(item.span).split())
        if item.kind == "check":
            if not any(_is_condition(above, item) for above in item.above()):
                yield _bracket_check(text)
        elif item.kind == "call" and (ran := _RUN.match(text)):
            yield _bracket_check(f'[ "$status" -eq {ran[1]} ]' if ran[1] else '[ "$status" -ne 0 ]')
        elif item.kind == "call" and _ASSERTIONS.fullmatch(code.text(item.part("name"))):
            name, _, rest = text.partition(" ")
            is_loose = any(word in name for word in ("match", "contain", "partial", "line")) or rest.startswith(
                ("-p", "--p", "--reg", "-e")
            )
            yield Check(text, rest, name, "", SOUGHT if is_loose else EXACT)

    def void(self, code: Code, item: Item, body: Span) -> str:
        for above in item.above():
            if not body.holds(above.span):
                break
            if above.kind == "list" and above.start <= item.start and _HARMLESS.search(code.normal(above.span)):
                return SWALLOWED
        return ""

    def called(self, code: Code, item: Item) -> str:
        return code.text(item.part("name"))


def _skip(code: Code, item: Item, name: str) -> Stop:
    """A skip behind `||` or `&&` hangs on what stands before it; a tool that the file never starts is no reason."""
    holder = item.around
    if holder is None or holder.kind != "list":
        return Stop(SKIPPED, name)
    asked = " ".join(code.text(Span(holder.start, item.start)).split())
    found = _ASKED.fullmatch(asked)
    if found is None:
        return Stop(SKIPPED, name)
    tool = _TOOL.match(found[1])
    if tool is not None and found[2] == "||" and code.count(tool[1]) < _USED:
        return Stop(SKIPPED, name)
    return Stop(SKIPPED, name, STOPS_UNLESS if found[2] == "||" else STOPS_IF, _as_question(found[1]))


def _as_question(text: str) -> str:
    """`[ -n "$X" ]` as other languages ask for a variable; other commands as they stand."""
    found = _VARIABLE.fullmatch(text)
    if found is None:
        return text
    asked = f'getenv("{found[2]}")'
    return asked if found[1] in ("-n", "") else f"!({asked})"


def _is_condition(above: Item, item: Item) -> bool:
    condition = above.part("condition")
    return condition is not None and condition.holds(item.span)


def _bracket_check(text: str) -> Check:
    """What `[ "$output" = 3 ]` says."""
    inner = text.strip("[] ")
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
