"""E_HARNESS_TAMPERED: a new module of the tests that is imported in place of the project's own, by a path put first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.role import HARNESS, TEST
from agentgate_git.policy.weakening.trait_changes import Changes

_PATH = "path.first"
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
    """Each new module of the tests, with where one of its name may stand, where a path newly goes before all others."""
    known = {one.path for one in before}
    fresh = [one for one in after if one.path not in known and one.role == TEST and one.path.endswith(".py")]
    if not fresh or not any(Changes(before, after).new(lambda kind: kind == _PATH)):
        return
    for file in fresh:
        folder, _, name = file.path.rpartition("/")
        module = folder.rpartition("/")[2] if name == "__init__.py" else name.removesuffix(".py")
        if module.startswith("test") or module.endswith("_test") or not folder:
            continue
        for top in _TOPS:
            yield from ((file, f"{top}{module}{ending}") for ending in (".py", "/__init__.py"))
