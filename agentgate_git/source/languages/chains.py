"""Calls and member accesses as a row of names: `it["skip"].each(rows)` is it, skip, each with its arguments."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, split

MAX_CALLEE = 2_000
_LEAD = pattern_of(r"^(?:await |return |new |try[?!]? |void |this\.(?=\w+\())+")
_LINK = pattern_of(r"(?:\.|\?\.|->|\?->|::|&\.|!!\.)?([A-Za-z_$@][\w$]*[?!]?)")
_KEY = pattern_of(r'(?:\?\.)?\[[:]?"([\w$]+)"\]')


class Link(Record):
    """One name of a chain; `arguments` is their text, None when it is not called."""

    name: str
    arguments: str | None = None


def chain(text: str) -> tuple[Link, ...]:
    """The links of normalised text; empty when it is anything but names, calls and constant keys."""
    text = _LEAD.sub("", text)
    links: list[Link] = []
    at = 0
    while at < len(text):
        if text[at] == "(" and links:
            end = closing(text, at)
            if end < 0:
                return ()
            inner = text[at + 1 : end]
            if links[-1].arguments is None:
                links[-1] = links[-1]._replace(arguments=inner)
            else:
                links.append(Link("", inner))
            at = end + 1
            continue
        found = _KEY.match(text, at) if links else None
        found = found or _LINK.match(text, at)
        if found is None:
            return ()
        links.append(Link(found[1]))
        at = found.end()
    return tuple(links)


def names(links: tuple[Link, ...]) -> tuple[str, ...]:
    """The names alone."""
    return tuple(link.name for link in links)


def callee(code: Code, item: Item) -> tuple[Link, ...]:
    """The chain that a call item calls, with names that the file binds to other chains put in their place."""
    span = item.part("name")
    if span is None or span.end - span.start > MAX_CALLEE:
        return ()
    return followed(code, chain(code.normal(span)))


def followed(code: Code, links: tuple[Link, ...]) -> tuple[Link, ...]:
    """A chain whose first name is a constant of the file, with what it is bound to instead."""
    for _ in range(3):
        if not links or links[0].name not in code.constants:
            break
        bound = chain(code.constants[links[0].name])
        if not bound or bound[0].name == links[0].name or any(link.arguments is not None for link in bound[:-1]):
            break
        first = links[0]
        last = bound[-1]
        if first.arguments is not None:
            last = last._replace(arguments=first.arguments)
        links = (*bound[:-1], last, *links[1:])
    return tuple(link for link in links if link.name not in ("bind", "call", "apply"))


def argument_texts(code: Code, item: Item) -> tuple[str, ...]:
    """The arguments of a call as normalised text."""
    text = code.normal(item.part("args"))
    return split(text[1:-1] if text[:1] == "(" and closing(text, 0) == len(text) - 1 else text)


def callee_text(code: Code, item: Item) -> str:
    """All that stands before the arguments of a call, as normalised text; empty for what is too long to be a name."""
    args = item.part("args")
    end = args.start if args is not None and args.start > item.start else item.end
    if end - item.start > MAX_CALLEE:
        return ""
    if item.index not in code.callees:
        code.callees[item.index] = _LEAD.sub("", code.normal(Span(item.start, end)))
    return code.callees[item.index]
