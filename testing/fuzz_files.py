"""Fuzz target: two versions of one file, through every reader and every check."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import atheris

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from testing.catalogue import SECOND, load

# One file of each kind that some reader takes; the first byte of an input picks one.
PATHS = (
    *("tests/test_a.py", "conftest.py", "src/app.py", "sitecustomize.py", "noxfile.py", "pyproject.toml", "tox.ini"),
    *("pytest.ini", "setup.cfg", "Makefile", "package.json", ".github/workflows/ci.yml", ".gitlab-ci.yml"),
    *("azure-pipelines.yml", ".travis.yml", "Jenkinsfile", ".circleci/config.yml", "ci/test.sh", "pom.xml"),
    *("build.gradle", "Cargo.toml", "phpunit.xml", ".rspec", "CMakeLists.txt", "jest.config.js", "a.test.js"),
    *("a.spec.ts", "a_test.go", "src/lib.rs", "src/test/java/ATest.java", "ATest.kt", "ATests.cs", "a_spec.rb"),
    *("tests/ATest.php", "a_test.cpp", "Tests/ATests.swift", "test/a_test.exs", "ASpec.scala", "a_test.dart"),
    *("test/a.bats", ".pre-commit-config.yaml", "entropy.yaml", "entropy.baseline.yaml", "codecov.yml", "justfile"),
)
# Between the file as it was and as it is; an input without it changes nothing into all of it.
CUT = b"\n--8<--\n"
_STARTS = 12
_BY_NAME = ("conftest.py", "sitecustomize.py", "noxfile.py")
_CODE = frozenset(
    (
        *(".py", ".js", ".ts", ".go", ".rs", ".java", ".kt", ".cs", ".rb", ".php", ".cpp", ".swift", ".exs", ".scala"),
        *(".dart", ".bats", ".sh"),
    )
)


def one(data: bytes) -> None:
    """Two versions of one file, through every reader and every check."""
    path = PATHS[data[0] % len(PATHS)] if data else PATHS[0]
    before, cut, after = data[1:].partition(CUT)
    old, new = ({path: before}, {path: after}) if cut else ({}, {path: before})
    result = judge_files(old, new)
    is_told = any(finding.severity in (BLOCK, WARN) for finding in result.findings)
    if result.exit_status != 0 and not is_told:
        raise AssertionError("a rejection without a reason")


def seeds(folder: Path) -> None:
    """The shortest changed files of each kind in the catalogues, since all are read first; the others lend lines."""
    for kind in range(len(PATHS)):
        alike = sorted((one for one in _changed() if one[0] == kind), key=len)
        for number, data in enumerate(alike[:_STARTS]):
            (folder / f"{kind}-{number}").write_bytes(data)


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """What to try next: bytes as libFuzzer changes them or, as often, lines and words of files of the same kind.

    Bytes changed at random seldom leave a file that its parser goes on with; a line less, or one of another file, does.
    """
    chance = random.Random(seed)
    if len(data) < 2 or chance.random() < 0.5:
        return atheris.Mutate(data, max_size)
    before, cut, after = data[1:].partition(CUT)
    sides = [before, after] if cut else [before]
    at = chance.randrange(len(sides))
    others = _by_kind()[data[0] % len(PATHS)] or (data[1:],)
    for _ in range(chance.randint(1, 4)):
        sides[at] = _mixed(sides[at], chance.choice(others), chance)
    return (data[:1] + cut.join(sides))[:max_size]


def _mixed(text: bytes, other: bytes, chance: random.Random) -> bytes:
    """A text with a line or a word less, twice, elsewhere, or taken from another."""
    lines, others = text.split(b"\n"), other.split(b"\n")
    at, there = chance.randrange(len(lines)), chance.randrange(len(lines))
    words = re.findall(rb"\w+|\s+|.", lines[at]) or [b""]
    word = chance.randrange(len(words))
    match chance.randrange(7):
        case 0:
            lines[at : at + 1] = []
        case 1:
            lines[at:at] = [lines[there]]
        case 2:
            lines[at], lines[there] = lines[there], lines[at]
        case 3:
            taken = chance.randrange(len(others))
            lines[at:at] = others[taken : taken + chance.randint(1, 6)]
        case 4:
            lines[at] = b"".join(words[:word] + words[word + 1 :])
        case 5:
            taken_word = chance.choice(re.findall(rb"\w+|\S", chance.choice(others)) or [b""])
            lines[at] = b"".join((*words[:word], taken_word, *words[word + 1 :]))
        case _:
            lines[at] = b"    " + lines[at] if chance.random() < 0.5 else lines[at].lstrip()
    return b"\n".join(lines)


@cache
def _by_kind() -> tuple[tuple[bytes, ...], ...]:
    """The seeds of each path."""
    return tuple(tuple(one[1:] for one in _changed() if one[0] == number) for number in range(len(PATHS)))


@cache
def _changed() -> tuple[bytes, ...]:
    return tuple(_inputs())


def _inputs() -> Iterator[bytes]:
    for place in (None, *(one.parent for one in sorted(SECOND.parent.glob("*/weakening.yaml")))):
        for _, base, head, _ in load(place):
            for path, text in head.items():
                before = base.get(path, b"")
                if before != text and (number := _number(path)) is not None:
                    yield bytes([number]) + before + CUT + text


def _number(path: str) -> int | None:
    """Which of PATHS a file is read like; None for a kind that is none of them."""
    return next((number for number, other in enumerate(PATHS) if _kind(other) == _kind(path)), None)


def _kind(path: str) -> tuple[str, bool]:
    """For code its ending and whether it holds tests, and else the name that tools look for."""
    pure = PurePosixPath(path)
    if pure.suffix in _CODE and pure.name not in _BY_NAME:
        return (pure.suffix, re.search(r"(?i)test|spec", pure.name) is not None)
    return (".github" if ".github" in pure.parts else pure.name, False)
