"""What stands around what: spans around spans, suites around tests."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.source.languages.syntax import Span


def parents(spans: list[Span]) -> list[int]:
    """For each of some spans, in order, the number of the one around it, -1 where there is none."""
    found: list[int] = []
    for number, span in enumerate(spans):
        around = number - 1
        while around >= 0 and spans[around].end <= span.start:
            around = found[around]
        found.append(around)
    return found


def suites_of(name: str) -> Iterator[str]:
    """The names of the suites around a test, the whole file first."""
    yield ""
    parts = name.split("::")
    yield from ("::".join(parts[:end]) for end in range(1, len(parts)))
