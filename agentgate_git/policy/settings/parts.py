"""Lists of the parts of a project whose tests one run takes: whether one that is still there is named no more."""

from __future__ import annotations

from agentgate_git.model.facts import Setting
from agentgate_git.policy.settings.globs import is_glob, lost
from agentgate_git.policy.settings.sides import Settings

_PARTS = "registered > parts of "


def is_left_out(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for a part of a project that is still there, and that the list of those with tests names no more."""
    left = tuple(other.value for other in head.named(path, one.key))
    if not one.key.startswith(_PARTS) or not left:
        return False
    if head.has_beyond(base, path, one.key):
        return is_glob(one.value) and bool(lost((one.value,), left))
    folder = one.value.removeprefix("<rootDir>/").removeprefix("./").rstrip("/*")
    gone = (other for other in base.by_path if other not in head.by_path)
    return not any(other == folder or other.startswith(f"{folder}/") for other in gone)
