"""pom.xml: plugins of Maven that test or check, their goals, and the properties that they read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.modules import maven_modules
from agentgate_git.source.settings.runs import key

_MAVEN_OFF = frozenset(
    ("skipTests", "skip", "skipITs", "skipUTs", "skipUnitTests", "skipExec", "maven.test.skip", "skipTest")
)
_MAVEN_CHOOSING = frozenset(
    (
        *("test", "it.test", "groups", "excludedGroups", "surefire.excludes", "surefire.includes", "failsafe.excludes"),
        *("surefire.excludesFile", "surefire.includesFile", "failsafe.includes", "dependenciesToScan"),
    )
)
_MAVEN_IGNORED = frozenset(("testFailureIgnore", "maven.test.failure.ignore", "failOnViolation", "failsOnError"))
_TEST_PLUGIN = pattern_of(
    r"surefire|failsafe|jacoco|checkstyle|spotbugs|pmd|gmaven|karma|frontend|scalatest|tycho|clover"
)
_SKIPPING = pattern_of(r"^(?:skip|maven\.test\.skip|surefire\.skip|failsafe\.skip)", re.IGNORECASE)
_PROPERTY = pattern_of(r"\$\{([\w.-]+)\}")
# Goals that fail a build, where others of the same plugin only run or report.
_JUDGING = frozenset(("verify", "check", "test", "integration-test", "check-ready"))


def maven_settings(tree: ConfigNode) -> Iterator[Setting]:
    """pom.xml: plugins that test or check, and the properties they read."""
    known = {name: value.text for name, value in tree.get("project", "properties").entries}
    known.update((name, value.text) for name, value in tree.get("properties").entries)
    project = tree.get("project") if tree.has("project") else tree
    profiles = project.get("profiles").all("profile")
    parked = tuple(one for one in profiles if _is_asked_for(one.get("activation")))
    yield from maven_modules((project, *(one for one in profiles if one not in parked)), parked)
    for one in _maven(tree, ""):
        found = _PROPERTY.fullmatch(one.value)
        yield one._replace(value=known.get(found[1], one.value)) if found else one


def _maven(node: ConfigNode, plugin: str) -> Iterator[Setting]:
    for name, value in node.entries:
        if name == "plugin":
            yield from _maven(value, value.get("artifactId").text)
        elif name == "execution" and _TEST_PLUGIN.search(plugin):
            yield from _execution(value, plugin)
            yield from _maven(value, plugin)
        elif name == "profile" and _is_asked_for(value.get("activation")):
            continue
        elif name == "properties":
            for one, text in value.entries:
                if one in _MAVEN_CHOOSING and text.text:
                    yield Setting(key("exclude", "maven", f"property {one}"), text.text, text.line)
                elif one in _MAVEN_IGNORED or _SKIPPING.match(one):
                    kind = "ignored" if one in _MAVEN_IGNORED else "off"
                    yield Setting(key("build", kind, f"property {one}"), text.text.lower(), text.line)
        elif name == "configuration" and _TEST_PLUGIN.search(plugin):
            yield from _maven_plugin(value, plugin)
        elif value.kind == TABLE:
            yield from _maven(value, plugin)


def _execution(node: ConfigNode, plugin: str) -> Iterator[Setting]:
    """The goals of an execution that can fail a build; one bound to no phase never runs."""
    phase = node.get("phase")
    if phase.text.strip().lower() in ("none", "never", "disabled", "skip"):
        yield Setting(key("build", "off", f"{plugin} phase"), "true", phase.line)
        return
    for name, goal in node.get("goals").entries:
        if name == "goal" and goal.text.strip() in _JUDGING:
            yield Setting(key("goal", plugin, goal.text.strip()), "true", goal.line)


def _is_asked_for(activation: ConfigNode) -> bool:
    """True for a profile that is only there when somebody names it, or gives a property."""
    if activation.get("activeByDefault").is_true() or activation.get("property", "name").text.startswith("!"):
        return False
    return activation.kind != TABLE or activation.has("property")


def _maven_plugin(node: ConfigNode, plugin: str) -> Iterator[Setting]:
    for name, value in node.entries:
        if name in _MAVEN_OFF:
            yield Setting(key("build", "off", f"{plugin} {name}"), value.text.lower(), value.line)
        elif name in ("failOnViolation", "failsOnError", "failOnError", "haltOnFailure"):
            yield Setting(key("build", "guard", f"{plugin} {name}"), value.text.lower(), value.line)
        elif name in _MAVEN_IGNORED:
            yield Setting(key("build", "ignored", f"{plugin} {name}"), value.text.lower(), value.line)
        elif name in ("excludes", "excludesFile", "excludedGroups", "groups", "test", "includes"):
            for _, one in value.entries or ((name, value),):
                kind = "include" if name in ("includes",) else "exclude"
                yield Setting(key(kind, plugin, name), one.text, one.line)
        elif name == "rerunFailingTestsCount":
            yield Setting(key("retries", plugin, name), value.text, value.line)
        elif name == "minimum":
            yield Setting(key("coverage", "threshold", plugin), value.text, value.line)
        elif value.kind == TABLE:
            yield from _maven_plugin(value, plugin)
