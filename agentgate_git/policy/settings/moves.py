"""Files of tests that moved to a folder in which no runner looks for any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.globs import takes

_ASIDE = frozenset(
    (
        *(
            "archive",
            "archived",
            "attic",
            "backup",
            "backups",
            "data",
            "deprecated",
            "disabled",
            "doc",
            "docs",
            "example",
        ),
        *(
            "examples",
            "graveyard",
            "legacy",
            "notes",
            "old",
            "quarantine",
            "samples",
            "skipped",
            "tmp",
            "trash",
            "unused",
        ),
        *("wip", "_old", "_disabled", "_archive", "broken", "parked", "demo", "demos", "misc"),
    )
)

_SCRIPTS = ("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx")
# How files of tests are called, where the runners of a language look for nothing but the name.
_TAKEN = {
    **dict.fromkeys(_SCRIPTS, pattern_of(r".*[._-](?:test|spec|cy|e2e)\.\w+|test(?:[-.].*)?\.\w+")),
    "go": pattern_of(r".*_test\.go"),
    "rb": pattern_of(r".*_(?:test|spec)\.rb|test_.*\.rb"),
    "exs": pattern_of(r".*_test\.exs"),
    "dart": pattern_of(r".*_test\.dart"),
    "php": pattern_of(r".*(?:Test|Cest|Spec|test)\.php"),
    "java": pattern_of(r"Test.*\.java|.*(?:Tests?|TestCase|IT|ITCase|Spec)\.java"),
}


def moved_aside(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[GateChange]:
    """Test files of the base whose tests stand at the head under such a folder, or a name that no runner takes."""
    old = {facts.path: facts for facts in before}
    new = {facts.path: facts for facts in after}
    told = tuple(one.value for facts in new.values() for one in facts.settings if one.key.startswith("include > "))
    runners = _Runners(new.values())
    settings = tuple(one for facts in new.values() if "/" not in facts.path for one in facts.settings)
    entered = tuple(one.value.strip("/") for one in settings if one.key == "pytest > testpaths" and one.value)
    passed_by = tuple(one.value.strip("/") for one in settings if one.key == "pytest > norecursedirs" and one.value)

    def is_left_out(path: str) -> bool:
        return _is_passed_by(path, passed_by) or not _is_entered(path, entered)

    fresh = {path: _names(facts) for path, facts in new.items() if path not in old}
    for path, facts in old.items():
        if path in new or is_left_out(path):
            continue
        names = _names(facts)
        for target, now in fresh.items() if names else ():
            if 2 * len(names & now) < len(names):
                continue
            severity = BLOCK if is_left_out(target) else WARN if _is_aside(target) and not _is_aside(path) else ""
            if severity and _name(path) == _name(target):
                yield GateChange(severity, target, 0, f"the tests of {path} moved to where none are looked for")
            elif _is_called_otherwise(path, target) and not takes(told, target):
                yield GateChange(BLOCK, target, 0, f"the tests of {path} have a name now that no runner looks for")
            elif _is_left_to_jest(path, target) and not takes(told, target) and (rank := runners.rank_of_jest):
                yield GateChange(rank, target, 0, f"the tests of {path} have a name now that jest alone looks for")
            elif runners.leaves_out(target) and not (runners.leaves_out(path) or takes(told, target)):
                yield GateChange(WARN, target, 0, f"the tests of {path} moved to where none are looked for")


class _Runners:
    """The runners of JavaScript that files of a project name, and what they leave out."""

    def __init__(self, files: Iterable[FileFacts]) -> None:
        settings = [(facts.path, one) for facts in files for one in facts.settings]
        known = {
            one.key.rpartition(" > ")[2].partition(" ")[0] for _, one in settings if one.key.startswith("run > test")
        }
        known |= {path.partition(".")[0] for path, _ in settings if path.startswith(("vitest.", "jest."))}
        self._globs = tuple(one.value for _, one in settings if one.key == "exclude > vitest > exclude")
        takes_all = "jest" in known
        self.rank_of_jest = "" if takes_all else BLOCK if "vitest" in known else WARN

    def leaves_out(self, path: str) -> bool:
        """True for a path of JavaScript that the runner is told to pass by."""
        return path.rpartition(".")[2] in _SCRIPTS and takes(self._globs, path)


def _is_left_to_jest(path: str, target: str) -> bool:
    """True for a test by its name that stands in `__tests__` under a name that says nothing."""
    ending = _name(target).rpartition(".")[2]
    if ending not in _SCRIPTS or "__tests__" not in target.split("/"):
        return False
    return _TAKEN[ending].fullmatch(_name(path)) is not None and _TAKEN[ending].fullmatch(_name(target)) is None


def _names(facts: FileFacts) -> set[str]:
    """The names of the tests of a file, without those of its classes, which are called as the file is."""
    return {test.name.rpartition("::")[2] for test in facts.tests.tests}


def _is_entered(path: str, folders: tuple[str, ...]) -> bool:
    """True for a path below one of the folders of tests, and where none is named."""
    return not folders or any(path == one or path.startswith(f"{one}/") or _is_glob(one) for one in folders)


def _is_glob(folder: str) -> bool:
    return folder in ("", ".") or any(sign in folder for sign in "*?[{$%")


def _is_passed_by(path: str, patterns: tuple[str, ...]) -> bool:
    """True for a path in a folder that pytest does not enter."""
    folders = path.split("/")[:-1]
    return any(fnmatchcase(folder, pattern) for folder in folders for pattern in patterns)


def _is_called_otherwise(path: str, target: str) -> bool:
    """True where the name of a file said that it holds tests, and that of what it became does not."""
    ending = _name(path).rpartition(".")[2]
    if (ending, _name(target).rpartition(".")[2]) == ("exs", "ex"):
        return _TAKEN[ending].fullmatch(_name(path)) is not None
    if ending != _name(target).rpartition(".")[2] or ending not in _TAKEN:
        return False
    if ending in _SCRIPTS and _name(target).startswith("_") and not _name(path).startswith("_"):
        return "__tests__" not in target.split("/") and not _TAKEN[ending].fullmatch(_name(target))
    if ending in ("js", "mjs", "cjs") and "test" in target.split("/"):
        return False  # whatever stands there is run by mocha, AVA and node
    was, is_now = (_TAKEN[ending].fullmatch(_name(one)) is not None for one in (path, target))
    return was and not is_now and "__tests__" not in target.split("/")


def _is_aside(path: str) -> bool:
    return not _ASIDE.isdisjoint(path.lower().split("/")[:-1])


def _name(path: str) -> str:
    return path.rpartition("/")[2]
