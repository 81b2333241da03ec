"""XML without entities of its own, bounded in depth and count, with line numbers."""

from __future__ import annotations

from xml.parsers import expat

from agentgate_git.model.config_node import ConfigNode, TreeError, scalar, table

MAX_DEPTH = 60
MAX_ELEMENTS = 100_000


def read_xml(data: bytes) -> ConfigNode:
    """A table with the root element as its one entry; a declared entity is refused."""
    builder = _Builder()
    try:
        builder.parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise TreeError(" ".join(str(error).split())) from None
    return table(1, tuple(builder.found))


class _Builder:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse
        self.found: list[tuple[str, ConfigNode]] = []
        self._open: list[tuple[str, int, list[tuple[str, ConfigNode]], list[str]]] = []
        self._count = 0

    def _refuse(self, *_: object) -> None:
        raise TreeError("it declares an entity")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) >= MAX_DEPTH or self._count > MAX_ELEMENTS:
            raise TreeError(f"it has more than {MAX_ELEMENTS} elements or {MAX_DEPTH} levels")
        line = self.parser.CurrentLineNumber
        entries = [(f"@{key}", scalar(value, line)) for key, value in attributes.items()]
        self._open.append((name.rpartition(":")[2], line, entries, []))

    def _end(self, _: str) -> None:
        name, line, entries, texts = self._open.pop()
        text = "".join(texts).strip()
        if entries and text:
            entries.append(("#text", scalar(text, line)))
        node = table(line, tuple(entries)) if entries else scalar(text, line)
        (self._open[-1][2] if self._open else self.found).append((name, node))

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1][3].append(text)
