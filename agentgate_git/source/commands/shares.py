"""Runs that take one share of all tests, of which other runs take the rest: `--splits 4 --group 1`, `--shard=1/4`."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of

# The option that says which share, and the one that says of how many.
_PAIRS = {
    "pytest": (("--group", "--splits"), ("--shard-id", "--num-shards"), ("--test-group", "--test-group-count")),
    "flutter test": (("--shard-index", "--total-shards"),),
    "dart test": (("--shard-index", "--total-shards"),),
}
_AT_ONCE = {
    **dict.fromkeys(("jest", "vitest", "playwright test", "bun test"), "--shard"),
    "cargo nextest": "--partition",
}
_SHARE = pattern_of(r"(?:\w+:)?(\d{1,4})/(\d{1,4})")


def share_of(tool: str, words: tuple[str, ...]) -> str:
    """The share that is spelled out, as `--group 1 of 4`; empty where a matrix or nobody says it."""
    options = _PAIRS.get(tool, ())
    at_once = _AT_ONCE.get(tool, "")
    if not (options or at_once):
        return ""
    given = dict(_given(words))
    found = _SHARE.fullmatch(given.get(at_once, "")) if at_once else None
    if found is not None:
        return _told(at_once, found[1], found[2])
    for which, count in options:
        if which in given and count in given:
            return _told(which, given[which], given[count])
    return ""


def _given(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Options with their values, by `=` or as the next word."""
    pairs = []
    for at, word in enumerate(words):
        name, found, value = word.partition("=")
        if word.startswith("--"):
            pairs.append((name, value if found else "".join(words[at + 1 : at + 2])))
    return pairs


def _told(option: str, share: str, count: str) -> str:
    is_one_of_many = share.isdigit() and count.isdigit() and int(count) > 1
    return f"{option} {share} of {count}" if is_one_of_many else ""
