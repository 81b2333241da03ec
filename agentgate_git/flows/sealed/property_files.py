"""The files of a tree that belong to a property: its tests, and what they import."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.facts import Trait
from agentgate_git.model.failure import PolicyFailure, UsageFailure
from agentgate_git.model.finding import Finding
from agentgate_git.model.manifest import Manifest
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import MANIFEST_PATH
from agentgate_git.repo.materialise import list_files
from agentgate_git.source.python.imports import imported_modules
from agentgate_git.source.python.source import read_python
from agentgate_git.source.python.traits.read import read_traits
from agentgate_git.source.roles import is_test_file
from agentgate_git.wire.manifest import read_manifest

# Files that are read for one property at most: what lies further away is reached by everything.
MAX_FILES = 200


def blobs_of(workspace: Workspace, commit: Oid) -> dict[str, Oid]:
    """The files of a commit by their paths."""
    return {one.path: one.oid for one in list_files(workspace.room, commit)}


def manifest_of(workspace: Workspace, blobs: Mapping[str, Oid], rev: str) -> Manifest:
    """The manifest among these files, which are those of `rev`."""
    if MANIFEST_PATH not in blobs:
        raise UsageFailure(f"{rev} has no {MANIFEST_PATH}", "write one; docs/formats.md shows its shape")
    manifest = read_manifest(MANIFEST_PATH, workspace.objects.read(blobs[MANIFEST_PATH], "blob"))
    if isinstance(manifest, Finding):
        raise PolicyFailure(f"{MANIFEST_PATH} of {rev}, line {manifest.line}: {manifest.message}", "repair that line")
    return manifest


class PropertyFiles:
    """Reads files of one tree, each once."""

    def __init__(self, workspace: Workspace, blobs: Mapping[str, Oid]) -> None:
        self._workspace = workspace
        self._blobs = {path: oid for path, oid in blobs.items() if path.endswith(".py")}
        self._modules = {name: path for path in self._blobs for name in _names(path)}
        self._known: dict[str, tuple[tuple[str, ...], tuple[Trait, ...]]] = {}

    def files(self, module: str) -> Iterator[tuple[str, tuple[Trait, ...]]]:
        """The files of a property with their traits; all test files and what they import where it names none."""
        wanted = self.start(module)
        seen = dict.fromkeys(wanted)
        while wanted and len(seen) <= MAX_FILES:
            path = wanted.pop(0)
            imports, traits = self._read(path)
            yield path, traits
            for name in imports:
                there = self._modules.get(name, "")
                if there and there not in seen:
                    seen[there] = None
                    wanted.append(there)

    def start(self, module: str) -> list[str]:
        """The file that a property names and the tests that import it; all test files where it names none."""
        path = self._modules.get(module, module)
        if path in self._blobs:
            if is_test_file(path):
                return [path]
            return [path, *(test for test in self._tests() if path in self._imports_of(test))]
        if module:
            raise UsageFailure(f"the module {module} is not in the tree", "write its path as git lists it")
        return list(self._tests())

    def _tests(self) -> Iterator[str]:
        return (path for path in self._blobs if is_test_file(path))

    def _imports_of(self, path: str) -> set[str]:
        return {self._modules[name] for name in self._read(path)[0] if name in self._modules}

    def _read(self, path: str) -> tuple[tuple[str, ...], tuple[Trait, ...]]:
        """What a file imports, and its traits; nothing for one that is no Python."""
        if path not in self._known:
            data = self._workspace.objects.read(self._blobs[path], "blob")
            tree = read_python(data).tree
            self._known[path] = (
                ((), ()) if tree is None else (imported_modules(tree, path), read_traits(path, tree, len(data)).traits)
            )
        return self._known[path]


def _names(path: str) -> Iterator[str]:
    """The dotted names that a file may be imported by: from the top, and from `src` and the like."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    yield ".".join(parts)
    if len(parts) > 1 and parts[0] in ("src", "lib", "python", "tests", "test"):
        yield ".".join(parts[1:])
