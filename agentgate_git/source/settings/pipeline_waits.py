"""Jobs that wait for others: which tests have to pass before them, and whether they look at what those came to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_status import ShellKind, ran_commands
from agentgate_git.source.commands.shell_syntax import Command, shell_commands
from agentgate_git.source.settings.runs import key

_EDGES = ("needs", "requires", "dependsOn", "depends_on")
_NAMES = ("job", "stage", "deployment", "name")
_LOOKED_AT = pattern_of(r"needs\.|needs\)|\bneeds\b.*result|toJSON\(needs|job\.status|failure\(\)")
_IDLE = frozenset(("echo", "true", ":", "exit", "printf", "cat"))
_FAILED = pattern_of(r"\bfail(?:ure|ed)\b")
_PASSED = pattern_of(r"\bsuccess\b|\bpass(?:ed)?\b")
_TELLS = pattern_of(
    r"deploy|publish|release|gate|required|all[-_ ]?(?:green|good|passed|checks)|check$|"
    r"ci[-_ ]?(?:ok|success|pass\w*|done)|"
    r"^(?:alls|success|conclusion|finish|done|status|ship|promote|production|staging)",
    re.IGNORECASE,
)
MAX_JOBS = 1_000
MAX_LAST = 50


def edges(tree: ConfigNode, tested: frozenset[str]) -> Iterator[Setting]:
    """The jobs with tests that one that ships or sums up waits for, over all that stands between them."""
    waits: dict[str, tuple[int, frozenset[str]]] = {}
    for name, line, named in _waits(tree):
        waits[name] = (line if named or name not in waits else waits[name][0], named | waits.get(name, (0, named))[1])
    last = [name for name in waits if name not in tested and _TELLS.search(name)]
    called = _called_otherwise(tree)
    for name in last if len(last) <= MAX_LAST else ():
        line = waits[name][0]
        yield Setting(key("place", name), "", line)
        reached = _reached(name, waits)
        for one in sorted((reached | {called[other] for other in reached if other in called}) & tested):
            yield Setting(key("waits", name), one, line)


def _called_otherwise(tree: ConfigNode) -> dict[str, str]:
    """CircleCI: the jobs that a workflow gives another name, by that name."""
    found: dict[str, str] = {}
    for _, workflow in tree.get("workflows").entries:
        for item in workflow.get("jobs").items:
            found.update((options.get("name").text, job) for job, options in item.entries if options.get("name").text)
    return found


def _waits(tree: ConfigNode) -> Iterator[tuple[str, int, frozenset[str]]]:
    """Every job by its name, wherever jobs stand, with those it names as done before it."""
    waiting, seen = [tree], 0
    while waiting and seen < MAX_JOBS * 10:
        node = waiting.pop()
        seen += 1
        for item in node.items:
            waiting.append(item)
            name = next((item.get(one).text for one in _NAMES if item.get(one).text), "")
            if name and (_named(item) or item.has("commands") or not item.get("name").text):
                yield name, item.line, _named(item)
        for name, value in node.entries:
            if value.kind == TABLE and (_named(value) or value.has("steps") or value.has("script")):
                yield name, value.line, _named(value)
            waiting.append(value)


def _named(job: ConfigNode) -> frozenset[str]:
    found: set[str] = set()
    for edge in _EDGES:
        found.update(job.get(edge).words())
        found.update(one.get("job").text for one in job.get(edge).items if one.get("job").text)
    return frozenset(found)


def _reached(name: str, waits: Mapping[str, tuple[int, frozenset[str]]]) -> set[str]:
    found: set[str] = set()
    open_names = [name]
    while open_names:
        for one in waits.get(open_names.pop(), (0, frozenset[str]()))[1] - found:
            found.add(one)
            open_names.append(one)
    return found


def aggregators(tree: ConfigNode) -> Iterator[Setting]:
    """Jobs that run whatever those before them came to: with `if: always()` and no look at it they say yes to all."""
    for name, job in tree.get("jobs").entries:
        if not job.get("needs").words() or not re.search(r"always\(\)|cancelled\(\)", job.get("if").text):
            continue
        steps = job.get("steps").items
        scripts = [step.get("run") for step in steps if step.has("run")]
        if _looks(job, scripts):
            wide = next((one for one in scripts if _takes_failures(one.text)), None)
            way = "unchecked" if wide is not None else "checked"
            yield Setting(key("aggregator", way), name, wide.line if wide is not None else job.line)
        elif steps and all(_is_idle(step) for step in steps):
            yield Setting(key("aggregator", "unchecked"), name, job.line)


def _looks(job: ConfigNode, scripts: list[ConfigNode]) -> bool:
    """True where more than a message has to do with what the jobs before came to."""
    others = [text for name, value in job.entries if name not in ("needs", "if") for text in _texts(value, False)]
    if any(_LOOKED_AT.search(text) for text in others):
        return True
    for script in scripts:
        commands = ran_commands(script.text, ShellKind(True, False))
        if any(
            one.words[:1] and one.words[0] not in _IDLE and _LOOKED_AT.search(" ".join(one.words)) for one in commands
        ):
            return True
        if any(_LOOKED_AT.search(" ".join(one.assigned)) for one in commands):
            return True
        if script.text.strip() and _LOOKED_AT.search(script.text) and not commands:
            return True
    return False


def _takes_failures(text: str) -> bool:
    """True where a result may be one of `success` and `failure`: `[ r = success ] || [ r = failure ]`."""
    for sequence in shell_commands(text):
        tests = [_words(pipeline.commands[-1]) for pipeline in sequence.pipelines]
        is_either = "||" in sequence.operators and any(_FAILED.search(one) and "!=" not in one for one in tests)
        if is_either and any(_PASSED.search(one) and "!=" not in one for one in tests):
            return True
        if any(re.search(r"=~ ?\S*success\S*fail|=~ ?\S*fail\S*success", one) for one in tests):
            return True
    return False


def _words(command: Command) -> str:
    return " ".join(command.words)


def _is_idle(step: ConfigNode) -> bool:
    commands = ran_commands(step.get("run").text, ShellKind(True, False))
    return bool(commands) and all(one.words[:1] and one.words[0] in _IDLE for one in commands)


def _texts(node: ConfigNode, is_script: bool) -> Iterator[str]:
    """The texts of a job but those of its scripts."""
    if node.kind == SCALAR and not is_script:
        yield node.text
    for item in node.items:
        yield from _texts(item, is_script)
    for name, value in node.entries:
        yield from _texts(value, name == "run")
