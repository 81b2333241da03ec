"""What opens a condition that tests wait for: what a file of the head has to say so that one of it is ever set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agentgate_git.model.inventory import (
    BUILD_TAG,
    DATABASE,
    EXTENSION,
    FEATURE,
    MODULE,
    NO_CI,
    NO_TAG,
    PROGRAM,
    PROPERTY,
    PYTHON,
    SYMBOL,
    SYSTEM,
)
from agentgate_git.model.role import CI

# Where tests ask for a module or a program.
_ASKS = re.compile(
    rb"(?:importorskip|which|find_spec)\(\s*['\"][\w.+-]{1,140}['\"]"
    rb"|\b(?:command -v|which|type(?: -\w{1,8})?|hash) ['\"]?[\w.+-]{1,140}"
)
_MAY_ASK = re.compile(rb"importorskip|which|find_spec|command -v|type |hash ")
# Lines that test Go.
_RUNS_GO = re.compile(rb"[^\n]*\b(?:go test|gotestsum)\b[^\n]*")
# A version of Python 3, as pipelines, lists of environments and classifiers write it; what a project needs at least.
_VERSIONS = re.compile(rb"(?<![\w.])3\.(\d{1,2})(?![\w.]*\d)|\b(?:py|pypy|cp)-?3\.?(\d{1,2})\b")
_FLOOR = re.compile(
    rb"(?:requires-python|python_requires|^python)\s*=\s*['\"{]?[^\n]{0,30}?(?:>=|~=|\^)\s*3\.(\d{1,2})", re.M
)
# Between an option and a name that it is given.
_NEAR = rb"[^\n]{0,120}?"
_SETS = (
    rb"(?:(?:process|import\.meta)\.env(?:\.%s|\[['\"]%s['\"]\])\s*(?:\?\?|\|\|)?=(?!=)|ENV\[['\"]%s['\"]\]\s*(?:\|\|)?=(?!=)"
    rb"|(?:[sS]et_?[eE]nv\w*|putenv|stubEnv|put_env|SetEnvironmentVariable|set_var|setProperty|setenv|EnvironmentVariables)\(\s*['\"]%s\b)"
)


def opens(wanted: str, role: str, text: bytes, *, is_code: bool) -> bool:
    """True for a file that sets, or may set, what tests wait for; code has to set it where it stands.

    A page that tells how to set it counts: someone may do so.
    """
    if wanted == NO_CI:
        return False
    if wanted.startswith(PYTHON):
        is_told = not is_code or b"python_requires" in text or b"Programming Language" in text
        return is_told and any(one <= int(wanted.removeprefix(PYTHON)) for one in _minors(text))
    if wanted.startswith(SYSTEM):
        return role == CI and _word(wanted.removeprefix(SYSTEM)).search(text.lower()) is not None
    if wanted.startswith(FEATURE):
        return _feature(wanted.removeprefix(FEATURE)).search(text) is not None and (not is_code or role == CI)
    if wanted.startswith(NO_TAG):
        return True
    if wanted.startswith(BUILD_TAG):
        return not is_code and _tag(wanted.removeprefix(BUILD_TAG)).search(text) is not None
    if wanted.startswith(EXTENSION):
        return not is_code and _named(wanted.removeprefix(EXTENSION)).search(text.lower()) is not None
    name = wanted.removeprefix(SYMBOL).removeprefix(PROPERTY).encode()
    if not is_code:
        return name in text
    if name not in text:
        return False
    return wanted.startswith(SYMBOL) or _set(name).search(text) is not None


def never_opened(asked: frozenset[str], texts: Iterable[tuple[str, bytes]]) -> frozenset[str]:
    """Of what tests ask for, a feature that no manifest of cargo has, and that no run is without some build tag.

    Nobody can switch such a feature on, whatever runs with all of them. `texts` are files that are no code.
    """
    features = {one for one in asked if one.startswith(FEATURE)}
    tags = {one for one in asked if one.startswith(NO_TAG)}
    has_manifest = False
    is_run: set[str] = set()
    for path, text in texts:
        if path.rpartition("/")[2] == "Cargo.toml":
            has_manifest = True
            features -= {one for one in features if _declared(one.removeprefix(FEATURE)).search(text)}
        elif features and b"--cfg" in text:
            features.clear()
        for line in _RUNS_GO.findall(text) if tags else ():
            tags &= {one for one in tags if _tag(one.removeprefix(NO_TAG)).search(line)}
            is_run |= tags
    return frozenset((*(features if has_manifest else ()), *(tags & is_run)))


@lru_cache(maxsize=64)
def _declared(name: str) -> re.Pattern[bytes]:
    """A feature in a table of them, or a dependency that is one."""
    told = re.escape(name.encode())
    return re.compile(rb"(?m)^[ \t]*['\"]?" + told + rb"['\"]?[ \t]*[=.]|^\[[^\]\n]*dependencies\." + told + rb"\]")


def needs_newer(wanted: str, text: bytes) -> bool:
    """True for a file that says that the project needs a later Python than the one that tests wait for."""
    last = int(wanted.removeprefix(PYTHON))
    return any(int(one) > last for one in _FLOOR.findall(text))


def _minors(text: bytes) -> Iterator[int]:
    """The versions of Python 3 that a file may mean, by how they are written."""
    return (int(one or two) for one, two in _VERSIONS.findall(text))


def speaks_of(wanted: str, text: bytes) -> bool:
    """True for a file that names a module or a program anywhere but where tests ask whether it is there.

    A file that looks for a module names it for that: what it imports counts there.
    """
    name = wanted.removeprefix(MODULE).removeprefix(PROGRAM).removeprefix(DATABASE)
    if b"find_spec" in text and _looked_for(name).search(text) is not None:
        return _imported(name).search(text) is not None
    return _spoken(name).search(_ASKS.sub(b"", text) if _MAY_ASK.search(text) else text) is not None


@lru_cache(maxsize=64)
def _looked_for(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"find_spec\(\s*['\"]" + re.escape(name.encode()) + rb"\b")


@lru_cache(maxsize=64)
def _imported(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"^\s*(?:import|from)[ \t]+" + re.escape(name.encode()) + rb"\b", re.MULTILINE)


@lru_cache(maxsize=64)
def _spoken(name: str) -> re.Pattern[bytes]:
    """The name in any case, a hyphen or a dot for each underscore, and as a part of the name of a package."""
    told = re.escape(name.encode()).replace(rb"_", rb"[-_.]?").replace(rb"\-", rb"[-_.]?")
    return re.compile(told, re.IGNORECASE)


@lru_cache(maxsize=64)
def _word(name: str) -> re.Pattern[bytes]:
    words = {"windows": rb"\bwin(?:dows|32|64)?\b|windows|appveyor", "macos": rb"mac-?os|darwin|osx|xcode"}
    return re.compile(words.get(name, re.escape(name.encode())))


@lru_cache(maxsize=64)
def _named(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?<![a-z0-9])" + re.escape(name.lower().encode()) + rb"(?![a-z0-9])")


@lru_cache(maxsize=64)
def _feature(name: str) -> re.Pattern[bytes]:
    """The name in a list of features, or an option that takes all of them or some that only a run can tell."""
    told = re.escape(name.encode())
    return re.compile(
        rb"--all-features|each-feature|feature-powerset|all-features\s*[=:]\s*true"
        rb"|(?:--features|-F)" + _NEAR + rb"(?:\b" + told + rb"\b|\$)|['\"](?:[\w-]+/)?" + told + rb"['\"](?!\s*=)"
    )


@lru_cache(maxsize=64)
def _tag(name: str) -> re.Pattern[bytes]:
    told = re.escape(name.encode())
    return re.compile(rb"(?i:tags)" + _NEAR + rb"(?:\b" + told + rb"\b|\$)|GOFLAGS" + _NEAR + rb"\b" + told + rb"\b")


@lru_cache(maxsize=64)
def _set(name: bytes) -> re.Pattern[bytes]:
    return re.compile(_SETS.replace(b"%s", re.escape(name)))
