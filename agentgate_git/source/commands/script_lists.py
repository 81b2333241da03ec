"""Commands that start several others by their names: `run-s lint test`, `concurrently "npm:test" "yarn lint"`."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import SHELLS, words_of

_BY_NAME = words_of("run-s run-p npm-run-all npm-run-all2 run-z")
_BY_TEXT = words_of("concurrently conc")
_WRAPPERS = words_of("npx yarn pnpm bunx exec dlx run --")
# Options whose next word is their value.
_VALUED = words_of("""
    --max-parallel --npm-path -n --names -c --prefix-colors --name-separator -m --max-processes -s --success -p --prefix
    --restart-tries --restart-after --kill-signal --hide --teardown -l --prefix-length -t --timestamp-format
""")
_PATH = pattern_of(r"(?:\./)?((?:[\w.-]+/)+[\w.-]+|[\w.-]+\.(?:sh|bash))")
_STARTERS = SHELLS | words_of("sudo env time nice exec command . source")
_OF_CI = ("circleci", "tests", "run")


def listed(words: tuple[str, ...]) -> str:
    """What such a command starts, as a text of shell in which each part counts; empty for any other command."""
    while words and words[0] in _WRAPPERS:
        words = words[1:]
    head = words[0].rpartition("/")[2] if words else ""
    if head in _BY_NAME:
        return " && ".join(f"npm run {name}" for name in _given(words[1:], valued=frozenset(("--max-parallel",))))
    if head in _BY_TEXT:
        return " && ".join(_started(text) for text in _given(words[1:], valued=_VALUED))
    if words[:3] == _OF_CI:
        return next((one.partition("=")[2] for one in words if one.startswith("--command=")), "")
    return ""


def script_of(words: tuple[str, ...]) -> str:
    """The script of a repository that a command starts, by its path; empty for any other command."""
    at = 0
    while at < len(words) and (words[at].rpartition("/")[2] in _STARTERS or (at and words[at].startswith("-"))):
        at += 1
    found = _PATH.fullmatch(words[at]) if at < len(words) else None
    return found[1] if found is not None and ".." not in found[1] else ""


def _given(words: tuple[str, ...], valued: frozenset[str]) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(words):
        if words[at].startswith("-"):
            at += 2 if words[at] in valued else 1
            continue
        found.append(words[at])
        at += 1
    return found


def _started(text: str) -> str:
    """`npm:test` is `npm run test`."""
    parts = text.split()
    if not parts or not all(one.startswith(("npm:", "yarn:", "pnpm:", "bun:")) for one in parts):
        return text
    return " && ".join(" run ".join(one.split(":", 1)) for one in parts)
