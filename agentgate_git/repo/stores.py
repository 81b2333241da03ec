"""Object stores: as git's environment lists them, and one of our own to write to."""

from __future__ import annotations

import os
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from agentgate_git.repo.process import ALTERNATES, Git
from agentgate_git.repo.refs import objects_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def listed(path: str) -> str:
    """A path as git reads it in a list that is split at colons."""
    if ":" not in path and not path.startswith('"'):
        return path
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@contextmanager
def own_store(git: Git) -> Iterator[Git]:
    """A git that reads what another one reads, and writes new objects into a store that goes afterwards."""
    with TemporaryDirectory(prefix="agentgate-objects-", ignore_cleanup_errors=True) as directory:
        store = os.path.join(directory, "objects")
        os.mkdir(store)
        read = (listed(objects_dir(git)), git.environment.get(ALTERNATES, ""))
        own = {"GIT_OBJECT_DIRECTORY": store, ALTERNATES: ":".join(filter(None, read))}
        yield Git(git.directory, {**git.environment, **own})
