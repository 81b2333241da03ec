"""Formats made of lines: INI, TOML, Makefiles and justfiles, and files of one argument per line."""

from __future__ import annotations

import re
import tomllib

from agentgate_git.model.config_node import SCALAR, ConfigNode, TreeError, listed, scalar, table
from agentgate_git.model.pattern import pattern_of

_SECTION = pattern_of(r"\[([^\]\n]*)\]\s*(?:[#;].*)?$")
_PAIR = pattern_of(r"([^\s:=\[#;][^:=]*?)\s*[:=]\s*(.*)$")
_TOML_HEADER = pattern_of(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_TOML_KEY = pattern_of(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_RULE = pattern_of(r"([^\s#=:][^#=:]*?)\s*(::?)(?!=)\s*([^#]*)")
_VARIABLE = pattern_of(r"(?:export\s+|override\s+)*([\w.-]+)\s*([:?+!]{0,3}=)\s*(.*)$")
_OF_TARGET = pattern_of(
    r"([^\s#=:][^#=:]*?)\s*::?\s*(?:(?:export|override|private)\s+)*([A-Za-z_][\w.-]*)\s*(?:[:?+!]{0,3}=)\s*(.*)$"
)
_CONDITION = pattern_of(r"(ifn?def|ifn?eq)\b\s*(.*)$")
_OTHERWISE = pattern_of(r"else\b\s*(.*)$")
_RECIPE = pattern_of(r"(@?[A-Za-z_][\w-]*)([^:=#]*):(?!=)\s*([^#]*)$")
_QUOTED = pattern_of(r"""\"[^"\n]*\"|'[^'\n]*'""")
_INNER_DOT = pattern_of(r"[\w-]\s?\.(?=\s?[\w-])")
_DOCUMENT = pattern_of(r"<<-?[\"']?(\w+)[\"']?\s*$")
MAX_DEPTH = 60
# Conditions of a Makefile, each counted for every line under it.
MAX_CONDITIONS = 10_000


def read_ini(text: str) -> ConfigNode:
    """Sections of keys; a value that goes on over indented lines is a list of its lines, each with its own number."""
    sections: list[tuple[str, ConfigNode]] = []
    name, start = "", 1
    pairs: list[tuple[str, list[ConfigNode]]] = []

    def close() -> None:
        entries = tuple((key, _value(lines)) for key, lines in pairs)
        sections.append((name, table(start, entries)))

    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip()
        stripped = line.strip()
        if not stripped or stripped.startswith(("#", ";")):
            continue
        if line[0] in " \t" and pairs:
            pairs[-1][1].append(scalar(_without_comment(stripped), number))
        elif (section := _SECTION.match(stripped)) is not None:
            close()
            name, start, pairs = section[1].strip(), number, []
        elif (pair := _PAIR.match(stripped)) is not None:
            pairs.append((pair[1].strip(), [scalar(_without_comment(pair[2]), number)]))
    close()
    return table(1, tuple(one for one in sections if one[0] or one[1].entries))


def _value(lines: list[ConfigNode]) -> ConfigNode:
    if len(lines) == 1:
        return lines[0]
    return listed(lines[0].line, tuple(line for line in lines if line.text))


def _without_comment(text: str) -> str:
    return re.split(r"(?:^|\s)[#;](?=\s)", text, maxsplit=1)[0].strip()


def read_toml(text: str) -> ConfigNode:
    """The tree of a TOML file; lines are those of the keys, found in the text."""
    if any(_has_long_key(line) for line in text.split("\n")):
        raise TreeError(f"a key of it has more than {MAX_DEPTH} parts")
    try:
        loaded = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise TreeError(" ".join(str(error).split())) from None
    return _from_python(loaded, (), _toml_lines(text), 0)


def _has_long_key(line: str) -> bool:
    """True for a line that may hold a dotted key over which the parser would take a time that grows with its square."""
    return line.count(".") > MAX_DEPTH and len(_INNER_DOT.findall(_QUOTED.sub("x", line))) > MAX_DEPTH


def _toml_lines(text: str) -> dict[tuple[str, ...], int]:
    lines: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if (found := _TOML_HEADER.match(line)) is not None:
            header = _toml_path(found[1])
            lines.setdefault(header, number)
        elif (found := _TOML_KEY.match(line)) is not None:
            lines.setdefault((*header, *_toml_path(found[1])), number)
    return lines


def _toml_path(text: str) -> tuple[str, ...]:
    return tuple(one.strip().strip("\"'") for one in re.findall(r"""[\w-]+|"[^"]*"|'[^']*'""", text))


def _from_python(value: object, path: tuple[str, ...], lines: dict[tuple[str, ...], int], depth: int) -> ConfigNode:
    if depth > MAX_DEPTH:
        raise TreeError(f"it is nested more than {MAX_DEPTH} levels deep")
    line = lines.get(path, lines.get(path[:-1], 0))
    if isinstance(value, dict):
        entries = ((str(key), _from_python(one, (*path, str(key)), lines, depth + 1)) for key, one in value.items())
        return table(line, tuple(entries))
    if isinstance(value, list):
        return listed(line, tuple(_from_python(one, path, lines, depth + 1) for one in value))
    if isinstance(value, bool):
        return scalar(str(value).lower(), line)
    return scalar(str(value), line)


def read_make(text: str) -> ConfigNode:
    """`targets` with `needs`, `recipe` (lines) and `variables` of their own, and `variables` of all, in their order.

    A variable or a line of a recipe under conditions has these as its items, each with `not ` before it where it
    stands in the other branch.
    """
    reader = _MakeReader()
    for number, line in _joined(text):
        reader.take(number, line)
    reader.close()
    targets, variables = (table(1, tuple(one)) for one in (reader.targets, reader.variables))
    return table(1, (("targets", targets), ("variables", variables)))


class _MakeReader:
    def __init__(self) -> None:
        self.targets: list[tuple[str, ConfigNode]] = []
        self.variables: list[tuple[str, ConfigNode]] = []
        self._names: tuple[str, ...] = ()
        self._needs, self._start = "", 0
        self._recipe: list[ConfigNode] = []
        self._conditions: list[str] = []
        self._depths: list[int] = []
        self._under = 0

    def take(self, number: int, line: str) -> None:
        """One line, with those that a backslash joins to it."""
        stripped = line.strip()
        if self._is_condition(stripped):
            return
        if self._names and line[:1] in ("\t", " ") and stripped:
            self._recipe.append(self._node(stripped, number))
            return
        if not stripped or stripped.startswith("#"):
            return
        if (found := _VARIABLE.match(stripped)) is not None:
            # What is added to a variable is told as what it becomes: itself, and more.
            text = f"$({found[1]}) {found[3]}" if found[2] == "+=" else found[3]
            self.variables.append((found[1], self._node(text, number)))
        elif (own := _OF_TARGET.match(stripped)) is not None and line[:1] not in "\t ":
            self.close()
            entries = (("variables", table(number, ((own[2], self._node(own[3], number)),))),)
            self.targets.extend((name, table(number, entries)) for name in _targets(own[1]))
        elif (rule := _RULE.match(stripped)) is not None or (rule := _RECIPE.match(stripped)) is not None:
            self._open(rule, number)

    def _open(self, rule: re.Match[str], number: int) -> None:
        self.close()
        self._names, self._needs, self._start = _targets(rule[1]), rule[3].strip(), number
        if ";" in self._needs:
            self._needs, _, first = self._needs.partition(";")
            self._recipe.append(self._node(first.strip(), number))

    def close(self) -> None:
        """What was read of a rule becomes its targets."""
        for name in self._names:
            recipe = listed(self._start, tuple(self._recipe))
            entries = (("needs", scalar(self._needs, self._start)), ("recipe", recipe))
            self.targets.append((name, table(self._start, entries)))
        self._names, self._recipe = (), []

    def _node(self, text: str, number: int) -> ConfigNode:
        self._under += len(self._conditions)
        if self._under > MAX_CONDITIONS:
            raise TreeError("too many lines of it stand under too many conditions")
        return ConfigNode(SCALAR, number, text, tuple(scalar(one) for one in self._conditions))

    def _is_condition(self, stripped: str) -> bool:
        if (found := _CONDITION.match(stripped)) is not None and len(self._conditions) < MAX_DEPTH:
            self._depths.append(len(self._conditions))
            self._conditions.append(f"{found[1]} {found[2]}")
        elif self._depths and (found := _OTHERWISE.match(stripped)) is not None:
            self._conditions[-1] = _turned(self._conditions[-1])
            if (inner := _CONDITION.match(found[1])) is not None and len(self._conditions) < MAX_DEPTH:
                self._conditions.append(f"{inner[1]} {inner[2]}")
        elif self._depths and re.match(r"endif\b", stripped):
            del self._conditions[self._depths.pop() :]
        else:
            return False
        return True


def _turned(condition: str) -> str:
    return condition[4:] if condition.startswith("not ") else f"not {condition}"


def _targets(text: str) -> tuple[str, ...]:
    """The targets of a rule; a recipe of a justfile has one, and parameters after it."""
    return tuple(text.lstrip("@").split()[:20])


def _joined(text: str) -> list[tuple[int, str]]:
    """Lines with those joined that a backslash continues; a recipe keeps its indentation."""
    found: list[tuple[int, str]] = []
    started = 0
    parts: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        started = started or number
        if line.endswith("\\"):
            parts.append(line[:-1])
            continue
        parts.append(line)
        found.append((started, " ".join([parts[0], *(part.strip() for part in parts[1:])])))
        started, parts = 0, []
    if parts:
        found.append((started, " ".join(parts)))
    return found


def read_image(text: str) -> ConfigNode:
    """A list of the instructions of a Dockerfile, each with the lines and the documents that belong to it."""
    found: list[ConfigNode] = []
    parts: list[str] = []
    delimiter, start = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if delimiter:
            if stripped != delimiter:
                parts.append(line)
                continue
            found.append(scalar(f"{parts[0]} " + "\n".join(parts[1:]), start))
            delimiter, parts = "", []
            continue
        if not stripped or stripped.startswith("#"):
            continue
        start = start if parts else number
        document = _DOCUMENT.search(stripped)
        if document is not None:
            delimiter, parts = document[1], [" ".join((*parts, stripped)).partition(" ")[0]]
        elif stripped.endswith("\\"):
            parts.extend(filter(None, (stripped[:-1].rstrip(),)))
        else:
            found.append(scalar(" ".join((*parts, stripped)), start))
            parts = []
    return listed(1, tuple(found))


def read_lines(text: str) -> ConfigNode:
    """A list of the lines that are not empty and no comments."""
    rows = ((number, line.strip()) for number, line in enumerate(text.split("\n"), start=1))
    return listed(1, tuple(scalar(line, number) for number, line in rows if line and not line.startswith("#")))
