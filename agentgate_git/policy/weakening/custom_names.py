"""Tests whose names the defaults of pytest do not collect: they count as tests where both sides have them.

A project can tell pytest to take other names (`python_files`, `python_classes`, `python_functions`), and unittest and
others take other files. What has the same name on both sides is therefore judged by its own markers; only what leaves
a name that is collected for one that is not is lost. A test that gets a new name in such a file, or moves from one such
file to another, leaves none.
"""

from __future__ import annotations

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import EXPECTED_FAIL, SKIPPED, CollectedTest

_FILE_NAME = "a file name that"

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]
    Tests = dict[str, CollectedTest]


def as_if_collected(before: Side, after: Side) -> tuple[Side, Side]:
    """Both sides, with the tests that only their names keep from being collected as they are but for that."""
    names = {one.path: _by_name(one) for one in before}
    heads = {one.path: _by_name(one) for one in after}
    kept = [path for path in names.keys() & heads.keys() if names[path]]
    if not kept:
        return before, after
    chosen = {
        path: {name for name, test in names[path].items() if _counts(test, heads[path].get(name))} for path in kept
    }
    gone = {names[path][name].body for path in kept for name in chosen[path] - heads[path].keys()}
    held = [path for path in kept if any(_is_test(name) for name in chosen[path])]
    ran = {test.body for one in before for test in one.tests.tests if test.but_for_name is None}
    there = {
        path: {
            name
            for name, test in tests.items()
            if name in chosen.get(path, ())
            or (_is_of_file(test) and test.body not in ran and (path in held or test.body in gone))
        }
        for path, tests in heads.items()
    }
    return _with(before, chosen), _with(after, there)


def _is_of_file(test: CollectedTest) -> bool:
    """True for a test that only the name of its file keeps from being collected."""
    return _is_test(test.name) and test.marker.startswith(_FILE_NAME)


def _is_test(name: str) -> bool:
    return name.rpartition("::")[2].startswith("test")


def _by_name(file: FileFacts) -> Tests:
    return {test.name: test for test in file.tests.tests if test.but_for_name is not None}


def _counts(old: CollectedTest, new: CollectedTest | None) -> bool:
    """True for what is a test by its own name, or by what it asserts: a helper may well come to skip on a condition."""
    stands = new.but_for_name if new is not None else None
    if _is_test(old.name):
        return stands is None or not stands.marker.endswith(" in a test class")
    if stands is None or stands.state not in (SKIPPED, EXPECTED_FAIL):
        return False
    return any(not one.via for one in old.assertions)


def _with(side: Side, chosen: dict[str, set[str]]) -> Side:
    return tuple(_replaced(one, chosen[one.path]) if chosen.get(one.path) else one for one in side)


def _replaced(file: FileFacts, names: set[str]) -> FileFacts:
    tests = tuple(_taken(test) if test.name in names else test for test in file.tests.tests)
    return file._replace(tests=file.tests._replace(tests=tests))


def _taken(test: CollectedTest) -> CollectedTest:
    one = test.but_for_name
    if one is None:
        return test
    return test._replace(state=one.state, marker=one.marker, line=one.line, condition=one.condition)
