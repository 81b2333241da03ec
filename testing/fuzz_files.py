"""Fuzz target: two versions of one file, through every reader and every check."""

from __future__ import annotations

from pathlib import Path

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from testing.catalogue import load

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
    """Real files, where there are some."""
    for number, (_, base, head, _) in enumerate(load()):
        for path in head.keys() & set(PATHS):
            before = base.get(path, b"")
            (folder / f"{number}").write_bytes(bytes([PATHS.index(path)]) + before + CUT + head[path])
