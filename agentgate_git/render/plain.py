"""Records as what JSON knows: objects, lists and the rest."""

from __future__ import annotations


def plain(value: object) -> object:
    """A record, with the records in it, as an object of its fields; what is cited has its `ref` beside them."""
    if hasattr(value, "_asdict"):
        fields = {name: plain(member) for name, member in value._asdict().items()}
        ref = getattr(value, "ref", None)
        return fields if ref is None else {**fields, "ref": ref}
    return [plain(item) for item in value] if isinstance(value, tuple) else value
