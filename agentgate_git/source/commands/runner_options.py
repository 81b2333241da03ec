"""What the options of a test command do to its selection and to its status.

A mark is `CLASS: TEXT`. IGNORED and OFF take the force out of the whole run, NARROWED leaves out tests by name,
FILTERED by group, PATHS says which files are run, RETRIED runs failures again and SPARED says which of them not,
HOLLOW runs tests whose checks do nothing, REWRITES lets the run write what it should compare with, WIDER is an option
whose loss loses tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_tables import (
    ANY,
    FILTERED,
    FLAGS,
    HOLLOW,
    MEASURED,
    NARROWED,
    OFF,
    OTHER_WORK,
    PATH_TOOLS,
    PATHS,
    RETRIED,
    TOOLS,
    UNPLUGGED,
    VALUE_OPTIONS,
    WIDER,
)

_HARMLESS_PLUGINS = pattern_of(
    r"no:(?:cacheprovider|warnings|xdist|randomly|random_order|sugar|terminal|pretty|cov|benchmark|logging|faulthandler|"
    r"twisted|trio|asyncio|anyio|django|flask|celery|doctest|legacypath|nose|"
    r"pytest_randomly|capture|pastebin|junitxml|agentgate)|[^n].*|n[^o].*"
)
# Plugins that find tests: test cases of unittest, and all others.
_COLLECTORS = frozenset(("no:unittest", "no:python"))
# What pytest reads of the folder that it starts in, told or not.
_FOUND_ANYWAY = frozenset(
    ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
)
_LEFT_OUT = pattern_of(
    r"((?:filter-out|filter|subst|firstword|lastword|grep (?:-\w+ )*-\w*v\w*|grep -L|(?:!|-not) -i?(?:name|path))) ?"
    r"((?:\"[^\"]*\"|'[^']*'|[^\s,()|`])*)"
)
_NO_TESTS = pattern_of(
    r"vendor|node_modules|third[-_]?party|examples?\b|mocks?\b|fakes?\b|generated|testdata|fixtures|proto|/cmd|tools?\b|\bbuild|"
    r"dist\b|docs?\b|\.git|%\.|%_test|\*\.|^%$|helpers?|__\w+__|_build|deps\b|target\b|\bbin\b|setup|benchmarks?",
    re.IGNORECASE,
)
_DOTTED = pattern_of(r"[A-Za-z_]\w{0,80}(?:\.[A-Za-z_]\w{0,80}){1,12}")
_SELECTING = ("python_", "testpaths", "addopts", "norecursedirs", "collect", "filterwarnings")
TABLES = {tool: {**ANY, **table} for tool, table in TOOLS.items()}
_ZERO_STATUS = frozenset(("--failure-exit-code", "--exit-status", "--exit-code", "--issues-exit-code"))
_EVERY_LINT = frozenset(("warnings", "clippy::all", "allow"))
# Every package below a folder, which a list of some takes the place of.
_ALL_PACKAGES = "./..."
_GO = frozenset(("go test", "gotestsum"))
_TRUTHS = frozenset(("", "true", "1", "yes", "on"))


def option_marks(tool: str, words: tuple[str, ...], table: dict[str, str] | None = None) -> Iterator[str]:
    """The marks of the arguments of a tool."""
    known = table if table is not None else TABLES.get(tool, ANY)
    takes_value = VALUE_OPTIONS.get(tool, set())
    at = 0
    if words and words[0] in OTHER_WORK.get(tool, ()):
        yield f"{OFF}: {words[0]}"
    if tool in _GO and any(word.startswith("$") or _ALL_PACKAGES in word for word in words):
        yield f"{WIDER}: {_ALL_PACKAGES}"
    while at < len(words):
        option, value, step = _option(words, at, known)
        at += step
        if option in known:
            mark = _mark(known[option], option, value)
            if mark:
                yield mark
        elif option in takes_value and step == 1 and not value:
            # A value may be left away: what the tool knows as another option is none.
            at += not (at < len(words) and words[at].partition("=")[0] in known)
        elif not option and value.startswith(("$(", "`")):
            yield from _substituted(value)
        elif not option and tool in PATH_TOOLS:
            path = value.removeprefix("./").rstrip("/")
            path = _spelled_out(path) if tool == "unittest" else path
            if _is_a_path(path):
                yield f"{PATHS}: {path}"


def _substituted(word: str) -> Iterator[str]:
    """What a command or a function of make leaves out of the arguments that it finds."""
    for found in _LEFT_OUT.finditer(word):
        left_out = found[2].strip(" \"'")
        if left_out and not _NO_TESTS.search(left_out):
            yield f"{NARROWED}: {found[1].strip()} {left_out}"


def _spelled_out(name: str) -> str:
    """What unittest is given by its dotted name, as pytest would have it: `tests/test_a.py::CaseTest::test_b`."""
    if not _DOTTED.fullmatch(name) or name.endswith(".py"):
        return name
    parts = name.split(".")
    at = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts))
    if at == len(parts) and not parts[-1].startswith("test_"):
        return "/".join(parts)
    if at == len(parts) and len(parts) > 2 and parts[-2].startswith("test_"):
        at -= 1
    return "::".join((f"{'/'.join(parts[:at])}.py", *parts[at:]))


def _is_a_path(word: str) -> bool:
    return (
        bool(word)
        and word not in ("discover", "run", "--", "{posargs}", ".", "...", "*", "&")
        and "$" not in word
        and "{" not in word
    )


def tool_of(name: str) -> str:
    """The tool of a runner whose table its options stand in."""
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
        if short not in FLAGS and known[short] in (NARROWED, FILTERED, UNPLUGGED, PATHS, WIDER, HOLLOW):
            return short, rest, 1
    return word, "", 1


def _mark(kind: str, option: str, value: str) -> str:
    if not kind or value.lower() in ("false", "no", "off"):
        return ""
    if option in _ZERO_STATUS and value != "0":
        return ""
    if option == "--audit-level" and value != "none":
        return ""
    if kind == OFF and option.startswith(("-D", "-P")) and value.lower() not in _TRUTHS:
        return ""
    if kind == HOLLOW and option == "--assert" and value != "plain":
        return ""
    if kind == HOLLOW and option in ("-A", "--allow", "--cap-lints") and value not in _EVERY_LINT:
        return ""
    if option == "--inline-snapshot" and value in ("disable", "report", "review", "short-report"):
        return ""
    if option in ("--record-mode", "--vcr-record") and value in ("none", "once"):
        return ""
    if kind == RETRIED and value in ("0", "1") and option != "--repeat":
        return ""
    if kind == UNPLUGGED and option == "-p" and value in _COLLECTORS:
        return f"{NARROWED}: -p {value}"
    if kind == UNPLUGGED and option in ("-c", "--config-file") and value.removeprefix("./") in _FOUND_ANYWAY:
        return ""
    if kind == UNPLUGGED and option == "-p":
        return "" if _HARMLESS_PLUGINS.fullmatch(value) else f"{UNPLUGGED}: -p {value}"
    if kind == MEASURED:
        return f"{MEASURED}: {option}"
    if option in ("-o", "--override-ini") and kind == NARROWED:
        return f"{NARROWED}: {option} {value}" if value.startswith(_SELECTING) else ""
    if kind == UNPLUGGED and option in ("-W", "--pythonwarnings"):
        return f"{WIDER}: -W {value}" if value.startswith("error") else ""
    if kind == PATHS and value in (".", "./", "$PWD"):
        return ""
    if kind == PATHS and value.lstrip("\"'{").startswith("!"):
        kind = NARROWED  # a package that is left out, where any other way names what is taken
    if kind == NARROWED and value.startswith("$"):
        kind = PATHS  # what a matrix or an input says
    return f"{kind}: {option} {value}".rstrip()
