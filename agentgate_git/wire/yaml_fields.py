"""Typed access to strict YAML: each reader takes one value or refuses it with its line."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.wire.strict_yaml import Entry, Mapping, Node, Scalar, Sequence, StrictYamlError


def entries_of(node: Node, what: str, known: Iterable[str]) -> dict[str, Entry]:
    """The entries of a mapping by key; refuses another kind of node and any key that is not `known`."""
    names = tuple(known)
    entries = {entry.key: entry for entry in mapping_of(node, what).entries}
    for entry in entries.values():
        if entry.key not in names:
            raise StrictYamlError(entry.line, f"`{entry.key}` is no key of {what}; known are {', '.join(names)}")
    return entries


def mapping_of(node: Node, what: str) -> Mapping:
    """A mapping, else a refusal."""
    if not isinstance(node, Mapping):
        raise StrictYamlError(node.line, f"{what} must be a mapping (`key: value` lines)")
    return node


def text_of(entry: Entry) -> str:
    """Text; a number, true, false or null must be quoted."""
    return _text(entry.value, entry.key)


def texts_of(entry: Entry) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(entry.value, Sequence):
        raise StrictYamlError(entry.line, f"`{entry.key}` must be a list (`- one` lines or [one, two])")
    return tuple(_text(item, f"an item of {entry.key}") for item in entry.value.items)


def flag_of(entry: Entry) -> bool:
    """true or false."""
    if not isinstance(entry.value, Scalar) or not isinstance(entry.value.value, bool):
        raise StrictYamlError(entry.line, f"`{entry.key}` must be true or false")
    return entry.value.value


def integer_of(entry: Entry) -> int:
    """A decimal integer."""
    value = entry.value.value if isinstance(entry.value, Scalar) else None
    if not isinstance(value, int) or isinstance(value, bool):
        raise StrictYamlError(entry.line, f"`{entry.key}` must be a decimal number")
    return value


def _text(node: Node, what: str) -> str:
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        raise StrictYamlError(node.line, f"`{what}` must be text; quote the value")
    return node.value
