"""A new file of settings that a run is given in the place of what it read before."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts, Setting
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.globs import is_glob
from agentgate_git.policy.settings.patterns import is_about_tests

_BY_NAME = ("testNamePattern", "grep", "fgrep", "grepInvert", "TestCaseFilter", "group")


def given_files(fresh: frozenset[str], known: frozenset[str], after: Iterable[FileFacts]) -> Iterator[GateChange]:
    """What such a file leaves out by name: `fresh` are the marks that are new, `known` the files of the base."""
    names = {posixpath.normpath(mark.rpartition(" ")[2]) for mark in fresh if mark.startswith("config: ")}
    for facts in after if names else ():
        if facts.path in known or not any(facts.path == one or facts.path.endswith(f"/{one}") for one in names):
            continue
        for one in facts.settings:
            severity = _severity(one)
            if severity:
                message = f"a run is given this new file, and {one.key.rpartition(' > ')[2]} is {one.value}"
                yield GateChange(severity, facts.path, one.line, message[:300])


def _severity(one: Setting) -> str:
    """How bad it is to be told this for the first time; empty for what names no single test."""
    name = one.key.rpartition(" > ")[2]
    if one.key.startswith("exclude > "):
        if not is_about_tests(one.value):
            return ""
        return BLOCK if name in _BY_NAME or not is_glob(one.value.rpartition("/")[2]) else WARN
    last = one.value.rpartition("/")[2]
    return BLOCK if one.key.startswith("include > ") and "." in last and not is_glob(last) else ""
