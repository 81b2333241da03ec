"""Modules, scripts and targets of tests that a list named and names no more: whether anything else explains it."""

from __future__ import annotations

import posixpath

from agentgate_git.model.facts import Setting
from agentgate_git.policy.settings.globs import is_glob, takes
from agentgate_git.policy.settings.sides import Settings

PARTS = ("module > ", "include > scripts > ")
_MODULE = "module > "
_PARKED = "parked > "
_SCRIPTS = "include > scripts > "
_REGISTERED = ("registered > swift", "registered > ctest")
_SWITCH = "enable_testing"


def left_with_its_folder(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for a module or a script whose files are gone too, and for a module that a pattern takes now."""
    word = one.value.removeprefix("in ")
    top = posixpath.dirname(path)
    place = posixpath.normpath(posixpath.join(top, word)) if word else top
    if one.key.startswith(_MODULE) and any(is_glob(it.value) and takes((it.value,), word) for it in head.of(path)):
        return True
    names = (place, posixpath.normpath(word))
    gone = [other for other in base.by_path if other not in head.by_path]
    has_left = any(other == name or other.startswith(f"{name}/") for other in gone for name in names)
    stays = any(other.startswith(f"{name}/") for other in head.by_path for name in names)
    return has_left and not stays


def is_gone_for_sure(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for what is built only when somebody asks now, for scripts that a narrower pattern takes no more, and for
    the last target of tests of a project whose files of tests stand.
    """
    if one.key.startswith(_MODULE):
        name = one.key.removeprefix(_MODULE)
        parked = head.named(path, f"{_PARKED}{name}")
        return any(it.value == one.value for it in parked)
    if one.key.startswith(_SCRIPTS):
        return is_glob(one.value)
    if one.key not in _REGISTERED or one.value.startswith(_SWITCH):
        return False
    is_left = any(key == one.key and not value.startswith(_SWITCH) for key, value in head.all)
    gone = [other for other in base.by_path if other not in head.by_path]
    came = [other for other in head.by_path if other not in base.by_path and head.of(other)]
    return not is_left and not came and not any("test" in other.lower() for other in gone)
