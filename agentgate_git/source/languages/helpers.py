"""Functions that assert for tests of other files: which names say so, and what a call of one stands for."""

from __future__ import annotations

from agentgate_git.model.inventory import EXACT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.syntax import Item, Span
from agentgate_git.source.languages.words import word_set, words

# The marker of a function that is no test and asserts for some.
HELPER = "a helper of tests"

_FIRST = word_set("assert check verify expect ensure want should compare refute")
# A function that tests what it is given: `testConversion(data, "0a")`.
_TESTER = pattern_of(r"(?:do)?[tT]est[A-Z]\w*")
_MUST = word_set("panic panics fail fails equal match contain throw raise error")
_ALONE = word_set("check verify")
_NONE = word_set("expect assertions assert expectNotToPerformAssertions")
# Where the value of a call is used, it is no statement, and its value is what it is for.
_WAITING = (b".then", b".catch", b".finally")
_USED = pattern_of(r"declar|assign|argument|initial|binary|condition|unary|if_|pair|field|element|selector|member")


class Pattern(Record):
    """A macro or command that tests are made of: its name and line, and its body or what it asserts."""

    name: str
    line: int
    body: Span | None = None
    checks: tuple[Check, ...] = ()


def is_checker(name: str) -> bool:
    """True for a name that says that it asserts: `assertMoney`, `check_contains`, `WantTokens`."""
    told = words(name)
    is_must = len(told) > 1 and told[0] == "must" and not _MUST.isdisjoint(told)
    is_first = len(told) > 1 and told[0] in _FIRST
    return is_must or is_first or name.lower() in _ALONE or bool(_TESTER.fullmatch(name))


def passed_on(item: Item, name: str, arguments: tuple[str, ...], *, is_named: bool) -> Check | None:
    """A statement that calls a helper of another file; None for any other call.

    `is_named` is True where the name of what is called need not say that it asserts.
    """
    if name in _NONE or _is_inner(item) or not (is_named or is_checker(name)) or is_used(item):
        return None
    given = ",".join(arguments)
    return Check(f"{name}({given})", given, f"passes {name}", "", EXACT)


def is_used(item: Item) -> bool:
    """True where the value of a call goes into something else; what waits for a promise is no use of it."""
    parent = item.node.parent
    while parent is not None and (
        parent.type in ("await_expression", "parenthesized_expression")
        or (parent.type == "member_expression" and (parent.text or b"").endswith(_WAITING))
        or (
            parent.type == "call_expression"
            and (parent.child_by_field_name("function") or parent).text is not None
            and ((parent.child_by_field_name("function") or parent).text or b"").endswith(_WAITING)
        )
    ):
        parent = parent.parent
    return parent is not None and _USED.search(parent.type) is not None


def is_statement(item: Item) -> bool:
    """True for a call that stands alone: nothing is called on it, and nothing takes what it gives."""
    return "block" not in item.parts and not _is_inner(item) and not is_used(item)


def _is_inner(item: Item) -> bool:
    """True for the start of a longer chain of calls, which asserts as a whole."""
    outer = item.around
    name = outer.parts.get("name") if outer is not None and outer.kind == "call" else None
    if outer is None or name is None or outer.start != item.start:
        return False
    args = outer.part("args")
    is_callee = args is None or args.start >= item.end
    return is_callee and not (name.text or b"").endswith(_WAITING)
