"""Exclusions that take nothing away, or of which only a run can tell what they take."""

from __future__ import annotations

from agentgate_git.model.facts import Setting
from agentgate_git.policy.settings.sides import Settings


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


def is_of_new_test(one: Setting, base: Settings, head: Settings) -> bool:
    """True for a property of tests of CMake that are registered with it: what has to fail is no test switched off."""
    shown = one.key.rpartition(" > ")[2]
    if not one.key.startswith("build > off > ") or not shown.endswith(" WILL_FAIL"):
        return False
    places = [("registered > ctest", name) for name in shown.removesuffix(" WILL_FAIL").split()]
    return bool(places) and all(head.all[place] > 0 and base.all[place] == 0 for place in places)
