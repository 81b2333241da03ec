"""Exclusions that take nothing away, or of which only a run can tell what they take."""

from __future__ import annotations

import re

from agentgate_git.model.facts import Setting
from agentgate_git.policy.settings.globs import is_glob, probes, takes
from agentgate_git.policy.settings.sides import Settings

# Of what other groups take, so much is held against an exclusion.
MAX_GROUPS = 20


def is_variable(one: Setting) -> bool:
    """True for a name in place of what ExUnit leaves out: only a run can tell what it holds."""
    return one.key.startswith("exclude > exunit") and one.value.isidentifier()


def takes_new_file(one: Setting, base: Settings, head: Settings) -> bool:
    """True for an exclusion of one file or one class of tests that came with it: what is new has lost nothing."""
    if one.key.startswith("exclude > xctest"):
        suite = one.value.partition("/")[0]
        return suite in head.suites and suite not in base.suites
    name = one.value.strip("'\"").rpartition("/")[2]
    return "." in name and "*" not in name and name in head.names and name not in base.names


def is_taken_apart(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for what one group of tests leaves out and another, of the same file or a new one, takes from now on.

    A group is a project of vitest, jest or playwright, a suite of phpunit, a plugin of Maven, a file of its own.
    """
    tool = one.key.split(" > ")[1]
    is_of_group = head.times(path, f"apart > {tool} > leaves", one.value) >= head.times(path, one.key, one.value)
    groups = head.groups(base, path, tool, is_of_group=is_of_group)
    return any(_takes(value, one.value) for value in groups[:MAX_GROUPS])


def _takes(include: str, excluded: str) -> bool:
    """True for a glob or a folder that takes all that an exclusion, a glob or a part of a path, names."""
    plain = re.sub(r"<rootDir>|[\\^$]", "", excluded).strip("/")
    if include.strip("./") == plain or include == excluded:
        return True
    if is_glob(excluded):
        found = probes(excluded)
        return bool(found) and all(takes((include,), probe) for probe in found)
    return bool(plain) and (f"/{plain}/" in f"/{include}/" or takes((include,), plain))


def is_of_new_test(one: Setting, base: Settings, head: Settings) -> bool:
    """True for a property of tests of CMake that are registered with it: what has to fail is no test switched off."""
    shown = one.key.rpartition(" > ")[2]
    if not one.key.startswith("build > off > ") or not shown.endswith(" WILL_FAIL"):
        return False
    places = [("registered > ctest", name) for name in shown.removesuffix(" WILL_FAIL").split()]
    return bool(places) and all(head.all[place] > 0 and base.all[place] == 0 for place in places)
