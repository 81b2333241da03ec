"""Exclusions that take nothing away, or of which only a run can tell what they take."""

from __future__ import annotations

import re

from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.globs import is_glob, probes, takes
from agentgate_git.policy.settings.sides import OF_TASK, Settings

# As the reader of Gradle says it (source/settings/build_tools.py).
_TASK, _JUDGED = "task > gradle", "needs > check"
_LEFT_TO_OTHERS = tuple(f"exclude > gradle > exclude{what}" for what in ("Tags", "Groups", "Categories"))

_JS_RUNNERS = tuple(f"exclude > {tool}" for tool in ("vitest", "vite", "jest", "package"))
_IN_BROWSERS = pattern_of(r"(?:^|/)(?:e2e|end-to-end|playwright|cypress)(?:[-_]?tests?|[-_]?specs?)?(?:/|$)")

# Of what other groups take, so much is held against an exclusion.
MAX_GROUPS = 20


def is_arguable(one: Setting, base: Settings, head: Settings) -> bool:
    """True for an exclusion that may take nothing away: only a run, or another runner, can tell."""
    return is_variable(one) or takes_new_file(one, base, head) or is_of_other_runner(one)


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


def is_of_other_runner(one: Setting) -> bool:
    """True for a folder that a runner of JavaScript leaves out since tests in a browser stand there."""
    last = one.value.rpartition("/")[2]
    is_folder = "*" in last or "." not in last
    return is_folder and one.key.startswith(_JS_RUNNERS) and _IN_BROWSERS.search(one.value) is not None


def is_of_new_task(one: Setting, base: Settings, head: Settings) -> bool:
    """True for what a task of Gradle says that the base has not, and for what `test` leaves to one of `check`."""
    name = one.key.partition(OF_TASK)[2]
    if name:
        return not base.all[_TASK, name]
    if one.key not in _LEFT_TO_OTHERS:
        return False
    tasks = head.tasks_taking.get(one.value, set())
    return any(head.all[_JUDGED, task] > 0 and not base.all[_TASK, task] for task in tasks)
