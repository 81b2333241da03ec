"""Which files a base-test replay runs: the head's production under the base's tests, configuration and harness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from agentgate_git.model.change import TreeEntry


def overlay(
    base: Iterable[TreeEntry], head: Iterable[TreeEntry], is_from_base: Callable[[str], bool]
) -> tuple[TreeEntry, ...]:
    """The entries of the tree to run, sorted by path.

    Paths for which `is_from_base` holds are as the base has them, and absent where it has none; all others are as
    the head has them. Where a folder of one side would be a file of the other, the base's side stays.
    """
    chosen = {entry.path: entry for entry in base if is_from_base(entry.path)}
    files, folders = frozenset(chosen), frozenset(above for path in chosen for above in _above(path))
    for entry in head:
        if is_from_base(entry.path) or entry.path in folders or not files.isdisjoint(_above(entry.path)):
            continue
        chosen[entry.path] = entry
    return tuple(entry for _, entry in sorted(chosen.items()))


def _above(path: str) -> Iterator[str]:
    """The folders that a path lies in."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
