"""Tests of shell that are a block behind a title: `begin_test "ls"`, and a subshell that says what has to hold."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.inventory import EXACT, SOUGHT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.dialect import Unit
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of, unquoted

_BEGINS = pattern_of(r"(?:begin|start)_?(?:test|case)|(?:test|case)_?(?:begin|start)")
_BLOCKS = frozenset(("subshell", "compound_statement"))
_TITLED = pattern_of(rb"(?m)^[ \t]*(?:begin|start)_?(?:test|case)\b")
_STRICT = pattern_of(rb"(?m)^#![^\n]*[ \t]-\w*e|\bset[ \t][^\n]*(?:-\w*e\w*\b|-o[ \t]+errexit)")
_MAX_TITLE = 200
_MAX_BLOCKS = 2_000
_BEHIND = 200
# Programs whose status says whether something is there, or the same: where nothing takes what they print.
_SEEKING = frozenset(("grep", "egrep", "fgrep", "rg"))
_COMPARING = frozenset(("diff", "cmp"))
_HOLDERS = frozenset(("subshell", "compound_statement", "program", "list", "do_group"))


def blocks(code: Code) -> Iterator[Unit]:
    """The tests of that kind, each with its title for its name."""
    left = _MAX_BLOCKS
    for item in code.items if b"_" in code.data else ():
        if left == 0:
            break
        if item.kind != "call" or _BEGINS.fullmatch(code.text(item.part("name"))) is None:
            continue
        left -= 1
        block = item.node.next_named_sibling
        while block is not None and block.type == "comment":
            block = block.next_named_sibling
        title = code.text(item.span)[:_MAX_TITLE].partition(" ")[2].strip()
        if block is not None and block.type in _BLOCKS and title:
            whole = span_of(block)
            yield Unit(unquoted(title), item.span._replace(end=whole.end), whole, item.line)


def is_unheard_in_block(code: Code, item: Item, body: Span) -> bool:
    """True for a check of a subshell that goes on whatever it comes to, of a block behind a title."""
    if code.data[body.start : body.start + 1] != b"(" or any(above.kind == "list" for above in item.above()):
        return False
    if body.end - item.end < _BEHIND and code.data[item.end : body.end].strip() == b")":
        return False
    known = code.once(_strict_ones)
    if body not in known:
        begins = _TITLED.search(code.data)
        before = begins.start() if begins is not None else 0
        spans = ((body.start, body.end), (0, before))
        known[body] = any(_STRICT.search(code.data, *span) for span in spans)
    return not known[body]


def _strict_ones(_code: Code) -> dict[Span, bool]:
    """Whether each block stops where a command of it fails."""
    return {}


def by_status(item: Item, name: str, text: str) -> Check | None:
    """What a program that looks for something, or compares, asserts by its status: `grep -q "done" out.log`."""
    if name not in _SEEKING | _COMPARING:
        return None
    node = item.node
    holder = node.parent
    if holder is not None and holder.type == "pipeline":
        if holder.named_children[-1] != node:
            return None
        node, holder = holder, holder.parent
    is_negated = holder is not None and holder.type == "negated_command"
    if holder is not None and is_negated:
        holder = holder.parent
    if holder is None or holder.type not in _HOLDERS:
        return None
    words = text.partition(" ")[2]
    relation = f"not {name}" if is_negated else name
    return Check(f"! {text}" if is_negated else text, words, relation, "", EXACT if name in _COMPARING else SOUGHT)
