"""The rows of a matrix: every combination of its axes, with those that are left out and those that come beside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, product

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode

MAX_ROWS = 256
TYPE_CHECKING = False
if TYPE_CHECKING:
    Row = tuple[tuple[str, str], ...]


def rows_of(matrix: ConfigNode) -> tuple[Row, ...]:
    """Each row as its axes with their values; empty for no matrix, and for one that only a run can tell."""
    axes = _axes(matrix)
    if not _is_told(matrix, axes):
        return ()
    lists = [[(name, _shown(one)) for one in node.items] for name, node in axes]
    rows = [dict(row) for row in islice(product(*lists), MAX_ROWS + 1)] if axes else []
    left_out = [_values(one) for one in matrix.get("exclude").items]
    rows = [row for row in rows if not any(_agrees(one, row) for one in left_out)]
    if len(rows) > MAX_ROWS:
        return ()
    names, beside = {name for name, _ in axes}, []
    for more in (_values(one) for one in matrix.get("include").items):
        fitting = [row for row in rows if _agrees({name: more[name] for name in names & set(more)}, row)]
        if not fitting or not axes:
            beside.append(more)
        for row in fitting:
            row.update({name: value for name, value in more.items() if name not in names})
    return tuple(tuple(sorted(row.items())) for row in (*rows, *beside))


def values_of(matrix: ConfigNode) -> dict[str, set[str]]:
    """The values that the rows have, by their axes; the rows are made only where some are left out."""
    found: dict[str, set[str]] = {}
    if _is_told(matrix, _axes(matrix)):
        is_cut = bool(matrix.get("exclude").items)
        for name, value in chain.from_iterable(rows_of(matrix)) if is_cut else _written(matrix):
            found.setdefault(name, set()).add(value)
    return found


def cost_of(matrix: ConfigNode, rows: tuple[Row, ...]) -> int:
    """What making the rows took: each is held against all that is left out and all that comes beside."""
    return len(rows) * (10 + len(matrix.get("exclude").items) + len(matrix.get("include").items))


def _axes(matrix: ConfigNode) -> list[tuple[str, ConfigNode]]:
    return [(name, node) for name, node in matrix.entries if name not in ("include", "exclude")]


def _is_told(matrix: ConfigNode, axes: list[tuple[str, ConfigNode]]) -> bool:
    """False for no matrix, for one of too many rows to read, and for one that only a run can tell."""
    if matrix.kind != TABLE or max(len(matrix.get(one).items) for one in ("include", "exclude")) > MAX_ROWS:
        return False
    return all(node.kind == LIST and node.items for _, node in axes) and not matrix.get("include").text


def _written(matrix: ConfigNode) -> Iterator[tuple[str, str]]:
    """Each axis with each of its values, and what comes beside."""
    yield from ((name, _shown(one)) for name, node in _axes(matrix) for one in node.items)
    for item in matrix.get("include").items:
        yield from _values(item).items()


def _values(item: ConfigNode) -> dict[str, str]:
    return {name: _shown(node) for name, node in item.entries}


def _shown(node: ConfigNode) -> str:
    return node.text if node.kind == SCALAR else " ".join(f"{name}={one.text}" for name, one in node.entries)


def _agrees(part: dict[str, str], row: dict[str, str]) -> bool:
    return all(row.get(name) == value for name, value in part.items())
