"""A configuration file as one neutral tree, whatever format it is written in."""

from __future__ import annotations

from agentgate_git.model.record import Record

SCALAR = "scalar"
LIST = "list"
TABLE = "table"


class TreeError(ValueError):
    """A file that is no such thing as its name says, or is beyond the bounds; the text says why."""


class ConfigNode(Record):
    """A scalar with its text, a list with `items`, or a table with `entries`; `line` counts from 1, 0 when not known.

    Keys of a table keep their order and can come twice (elements of XML, blocks of Groovy). True and false are the
    texts `true` and `false`, nothing is the empty text. An attribute of an XML element is an entry `@name`; the text
    of an element with children is an entry `#text`. In a block of code a call is an entry by its name: its arguments
    are items, named arguments and a block are entries of a table among them. A scalar of a Makefile has the conditions
    it stands under as items; a call of `if`, `onlyIf` or `expression` has what it asks for as its text.
    """

    kind: str
    line: int
    text: str = ""
    items: tuple[ConfigNode, ...] = ()
    entries: tuple[tuple[str, ConfigNode], ...] = ()

    def get(self, *path: str) -> ConfigNode:
        """The node at a path of keys; an empty scalar where there is none. Of equal keys the first counts."""
        node = self
        for key in path:
            node = next((value for name, value in node.entries if name == key), NOTHING)
        return node

    def all(self, key: str) -> tuple[ConfigNode, ...]:
        """Every value of a key of this table."""
        return tuple(value for name, value in self.entries if name == key)

    def has(self, key: str) -> bool:
        """True when the table has the key, whatever its value is."""
        return any(name == key for name, _ in self.entries)

    def is_true(self) -> bool:
        """True for a scalar that every reader takes for a constant yes."""
        return self.kind == SCALAR and self.text.strip().lower() in _YES

    def is_false(self) -> bool:
        """True for a scalar that every reader takes for a constant no."""
        return self.kind == SCALAR and self.text.strip().lower() in _NO

    def words(self) -> tuple[str, ...]:
        """The texts of a list, or the one text of a scalar that is not empty."""
        if self.kind == SCALAR:
            return (self.text,) if self.text else ()
        return tuple(item.text for item in self.items if item.kind == SCALAR and item.text)


_YES = frozenset(("true", "yes", "on", "1", "${{ true }}", "${{true}}", "always"))
_NO = frozenset(("false", "no", "off", "0", "${{ false }}", "${{false}}", "never"))
NOTHING = ConfigNode(SCALAR, 0)


def scalar(text: str, line: int = 0) -> ConfigNode:
    """A scalar."""
    return ConfigNode(SCALAR, line, text)


def table(line: int, entries: tuple[tuple[str, ConfigNode], ...]) -> ConfigNode:
    """A table of these entries."""
    return ConfigNode(TABLE, line, entries=entries)


def listed(line: int, items: tuple[ConfigNode, ...]) -> ConfigNode:
    """A list of these items."""
    return ConfigNode(LIST, line, items=items)
