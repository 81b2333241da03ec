"""What holds for a whole pipeline: its triggers, jobs that wait for others, jobs that nothing starts, its matrix."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_tables import IGNORED
from agentgate_git.source.settings.runs import key

_SET = pattern_of(r"\b([A-Za-z_]\w*)\]?=|variable=([\w.-]+)")


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
        if folded in ("paths", "paths-ignore", "branches", "branches-ignore", "types", "tags"):
            for word in node.words():
                yield Setting(key("trigger", folded, event), word, node.line)
            for way in ("include", "exclude"):
                for word in node.get(way).words():
                    suffix = "-ignore" if way == "exclude" else ""
                    yield Setting(key("trigger", f"{folded}{suffix}", event), word, node.line)


def known_names(tree: ConfigNode) -> frozenset[str]:
    """Every key of a pipeline and every name that one of its texts sets, as the variables that are set.

    `NAME=true` is among them for an axis of a matrix that is true in every row, `NAME=false` for a parameter that is
    false unless somebody says otherwise.
    """
    found: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.items)
        if node.kind == SCALAR:
            found.update((one for pair in _SET.findall(node.text) for one in pair) if "=" in node.text else ())
        for name, value in node.entries:
            found.add(name)
            waiting.append(value)
            if name == "matrix":
                found.update(f"matrix.{axis}=true" for axis in _true_axes(value))
            if name == "name" and value.kind == SCALAR and node.has("value"):
                found.add(value.text)
    found.update(f"{name}=false" for name, one in tree.get("parameters").entries if one.get("default").is_false())
    return frozenset(found)


def _true_axes(matrix: ConfigNode) -> Iterator[str]:
    rows = matrix.get("include").items
    for axis, values in matrix.entries:
        if values.items and all(one.is_true() for one in values.items):
            yield axis
    for axis in {name for row in rows for name, _ in row.entries}:
        if not matrix.has(axis) and all(row.get(axis).is_true() for row in rows) and _reach_all(rows, matrix):
            yield axis


def _reach_all(rows: tuple[ConfigNode, ...], matrix: ConfigNode) -> bool:
    """True for rows that are the whole matrix, or of which one is added to every combination of its axes."""
    axes = {name for name, _ in matrix.entries} - {"include", "exclude"}
    return not axes or any(axes.isdisjoint(name for name, _ in row.entries) for row in rows)


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
