"""Programs of a repository that have the name of a runner and start nothing: they say "yes" to whoever calls them."""

from __future__ import annotations

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.roles import is_test_side

PROGRAM = "hook.program"

RUNNERS = frozenset(
    (
        *("pytest", "py.test", "tox", "nox", "python", "python3", "coverage", "nosetests", "trial", "hatch", "uv"),
        *("npm", "npx", "yarn", "pnpm", "node", "jest", "vitest", "mocha", "go", "cargo", "mvn", "mvnw", "gradle"),
        *("gradlew", "dotnet", "rspec", "rake", "phpunit", "ctest", "flutter", "dart", "swift", "sbt", "mix", "make"),
        *("bats", "prove", "bazel", "mypy", "ruff", "flake8", "eslint", "tsc", "pre-commit"),
    )
)
# Folders of what tests are given: a program there stands for another on purpose.
_GIVEN = pattern_of(r"(?i)(?:^|/)[^/]*(?:fixture|testdata|test-data|example|sample|mock|fake|stub|demo)[^/]*/|^docs?/")
# A line that says something, or ends well.
_SAYS = pattern_of(
    r"(?:(?:echo|printf)\b[^|&;<>`$]*|print\([^)]*\)|true|:|exit(?: 0)?|set [-+]\w+(?: \w+)?|import sys"
    r"|sys\.exit\((?:0|None)?\)|raise SystemExit(?:\(0?\))?|process\.exit\(0?\);?|#.*)?"
)
_MAX_BYTES = 20_000


def is_program(path: str) -> bool:
    """True for a file that has the name of a runner, where no test has put it."""
    return path.rpartition("/")[2] in RUNNERS and not is_test_side(path) and _GIVEN.search(path) is None


def program_traits(path: str, data: bytes) -> tuple[Trait, ...]:
    """That a script of such a name starts nothing, whatever it is given."""
    if not data.startswith(b"#!") or len(data) > _MAX_BYTES:
        return ()
    lines = data.decode("utf-8", "replace").splitlines()
    if all(_SAYS.fullmatch(line.strip()) for line in lines[1:]):
        return (Trait(PROGRAM, f"a program named {path.rpartition('/')[2]} that starts nothing", 1),)
    return ()
