"""Runs: the commands of a step, a recipe or a script that test or check, as settings.

The key of a run is `run > KIND > PLACE > NAME`, its value the marks of it, one a line
(source/commands/runner_tables.py). The place is a job, a target or a script by its name, never a
position, so a file that is laid out anew has the same runs.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agentgate_git.model.config_node import LIST, SCALAR, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.runner_marks import marks_of
from agentgate_git.source.commands.runner_names import INTERPRETERS, SHELLS, TEST
from agentgate_git.source.commands.runner_tables import IGNORED, NARROWED, OFF, RETRIED, THRESHOLD, UNMEASURED
from agentgate_git.source.commands.runners import Runner, runner_of
from agentgate_git.source.commands.script_lists import listed, script_of
from agentgate_git.source.commands.shell_loops import are_tests
from agentgate_git.source.commands.shell_status import RanCommand, ShellKind, ran_commands
from agentgate_git.source.settings.python_commands import code_commands
from agentgate_git.source.settings.variables import NO_VARIABLES, Variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.source.settings.matrix_rows import Row
JOIN = " > "
RUN = "run"
BYPASS = "bypass"
COMMAND = "command"
STUB = "stub"
# A script of the repository whose name does not say what it runs.
STARTED = "started"
AT = "at: "
BUILT = "built"
# What CMake is told of tests, and calls of it that configure nothing.
_BUILDS_TESTS = pattern_of(
    r"-D(?:\w*_)?(?:BUILD_TEST(?:ING|S)|(?:ENABLE|WITH|BUILD_UNIT)_TEST(?:ING|S)?|TESTS?)(?::\w+)?=(\w+)", re.I
)
_NO_CONFIGURING = frozenset(("--build", "--install", "-E", "-P", "--version", "--help"))
_NOTHING = frozenset(("off", "0", "no", "false", "n"))
# What does nothing but say something.
_SAYS = pattern_of(r"echo|printf|true|:|exit|/bin/true|write-host|write-output")
# Words that stand in no test's stead.
_TRIVIAL = pattern_of(
    r"true|false|:|exit|return|echo|printf|cd|export|set|unset|source|\.|test|\[\[?|sleep|mkdir|rm|cp|mv|cat|ls|pwd|env|"
    r"pip3?|apt(?:-get)?|brew|sudo|git|curl|wget|tar|unzip|chmod|date|which|command|uname|docker|python3?|-"
)
_ENDS_BADLY = (("exit", "1"), ("exit", "$?"), ("exit", "2"))
MAX_NESTED = 4
# A name that is longer would be told once for each of the many things that stand under it.
_TOLD = 400
_HOOK_VARIABLES = ("SKIP", "HUSKY", "LEFTHOOK", "HUSKY_SKIP_HOOKS", "PRE_COMMIT_ALLOW_NO_CONFIG")


class Around(Record):
    """What holds for every command of a step: where it stands, marks of its job, variables, its shell, known names.

    `rows` are those of the matrix that its job is run for, `programs` what tests there by the word of the file alone.
    """

    place: str = ""
    marks: tuple[str, ...] = ()
    variables: Variables = NO_VARIABLES
    shell: ShellKind = ShellKind(True, False)
    names: frozenset[str] = frozenset()
    rows: tuple[Row, ...] = ()
    programs: frozenset[str] = frozenset()


def key(*parts: str) -> str:
    """The key of a setting from its parts."""
    return JOIN.join(told(part).replace(JOIN, " ").replace("\n", " ") for part in parts)


@lru_cache(maxsize=256)
def told(text: str) -> str:
    """A text as it is told: of a long one its beginning, and what tells it from others."""
    if len(text) <= _TOLD:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:_TOLD]}…{digest[:8]}"


def runs(text: str, around: Around, lines: tuple[int, ...] = (1,), depth: int = 0) -> Iterator[Setting]:
    """The runs of a text of shell; `lines` are the numbers of its lines, those after the last count on from it."""
    known = around.variables.known(around.names)
    folder, said = "", 0
    for command in ran_commands(text, around.shell, known):
        if command.words[:1] in (("cd",), ("pushd",)):
            folder = _entered(folder, command.words)
        line = _line(lines, command.line)
        inner = _inner(command.words) or listed(command.words)
        if inner and depth < MAX_NESTED:
            sifted = (f"{NARROWED}: {command.sifted}",) if command.sifted else ()
            marks = (*around.marks, *_status(command), *sifted)
            within = around._replace(marks=marks, shell=ShellKind(_is_strict(command.words), False))
            yield from runs(inner, within, (line,) * (inner.count("\n") + 1), depth + 1)
            continue
        code = _python_code(command.words)
        if code and depth < MAX_NESTED:
            for one in code_commands(code):
                marks = (*around.marks, *_status(command), *([one.ignored] if one.ignored else []))
                within = around._replace(marks=marks, variables=around.variables.plus(one.variables))
                yield from runs(one.words, within, (line,), depth + 1)
        runner = runner_of((*command.assigned, *command.words))
        if runner is None and command.words and command.words[0].removeprefix("./") in around.programs:
            runner = Runner(TEST, command.words[0].removeprefix("./"), ())
        if runner is None and are_tests(command.each):
            runner = Runner(TEST, "each script", ())
        if runner is not None and runner.kind == TEST and are_tests(command.each):
            yield from (Setting(key("scripts", "each"), f"in {one}", line) for one in command.each)
        if runner is not None:
            found = {*around.marks, *_status(command), *marks_of(runner)}
            if folder:
                found = {mark for mark in found if not mark.startswith(AT)} | {f"{AT}{folder}"}
            found.update(around.variables.marks(runner))
            if command.sifted and runner.kind == TEST:
                found.add(f"{NARROWED}: {command.sifted}")
            if command.passed and runner.kind == TEST:
                kind = "condition" if command.passed.startswith("-") else NARROWED
                found.add(f"{kind}: `continue` for {command.passed}")
            yield from _thresholds(found, line)
            kept = sorted(mark for mark in found if not mark.startswith((THRESHOLD, UNMEASURED)))
            yield Setting(key(RUN, runner.kind, around.place, runner.name), "\n".join(kept), line)
        elif script := script_of(command.words):
            held = "\n".join(sorted({*around.marks, *_status(command)}))
            yield Setting(key(COMMAND, around.place), " ".join(command.words[:2]), line)
            yield Setting(key(STARTED, around.place, script), held, line)
        elif command.words and _TRIVIAL.fullmatch(command.words[0]) is None:
            yield Setting(key(COMMAND, around.place), " ".join(command.words[:2]), line)
            if command.words[0] == "cmake" and _NO_CONFIGURING.isdisjoint(command.words):
                yield Setting(key(BUILT, around.place), _built(command.words), line)
        elif command.words and _SAYS.fullmatch(command.words[0]) and command.words[:2] not in _ENDS_BADLY:
            said += 1
        yield from (Setting(key("installs", around.place), one, line) for one in _installed(command.words))
        yield from _bypasses(command, around, line)
    if said:
        yield Setting(key(STUB, around.place), str(said), _line(lines, 1))


def _built(words: tuple[str, ...]) -> str:
    """Whether tests are built by what CMake is told."""
    found = [one for one in map(_BUILDS_TESTS.fullmatch, words) if one is not None]
    return "no tests" if found and all(one[1].lower() in _NOTHING for one in found) else "tests"


def _entered(folder: str, words: tuple[str, ...]) -> str:
    """The folder that `cd` leads to from another; empty for the top and for what only a run can tell."""
    target = words[1] if len(words) == 2 else ""
    if not target or target.startswith(("/", "-", "~", "..")) or "$" in target:
        return ""
    return posixpath.normpath(posixpath.join(folder, target)).removeprefix(".")


def joined(nodes: Iterable[ConfigNode]) -> tuple[str, tuple[int, ...]]:
    """The scalars of a step as one script, and the number of each of its lines."""
    parts: list[str] = []
    lines: list[int] = []
    for node in _scalars(nodes):
        parts.append(node.text)
        lines.extend(node.line + offset for offset in range(node.text.count("\n") + 1))
    return "\n".join(parts), tuple(lines)


def _scalars(nodes: Iterable[ConfigNode]) -> Iterator[ConfigNode]:
    for node in nodes:
        if node.kind == SCALAR:
            yield node
        elif node.kind == LIST:
            yield from _scalars(node.items)


def _line(lines: tuple[int, ...], number: int) -> int:
    if 1 <= number <= len(lines):
        return lines[number - 1]
    return lines[-1] + number - len(lines) if lines else number


def _inner(words: tuple[str, ...]) -> str:
    """The text that `sh -c` is given."""
    head = words[0].rpartition("/")[2] if words else ""
    if head in SHELLS:
        for position, word in enumerate(words[1:], start=1):
            if word.startswith("-") and word.endswith("c") and word[1:2] != "-":
                return words[position + 1] if position + 1 < len(words) else ""
    return words[1] if head == "eval" and len(words) == 2 else ""


def _python_code(words: tuple[str, ...]) -> str:
    """The text that `python -c` is given."""
    for position, word in enumerate(words[:-1]):
        if word == "-c":
            before = words[:position]
            is_python = any(INTERPRETERS.fullmatch(one.rpartition("/")[2].strip("${}()").lower()) for one in before)
            return words[position + 1] if is_python else ""
    return ""


def _is_strict(words: tuple[str, ...]) -> bool:
    return any(word.startswith("-") and "e" in word and word[1:2] != "-" for word in words[1:3])


def _status(command: RanCommand) -> Iterator[str]:
    if command.ignored:
        yield f"{IGNORED}: {command.ignored}"
    if command.off:
        yield f"{OFF}: {command.off}"
    if command.retried:
        yield f"{RETRIED}: {command.retried}"
    if command.condition:
        yield f"condition: {command.condition}"


def _thresholds(marks: set[str], line: int) -> Iterator[Setting]:
    for mark in sorted(marks):
        if mark.startswith(f"{THRESHOLD}: "):
            value = mark.rpartition(" ")[2]
            yield Setting(key("coverage", "fail_under"), "0" if value == "--no-cov" else value, line)
        elif mark.startswith(f"{UNMEASURED}: "):
            for pattern in mark.rpartition(" ")[2].split(","):
                yield Setting(key("coverage", "omit"), pattern, line)


def _installed(words: tuple[str, ...]) -> Iterator[str]:
    """What pip is told to install with extras: the checkout or a package by its name."""
    at = words.index("install") if "install" in words[:5] else -1
    if at > 0 and words[at - 1].rpartition("/")[2] in ("pip", "pip3"):
        yield from (word for word in words[at + 1 :] if word.endswith("]") or "]=" in word or word in (".", "./"))


def _bypasses(command: RanCommand, around: Around, line: int) -> Iterator[Setting]:
    """Ways around the hooks of a repository: options and variables of git and of hook managers."""
    words = command.words
    head = words[0].rpartition("/")[2] if words else ""
    variables = dict(one.split("=", 1) for one in command.assigned)
    if head == "export" or (not words and variables):
        variables |= dict(word.split("=", 1) for word in words[1:] if "=" in word)
    is_commit = head == "git" and not {"commit", "push", "merge", "rebase", "am", "cherry-pick"}.isdisjoint(words[1:6])
    if is_commit:
        for way in _passes_by(words, variables):
            yield Setting(key(BYPASS, around.place), way, line)
    if is_commit and not _passes_by(words, variables):
        yield Setting(key("commits", around.place), "git", line)
    if head == "git":
        yield from _hooks_path(words, around, line)
    if head in ("pre-commit", "prek") and "uninstall" in words:
        yield Setting(key(BYPASS, around.place), f"{head} uninstall", line)
    if variables.get("HUSKY") == "0" and not is_commit:
        yield Setting(key(BYPASS, around.place), "export HUSKY=0", line)


def _passes_by(words: tuple[str, ...], variables: dict[str, str]) -> tuple[str, ...]:
    """How a commit or a push is kept from its hooks."""
    short = {"-n"} if "commit" in words[1:6] else set()
    found = [f"{name}={variables[name]}" for name in _HOOK_VARIABLES if name in variables]
    return ("git --no-verify", *found) if not {"--no-verify", *short}.isdisjoint(words) else tuple(found)


def _hooks_path(words: tuple[str, ...], around: Around, line: int) -> Iterator[Setting]:
    for position, word in enumerate(words):
        name, found, value = word.partition("=")
        if name.lower() != "core.hookspath":
            continue
        value = value if found else "".join(words[position + 1 : position + 2])
        yield Setting(key(BYPASS, around.place), f"core.hooksPath={value}", line)
