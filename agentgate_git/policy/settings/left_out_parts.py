"""Modules, scripts and targets of tests that a list named and names no more: whether anything else explains it."""

from __future__ import annotations

import posixpath

from agentgate_git.model.facts import Setting
from agentgate_git.policy.settings.globs import is_glob, lost, takes
from agentgate_git.policy.settings.sides import Settings

MAX_GLOBS = 20
_MODULE = "module > "
_SCRIPTS = "scripts > "
PARTS = (_MODULE, _SCRIPTS)
_NAMED = "registered > parts of "
_PARKED = "parked > "
_CTEST = "registered > ctest"
_REGISTERED = "registered > swift"


def left_with_its_folder(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for a module or a script whose files are gone too, and for a module that a pattern takes now."""
    word = one.value.removeprefix("in ")
    top = posixpath.dirname(path)
    place = posixpath.normpath(posixpath.join(top, word)) if word else top
    if one.key.startswith(_MODULE) and any(
        is_glob(it.value) and takes((it.value,), word) for it in head.named(path, one.key)[:MAX_GLOBS]
    ):
        return True
    names = (place, posixpath.normpath(word))
    left, stays = base.folders_left(head), head.folders
    return any(name in left and name not in stays for name in names)


def is_left_out(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for a part of a project that is still there, and that the list of those with tests names no more."""
    left = tuple(other.value for other in head.named(path, one.key))
    if not one.key.startswith(_NAMED) or not left:
        return False
    if head.has_beyond(base, path, one.key):
        return is_glob(one.value) and bool(lost((one.value,), left))
    folder = one.value.removeprefix("<rootDir>/").removeprefix("./").rstrip("/*")
    return folder not in base.folders_left(head)


def is_gone_for_sure(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for what is built only when somebody asks now, for scripts that a narrower pattern takes no more, for a
    test whose program is still built and run by nothing, and for the last target of tests of a project whose files of
    tests stand.
    """
    if _is_left_half(one, head):
        return True
    if one.key.startswith(_MODULE):
        name = one.key.removeprefix(_MODULE)
        parked = head.named(path, f"{_PARKED}{name}")
        return any(it.value == one.value for it in parked)
    if one.key.startswith(_SCRIPTS):
        return is_glob(one.value)
    if one.key == _CTEST:
        return _is_idle(one, path, base, head)
    if one.key != _REGISTERED or head.keys[_REGISTERED]:
        return False  # what CMake registers, functions of a project may register as well
    gone = base.folders_left(head)
    came = any(other not in base.by_path and head.of(other) for other in head.by_path)
    return not came and not any("test" in other.lower() for other in gone)


def _is_idle(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for a test of CMake whose program the same file still builds, and names nowhere else any more."""
    idle = {it.value for it in head.named(path, "idle > ctest")}
    programs = {
        it.value.partition(" ")[2] for it in base.named(path, "tested > ctest") if it.value.startswith(f"{one.value} ")
    }
    return bool(programs) and programs <= idle


def _is_left_half(one: Setting, head: Settings) -> bool:
    """True for a goal that judges what other goals of its plugin, which are still there, run."""
    plugin = one.key.rpartition(" > ")[0]
    return one.key.startswith("goal > ") and any(key.startswith(f"{plugin} > ") for key in head.keys)
