"""The runs of a head that choose tests of Python, and what its conftests leave out: read once a test is chosen anew."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from agentgate_git.flows.change_sets.head_files import MAX_TEXT, HeadFiles, HeadTree
from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.model.config_paths import config_format
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import CI, DATA, DOCS
from agentgate_git.policy.weakening.chosen import Choice, choices_changed, without_unchosen
from agentgate_git.policy.weakening.chosen_runs import ProjectRuns, options_asked
from agentgate_git.source.roles import role_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]

MAX_CONFTESTS = 20
# What decides which tests a run takes speaks of it.
_SPEAKS = pattern_of(rb"test|pytest|tox|nox")
# A pipeline that stands in another repository runs what nobody can see here.
_ELSEWHERE = pattern_of(
    rb"uses:\s*['\"]?(?!\.)[\w.-]+/[\w.-]+/\.github/workflows/|^\s*-?\s*(?:project|remote|component|template):",
    re.MULTILINE,
)


def without_unrun(before: Side, after: Side, head: HeadFiles | HeadTree) -> Side:
    """The head, with the tests stopped that no run of the project chooses any more; the same tuple where all are."""
    changed = choices_changed(before, after)
    runs = _runs(head, changed) if changed else None
    return without_unchosen(before, after, runs) if runs is not None else after


def _runs(head: HeadFiles | HeadTree, changed: Iterable[tuple[Choice, Choice]]) -> ProjectRuns | None:
    """The runs of a head; None where a pipeline stands in another repository."""
    conftests = _conftests(head, changed)
    left = set(options_asked(conftests))
    wanted = frozenset(left)
    files: list[FileFacts] = []
    for path, text in head.texts():
        if len(text) > MAX_TEXT or role_of(path) in (DOCS, DATA) or path.endswith("conftest.py"):
            continue
        left = {one for one in left if one.encode() not in text}
        if role_of(path) == CI and _ELSEWHERE.search(text):
            return None
        if config_format(path) and _SPEAKS.search(text):
            files.append(read_facts(path, text))
    return ProjectRuns(files, conftests, wanted - left)


def _conftests(head: HeadFiles | HeadTree, changed: Iterable[tuple[Choice, Choice]]) -> tuple[FileFacts, ...]:
    """The conftests above tests that are chosen anew."""
    folders: dict[str, None] = {}
    for pair in changed:
        for one in pair:
            folder = posixpath.dirname(one.path)
            while folder and folder not in folders:
                folders[folder] = None
                folder = posixpath.dirname(folder)
    paths = [posixpath.join(folder, "conftest.py") for folder in ("", *sorted(folders, key=len))][:MAX_CONFTESTS]
    read = ((path, head.find(path)) for path in paths)
    return tuple(read_facts(path, data) for path, data in read if data is not None)
