"""Strict YAML: one reading for every reader, or a refusal that names the line.

`yaml.safe_load` takes the last of two equal keys, follows aliases, reads 0022 as 18 and `no` as false. What
is read here means the same to every YAML reader, 1.1 and 1.2 alike; whatever would not is refused.
"""

from __future__ import annotations

import re
import unicodedata

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record

MAX_BYTES = 64 << 10
MAX_DEPTH = 20
MAX_INTEGER = (1 << 53) - 1

_INTEGER = pattern_of(r"-?(?:0|[1-9][0-9]{0,15})")
_OTHER_NUMBER = pattern_of(r"[-+.]?[0-9]|[-+]?\.(?:inf|nan)", re.IGNORECASE)
_WORDS = frozenset(("yes", "no", "on", "off", "y", "n", "true", "false", "null", "~", "=", "<<"))
_CONFLICT = pattern_of(r"(?:<{7,}|={7,}|>{7,}|\|{7,})(?: |$)")
_KEY = pattern_of(r"[!-~](?:[ -~]*[!-~])?")
_UNUSUAL = pattern_of(r"[^\n\t -~]")
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Cn", "Zl", "Zp"))


class StrictYamlError(ValueError):
    """A refusal: `line` counts from 1, `reason` says what stands there and what to write instead."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Scalar(Record):
    """Text, an integer, true or false, or null, and the line it stands on."""

    line: int
    value: str | int | None


class Sequence(Record):
    """A list and the line it starts on."""

    line: int
    items: tuple[Node, ...]


class Entry(Record):
    """One key of a mapping, the line of the key, and its value."""

    line: int
    key: str
    value: Node


class Mapping(Record):
    """A mapping with unique keys in the order of the text, and the line it starts on."""

    line: int
    entries: tuple[Entry, ...]


Node = Scalar | Sequence | Mapping


def read_documents(data: bytes) -> tuple[Node, ...]:
    """Every document of a file, none for a file without one; `StrictYamlError` for the first fault."""
    text = _decode(data)
    _refuse_hidden(text)
    _refuse_lines(text)
    try:
        return _Builder().build(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise StrictYamlError(mark.line + 1 if mark else 1, _one_line(error.problem or str(error))) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, StrictYamlError):
            raise
        raise StrictYamlError(1, f"this is no YAML ({_one_line(str(error))})") from None


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise StrictYamlError(1, f"the file has {len(data)} bytes; at most {MAX_BYTES} are read")
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        raise StrictYamlError(1, "the file starts with a byte order mark; save it as plain UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StrictYamlError(line, "this is not UTF-8; save the file as UTF-8") from None


def _refuse_hidden(text: str) -> None:
    plain = text.replace("\r\n", "\n")
    for found in _UNUSUAL.finditer(plain):
        if unicodedata.category(found[0]) in _HIDDEN:
            line = plain.count("\n", 0, found.start()) + 1
            raise StrictYamlError(line, f"the character U+{ord(found[0]):04X} cannot be seen; take it out")


def _refuse_lines(text: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if _CONFLICT.match(line.rstrip("\r")):
            raise StrictYamlError(number, "a conflict marker is left over from a merge; resolve it")
        if line.startswith("%"):
            raise StrictYamlError(number, "directives are not allowed; take the line out")


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Open:
    """A collection whose end has not been read yet."""

    def __init__(self, line: int, is_mapping: bool) -> None:
        self.line = line
        self.is_mapping = is_mapping
        self.items: list[Node] = []
        self.entries: list[Entry] = []
        self.lines: dict[str, int] = {}
        self.key: Entry | None = None

    def add(self, node: Node) -> None:
        if not self.is_mapping:
            self.items.append(node)
        elif self.key is None:
            self.key = self._read_key(node)
        else:
            self.entries.append(self.key._replace(value=node))
            self.key = None

    def close(self) -> Node:
        if self.is_mapping:
            return Mapping(self.line, tuple(self.entries))
        return Sequence(self.line, tuple(self.items))

    def _read_key(self, node: Node) -> Entry:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            raise StrictYamlError(node.line, "a key must be text; quote it")
        if not _KEY.fullmatch(node.value):
            raise StrictYamlError(node.line, f"the key {node.value!a} must be plain ASCII text")
        if node.value in self.lines:
            first = self.lines[node.value]
            raise StrictYamlError(node.line, f"the key `{node.value}` stands twice, first on line {first}")
        self.lines[node.value] = node.line
        return Entry(node.line, node.value, node)


class _Builder:
    """Builds nodes from PyYAML's events, which keep what its constructors hide."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._documents: list[Node] = []

    def build(self, text: str) -> tuple[Node, ...]:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            self._take(event)
        return tuple(self._documents)

    def _take(self, event: Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, AliasEvent):
            raise StrictYamlError(line, "aliases are not allowed; write the value out")
        if isinstance(event, DocumentStartEvent) and (event.version or event.tags):
            raise StrictYamlError(line, "directives are not allowed; take the line out")
        if isinstance(event, NodeEvent):
            self._start(event, line)
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            self._add(self._open.pop().close())

    def _start(self, event: NodeEvent, line: int) -> None:
        if event.anchor is not None:
            raise StrictYamlError(line, f"anchors (&{event.anchor}) are not allowed; write the value out")
        if isinstance(event, ScalarEvent | CollectionStartEvent) and event.tag is not None:
            raise StrictYamlError(line, f"tags ({event.tag}) are not allowed; take it out")
        if isinstance(event, ScalarEvent):
            self._add(_scalar(event, line))
            return
        if len(self._open) == MAX_DEPTH:
            raise StrictYamlError(line, f"nested more than {MAX_DEPTH} deep")
        self._open.append(_Open(line, isinstance(event, MappingStartEvent)))

    def _add(self, node: Node) -> None:
        if self._open:
            self._open[-1].add(node)
        else:
            self._documents.append(node)


def _scalar(event: ScalarEvent, line: int) -> Scalar:
    if event.style is not None:
        return Scalar(line, _visible(event.value, line))
    return Scalar(line, _plain(event.value, line))


def _visible(text: str, line: int) -> str:
    """Refuse what an escape like "\\u2028" puts into quoted text."""
    for found in _UNUSUAL.finditer(text):
        if unicodedata.category(found[0]) in _HIDDEN:
            raise StrictYamlError(line, f"the text holds U+{ord(found[0]):04X}, which cannot be seen; take it out")
    return text


def _plain(text: str, line: int) -> str | int | None:
    """The value of unquoted text; what YAML 1.1 or 1.2 readers take for anything but text must be quoted."""
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text) and abs(int(text)) <= MAX_INTEGER:
        return int(text)
    if text.lower() in _WORDS:
        raise StrictYamlError(line, f'`{text}` has more than one meaning in YAML; quote it: "{text}"')
    if _OTHER_NUMBER.match(text) and _is_ambiguous(text):
        raise StrictYamlError(line, f'`{text}` is read as different values by different tools; quote it: "{text}"')
    return text


def _is_ambiguous(text: str) -> bool:
    """True when some YAML reader takes the text for a number or a date: 0022, 1.5, 1_000, 12:30, 2026-01-01."""
    digits = text.lstrip("-+")
    if re.fullmatch(r"[0-9][0-9_,.:]*(?:e[-+]?[0-9]+)?|0[xob][0-9a-f_]+|\.[0-9_]+(?:e[-+]?[0-9]+)?", digits, re.I):
        return True
    return bool(re.fullmatch(r"\.(?:inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*", digits, re.I))
