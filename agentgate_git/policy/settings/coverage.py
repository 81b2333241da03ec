"""Coverage that looks at less: sources of which only parts are left, and demands that are loosened in two ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.patterns import above

_SOURCE_FILE = pattern_of(
    r"[^*?\[{]+/[^*?\[{/]+\.(?:py|[cm]?[jt]sx?|vue|svelte|rs|go|java|kts?|rb|php|cs|fs|swift|exs?|dart|scala|cc|cpp|cxx|c|m)"
)
_SOURCES = ("coverage > source", "coverage > source_pkgs", "coverage > include")
Files = Mapping[str, tuple[Setting, ...]]


def source_changes(base: Files, head: Files) -> Iterator[GateChange]:
    """Sources of the base of which the head names only modules or folders inside them."""
    for path, after in head.items():
        old = {_plain(one.value) for one in base.get(path, ()) if one.key in _SOURCES}
        new = [one for one in after if one.key in _SOURCES]
        values = {_plain(one.value) for one in new}
        inside: dict[str, list[Setting]] = {}
        for one in new:
            for folder in above(_plain(one.value)):
                inside.setdefault(folder, []).append(one)
        fresh = sum(_plain(one.value) not in old for one in new)
        for gone in sorted(old - values):
            parts = inside.get(gone, [])
            is_covered = not values.isdisjoint(("", ".", *above(gone)))
            if parts and not is_covered and len(parts) == fresh:
                named = ", ".join(one.value for one in parts)
                yield GateChange(BLOCK, path, parts[0].line, f"coverage measures only {named} of {gone}")


def _plain(value: str) -> str:
    """A module or a folder as a path, so that both can be compared."""
    plain = value.strip("\"'").removeprefix("./").rstrip("/*")
    return plain.removesuffix(".py") if "/" in plain else plain.removesuffix(".py").replace(".", "/")


def has_threshold(settings: Mapping[tuple[str, str], int]) -> bool:
    """True where coverage has to reach a number; `settings` are keys and values, and how often each stands."""
    return any(
        count > 0 and key.startswith(("coverage > fail_under", "coverage > threshold"))
        for (key, _), count in settings.items()
    )


def is_source_file(name: str) -> bool:
    """True for the path of one file of code, false for a pattern and a folder."""
    return _SOURCE_FILE.fullmatch(name) is not None


def loosened_together(changes: Iterable[GateChange]) -> Iterator[GateChange]:
    """The changes of keys; of a file that asks less of coverage in two ways at once, none of those only warns.

    One threshold that is lowered may be what the code came to. One that is gone, and files that no longer count or
    another that is lowered beside it, leave nothing that says no.
    """
    found = tuple(changes)
    ways: dict[str, set[str]] = {}
    for one in found:
        if one.severity in (WARN, BLOCK) and one.key.startswith("coverage > "):
            ways.setdefault(one.path, set()).add(_way(one))
    for one in found:
        is_one_of_two = one.key.startswith("coverage > ") and len(ways.get(one.path, ())) > 1
        yield one._replace(severity=BLOCK) if is_one_of_two and one.severity == WARN else one


def _way(change: GateChange) -> str:
    """The way in which it asks less: the kind of key, and whether a threshold is gone or lowered."""
    kind = change.key.split(" > ")[1].replace("fail_under", "threshold")
    is_gone = kind == "informational" or (not change.line and kind != "branch")
    return "threshold gone" if is_gone else kind
