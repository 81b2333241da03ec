"""What a condition of a test waits for: variables, a module, a program, another system or Python than the gate's."""

from __future__ import annotations

import ast

from agentgate_git.model.inventory import CONDITIONAL, DATABASE, MODULE, PROGRAM
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.conditions import opened_by, unset_variables
from agentgate_git.source.python.effects import Effect, written
from agentgate_git.source.python.module import ModuleFacts
from agentgate_git.source.python.names import Scope
from agentgate_git.source.python.standard_library import is_standard

_MODULE = pattern_of(r"(?:.{1,200} and )?cannot import ([A-Za-z_]\w{2,60})(?:\.[\w.]{1,80})?")
# What is asked for, and whether the condition holds where it is there.
_ASKS = pattern_of(r"(not )?\(?(?:[\w.]+\.)?(find_spec|which)\(['\"]([\w.+-]{3,60})['\"]\)( is None| is not None)?\)?")
_FLAG = pattern_of(r"(?:not )?\(?[A-Za-z_]\w*\)?")
# What Django's SQLite has not, and the databases that have it.
_OF_SERVERS = "without has_select_for_update"
_DATABASES = ("postgres", "psycopg", "mysql", "mariadb", "oracle")
# Programs that machines have though nobody speaks of them.
_COMMON = frozenset(
    (
        *("ar", "awk", "bash", "bzip2", "cat", "clang", "cmake", "curl", "diff", "docker", "dot", "file", "find"),
        *("gcc", "gdb", "git", "gpg", "grep", "gzip", "hostname", "java", "javac", "less", "locale", "lsof", "make"),
        *("man", "mount", "nano", "node", "npm", "openssl", "patch", "perl", "pip", "pip3", "ping", "ps", "python"),
        *("python2", "python3", "rsync", "ruby", "sed", "sh", "sort", "ssh", "ssh-keygen", "strace", "sudo", "tar"),
        *("tput", "true", "unzip", "vi", "vim", "wget", "xdg-open", "xz", "zip", "zsh", "zstd"),
    )
)


def asks_of(effect: Effect, module: ModuleFacts) -> tuple[str, ...]:
    """The variables that one of the conditions of a test asks for, where nothing else is asked.

    Each condition is read once: many tests may stand under it.
    """
    if effect.state != CONDITIONAL:
        return ()
    asked, text = module.body.asked, effect.condition
    if text not in asked:
        asked[text] = _needed(effect, module) or _asked_together(text.split("; "), module)
    return asked[text]


def _needed(effect: Effect, module: ModuleFacts) -> tuple[str, ...]:
    """The module, program or database that a test is skipped without, where nothing else is asked for."""
    if effect.marker == "pytest.importorskip()":
        found = _MODULE.fullmatch(effect.condition)
        return (f"{MODULE}{found[1]}",) if found is not None else ()
    text = effect.condition
    if effect.marker.endswith("DBFeature"):
        return tuple(f"{DATABASE}{one}" for one in _DATABASES) if text.startswith(_OF_SERVERS) else ()
    is_flag = _FLAG.fullmatch(text) is not None
    found = _ASKS.fullmatch(_told(text, module.scope) if is_flag else text)
    if found is None or (found[4] == " is None") == bool(found[1]):
        return ()
    if found[2] == "find_spec":
        name = found[3].partition(".")[0]
        return (f"{MODULE}{name}",) if not is_standard(name) else ()
    return (f"{PROGRAM}{found[3]}",) if found[3] not in _COMMON else ()


def _told(flag: str, scope: Scope) -> str:
    """What a constant of the file stands for, with the `not` before it."""
    name = flag.removeprefix("not ").strip("()")
    bound = scope.settled(ast.Name(name, lineno=1 << 30))
    lead = "not " if flag.startswith("not ") else ""
    return f"{lead}({written(bound)})" if bound is not None else flag


def _asked_together(conditions: list[str], module: ModuleFacts) -> tuple[str, ...]:
    asked = module.body.asked
    for condition in conditions:
        if condition not in asked:
            is_of_variable = "environ" in condition or "getenv" in condition
            unset = unset_variables(condition, module.scope) if is_of_variable else ()
            asked[condition] = unset or opened_by(condition, module.scope)
        if asked[condition]:
            return asked[condition]
    return ()
