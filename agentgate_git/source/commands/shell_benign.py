"""Commands that succeed whatever happened before them, and what stands behind `||` that takes a failure for none."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.shell_counts import counted
from agentgate_git.source.commands.shell_outlook import Outlook, commands_of
from agentgate_git.source.commands.shell_syntax import SIMPLE, Command, Pipeline, Sequence

_ASSIGNED = pattern_of(r"[A-Za-z_]\w*\+?=")
BRACKETS = frozenset(("[", "]", "[[", "]]", "test", "((", "))"))
_BENIGN = frozenset(
    (
        *("true", ":", "echo", "printf", "cat", "tail", "head", "ls", "touch", "mkdir", "rm", "logger", "sleep", "tee"),
        *("export", "continue", "break", "unset", "shift", "local", "readonly", "warn", "warning", "date", "pwd"),
        *("cd", "pushd", "popd", "/bin/true", "cp", "mv", "set", "ver", "rem", "write-host", "write-output"),
        *("curl", "wget", "gh", "glab", "mail", "notify-send", "jq", "sed", "awk", "tar", "zip"),
        *("circleci", "circleci-agent", "buildkite-agent"),
    )
)
_FAILING = frozenset(("false", "/bin/false", "die", "fail", "error", "err", "abort", "fatal", "kill", "throw"))
_ZERO = frozenset(("", "0", "00"))


def may_fail(sequences: tuple[Sequence, ...]) -> bool:
    """True when some command of them ends the script badly or is not known."""
    return any(not _is_benign(command.words) for command in commands_of(sequences, SIMPLE))


def _is_benign(words: tuple[str, ...]) -> bool:
    if not words:
        return True
    head = words[0].lower()
    if head in ("exit", "return"):
        return "".join(words[1:2]) in _ZERO
    if head in ("exec", "command", "builtin", "sudo"):
        return _is_benign(words[1:])
    return head in _BENIGN or bool(_ASSIGNED.match(words[0])) or (len(words) == 1 and any(counted(words)))


def gives_up_well(command: Command, outlook: Outlook) -> bool:
    """True for what stands after `||` when it succeeds whatever happened before."""
    simple = tuple(commands_of((alone(command),), SIMPLE))
    if not simple:
        return True
    kept = {
        one.words[-1].partition("=")[0].rstrip("+") for one in simple if one.words and _ASSIGNED.match(one.words[-1])
    }
    if kept & outlook.judged:
        return False
    if command.kind == SIMPLE and lets_through(command.words):
        return True
    if any(one.words[:1] and one.words[0].lower() in _FAILING for one in simple):
        return False
    if command.kind == SIMPLE and command.words[:1] in (("exit",), ("return",)) and len(command.words) == 1:
        return False  # a bare `exit` passes the failure on
    return all(_is_benign(one.words) for one in simple)


def lets_through(words: tuple[str, ...]) -> bool:
    """True for `[ $? -eq 1 ]`: some failures are none. Status 5 of pytest, no tests, is left alone."""
    inner = tuple(word for word in words if word not in BRACKETS)
    return len(inner) < len(words) and inner[:1] in (("$?",), ("${?}",)) and inner[2:3] != ("5",)


def alone(command: Command) -> Sequence:
    return Sequence((Pipeline((command,)),), ())
