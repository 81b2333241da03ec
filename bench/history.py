"""A history that looks like a project's: modules and their tests grow, change and go, on branches that are merged."""

from __future__ import annotations

import random
from pathlib import Path

from testing.repo_builder import RepoBuilder

_MODULES = 80
_FUNCTIONS = 25
_SUITES_AT_ONCE = 12


class _Project:
    """The files as they stand, each a list of definitions."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._made = 0
        self.modules = {f"shop/module_{n}.py": self._many(self._function) for n in range(_MODULES)}
        self.suites = {f"tests/test_module_{n}.py": self._many(self._test) for n in range(_MODULES)}

    def files(self) -> dict[str, str]:
        """All of them."""
        return {path: self._text(path) for path in (*self.modules, *self.suites)}

    def step(self) -> dict[str, str]:
        """What one commit changes: one module, most often with its tests, and now and then a text."""
        number = self._chance.randrange(_MODULES)
        module, suite = f"shop/module_{number}.py", f"tests/test_module_{number}.py"
        kind = self._chance.random()
        changed = {}
        if kind < 0.85:
            self._edit(self.modules[module], self._function)
            changed[module] = self._text(module)
        if kind < 0.4:
            self._edit(self.suites[suite], self._test)
            changed[suite] = self._text(suite)
        if kind > 0.8:
            changed["docs/changes.rst"] = f"Changes\n=======\n\n- {self._made} things\n"
        return changed

    def grow(self) -> dict[str, str]:
        """A test more in some files at once, as a sweeping change does."""
        paths = self._chance.sample(sorted(self.suites), _SUITES_AT_ONCE)
        for path in paths:
            self.suites[path].append(self._test())
        return {path: self._text(path) for path in paths}

    def _edit(self, parts: list[str], make: object) -> None:
        made = make() if callable(make) else ""
        if self._chance.random() < 0.5 or len(parts) < _FUNCTIONS:
            parts.append(made)
        else:
            at = self._chance.randrange(len(parts))
            parts[at] = parts[at].replace("\n\n\n", f"  # seen {self._made}\n\n\n")

    def _many(self, make: object) -> list[str]:
        return [make() if callable(make) else "" for _ in range(_FUNCTIONS)]

    def _function(self) -> str:
        self._made += 1
        lines = "".join(f"    part_{n} = value + {self._chance.randrange(1000)}\n" for n in range(8))
        return f"def function_{self._made}(value):\n{lines}    return part_7\n\n\n"

    def _test(self) -> str:
        self._made += 1
        lines = "".join(f"    value_{n} = shop.total([{n}, {self._chance.randrange(1000)}])\n" for n in range(6))
        return f"def test_{self._made}(tmp_path):\n{lines}    assert value_5 == {self._made}\n    assert tmp_path\n\n\n"

    def _text(self, path: str) -> str:
        if path in self.modules:
            return '"""A module."""\n\nimport os\n\n\n' + "".join(self.modules[path])
        return '"""Tests."""\n\nimport pytest\nimport shop\n\n\n' + "".join(self.suites[path])


def write_history(path: Path, home: Path, commits: int, seed: int = 7) -> RepoBuilder:
    """A repository with so many commits, every twentieth of them a merge."""
    repo = RepoBuilder.create(path, home)
    project = _Project(seed)
    stream: list[bytes] = []
    parents: tuple[int, ...] = ()
    changed = project.files()
    for mark in range(1, commits + 1):
        stream.append(_commit(mark, parents, changed))
        is_fork = mark % 20 == 18
        parents = (mark,) if mark % 20 != 19 else (mark - 1, mark)
        changed = {} if mark % 20 == 19 else project.grow() if mark % 50 == 0 else project.step()
        if is_fork:
            changed = {"docs/side.rst": f"{mark}\n"}
    repo.git("fast-import", "--quiet", stdin=b"".join(stream))
    repo.git("reset", "-q", "--hard", "main")
    return repo


def _commit(mark: int, parents: tuple[int, ...], files: dict[str, str]) -> bytes:
    message = f"Change {mark}\n\nWhat it is about takes a line or two.\n".encode()
    head = f"commit refs/heads/main\nmark :{mark}\ncommitter Pat <pat@example.org> {1_500_000_000 + mark * 600} +0000\n"
    parts = [head.encode(), b"data %d\n" % len(message), message]
    parts += [b"%s :%d\n" % (name, parent) for name, parent in zip((b"from", b"merge"), parents, strict=False)]
    for path, text in files.items():
        data = text.encode()
        parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    return b"".join(parts)
