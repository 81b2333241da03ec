"""One parsed file as the engine sees it: what the query captured, each thing inside another, and text without layout.

A capture `@call` is an item of that kind; `@call.name` in the same pattern is a part of it. Nothing here knows a
language, and nothing recurses: items are spans of bytes, and nest as spans do.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.mentions import mentions_of
from agentgate_git.source.python.names import TooTangled

Answer = TypeVar("Answer")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NESTING = 150
# Calls, definitions, branches and comments: the test files of large projects hold some thousands.
FREE_ITEMS = 2_600
BYTES_PER_ITEM = 60
# How many bytes may be turned into normalised text, all in all: nested calls are looked at once for each level.
_BASE_BUDGET = 1 << 18
_BUDGET_PER_BYTE = 10
_SHORT = 80
_SIMPLE = pattern_of(rb"[\w$.()]*")
_PLAIN = str.maketrans({";": " ", "'": '"'})
_NAME = pattern_of(rb"[\w$\x80-\xff]+")
_BLANKS = pattern_of(r"\s+")
# A blank stays only where two words would run together.
_LOOSE = pattern_of(r"(?<![\w$@]) | (?![\w$@])")
_TRAILING = pattern_of(r",(?=[)\]}])")
_BRACKETS = pattern_of(r'["(\[{)\]}]')
_SEPARATORS: dict[str, re.Pattern[str]] = {}
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


_TWICE = 2
# A name that is bound, or a list that may get something more.
_GIVEN_AGAIN = pattern_of(
    rb"(?:^|[{;])[ \t]*([A-Za-z_$]\w*)[ \t]*(=(?![=>~])|[-+*/%|&^]=|\+\+|--)[ \t]*([^\n;}]{0,200})", re.MULTILINE
)
_CHANGED = pattern_of(
    rb"(?<![\w$.])([A-Za-z_$][\w$]*)"
    rb"(?:\[| ?=[^=>]|\.(?:push|unshift|splice|fill|concat|pop|shift|sort|reverse|length ?=))"
)


class Span(Record):
    """Bytes `start` to `end` of a file."""

    start: int
    end: int

    def holds(self, other: Span) -> bool:
        """True when the other span lies within this one."""
        return self.start <= other.start and other.end <= self.end


class Item:
    """Something the query captured: its kind, span, line from 1, parts by name, and the item around it."""

    __slots__ = ("around", "end", "index", "kind", "line", "node", "parts", "start")

    def __init__(self, kind: str, node: Node, parts: dict[str, Node]) -> None:
        self.kind = kind
        self.node = node
        self.parts = parts
        self.start: int = node.start_byte
        self.end: int = node.end_byte
        self.line: int = node.start_point[0] + 1
        self.around: Item | None = None
        self.index = 0

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.end)

    def part(self, name: str) -> Span | None:
        """Where one of its parts stands."""
        node = self.parts.get(name)
        return Span(node.start_byte, node.end_byte) if node is not None else None

    def above(self) -> Iterator[Item]:
        """The items around it, innermost first."""
        item = self.around
        while item is not None:
            yield item
            item = item.around


class Code:
    """The items of one file in their order, and its text."""

    def __init__(self, data: bytes, matches: Iterable[tuple[int, Mapping[str, list[Node]]]]) -> None:
        self.data = data
        self.items: list[Item] = []
        self.comments: list[Item] = []
        for item in sorted(_merged(matches), key=lambda item: (item.start, -item.end)):
            (self.comments if item.kind == "comment" else self.items).append(item)
        limit = FREE_ITEMS + len(data) // BYTES_PER_ITEM
        if len(self.items) + len(self.comments) > limit:
            raise TooTangled(f"it holds more than {limit} calls, definitions and comments")
        self._normal: dict[Span, str] = {}
        self._words: Counter[bytes] = Counter()
        self._mentions: Counter[bytes] | None = None
        self._said: dict[bytes, bool] = {}
        self.callees: dict[int, str] = {}
        self._answers: dict[Any, Any] = {}
        self._budget = _BASE_BUDGET + _BUDGET_PER_BYTE * len(data)
        self._starts = [item.start for item in self.items]
        self._comment_starts = [item.start for item in self.comments]
        self._nest()
        self.constants = {self.text(name): value for name, value in self._constants()}
        self._tables: dict[str, str] | None = None

    def _nest(self) -> None:
        open_items: list[Item] = []
        for index, item in enumerate(self.items):
            item.index = index
            while open_items and open_items[-1].end <= item.start:
                open_items.pop()
            item.around = open_items[-1] if open_items else None
            open_items.append(item)
            if len(open_items) > MAX_NESTING:
                raise TooTangled("it is nested too deeply to be read")

    def _constants(self) -> Iterator[tuple[Span, str]]:
        for item in self.items:
            name, value = item.part("name"), item.part("value")
            if item.kind == "constant" and name is not None and value is not None:
                key = item.part("key")
                text = self.normal(value)
                yield name, f"{text}.{self.normal(key)}" if key is not None else text

    def table(self, name: str) -> str:
        """The list that a name of the file is bound to, as normalised text; the name itself where there is none."""
        if self._tables is None:
            rows = (item for item in self.items if item.kind == "rows")
            self._tables = {self.text(item.part("name")): self.normal(item.part("value")) for item in rows}
        return self._tables.get(name, name)

    def unchanged(self, name: str) -> str:
        """The list that a name is bound to, where nothing in the file may put something into it; else the name."""
        found = self.table(name)
        if found == name:
            return name
        times = self.once(_changed)[name.encode()]
        return name if times > 1 or (found == "[]" and self.count(name) > _TWICE) else found

    def text(self, span: Span | None) -> str:
        """The source of a span as it stands there."""
        return self.data[span.start : span.end].decode("utf-8", "replace") if span else ""

    def count(self, name: str) -> int:
        """How often a name stands in the file, as a word."""
        if not self._words:
            self._words = Counter(_NAME.findall(self.data))
        return self._words[name.encode()]

    def once(self, read: Callable[[Code], Answer]) -> Answer:
        """What a function says of the file, which it is asked only once."""
        if read not in self._answers:
            self._answers[read] = read(self)
        answer: Answer = self._answers[read]
        return answer

    def says(self, words: bytes) -> bool:
        """True where these bytes stand somewhere in the file."""
        if words not in self._said:
            self._said[words] = words in self.data
        return self._said[words]

    def mentions(self, name: str) -> int:
        """How often the code of the file names something of its own by this name."""
        if self._mentions is None:
            self._mentions = mentions_of(self.data, (self.data[one.start : one.end] for one in self.comments))
        return self._mentions[name.encode()]

    def head(self, item: Item) -> Span:
        """A definition up to its body."""
        body = item.part("body")
        return Span(item.start, body.start if body is not None else item.end)

    def normal(self, span: Span | None, without: Iterable[Span] = ()) -> str:
        """The source of a span without comments, layout, `;`, trailing commas and the spans in `without`."""
        if span is None:
            return ""
        if span.end - span.start < _SHORT:
            piece = self.data[span.start : span.end]
            if _SIMPLE.fullmatch(piece):
                return piece.decode("utf-8", "replace")
        if span in self._normal and not without:
            return self._normal[span]
        self.spend(span.end - span.start)
        text = b" ".join(self._pieces(span, without)).decode("utf-8", "replace").translate(_PLAIN)
        text = _LOOSE.sub("", _BLANKS.sub(" ", text))
        text = _TRAILING.sub("", text).strip()
        if not without:
            self._normal[span] = text
        return text

    def spend(self, size: int) -> None:
        """Count bytes that are read; `TooTangled` when the file has used up what it is given."""
        self._budget -= size
        if self._budget < 0:
            raise TooTangled("its calls are nested too deeply to be read in time")

    def _pieces(self, span: Span, without: Iterable[Span]) -> Iterator[bytes]:
        first = bisect_left(self._comment_starts, span.start)
        last = bisect_left(self._comment_starts, span.end)
        gaps = sorted([*(item.span for item in self.comments[first:last]), *without])
        start = span.start
        for gap in gaps:
            if start < gap.start:
                yield self.data[start : gap.start]
            start = max(start, gap.end)
        yield self.data[start : max(start, span.end)]

    def inside(self, span: Span | None) -> Iterator[Item]:
        """The items that lie within a span, in order."""
        if span is None:
            return
        for item in self.items[bisect_left(self._starts, span.start) : bisect_left(self._starts, span.end)]:
            if item.end <= span.end:
                yield item

    def comment_before(self, start: int) -> Item | None:
        """The last comment that begins before a byte."""
        at = bisect_left(self._comment_starts, start) - 1
        return self.comments[at] if at >= 0 else None

    def comments_in(self, span: Span) -> list[Item]:
        """The comments that begin within a span."""
        first = bisect_left(self._comment_starts, span.start)
        return self.comments[first : bisect_left(self._comment_starts, span.end)]

    def arguments(self, item: Item) -> tuple[Node, ...]:
        """The argument nodes of a call, comments left out."""
        holder = item.parts.get("args")
        if holder is None:
            return ()
        return tuple(node for node in holder.named_children if "comment" not in node.type)


def span_of(node: Node) -> Span:
    """Where a node stands."""
    return Span(node.start_byte, node.end_byte)


def split(text: str, separator: str = ",") -> tuple[str, ...]:
    """The parts of normalised text at a separator outside brackets and strings; empty parts are left out."""
    if separator not in text:
        return (text.strip(),) if text.strip() else ()
    parts, depth, quoted, start = [], 0, False, 0
    for found in _pattern(separator).finditer(text):
        mark = found[0]
        if mark == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif mark in _OPENING:
            depth += 1
        elif mark in _CLOSING:
            depth -= 1
        elif depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    return tuple(part.strip() for part in (*parts, text[start:]) if part.strip())


def closing(text: str, at: int) -> int:
    """Where the bracket that opens at `at` closes, -1 when it does not."""
    depth, quoted = 0, False
    for found in _BRACKETS.finditer(text, at):
        mark = found[0]
        if mark == '"':
            quoted = not quoted
        elif not quoted:
            depth += 1 if mark in _OPENING else -1
            if depth == 0:
                return found.start()
    return -1


def _pattern(separator: str) -> re.Pattern[str]:
    if separator not in _SEPARATORS:
        _SEPARATORS[separator] = re.compile(rf'["(\[{{)\]}}]|{re.escape(separator)}')
    return _SEPARATORS[separator]


def unquoted(text: str) -> str:
    """A string literal without its quotes, other text as it is."""
    for quote in ('"', "`", "'"):
        if len(text) > 1 and text[0] == text[-1] == quote:
            return text[1:-1]
    return text


def _merged(matches: Iterable[tuple[int, Mapping[str, list[Node]]]]) -> Iterable[Item]:
    """One item for every captured thing: several patterns may tell parts of the same."""
    found: dict[tuple[str, int, int], Item] = {}
    for _, captures in matches:
        parts = {name.partition(".")[2]: nodes[0] for name, nodes in captures.items() if "." in name}
        for kind, nodes in captures.items():
            if "." in kind:
                continue
            for node in nodes:
                key = (kind, node.start_byte, node.end_byte)
                if key in found:
                    found[key].parts.update(parts)
                else:
                    found[key] = Item(kind, node, dict(parts))
    return found.values()


def _changed(code: Code) -> Counter[bytes]:
    """How often each name of the file is bound, or what it holds may be changed."""
    return Counter(_CHANGED.findall(code.data))


def lasting(code: Code) -> dict[str, str]:
    """The constants of a file but for those that are given another value somewhere, be it by a callback."""
    others = {
        name
        for found in _GIVEN_AGAIN.finditer(code.data)
        if (name := found[1].decode()) in code.constants
        and (found[2] != b"=" or b"".join(found[3].split()) != "".join(code.constants[name].split()).encode())
    }
    return {name: value for name, value in code.constants.items() if name not in others} if others else code.constants


def fingerprint(text: str) -> str:
    """A text as sixteen hexadecimal digits, to be compared with others."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
