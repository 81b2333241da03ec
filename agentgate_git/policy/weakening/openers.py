"""What opens a condition that tests wait for: what a file of the head has to say so that one of it is ever set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from agentgate_git.model.inventory import (
    BUILD_TAG,
    DATABASE,
    EXTENSION,
    FEATURE,
    MODULE,
    NO_CI,
    NO_PYTEST,
    NO_TAG,
    OLDER_PYTHON,
    PROGRAM,
    PROPERTY,
    SYMBOL,
    SYSTEM,
)
from agentgate_git.model.role import CI, CONFIG

# Where tests ask for a module or a program.
_ASKS = re.compile(
    rb"(?:importorskip|which|find_spec)\(\s*['\"][\w.+-]{1,140}['\"]"
    rb"|\b(?:command -v|which|type(?: -\w{1,8})?|hash) ['\"]?[\w.+-]{1,140}"
)
_MAY_ASK = re.compile(rb"importorskip|which|find_spec|command -v|type |hash ")
# Lines that test Go.
_RUNS_GO = re.compile(rb"[^\n]*\b(?:go test|gotestsum)\b[^\n]*")
# Runners of tests that are none of pytest's, and where they are configured; versions of Python that are out of use.
_OTHER_RUNNERS = re.compile(
    rb"\bunittest\b|\bnose|manage\.py|\btrial\b|runtests|setup\.py['\"]?,?\s*['\"]?test|zope\.testrunner|stestr|bazel"
)
_PYTHON = re.compile(rb"(?<![\d.])3\.(\d{1,2})(?![\d.])|\b(?:py|cp|pp)-?3(\d{1,2})\b(?!-plus)|\bpy\{([^{}\n]{1,80})\}")
_FLOOR = re.compile(
    rb"(?:requires-python|python_requires|^python)\s*=\s*['\"{]?[^\n]{0,30}?(?:>=|~=|\^)\s*3\.(\d{1,2})", re.M
)
_FIRST_PYTHON = 4
_LETTER = re.compile(rb"[a-su-z]")
# A pipeline whose runs another repository, or another file of this one, decides.
_RUNS_ELSEWHERE = re.compile(rb"\.github/workflows/[^\s@]+@|fromjson\(|^include:|^\s*repositories:", re.M)
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
    if wanted == NO_PYTEST:
        return not is_code and _OTHER_RUNNERS.search(text) is not None
    if wanted.startswith(OLDER_PYTHON):
        return any(minor < int(wanted.removeprefix(OLDER_PYTHON)) for minor in pythons_in(text, role))
    if wanted.startswith(SYSTEM):
        told = text.lower() if role == CI else b""
        return bool(_word(wanted.removeprefix(SYSTEM)).search(told) or _RUNS_ELSEWHERE.search(told))
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
    """True for a file that says that the project needs a later Python than those that tests wait for."""
    return any(int(one) >= int(wanted.removeprefix(OLDER_PYTHON)) for one in _FLOOR.findall(text))


def pythons_in(text: bytes, role: str) -> tuple[int, ...]:
    """The minor versions of Python 3 that a pipeline or a configuration names, on lines about Python or bare ones."""
    if role not in (CI, CONFIG):
        return ()
    told = (one.partition(b" #")[0] for one in text.lower().splitlines())
    lines = (one for one in told if b"py" in one or b"version" in one or not _LETTER.search(one))
    found = (match for line in lines for match in _PYTHON.finditer(line))
    return tuple(
        int(minor.removeprefix(b"3"))
        for match in found
        for minor in (match[1] or match[2] or match[3]).split(b",")
        if minor.removeprefix(b"3").isdigit() and int(minor.removeprefix(b"3")) >= _FIRST_PYTHON
    )


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
    words = {
        "windows": rb"\bwin(?:dows|32|64)?\b|windows|appveyor",
        "macos": rb"mac-?os|darwin|osx|xcode",
        "big-endian": rb"s390|qemu|endian",
    }
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
