"""CI pipelines: whatever the system, steps stand below jobs, and keys of both say what becomes of a failure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode, TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.runner_names import HOOKS, LINT, SHELLS, TEST
from agentgate_git.source.commands.runner_tables import IGNORED, MERGED, OFF
from agentgate_git.source.commands.shell_halts import halts
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.allowed_rows import allowed_rows
from agentgate_git.source.settings.asked_later import AskedLater
from agentgate_git.source.settings.expression import Given, Room, never_on_changes
from agentgate_git.source.settings.matrix_rows import cost_of, rows_of
from agentgate_git.source.settings.named_steps import named_steps
from agentgate_git.source.settings.pipeline_keys import starting_events, step_marks, workflow_marks
from agentgate_git.source.settings.pipeline_waits import aggregators, edges
from agentgate_git.source.settings.pipeline_whole import (
    known_names,
    late_jobs,
    matrices,
    starts_on_review,
    travis_allowed,
    triggers,
    unused_jobs,
)
from agentgate_git.source.settings.report_actions import report_settings
from agentgate_git.source.settings.runs import AT, RUN, Around, joined, key, runs
from agentgate_git.source.settings.shards import shards
from agentgate_git.source.settings.stand_ins import stand_ins
from agentgate_git.source.settings.variables import Variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.source.settings.matrix_rows import Row
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
        *(
            "before_test",
            "after_test",
            "customcommand",
            "script_block",
            "main",
            "pre",
            "inline",
            "tasks",
            "entry",
            "cmds",
        ),
    )
)
# What runs there does not decide about the build.
_AFTER = frozenset(("after_script", "after_success", "after_failure", "after_test", "post", "on_failure", "on_finish"))
_STRUCTURE = frozenset(
    (
        *("jobs", "steps", "stages", "workflows", "pipeline", "pipelines", "strategy", "matrix", "include", "phases"),
        *(
            "step",
            "default",
            "parallel",
            "deploy",
            "on",
            "rules",
            "with",
            "inputs",
            "task",
            "tasks",
            "runs",
            "inline",
            "run",
        ),
    )
)
_NAMES = ("job", "stage", "deployment", "name", "label", "id", "key", "identifier", "displayname")
_ACTION_TEST = pattern_of(
    r"(?:^|[/_.-])(?:py)?tests?(?:$|[/_.@-])|cypress|playwright|pytest|jest|unit|e2e", re.IGNORECASE
)
_ACTION_LINT = pattern_of(
    r"lint|ruff|/black|mypy|flake8|eslint|codeql|/analyze|golangci|shellcheck|checkstyle|typos|zizmor|agentgate|clippy",
    re.IGNORECASE,
)
_ACTION_OTHER = pattern_of(
    r"report|upload|setup|summary|reviewdog/action-setup|publish|cache|annotat|results", re.IGNORECASE
)
_FOLDERS = ("working-directory", "workingDirectory", "working_directory")
_INHERITED = frozenset(("allow_failure", "rules", "when", "only", "except", "retry", "variables"))
MAX_TEMPLATES = 50
MAX_STEPS = 20_000
# The pipelines of large projects run some hundreds of commands.
MAX_COMMANDS = 1_000


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
    """The runs of a pipeline, and of a forge's workflow its triggers; `TreeError` for more than is looked at."""
    system = next((system for start, system in _SYSTEMS if start in f"{path.lower()}"), System(_STRICT))
    names = known_names(tree) | starting_events(tree)
    walker = _Walker(system)
    marks = {mark for node in (tree, *tree.items) for mark in travis_allowed(node)}
    if "gitlab" in path:
        tree = _extended(tree)
        marks.update(workflow_marks(tree))
    if "/" not in path and "gitlab" in path and not tree.has("include"):
        tree = _without_templates(tree)
    around = Around("", tuple(marks), Variables(_variables(tree)), system.shell, names)
    found = list(islice(walker.walk(tree, around), MAX_COMMANDS + 1))
    if len(found) > MAX_COMMANDS:
        raise TreeError(f"it runs more than {MAX_COMMANDS} commands")
    unused = unused_jobs(tree, names)
    late = late_jobs(tree)
    is_reviewed = starts_on_review(tree)
    yield from (_timed(_switched_off(one, unused), late, is_reviewed=is_reviewed) for one in found)
    if found:
        yield from triggers(tree)
    yield from aggregators(tree)
    tested = frozenset(one.key.split(" > ")[2] for one in found if one.key.startswith("run > test > "))
    yield from edges(tree, tested)
    yield from matrices(tree)
    yield from allowed_rows(tree, names, tested)
    yield from stand_ins(tree, tested)
    yield from shards(tree) if tested else ()
    yield from named_steps(tree)


def _without_templates(tree: ConfigNode) -> ConfigNode:
    """GitLab runs no job whose name starts with a dot; one that nothing extends is none."""
    extended = {word for _, job in tree.entries for word in job.get("extends").words()}
    kept = tuple((name, job) for name, job in tree.entries if not name.startswith(".") or name in extended)
    return tree._replace(entries=kept)


def _extended(tree: ConfigNode) -> ConfigNode:
    """GitLab: each job with what the templates that it extends say about when it runs and what its failure does."""
    jobs = dict(tree.entries)
    return tree._replace(entries=tuple((name, _with_inherited(jobs, job)) for name, job in tree.entries))


def _with_inherited(jobs: Mapping[str, ConfigNode], job: ConfigNode) -> ConfigNode:
    found = {name: value for name, value in job.entries if name in _INHERITED}
    waiting, seen = list(job.get("extends").words()), set[str]()
    while waiting and len(seen) < MAX_TEMPLATES:
        name = waiting.pop()  # what is named last counts first
        template = jobs.get(name)
        if name in seen or template is None:
            continue
        seen.add(name)
        for one, value in template.entries:
            if one in _INHERITED:
                found.setdefault(one, value)
        waiting.extend(template.get("extends").words())
    own = {name for name, _ in job.entries}
    return job._replace(entries=(*job.entries, *((name, value) for name, value in found.items() if name not in own)))


class _Walker:
    def __init__(self, system: System) -> None:
        self._system = system
        self._steps = 0
        self._room = Room()
        self._halted = ""  # what keeps the steps after it from running, or may

    def walk(self, node: ConfigNode, around: Around) -> Iterator[Setting]:
        """Every run below a node; tables add what they say to what holds around them."""
        if node.kind == LIST:
            asked = AskedLater(node.items)
            for item in node.items:
                yield from asked.heard(item, self._in_job(item, self._named(item, around), around))
            return
        if node.kind != TABLE:
            return
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise TreeError(f"it has more than {MAX_STEPS} tables")
        within = self._within(node, around)
        for name, value in node.entries:
            folded = name.lower()
            if folded in _COMMANDS and value.kind != TABLE:
                yield from self._commands(folded, value, within)
            elif folded == "uses" and value.kind == SCALAR:
                yield from _action(value, step_marks(node, self._given(within, within.rows)), within)
                yield from report_settings(value.text, node, within.place)
            elif folded == "task" and value.kind == SCALAR:
                yield from _azure_task(value, node, within)
            elif value.kind != SCALAR and folded not in ("env", "environment", "variables", "on", "needs", "matrix"):
                yield from self._in_job(value, self._below(name, within), within)

    def _in_job(self, node: ConfigNode, inner: Around, around: Around) -> Iterator[Setting]:
        """What runs below a node; where that is another job, what ends a job early is left behind."""
        before = self._halted
        if inner.place != around.place:
            self._halted = ""
        yield from self.walk(node, inner)
        if inner.place != around.place:
            self._halted = before

    def _commands(self, name: str, value: ConfigNode, around: Around) -> Iterator[Setting]:
        if name in _AFTER:
            around = around._replace(marks=(*around.marks, f"{IGNORED}: `{name}` does not decide about the build"))
        for item in value.items:
            if item.kind == TABLE:
                yield from self.walk(item, around)
        nodes = (value,) if value.kind == SCALAR else value.items
        if self._system.is_line_by_line:
            for node in nodes:
                yield from self._text(*joined((node,)), around)
            return
        yield from self._text(*joined(nodes), around)

    def _text(self, text: str, lines: tuple[int, ...], around: Around) -> Iterator[Setting]:
        if self._halted:
            around = around._replace(marks=(*around.marks, self._halted))
        if text:
            yield from runs(text, around, lines)
        off, condition = halts(text)
        self._halted = f"{OFF}: {off}" if off else self._halted or (condition and f"condition: {condition}")

    def _below(self, name: str, around: Around) -> Around:
        if name.lower() in _AFTER:
            return around._replace(marks=(*around.marks, f"{IGNORED}: `{name}` does not decide about the build"))
        if name.startswith("${{"):
            inner = name.strip("${} ").removeprefix("if ").strip()
            is_off = name.strip("${ ").startswith("if ") and never_on_changes(inner, self._given(around, around.rows))
            return around._replace(marks=(*around.marks, f"{OFF}: `{name[:60]}`")) if is_off else around
        return around if name.lower() in _STRUCTURE else around._replace(place=name)

    def _named(self, item: ConfigNode, around: Around) -> Around:
        """A list of jobs gives each its name; steps of a job keep the name of the job."""
        is_job = any(item.has(one) for one in ("steps", "jobs", "job", "stage", "deployment", "kind"))
        name = next((item.get(one).text for one in _NAMES if item.get(one).text), "")
        return around._replace(place=name) if is_job and name else around

    def _given(self, around: Around, rows: tuple[Row, ...]) -> Given:
        return Given(around.names, rows, room=self._room)

    def _within(self, node: ConfigNode, around: Around) -> Around:
        matrix = node.get("strategy", "matrix")
        rows = rows_of(matrix) or around.rows
        if matrix.entries:
            self._room.spend(cost_of(matrix, rows))
        marks = (*around.marks, *step_marks(node, self._given(around, rows)))
        folder = next((node.get(one).text for one in _FOLDERS if node.get(one).text), "").strip("./")
        if folder and "$" not in folder:
            marks = (*(mark for mark in marks if not mark.startswith(AT)), f"{AT}{folder}")
        if _runs_nothing(node):
            marks = (*marks, f"{OFF}: its shell is `{node.get('shell').text}`")
        return around._replace(
            marks=tuple(dict.fromkeys(marks)),
            variables=around.variables.plus(_variables(node)),
            shell=_shell(node, around.shell),
            rows=rows,
        )


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


def _runs_nothing(node: ConfigNode) -> bool:
    """A shell that is none, or that only reads what it is given."""
    words = node.get("shell").text.split()
    program = words[0].rpartition("/")[2] if words else ""
    return program in ("true", "echo", "cat", ":", "printf", "test") or (program in SHELLS and "-n" in words[1:])


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


def _action(value: ConfigNode, own_marks: Iterable[str], around: Around) -> Iterator[Setting]:
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
    marks = sorted({*around.marks, *own_marks})
    yield Setting(key(RUN, kind, around.place, f"uses {name}"), "\n".join(marks), value.line)


def _azure_task(value: ConfigNode, step: ConfigNode, around: Around) -> Iterator[Setting]:
    inputs = step.get("inputs")
    task = value.text.partition("@")[0].lower()
    words = {name.lower(): node.text for name, node in inputs.entries if node.kind == SCALAR}
    if task == "buildqualitychecks":
        yield from _quality(inputs)
    if task == "publishtestresults" and "failtaskonfailedtests" in words:
        yield Setting("guard > azure > failTaskOnFailedTests", words["failtaskonfailedtests"].lower(), value.line)
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


def _quality(inputs: ConfigNode) -> Iterator[Setting]:
    """Azure's check of coverage and warnings: whether it is made, and what it asks for."""
    for name, node in inputs.entries:
        folded = name.lower()
        if folded in ("checkcoverage", "checkwarnings"):
            way = "coverage > check" if folded == "checkcoverage" else "guard > azure > checkWarnings"
            yield Setting(way, node.text.lower(), node.line)
        elif folded == "coveragethreshold":
            yield Setting(key("coverage", "threshold", "azure"), node.text, node.line)
        elif folded in ("coveragevariance", "allowcoveragevariance") and node.text.replace(".", "").isdigit():
            yield Setting(key("coverage", "tolerance", "azure"), node.text, node.line)


def _timed(setting: Setting, late: frozenset[str], *, is_reviewed: bool) -> Setting:
    """A run of a job that waits until a change is merged; in a pipeline that no review starts all do."""
    parts = setting.key.split(" > ")
    if parts[0] != RUN:
        return setting
    marks = {one for one in setting.value.split("\n") if one and (is_reviewed or not one.startswith(MERGED))}
    if is_reviewed and parts[2] in late:
        marks.add(f"{MERGED}: its job runs on the main branch alone")
    return setting._replace(value="\n".join(sorted(marks)))


def _switched_off(setting: Setting, unused: frozenset[str]) -> Setting:
    parts = setting.key.split(" > ")
    if parts[0] != RUN or len(parts) < 3 or parts[2] not in unused:
        return setting
    marks = sorted({*filter(None, setting.value.split("\n")), f"{OFF}: no workflow runs its job by itself"})
    return setting._replace(value="\n".join(marks))
