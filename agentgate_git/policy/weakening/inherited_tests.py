"""E_SKIP_MARKER: tests that a class had from another file and has no more: a base is gone, or their name is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding, some_of
from agentgate_git.model.pattern import pattern_of

# In the name of a class, or of the module it stands in, that holds tests for others to inherit.
_HOLDS_TESTS = pattern_of(
    r"Contract|Suite|Spec|Compliance|Conformance|Behaviou?r|Scenarios|Tests?(?!Case\b)|Cases|tests?_"
)
_PLAIN = pattern_of(r"(?:^|\.)(?:object|ABC|Generic|Protocol|\w*TestCase)$")
_OF_RUNNERS = ("unittest.", "django.", "twisted.", "testtools.", "rest_framework.", "hypothesis.", "numpy.", "pytest.")
_SHOWN = 5
_ASK = "put it back, or ask a human to adopt the change"


def inherited_findings(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    """Findings for a whole change set: facts of the changed files at the base and at the head."""
    known = {one.path: one for one in before}
    gone = frozenset(name for one in before for name in one.defines) - frozenset(
        name for one in after for name in one.defines
    )
    fresh = frozenset(test.name for one in after for test in one.tests.tests) - frozenset(
        test.name for one in before for test in one.tests.tests
    )
    for file in after:
        old = known.get(file.path)
        if old is not None:
            yield from _cleared(old, file)
            yield from _left(old, file, gone, has_fresh=bool(fresh))


def _cleared(old: FileFacts, new: FileFacts) -> Iterator[Finding]:
    """`test_x = None` in a class that was there, over a test that it inherits."""
    classes, known = frozenset(old.defines), frozenset(name for name, _ in old.tests.cleared)
    hidden: dict[str, list[tuple[str, int]]] = {}
    for name, line in new.tests.cleared:
        owner, _, test = name.rpartition("::")
        if name not in known and owner.rpartition("::")[2] in classes:
            hidden.setdefault(owner, []).append((test, line))
    for owner, found in hidden.items():
        names = [test for test, _ in found]
        message = f"{owner} hides tests that it inherits: {some_of(names, _SHOWN)}"
        tests = tuple(f"{new.path}::{owner}::{test}" for test in names)
        yield _finding(BLOCK, new.path, message, found[0][1], tests)


def _left(old: FileFacts, new: FileFacts, gone: frozenset[str], *, has_fresh: bool) -> Iterator[Finding]:
    """A class that lost a base which holds tests, and got none in its place."""
    had, has = _bases(old), _bases(new)
    for owner, bases in had.items():
        if owner not in has:
            continue  # the class is gone, and its tests with it
        for base in sorted(bases - has[owner]):
            last = base.rpartition(".")[2]
            gained = [one for one in has[owner] - bases if not _PLAIN.search(one)]
            is_kept = not gained and last not in gone
            if is_kept and not base.startswith(_OF_RUNNERS) and _HOLDS_TESTS.search(base):
                message = f"{owner} no longer inherits the tests of {last}"
                yield _finding(WARN if has_fresh else BLOCK, new.path, message, 0, (f"{new.path}::{owner}",))


def _bases(file: FileFacts) -> dict[str, frozenset[str]]:
    """The classes of a file with those of other files that they inherit from."""
    found: dict[str, set[str]] = {}
    for owner, base in file.tests.bases:
        found.setdefault(owner, set()).update((base,) if base else ())
    return {owner: frozenset(bases) for owner, bases in found.items()}


def _finding(severity: str, path: str, message: str, line: int, tests: tuple[str, ...]) -> Finding:
    step = code.next_step(code.SKIP_MARKER) if severity == BLOCK else _ASK
    return Finding(code.SKIP_MARKER, severity, path, message, step, line=line, tests=tests)
