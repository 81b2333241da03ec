"""SimpleCov: what coverage of Ruby has to reach, and what it does not count."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from agentgate_git.model.config_node import ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.source.settings.runs import key

_FLOORS = ("minimum_coverage", "minimum_coverage_by_file", "minimum_coverage_by_group")


def simplecov_settings(name: str, value: ConfigNode) -> Iterator[Setting]:
    """One call; the first of a block stands among the arguments of `SimpleCov.start`."""
    last = name.rpartition(".")[2]
    if name.endswith("SimpleCov.start") or name in ("SimpleCov.start", "SimpleCov.configure"):
        words = [item.text for item in value.items]
        for before, text in pairwise(words):
            yield from _called(before, (text,), value)
        if words and words[-1] in _FLOORS:
            yield from _called(words[-1], (), value)
    elif last in (*_FLOORS, "add_filter", "maximum_coverage_drop"):
        yield from _called(last, value.words(), value)


def _called(name: str, words: tuple[str, ...], value: ConfigNode) -> Iterator[Setting]:
    if name in _FLOORS:
        if words and words[0].replace(".", "").isdigit():
            yield Setting(key("coverage", "threshold", name), words[0], value.line)
        for kind, one in value.entries:
            if kind in ("line", "branch", "method", ":line", ":branch") and one.text:
                what = name if kind.strip(":") == "line" else f"{name} {kind.strip(':')}"
                yield Setting(key("coverage", "threshold", what), one.text, one.line)
    elif name == "add_filter":
        for word in words:
            yield Setting(key("coverage", "hidden"), word.strip("/"), value.line)
    elif name == "maximum_coverage_drop":
        for word in words:
            yield Setting(key("coverage", "tolerance", name), word, value.line)
