"""The import-origin check: did the tests import the code of the tree, or a copy from elsewhere?"""

from __future__ import annotations

import os
from collections.abc import Iterable

from agentgate_git.runner.import_roots import module_name
from agentgate_git.runner.installed import installed_from, is_installed

# Names that many directories hold at once; pytest loads them by path.
_COMMON_NAMES = frozenset(("conftest", "setup", "__main__"))


def foreign_imports(
    origins: Iterable[tuple[str, str]],
    paths: Iterable[str],
    roots: tuple[str, ...],
    directory: str,
    checkouts: tuple[str, ...] = (),
) -> tuple[tuple[str, str], ...]:
    """Modules (name, file) that the tree provides but that came from a file which is none of the tree's.

    `paths` are the tree's, `roots` its import roots relative to it, `directory` where it is laid out. `checkouts`
    are work trees of the same repository: what was loaded from one of them is foreign whatever its name.
    """
    check = _Check(frozenset(paths), roots, directory, checkouts)
    return tuple(sorted((name, file) for name, file in origins if check.is_foreign(name, file)))


class _Check:
    """A name alone accuses only at an import root. Below any other folder a test helper or a vendored copy often
    has the name of an installed package, so there the place that the file came from has to speak too.
    """

    def __init__(
        self, tree: frozenset[str], roots: tuple[str, ...], directory: str, checkouts: tuple[str, ...]
    ) -> None:
        self._tree = tree
        self._place = os.path.realpath(directory)
        self._checkouts = tuple(place for place in map(os.path.realpath, checkouts) if place != self._place)
        self._repository = (self._place, *self._checkouts)
        self._at_roots = {module_name(path, root) for path in tree for root in ("", *roots)} - {""}
        self._folders: dict[str, str] = {}
        self._by_file_name: dict[str, list[str]] = {}
        for path in tree:
            self._by_file_name.setdefault(path.rpartition("/")[2], []).append(path)

    def is_foreign(self, name: str, file: str) -> bool:
        real = _real(file, self._folders)
        within = _below(real, self._place)
        if within in self._tree:
            return False
        if not within and any(self._is_of_checkout(path) for path in {file, real}):
            return True
        if name.rpartition(".")[2] in _COMMON_NAMES:
            return False
        return name in self._at_roots or self._is_copy(name, file, real)

    def _is_of_checkout(self, file: str) -> bool:
        places = ((checkout, _below(file, checkout)) for checkout in self._checkouts)
        return any(path and (path in self._tree or not is_installed(file, checkout)) for checkout, path in places)

    def _is_copy(self, name: str, file: str, real: str) -> bool:
        """True for a file of another checkout that nobody told us of, and for one installed from a known one."""
        providers = self._providers(name)
        if not providers:
            return False
        if is_installed(file):
            return installed_from(file, self._repository)
        return any("/" in path and each.endswith(f"/{path}") for path in providers for each in (file, real))

    def _providers(self, name: str) -> tuple[str, ...]:
        """The files of the tree that have this dotted name below some folder."""
        tail = "/" + name.replace(".", "/")
        modules = self._by_file_name.get(f"{tail.rpartition('/')[2]}.py", ())
        ends = (f"{tail}.py", f"{tail}/__init__.py")
        candidates = (*modules, *self._by_file_name.get("__init__.py", ()))
        return tuple(path for path in candidates if f"/{path}".endswith(ends))


def _below(file: str, place: str) -> str:
    """The path relative to the place; empty when it is not inside."""
    prefix = place.rstrip("/") + "/"
    return file[len(prefix) :] if file.startswith(prefix) else ""


def _real(file: str, folders: dict[str, str]) -> str:
    """`os.path.realpath`, with each folder resolved once: a run imports hundreds of modules from a few folders."""
    folder, name = os.path.split(os.path.abspath(file))
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    path = os.path.join(folders[folder], name)
    return os.path.realpath(path) if os.path.islink(path) else path
