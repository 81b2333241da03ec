"""What a hook or a list of a conftest keeps from running: files of another system, or what runs everywhere."""

from __future__ import annotations

from agentgate_git.model.inventory import CollectedTest
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.taken import paths_of

_GLOBS = "collect_ignore_glob "
_MAY_TEST = "it may hold tests"
_FOLDERS = frozenset(("test", "tests", "testing"))
# A condition that holds everywhere but on one system, by the names that this system goes by in paths.
_ELSEWHERE = pattern_of(
    r"(?:sys\.platform|os\.name|platform\.system\(\)) != '(\w+)'|not sys\.platform\.startswith\('(\w+)'\)"
)
_CALLED = {
    "win": ("win", "nt_", "_nt", "registry", "msvc"),
    "nt": ("win", "nt_", "_nt", "registry", "msvc"),
    "darwin": ("darwin", "mac", "osx"),
    "linux": ("linux", "epoll", "inotify"),
    "posix": ("posix", "unix"),
    "java": ("java", "jython"),
}
# A condition that asks for Linux, which is where gates and pipelines run.
_ON_LINUX = pattern_of(
    r"sys\.platform == 'linux'|sys\.platform in [(\[{][^)\]}]*'linux|sys\.platform\.startswith\('linux'\)"
    r"|platform\.system\(\) == 'Linux'|platform\.system\(\) in [(\[{][^)\]}]*'Linux'|os\.name == 'posix'"
)
_NOT_LINUX = pattern_of(r"\bnot \(?(?:sys\.|platform\.|os\.)|\bor\b")
# What asks for another system than Linux, or for Pythons up to one: a gate runs elsewhere, as far as anyone can tell.
_SOMEWHERE = pattern_of(
    r"\(?(?:sys\.platform|os\.name|platform\.system\(\)) == '(?!linux|Linux|posix)\w+'\)?"
    r"|sys\.platform\.startswith\('(?!linux)\w+'\)"
    r"|sys\.version_info(?:\[:2\])? (?:<|<=|==) \(\d+(?:, \d+)*,?\)"
)
# A hook that asks for nothing but a part of a path.
_BY_PART = pattern_of(
    r"'([^']+)' in (?:str\()?(?:os\.path\.basename\()?\w*(?:path|file|name|entry)\w*"
    r"(?:\.(?:name|stem|parts|basename|strpath|as_posix\(\)))*\)*"
    r"|\w*path\w*\.(?:name|stem|basename)(?: == |\.(?:startswith|endswith)\()'([^']+)'\)?"
)
_IMPORTED = pattern_of(r"(?:cannot import|after (?:import|from)) ([A-Za-z_][\w.]*)")
_OR_NOTHING = pattern_of(r"^True if | (?:or|else) (?:None|False)$")
_NO_TESTS = frozenset(
    (
        *(
            "build",
            "dist",
            "doc",
            "docs",
            "venv",
            "env",
            "node_modules",
            "vendor",
            "vendored",
            "third_party",
            "external",
        ),
        *("example", "examples", "samples", "templates", "template", "migrations", "generated", "site-packages"),
        *("data", "testdata", "fixtures", "resources", "assets", "static", "snapshots", "benchmarks", "cache", "tmp"),
        *("conf.py", "setup.py", "conftest.py", "__init__.py", "__main__.py", "scripts", "tools", "notebooks"),
    )
)


def is_of_other_system(test: CollectedTest) -> bool:
    """True for a path that is ignored everywhere but on the one system that it is named after."""
    entry = test.name.partition(" ")[2].lower()
    names = (one[1] or one[2] for one in _ELSEWHERE.finditer(test.condition)) if entry else ()
    calls = (
        call for name in names for mark, calls in _CALLED.items() if name.lower().startswith(mark) for call in calls
    )
    return any(call in entry for call in calls)


def is_of_few_runs(condition: str) -> bool:
    """True for a condition of which a part, without the others, holds on one system or on old Pythons alone."""
    return any(_SOMEWHERE.fullmatch(part) for part in condition.split("; "))


def needs_own_module(condition: str, path: str, paths: frozenset[str]) -> bool:
    """True for a skip where a module of the project itself, whose file is among `paths`, cannot be imported."""
    for module in _IMPORTED.findall(condition):
        places = [f"{top}{one}" for one in paths_of(path, f"{module}.*") for top in ("", "src/", "lib/")]
        if any(one in paths and "test" not in one.rpartition("/")[2] for one in places):
            return True
    return False


def takes_out(test: CollectedTest, path: str) -> bool:
    """True for a set-up fact that stops tests wherever a gate runs, whatever its condition asks besides."""
    if test.name.startswith(_GLOBS):
        is_of_tests = not _FOLDERS.isdisjoint(path.split("/")[:-1])
        return test.condition == _MAY_TEST and test.name.endswith(".py") and is_of_tests
    if test.marker == "pytest_ignore_collect()":
        found = [_BY_PART.fullmatch(_OR_NOTHING.sub("", one)) for one in test.condition.split("; ")]
        parts = [one[1] or one[2] for one in found if one is not None]
        return len(parts) == len(found) > 0 and not any(_is_no_test(part) for part in parts)
    if not _ON_LINUX.search(test.condition) or _NOT_LINUX.search(test.condition):
        return False
    return test.name.startswith("pytest_") or "get_closest_marker" in test.condition


def is_beside_tests(test: CollectedTest) -> bool:
    """True for a hook that ignores nothing but folders and files in which no tests are."""
    if test.marker != "pytest_ignore_collect()":
        return False
    found = [_BY_PART.fullmatch(_OR_NOTHING.sub("", one)) for one in test.condition.split("; ")]
    parts = [one[1] or one[2] for one in found if one is not None]
    return len(parts) == len(found) > 0 and all(_is_no_test(part) for part in parts)


def _is_no_test(part: str) -> bool:
    name = part.strip("/.").lower()
    if name.strip("_") in _NO_TESTS:
        return True
    return name in _NO_TESTS or not any(sign.isalpha() for sign in name) or name.startswith(("py2", "py3", "pypy"))
