"""What the words of a command and the variables around it do to the selection and the status of its tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import LINT, MEASURING, TEST
from agentgate_git.source.commands.runner_options import TABLES, option_marks, tool_of
from agentgate_git.source.commands.runner_tables import (
    ANY,
    FILTERED,
    GRADED,
    HOLLOW,
    IGNORED,
    MEASURED,
    NARROWED,
    OFF,
    RETRIED,
    THRESHOLD,
    TOOLS,
    WIDER,
)
from agentgate_git.source.commands.runners import HELD, Runner
from agentgate_git.source.commands.shares import share_of

# Options that mean the same to every runner that a package script may start.
_SCRIPT_OPTIONS = {**TOOLS["vitest"], **TOOLS["jest"], "--grep": NARROWED, "-g": NARROWED, "--grep-invert": NARROWED}
# Variables whose value is options of a tool, and the programs that hand them on to it.
_OPTIONS_FOR = {
    "PYTEST_ADDOPTS": ("pytest", ""),
    "GOFLAGS": ("go test", "go gotestsum ginkgo mage"),
    "NODE_OPTIONS": ("node --test", "node npm npx yarn pnpm bun"),
    "MOCHA_OPTIONS": ("mocha", "mocha _mocha npm npx yarn pnpm bun"),
    **dict.fromkeys(("MAVEN_ARGS", "MAVEN_OPTS", "MAVEN_CLI_OPTS", "JAVA_TOOL_OPTIONS"), ("mvn", "mvn")),
    "SPEC_OPTS": ("rspec", "rspec rake bundle rails parallel_rspec"),
    "TESTOPTS": ("minitest", "rake ruby rails bundle minitest"),
    "TESTBRIDGE_TEST_ONLY": ("", "bazel bazelisk"),
}
_MARKING = frozenset(
    (
        *_OPTIONS_FOR,
        *("PYTHONOPTIMIZE", "GTEST_FILTER", "MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS", "SKIP", "HUSKY", "LEFTHOOK"),
        *("NEXTEST_RETRIES", "RUSTFLAGS", "RUSTDOCFLAGS"),
    )
)
_MARKING_FOLDED = frozenset(
    ("npm_config_if_present", "npm_config_script_shell", "npm_config_workspace", "vstesttestcasefilter")
)
_DENIES = pattern_of(r"(?:-D|--deny)[ =]?warnings\b")
# Programs and files that start whatever they like.
_OF_CHECKS = frozenset(
    ("coverage report", "diff-cover", "diff-quality", "cargo clippy", "eslint", "stylelint", "oxlint", "tsc", "mypy")
)
_GRADES = frozenset(
    (
        *("--severity-level", "--confidence-level", "--severity", "--min-severity", "--minimum-severity", "--level"),
        *("--severity-threshold", "--audit-level", "--failure-threshold", "--fail-on-severity", "--minimum-level"),
    )
)
_SHORT_GRADE = pattern_of(r"-l{1,3}|-i{1,3}")
_STARTERS = frozenset(("make", "just", "task", "ninja", "invoke", "earthly", "docker"))
_NOTHING = pattern_of(r"@?\s*(?:/(?:usr/)?bin/)?(?:true|:|echo|printf|cat|exit 0)(?:\s.*)?")
_NAMED = pattern_of(
    r"(?:[A-Z0-9]+_)*(?:TESTS?|SPECS?|T|RUN|FILTER|GREP|MATCH|TESTFILES?|TEST_FILES|SUITES?|ONLY|SKIP|EXCLUDE)"
)
_ARGUMENTS = pattern_of(r"(?:[A-Z0-9]+_)*(?:ARGS|OPTS|FLAGS|OPTIONS|ARGUMENTS)|[A-Z]+ARGS|[A-Z]+OPTS|[A-Z]*FLAGS")
_TOOL_OF = {"PYTEST": "pytest", "GO": "go test", "CTEST": "ctest", "MVN": "mvn", "CARGO": "cargo test", "JEST": "jest"}


@lru_cache(maxsize=2048)
def marks_of(runner: Runner) -> tuple[str, ...]:
    """Every mark that the words of a command set; an option without any bearing on tests gives none."""
    return tuple(_marks_of(runner))


def _marks_of(runner: Runner) -> Iterator[str]:
    tool = tool_of(runner.name)
    if runner.arguments and ("/" in tool or "." in tool) and tool not in TABLES:
        tool = "binary"
    is_known = runner.kind == TEST or tool in _OF_CHECKS or runner.name.endswith(" audit")
    table = TABLES.get(tool, ANY) if is_known else ANY
    yield from _before(runner)
    arguments, passed_on = _passed_on(tool, runner.arguments)
    own = tuple(option_marks(tool, arguments, table))
    if tool == "cargo clippy" and any(mark.startswith(f"{WIDER}: ") for mark in own):
        own = tuple(mark for mark in own if not mark.startswith(f"{HOLLOW}: "))  # some of them are asked for by name
    yield from own
    if runner.kind == LINT:
        yield from _graded(tool, arguments)
    if share := share_of(tool, arguments):
        yield f"{NARROWED}: {share}"
    if tool in ("tox", "nox"):
        yield from option_marks("pytest", passed_on)
    elif tool in ("make", "rake", "just", "task") or tool.startswith(("make ", "rake ", "just ", "task ")):
        yield from _given_by_name(arguments)
    elif tool.partition(" ")[0] in ("npm", "yarn", "pnpm", "bun", "composer"):
        yield from (mark for mark in option_marks(tool, passed_on, _SCRIPT_OPTIONS))


def _graded(tool: str, words: tuple[str, ...]) -> Iterator[str]:
    """How grave a finding of a checker has to be so that it is told at all."""
    for at, word in enumerate(words):
        option, found, value = word.partition("=")
        if option in _GRADES:
            value = value if found else next(iter(words[at + 1 :]), "")
            yield f"{GRADED}: {option} {value.lower()}"
        elif tool == "bandit" and _SHORT_GRADE.fullmatch(word):
            yield f"{GRADED}: {word[:2]} {len(word) - 1}"


def _passed_on(tool: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a tool keeps of its arguments, and what it hands to the runner that it starts."""
    head = tool.partition(" ")[0]
    if head not in ("tox", "nox", "npm", "yarn", "pnpm", "bun", "composer"):
        return words, ()
    if "--" in words:
        at = words.index("--")
        return words[:at], words[at + 1 :]
    return (words, ()) if head in ("tox", "nox", "npm") else (words, words)


def _before(runner: Runner) -> Iterator[str]:
    """Options of the interpreter, and variables that the tools read."""
    for word in runner.before:
        if HELD.fullmatch(word) and runner.kind == TEST:
            yield f"condition: behind {word[:60]}, whatever that holds"
        if word in ("-O", "-OO", "-mO", "-Om"):
            yield f"{HOLLOW}: {word} takes `assert` out"
        if word in MEASURING:
            yield f"{MEASURED}: {word}"
        name, found, value = word.partition("=")
        if name in ("--lines", "--branches", "--functions", "--statements") and value:
            yield f"{THRESHOLD}: {name} {value}"
        elif found:
            yield from variable_marks(runner, name, value)


def may_mark(name: str) -> bool:
    """True for a variable that `variable_marks` may say something of."""
    folded = name.lower()
    return name in _MARKING or folded in _MARKING_FOLDED or name.startswith("CARGO_TARGET_")


@lru_cache(maxsize=2048)
def variable_marks(runner: Runner, name: str, value: str) -> tuple[str, ...]:
    """What a variable of the environment does to a command."""
    return tuple(_variable_marks(runner, name, value))


def _variable_marks(runner: Runner, name: str, value: str) -> Iterator[str]:
    if name == "PYTHONOPTIMIZE" and value not in ("", "0"):
        yield f"{HOLLOW}: PYTHONOPTIMIZE={value} takes `assert` out"
    elif name in _OPTIONS_FOR:
        yield from _options_in(runner, name, value)
    elif name == "GTEST_FILTER" and value not in ("", "*"):
        yield f"{NARROWED}: GTEST_FILTER={value}"
    elif name in ("MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS") and tool_of(runner.name) == "make":
        if re.search(r"(?:^|\s)-?\w*i\w*(?:\s|$)|--ignore", value):
            yield f"{IGNORED}: {name}={value}"
    elif name in ("RUSTFLAGS", "RUSTDOCFLAGS"):
        if tool_of(runner.name).startswith("cargo") and _DENIES.search(value):
            yield f"{WIDER}: {name} -D warnings"
    elif name == "SKIP" and value and runner.kind not in (TEST, LINT):
        yield f"{FILTERED}: SKIP={value}"
    elif name in ("HUSKY", "LEFTHOOK") and value == "0" and runner.kind not in (TEST, LINT):
        yield f"{OFF}: {name}=0"
    elif runner.kind == TEST:
        yield from _of_tests(runner, name, value)


def _options_in(runner: Runner, name: str, value: str) -> Iterator[str]:
    tool, programs = _OPTIONS_FOR[name]
    head = runner.name.partition(" ")[0]
    if programs and (runner.kind != TEST or not (head in programs.split() or head in _STARTERS or "/" in head)):
        return
    if not tool:
        yield f"{NARROWED}: {name}={value}"
        return
    for mark in option_marks(tool, tuple(word.strip("\"'") for word in value.split())):
        kind, _, text = mark.partition(": ")
        if kind not in ("paths", "measured", "wider") or tool == "pytest":
            yield f"{kind}: {text}" if tool == "pytest" else f"{kind}: {name}={text}"


def _of_tests(runner: Runner, name: str, value: str) -> Iterator[str]:
    folded = name.lower()
    head = runner.name.partition(" ")[0]
    if head in ("npm", "yarn", "pnpm", "npx"):
        if folded == "npm_config_if_present" and value.lower() in ("true", "1"):
            yield "condition: --if-present"
        elif folded == "npm_config_script_shell" and _NOTHING.fullmatch(value):
            yield f"{OFF}: {name}={value}"
        elif folded == "npm_config_workspace":
            yield f"paths: {name}={value}"
    if head == "cargo" and name.startswith("CARGO_TARGET_") and name.endswith("_RUNNER") and _NOTHING.fullmatch(value):
        yield f"{OFF}: {name}={value}"
    elif head == "cargo" and name == "NEXTEST_RETRIES" and value not in ("", "0"):
        yield f"{RETRIED}: {name}={value}"
    elif head in ("dotnet", "msbuild") and folded == "vstesttestcasefilter" and value:
        yield f"{NARROWED}: {name}={value}"


def _given_by_name(words: tuple[str, ...]) -> Iterator[str]:
    """`make test NAME=VALUE`: a variable that chooses tests, holds options, or stands for the runner itself."""
    for word in words:
        name, found, value = word.partition("=")
        if not found or not name.isupper() or not value:
            continue
        if _ARGUMENTS.fullmatch(name):
            tool = next((tool for part, tool in _TOOL_OF.items() if part in name), "")
            table = None if tool else _SCRIPT_OPTIONS | {"-k": NARROWED, "-run": NARROWED, "-skip": NARROWED}
            options = tuple(one.strip("\"'") for one in value.split())
            yield from (mark for mark in option_marks(tool, options, table) if not mark.startswith("paths: "))
        elif _NOTHING.fullmatch(value):
            yield f"{OFF}: {word}"
        elif _NAMED.fullmatch(name) and value not in ("1", "0", "true", "false", "yes", "no", "all"):
            yield f"{'paths' if '$' in value else NARROWED}: {name}= {value}"
