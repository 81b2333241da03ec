"""The facts a check needs from the files of a change set; a blob is read only where its path can matter."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.change_sets.read_facts import is_read
from agentgate_git.model.change import ABSENT, GITLINK, SYMLINK, Change
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import WARN, Finding
from agentgate_git.model.manifest import Manifest
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.policy.pins import manifest_findings

_NOT_A_FILE = (ABSENT, GITLINK, SYMLINK)


def pin_findings(base: bytes | None, baseline: bytes | None, head: bytes | None) -> tuple[Finding, ...]:
    """What a proposed manifest does to the pins of the base's manifest and baseline; nothing when it is the base's."""
    if base == head:
        return ()
    proposed = _read_manifest(MANIFEST_PATH, head) if head is not None else None
    if isinstance(proposed, Finding):
        return (proposed,)
    findings = [
        finding
        for path, data in ((BASELINE_PATH, baseline), (MANIFEST_PATH, base))
        if data is not None
        for finding in _against(path, data, proposed)
    ]
    return tuple(dict.fromkeys(findings))


def forbidden_markers(*manifests: bytes | None) -> tuple[str, ...]:
    """The skip markers that any of these manifests forbids; the base's list and the head's add up."""
    read = (_read_manifest(MANIFEST_PATH, data) for data in manifests if data is not None)
    return tuple(
        marker
        for manifest in read
        if not isinstance(manifest, Finding)
        for one in manifest.properties
        for marker in one.constraints.forbid_skip_markers
    )


def changed_facts(
    cache: FactsCache, changes: Iterable[Change], forbidden: tuple[str, ...]
) -> tuple[tuple[FileFacts, ...], tuple[FileFacts, ...]]:
    """What the changed files said before, and what they say now."""
    rows = tuple(change for change in changes if is_read(change.path))
    before = ((row.path, row.old_oid) for row in rows if row.old_mode not in _NOT_A_FILE)
    after = ((row.path, row.new_oid) for row in rows if row.new_mode not in _NOT_A_FILE)
    return tuple(cache.facts(before, forbidden)), tuple(cache.facts(after, forbidden))


def _against(path: str, data: bytes, proposed: Manifest | None) -> tuple[Finding, ...]:
    pinned = _read_manifest(path, data)
    if isinstance(pinned, Finding):
        message = f"the base's own {path} cannot be read, so its pins are not compared: {pinned.message}"
        return (pinned._replace(severity=WARN, message=message),)
    return manifest_findings(pinned, proposed, MANIFEST_PATH)


def _read_manifest(path: str, data: bytes) -> Manifest | Finding:
    from agentgate_git.wire.manifest import read_manifest  # noqa: PLC0415 - PyYAML is loaded where there is a manifest

    return read_manifest(path, data)
