"""E_HARNESS_TAMPERED: a new module of the tests that is imported in place of the project's own, by a path put first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.role import HARNESS, TEST
from agentgate_git.policy.weakening.trait_changes import Changes

_PATH = "path.first"
_SETTING = "pytest > first path"
_TOPS = ("", "src/", "lib/")


def twins_wanted(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """Paths that tell whether the project has a module of its own by the name of a new one of its tests."""
    return tuple(path for _, path in _pairs(tuple(before), tuple(after)))


def twin_findings(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    """Findings for a whole change set, to whose files the modules of the project were added that have such names."""
    there = {one.path for one in before if one.role not in (TEST, HARNESS)}
    told = set()
    for file, path in _pairs(before, after):
        if path in there and file.path not in told:
            told.add(file.path)
            message = f"it is imported in place of {path}, by a path that is put first"
            yield Finding(
                code.HARNESS_TAMPERED, BLOCK, file.path, message, code.next_step(code.HARNESS_TAMPERED), line=1
            )


def _pairs(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterator[tuple[FileFacts, str]]:
    """Each new module of the tests, with where one of its name may stand, where a path newly goes before all others.

    That is done by code, or by the `pythonpath` of pytest, which holds for what lies in that folder.
    """
    known = {one.path for one in before}
    fresh = [one for one in after if one.path not in known and one.role == TEST and one.path.endswith(".py")]
    if not fresh:
        return
    is_put_first = any(Changes(before, after).new(lambda kind: kind == _PATH))
    known_first, first = _first_paths(before), _first_paths(after)
    tops = dict.fromkeys((*_TOPS, *(f"{one}/" for one in sorted(known_first) if one)))
    for file in fresh:
        if not (is_put_first or any(_lies_in(file.path, one) for one in first - known_first)):
            continue
        folder, _, name = file.path.rpartition("/")
        module = folder.rpartition("/")[2] if name == "__init__.py" else name.removesuffix(".py")
        if module.startswith("test") or module.endswith("_test") or not folder:
            continue
        for top in tops:
            yield from ((file, f"{top}{module}{ending}") for ending in (".py", "/__init__.py"))


def _first_paths(files: tuple[FileFacts, ...]) -> frozenset[str]:
    """The folders that pytest puts before all others from which modules are imported."""
    return frozenset(
        one.value.removeprefix("./").strip("/") for file in files for one in file.settings if one.key == _SETTING
    )


def _lies_in(path: str, folder: str) -> bool:
    """True for a module, or the file that begins a package, at the top of a folder."""
    place = path.removesuffix("/__init__.py").rpartition("/")[0]
    return bool(folder) and (place == folder or place.endswith(f"/{folder}"))
