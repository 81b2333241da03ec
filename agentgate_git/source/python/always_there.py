"""What is there on every machine of a kind: paths, modules that are loaded, programs, variables of pipelines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.folding import UNKNOWN

# Set by one kind of pipeline and by no other: what may be set wherever tests run.
OF_PIPELINES = frozenset(
    (
        *("GITHUB_ACTIONS", "GITHUB_WORKFLOW", "GITHUB_RUN_ID", "GITLAB_CI", "TRAVIS", "CIRCLECI", "APPVEYOR"),
        *("BUILDKITE", "JENKINS_URL", "TF_BUILD", "CONTINUOUS_INTEGRATION", "CIRRUS_CI", "DRONE", "CODEBUILD_BUILD_ID"),
    )
)
# What pytest sets while a test runs, and what it loads.
OF_PYTEST = frozenset(("PYTEST_CURRENT_TEST", "PYTEST_VERSION"))
_LOADED_BY_PYTEST = frozenset(("pytest", "_pytest", "pluggy", "conftest", "_pytest.assertion"))
_LOADED = frozenset(("sys", "os", "builtins", "io", "abc", "codecs", "site", "_frozen_importlib", "encodings", "stat"))

_EVERYWHERE = frozenset((".", "..", "./", "../"))
_OF_LINUX = pattern_of(r"/(?:proc|sys)(?:/.*)?|/etc/(?:os-release|mtab)|/dev/shm|/lib/?")
_OF_POSIX = pattern_of(
    r"/|/(?:usr|etc|tmp|bin|sbin|dev|var|usr/bin|usr/lib|usr/sbin|usr/share|usr/local|var/tmp|var/log)/?"
    r"|/dev/(?:null|zero|u?random|tty|stdin|stdout|stderr|fd)|/bin/(?:sh|ls|cat|echo|true)|/usr/bin/env"
    r"|/etc/(?:passwd|hosts|group|services|resolv\.conf)"
)
_OF_WINDOWS = pattern_of(r"(?i)[a-z]:(?:[\\/](?:windows|users|program files)?(?:[\\/].*)?)?")
_PROGRAMS = frozenset(("sh", "ls", "cat", "echo", "env", "true", "rm", "cp", "mkdir", "sleep", "uname"))


# What modules of Python have on every system but Windows.
_ON_POSIX = frozenset(
    (
        *("time.tzset", "os.fork", "os.getuid", "os.geteuid", "os.getgid", "os.chown", "os.mkfifo", "os.setsid"),
        *("os.killpg", "os.getpgid", "signal.SIGALRM", "signal.alarm", "signal.SIGKILL", "signal.SIGHUP"),
        *("signal.setitimer", "signal.SIGUSR1", "os.WNOHANG", "os.posix_spawn", "os.getloadavg"),
    )
)


def has(name: str, platform: str) -> Any:
    """Whether a module of Python has a member, by its dotted name, on a platform; UNKNOWN for most of them."""
    return platform != "win32" if name in _ON_POSIX else UNKNOWN


class Variables(dict[str, str]):
    """The variables of a runner; what one pipeline sets and another does not is not known."""

    def __contains__(self, name: object) -> bool:
        if name in OF_PYTEST:
            return True
        if name in OF_PIPELINES:
            raise LookupError(name)
        return super().__contains__(name)


class Modules(dict[str, str]):
    """The modules that are loaded where a test runs; of most that is not known.

    `is_imported` says it of what the file of the test imports, `has_pytest` that pytest runs it for certain.
    """

    def __init__(self, is_imported: Callable[[str], bool], *, has_pytest: bool) -> None:
        super().__init__()
        self._is_imported = is_imported
        self._has_pytest = has_pytest

    def __contains__(self, name: object) -> bool:
        is_loaded = name in _LOADED or (self._has_pytest and name in _LOADED_BY_PYTEST)
        if is_loaded or (isinstance(name, str) and self._is_imported(name)):
            return True
        raise LookupError(name)


def exists(path: Any, platform: str) -> Any:
    """Whether a path is there on every machine of a platform; UNKNOWN for most of them."""
    if not isinstance(path, str):
        return UNKNOWN
    if path in _EVERYWHERE:
        return True
    if platform == "win32":
        if _OF_WINDOWS.fullmatch(path):
            return True
        return False if len(path) > 1 and _is_of_posix(path) else UNKNOWN
    if _OF_WINDOWS.fullmatch(path):
        return False
    if _OF_LINUX.fullmatch(path):
        return platform == "linux"
    return True if _is_of_posix(path) else UNKNOWN


def _is_of_posix(path: str) -> bool:
    return _OF_POSIX.fullmatch(path) is not None or _OF_LINUX.fullmatch(path) is not None


def which(program: Any, platform: str) -> Any:
    """Whether a program is there on every machine of a platform, as its path; UNKNOWN for most of them."""
    return f"/bin/{program}" if program in _PROGRAMS and platform != "win32" else UNKNOWN
