"""Patterns that say which files, classes and functions are tests, and which paths hold any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from string import ascii_lowercase, ascii_uppercase

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.globs import is_glob, lost, probes, takes
from agentgate_git.policy.settings.regexes import lost_by_regex, takes_by_regex

# What a runner finds by itself, and names that stand for any test of an ordinary project, by how they may begin.
_DEFAULTS = {
    "pytest > python_files": (("test_*.py", "*_test.py"), tuple(f"test_{one}qzx.py" for one in ascii_lowercase)),
    "pytest > python_classes": (("Test",), tuple(f"Test{one}qzx" for one in ascii_uppercase)),
    "pytest > python_functions": (("test",), tuple(f"test_{one}qzx" for one in ascii_lowercase)),
    "nose2 > test-file-pattern": (("test*.py",), tuple(f"test_{one}qzx.py" for one in ascii_lowercase)),
    "nose2 > test-method-prefix": (("test",), tuple(f"test_{one}qzx" for one in ascii_lowercase)),
}
_NO_TESTS = pattern_of(
    r"^(?:docs?|doc|build|dist|node_modules|\.?venv|env|vendor|\.?tox|\.?nox|\.?git|\.?eggs|_build|coverage|\.cache|tmp|"
    r"examples?|benchmarks?|bench|fixtures?|data|assets|static|target|out|lib|esm|cjs|\.next|\.nuxt|\.storybook|"
    r"third_party|site-packages|setup(?:\.py)?|conftest\.py|__pycache__|cypress|storybook|public|typings|types)$",
    re.IGNORECASE,
)
_TEST_FOLDER = pattern_of(r"(?:.*[/*])?(?:unit|tests?|testing|integration|functional|e2e|specs?|unittests?)", re.I)
# Tests and pipelines: what is tested stands elsewhere.
_BESIDE = pattern_of(
    r"^\W*(?:tests?|testing|specs?|__tests__)(?:/|$)|(?:^|/)(?:test_|conftest\b)[^/]*$|_test\.\w+$"
    r"|(?:^|/)\.(?:gitlab|github|circleci|travis)\b",
    re.IGNORECASE,
)
_PROSE = pattern_of(
    r"(?:^|/)(?:docs?|documentation|website|examples?|sandbox|playground|demos?|benchmarks?|licen[cs]es?|changelog[\w.]*|readme[\w.]*|\.vscode|\.idea|assets|"
    r"images?|translations?|locales?|i18n|news|changes|changelog\.d|contributing[\w.]*|authors|\.github/[\w/.-]*template[\w/.-]*)"
    r"(?:/|$|\.)|\.(?:md|rst|txt|adoc|png|svg|jpe?g|gif|ico|po|pot|html|css|drawio|pdf|license|lock)\b|"
    r"(?:^|/)(?:LICENSE|NOTICE|AUTHORS|CODEOWNERS|\.gitignore|\.editorconfig|\.gitattributes|mkdocs\.yml|\.readthedocs\.ya?ml)|"
    r"\.github/(?:ISSUE|PULL|FUNDING|dependabot|release)|dependabot|\.gitignore|renovate",
    re.IGNORECASE,
)


def is_about_code(glob: str) -> bool:
    """True for a glob of a trigger that can name production code or tests, false for prose and pictures."""
    return not _PROSE.search(glob.strip().strip("'\""))


def is_about_sources(glob: str) -> bool:
    """True for a glob of a trigger that can name what is tested, false for tests, pipelines and prose alone."""
    return is_about_code(glob) and not _BESIDE.search(glob.strip().strip("'\""))


def is_about_tests(pattern: str) -> bool:
    """True for a pattern that can name tests; false for folders in which none are expected."""
    plain = re.sub(r"<rootDir>|\\|\^|\$|\(.*?\)\?|/\*\*|\*\*/|\*\*", "", pattern).strip("/*. ")
    parts = [part for part in re.split(r"[/\\]", plain) if part not in ("", ".", "*")]
    return not any(_NO_TESTS.match(part.strip("*()")) for part in parts) if parts else pattern.strip("/*. ") == ""


def no_longer_collected(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Patterns of the head that no longer take what those of the base, or of the runner itself, took."""
    for path, settings in head.items():
        before = base.get(path, ())
        for key, (default, names) in _DEFAULTS.items():
            new = [one for one in settings if one.key == key]
            if not new:
                continue
            old = tuple(one.value for one in _anywhere(base, key, path)) or default
            now = tuple(one.value for one in new)
            if any(_collects(old, name) and not _collects(now, name) for name in names):
                name = key.rpartition(" > ")[2]
                severity = BLOCK if any(now) else WARN
                message = f"{name} = {' '.join(now)} no longer takes what {' '.join(old)} took"
                yield GateChange(severity, path, new[0].line, message)
        yield from _paths(before, settings, path, frozenset(head), frozenset(base) - frozenset(head))
        yield from _fewer_names(before, settings, path, frozenset(base) - frozenset(head))
        yield from _not_entered(before, settings, path, path in base)


def _anywhere(base: Mapping[str, tuple[Setting, ...]], key: str, path: str) -> tuple[Setting, ...]:
    own = tuple(one for one in base.get(path, ()) if one.key == key)
    return own or tuple(one for settings in base.values() for one in settings if one.key == key)


def _collects(patterns: tuple[str, ...], name: str) -> bool:
    return any(_matches(pattern, name) for pattern in patterns)


def _matches(pattern: str, name: str) -> bool:
    if not pattern:
        return False
    if any(sign in pattern for sign in "*?["):
        return fnmatchcase(name, pattern.rpartition("/")[2] or pattern)
    return name.startswith(pattern) if not pattern.endswith(".py") else name == pattern


def narrower_places(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Globs and folders of tests that are spelled out further than any was before."""
    for path, settings in head.items():
        for key in sorted({one.key for one in settings if one.key.startswith("include > ")}):
            old = [one.value for one in base.get(path, ()) if one.key == key]
            new = [one for one in settings if one.key == key]
            if old and new and "Regex" in key:
                moved = (one for one in base if one not in head)
                yield from _fewer_by_regex(tuple(old), tuple(new), path, moved)
            missing = lost(tuple(old), tuple(one.value for one in new)) if old and new and "Regex" not in key else ""
            if missing and any(is_glob(one) for one in old):
                now = tuple(one.value for one in new)
                is_moved = any(takes(old, one) and not takes(now, one) for one in base if one not in head)
                is_shared = any(takes(others, missing) for others in _beside(head, path))
                message = f"{key.rpartition(' > ')[2]} is only {' '.join(now)} now, and takes no {missing}"
                yield GateChange(WARN if is_moved or is_shared else BLOCK, path, new[0].line, message)
                continue
            if not old or len(new) > len(old) or {one.value for one in new} & set(old):
                continue
            if min(_literal(one.value) for one in new) > max(_literal(value) for value in old):
                values = " ".join(one.value for one in new)
                yield GateChange(WARN, path, new[0].line, f"{key.rpartition(' > ')[2]} is only {values} now")


def _fewer_by_regex(
    old: tuple[str, ...], new: tuple[Setting, ...], path: str, moved: Iterable[str]
) -> Iterator[GateChange]:
    """Files of tests that a regular expression took and takes no more; `moved` are files that went elsewhere."""
    now = tuple(one.value for one in new)
    gone, is_told = lost_by_regex(old, now)
    if gone:
        name = new[0].key.rpartition(" > ")[2]
        is_moved = any(takes_by_regex(old, one) and not takes_by_regex(now, one) for one in moved)
        severity = BLOCK if is_told and not is_moved else WARN
        yield GateChange(severity, path, new[0].line, f"{name} takes no {gone} any more: {new[0].value}"[:300])


def _beside(head: Mapping[str, tuple[Setting, ...]], path: str) -> Iterator[tuple[str, ...]]:
    """What other files of the change take for tests."""
    for other, settings in head.items():
        if other != path:
            yield tuple(one.value for one in settings if one.key.startswith("include > "))


def _literal(glob: str) -> int:
    """How many names a path spells out."""
    plain = glob.removeprefix("<rootDir>")
    return sum(not any(sign in part for sign in "*?{") for part in plain.strip("./").split("/") if part)


def _is_moved(values: list[str], old: list[str], paths: frozenset[str]) -> bool:
    """True where paths of the head that are new hold files of this change, or none is new and only the order is."""
    fresh = frozenset(values) - frozenset(old)
    return any(not fresh.isdisjoint(above(path)) for path in paths)


def above(path: str) -> Iterator[str]:
    """The folders that a path lies in."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _paths(
    before: tuple[Setting, ...],
    after: tuple[Setting, ...],
    path: str,
    paths: frozenset[str],
    gone_paths: frozenset[str],
) -> Iterator[GateChange]:
    """testpaths that now lie inside those of the base, or name less of them.

    One that is only taken out stops what stands there, where none of its files went with it.
    """
    old = [one.value.strip("/") for one in before if one.key == "pytest > testpaths" and one.value]
    new = [one for one in after if one.key == "pytest > testpaths" and one.value]
    values = [one.value.strip("/") for one in new]
    if not old or not values:
        return
    known = frozenset(values)
    inside: dict[str, Setting] = {}
    for one, value in zip(new, values, strict=True):
        for folder in above(value):
            inside.setdefault(folder, one)
    is_moved = _is_moved(values, old, paths)
    for gone in old:
        if gone in known or "." in known or not known.isdisjoint(above(gone)):
            continue
        if gone in inside:
            part = inside[gone]
            yield GateChange(BLOCK, path, part.line, f"testpaths: {part.value} is only a part of {gone}")
        elif len(values) <= len(old) and not is_moved:
            is_plain = set(values) < set(old) and not any(one.startswith(f"{gone}/") for one in gone_paths)
            severity = BLOCK if is_plain and is_about_tests(gone) else WARN
            yield GateChange(severity, path, new[0].line, f"testpaths no longer names {gone}")


def _fewer_names(
    before: tuple[Setting, ...], after: tuple[Setting, ...], path: str, gone_paths: frozenset[str]
) -> Iterator[GateChange]:
    """Patterns of files of tests of which one is taken out, while the files that it took stay as they are called."""
    old = [one.value for one in before if one.key == "pytest > python_files"]
    new = [one for one in after if one.key == "pytest > python_files"]
    left = {one.value for one in new}
    for gone in old if new and left < set(old) else ():
        is_taken = any(_matches(pattern, probe) for pattern in left for probe in probes(gone)[:1])
        if not is_taken and not any(_matches(gone, one.rpartition("/")[2]) for one in gone_paths):
            yield GateChange(WARN, path, new[0].line, f"python_files no longer takes {gone}")


def _not_entered(
    before: tuple[Setting, ...], after: tuple[Setting, ...], path: str, is_known: bool
) -> Iterator[GateChange]:
    old = {one.value for one in before if one.key == "pytest > norecursedirs"}
    for one in after:
        if one.key != "pytest > norecursedirs" or one.value in old or not is_known or not one.value:
            continue
        plain = one.value.strip("/*")
        if not is_about_tests(plain) or plain.startswith(".") or plain.endswith(".egg"):
            continue
        is_test_folder = _TEST_FOLDER.fullmatch(plain) is not None
        severity = BLOCK if is_test_folder else ADVICE
        yield GateChange(severity, path, one.line, f"norecursedirs: pytest no longer enters {one.value}")
