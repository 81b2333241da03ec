"""Scripts that pipelines start and whose names do not say what they run: they are read for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from agentgate_git.model.facts import FileFacts, Setting
from agentgate_git.source.commands.runner_names import LINT, TEST
from agentgate_git.source.settings.runs import JOIN, RUN, STARTED, Around, key, runs

MAX_SCRIPTS = 40
MAX_BYTES = 64 << 10
MAX_COMMANDS = 2_000
_HOPS = 3
_BEGINS = STARTED + JOIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    Find = Callable[[str], bytes | None]
    Side = tuple[FileFacts, ...]


def starts_other(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> bool:
    """True for a change of how such a script is started, or whether it is."""
    return _started(before) != _started(after)


def with_started(before: Side, after: Side, find: Find) -> tuple[Side, Side]:
    """Both sides, with the start of such a script as the run that it is; `find` gives the bytes of a file of the head.

    The same tuples where the change starts all of them as before.
    """
    old, new = _started(before), _started(after)
    if old == new:
        return before, after
    paths = {key.rpartition(JOIN)[2] for _, key, _ in old | new}
    kinds = {path: kind for path in islice(sorted(paths), MAX_SCRIPTS) if (kind := _kind(path, find, _HOPS))}
    return tuple(_told(one, kinds) for one in before), tuple(_told(one, kinds) for one in after)


def _started(files: Iterable[FileFacts]) -> frozenset[tuple[str, str, str]]:
    return frozenset((one.path, each.key, each.value) for one in files for each in one.settings if _is_start(each))


def _is_start(one: Setting) -> bool:
    return one.key.startswith(_BEGINS)


def _told(file: FileFacts, kinds: dict[str, str]) -> FileFacts:
    if not any(map(_is_start, file.settings)):
        return file
    return file._replace(settings=tuple(_as_run(one, kinds) for one in file.settings))


def _as_run(one: Setting, kinds: dict[str, str]) -> Setting:
    _, _, path = one.key.rpartition(JOIN)
    kind = kinds.get(path, "") if _is_start(one) else ""
    place = one.key.removeprefix(_BEGINS).rpartition(JOIN)[0]
    return one._replace(key=key(RUN, kind, place, path)) if kind else one


def _kind(path: str, find: Find, hops: int) -> str:
    """What a script runs, or the scripts that it starts: tests, checks, or nothing of either."""
    data = find(path)
    if data is None or len(data) > MAX_BYTES or not _is_shell(path, data):
        return ""
    found = tuple(islice(runs(data.decode("utf-8", "replace"), Around()), MAX_COMMANDS))
    kinds = {one.key.split(JOIN)[1] for one in found if one.key.startswith(RUN + JOIN)}
    if TEST not in kinds and hops:
        others = islice(dict.fromkeys(one.key.rpartition(JOIN)[2] for one in found if _is_start(one)), _HOPS)
        kinds.update(_kind(other, find, hops - 1) for other in others if other != path)
    return next((kind for kind in (TEST, LINT) if kind in kinds), "")


def _is_shell(path: str, data: bytes) -> bool:
    """True for a script of shell, by its ending or its first line."""
    first = data[:200].partition(b"\n")[0]
    return path.endswith((".sh", ".bash")) or (first.startswith(b"#!") and b"sh" in first and b"fish" not in first)
