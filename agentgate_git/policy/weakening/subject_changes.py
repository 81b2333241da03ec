"""What a change set does to the code under test, as far as it explains that a test asks something else of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentgate_git.model.facts import ALTERS, FileFacts
from agentgate_git.model.inventory import Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.weakening.test_matching import Place

PYTHON = "python"
# What a build is made of, which defines nothing that a test looks at.
_BUILDS = pattern_of(
    r"(?:^|/)(?:Package\.swift|build\.sbt|mix\.exs|[\w.-]+\.gradle\.kts|Rakefile|Gemfile|[\w-]+\.gemspec)$"
)
_NAME = pattern_of(r"[^\W\d]\w*")


class SubjectChanges(Record):
    """`has_any` is True when production files changed; `has_unread` when one did whose definitions are not read.

    One of another language than Python is read by its words, which tell what it defines and how that is called; where
    they only were laid out, commented or imported in another way, it did not change.
    `moved` are names that production files defined and that are gone or defined with other parameters or bases now.
    `apart` are the paths of test files that reach none of the production that changed.
    """

    has_any: bool
    has_unread: bool
    moved: frozenset[str]
    apart: frozenset[str] = frozenset()

    def has_reason(self, path: str) -> bool:
        """True when production changed on which the tests of a file may rest."""
        return self.has_any and path not in self.apart

    def explain(self, place: Place, assertion: Assertion) -> bool:
        """True when what a test looks at is gone or is called in another way; a new body of it explains nothing."""
        if self.has_unread and not place.path.endswith((".py", ".pyi")):
            return True
        if not self.moved:
            return False
        named = _NAME.findall(f"{assertion.subject} {assertion.expected}")
        return not self.moved.isdisjoint((*place.test.calls, *named))


def subject_changes(before: Sequence[FileFacts], after: Sequence[FileFacts]) -> SubjectChanges:
    """What happened to the production files of a change set, whose facts of both sides are given."""
    old = [one for one in before if one.role == PRODUCTION]
    new = [one for one in after if one.role == PRODUCTION]
    kept = _interfaces(new)
    moved = frozenset(name for name, ways in _interfaces(old).items() if not ways <= kept.get(name, set()))
    others = changed_products(old, new)
    has_unread = any(not one.interfaces and not _BUILDS.search(one.path) for one in others)
    apart = frozenset(one.path for one in after if one.is_apart)
    return SubjectChanges(bool(others) or not _only_adds(old, new), has_unread, moved, apart)


def files_changed(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> frozenset[str]:
    """The paths of production files that are not the same but for comments, docstrings and imports.

    None at all where one of them is not read definition by definition: a test may reach it without an import.
    """
    sides = [{one.path: one for one in side if one.role == PRODUCTION} for side in (before, after)]
    paths = sides[0].keys() | sides[1].keys()
    files = [one for side in sides for one in side.values()]
    if any(one.language != PYTHON or one.problem or one.path.rpartition("/")[2] == "setup.py" for one in files):
        return frozenset()
    old, new = ({path: frozenset(one.parts) for path, one in side.items()} for side in sides)
    return frozenset(path for path in paths if old.get(path, frozenset()) != new.get(path, frozenset()))


def changed_products(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[FileFacts, ...]:
    """Production of other languages than Python, of both sides, of which more than tests and comments changed."""
    sides = [{one.path: one for one in side if one.role == PRODUCTION} for side in (before, after)]
    return tuple(
        one
        for side, other in (sides, sides[::-1])
        for path, one in side.items()
        if one.language not in ("", PYTHON) and not (one.parts and path in other and other[path].parts == one.parts)
    )


def _only_adds(old: list[FileFacts], new: list[FileFacts]) -> bool:
    """True when all that stood in production still does, and what came to it alters nothing by being there.

    A new definition of a name that is there already may take the place of the other, or be called instead of it.
    """
    before = {part for one in old for part in one.parts}
    added = {part for one in new for part in one.parts} - before
    names = {name.removeprefix(ALTERS) for name, _ in before if name}
    gone = before - {part for one in new for part in one.parts}
    return not gone and not any(name.startswith(ALTERS) or name in names for name, _ in added)


def _interfaces(files: Iterable[FileFacts]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in files:
        for name, digest in one.interfaces:
            found.setdefault(name, set()).add(digest)
    return found
