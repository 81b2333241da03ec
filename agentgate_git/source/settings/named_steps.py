"""Steps that go by the name of a test and run none: who reads what a job did takes it for one that passed."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import SCALAR, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import PREPARES, TEST_NAME, VERB
from agentgate_git.source.commands.shell_outlook import commands_of
from agentgate_git.source.commands.shell_syntax import SIMPLE, shell_commands
from agentgate_git.source.settings.runs import key

MAX_STEPS = 500
_TEXTS = ("run", "script", "bash", "command", "pwsh")
_NAMES = ("name", "displayName", "label")
_ASSIGNED = pattern_of(r"[A-Za-z_]\w*=")
# Programs that test nothing by themselves, whatever they are given.
_IDLE = frozenset(
    (
        *("echo", "printf", "true", ":", "exit", "cd", "export", "set", "sleep", "ls", "cat", "mkdir", "date", "pwd"),
        *("rm", "cp", "mv", "touch", "which", "env", "test", "[", "[[", "write-host", "uname", "tsc", "node-gyp"),
    )
)
# Tools of many verbs, with those that build and fetch and test nothing.
_BUILDING = {
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun"), frozenset(("ci", "install", "i", "pack", "audit", "ls", "build"))),
    "cargo": frozenset(("build", "fetch", "fmt", "tree", "doc", "metadata")),
    "go": frozenset(("build", "mod", "env", "version", "get", "install", "list")),
    "dotnet": frozenset(("build", "restore", "publish")),
    "pip": frozenset(("install", "download", "list", "freeze")),
    "bundle": frozenset(("install", "check")),
    "composer": frozenset(("install", "validate", "dump-autoload")),
}


def named_steps(tree: ConfigNode) -> Iterator[Setting]:
    """`named > JOB` with the name of each such step of a job."""
    for job, node in tree.get("jobs").entries:
        for step in node.get("steps").items[:MAX_STEPS]:
            name = next((step.get(one).text for one in _NAMES if step.get(one).text), "")
            says = bool(VERB.search(name.replace(" ", "-")) or TEST_NAME.search(name.replace(" ", "-")))
            if says and not PREPARES.search(name) and _is_idle(step):
                yield Setting(key("named", job), name, step.line)


def _is_idle(step: ConfigNode) -> bool:
    texts = [step.get(one).text for one in _TEXTS if step.get(one).kind == SCALAR and step.get(one).text]
    return bool(texts) and not step.has("uses") and all(map(_tests_nothing, texts))


def _tests_nothing(text: str) -> bool:
    return all(_is_no_test(command.words) for command in commands_of(shell_commands(text), SIMPLE))


def _is_no_test(words: tuple[str, ...]) -> bool:
    words = tuple(word for word in words if not _ASSIGNED.match(word))
    if not words or words[0].lower() in _IDLE:
        return True
    rest = [word for word in words[1:] if not word.startswith("-")]
    if rest[:1] == ["run"] and words[0] in ("npm", "yarn", "pnpm", "bun"):
        return len(rest) > 1 and bool(PREPARES.search(rest[1])) and not VERB.search(rest[1])
    return bool(rest) and rest[0] in _BUILDING.get(words[0], ())
