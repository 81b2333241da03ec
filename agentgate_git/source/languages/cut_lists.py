"""Loops over a part of a list: `range cases[:1]`, `for (const c of cases.slice(0, 1))`, `cases.take(1).each`."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code, Item, Span

_HEAD = 300
_THROUGH = pattern_of(r"(?:\b(?:range|in|of)\b|<-|(?<![:=]) ?:(?![:=])|foreach ?\((?=array_))[ &]*([^{}]{1,200})")
_CUT = pattern_of(
    r"\[[^\[\]:.]{0,40}(?::|\.\.[.=]?)[^\[\]:.]{0,40}\](?=$|[ .){])"
    r"|\.(?:slice|[sS]ub[lL]ist|[tT]ake|[sS]kip|first|last|limit|prefix|suffix|head|drop|dropFirst|dropLast|takeLast|takeRight"
    r"|TakeLast|SkipLast|dropRight)\([^()]{1,40}\)|^(?:array_slice|Enum\.(?:take|drop|slice)\w*)\("
)
_EACH = (".forEach", ".each", ".for_each", ".ForEach", ".foreach", ".each_with_index", ".every", ".map")


def part_of_list(code: Code, above: Item, item: Item) -> str:
    """The part of a list that a loop around an item goes through, as it is written; empty where it takes the whole."""
    if above.kind == "loop":
        body = above.part("body")
        end = min(above.start + _HEAD, body.start if body is not None else item.start)
        found = _THROUGH.search(code.normal(Span(above.start, end)))
        text = found[1].rstrip() if found is not None else ""
        text = text if text.count("(") >= text.count(")") else text.removesuffix(")")
    else:
        name = above.part("name")
        if name is None or name.holds(item.span) or name.end - above.start > _HEAD:
            return ""
        text = code.normal(Span(above.start, name.end))
        text = text.rpartition(".")[0] if text.endswith(_EACH) else ""
    return text if text and _CUT.search(text) else ""
