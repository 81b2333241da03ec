"""pre-commit and lefthook, and services that judge coverage."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import HOOKS, LINT, LINT_PROGRAMS, TEST, TEST_PROGRAMS
from agentgate_git.source.commands.runner_tables import FILTERED, IGNORED, OFF
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.runs import RUN, Around, key, runs

_QUIET = ("manual",)
_WORD = pattern_of(r"[\w.-]+")
_GATE = pattern_of(r"agentgate|checkwash|tamper(?:guard|check)|diffgate")
_TEST_HOOK = pattern_of(r"(?:run-?)?(?:unit|py|go|cargo|jest)?-?tests?(?:-(?:check|suite|unit|all))?|pytest-\w+")
_CHECK_HOOK = pattern_of(r"lint|mypy|flake8|ruff|pyright|clippy|vet\b|typecheck|gitleaks|secrets|bandit|semgrep")


def pre_commit_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Every hook of the configuration, with what keeps it from running or narrows what it sees."""
    for repo in tree.get("repos").items:
        for hook in repo.get("hooks").items:
            yield from _hook(repo.get("repo").text, hook, tree.get("default_stages").words())
    for option in ("exclude", "files"):
        if tree.has(option):
            yield Setting(key("hooks", option), tree.get(option).text, tree.get(option).line)
    for word in tree.get("ci", "skip").words():
        yield Setting(key("hooks", "ci skip"), word, tree.get("ci", "skip").line)
    for word in tree.get("default_stages").words():
        yield Setting(key("hooks", "default_stages"), word, tree.get("default_stages").line)
    if tree.get("fail_fast").is_true():
        return


def _hook(repo: str, hook: ConfigNode, default_stages: tuple[str, ...]) -> Iterator[Setting]:
    name = hook.get("id").text
    entry = hook.get("entry").text
    marks: list[str] = []
    stages = hook.get("stages").words() or default_stages
    if repo == "local" and entry.split()[:1] and entry.split()[0] in ("true", ":", "echo", "exit", "/bin/true"):
        marks.append(f"{OFF}: its entry is `{entry[:40]}`")
    if stages and set(stages) <= set(_QUIET):
        marks.append(f"{OFF}: `stages: [{', '.join(stages)}]`")
    marks.extend(
        f"{FILTERED}: {option}: {hook.get(option).text}" for option in ("exclude", "files") if hook.has(option)
    )
    marks.extend(
        f"{FILTERED}: {option}: {word}"
        for option in ("exclude_types", "types", "types_or")
        for word in hook.get(option).words()
    )
    marks.extend(
        f"{IGNORED}: args: {word}" for word in hook.get("args").words() if word.startswith(("--exit-zero", "--no-fail"))
    )
    yield Setting(key(RUN, _kind(repo, name, entry), "hooks", name), "\n".join(sorted(marks)), hook.line)
    if entry and repo == "local":
        yield from runs(
            entry,
            Around(f"hook {name}", tuple(marks[:1] if stages else ()), shell=ShellKind()),
            (hook.get("entry").line,),
        )


def _kind(repo: str, name: str, entry: str) -> str:
    """A gate, a test, a checker, or a hook that tidies."""
    words = f"{repo} {name} {entry}".lower()
    if _GATE.search(words):
        return HOOKS
    if name in TEST_PROGRAMS or _TEST_HOOK.fullmatch(name) or not TEST_PROGRAMS.isdisjoint(_WORD.findall(entry)):
        return TEST
    return LINT if name.partition("-")[0] in LINT_PROGRAMS or _CHECK_HOOK.search(words) else "tidy"


def lefthook_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The commands of each stage."""
    for stage, node in tree.entries:
        if node.kind != TABLE:
            continue
        for holder in ("commands", "jobs", "scripts"):
            named = list(node.get(holder).entries)
            named.extend((item.get("name").text, item) for item in node.get(holder).items)
            for name, command in named:
                is_off = command.get("skip").is_true()
                around = Around(f"{stage} {name}", (f"{OFF}: `skip: true`",) if is_off else (), shell=ShellKind())
                yield from runs(command.get("run").text, around, (command.get("run").line,))


def codecov_settings(tree: ConfigNode) -> Iterator[Setting]:
    """codecov.yml: targets of coverage, and whether missing them is only told."""
    for kind in ("project", "patch", "changes"):
        status = tree.get("coverage", "status", kind)
        if status.kind == SCALAR and (status.is_false()):
            yield Setting(key("coverage", "informational", kind), "true", status.line)
        holders = status.entries if any(node.kind == TABLE for _, node in status.entries) else (("default", status),)
        for name, node in holders:
            place = f"{kind}.{name}"
            if node.has("target"):
                yield Setting(key("coverage", "threshold", place), node.get("target").text, node.get("target").line)
            if node.has("threshold"):
                yield Setting(
                    key("coverage", "tolerance", place), node.get("threshold").text, node.get("threshold").line
                )
            if node.get("informational").is_true():
                yield Setting(key("coverage", "informational", place), "true", node.get("informational").line)
    for word in tree.get("ignore").words():
        yield Setting(key("coverage", "omit"), word, tree.get("ignore").line)
