"""Keys with one value: thresholds, switches and guards that are lowered, turned off, or gone."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.sides import Settings

# Keys with one value: worse when it is lower (or gone), higher, false, or true.
_LOWER = ("coverage > fail_under", "coverage > threshold", "score > ")
_HIGHER = ("retries > ", "tolerance > ", "coverage > tolerance")
_FALSE = (
    "build > guard",
    "guard > ",
    "coverage > check",
    "coverage > branch",
    "pytest > xfail_strict",
    "pytest > strict",
    "mypy > strict",
)
_FALSE_MORE = ("tsconfig > strict", "build > strict")
_SEVERITY = {
    "build > guard": BLOCK,
    "guard > vitest > typecheck": BLOCK,
    "guard > ": WARN,
    "coverage > check": BLOCK,
}
# Where a tool looks for tests that nobody tells it of.
_FOLDERS = {"include > mix > test_paths": "test"}
_MUCH = 10
# A threshold that is left with no more than this part of itself says nothing any more.
_MOST = 2 / 3
_NUMBER = pattern_of(r"-?\d+(?:\.\d+)?")
# Words of keys that say nothing to readers.
_UNTOLD = ("exclude", "include", "build", "guard", "ignored", "ignoring")


def single_changes(base: Settings, head: Settings) -> Iterator[GateChange]:
    """What became of each key with one value: lower, switched off, gone, or new and on the weak side."""
    homes, told = _homes(base, head), frozenset(map(_kind, head.keys))
    for path, settings in base.by_path.items():
        for one in dict.fromkeys(settings):
            if not one.key.startswith((*_LOWER, *_HIGHER, *_FALSE, *_FALSE_MORE)):
                continue
            now = next(iter(head.named(path, one.key)), None)
            home = homes.get(one.key.partition(" > ")[0], "") if path not in head.by_path else ""
            if home:
                yield from _single_left_behind(one, home, told)
            elif now is None or now.value == one.value:
                yield from _single_gone(one, now, path, head)
            else:
                yield from _single_changed(one, now, path)
    for path, settings in head.by_path.items():
        for one in settings:
            is_new = path in base.by_path and not base.named(path, one.key)
            if is_new and base.keys[one.key] <= len(head.named(path, one.key)) - 1:
                yield from _single_new(one, path)


def _homes(base: Settings, head: Settings) -> dict[str, str]:
    """The files that are told of a tool for the first time, by the tool."""
    found: dict[str, str] = {}
    for path, settings in head.by_path.items():
        known = {one.key.partition(" > ")[0] for one in base.of(path)}
        for one in settings:
            tool = one.key.partition(" > ")[0]
            if tool not in known:
                found.setdefault(tool, path)
    return found


def _kind(key: str) -> str:
    """A tool and what it is told of, without what that holds for."""
    return " > ".join(key.split(" > ", 2)[:2])


def _single_left_behind(one: Setting, home: str, told: frozenset[str]) -> Iterator[GateChange]:
    """A threshold or a switch of a file that is gone, and that did not move with the others."""
    is_threshold = one.key.startswith(_LOWER) and (number_in(one.value) or 0) > 0
    if _kind(one.key) in told:
        return  # it may be told in other words
    if is_threshold or (one.key.startswith(_FALSE) and _is_yes(one.value)):
        message = f"{shown_key(one)} did not come along with the others: it was {one.value}"
        yield GateChange(WARN, home, 0, message, one.key)


def _single_gone(one: Setting, now: Setting | None, path: str, head: Settings) -> Iterator[GateChange]:
    """A threshold or a guard that is gone, and stands nowhere else now."""
    if now is not None or path not in head.by_path or head.keys[one.key] > 0:
        return
    if one.key.startswith("pytest > xfail_strict") and head.keys["pytest > strict"]:
        return  # one switch took the place of several
    is_threshold = one.key.startswith(_LOWER) and (number_in(one.value) or 0) > 0
    is_guard = one.key.startswith(("guard > ", "pytest > xfail_strict", "mypy > strict > strict"))
    if is_threshold or (is_guard and _is_yes(one.value)):
        yield GateChange(WARN, path, 0, f"{shown_key(one)} is gone: it was {one.value}", one.key)


def _single_changed(one: Setting, now: Setting, path: str) -> Iterator[GateChange]:
    message = f"{shown_key(now)} went from {one.value} to {now.value}"
    before, after = number_in(one.value), number_in(now.value)
    if one.key.startswith(_LOWER):
        if before is not None and after is not None and abs(after) < abs(before):
            severity = BLOCK if abs(after) <= abs(before) * _MOST else WARN
            yield GateChange(severity, path, now.line, message, now.key)
    elif one.key.startswith(_HIGHER):
        if before is not None and after is not None and after > before:
            yield GateChange(WARN, path, now.line, message)
    elif _is_yes(one.value) and _is_no(now.value):
        severity = next((rank for prefix, rank in _SEVERITY.items() if one.key.startswith(prefix)), WARN)
        yield GateChange(severity, path, now.line, message, now.key)


def _single_new(one: Setting, path: str) -> Iterator[GateChange]:
    """A switch that is new in a file and at once on the weak side."""
    number = number_in(one.value) or 0
    floor = _MUCH if one.key.startswith("coverage > tolerance") else 0.001
    if one.key.startswith("build > guard") and _is_no(one.value):
        yield GateChange(BLOCK, path, one.line, f"{shown_key(one)} is {one.value}")
    elif one.key.startswith(("guard > ", "coverage > check")) and _is_no(one.value):
        yield GateChange(ADVICE, path, one.line, f"{shown_key(one)} is {one.value}")
    elif one.key in _FOLDERS and one.value.strip("./").startswith(f"{_FOLDERS[one.key]}/"):
        yield GateChange(BLOCK, path, one.line, f"{shown_key(one)} takes tests of {one.value} alone")
    elif one.key.startswith(_HIGHER) and number >= floor:
        yield GateChange(WARN, path, one.line, f"{shown_key(one)} is {one.value}")


def number_in(text: str) -> float | None:
    """The first number of a value."""
    found = _NUMBER.search(text)
    return float(found[0]) if found else None


def _is_yes(text: str) -> bool:
    return text.strip().lower() in ("true", "1", "yes", "on", "all") or "process.env" in text


def _is_no(text: str) -> bool:
    return text.strip().lower() in ("false", "0", "no", "off", "none")


def shown_key(one: Setting) -> str:
    """A key in words."""
    parts = one.key.split(" > ")
    return " ".join(dict.fromkeys(part for part in parts if part and (part not in _UNTOLD or len(parts) < 3)))
