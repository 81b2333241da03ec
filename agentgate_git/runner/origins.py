"""The import-origin check: did the tests import the code of the tree, or a copy from elsewhere?"""

from __future__ import annotations

import os
from collections.abc import Iterable

from agentgate_git.runner.import_roots import module_name

# Names that many directories hold at once; pytest loads them by path.
_COMMON_NAMES = frozenset(("conftest", "setup", "__main__"))


def foreign_imports(
    origins: Iterable[tuple[str, str]], paths: Iterable[str], roots: tuple[str, ...], directory: str
) -> tuple[tuple[str, str], ...]:
    """Modules (name, file) that the tree provides but that came from a file which is none of the tree's.

    `paths` are the tree's, `roots` its import roots relative to it, `directory` where it is laid out.
    """
    tree = frozenset(paths)
    provided = {module_name(path, root) for path in tree for root in ("", *roots)} - {""}
    places = (directory, os.path.realpath(directory))
    return tuple(
        sorted(
            (name, file)
            for name, file in origins
            if name in provided and name.rpartition(".")[2] not in _COMMON_NAMES and not _is_of(file, tree, places)
        )
    )


def _is_of(file: str, tree: frozenset[str], places: tuple[str, ...]) -> bool:
    return any(
        os.path.relpath(candidate, place) in tree for candidate in (file, os.path.realpath(file)) for place in places
    )
