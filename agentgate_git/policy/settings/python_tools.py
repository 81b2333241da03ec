"""Tools of Python that look at less: coverage that counts the tests, mypy and pyright, nose2, hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.patterns import above, is_about_tests

_MEASURED = ("pytest > cov", "coverage > source", "coverage > source_pkgs")
_LOOKS = "mypy > looks > "
_START = "nose2 > start-dir"
_PROFILE = "pytest > hypothesis profile"
_MODE = " > typeCheckingMode"
_MODES = {"off": 0, "basic": 1, "standard": 2, "recommended": 3, "strict": 4, "all": 5}
_OF_TESTS = pattern_of(r"(?:.*[/.])?(?:tests?|testing|test_\w+)(?:/.*)?")
Files = Mapping[str, tuple[Setting, ...]]


def python_tool_changes(base: Files, head: Files) -> Iterator[GateChange]:
    """What the tools of the changed files no longer look at."""
    gone = frozenset(base) - frozenset(head)
    for path, after in head.items():
        before = base.get(path)
        if before is not None:
            yield from _tests_measured(before, after, path)
            yield from _fewer_typed(before, after, path)
            yield from _modes(before, after, path)
            yield from _other_start(before, after, path, gone)
            yield from _other_profile(before, after, path)


def _tests_measured(before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """Coverage of the tests in the place of the code: tests run all of themselves."""
    old = _values(before, *_MEASURED)
    new = [one for one in after if one.key in _MEASURED]
    values = {_plain(one.value) for one in new}
    if not old or not values or any(_OF_TESTS.fullmatch(one) for one in old):
        return
    if all(_OF_TESTS.fullmatch(one) for one in values):
        message = f"coverage measures {', '.join(sorted(values))} in the place of {', '.join(sorted(old))}"
        yield GateChange(BLOCK, path, new[0].line, message)


def _fewer_typed(before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """mypy that is given only parts of what it was given."""
    for name in ("files", "packages"):
        old = _values(before, f"{_LOOKS}{name}")
        new = [one for one in after if one.key == f"{_LOOKS}{name}"]
        values = {_plain(one.value) for one in new}
        inside = {folder: one for one in new for folder in above(_plain(one.value))}
        for gone in sorted(old - values):
            if gone in inside and values.isdisjoint(("", ".", *above(gone))):
                message = f"mypy {name}: only {inside[gone].value} of {gone} is checked"
                yield GateChange(WARN, path, inside[gone].line, message)


def _modes(before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """pyright that is strict no more, or off."""
    old = {one.key: one.value.lower() for one in before if one.key.endswith(_MODE)}
    for one in after:
        was, now = _MODES.get(old.get(one.key, "")), _MODES.get(one.value.lower())
        if one.key.endswith(_MODE) and was is not None and now is not None and now < was:
            tool = one.key.split(" > ")[1]
            message = f"{tool} typeCheckingMode went from {old[one.key]} to {one.value}"
            yield GateChange(BLOCK if now == 0 else WARN, path, one.line, message)


def _other_start(
    before: tuple[Setting, ...], after: tuple[Setting, ...], path: str, gone_paths: frozenset[str]
) -> Iterator[GateChange]:
    """nose2 that begins to look in a part of the folder in which it began, or in another."""
    old = next((_plain(one.value) for one in before if one.key == _START), "")
    new = next((one for one in after if one.key == _START), None)
    if new is None or not old or old == _plain(new.value) or _plain(new.value) in ("", "."):
        return
    if old in above(_plain(new.value)):
        yield GateChange(BLOCK, path, new.line, f"start-dir: {new.value} is only a part of {old}")
    elif old not in ("", ".") and is_about_tests(old) and not any(one.startswith(f"{old}/") for one in gone_paths):
        yield GateChange(WARN, path, new.line, f"start-dir: nose2 no longer begins in {old}")


def _other_profile(before: tuple[Setting, ...], after: tuple[Setting, ...], path: str) -> Iterator[GateChange]:
    """Properties that run under another profile than before, which may try them on less."""
    old = _values(before, _PROFILE)
    for one in after:
        if one.key == _PROFILE and _plain(one.value) not in old:
            message = f"every property runs under the profile {one.value} of hypothesis, which may try it on less"
            yield GateChange(WARN, path, one.line, message)


def _values(settings: tuple[Setting, ...], *keys: str) -> set[str]:
    return {_plain(one.value) for one in settings if one.key in keys}


def _plain(value: str) -> str:
    return value.strip("\"' ").removeprefix("./").rstrip("/*")
