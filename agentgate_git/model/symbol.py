"""A symbol: one named piece of production code that can be broken by itself, and how a change set changed it."""

from __future__ import annotations

from agentgate_git.model.record import Record

# Kinds. A class body is what a class statement runs besides its methods; a value is a name assigned at the top level.
FUNCTION = "function"
METHOD = "method"
CLASS_BODY = "class_body"
VALUE = "value"
MODULE = "module"
FUNCTIONS = (FUNCTION, METHOD)

# How it changed.
ADDED = "added"
MODIFIED = "modified"
MOVED = "moved"
RENAMED = "renamed"
REMOVED = "removed"
TYPING_ONLY = "typing_only"

# What it needs from the tests: to be falsified, to be executed by a passing case, to be falsified by putting it back.
CREDIT = "credit"
EXECUTION = "execution"
REVERSE = "reverse"
NOTHING = "nothing"


class SymbolChange(Record):
    """One changed symbol of a production file.

    `name` is CPython's qualified name (`C.m`, `f.<locals>.g`), `C.<body>` for a class body, `module:NAME` for a
    value and `<module>` for the other top-level statements of a file. `path` and `name` are those of the new side; a
    removed symbol has those that it would have there. `old_path` and `old_name` are empty where there was nothing.
    """

    path: str
    name: str
    kind: str
    change: str
    needs: str
    old_path: str = ""
    old_name: str = ""


class ChangedSymbols(Record):
    """The changed symbols of a change set, sorted by path and name; `problems` are (path, reason) of unread files."""

    changes: tuple[SymbolChange, ...]
    problems: tuple[tuple[str, str], ...] = ()
