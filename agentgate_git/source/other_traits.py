"""Traits that a file has by its name or its plain text: modules that hide the runner, start-up files, recordings."""

from __future__ import annotations

import hashlib

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.programs import is_program, program_traits
from agentgate_git.source.python.fingerprint import digest_of
from agentgate_git.source.python.standard_library import STANDARD_LIBRARY
from agentgate_git.source.python.traits.reports import is_report
from agentgate_git.source.roles import is_test_side
from agentgate_git.source.shell_shadows import may_shadow, shadow_traits
from agentgate_git.source.test_data import chooses_tests, read_test_data

_RUNNERS = frozenset(
    (
        *("pytest", "_pytest", "py", "pluggy", "unittest", "doctest", "hypothesis", "coverage", "nose", "nose2"),
        *("iniconfig", "xdist", "pytest_cov", "pytest_asyncio", "pytest_mock", "pytest_timeout", "freezegun", "mock"),
        *("time_machine", "assertpy", "testtools", "_hypothesis_pytestplugin"),
    )
)
_OFTEN_OWN = frozenset(
    ("types", "typing", "logging", "calendar", "queue", "profile", "token", "code", "test", "site", "cmd")
)
_TOPS = frozenset(("", "tests", "test", "src"))
_STARTS = frozenset(("sitecustomize.py", "usercustomize.py"))
_TOLD = 120
_COVERAGE = pattern_of(rb"coverage\.process_startup\(\)|^(?:#.*|import coverage|try:|except ImportError:|pass)?$")
_RECORDINGS = ("cassettes", "vcr_cassettes", "recordings")
_ANSWER = pattern_of(rb"^\s*(?:-\s*)?\"?(?:string|body|response|base64_string|code|status|content|text)\"?\s*:")
_ENDINGS = (".yaml", ".yml", ".json")


def is_traced(path: str) -> bool:
    """True for a file that is no Python and has traits: `.pth` files, recorded traffic, reports, data of tests."""
    name = path.rpartition("/")[2]
    return (
        name.endswith(".pth")
        or _is_recording(path)
        or chooses_tests(path)
        or is_program(path)
        or may_shadow(path)
        or (is_report(path) and not is_test_side(path))
    )


def _told(line: str) -> str:
    """A line as it is told: of a long one the beginning, and what differs where any of it does."""
    return line if len(line) <= _TOLD else f"{line[:_TOLD]}…{digest_of(line)}"


def tells_by_name(path: str) -> bool:
    """True for a path that gives a file a trait whatever is in it."""
    folder, _, name = path.rpartition("/")
    return name in _STARTS or bool(_hiding(path, folder, name))


def read_other_traits(path: str, data: bytes) -> tuple[Trait, ...]:
    """The traits of a file by its path and plain text; none for most."""
    folder, _, name = path.rpartition("/")
    if name in _STARTS:
        is_plain = all(_COVERAGE.search(line.strip()) for line in data.splitlines())
        return () if is_plain else (Trait("hook.start.maybe", f"{name} runs before the runner", 1),)
    if name.endswith(".pth"):
        return tuple(
            Trait("hook.start", _told(line.decode("utf-8", "replace")), at)
            for at, line in enumerate(data.splitlines(), 1)
            if line.startswith((b"import ", b"import\t")) and b"coverage.process_startup" not in line
        )
    if _is_recording(path):
        return tuple(_recorded(data))
    if is_program(path):
        return program_traits(path, data)
    if may_shadow(path) and not is_test_side(path):
        return shadow_traits(data)
    if chooses_tests(path):
        return read_test_data(path, data)
    if is_report(path) and not is_test_side(path):
        return (Trait("report.write.maybe", f"{name} is kept in the repository", 1),)
    return _hiding(path, folder, name)


def _hiding(path: str, folder: str, name: str) -> tuple[Trait, ...]:
    """A module that is imported in place of the runner, or of a module of Python, since it lies on the path first."""
    parts = path.split("/")
    is_package = name == "__init__.py" and len(parts) >= 2
    module = parts[-2] if is_package else name.removesuffix(".py")
    if not name.endswith(".py") or module == name:
        return ()
    top = "/".join(parts[:-2]) if is_package else folder
    if top not in _TOPS:
        return ()
    if module in _RUNNERS:
        return (Trait("hook.shadow", f"a module named {module}", 1),)
    if module in STANDARD_LIBRARY and not top and module not in _OFTEN_OWN and not is_package:
        return (Trait("hook.shadow.maybe", f"a module named {module}", 1),)
    return ()


def _is_recording(path: str) -> bool:
    parts = path.lower().split("/")
    return parts[-1].endswith(_ENDINGS) and any(one in _RECORDINGS for one in parts[:-1])


def _recorded(data: bytes) -> list[Trait]:
    """One trait for each line of a recording that holds an answer; a digest stands for the line."""
    found = []
    for at, line in enumerate(data.splitlines(), 1):
        if _ANSWER.search(line) or b"string:" in line:
            found.append(Trait("entropy.answer", hashlib.sha256(line.strip()).hexdigest()[:16], at))
    return found
