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

_CI = frozenset(
    (
        *("CI", "GITHUB_ACTIONS", "GITLAB_CI", "CONTINUOUS_INTEGRATION", "BUILDKITE", "CIRCLECI", "TRAVIS"),
        *("TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION", "BITBUCKET_BUILD_NUMBER", "CODEBUILD_BUILD_ID"),
    )
)
_ACCESS = (
    r"(?:(?:process|import\.meta)\.env(?:\.(?P<a>[A-Z]\w+)|\[\"(?P<b>[A-Z]\w+)\"\])"
    r"|Deno\.env\.get\(\"(?P<c>\w+)\"\)"
    r"|ENV\[\"(?P<d>\w+)\"\]|ENV\.fetch\(\"(?P<e>\w+)\",(?:nil|false)\)|ENV\.(?:key|has_key|include|member)\?\(\"(?P<f>\w+)\"\)"
    r"|(?:System\.getenv|std::getenv|getenv|System\.get_env|env|std::env::var_os|std::env::var|env::var|env::var_os|option_env!)"
    r"\(\"(?P<g>[A-Z]\w+)\"\)"
    r"|(?:System\.)?Environment\.GetEnvironmentVariable\(\"(?P<h>\w+)\"\)"
    r"|System\.getenv\(\)\[\"(?P<k>\w+)\"\]|\$_(?:ENV|SERVER)\[\"(?P<l>\w+)\"\](?:\?\?(?:null|false))?"
    r"|(?:System\.getenv\(\)|Platform\.environment)\.containsKey\?\(\"(?P<m>\w+)\"\)"
    r"|sys\.env\.get\(\"(?P<n>\w+)\"\)"
    r"|ProcessInfo\.processInfo\.environment\[\"(?P<i>\w+)\"\]|Platform\.environment\[\"(?P<j>\w+)\"\])"
)
_THERE = pattern_of(
    rf"(?<![\w.$]){_ACCESS}(?P<asked>\.is_(?:ok|some|err|none)\(\)|\.is(?:Defined|Empty))?(?!\()(?:(?<=[)\]])|(?!\w))"
)
_GO = pattern_of(
    r"(?<![\w.$])(?:os\.Getenv\(\"(\w+)\"\)|sys\.env\.getOrElse\(\"(\w+)\",\"\"\)|String\.fromEnvironment\(\"(\w+)\"\))"
)
# A variable that is asked for, or read as yes or no.
_IS_THERE = pattern_of(
    r"(?<![\w.$])(?:sys\.env\.(?:contains|isDefinedAt)\(\"(\w+)\"\)|bool\.fromEnvironment\(\"(\w+)\"\)"
    r"|(?:System\.getenv\(\)|Platform\.environment)\.containsKey\(\"(\w+)\"\)|isset\(\$_(?:ENV|SERVER)\[\"(\w+)\"\]\))"
)
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
_OFF_WITH = pattern_of(
    r"@?(?:\w+\.)*DisabledIfEnvironmentVariable\(named=\"(\w+)\",matches=\"(?:\.[*+]|true|1|\(\?i\)true|\^?true\$?)\""
)
# Markers that let a test run on some systems only.
_ONLY_ON = pattern_of(
    r"(?:testOn:|@?(?:\w+\.)*(?:EnabledOnOs|Platform|OSCondition|SupportedOSPlatform|RequiresOperatingSystem(?:Family)?)\()"
    r"([^()!]*)\)?$"
)
_PLATFORM = pattern_of(
    r"(?<![\w.$])(?:process\.platform|os\.platform\(\)|runtime\.GOOS|Platform\.operatingSystem|PHP_OS_FAMILY|PHP_OS|os\.type\(\))(?![\w(])"
)
# The same asked in one word.
_IS_ON = pattern_of(
    r"(?<![\w.$])(?:\w+(?:\.|::))*(?:[iI]s_?(?:(?P<windows>[wW]in(?:dows)?)|(?P<macos>[mM]ac(?:OS|os)?|OSX))|(?P<gem>win_platform))"
    r"(?:\?|\(\)|(?![\w(\"]))"
    r"|(?:\w+\.)*[iI]sOSPlatform\(OSPlatform\.(?:(?P<w>Windows)|(?P<m>OSX))\)"
    r"|(?P<eol>(?:System\.lineSeparator(?:\(\))?|Environment\.NewLine)==\"\\r\\n\")"
)
_WINDOWS = pattern_of(r"[wW]in(?:dows|32)|WINDOWS")
_MACOS = pattern_of(r"[dD]arwin|macos|mac-os|MAC\b")
# Systems that hardly any pipeline has; each has to be named in one.
_RARE = pattern_of(
    r"\"(plan9|freebsd|netbsd|openbsd|dragonfly|solaris|illumos|sunos|aix|haiku|android|ios|js|wasip1|hurd|cygwin)\""
)
_OTHER_SYSTEM = pattern_of(r"(?i)linux|unix|posix|\bvm\b|browser|chrome|node|android|ios|freebsd|net|other")
_SET = '"true"'


def unset_variables(text: str, constants: Mapping[str, str]) -> tuple[str, ...]:
    """What a condition waits for that holds wherever none of it is set; none for any other condition."""
    for pattern, kind in ((_ANNOTATED, ""), (_OF_PROPERTY, PROPERTY)):
        annotated = pattern.match(text)
        if annotated is not None:
            return (kind + annotated[1],)
    off = _OFF_WITH.match(text)
    if off is not None:
        return (NO_CI,) if off[1] in _CI else ()
    only = _ONLY_ON.match(text)
    if only is not None:
        return _named_systems(only[1])
    resolved = followed(text, constants)
    names: list[str] = []
    known = _THERE.sub(lambda found: _unset(found, names), resolved)
    known = _GO.sub(lambda found: _named(found[1] or found[2] or found[3], names, '""'), known)
    known = _IS_THERE.sub(lambda found: _named(next(filter(None, found.groups())), names, "false"), known)
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
        return str(is_there == any(word in asked for word in ("ok", "some", "Defined"))).lower()
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
    asked: set[str] = set()
    known, times = _PLATFORM.subn('"linux"', text)
    wanted = {name for pattern, name in ((_WINDOWS, "windows"), (_MACOS, "macos")) if times and pattern.search(known)}
    known = _IS_ON.sub(lambda found: _asked_for(found, asked), known)
    wanted |= asked | (set(_RARE.findall(known)) if times else set())
    if len(wanted) != 1:
        return ()
    value = value_of(known)
    return (SYSTEM + next(iter(wanted)),) if value is not UNKNOWN and value else ()


def _asked_for(found: re.Match[str], asked: set[str]) -> str:
    """What a question for a system comes to on Linux; the system is kept."""
    groups = found.groupdict()
    asked.add("macos" if groups["macos"] or groups["m"] else "windows")
    return "false"


def _named_systems(text: str) -> tuple[str, ...]:
    """The one system that a marker names, where it is neither Linux nor one of several."""
    wanted = [name for pattern, name in ((_WINDOWS, "windows"), (_MACOS, "macos")) if pattern.search(text)]
    return (SYSTEM + wanted[0],) if len(wanted) == 1 and not _OTHER_SYSTEM.search(text) else ()
