"""Rows of a matrix that counted at the base and may fail at the head, while the other rows still count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import WARN
from agentgate_git.policy.settings.change import GateChange

_SHOWN = 3
# Systems whose pipelines do other things than tests as well, and that have no script of their own for these.
_FORGES = (".github/", ".gitea/", ".forgejo/")
TYPE_CHECKING = False
if TYPE_CHECKING:
    Values = frozenset[str]


def failing_rows(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """One warning for each pipeline. A row is known again by its values, or by one that no row that counts has now."""
    for path, before in base.items():
        after = head.get(path, ())
        old, new = _rows(before, "counted"), _rows(after, "counted")
        had = {values for values, _ in old}
        still = {value for values, _ in new for value in values}
        lost = {value for values in had for value in values} - still
        allowed = _rows(after, "allowed")
        known = {values for values, _ in _rows(before, "allowed")}
        found = [
            (values, one)
            for values, one in allowed
            if values not in known and (values in had or any(value in lost for value in values))
        ]
        if found and (not path.startswith(_FORGES) or any(one.key.startswith("run > test > ") for one in after)):
            shown = "; ".join(dict.fromkeys(one.value for _, one in found[:_SHOWN]))
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            message = f"a failure no longer counts in {shown}{more}, which counted before"
            yield GateChange(WARN, path, found[0][1].line, message)


def _rows(settings: tuple[Setting, ...], kind: str) -> list[tuple[Values, Setting]]:
    prefix = f"matrix > {kind}"
    return [(frozenset(one.value.split(", ")), one) for one in settings if one.key.startswith(prefix)]
