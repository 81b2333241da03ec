"""What holds for a whole pipeline: its triggers, jobs that wait for others, jobs that nothing starts, its matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.source.runner_tables import IGNORED
from agentgate_git.source.settings.runs import key


def triggers(tree: ConfigNode) -> Iterator[Setting]:
    """`on` of a forge, `trigger` and `pr` of Azure, `workflow` of GitLab: the events and their filters."""
    for holder in ("on", "true", "trigger", "pr"):
        events = tree.get(holder)
        prefix = "" if holder in ("on", "true") else holder
        for word in events.words() if not prefix else ():
            yield Setting(key("trigger", "event"), word, events.line)
        if prefix and events.kind == SCALAR and events.text == "none":
            yield Setting(key("trigger", "none"), prefix, events.line)
        for event, value in events.entries:
            if not prefix:
                yield Setting(key("trigger", "event"), event, value.line or events.line)
            yield from _filters(prefix or event, value if not prefix else events)
            if prefix:
                break


def _filters(event: str, value: ConfigNode) -> Iterator[Setting]:
    for name, node in value.entries:
        folded = name.lower()
        if folded in ("paths", "paths-ignore", "branches", "branches-ignore", "types"):
            for word in node.words():
                yield Setting(key("trigger", folded, event), word, node.line)
            for way in ("include", "exclude"):
                for word in node.get(way).words():
                    suffix = "-ignore" if way == "exclude" else ""
                    yield Setting(key("trigger", f"{folded}{suffix}", event), word, node.line)


def aggregators(tree: ConfigNode) -> Iterator[Setting]:
    """Jobs that others wait for: `if: always()` without a look at what the jobs before came to says yes to anything."""
    for name, job in tree.get("jobs").entries:
        if not job.get("needs").words() or "always()" not in job.get("if").text:
            continue
        steps = job.get("steps").items
        texts = [text for text in _texts(job) if text]
        if any(
            re.search(r"needs\.|needs\)|\bneeds\b.*result|toJSON\(needs|job\.status|failure\(\)", text)
            for text in texts
        ):
            yield Setting(key("aggregator", "checked"), name, job.line)
        elif steps and all(_is_idle(step) for step in steps):
            yield Setting(key("aggregator", "unchecked"), name, job.line)


def _is_idle(step: ConfigNode) -> bool:
    words = step.get("run").text.split()
    return bool(words) and words[0] in ("echo", "true", ":", "exit", "printf")


def _texts(node: ConfigNode) -> Iterator[str]:
    if node.kind == SCALAR:
        yield node.text
    for item in node.items:
        yield from _texts(item)
    for name, value in node.entries:
        if name != "needs":
            yield from _texts(value)


def matrices(tree: ConfigNode) -> Iterator[Setting]:
    """Rows that a matrix leaves out."""
    for name, job in tree.get("jobs").entries:
        for item in job.get("strategy", "matrix", "exclude").items:
            shown = ", ".join(f"{axis}={value.text}" for axis, value in sorted(item.entries))
            yield Setting(key("matrix", "exclude", name), shown, item.line)


def travis_allowed(tree: ConfigNode) -> Iterator[str]:
    """Travis: every value of an axis, or the one there is, may fail."""
    for holder in (tree.get("jobs"), tree.get("matrix")):
        for allowed in holder.get("allow_failures").items:
            for axis, value in allowed.entries:
                if set(tree.get(axis).words()) == {value.text}:
                    yield f"{IGNORED}: `allow_failures` names its only {axis}"
    for axis in ("python", "node_js", "rvm", "go", "php", "jdk", "rust", "os", "env"):
        allowed_values = {
            item.get(axis).text
            for holder in (tree.get("jobs"), tree.get("matrix"))
            for item in holder.get("allow_failures").items
            if len(item.entries) == 1
        }
        values = set(tree.get(axis).words())
        if len(values) > 1 and values <= allowed_values:
            yield f"{IGNORED}: `allow_failures` names every {axis}"


def unused_jobs(tree: ConfigNode) -> frozenset[str]:
    """CircleCI: jobs that no workflow runs, and those whose filters leave no branch."""
    workflows = tree.get("workflows")
    if workflows.kind != TABLE or tree.get("jobs").kind != TABLE:
        return frozenset()
    used: set[str] = set()
    for _, workflow in workflows.entries:
        items = workflow.get("jobs").items
        waiting = {name for one in items for name, options in one.entries if options.get("type").text == "approval"}
        for item in items:
            if item.kind == SCALAR:
                used.add(item.text)
            for name, options in item.entries:
                ignored = options.get("filters", "branches", "ignore").words()
                if not {"/.*/", "/.+/", "/^.*$/"} & set(ignored) and not waiting & set(options.get("requires").words()):
                    used.add(name)
    return frozenset(name for name, _ in tree.get("jobs").entries) - used if used else frozenset()
