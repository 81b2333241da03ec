"""YAML as pipelines use it: tags, anchors, merge keys and several documents are taken as they come, within bounds."""

from __future__ import annotations

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from agentgate_git.model.config_node import LIST, NOTHING, SCALAR, TABLE, ConfigNode, TreeError, listed, scalar, table

MAX_DEPTH = 60
MAX_NODES = 200_000
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))


def read_yaml(text: str) -> ConfigNode:
    """The first document that is a table, or the documents as a list when there are several."""
    try:
        documents = _Builder().build(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise TreeError(f"line {mark.line + 1 if mark else 1}: {error.problem}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, TreeError):
            raise
        raise TreeError(" ".join(str(error).split())) from None
    return documents[0] if len(documents) == 1 else listed(1, documents)


class _Open:
    def __init__(self, line: int, anchor: str | None, is_table: bool) -> None:
        self.line = line
        self.anchor = anchor
        self.is_table = is_table
        self.nodes: list[ConfigNode] = []

    def close(self) -> ConfigNode:
        if not self.is_table:
            return listed(self.line, tuple(self.nodes))
        pairs = zip(self.nodes[::2], self.nodes[1::2], strict=False)
        own: dict[str, ConfigNode] = {}
        merged: dict[str, ConfigNode] = {}
        for key, value in pairs:
            if key.text == "<<" and value.kind != SCALAR:
                for one in value.items if value.kind == LIST else (value,):
                    for name, node in one.entries:
                        merged.setdefault(name, node)
            else:
                own[key.text] = (
                    value._replace(line=key.line) if value.kind != SCALAR or "\n" not in value.text else value
                )
        return table(self.line, tuple({**merged, **own}.items()))


class _Builder:
    """Builds from events, without recursion; an alias is the node it names, which the caller may meet many times."""

    def __init__(self) -> None:
        self._anchors: dict[str, ConfigNode] = {}
        self._sizes: dict[str, int] = {}
        self._open: list[_Open] = []
        self._count = 0

    def build(self, text: str) -> tuple[ConfigNode, ...]:
        documents: list[ConfigNode] = []
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, NodeEvent):
                done = self._start(event)
            elif isinstance(event, CollectionEndEvent):
                done = self._end()
            else:
                if isinstance(event, DocumentEndEvent):
                    self._anchors.clear()
                continue
            if done is not None:
                if self._open:
                    self._open[-1].nodes.append(done)
                else:
                    documents.append(done)
        return tuple(one for one in documents if one.kind != SCALAR or one.text) or (NOTHING,)

    def _start(self, event: NodeEvent) -> ConfigNode | None:
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, AliasEvent):
            name = event.anchor or ""
            self._add(self._sizes.get(name, 1))
            return self._anchors.get(name, NOTHING)
        self._add(1)
        if isinstance(event, ScalarEvent):
            is_null = event.style is None and event.value in _NULLS
            # A block scalar starts on the line after its key; what stands in it is counted from there.
            node = scalar("" if is_null else event.value, line + (event.style in ("|", ">")))
            if event.anchor:
                self._anchors[event.anchor], self._sizes[event.anchor] = node, 1
            return node
        if len(self._open) >= MAX_DEPTH:
            raise TreeError(f"line {line}: it is nested more than {MAX_DEPTH} levels deep")
        assert isinstance(event, MappingStartEvent | SequenceStartEvent)
        self._open.append(_Open(line, event.anchor, isinstance(event, MappingStartEvent)))
        return None

    def _end(self) -> ConfigNode:
        opened = self._open.pop()
        node = opened.close()
        if opened.anchor:
            self._anchors[opened.anchor], self._sizes[opened.anchor] = node, _size(node)
        return node

    def _add(self, count: int) -> None:
        self._count += count
        if self._count > MAX_NODES:
            raise TreeError(f"it has more than {MAX_NODES} values, those of its aliases counted")


def _size(node: ConfigNode) -> int:
    waiting, count = [node], 0
    while waiting and count <= MAX_NODES:
        one = waiting.pop()
        count += 1
        waiting.extend(one.items)
        if one.kind == TABLE:
            waiting.extend(value for _, value in one.entries)
    return count
