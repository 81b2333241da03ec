"""Configuration that a new file takes the place of: each tool reads the first of its files, and none of the others.

So what stood in the file that was read before counts as what the new file is compared with.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.facts import FileFacts, Setting
from agentgate_git.model.inventory import Inventory
from agentgate_git.model.pattern import pattern_of

# The files of a tool in the order in which it looks for them, by the prefix of its settings.
_ORDER = {
    "pytest > ": ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"),
    "coverage > ": (".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml"),
    "lint > ruff > ": (".ruff.toml", "ruff.toml", "pyproject.toml"),
    "mypy > ": ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"),
}
# Files that are read for their name, whatever is in them.
_OWN = frozenset(
    (
        *("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", ".coveragerc", ".coveragerc.toml"),
        *(".ruff.toml", "ruff.toml", "mypy.ini", ".mypy.ini"),
    )
)
# Where a project says in which folders its tests are.
_OF_TESTS = _ORDER["pytest > "]
# The same of JavaScript, where one of a few is there.
_OF_SCRIPTS = (
    "package.json",
    *(f"{tool}.config.{ending}" for tool in ("vitest", "vite", "jest") for ending in ("ts", "mts", "js", "mjs", "cjs")),
)
JAVASCRIPT = "javascript"

_HIDING = ("exclude", "per-file-ignores", "ignore_errors")
_PACKAGE = pattern_of(r"(?:\./)?(?:src/|lib/)?([A-Za-z_]\w*)(?:/|/\*{1,2}|/\*\*/\*|\.\*)?(?:: ALL)?")

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]


def configs_wanted(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """Paths of files, changed or not, that say what new files of a change take the place of.

    Those are what a new configuration hides, and for tests that moved what says where tests are.
    """
    old, new = {one.path: one for one in before}, {one.path: one for one in after}
    wanted: dict[str, None] = {}
    for path, file in new.items():
        folder, name = _parted(path)
        if path in old:
            continue
        for prefix, order in _ORDER.items():
            if name in order and _reads(file, prefix):
                wanted.update((f"{folder}{other}", None) for other in order[order.index(name) + 1 :])
    if _moved_tests(old, new):
        wanted.update((name, None) for name in _OF_TESTS)
    if _moved_scripts(old, new):
        wanted.update((name, None) for name in _OF_SCRIPTS)
    return tuple(wanted)


def packages_wanted(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """Paths that tell whether a folder which a checker no longer sees is a package of the project's own."""
    stood = {(one.key, one.value) for file in before for one in file.settings}
    fresh = (one for file in after for one in file.settings if (one.key, one.value) not in stood)
    names = (package_of(one.value) for one in fresh if one.key.endswith(_HIDING))
    return tuple(dict.fromkeys(f"{top}{name}/__init__.py" for name in names if name for top in ("", "src/", "lib/")))


def package_of(value: str) -> str:
    """The package that a path or a pattern of modules names as a whole, empty for any other."""
    found = _PACKAGE.fullmatch(value.strip("\"'"))
    return found[1] if found else ""


def _moved_tests(old: dict[str, FileFacts], new: dict[str, FileFacts]) -> bool:
    """True where a file of tests is gone and one of its name has come."""
    gone = {path.rpartition("/")[2] for path, file in old.items() if path not in new and file.tests.tests}
    return any(path not in old and path.rpartition("/")[2] in gone for path in new)


def _moved_scripts(old: dict[str, FileFacts], new: dict[str, FileFacts]) -> bool:
    """True where a file of tests of JavaScript is gone and a file of it has come."""
    is_gone = any(one.language == JAVASCRIPT and path not in new and one.tests.tests for path, one in old.items())
    return is_gone and any(one.language == JAVASCRIPT and path not in old for path, one in new.items())


def with_shadowed(before: Side, after: Side) -> tuple[Side, Side]:
    """Both sides, as if what a new file hides had stood in it, and stood no longer where it did."""
    old, new = {one.path: one for one in before}, {one.path: one for one in after}
    for path, file in tuple(new.items()):
        if path in old and old[path].settings:
            continue
        folder, name = _parted(path)
        for prefix, order in _ORDER.items():
            if name not in order or not _reads(file, prefix):
                continue
            hidden = next(
                (
                    other
                    for other in (f"{folder}{one}" for one in order[order.index(name) + 1 :])
                    if other in old and _of(old[other], prefix)
                ),
                "",
            )
            if hidden and path not in old:
                moved = _of(old[hidden], prefix)
                old[path] = FileFacts(path, file.role, file.language, Inventory(path, ()), settings=moved)
                if hidden in new:
                    new[hidden] = _without(new[hidden], prefix)
                old[hidden] = _without(old[hidden], prefix)
    return tuple(old.values()), tuple(new.values())


def _reads(file: FileFacts, prefix: str) -> bool:
    """True where the tool takes the file for its configuration."""
    return file.path.rpartition("/")[2] in _OWN or bool(_of(file, prefix))


def _of(file: FileFacts, prefix: str) -> tuple[Setting, ...]:
    return tuple(one for one in file.settings if one.key.startswith(prefix))


def _without(file: FileFacts, prefix: str) -> FileFacts:
    return file._replace(settings=tuple(one for one in file.settings if not one.key.startswith(prefix)))


def _parted(path: str) -> tuple[str, str]:
    folder, found, name = path.rpartition("/")
    return f"{folder}{found}", name
