"""Rows of a matrix that ran at the base, and whose failure counts no more, or that stand in a comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import WARN
from agentgate_git.policy.settings.change import GateChange

_SHOWN = 3
_VALUE = "matrix > value"
_COMMENTED = "matrix > commented"
# A new axis that only says of a row what becomes of its failure, as in `experimental: true`.
_CALLED = ("=true", "=false")
TYPE_CHECKING = False
if TYPE_CHECKING:
    _Files = Mapping[str, tuple[Setting, ...]]


def rows_allowed(base: _Files, head: _Files) -> Iterator[GateChange]:
    """One warning for each job. A row that comes with leave to fail is what its author had no need to add."""
    for path, settings in head.items():
        old = base.get(path, ())
        values = {one.value for one in old if one.key.startswith(_VALUE)}
        axes = {one.partition("=")[0] for one in values}
        before = [frozenset(one.value.split("\n")) for one in _allowed(old)]
        jobs: dict[str, list[tuple[str, int]]] = {}
        for one in _allowed(settings):
            row = frozenset(one.value.split("\n"))
            known = {value for value in row if value.partition("=")[0] in axes or not value.endswith(_CALLED)}
            if known and known <= values and not any(few <= row for few in before):
                jobs.setdefault(one.key, []).append((", ".join(sorted(known)), one.line))
        for name, rows in jobs.items():
            shown = dict.fromkeys(text for text, _ in rows)
            more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
            job = name.removeprefix("matrix > allowed").removeprefix(" > ")
            where = f"{f'of {job} ' if job else ''}with {'; with '.join([*shown][:_SHOWN])}{more}"
            yield GateChange(WARN, path, rows[0][1], f"a failure {where} no longer counts")


def rows_commented(base: _Files, head: _Files) -> Iterator[GateChange]:
    """One warning for each file: a row that is gone goes with what it was for, one in a comment is to come back."""
    for path, settings in head.items():
        old = base.get(path, ())
        left = {one.value for one in settings if one.key.startswith(_VALUE)}
        gone = {one.value for one in old if one.key.startswith(_VALUE)} - left
        known = {one.value for one in old if one.key == _COMMENTED}
        fresh = {one.value: one.line for one in settings if one.key == _COMMENTED and one.value not in known}
        found = {one: fresh[text] for one in sorted(gone) for text in _written(one) if text in fresh}
        if found:
            shown = ", ".join([*found][:_SHOWN])
            yield GateChange(WARN, path, min(found.values()), f"{shown} stands in a comment and runs no more")


def _written(value: str) -> tuple[str, ...]:
    """How an item of a matrix may be written: `3.9`, or `python: 3.9`."""
    axis, _, text = value.partition("=")
    return text, f"{axis}: {text}", f"{axis}: '{text}'", f'{axis}: "{text}"'


def _allowed(settings: Iterable[Setting]) -> Iterator[Setting]:
    return (one for one in settings if one.key.startswith("matrix > allowed"))
