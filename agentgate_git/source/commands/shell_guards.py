"""Conditions of shell before a run or an early end: whether they hold where nobody looks on, as in a pipeline."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of

# What a pipeline, a hook or the system itself sets, wherever the text does not say so.
_GIVEN = pattern_of(
    r"CI|HOME|PATH|PWD|USER|SHELL|OS|OSTYPE|ARCH|TERM|DISPLAY|EDITOR|LANG|TMP\w*|HOST\w*|UID|EUID|RANDOM|SECONDS|"
    r"(?:GITHUB|RUNNER|GITLAB|GITEA|CI|TRAVIS|CIRCLE|BUILD|BUILDKITE|JENKINS|DRONE|APPVEYOR|CIRRUS|AZURE|SYSTEM|AGENT|"
    r"BITBUCKET|MATRIX|TOX|NOX|PYTHON|PYTEST|VIRTUAL|CONDA|NODE|NPM|JAVA|GO|RUST|CARGO|GIT|BASH|XDG|MSYS|HUSKY|LC|"
    r"DOCKER|PRE_COMMIT|SOURCE|TARGET|DEB|AUTOPKGTEST|JOB|TASK|STAGE|MODE)\w*|\d+|npm_\w+|[a-z]+"
)
_AUTOMATED = frozenset(("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TRAVIS", "CIRCLECI", "BUILDKITE", "TF_BUILD"))
_VARIABLE = pattern_of(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-+])([^{}]*))?\})")
_BRACKETS = frozenset(("[", "[[", "test", "]", "]]"))
_EQUAL, _UNEQUAL = frozenset(("=", "==", "-eq")), frozenset(("!=", "-ne"))
_LOOKS_UP = frozenset(("command", "which", "type", "hash", "where", "uname", "getopts", "has"))
_OF_CALLER = pattern_of(r"\$(?:[0-9@*#]|\{[0-9@*#])")
_COMPARED = 3


def holds(words: tuple[str, ...], known: frozenset[str]) -> bool | None:
    """Whether a condition holds in automation: None when only a run can tell; `known` are names the text sets."""
    if words in (("false",), ("tty", "-s")):
        return False
    if words in (("true",), (":",)):
        return True
    if not words or words[0] not in _BRACKETS:
        return None
    inner = tuple(word for word in words if word not in _BRACKETS)
    is_negated = inner[:1] == ("!",)
    found = _test(inner[1:] if is_negated else inner, known)
    return found if found is None or not is_negated else not found


def unset_name(words: tuple[str, ...], known: frozenset[str]) -> str:
    """The variable of a condition that nothing sets, empty for none."""
    for word in words:
        found = _VARIABLE.fullmatch(word)
        name = (found[1] or found[2]) if found else ""
        if name and name not in known and not _GIVEN.fullmatch(name):
            return name
    return ""


def is_given(name: str) -> bool:
    """True for a variable that a pipeline, a hook or the system itself may set."""
    return _GIVEN.fullmatch(name) is not None


def is_of_caller(words: tuple[str, ...]) -> bool:
    """True for a condition on what the script was called with, or on which tools and system there are."""
    return bool(words) and (words[0] in _LOOKS_UP or any(_OF_CALLER.search(word) for word in words))


def _test(inner: tuple[str, ...], known: frozenset[str]) -> bool | None:
    if inner[:1] == ("-t",):
        return False
    if len(inner) <= 1:
        value = _value("".join(inner), known)
        return None if value is None else bool(value)
    if len(inner) == _COMPARED and inner[1] in _EQUAL | _UNEQUAL:
        return _compared(inner[0], inner[1], inner[2], known)
    if inner[0] in ("-n", "-z") and len(inner) == _COMPARED - 1:
        value = _value(inner[1], known)
        return None if value is None else bool(value) == (inner[0] == "-n")
    if inner[0] == "-v" and len(inner) == _COMPARED - 1:
        return None if inner[1] in known or _GIVEN.fullmatch(inner[1]) else False
    return None


def _compared(left: str, sign: str, right: str, known: frozenset[str]) -> bool | None:
    one, two = _value(left, known), _value(right, known)
    if one is None or two is None:
        return None
    return (one == two) == (sign in _EQUAL)


def _value(word: str, known: frozenset[str]) -> str | None:
    """What a word stands for where nothing but the pipeline sets variables; None when that is not known."""
    found = _VARIABLE.fullmatch(word)
    if found is None:
        return None if "$" in word or "`" in word else word
    name, sign, default = found[1] or found[2], found[3] or "", found[4] or ""
    if name in _AUTOMATED and name not in known:
        return default if "+" in sign else "true"
    if name in known or _GIVEN.fullmatch(name):
        return None
    return default if "-" in sign else ""
