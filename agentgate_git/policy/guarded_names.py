"""Which paths are guarded: those that decide what is judged.

Runs in a git hook for every staged path, so: no `re`, no `fnmatch`, one dictionary look-up for most paths.
Paths are compared folded (NFC, case folded): some file systems open `.GitHub` for `.github`.
"""

from __future__ import annotations

from agentgate_git.model.known_paths import CI_NAMES, CI_TOP_FILES, CI_TOP_FOLDERS, FORGE_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Pattern = tuple[str, ...]

# Guarded by their own name, in whatever folder they stand.
_NAMES = CI_NAMES | {".gitattributes", ".gitmodules", ".git-blame-ignore-revs"}
_FORGE_PROSE = ("issue_template", "issue_templates", "pull_request_template", "merge_request_templates")
_FORGE_PROSE_NAMES = frozenset(("funding.yml", "discussion_template", *_FORGE_PROSE))
_GIT_HOOKS = frozenset(
    (
        *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "post-commit"),
        *("prepare-commit-msg", "commit-msg", "pre-rebase", "post-checkout", "post-merge", "post-rewrite"),
        *("pre-push", "pre-receive", "update", "proc-receive", "post-receive", "post-update"),
        *("reference-transaction", "push-to-checkout", "fsmonitor-watchman"),
    )
)
_TEST_FOLDERS = frozenset(("test", "tests", "testing", "spec", "specs", "__tests__"))
# Code points that HFS+ drops when it compares names; git itself ignores the same ones for `.git`.
_DROPPED = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF), None)


def fold(path: str) -> str:
    """The form in which paths are compared: NFC and case folded, without code points that file systems drop."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize  # noqa: PLC0415 - one path in a thousand needs it, every hook start would pay

    return normalize("NFC", normalize("NFC", path.translate(_DROPPED)).casefold())


def is_guarded(path: str, patterns: Iterable[str] = ()) -> bool:
    """True when `path` is guarded, or stands where a guarded path would have to be a folder.

    `patterns` add to the built-in set (`Policy.guarded`): `*` and `?` within one name, `**` over folders; a
    pattern without an inner `/` holds at any depth; what it names is guarded with all that lies below.
    """
    return stands_guarded(fold(path), split_patterns(patterns))


def is_named(path: str, patterns: Iterable[str]) -> bool:
    """True when a pattern names `path` or a folder it lies in; standing above one is not enough, as in a leave."""
    segments = tuple(fold(path).split("/"))
    return any(_covers(pattern, segments) for pattern in split_patterns(patterns))


def split_patterns(patterns: Iterable[str]) -> tuple[Pattern, ...]:
    """Patterns prepared for `stands_guarded`."""
    return tuple(_split(pattern) for pattern in patterns)


def stands_guarded(path: str, patterns: tuple[Pattern, ...]) -> bool:
    """`is_guarded` for a folded path and prepared patterns."""
    top, _, below = path.partition("/")
    folder, _, name = path.rpartition("/")
    if name in _NAMES or top in CI_TOP_FOLDERS:
        return True
    if top in FORGE_FOLDERS:
        return not _is_prose(below)
    if not below and (top in CI_TOP_FILES or top == "docs"):  # a `docs` that is no folder stands above CODEOWNERS
        return True
    if name.startswith("azure-pipelines") and name.endswith((".yml", ".yaml")):
        return True
    if name.startswith("jenkinsfile.") or name.endswith(".jenkinsfile") or path == "docs/codeowners":
        return True
    if name in _GIT_HOOKS:
        return folder.endswith("hooks")
    if name == ".gitignore":
        return not _TEST_FOLDERS.isdisjoint(folder.split("/"))
    return bool(patterns) and _is_matched(tuple(path.split("/")), patterns)


def _is_prose(below: str) -> bool:
    """True for what a forge shows to people: templates, funding, prose."""
    top = below.partition("/")[0]
    return top in _FORGE_PROSE_NAMES or ("/" not in below and below.endswith((".md", ".txt", ".rst")))


def _split(pattern: str) -> Pattern:
    """The segments of a pattern from the top of the tree; `**` comes first when it holds at any depth."""
    trimmed = fold(pattern).rstrip("/")
    segments = tuple(part for part in trimmed.split("/") if part)
    is_anchored = trimmed.startswith("/") or len(segments) > 1
    return segments if is_anchored else ("**", *segments)


def _is_matched(path: Pattern, patterns: tuple[Pattern, ...]) -> bool:
    return any(_covers(pattern, path) or _stands_above(path, pattern) for pattern in patterns)


def _covers(pattern: Pattern, path: Pattern) -> bool:
    """True when the pattern names `path` or a folder it lies in."""
    if not pattern:
        return True
    if pattern[0] == "**":
        rest = pattern[1:]
        return not rest or any(_covers(rest, path[start:]) for start in range(len(path)))
    return bool(path) and _is_glob_match(pattern[0], path[0]) and _covers(pattern[1:], path[1:])


def _stands_above(path: Pattern, pattern: Pattern) -> bool:
    """True when `path` is no folder but takes the place of one that the pattern spells out."""
    return path == pattern[: len(path)] and not any("*" in part or "?" in part for part in path)


def _is_glob_match(glob: str, name: str) -> bool:
    """`*` is any run of characters of one name, `?` any one; linear but for the number of stars."""
    at = star = mark = 0
    position = 0
    has_star = False
    while position < len(name):
        if at < len(glob) and glob[at] == "*":
            star, mark, has_star = at, position, True
            at += 1
        elif at < len(glob) and glob[at] in ("?", name[position]):
            at += 1
            position += 1
        elif has_star:
            at, mark = star + 1, mark + 1
            position = mark
        else:
            return False
    return not glob[at:].strip("*")
