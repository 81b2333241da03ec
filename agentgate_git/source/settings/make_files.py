"""Makefiles and justfiles: every line of a recipe has a shell of its own, and variables say what it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.config_node import ConfigNode, TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import LINT_VERB, PREPARES, TEST_NAME, VERB
from agentgate_git.source.commands.runner_tables import IGNORED, OFF
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.bounded import whole
from agentgate_git.source.settings.compile_options import make_options
from agentgate_git.source.settings.make_values import Expansions, Values, values_of
from agentgate_git.source.settings.runs import Around, joined, key, runs
from agentgate_git.source.settings.starts import start_settings
from agentgate_git.source.settings.variables import Variables

_PREFIX = pattern_of(r"[@+\s]*(-)?[@+\s-]*")
_KEEP_GOING = pattern_of(r"(?:^|\s)(?:-?[a-zA-Z]*i[a-zA-Z]*|--ignore-errors)(?:\s|$)")
_NO_ASSERTS = pattern_of(r"-D ?NDEBUG\b|\bpython[\d.]* -O|-DCMAKE_BUILD_TYPE=(?:Release|MinSizeRel)|b_ndebug=true")
# Targets that a folder of the same name makes up to date where they are not said to be no files.
_FOLDERS = frozenset(("test", "tests", "spec", "specs", "e2e"))
# What a target may wait for and still start by itself: tools, and targets that are no files.
_NO_PROGRAMS = frozenset(("all", "lint", "check", "test", "FORCE", ".PHONY"))
_FLAGS = ("MAKEFLAGS", ".MAKEFLAGS", "GNUMAKEFLAGS")
_IDLE = frozenset(("true", ":", "echo", "cat", "printf"))
# Every recipe is looked at with every variable.
_MAX_PAIRS = 400_000


def make_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Recipes of a Makefile or a justfile, and which of its targets start tests."""
    targets: dict[str, list[ConfigNode]] = {}
    for name, target in tree.get("targets").entries:
        targets.setdefault(name, []).append(target)
    yield from make_options(tree.get("variables"))
    found = whole(_recipes(tree, targets))
    yield from found
    leads = {
        name: frozenset(word for one in same for word in one.get("needs").text.split())
        for name, same in targets.items()
        if not name.startswith(".PHONY")
    }
    yield from start_settings(found, leads, ("make", "gmake", "just"))


def _recipes(tree: ConfigNode, by_name: Mapping[str, list[ConfigNode]]) -> Iterator[Setting]:
    targets, variables = tree.get("targets"), tree.get("variables")
    ignoring = [frozenset(node.get("needs").text.split()) for node in by_name.get(".IGNORE", ())]
    ignored: frozenset[str] = frozenset().union(*ignoring)
    values = values_of(variables)
    flags = [values[name] for name in _FLAGS if name in values]
    options = f"{values.get('.SHELLFLAGS', '')} {values.get('SHELL', '').partition(' ')[2]}".split()
    short = "".join(word[1:] for word in options if word[:1] == "-" and word[:2] != "--")
    shell = ShellKind("e" in short, "pipefail" in options)
    everywhere = [f"{IGNORED}: `MAKEFLAGS` has `{flag}`" for flag in flags if _KEEP_GOING.search(flag.split("=")[0])]
    program = values.get("SHELL", "").partition(" ")[0].rpartition("/")[2]
    if program in _IDLE or "n" in short:
        everywhere.append(f"{OFF}: its recipes are given to `{values.get('SHELL', '')} {' '.join(options)}`")
    if len(targets.entries) * len(values) > _MAX_PAIRS:
        raise TreeError(f"it has {len(targets.entries)} targets and {len(values)} variables, which is too many of both")
    phony = frozenset(word for one in by_name.get(".PHONY", ()) for word in one.get("needs").text.split())
    everything = Variables(values.items())
    ways: dict[str, tuple[Variables, Mapping[str, str]]] = {}
    expansions = Expansions()
    for name, target in targets.entries:
        marks = list(everywhere)
        if name in ignored or not all(ignoring):  # without names it means all
            marks.append(f"{IGNORED}: `.IGNORE` names it")
        if phony and name not in phony:
            marks.extend(_up_to_date(name, target, expansions.of(values)))
        if name not in ways:
            own = tuple(variable for one in by_name[name] for variable in one.get("variables").entries)
            held = values_of(ConfigNode(variables.kind, 0, entries=own), values) if own else {}
            known = {**values, **held} if own else values
            ways[name] = (Variables(known.items()) if own else everything, known)
        programs = _programs(name, target, expansions.of(values))
        around = Around(name, tuple(marks), ways[name][0], shell, programs=programs)
        yield from _needs(name, target)
        yield from _without_asserts(name, target, expansions.of(values))
        yield from _recipe(target.get("recipe").items, around, expansions.of(ways[name][1]), ".ONESHELL" in by_name)


def _recipe(lines: tuple[ConfigNode, ...], around: Around, values: Values, has_one_shell: bool) -> Iterator[Setting]:
    if has_one_shell:
        text, numbers = joined(lines)
        yield from runs(values.expanded(text.lstrip("@-+")), around, numbers)
        return
    for line in lines:
        prefix = _PREFIX.match(line.text)
        is_ignored = prefix is not None and prefix[1]
        text = values.expanded(line.text[prefix.end() :] if prefix else line.text)
        marks = around.marks
        if is_ignored or text.startswith("-"):
            marks = (*marks, f"{IGNORED}: `-` before it")
        never = values.untrue(line)
        if never:
            marks = (*marks, f"{OFF}: {never}")
        yield from runs(text.lstrip("@+- "), around._replace(marks=marks), (line.line,))


def _programs(name: str, target: ConfigNode, values: Values) -> frozenset[str]:
    """What a target that tests by its name is made from, which its recipe may run."""
    if not (VERB.search(name) or TEST_NAME.search(name)) or PREPARES.search(name):
        return frozenset()
    needs = values.expanded(target.get("needs").text).replace("|", " ").split()
    return frozenset(one.removeprefix("./") for one in needs if not PREPARES.search(one) and one not in _NO_PROGRAMS)


def _up_to_date(name: str, target: ConfigNode, values: Values) -> Iterator[str]:
    """Marks of a target that make may take for a file which needs no more work."""
    if name in _FOLDERS:
        yield f"condition: `{name}` is not phony"
    needs = values.expanded(target.get("needs").text).partition("|")[0].strip()
    own = {"$@", "$(@)", f"{name}"}
    for line in target.get("recipe").items if not needs else ():
        words = line.text.lstrip("@+- ").split()
        is_touched = words[:1] == ["touch"] and not own.isdisjoint(words[1:])
        if is_touched or (len(words) > 1 and words[-2] in (">", ">>") and words[-1] in own):
            yield f"{OFF}: nothing makes `{name}` again once `{line.text.strip()[:40]}` made it"
            return


def _without_asserts(name: str, target: ConfigNode, values: Values) -> Iterator[Setting]:
    """A recipe that builds or runs tests with `assert` compiled out."""
    if not (VERB.search(name) or TEST_NAME.search(name)):
        return
    for line in target.get("recipe").items:
        if _NO_ASSERTS.search(values.expanded(line.text)):
            yield Setting(key("build", "hollow", name), "NDEBUG", line.line)
            return


def _needs(name: str, target: ConfigNode) -> Iterator[Setting]:
    """What a target runs before itself, as far as that tests or checks something."""
    for need in target.get("needs").text.split() if not name.startswith(".") else ():
        if (VERB.search(need) or LINT_VERB.search(need)) and not PREPARES.search(need):
            yield Setting(key("needs", name), need, target.line)
