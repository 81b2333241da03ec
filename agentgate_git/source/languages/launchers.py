"""Programs that run the tests of Java themselves, and what they make of the result."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code, Item

_LAUNCHES = pattern_of(
    r"LauncherFactory\.create\(.{0,80}\)\.execute\(|\blauncher\.execute\(|JUnitCore(?:\(\))?\.run(?:Classes)?\("
    r"|new JUnitCore\(\)|new TestNG\("
)
_TELLS = pattern_of(r"\b(?:exit|halt|exitProcess)\(|\bthrow\b|\breturn \w|assert|getStatus\(|fail\(")


def silent_launchers(code: Code) -> Iterator[tuple[Item, str]]:
    """Each `main` that runs tests and ends as a success whatever they said."""
    if not (code.says(b"launcher") or code.says(b"JUnitCore") or code.says(b"TestNG")):
        return
    for item in code.items:
        if item.kind == "function" and code.text(item.part("name")) == "main":
            text = code.normal(item.part("body"))
            if _LAUNCHES.search(text) and _TELLS.search(text) is None:
                yield item, "main drops the result of the tests"
