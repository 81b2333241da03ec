"""Scripts, package scripts and tox: where commands stand outside of YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, NOTHING, SCALAR, TABLE, ConfigNode, TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_tables import IGNORED, OFF
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.commands.shell_syntax import quoted
from agentgate_git.source.settings.bounded import whole
from agentgate_git.source.settings.runs import Around, joined, key, runs
from agentgate_git.source.settings.starts import start_settings
from agentgate_git.source.settings.variables import Variables

_POSARGS = pattern_of(r"\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}")
_ENVIRONMENT = pattern_of(r"\{env:\w+:([^{}]*)\}")
_REFERENCE = pattern_of(r"\{\[([^\]{}]+)\](\w+)\}")
# Commas and spaces between braces part nothing.
_ENVIRONMENTS = pattern_of(r"(?:\{[^{}]*\}|[^,\s])+")
_FACTORS = pattern_of(r"^[\w,.!{}-]+:\s+(?=\w+\s*=)")
_ALL_OF = pattern_of(r"((?:npm|yarn|pnpm):)?\b([\w-]+:)\*{1,2}")
# What tox compares the name of the system with, and Linux has none of these.
_OF_OTHERS = pattern_of(
    r"\^?\(?(?:win32|win|windows|nt|darwin|macos|cygwin|aix|freebsd\d*)\)?(?:\|(?:win32|darwin|cygwin))*\$?"
)
_MAX_SPELLED = 40
_LOOSE, _STRICT = ShellKind(), ShellKind(True, False)
# What commands of tox say again of other sections.
_MAX_REFERRED = 100_000


def script_settings(path: str, tree: ConfigNode) -> Iterator[Setting]:
    """A script of shell; those of hook managers stop at the first failure only when they say so, and those of husky do.

    It starts them by `sh -e`.
    """
    shell = _STRICT if path.rpartition("/")[0].endswith(".husky") else _LOOSE
    yield from runs(tree.text, Around(path.rpartition("/")[2], shell=shell))


def package_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The scripts of package.json, composer.json and deno.json, and which of them start tests."""
    found = whole(_package_scripts(tree))
    yield from found
    names = [name for holder in ("scripts", "tasks") for name, _ in tree.get(holder).entries]
    known = frozenset(names)
    beside = {name: known.intersection((f"pre{name}", f"post{name}")) for name in names}
    yield from start_settings(found, beside, ("npm", "yarn", "pnpm", "bun", "composer", "deno"))


def _package_scripts(tree: ConfigNode) -> Iterator[Setting]:
    for holder in ("scripts", "tasks"):
        spelled = _Spelled(tuple(name for name, _ in tree.get(holder).entries))
        for name, value in tree.get(holder).entries:
            node = value.get("command") if value.kind == TABLE else value
            nodes = node.items if node.kind == LIST else (node,)
            for one in nodes:
                text, lines = joined((one,))
                yield from runs(spelled.out(text), Around(name, shell=_LOOSE), lines)


class _Spelled:
    """`run-s test:*`: the scripts whose names begin so, as far as a file asks for few."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._left = _MAX_SPELLED

    def out(self, text: str) -> str:
        """A command with these names in the place of their pattern."""
        return _ALL_OF.sub(self._named, text) if ":*" in text else text

    def _named(self, found: re.Match[str]) -> str:
        self._left -= 1
        begins = found[2]
        names = [one for one in self._names if one.startswith(begins)] if self._left >= 0 else []
        return " ".join(f"{found[1] or ''}{one}" for one in names[:_MAX_SPELLED]) or found[0]


def tox_settings(tree: ConfigNode) -> Iterator[Setting]:
    """tox.ini, tox.toml and their copies in setup.cfg and pyproject.toml, as sections of `commands`."""
    for option in ("envlist", "env_list"):
        node = tree.get("tox", option) if tree.get("tox").has(option) else tree.get(option)
        for word in _ENVIRONMENTS.findall(" ".join(node.words())):
            yield Setting(key("default", "tox"), word, node.line)
    references = _References(tree)
    for name, section in tree.entries:
        if section.kind != TABLE or not (name.startswith("testenv") or name in ("env", "env_run_base", "tox")):
            continue
        if name == "env":
            for inner, environment in section.entries:
                yield from _environment(inner, environment, references)
        else:
            yield from _environment(name, section, references)


def _environment(name: str, section: ConfigNode, references: _References) -> Iterator[Setting]:
    marks = (f"{IGNORED}: `ignore_outcome`",) if section.get("ignore_outcome").is_true() else ()
    platform = section.get("platform").text.strip()
    if _OF_OTHERS.fullmatch(platform):
        marks = (*marks, f"{OFF}: `platform = {platform}`, which Linux is not")
    variables = Variables((*_variables(section.get("setenv")), *_variables(section.get("set_env"))))
    for part in ("commands", "commands_pre", "commands_post"):
        for words, line in _tox_commands(section.get(part)):
            text = _POSARGS.sub(lambda found: found[1] or "", references.filled(words))
            text = _ENVIRONMENT.sub(r"\1", text)
            is_ignored = text.lstrip().startswith(("- ", "-\t"))
            text = text.lstrip().removeprefix("-").lstrip("! ") if is_ignored else text
            marks_of_it = (*marks, f"{IGNORED}: `-` before it") if is_ignored else marks
            around = Around(name, marks_of_it, variables, _LOOSE)
            yield from runs(re.sub(r"^[\w,.!-]+:\s+", "", text), around, (line,))


def _variables(node: ConfigNode) -> tuple[tuple[str, str], ...]:
    """`setenv`: a line `NAME = VALUE` each, perhaps of some factors alone, or a table."""
    if node.kind == TABLE:
        return tuple((name, value.text) for name, value in node.entries)
    lines = (line for word in node.words() for line in word.split("\n"))
    pairs = (_FACTORS.sub("", line.strip()).partition("=") for line in lines)
    return tuple((name.strip(), value.strip()) for name, found, value in pairs if found)


class _References:
    """`{[section]key}` is what stands there, as far as that is one command."""

    def __init__(self, tree: ConfigNode) -> None:
        self._sections: dict[str, ConfigNode] = {}
        for name, section in tree.entries:
            self._sections.setdefault(name, section)
        self._values: dict[tuple[str, str], str] = {}
        self._left = _MAX_REFERRED

    def filled(self, words: str) -> str:
        """A command with what it refers to; TreeError where that is too much."""
        return _REFERENCE.sub(self._value, words)

    def _value(self, found: re.Match[str]) -> str:
        place = (found[1], found[2])
        if place not in self._values:
            self._values[place] = " ".join(self._sections.get(place[0], NOTHING).get(place[1]).words()[:1])
        self._left -= len(self._values[place])
        if self._left < 0:
            raise TreeError(f"its commands refer to more than {_MAX_REFERRED} characters of others")
        return self._values[place]


def _tox_commands(node: ConfigNode) -> Iterator[tuple[str, int]]:
    if node.kind == SCALAR:
        yield from ((line, node.line + offset) for offset, line in enumerate(node.text.split("\n")) if line.strip())
        return
    held = ""
    for item in node.items:
        if item.kind == LIST:  # tox.toml: a command is a list of its words
            yield " ".join(quoted(word) for word in item.words()), item.line
        elif item.text.endswith("\\"):
            held += item.text[:-1] + " "
        else:
            yield held + item.text, item.line
            held = ""
