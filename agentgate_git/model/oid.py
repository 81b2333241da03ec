"""Object ids: lower-case hex, 40 digits (SHA-1) or 64 (SHA-256)."""

from __future__ import annotations

Oid = str

_HEX = frozenset("0123456789abcdef")
_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}


def is_oid(text: str) -> bool:
    """True for a full object id of either hash; never for an abbreviation."""
    return len(text) in _EMPTY_TREES and _HEX.issuperset(text)


def is_zero(oid: Oid) -> bool:
    """True for the all-zero id that git uses for "no object", whatever its length."""
    return is_oid(oid) and not oid.strip("0")


def hash_name(oid: Oid) -> str:
    """The hashlib name of the hash an id was made with: `sha1` or `sha256`."""
    return "sha1" if len(oid) == 40 else "sha256"


def empty_tree(like: Oid) -> Oid:
    """The id of the empty tree in the repository that `like` comes from."""
    return _EMPTY_TREES[len(like)]


def is_empty_tree(oid: Oid) -> bool:
    """True for the empty tree of either hash."""
    return oid in _EMPTY_TREES.values()
