"""Reads that no pin covers, and pins that nothing reads: for `pins suggest` by what stands in the source alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from agentgate_git.model.facts import Trait
from agentgate_git.model.manifest import Property
from agentgate_git.model.pin_use import MISSING, UNREAD, PinUse, PropertyUse, Read, Seen

# The pin that fixes each kind of read; file names under the temporary root and modes have pins, other files have none.
_PIN_OF = {"clock": "clock_unix", "rng": "rng_seed", "tz": "tz", "locale": "lang", "network": "cassette_sha256"}
_SOURCE_OF = {pin: source for source, pin in _PIN_OF.items()} | {"umask": "fs", "temp_root": "fs"}
_READ = "entropy.read."
_TEMPORARY = ("tempfile.", "mkdtemp", "mkstemp", "gettempdir", "NamedTemporaryFile", "TemporaryDirectory", "mktemp")
_MODES = ("umask", "os.stat", "lstat", "chmod", "access", "makedirs", "mkdir")


def pin_use(one: Property, files: Iterable[tuple[str, tuple[Trait, ...]]]) -> PropertyUse:
    """What one property reads, from its files and their traits."""
    reads: dict[str, list[Read]] = {}
    looked_at = tuple(files)
    unpinnable = []
    for path, trait in ((path, trait) for path, traits in looked_at for trait in traits):
        if not trait.kind.startswith(_READ):
            continue
        read = Read(path, trait.line, trait.owner, trait.what)
        pin = _pin_of(trait)
        if pin:
            reads.setdefault(pin, []).append(read)
        else:
            unpinnable.append(read)
    used = {pin for pin in _SOURCE_OF if pin in reads or _is_used_by(pin, reads)}
    uses = _uses(one, {pin: tuple(found) for pin, found in reads.items()}, used)
    return PropertyUse(one.property_id, one.module, tuple(path for path, _ in looked_at), uses, tuple(unpinnable))


def pin_use_seen(one: Property, files: tuple[str, ...], seen: Iterable[Seen]) -> PropertyUse:
    """What one property read in a run: `files` of the tree took part in it."""
    rows = sorted(seen, key=lambda row: (row.read.path, row.read.line, row.read.what, row.pin))
    needed: dict[str, tuple[Read, ...]] = {}
    for row in rows:
        if row.pin and row.is_needed:
            needed[row.pin] = (*needed.get(row.pin, ()), row.read)
    uses = _uses(one, needed, {row.pin for row in rows})
    unpinnable = tuple(dict.fromkeys(row.read for row in rows if not row.pin))
    return PropertyUse(one.property_id, one.module, files, uses, unpinnable)


def _uses(one: Property, needed: Mapping[str, tuple[Read, ...]], used: Set[str]) -> tuple[PinUse, ...]:
    """Pins that are needed and not there, then pins that are there and not used."""
    pinned = {name for name, value in one.pins if value not in (None, "")}
    missing = tuple(
        PinUse(one.property_id, MISSING, pin, _SOURCE_OF[pin], found)
        for pin, found in sorted(needed.items())
        if pin not in pinned
    )
    unread = tuple(
        PinUse(one.property_id, UNREAD, pin, _SOURCE_OF[pin])
        for pin in sorted(pinned)
        if pin in _SOURCE_OF and pin not in used
    )
    return (*missing, *unread)


def _pin_of(trait: Trait) -> str:
    source = trait.kind[len(_READ) :]
    if source != "fs":
        return _PIN_OF.get(source, "")
    if any(word in trait.what for word in _TEMPORARY):
        return "temp_root"
    return "umask" if any(word in trait.what for word in _MODES) else ""


def _is_used_by(pin: str, reads: dict[str, list[Read]]) -> bool:
    """A zone is read wherever local time is, a locale where text is formatted from it: not plainly unread then."""
    return pin == "tz" and any("local" in read.what or ".now()" in read.what for read in reads.get("clock_unix", ()))
