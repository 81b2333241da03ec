"""What the options of a test command do to its selection and to its status.

A mark is `CLASS: TEXT`. IGNORED and OFF take the force out of the whole run, NARROWED leaves out tests by name,
FILTERED by group, PATHS says which files are run, RETRIED runs failures again, HOLLOW runs tests whose checks do
nothing, REWRITES lets the run write what it should compare with, WIDER is an option whose loss loses tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import LINT, MEASURING, TEST
from agentgate_git.source.commands.runner_tables import (
    ANY,
    FILTERED,
    FLAGS,
    HOLLOW,
    IGNORED,
    MEASURED,
    NARROWED,
    OFF,
    PATH_TOOLS,
    PATHS,
    RETRIED,
    THRESHOLD,
    TOOLS,
    UNPLUGGED,
    VALUE_OPTIONS,
    WIDER,
)
from agentgate_git.source.commands.runners import Runner

_HARMLESS_PLUGINS = pattern_of(
    r"no:(?:cacheprovider|warnings|xdist|randomly|random_order|sugar|terminal|pretty|cov|benchmark|logging|faulthandler|"
    r"threadexception|unraisableexception|twisted|trio|asyncio|anyio|django|flask|celery|doctest|legacypath|nose|"
    r"pytest_randomly|capture|pastebin|junitxml|agentgate)|[^n].*|n[^o].*"
)
_SELECTING = ("python_", "testpaths", "addopts", "norecursedirs", "collect", "filterwarnings")
# Options that mean the same to every runner that a package script may start.
_SCRIPT_OPTIONS = {**TOOLS["vitest"], **TOOLS["jest"], "--grep": NARROWED, "-g": NARROWED, "--grep-invert": NARROWED}
_TABLES = {tool: {**ANY, **table} for tool, table in TOOLS.items()}
_ZERO_STATUS = frozenset(("--failure-exit-code", "--exit-status", "--exit-code", "--issues-exit-code"))
_TRUTHS = frozenset(("", "true", "1", "yes", "on"))


@lru_cache(maxsize=2048)
def marks_of(runner: Runner) -> tuple[str, ...]:
    """Every mark that the words of a command set; an option without any bearing on tests gives none."""
    return tuple(_marks_of(runner))


def _marks_of(runner: Runner) -> Iterator[str]:
    tool = _tool(runner.name)
    table = _TABLES.get(tool, ANY) if runner.kind == TEST else ANY
    yield from _before(runner)
    arguments, passed_on = _passed_on(tool, runner.arguments)
    yield from option_marks(tool, arguments, table)
    if tool in ("tox", "nox"):
        yield from option_marks("pytest", passed_on)
    elif tool.partition(" ")[0] in ("npm", "yarn", "pnpm", "bun", "composer"):
        yield from (mark for mark in option_marks(tool, passed_on, _SCRIPT_OPTIONS))


def _passed_on(tool: str, words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a tool keeps of its arguments, and what it hands to the runner that it starts."""
    head = tool.partition(" ")[0]
    if head not in ("tox", "nox", "npm", "yarn", "pnpm", "bun", "composer"):
        return words, ()
    if "--" in words:
        at = words.index("--")
        return words[:at], words[at + 1 :]
    return (words, ()) if head in ("tox", "nox", "npm") else (words, words)


def option_marks(tool: str, words: tuple[str, ...], table: dict[str, str] | None = None) -> Iterator[str]:
    """The marks of the arguments of a tool."""
    known = table if table is not None else _TABLES.get(tool, ANY)
    takes_value = VALUE_OPTIONS.get(tool, set())
    at = 0
    while at < len(words):
        option, value, step = _option(words, at, known)
        at += step
        if option in known:
            mark = _mark(known[option], option, value)
            if mark:
                yield mark
        elif option in takes_value and step == 1 and not value:
            at += 1
        elif not option and tool in PATH_TOOLS:
            path = value.removeprefix("./").rstrip("/")
            if _is_a_path(path):
                yield f"{PATHS}: {path}"


def _is_a_path(word: str) -> bool:
    return (
        bool(word)
        and word not in ("discover", "run", "--", "{posargs}", ".", "...", "*", "&")
        and "$" not in word
        and "{" not in word
    )


def _tool(name: str) -> str:
    if name in TOOLS or name in VALUE_OPTIONS:
        return name
    head = name.partition(" ")[0]
    return head if head in TOOLS else name


def _option(words: tuple[str, ...], at: int, known: dict[str, str]) -> tuple[str, str, int]:
    """An option with its value and the words it takes; a plain word is a value without an option."""
    word = words[at]
    if not word.startswith("-") and not (word.startswith("/") and ":" in word):
        return "", word, 1
    if word in known:
        following = words[at + 1] if at + 1 < len(words) else ""
        has_value = word not in FLAGS and following and not following.startswith("-")
        return (word, following, 2) if has_value else (word, "", 1)
    for sign in ("=", ":"):
        name, found, value = word.partition(sign)
        if found and (name in known or sign == "="):
            return name, value, 1
    if len(word) > 2 and word[:2] in known and word[1] != "-" and not word[:2].startswith("-D"):
        short, rest = word[:2], word[2:]
        if short not in FLAGS and known[short] in (NARROWED, FILTERED, UNPLUGGED, PATHS):
            return short, rest, 1
    return word, "", 1


def _mark(kind: str, option: str, value: str) -> str:
    if not kind or value.lower() in ("false", "no", "off"):
        return ""
    if option in _ZERO_STATUS and value != "0":
        return ""
    if kind == OFF and option.startswith(("-D", "-P")) and value.lower() not in _TRUTHS:
        return ""
    if kind == HOLLOW and option == "--assert" and value != "plain":
        return ""
    if option == "--inline-snapshot" and value in ("disable", "report", "review", "short-report"):
        return ""
    if option in ("--record-mode", "--vcr-record") and value in ("none", "once"):
        return ""
    if kind == RETRIED and value in ("0", "1") and option != "--repeat":
        return ""
    if kind == UNPLUGGED and option == "-p":
        return "" if _HARMLESS_PLUGINS.fullmatch(value) else f"{UNPLUGGED}: -p {value}"
    if kind == MEASURED:
        return f"{MEASURED}: {option}"
    if option in ("-o", "--override-ini") and kind == NARROWED:
        return f"{NARROWED}: {option} {value}" if value.startswith(_SELECTING) else ""
    if kind == UNPLUGGED and option in ("-W", "--pythonwarnings"):
        return f"{WIDER}: -W {value}" if value.startswith("error") else ""
    if kind == NARROWED and value.startswith("$"):
        kind = PATHS  # what a matrix or an input says
    return f"{kind}: {option} {value}".rstrip()


def _before(runner: Runner) -> Iterator[str]:
    """Options of the interpreter, and variables that the tools read."""
    for word in runner.before:
        if word in ("-O", "-OO", "-mO", "-Om"):
            yield f"{HOLLOW}: {word} takes `assert` out"
        if word in MEASURING:
            yield f"{MEASURED}: {word}"
        name, found, value = word.partition("=")
        if name in ("--lines", "--branches", "--functions", "--statements") and value:
            yield f"{THRESHOLD}: {name} {value}"
        elif found:
            yield from variable_marks(runner, name, value)


def variable_marks(runner: Runner, name: str, value: str) -> Iterator[str]:
    """What a variable of the environment does to a command."""
    if name == "PYTHONOPTIMIZE" and value not in ("", "0"):
        yield f"{HOLLOW}: PYTHONOPTIMIZE={value} takes `assert` out"
    elif name == "PYTEST_ADDOPTS":
        yield from option_marks("pytest", tuple(value.split()))
    elif name == "GTEST_FILTER" and value not in ("", "*"):
        yield f"{NARROWED}: GTEST_FILTER={value}"
    elif (
        name == "MAKEFLAGS" and _tool(runner.name) == "make" and re.search(r"(?:^|\s)-?\w*i\w*(?:\s|$)|--ignore", value)
    ):
        yield f"{IGNORED}: MAKEFLAGS={value}"
    elif name == "SKIP" and value and runner.kind not in (TEST, LINT):
        yield f"{FILTERED}: SKIP={value}"
    elif name in ("HUSKY", "LEFTHOOK") and value == "0" and runner.kind not in (TEST, LINT):
        yield f"{OFF}: {name}=0"
