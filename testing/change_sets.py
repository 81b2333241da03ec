"""Change sets as two mappings of paths to text, read as a check reads them."""

from __future__ import annotations

from agentgate_git.model.facts import FileFacts
from agentgate_git.source.facts import is_read, read_facts

Files = dict[str, str]


def facts_of(base: Files, head: Files) -> tuple[tuple[FileFacts, ...], tuple[FileFacts, ...]]:
    """The facts of the files that differ, at the base and at the head."""
    changed = [path for path in sorted(base.keys() | head.keys()) if base.get(path) != head.get(path) and is_read(path)]
    sides = (tuple(read_facts(path, side[path].encode()) for path in changed if path in side) for side in (base, head))
    before, after = sides
    return before, after
