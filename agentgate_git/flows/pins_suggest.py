"""`pins suggest`: what each property of a revision reads, and which pins that asks for."""

from __future__ import annotations

from agentgate_git.flows.sealed.property_files import PropertyFiles, blobs_of, manifest_of
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.pin_use import PropertyUse
from agentgate_git.policy.pin_use import pin_use
from agentgate_git.repo.refs import resolve_commit


def suggest(workspace: Workspace, rev: str) -> tuple[PropertyUse, ...]:
    """One answer for each property of the manifest of `rev`; files are its module, what imports that, and imports."""
    blobs = blobs_of(workspace, resolve_commit(workspace.clone, rev))
    manifest = manifest_of(workspace, blobs, rev)
    reader = PropertyFiles(workspace, blobs)
    return tuple(pin_use(one, reader.files(one.module)) for one in manifest.properties)
