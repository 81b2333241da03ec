"""What a condition waits for: variables, properties and machines without which it always keeps a test from running.

Each is a kind and a name, as `policy.weakening.openers` looks for them: `property isbn.strict`, `system windows`; a
variable of the environment is its name alone. `NO_CI` stands for a condition that holds wherever a pipeline runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agentgate_git.model.inventory import NO_CI, PROPERTY, SYSTEM
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.truth import UNKNOWN, followed, value_of

_CI = frozenset(("CI", "GITHUB_ACTIONS", "GITLAB_CI", "CONTINUOUS_INTEGRATION", "BUILDKITE", "CIRCLECI", "TRAVIS"))
_ACCESS = (
    r"(?:(?:process|import\.meta)\.env(?:\.(?P<a>[A-Z]\w+)|\[\"(?P<b>[A-Z]\w+)\"\])"
    r"|Deno\.env\.get\(\"(?P<c>\w+)\"\)"
    r"|ENV\[\"(?P<d>\w+)\"\]|ENV\.fetch\(\"(?P<e>\w+)\",(?:nil|false)\)|ENV\.(?:key|has_key|include|member)\?\(\"(?P<f>\w+)\"\)"
    r"|(?:System\.getenv|std::getenv|getenv|System\.get_env|env|std::env::var_os|std::env::var|env::var|env::var_os|option_env!)"
    r"\(\"(?P<g>[A-Z]\w+)\"\)"
    r"|(?:System\.)?Environment\.GetEnvironmentVariable\(\"(?P<h>\w+)\"\)"
    r"|ProcessInfo\.processInfo\.environment\[\"(?P<i>\w+)\"\]|Platform\.environment\[\"(?P<j>\w+)\"\])"
)
_THERE = pattern_of(rf"(?<![\w.$]){_ACCESS}(?P<asked>\.is_(?:ok|some|err|none)\(\))?(?!\()(?:(?<=[)\]])|(?!\w))")
_GO = pattern_of(r"(?<![\w.$])os\.Getenv\(\"(\w+)\"\)")
_PROPERTIES = pattern_of(
    r"(?:System\.getProperty|(Boolean)\.getBoolean|Integer\.getInteger|Long\.getLong)\(\"([\w.-]+)\"\)"
)
_OF_JVM = ("java.", "os.", "user.", "file.", "line.", "path.", "sun.", "jdk.")
_AFTER = (
    (pattern_of(r"\"[^\"]*\"\.equals(?:IgnoreCase)?\(null\)|Boolean\.(?:parseBoolean|valueOf)\(null\)"), "false"),
    (pattern_of(r"Boolean\.(?:parseBoolean|valueOf)\(\"true\"\)|\"true\"\.equals(?:IgnoreCase)?\(\"true\"\)"), "true"),
    (pattern_of(r"\bis not null\b"), "!=null"),
    (pattern_of(r"\bis null\b"), "==null"),
    (pattern_of(r"(?<=[=!])=nil\b"), "=null"),
)
_ANNOTATED = pattern_of(r"@?(?:\w+\.)*EnabledIfEnvironmentVariable\(named=\"(\w+)\"")
_OF_PROPERTY = pattern_of(r"@?(?:\w+\.)*EnabledIfSystemProperty\(named=\"([\w.-]+)\"")
_PLATFORM = pattern_of(
    r"(?<![\w.$])(?:process\.platform|os\.platform\(\)|runtime\.GOOS|Platform\.operatingSystem|PHP_OS_FAMILY|PHP_OS|os\.type\(\))(?![\w(])"
)
_WINDOWS = pattern_of(r"[wW]in(?:dows|32)")
_MACOS = pattern_of(r"[dD]arwin|macos")
_SET = '"true"'


def unset_variables(text: str, constants: Mapping[str, str]) -> tuple[str, ...]:
    """What a condition waits for that holds wherever none of it is set; none for any other condition."""
    for pattern, kind in ((_ANNOTATED, ""), (_OF_PROPERTY, PROPERTY)):
        annotated = pattern.match(text)
        if annotated is not None:
            return (kind + annotated[1],)
    resolved = followed(text, constants)
    names: list[str] = []
    known = _THERE.sub(lambda found: _unset(found, names), resolved)
    known = _GO.sub(lambda found: _named(found[1], names, '""'), known)
    known = _PROPERTIES.sub(lambda found: _property(found, names), known)
    if not names:
        return _systems(resolved)
    for pattern, told in _AFTER:
        known = pattern.sub(told, known)
    value = value_of(known)
    if value is UNKNOWN or not value:
        return ()
    is_of_ci = not _CI.isdisjoint(names)
    return ((NO_CI,) if _CI.issuperset(names) else ()) if is_of_ci else tuple(dict.fromkeys(names))


def _name(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return next(value for key, value in groups.items() if value and key != "asked")


def _unset(found: re.Match[str], names: list[str]) -> str:
    name = _name(found)
    asked = found["asked"] or ""
    is_there = name in _CI
    if asked:
        names.append(name)
        return str(is_there == ("ok" in asked or "some" in asked)).lower()
    if "?" in found[0]:
        return _named(name, names, "false")
    return _named(name, names, "null")


def _named(name: str, names: list[str], unset: str) -> str:
    """What an access gives: nothing, or the text that every pipeline sets for its own variables."""
    names.append(name)
    return _SET if name in _CI else unset


def _property(found: re.Match[str], names: list[str]) -> str:
    name = found[2]
    if name.startswith(_OF_JVM):
        return found[0]
    names.append(PROPERTY + name)
    return "false" if found[1] else "null"


def _systems(text: str) -> tuple[str, ...]:
    """The system that a test waits for, where it never runs on Linux and asks for no more than that."""
    known, times = _PLATFORM.subn('"linux"', text)
    wanted = [name for pattern, name in ((_WINDOWS, "windows"), (_MACOS, "macos")) if pattern.search(known)]
    if not times or len(wanted) != 1:
        return ()
    value = value_of(known)
    return (SYSTEM + wanted[0],) if value is not UNKNOWN and value else ()
