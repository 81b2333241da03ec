"""Checkers told to see less: whole families of rules, whole packages and the switch itself; the rest is advice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.common import is_everything, is_ordinary
from agentgate_git.policy.settings.shadows import package_of

_FAMILY = pattern_of(r"[A-Z]+|ALL|all|\*")
_ALL = ("ALL", "all", "*")
# All files of a folder, behind its name.
_ALL_OF = pattern_of(r"/(?:\*\*/?|\*\*/\*|\*)(?:\.pyi?)?$")
_IGNORES = ("ignore", "extend-ignore", "per-file-ignores", "disable")
# A linter or a department of rules that is off, or does not look at what it looked at.
_WHOLE = ("linters disable", "linter hidden", "family off")
_PATHS = ("exclude", "extend-exclude")
_LEVELS = {"forbid": 3, "deny": 3, "error": 3, "warn": 2, "allow": 1, "off": 1}
Files = Mapping[str, tuple[Setting, ...]]


def lint_changes(base: Files, head: Files) -> Iterator[GateChange]:
    """What the checkers of the changed files no longer see."""
    stood = {(one.key, one.value) for settings in base.values() for one in settings}
    own = frozenset(path.split("/")[-2] for path in head if path.count("/") in (1, 2) and path.endswith("/__init__.py"))
    for path, after in head.items():
        before = base.get(path)
        if before is None:
            continue
        for tool in sorted({one.key.split(" > ")[1] for one in after if one.key.startswith("lint > ")}):
            yield from _of_tool(tool, before, after, path, stood, own)
        yield from _loosened(before, after, path, stood, own)
        yield from _levels(before, after, path)


def _of_tool(
    tool: str,
    before: tuple[Setting, ...],
    after: tuple[Setting, ...],
    path: str,
    stood: set[tuple[str, str]],
    own: frozenset[str],
) -> Iterator[GateChange]:
    prefix = f"lint > {tool} > "
    was_used = any(one.key.startswith(prefix) for one in before)
    is_adopted = not was_used and any(one.key.startswith(f"{prefix}select") for one in after)
    for one in after:
        option = one.key.removeprefix(prefix)
        if not one.key.startswith(prefix) or is_adopted or (one.key, one.value) in stood:
            continue
        severity = _severity(option, one.value, was_used)
        if severity == WARN and option in _PATHS and package_of(one.value) in own:
            severity = BLOCK
        if severity:
            yield GateChange(severity, path, one.line, f"{tool} {option}: {one.value} is no longer checked")
    yield from _selection(tool, before, after, path)


def _severity(option: str, value: str, was_used: bool) -> str:
    if option == "hidden":
        return _hidden(value)
    if option in _WHOLE:
        return WARN if was_used else ""
    if option in _PATHS:
        if is_ordinary(value):
            return ""
        return BLOCK if is_everything(value) else WARN if _is_package(value) or _is_source(value) else ADVICE
    if option == "per-file-ignores":
        pattern, _, code = value.rpartition(": ")
        if is_ordinary(pattern) or "__init__" in pattern:
            return ""
        if code in _ALL:
            return BLOCK if is_everything(pattern) or _is_package(pattern) else WARN
        is_wide = is_everything(pattern) or _is_package(_ALL_OF.sub("", pattern))
        return WARN if _is_family(code) and is_wide else ADVICE
    if option in _IGNORES:
        return BLOCK if value in _ALL else WARN if _is_family(value) else ADVICE if was_used else ""
    return ADVICE if option in ("off", "allow", "skip") else ""


def _hidden(value: str) -> str:
    """How bad it is that a checker of another language than Python does not look at files."""
    plain = value.replace("\\", "").strip("^$")
    if is_everything(plain) or is_everything(plain.rstrip("*").rstrip(".")):
        return BLOCK
    return "" if is_ordinary(plain) else WARN if _is_package(plain) else ADVICE


def _is_package(value: str) -> bool:
    """A folder or a module by its bare name: a package of the project."""
    return re.fullmatch(r"(?:\./)?(?:src/|lib/)?[a-z][\w-]*(?:/|/\*+)?", value) is not None


def _is_source(value: str) -> bool:
    """A file of the product, or some of one folder, by how their names begin: `src/accounts*`."""
    return (
        re.fullmatch(r"(?:\./|/)?(?:src|lib|app|packages/[\w-]+/src)/(?:[\w-]+/)*[A-Za-z][\w.-]*\*?", value) is not None
    )


def _is_family(code: str) -> bool:
    return _FAMILY.fullmatch(code) is not None


def _selection(tool: str, before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """Families that a checker was told to look for, and is not any more."""
    yield from _linters(tool, before, after, path)
    keys = tuple(f"lint > {tool} > {option}" for option in ("select", "extend-select", "enable"))
    old = [one.value for one in before if one.key in keys]
    new = [one for one in after if one.key in keys]
    values = tuple(one.value for one in new)
    has_all = not {"ALL", "all"}.isdisjoint(values)
    gone = [] if has_all else [value for value in old if not value.startswith(values)]
    if gone and new:
        severity = WARN if len(gone) * 2 >= len(old) or {"F", "E9", "ALL"} & set(gone) else ADVICE
        yield GateChange(severity, path, new[0].line, f"{tool} no longer looks for {', '.join(gone)}"[:300])


def _linters(tool: str, before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """Whole linters that a file switched on, and does not any more; one that is switched off besides is told so."""
    name = f"lint > {tool} > linters enable"
    old = {one.value for one in before if one.key == name}
    new = {one.value for one in after if one.key == name}
    off = {one.value for one in after if one.key == f"lint > {tool} > linters disable"}
    gone = sorted(old - new - off)
    if gone and new:
        line = next(one.line for one in after if one.key == name)
        yield GateChange(WARN, path, line, f"{tool} no longer runs {', '.join(gone)}"[:300])


def _loosened(
    before: tuple[Setting, ...],
    after: tuple[Setting, ...],
    path: str,
    stood: set[tuple[str, str]],
    own: frozenset[str],
) -> Iterator[GateChange]:
    """mypy: errors of a whole package, or everywhere, that are none; stubs that others have not are nothing."""
    used = any(one.key.startswith("mypy > ") for one in before)
    for one in after:
        if not one.key.startswith("mypy > loose > ") or (one.key, one.value) in stood:
            continue
        option = one.key.rpartition(" > ")[2]
        is_wide = one.value == "everywhere"
        if option == "ignore_missing_imports":
            severity = ADVICE if is_wide and used else ""
        elif option == "ignore_errors":
            severity = "" if is_ordinary(one.value) else BLOCK if is_wide else WARN if "*" in one.value else ADVICE
        elif option == "exclude":
            severity = "" if is_ordinary(one.value) else BLOCK if is_everything(one.value) else _excluded(one.value)
        elif option == "follow_imports":
            severity = WARN if is_wide else ""
        else:
            severity = ADVICE if used else ""
        if severity == WARN and used and package_of(one.value) in own:
            severity = BLOCK
        if severity:
            yield GateChange(severity, path, one.line, f"mypy {option}: {one.value} is no longer checked")


def _excluded(pattern: str) -> str:
    """How bad it is that mypy does not look where a pattern says: a package or a file of the product warns."""
    plain = pattern.strip("^$").replace("\\", "")
    return WARN if _is_package(plain) or _is_source(plain.rstrip("/")) else ADVICE


def _levels(before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """Rules that were errors by their own name and are none any more."""
    now = {one.key: one for one in after if one.key.startswith("level > ")}
    for one in before:
        found = now.get(one.key)
        if not one.key.startswith("level > ") or found is None:
            continue
        is_lower = one.value.isdigit() and found.value.isdigit() and int(found.value) < int(one.value)
        if is_lower or _LEVELS.get(one.value, 0) == 3 > _LEVELS.get(found.value, 3):
            _, tool, rule = one.key.split(" > ", 2)
            yield GateChange(WARN, path, found.line, f"{tool} {rule} went from {one.value} to {found.value}")
