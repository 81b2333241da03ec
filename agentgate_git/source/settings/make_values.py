"""Variables of a Makefile: what stands in their places, and which conditions hold where nobody sets any other."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping

from agentgate_git.model.config_node import ConfigNode, TreeError
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_guards import is_given

_REFERENCE = pattern_of(r"\$[({]([\w.-]+)[)}]")
# Functions that give back the words they are given.
_PASSING = pattern_of(r"\$[({](?:wildcard|sort|strip|abspath|realpath) ([^(){}$]*)[)}]")
# Words of which each gets something before or behind it; a short list of them.
_EACH = pattern_of(r"\$[({]add(pre|suf)fix ([^(){}$, ]{1,40}),([^(){}$]{1,400})[)}]")
_IS_DEFINED = pattern_of(r"if(n?)def\s+([\w.-]+)")
_IS_EQUAL = pattern_of(r"if(n?)eq\s*(?:\(([^,]*),(.*)\)|[\"']([^\"']*)[\"']\s+[\"']([^\"']*)[\"'])\s*$")
_MAX_DEPTH = 4
_MAX_LENGTH = 20_000
# What variables may add to the recipes of a file; those of large projects add some tens of thousands of characters.
_MAX_GROWN = 100_000


def values_of(variables: ConfigNode, known: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of a file; flags are added to from several places, of others the last counts that is set at all."""
    found: dict[str, str] = {}
    all_of_them = found if known is None else ChainMap(found, dict(known))
    for name, value in variables.entries:
        if value.items and untrue(value, all_of_them):
            continue
        is_added = name.endswith("FLAGS") and name not in (".SHELLFLAGS", "MAKEFLAGS")
        text = value.text
        if name not in found and text.startswith(f"$({name}) "):
            text = text.partition(" ")[2]  # added to what nobody set
        uses = text.count(f"$({name})") + text.count(f"${{{name}}}")
        is_added = is_added and not uses
        if uses and uses * len(found.get(name, "")) < _MAX_LENGTH and name in found:
            # `X := $(filter-out a,$(X))` says what became of it
            text = text.replace(f"$({name})", found[name]).replace(f"${{{name}}}", found[name])
        found[name] = f"{found[name]} {text}" if is_added and name in found else text
    return found


def expanded(text: str, values: Mapping[str, str]) -> str:
    """A line with the variables of its file, and those in them; `$$` is a dollar of the shell."""
    left = _MAX_LENGTH

    def value(found: re.Match[str]) -> str:
        nonlocal left
        shown = values.get(found[1], found[0]) if found[1] != "MAKE" else "make"
        left -= len(shown)
        return shown if left > 0 else found[0]

    for _ in range(_MAX_DEPTH):
        before = text
        text = _PASSING.sub(r"\1", _EACH.sub(_fixed, _REFERENCE.sub(value, text)))
        if text == before or len(text) > _MAX_LENGTH:
            break
    return text.replace("$$", "$")


def _fixed(found: re.Match[str]) -> str:
    """What `addprefix` and `addsuffix` make of words."""
    is_before, fix, words = found[1] == "pre", found[2], found[3].split()
    return " ".join(f"{fix}{word}" if is_before else f"{word}{fix}" for word in words)


class Expansions:
    """What the recipes of one file come to in all: lines may be short and what they stand for long."""

    def __init__(self) -> None:
        self._left = _MAX_GROWN
        self._values: dict[int, Values] = {}

    def of(self, values: Mapping[str, str]) -> Values:
        """The variables of a place, made once."""
        return self._values.setdefault(id(values), Values(values, self))

    def count(self, grown: int) -> None:
        """A line has grown by so many characters; TreeError where it is too much in all."""
        self._left -= max(0, grown)
        if self._left < 0:
            raise TreeError(f"its variables make its recipes more than {_MAX_GROWN} characters longer")


class Values:
    """The variables where a recipe stands."""

    def __init__(self, values: Mapping[str, str], whole: Expansions) -> None:
        self._values = values
        self._whole = whole
        self._holds: dict[str, bool | None] = {}

    def expanded(self, text: str) -> str:
        """A line with its variables (`expanded`), which counts for the whole file."""
        shown = expanded(text, self._values)
        self._whole.count(len(shown) - len(text))
        return shown

    def untrue(self, node: ConfigNode) -> str:
        """Why a line under conditions is not there (`untrue`); each condition is looked at once."""
        return untrue(node, self._values, self._holds)


def untrue(node: ConfigNode, values: Mapping[str, str], known: dict[str, bool | None] | None = None) -> str:
    """Why what stands under conditions is not there, where nobody sets a variable; empty for what may be.

    `known` is what the conditions came to that were looked at before.
    """
    seen: dict[str, bool | None] = {} if known is None else known
    for condition in node.items:
        text = condition.text
        is_turned = text.startswith("not ")
        plain = text.removeprefix("not ")
        if plain not in seen:
            seen[plain] = _holds(plain, values)
        if seen[plain] is is_turned:
            return f"it stands under `{'else of ' if is_turned else ''}{text.removeprefix('not ')[:40]}`"
    return ""


def _holds(condition: str, values: Mapping[str, str]) -> bool | None:
    """Whether a condition holds, None for what only a run can tell."""
    found = _IS_DEFINED.match(condition)
    if found is not None:
        if found[2] not in values and is_given(found[2]):
            return None
        return bool(values.get(found[2], "")) != bool(found[1])
    found = _IS_EQUAL.match(condition)
    if found is None:
        return None
    left, right = (
        _plain(one, values) for one in ((found[2], found[3]) if found[2] is not None else (found[4], found[5]))
    )
    return None if left is None or right is None else (left == right) != bool(found[1])


def _plain(text: str, values: Mapping[str, str]) -> str | None:
    shown = _PASSING.sub(r"\1", expanded(text.strip(), values))
    missing = _REFERENCE.fullmatch(shown)
    if missing is not None and not is_given(missing[1]):
        return ""
    return None if "$" in shown else shown.strip()
