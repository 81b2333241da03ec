"""What Xcode runs: plans of tests (`.xctestplan`) and schemes (`.xcscheme`)."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import TABLE, ConfigNode, TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.source.settings.runs import key

MAX_NODES = 20_000


def plan_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The targets of a plan, what is skipped of them, and those that are switched off."""
    for item in tree.get("testTargets").items:
        name = item.get("target", "name").text
        yield Setting(key("include", "xctest", "target"), name, item.line)
        if item.get("enabled").is_false():
            yield Setting(key("build", "off", f"{name} enabled"), "true", item.get("enabled").line)
        for option in ("skippedTests", "selectedTests", "skippedTags", "selectedTags"):
            node = item.get(option)
            for word in (*node.words(), *node.get("suites").words(), *node.get("tags").words()):
                yield Setting(key("exclude", "xctest", f"{name} {option}"), word, node.line)
    retries = tree.get("defaultOptions", "testRepetitionMode")
    if retries.text == "retryOnFailure":
        yield Setting(key("retries", "xctest", "testRepetitionMode"), "1", retries.line)


def scheme_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The same of a scheme, which is XML."""
    waiting = [("", tree)]
    for _ in range(MAX_NODES):
        if not waiting:
            return
        above, node = waiting.pop()
        for name, value in node.entries:
            if name == "TestableReference":
                shown = value.get("BuildableReference", "@BlueprintName").text
                yield Setting(key("include", "xctest", "target"), shown, value.line)
                if value.get("@skipped").is_true():
                    yield Setting(key("build", "off", f"{shown} skipped"), "true", value.line)
            elif name == "Test" and above in ("SkippedTests", "SelectedTests"):
                yield Setting(key("exclude", "xctest", above), value.get("@Identifier").text, value.line)
            if value.kind == TABLE:
                waiting.append((name, value))
    raise TreeError(f"it has more than {MAX_NODES} elements")
