"""What a manifest holds beyond version 1, in a form that two files can be compared by."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.wire.manifest import CONSTRAINT_KEYS, KEYS
from agentgate_git.wire.strict_yaml import Mapping, Node, Scalar, read_documents


def unknown_keys(data: bytes) -> frozenset[tuple[str, str, str]]:
    """(property, key, value as text) of each key that version 1 does not know; `StrictYamlError` for the first fault.

    Keys under `constraints` are written `constraints.key`. Texts are equal when the values are.
    """
    return frozenset(row for document in read_documents(data) for row in _document_rows(document))


def _document_rows(document: Node) -> Iterator[tuple[str, str, str]]:
    entries = {entry.key: entry.value for entry in document.entries} if isinstance(document, Mapping) else {}
    name = _text(entries["property_id"]) if "property_id" in entries else ""
    yield from ((name, key, _text(value)) for key, value in entries.items() if key not in KEYS)
    constraints = entries.get("constraints")
    if isinstance(constraints, Mapping):
        for entry in constraints.entries:
            if entry.key not in CONSTRAINT_KEYS:
                yield name, f"constraints.{entry.key}", _text(entry.value)


def _text(node: Node) -> str:
    """The value without its lines; keys of mappings in alphabetical order."""
    if isinstance(node, Scalar):
        return repr(node.value)
    if isinstance(node, Mapping):
        return "{" + ", ".join(sorted(f"{entry.key!r}: {_text(entry.value)}" for entry in node.entries)) + "}"
    return "[" + ", ".join(map(_text, node.items)) + "]"
