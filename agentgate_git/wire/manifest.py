"""Manifests (entropy.yaml, entropy.baseline.yaml): strict YAML to records, and records to canonical YAML."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model import code
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.manifest import Constraints, Manifest, Property
from agentgate_git.model.pattern import pattern_of
from agentgate_git.wire.strict_yaml import Entry, Mapping, Node, Scalar, StrictYamlError, read_documents
from agentgate_git.wire.yaml_fields import flag_of, integer_of, mapping_of, text_of, texts_of

VERSION = 1
KEYS = ("version", "property_id", "module", "pins", "constraints")
CONSTRAINT_KEYS = ("forbid_skip_markers", "forbid_dropped_pins", "require_host_b")

_PIN_NAME = pattern_of(r"[a-z][a-z0-9_]*")
_BARE = pattern_of(r"[A-Za-z/][A-Za-z0-9_./-]*")
_WORDS = frozenset(("yes", "no", "on", "off", "y", "n", "true", "false", "null"))


def read_manifest(path: str, data: bytes) -> Manifest | Finding:
    """The manifest, or the blocking E_MANIFEST_INVALID finding that names the line at fault."""
    try:
        return load_manifest(data)
    except StrictYamlError as error:
        step = code.next_step(code.MANIFEST_INVALID)
        return Finding(code.MANIFEST_INVALID, BLOCK, path, error.reason, step, line=error.line)


def load_manifest(data: bytes) -> Manifest:
    """The manifest; `StrictYamlError` for the first fault.

    Several documents are several properties, each with a `property_id` of its own.
    """
    documents = read_documents(data)
    if not documents:
        raise StrictYamlError(1, "the file is empty; a manifest starts with `version: 1`")
    has_many = len(documents) > 1
    lines: dict[str, int] = {}
    properties = []
    for document in documents:
        one = _property(document, has_many)
        if one.property_id in lines:
            first = lines[one.property_id]
            raise StrictYamlError(
                document.line, f"the property `{one.property_id}` stands twice, first in the document of line {first}"
            )
        lines[one.property_id] = document.line
        properties.append(one)
    return Manifest(VERSION, tuple(properties), tuple(unread for one in documents for unread in _unread(one)))


def dump_manifest(manifest: Manifest) -> bytes:
    """The canonical bytes of a manifest: ASCII, fixed order of keys, text quoted unless it is a plain word.

    `load_manifest` reads them back equal, but for keys that version 1 does not know.
    """
    documents = ("".join(_document_lines(manifest.version, one)) for one in manifest.properties)
    return "---\n".join(documents).encode("ascii")


def _property(document: Node, has_many: bool) -> Property:
    entries = {entry.key: entry for entry in mapping_of(document, "a manifest").entries}
    version = entries.get("version")
    if version is None:
        raise StrictYamlError(document.line, "`version: 1` is missing")
    if integer_of(version) != VERSION:
        raise StrictYamlError(version.line, f"version {integer_of(version)} is not known; this reads version {VERSION}")
    if "pins" not in entries:
        raise StrictYamlError(document.line, "`pins:` is missing")
    property_id = text_of(entries["property_id"]) if "property_id" in entries else ""
    if has_many and not property_id:
        raise StrictYamlError(document.line, "`property_id` is missing; several properties need one each")
    return Property(
        property_id,
        text_of(entries["module"]) if "module" in entries else "",
        tuple(_pins(entries["pins"])),
        _constraints(entries.get("constraints")),
    )


def _unread(document: Node) -> Iterator[tuple[int, str]]:
    """Keys that version 1 does not know, at the top and under constraints: kept to be told, never obeyed."""
    for entry in mapping_of(document, "a manifest").entries:
        if entry.key not in KEYS:
            yield entry.line, entry.key
        if entry.key == "constraints" and isinstance(entry.value, Mapping):
            yield from ((one.line, one.key) for one in entry.value.entries if one.key not in CONSTRAINT_KEYS)


def _pins(entry: Entry) -> Iterator[tuple[str, str | int | None]]:
    if isinstance(entry.value, Scalar) and entry.value.value is None:
        return
    for pin in mapping_of(entry.value, "pins").entries:
        if not _PIN_NAME.fullmatch(pin.key):
            raise StrictYamlError(pin.line, f"`{pin.key}` is no name of a pin; use lower-case letters, digits and _")
        if not isinstance(pin.value, Scalar) or isinstance(pin.value.value, bool):
            raise StrictYamlError(pin.line, f"the pin `{pin.key}` must be text, a decimal number or null")
        yield pin.key, pin.value.value


def _constraints(entry: Entry | None) -> Constraints:
    if entry is None or (isinstance(entry.value, Scalar) and entry.value.value is None):
        return Constraints()
    given = {one.key: one for one in mapping_of(entry.value, "constraints").entries}
    standing = Constraints()
    return Constraints(
        texts_of(given["forbid_skip_markers"]) if "forbid_skip_markers" in given else standing.forbid_skip_markers,
        flag_of(given["forbid_dropped_pins"]) if "forbid_dropped_pins" in given else standing.forbid_dropped_pins,
        flag_of(given["require_host_b"]) if "require_host_b" in given else standing.require_host_b,
    )


def _document_lines(version: int, one: Property) -> Iterator[str]:
    yield f"version: {version}\n"
    if one.property_id:
        yield f"property_id: {_written(one.property_id)}\n"
    if one.module:
        yield f"module: {_written(one.module)}\n"
    yield "pins:\n" if one.pins else "pins: {}\n"
    yield from (f"  {_written(name)}: {_written(value)}\n" for name, value in one.pins)
    yield "constraints:\n"
    yield f"  forbid_skip_markers: [{', '.join(map(_written, one.constraints.forbid_skip_markers))}]\n"
    yield f"  forbid_dropped_pins: {_written(one.constraints.forbid_dropped_pins)}\n"
    yield f"  require_host_b: {_written(one.constraints.require_host_b)}\n"


def _written(value: str | int | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return value if _BARE.fullmatch(value) and value.lower() not in _WORDS else f'"{"".join(map(_escaped, value))}"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if " " <= character <= "~":
        return character
    point = ord(character)
    return {"\n": "\\n", "\t": "\\t"}.get(character) or (f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}")
