"""What holds for a whole pipeline: its triggers, jobs that wait for others, jobs that nothing starts, its matrix."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.branch_names import is_main_alone, is_topic, leaves_out_work
from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_tables import IGNORED
from agentgate_git.source.settings.runs import key

PARAMETER = pattern_of(r"<<\s*(?:pipeline\.)?parameters\.([\w-]+)\s*>>")
_REVIEWS = ("pull_request", "pull_request_target", "merge_group", "workflow_call")
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

    `NAME=VALUE` is among them for a variable that is the same wherever it is set, and for a parameter with a default.
    """
    found: set[str] = set()
    texts: set[str] = set()
    constants: dict[str, set[str]] = {}
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.items)
        if node.kind == SCALAR:
            texts.update((one for pair in _SET.findall(node.text) for one in pair) if "=" in node.text else ())
        for name, value in node.entries:
            found.add(name)
            waiting.append(value)
            if name == "name" and value.kind == SCALAR and node.has("value"):
                found.add(value.text)
                constants.setdefault(value.text, set()).add(node.get("value").text)
            if name.lower() in ("env", "environment", "variables"):
                for one, text in value.entries:
                    constants.setdefault(one, set()).add(_constant(text))
    for name, values in constants.items():
        kept = next(iter(values)) if len(values) == 1 and name not in texts else "$"
        found.update((f"{name}={kept}",) if "$" not in kept and "<<" not in kept else ())
    found.update(f"{name}=false" for name, one in tree.get("parameters").entries if one.get("default").is_false())
    for parameter in tree.get("parameters").items:
        if parameter.get("default").kind == SCALAR and parameter.has("default"):
            found.add(f"parameters.{parameter.get('name').text}={parameter.get('default').text}")
    return frozenset(found | texts)


def _constant(node: ConfigNode) -> str:
    """The value of a variable; of one that is described, that which it has when nobody says otherwise."""
    if node.kind == TABLE:
        return node.get("value").text if node.has("value") else "$"
    return node.text if node.kind == SCALAR else "$"


def matrices(tree: ConfigNode) -> Iterator[Setting]:
    """Rows that a matrix leaves out."""
    for name, job in tree.get("jobs").entries:
        for item in job.get("strategy", "matrix", "exclude").items:
            shown = ", ".join(f"{axis}={value.text}" for axis, value in sorted(item.entries))
            yield Setting(key("matrix", "exclude", name), shown, item.line)


def travis_allowed(tree: ConfigNode) -> Iterator[str]:
    """Travis: every value of an axis, or the one there is, may fail."""
    only: dict[str, str | None] = {}
    for holder in (tree.get("jobs"), tree.get("matrix")):
        for allowed in holder.get("allow_failures").items:
            for axis, value in allowed.entries:
                if axis not in only:
                    words = set(tree.get(axis).words())
                    only[axis] = next(iter(words)) if len(words) == 1 else None
                if only[axis] == value.text:
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


def unused_jobs(tree: ConfigNode, names: frozenset[str]) -> frozenset[str]:
    """CircleCI: jobs that no workflow runs on a change, and those whose filters leave no branch of work."""
    workflows = tree.get("workflows")
    if workflows.kind != TABLE or tree.get("jobs").kind != TABLE:
        return frozenset()
    used: set[str] = set()
    named: set[str] = set()
    for _, workflow in workflows.entries:
        items = workflow.get("jobs").items
        named.update(one for item in items for one in (item.text, *(name for name, _ in item.entries)) if one)
        if not _is_started(workflow, names):
            continue
        waiting = {name for one in items for name, options in one.entries if options.get("type").text == "approval"}
        for item in items:
            if item.kind == SCALAR:
                used.add(item.text)
            for name, options in item.entries:
                if name not in waiting and not waiting & set(options.get("requires").words()) and _takes_work(options):
                    used.add(name)
    return frozenset(name for name, _ in tree.get("jobs").entries) - used if named else frozenset()


def _takes_work(options: ConfigNode) -> bool:
    branches = options.get("filters", "branches")
    if {"/.*/", "/.+/", "/^.*$/"} & set(branches.get("ignore").words()):
        return False
    return not leaves_out_work(branches.get("only").words()) and not any(map(is_topic, branches.get("ignore").words()))


def late_jobs(tree: ConfigNode) -> frozenset[str]:
    """CircleCI: jobs that every workflow runs on the main branch alone."""
    late, used = set[str](), set[str]()
    for _, workflow in tree.get("workflows").entries:
        for item in workflow.get("jobs").items:
            used.add(item.text)
            for name, options in item.entries:
                is_late = is_main_alone(options.get("filters", "branches", "only").words())
                (late if is_late else used).add(name)
    return frozenset(late - used)


def starts_on_review(tree: ConfigNode) -> bool:
    """False for a workflow of a forge that only pushes to the main branch, the clock and people start."""
    events = tree.get("on") if tree.has("on") else tree.get("true")
    named = dict.fromkeys(events.words()) | dict(events.entries)
    if not named or not named.keys().isdisjoint(_REVIEWS):
        return True
    push = events.get("push").get("branches").words()
    return "push" in named and not is_main_alone(push)


def _is_started(workflow: ConfigNode, names: frozenset[str]) -> bool:
    """False for a workflow that only the clock starts, or whose condition does not hold by itself."""
    if workflow.get("triggers").items and not any(one.kind == SCALAR for one in workflow.get("triggers").items):
        return not all(one.has("schedule") for one in workflow.get("triggers").items)
    when, unless = workflow.get("when"), workflow.get("unless")
    return not (_is_never(when, names) or unless.is_true())


def _is_never(when: ConfigNode, names: frozenset[str]) -> bool:
    if when.kind == SCALAR:
        found = PARAMETER.fullmatch(when.text.strip())
        return when.is_false() or bool(found and f"{found[1]}=false" in names)
    condition = when.get("condition")
    if condition.kind == SCALAR and condition.text:
        return _is_never(condition, names)
    if when.has("and"):
        return any(_is_never(one, names) for one in when.get("and").items)
    if when.has("or"):
        return all(_is_never(one, names) for one in when.get("or").items)
    if when.get("equal").items:
        values = [names_value(one.text, names) for one in when.get("equal").items]
        return None not in values and len(set(values)) > 1
    return False


def names_value(text: str, names: frozenset[str]) -> str | None:
    """What a text of CircleCI comes to: a parameter that is false unless somebody says otherwise, or itself."""
    found = PARAMETER.fullmatch(text.strip())
    if found is None:
        return None if "<<" in text else text.lower()
    return "false" if f"{found[1]}=false" in names else None
