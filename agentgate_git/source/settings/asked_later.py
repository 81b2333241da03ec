"""Steps whose failure a later step of the same job gives back: `steps.ID.outcome`, or an output that tells of it.

A step that keeps its failure to itself is none that counts, unless what comes after it asks and then fails. Nothing is
run: in the later step the failure is put in the place of what is asked for, and what follows from that is worked out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.config_node import SCALAR, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_tables import IGNORED
from agentgate_git.source.commands.shell_ends import surely_fails
from agentgate_git.source.commands.shell_syntax import shell_commands
from agentgate_git.source.settings.expression import on_changes
from agentgate_git.source.settings.runs import RUN

MAX_ASKED = 200
_ASKED = pattern_of(r"\bsteps\s?\.\s?([\w-]+)\.(outcome|conclusion|outputs\.[\w-]+)")
_WRITTEN = pattern_of(r"\b([A-Za-z_][\w-]{0,60})=([^\s\"'>;|&]{0,100})[\"']?\s{0,9}>>\s{0,9}[\"']?\$\{?GITHUB_OUTPUT")
_EXPRESSION = pattern_of(r"\$\{\{([^{}]*)\}\}")
_FAILS = pattern_of(r"\bcore\.setFailed\s*\(|\bprocess\.exit\s*\(\s*[1-9]")
_PLAIN = pattern_of(r"\s*'([^']*)'\s*")


class AskedLater:
    """What the steps of one job ask of those before them."""

    def __init__(self, steps: tuple[ConfigNode, ...]) -> None:
        self._given: dict[str, dict[str, str]] = {}
        asking = [step for step in steps if _ASKED.search(_texts(step))]
        for step in steps if asking else ():
            name = step.get("id").text
            if name and len(self._given) < MAX_ASKED:
                self._given[name] = {"outcome": "failure", **_outputs(step.get("run").text)}
                self._given[name]["conclusion"] = "success" if _keeps_failure(step) else "failure"
        self._heard: dict[str, set[str]] = {}
        for step in asking[:MAX_ASKED]:
            asked = {(found[1], found[2]) for found in _ASKED.finditer(_texts(step))}
            for name, what in asked if self._fails(step) else ():
                self._heard.setdefault(name, set()).add(what)

    def heard(self, step: ConfigNode, found: Iterable[Setting]) -> Iterator[Setting]:
        """The settings of a step, without that its failure is kept where a later step gives it back."""
        asked = self._heard.get(step.get("id").text, set())
        for one in found:
            if not asked or not one.key.startswith(f"{RUN} > "):
                yield one
                continue
            marks = (mark for mark in one.value.split("\n") if not _is_told(mark, asked))
            yield one._replace(value="\n".join(marks))

    def _fails(self, step: ConfigNode) -> bool:
        """True for a step that runs and fails where what it asks for failed."""
        condition = step.get("if").text
        if condition and on_changes(self._filled(condition, quoted=True)) != (True, True):
            return False
        if _keeps_failure(step):
            return False
        script = step.get("with", "script").text
        if script and _FAILS.search(script):
            return bool(condition)
        text = self._filled(step.get("run").text)
        for name, value in step.get("env").entries:
            if value.kind == SCALAR and _ASKED.search(value.text):
                told = self._filled(value.text)
                text = text.replace(f"${{{name}}}", told).replace(f"${name}", told)
        return bool(text) and surely_fails(shell_commands(text))

    def _filled(self, text: str, *, quoted: bool = False) -> str:
        """A text with the failure in the place of what it asks for."""

        def value(found: re.Match[str]) -> str:
            what = found[2].removeprefix("outputs.")
            held = self._given.get(found[1], {}).get(what)
            return found[0] if held is None else f"'{held}'"

        filled = _ASKED.sub(value, text)
        return filled if quoted else _EXPRESSION.sub(_worked_out, filled)


def _keeps_failure(step: ConfigNode) -> bool:
    return step.has("continue-on-error") and not step.get("continue-on-error").is_false()


def _is_told(mark: str, asked: set[str]) -> bool:
    """True for a failure that is kept, and told in the way that a later step asks for."""
    if not mark.startswith(f"{IGNORED}: "):
        return False
    if mark.endswith("`continue-on-error`"):
        return "outcome" in asked
    return any(f"{one.removeprefix('outputs.')}=" in mark for one in asked if one.startswith("outputs."))


def _worked_out(found: re.Match[str]) -> str:
    plain = _PLAIN.fullmatch(found[1])
    if plain:
        return plain[1]
    both = set(on_changes(found[1]))
    return str(both.pop()).lower() if both in ({True}, {False}) else found[0]


def _texts(step: ConfigNode) -> str:
    """All that a step may ask in."""
    return "\n".join(_asked_in(step))


def _asked_in(step: ConfigNode) -> Iterator[str]:
    yield step.get("if").text
    yield step.get("run").text
    yield step.get("with", "script").text
    yield from (value.text for _, value in step.get("env").entries)


def _outputs(text: str) -> dict[str, str]:
    """What a script hands on under its names where what it runs failed: a status is that of a failure."""
    if "GITHUB_OUTPUT" not in text:
        return {}
    return {found[1]: "1" if "$" in found[2] else found[2] for found in _WRITTEN.finditer(text)}
