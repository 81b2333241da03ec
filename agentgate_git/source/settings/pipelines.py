"""CI pipelines: whatever the system, steps stand below jobs, and keys of both say what becomes of a failure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.record import Record
from agentgate_git.source.runner_names import HOOKS, LINT, TEST
from agentgate_git.source.runner_tables import IGNORED, OFF, RETRIED
from agentgate_git.source.settings.runs import RUN, Around, joined, key, runs
from agentgate_git.source.shell_status import ShellKind

_COMMANDS = frozenset(
    (
        *(
            "run",
            "script",
            "scripts",
            "command",
            "commands",
            "bash",
            "sh",
            "pwsh",
            "powershell",
            "cmd",
            "before_script",
        ),
        *("after_script", "after_success", "after_failure", "install", "before_install", "test_script", "build_script"),
        *("before_test", "after_test", "customcommand", "script_block", "main", "pre", "inline", "tasks", "entry"),
    )
)
# What runs there does not decide about the build.
_AFTER = frozenset(("after_script", "after_success", "after_failure", "after_test", "post", "on_failure", "on_finish"))
_STRUCTURE = frozenset(
    (
        *("jobs", "steps", "stages", "workflows", "pipeline", "pipelines", "strategy", "matrix", "include", "phases"),
        *("step", "default", "parallel", "deploy", "on", "rules", "with", "inputs", "task", "tasks", "runs", "inline"),
    )
)
_NAMES = ("job", "stage", "deployment", "name", "label", "id", "key", "identifier", "displayname")
_IS_IGNORED = ("continue-on-error", "continueonerror", "allow_failure", "soft_fail", "allowfailure", "ignore_failure")
_MANUAL = frozenset(("manual", "never", "on_failure", "delayed", "on_fail"))
_PLACELESS = frozenset(("script", "checkout", "restore_cache", "save_cache"))
_CONSTANT_FALSE = re.compile(
    r"^(?:false|never(?:\(\))?|0|failed\(\)|failure\(\)|cancelled\(\))$|(?:^|&&\s*)false(?:\s*&&|$)"
)
_RARELY = re.compile(r"workflow_dispatch|'schedule'|\"schedule\"|refs/tags|\.labels?\b|inputs\.|\[skip|'never'")
_TRUTHS = frozenset(("true", "yes", "on", "1", "always"))
_ACTION_TEST = re.compile(
    r"(?:^|[/_.-])(?:py)?tests?(?:$|[/_.@-])|cypress|playwright|pytest|jest|unit|e2e", re.IGNORECASE
)
_ACTION_LINT = re.compile(
    r"lint|ruff|/black|mypy|flake8|eslint|codeql|/analyze|golangci|shellcheck|checkstyle|typos|zizmor|agentgate|clippy",
    re.IGNORECASE,
)
_ACTION_OTHER = re.compile(
    r"report|upload|setup|summary|reviewdog/action-setup|publish|cache|annotat|results", re.IGNORECASE
)
MAX_STEPS = 20_000


class System(Record):
    """How a CI system runs a step: the shell it starts, and whether each line of a step counts by itself."""

    shell: ShellKind
    is_line_by_line: bool = False


_STRICT = ShellKind(True, False)
_PIPEFAIL = ShellKind(True, True)
_SYSTEMS = (
    (".github/", System(_STRICT)),
    (".gitea/", System(_STRICT)),
    (".forgejo/", System(_STRICT)),
    (".gitlab", System(_PIPEFAIL)),
    (".circleci/", System(_PIPEFAIL)),
    ("azure-pipelines", System(ShellKind())),
    (".azure-pipelines/", System(ShellKind())),
    (".travis.y", System(ShellKind(), True)),
    ("appveyor.y", System(ShellKind(), True)),
    (".appveyor.y", System(ShellKind(), True)),
    ("buildspec.y", System(ShellKind(), True)),
)


def pipeline_settings(path: str, tree: ConfigNode) -> Iterator[Setting]:
    """The runs of a pipeline, and of a forge's workflow its triggers."""
    system = next((system for start, system in _SYSTEMS if start in f"{path.lower()}"), System(_STRICT))
    walker = _Walker(system)
    marks = {mark for node in (tree, *tree.items) for mark in _travis_allowed(node)}
    found = list(walker.walk(tree, Around(shell=system.shell, marks=tuple(marks), variables=_variables(tree))))
    unused = _unused_jobs(tree)
    yield from (_switched_off(one, unused) for one in found)
    if found:
        yield from _triggers(tree)
    yield from _aggregators(tree)
    yield from _matrices(tree)


class _Walker:
    def __init__(self, system: System) -> None:
        self._system = system
        self._steps = 0

    def walk(self, node: ConfigNode, around: Around) -> Iterator[Setting]:
        """Every run below a node; tables add what they say to what holds around them."""
        if node.kind == LIST:
            for item in node.items:
                yield from self.walk(item, self._named(item, around))
            return
        if node.kind != TABLE:
            return
        self._steps += 1
        if self._steps > MAX_STEPS:
            return
        within = self._within(node, around)
        for name, value in node.entries:
            folded = name.lower()
            if folded in _COMMANDS and value.kind != TABLE:
                yield from self._commands(folded, value, within)
            elif folded == "uses" and value.kind == SCALAR:
                yield from _action(value, node, within)
            elif folded == "task" and value.kind == SCALAR:
                yield from _azure_task(value, node, within)
            elif value.kind != SCALAR and folded not in ("env", "environment", "variables", "on", "needs", "matrix"):
                yield from self.walk(value, self._below(name, within))

    def _commands(self, name: str, value: ConfigNode, around: Around) -> Iterator[Setting]:
        if name in _AFTER:
            around = around._replace(marks=(*around.marks, f"{IGNORED}: `{name}` does not decide about the build"))
        for item in value.items:
            if item.kind == TABLE:
                yield from self.walk(item, around)
        nodes = (value,) if value.kind == SCALAR else value.items
        if self._system.is_line_by_line:
            for node in nodes:
                text, lines = joined((node,))
                yield from runs(text, around, lines)
            return
        text, lines = joined(nodes)
        if text:
            yield from runs(text, around, lines)

    def _below(self, name: str, around: Around) -> Around:
        if name.lower() in _AFTER:
            return around._replace(marks=(*around.marks, f"{IGNORED}: `{name}` does not decide about the build"))
        return around if name.lower() in _STRUCTURE else around._replace(place=name)

    def _named(self, item: ConfigNode, around: Around) -> Around:
        """A list of jobs gives each its name; steps of a job keep the name of the job."""
        is_job = any(item.has(one) for one in ("steps", "jobs", "job", "stage", "deployment", "kind"))
        name = next((item.get(one).text for one in _NAMES if item.get(one).text), "")
        return around._replace(place=name) if is_job and name else around

    def _within(self, node: ConfigNode, around: Around) -> Around:
        marks = (*around.marks, *_marks(node))
        return around._replace(
            marks=tuple(dict.fromkeys(marks)),
            variables=(*around.variables, *_variables(node)),
            shell=_shell(node, around.shell),
        )


def _marks(node: ConfigNode) -> Iterator[str]:
    for name, value in node.entries:
        folded = name.lower()
        if folded in _IS_IGNORED and _is_on(value):
            yield f"{IGNORED}: `{name}`"
        elif folded in ("failure", "on-failure") and value.text.lower() in ("ignore", "continue"):
            yield f"{IGNORED}: `{name}: {value.text}`"
        elif folded in ("if", "condition", "only_if") and value.kind == SCALAR:
            yield from _condition(name, value)
        elif folded == "enabled" and value.is_false():
            yield f"{OFF}: `enabled: false`"
        elif folded == "skip" and value.kind == SCALAR and value.text and not value.is_false():
            yield f"{OFF}: `skip: {value.text[:40]}`"
        elif folded in ("when", "trigger", "trigger_type") and value.kind == SCALAR and value.text.lower() in _MANUAL:
            yield f"{OFF}: `{name}: {value.text}`"
        elif folded == "manual" and value.is_true():
            yield f"{OFF}: `manual: true`"
        elif folded == "rules" and value.kind == LIST and _never(value):
            yield f"{OFF}: its rules never let it run by itself"
        elif folded in ("only", "branches") and value.kind == LIST and not value.items:
            yield f"{OFF}: `{name}` names nothing"
        elif folded in ("retry", "retries", "max_attempts", "max_auto_retries") and node.kind == TABLE:
            yield from _retry(name, value)


def _is_on(value: ConfigNode) -> bool:
    if value.kind == TABLE:  # exit codes that are let through
        return any("exit" in name.lower() for name, _ in value.entries)
    if value.kind == LIST:
        return bool(value.items)
    return value.text.strip().lower().removeprefix("${{").removesuffix("}}").strip() in _TRUTHS


def _condition(name: str, value: ConfigNode) -> Iterator[str]:
    text = value.text.strip().removeprefix("${{").removesuffix("}}").strip()
    if _CONSTANT_FALSE.search(text.lower()):
        yield f"{OFF}: `{name}: {text[:60]}`"
    elif _RARELY.search(text):
        yield f"condition: {name}: {text[:120]}"


def _never(rules: ConfigNode) -> bool:
    return bool(rules.items) and all(item.get("when").text.lower() in ("never", "manual") for item in rules.items)


def _retry(name: str, value: ConfigNode) -> Iterator[str]:
    """A retry for a cause outside the tests (`when: runner_system_failure`) is none of the tests."""
    if value.kind == SCALAR and value.text.isdigit() and int(value.text) > 0:
        yield f"{RETRIED}: `{name}: {value.text}`"
    elif value.kind == TABLE and (not value.has("when") or "script_failure" in value.get("when").words()):
        shown = value.get("max").text or value.get("automatic").text or value.get("limit").text
        if shown not in ("", "0", "false"):
            yield f"{RETRIED}: `{name}: {shown}`"


def _variables(node: ConfigNode) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for name, value in node.entries:
        if name.lower() in ("env", "environment", "variables"):
            found.extend((key, one.text) for key, one in value.entries if one.kind == SCALAR)
            for item in value.items:
                found.extend((key, one.text) for key, one in item.entries if one.kind == SCALAR)
                if "=" in item.text:
                    first, _, rest = item.text.partition("=")
                    found.append((first.strip(), rest.strip(" \"'")))
    return tuple(found)


def _shell(node: ConfigNode, current: ShellKind) -> ShellKind:
    named = node.get("shell").text or node.get("defaults", "run", "shell").text
    if not named:
        return current
    words = named.split()
    program = words[0].rpartition("/")[2]
    if program not in ("bash", "sh", "zsh", "dash"):
        return current
    if len(words) == 1:
        return ShellKind(True, program == "bash")
    flags = [word for word in words[1:] if word.startswith("-") and not word.startswith("--")]
    return ShellKind(any("e" in flag for flag in flags), "pipefail" in words)


def _action(value: ConfigNode, step: ConfigNode, around: Around) -> Iterator[Setting]:
    """A step that another repository or file provides is known by what it is called."""
    name = value.text.partition("@")[0].removeprefix("./")
    if _ACTION_OTHER.search(name.rpartition("/")[2]):
        return
    if name.endswith("pre-commit/action") or "pre-commit" in name:
        kind = HOOKS
    elif _ACTION_LINT.search(name):
        kind = LINT
    elif _ACTION_TEST.search(name):
        kind = TEST
    else:
        return
    marks = sorted({*around.marks, *_marks(step)})
    yield Setting(key(RUN, kind, around.place, f"uses {name}"), "\n".join(marks), value.line)


def _azure_task(value: ConfigNode, step: ConfigNode, around: Around) -> Iterator[Setting]:
    inputs = step.get("inputs")
    task = value.text.partition("@")[0].lower()
    words = {name.lower(): node.text for name, node in inputs.entries if node.kind == SCALAR}
    command = words.get("customcommand") or words.get("command", "")
    text = {
        "npm": f"npm {command}",
        "yarn": f"yarn {words.get('arguments', command)}",
        "dotnetcorecli": f"dotnet {command} {words.get('arguments', '')}",
        "maven": f"mvn {words.get('goals', 'package')} {words.get('options', '')}",
        "gradle": f"gradle {words.get('tasks', 'build')} {words.get('options', '')}",
        "vstest": "vstest.console "
        + (f"--TestCaseFilter '{words['testfiltercriteria']}'" if words.get("testfiltercriteria") else ""),
    }.get(task, words.get("script", ""))
    yield from runs(text, around, (value.line,) * (text.count("\n") + 1))


def _travis_allowed(tree: ConfigNode) -> Iterator[str]:
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


def _unused_jobs(tree: ConfigNode) -> frozenset[str]:
    """CircleCI: jobs that no workflow runs, and those whose filters leave no branch."""
    workflows = tree.get("workflows")
    if workflows.kind != TABLE or tree.get("jobs").kind != TABLE:
        return frozenset()
    used: set[str] = set()
    for _, workflow in workflows.entries:
        for item in workflow.get("jobs").items:
            if item.kind == SCALAR:
                used.add(item.text)
            for name, options in item.entries:
                ignored = options.get("filters", "branches", "ignore").words()
                if not {"/.*/", "/.+/", "/^.*$/"} & set(ignored):
                    used.add(name)
    return frozenset(name for name, _ in tree.get("jobs").entries) - used if used else frozenset()


def _switched_off(setting: Setting, unused: frozenset[str]) -> Setting:
    parts = setting.key.split(" > ")
    if parts[0] != RUN or len(parts) < 3 or parts[2] not in unused:
        return setting
    marks = sorted({*filter(None, setting.value.split("\n")), f"{OFF}: no workflow runs its job"})
    return setting._replace(value="\n".join(marks))


def _triggers(tree: ConfigNode) -> Iterator[Setting]:
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


def _aggregators(tree: ConfigNode) -> Iterator[Setting]:
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


def _matrices(tree: ConfigNode) -> Iterator[Setting]:
    for name, job in tree.get("jobs").entries:
        for item in job.get("strategy", "matrix", "exclude").items:
            shown = ", ".join(f"{axis}={value.text}" for axis, value in sorted(item.entries))
            yield Setting(key("matrix", "exclude", name), shown, item.line)
