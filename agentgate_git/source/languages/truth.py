"""What a condition of any language amounts to where the gate runs tests: always true, never, or it depends.

The text is read, not the language: literals, comparisons and the few names that say on which system a test runs.
A name that is bound once to such a thing is followed. Everything else depends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER

MAX_TOKENS = 200
MAX_DEPTH = 20

_NOTHING = frozenset(("null", "nil", "None", "undefined", "nullptr", "NULL"))
_TRUE = frozenset(("true", "True", "TRUE", "YES"))
_FALSE = frozenset(("false", "False", "FALSE", "NO"))
_TOKENS = pattern_of(r'"[^"]*"|\d[\w.]*|===|!==|==|!=|<=|>=|&&|\|\||[\w$@]+|\S')
# A variable that is not there unless someone sets it; what a pipeline of one forge sets may or may not be.
_NAMED = r"(?!GITHUB_ACTIONS\b|GITLAB_CI\b|CONTINUOUS_INTEGRATION\b|BUILDKITE\b|CIRCLECI\b|TRAVIS\b)\w+"
# What is known of the system the gate runs on; the text stands for the value that a test would see there.
_GATE = (
    (r"process\.platform|os\.platform\(\)|runtime\.GOOS|Platform\.operatingSystem|Deno\.build\.os", '"linux"'),
    (r"PHP_OS_FAMILY|PHP_OS|os\.type\(\)", '"Linux"'),
    (r'System\.getProperty\("os\.name"\)', '"Linux"'),
    (r'System\.getProperty\("(?:java\.version|java\.vendor|user\.dir|user\.home|line\.separator)"\)', '"set"'),
    (r"process\.versions\.(?:node|v8)|process\.version", '"set"'),
    (r"testing\.Short\(\)", "false"),
    (
        r"(?:defined ?\(? ?)?(?:_WIN32|_WIN64|WIN32|_MSC_VER|__APPLE__|__(?:MINGW32|CYGWIN|ANDROID|EMSCRIPTEN)__)\)?",
        "false",
    ),
    (r"sizeof\((?:int|unsigned int|unsigned|float)\)", "4"),
    (r"sizeof\((?:long|void\*|size_t|double|long long)\)", "8"),
    (
        r"(?:\w+\.)*(?:is|Is|on|IS_|is_)_?(?:Windows|windows|WINDOWS|Win32|MacOS|macOS|mac|Mac|OSX|osx|darwin)(?:\(\))?",
        "false",
    ),
    (r"Platform\.is(?:Windows|MacOS|Android|IOS)", "false"),
    (r"OS\.(?:windows|mac)\?(?:\(\))?", "false"),
    (r"process\.env\.CI\b|ENV\[\"CI\"\]|(?:os\.Getenv|System\.getenv|getenv|std::getenv)\(\"CI\"\)", '"true"'),
    (
        rf"process\.env\.{_NAMED}|process\.env\[\"{_NAMED}\"\]|ENV\[\"{_NAMED}\"\]|ENV\.fetch\(\"{_NAMED}\",nil\)",
        "null",
    ),
    (rf"(?:System\.getenv|std::getenv|getenv|System\.get_env)\(\"{_NAMED}\"\)", "null"),
    (rf"os\.Getenv\(\"{_NAMED}\"\)", '""'),
)
_GATE_PATTERNS = tuple((pattern_of(rf"(?<![\w.$])(?:{pattern})(?![\w(])"), value) for pattern, value in _GATE)
_NAME = pattern_of(r"(?<![\w.$\"])[A-Za-z_$][\w$]*(?![\w$\"(])")
UNKNOWN = object()
# Names that hold one of a few words, wherever a test runs: compared with any other word the answer is known.
_WORDS = {
    **dict.fromkeys(
        ("browserName", "defaultBrowserType"),
        (
            *(
                "chromium",
                "firefox",
                "webkit",
                "chrome",
                "edge",
                "msedge",
                "microsoftedge",
                "safari",
                "opera",
                "electron",
            ),
            *("internet explorer", "ie", "brave", "android", "ios", "phantomjs", "jsdom", "happy-dom", "node"),
        ),
    ),
    **dict.fromkeys(
        ("process.platform", "os.platform()"),
        ("aix", "android", "darwin", "freebsd", "haiku", "linux", "openbsd", "sunos", "win32", "cygwin", "netbsd"),
    ),
}
_ASKED = pattern_of(rf"(?<![\w.$])({'|'.join(map(re.escape, _WORDS))}) ?([!=]==?) ?" + r'"([^"]*)"')


class _TooDeep(ValueError):
    pass


def truth(text: str, constants: Mapping[str, str]) -> str:
    """The verdict on normalised text; `constants` are the names the file binds, with what they are bound to."""
    resolved = _ASKED.sub(_answered, followed(text, constants))
    known = resolved
    for pattern, told in _GATE_PATTERNS:
        known = pattern.sub(told, known)
    value = value_of(known)
    if value is UNKNOWN:
        return DEPENDS
    if value:
        return DEPENDS if known != resolved else ALWAYS
    return NEVER


def _answered(found: re.Match[str]) -> str:
    """What comparing a name with a word that it never holds comes to; the comparison itself for any other word."""
    if found[3].lower() in _WORDS[found[1]]:
        return found[0]
    return "true" if found[2].startswith("!") else "false"


def value_of(text: str) -> object:
    """What normalised text without names amounts to: a value, or UNKNOWN."""
    tokens = _TOKENS.findall(text)
    if not tokens or len(tokens) > MAX_TOKENS:
        return UNKNOWN
    try:
        return _Reader(tokens).whole()
    except _TooDeep:
        return UNKNOWN


def negation(text: str) -> str:
    """`not text`, as a condition of the same kind."""
    return text[2:-1] if text.startswith("!(") and text.endswith(")") else f"!({text})"


def followed(text: str, constants: Mapping[str, str]) -> str:
    """The text with what its names are bound to in the place of these names."""
    for _ in range(3):
        names = [name for name in _NAME.findall(text) if name in constants]
        if not names or len(text) > MAX_TOKENS * 10:
            return text
        text = _NAME.sub(lambda found: f"({constants[found[0]]})" if found[0] in constants else found[0], text)
    return text


class _Reader:
    """Reads `or`, `and`, `not`, one comparison, brackets and literals; anything else makes it unknown."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> object:
        value = self._either()
        return value if self._at == len(self._tokens) else UNKNOWN

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _either(self) -> object:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _TooDeep
        value = self._both()
        while self._next() in ("||", "or"):
            self._at += 1
            other = self._both()
            value = _or(value, other)
        self._depth -= 1
        return value

    def _both(self) -> object:
        value = self._compared()
        while self._next() in ("&&", "and"):
            self._at += 1
            other = self._compared()
            value = _and(value, other)
        return value

    def _compared(self) -> object:
        left = self._one()
        operator = self._next()
        if operator not in ("==", "===", "!=", "!==", "<", ">", "<=", ">="):
            return left
        self._at += 1
        return _compare(left, operator, self._one())

    def _one(self) -> object:
        word = self._next()
        self._at += 1
        if word in ("!", "not", "-"):
            self._depth += 1
            if self._depth > MAX_DEPTH:
                raise _TooDeep
            value = self._one()
            self._depth -= 1
            if word == "-":
                return -value if isinstance(value, int | float) else UNKNOWN
            return UNKNOWN if value is UNKNOWN else not value
        if word == "Boolean" and self._next() == "(":
            word = "("
            self._at += 1
        if word == "(":
            value = self._either()
            closes = self._next() == ")"
            self._at += 1
            return value if closes else UNKNOWN
        return _literal(word)


def _literal(token: str) -> object:
    if token in _TRUE:
        return True
    if token in _FALSE:
        return False
    if token in _NOTHING:
        return None
    if token[:1] == '"':
        return token[1:-1]
    if token[:1].isdigit():
        try:
            return float(token)
        except ValueError:
            return UNKNOWN
    return UNKNOWN


def _or(left: object, right: object) -> object:
    if (left is not UNKNOWN and left) or (right is not UNKNOWN and right):
        return True
    return UNKNOWN if UNKNOWN in (left, right) else right


def _and(left: object, right: object) -> object:
    if (left is not UNKNOWN and not left) or (right is not UNKNOWN and not right):
        return False
    return UNKNOWN if UNKNOWN in (left, right) else right


def _compare(left: object, operator: str, right: object) -> object:
    if UNKNOWN in (left, right):
        return UNKNOWN
    if operator in ("==", "==="):
        return left == right
    if operator in ("!=", "!=="):
        return left != right
    if not (isinstance(left, int | float) and isinstance(right, int | float)):
        return UNKNOWN
    return {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[operator]
