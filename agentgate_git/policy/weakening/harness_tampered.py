"""E_HARNESS_TAMPERED: code that changes what the runner says, ends it early, or chooses its tests in secret.

Traits of base and head are compared as multisets over the whole change set: what only moved is nothing. A hook that
looks, marks, sorts or makes a run stricter has no trait, and a plugin's own hooks are what it sells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agentgate_git.model import code
from agentgate_git.model.config_paths import config_format
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.weakening.guards_lost import counts_lost, guards_lost
from agentgate_git.policy.weakening.trait_changes import Arrival, Changes, plain

_FAMILIES = ("hook.", "exit.", "env.", "report.", "rerun", "warnings.")
_SAYS = {
    "hook.outcome": "changes the outcome of tests",
    "hook.collection": "takes tests out of the run",
    "hook.exit": "makes the run end as a success",
    "hook.rows": "leaves out rows that tests ran with",
    "hook.golden": "writes what the test is held against",
    "hook.subject": "puts something else in place of what is tested",
    "hook.start": "runs before the runner starts",
    "hook.program": "is run in place of the real one",
    "hook.shadow": "is imported in place of the real module",
    "exit.process": "ends the process of the tests before it tells",
    "exit.status": "drops the exit status of the tests",
    "exit.result": "leaves failures out of the exit status",
    "env.runner": "chooses tests through the environment or options of the runner",
    "report.write": "writes what the run is judged by",
    "rerun": "runs a test again until it passes",
    "warnings.hidden": "hides every warning, and one may be what fails the test",
}
# These mean something for a single test only when it is one that the base has.
_OF_ONE_TEST = frozenset(("hook.golden", "hook.subject", "rerun", "report.write", "warnings.hidden"))
_OF_PLUGINS = frozenset(("hook.outcome", "hook.collection", "hook.exit", "hook.subject"))
_LOADED = "pytest > loaded"
_NUMBER = pattern_of(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_BUILD = ("setup.py", "pyproject.toml")
_OF_PYTHON = frozenset(("unittest", "doctest"))
_RUST = "rust"
_ALWAYS_ARGUABLE = frozenset(("rerun", "warnings.hidden"))


def harness_findings(changes: Changes) -> Iterable[Finding]:
    """Findings for the traits of a whole change set."""
    yield from _lost_cases(changes)
    yield from guards_lost(changes)
    yield from counts_lost(changes)
    for arrival in changes.new(_is_wanted):
        severity = _severity(arrival, changes)
        if severity:
            yield _finding(arrival, severity)


def _lost_cases(changes: Changes) -> Iterable[Finding]:
    """Test classes that a suite written by hand no longer loads, while they are still there."""
    gone = {path.rpartition(".")[0].replace("/", ".") for path in changes.before if path not in changes.after}
    left = _classes(changes.before) - _classes(changes.after)
    for file, trait in changes.lost(lambda kind: kind == "suite.case"):
        head = changes.after.get(file.path)
        same = [one for one in head.traits if one.kind == "suite.case" and one.owner == trait.owner] if head else []
        name = trait.what.strip("'\"").rpartition(".")[2]
        if head is None or not same or name in left or any(one.endswith(trait.what.strip("'\"")) for one in gone):
            continue
        message = f"{trait.owner or 'the suite'} no longer loads {trait.what}"
        step = code.next_step(code.HARNESS_TAMPERED)
        yield Finding(code.HARNESS_TAMPERED, BLOCK, file.path, message, step, line=same[0].line)


def _classes(files: Mapping[str, FileFacts]) -> set[str]:
    """Those with tests, and whatever else the files define."""
    found = {test.name.partition("::")[0] for file in files.values() for test in file.tests.tests}
    return found.union(*(file.defines for file in files.values()))


def _is_wanted(kind: str) -> bool:
    return kind.startswith(_FAMILIES)


def _severity(arrival: Arrival, changes: Changes) -> str:
    """BLOCK, WARN, or empty for what is nothing here."""
    file, trait = arrival
    kind = plain(trait.kind)
    is_kept = changes.is_existing_test(file.path, trait.owner)
    is_of_test = kind == "hook.golden" or trait.owner.rpartition("::")[2].startswith("test")
    is_of_test = is_of_test or (kind == "rerun" and changes.has_test(file, trait.owner))
    if kind in _OF_ONE_TEST and is_of_test and not is_kept:
        return ""
    if kind == "hook.shadow":
        return _shadow_severity(arrival, changes)
    around = _test_around(trait.owner)
    if kind in _OF_PLUGINS and around:
        return WARN if changes.is_existing_test(file.path, around) else ""
    if kind == "hook.rows":
        old = changes.before.get(file.path)
        return BLOCK if old is not None and _is_known(trait.owner, old, changes) else ""
    if kind == "exit.result" and file.path not in changes.before:
        return ""
    if kind == "rerun" and not trait.owner and file.path not in changes.before:
        return ""
    if kind == "exit.process" and trait.kind != kind and file.language == _RUST and not changes.had_tests(file.path):
        return ""  # what a function of the product does is told beside tests, and these came only now
    if kind == "rerun" and (other := changes.reworded(arrival)) and _most(trait.what) <= _most(other.what):
        return ""
    is_product = file.role == PRODUCTION and not config_format(file.path)
    if kind == "exit.status" and (is_product or file.path not in changes.before):
        return ""
    if file.role == PRODUCTION and kind in _OF_PLUGINS and _is_plugin(file.path):
        return ""
    is_loaded = file.role == PRODUCTION and kind in _OF_PLUGINS and _is_loaded(file.path, changes)
    is_open = (trait.kind != kind and not is_loaded) or kind in _ALWAYS_ARGUABLE
    return WARN if is_open else BLOCK


def _is_known(name: str, old: FileFacts, changes: Changes) -> bool:
    """True for a function, a table or an import that a file had."""
    tables = (one for one, _ in old.tests.held)
    return changes.defines(old, name) or name in tables or any(one.name == name for one in old.tests.offers)


def _most(text: str) -> float:
    """The largest number in a text, which is how often a test is tried where it says so."""
    return max(map(float, _NUMBER.findall(text)), default=0.0)


def _test_around(owner: str) -> str:
    """The test in which a hook is defined that a runner of its own may take, empty for a hook of the run itself."""
    parts = owner.split("::")
    at = next((at for at, part in enumerate(parts) if part.startswith("test")), len(parts))
    return "::".join(parts[: at + 1]) if at + 1 < len(parts) and parts[-1].startswith("pytest_") else ""


def _is_loaded(path: str, changes: Changes) -> bool:
    """True when the change itself makes pytest load the module, by `pytest_plugins` or `-p`."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    named = {arrival.trait.what for arrival in changes.new(lambda kind: kind == "plugin.named")}
    loaded = (one.value for file in changes.after.values() for one in file.settings if one.key == _LOADED)
    named.update(loaded)
    return any(module == name or module.endswith(f".{name}") for name in named)


def _shadow_severity(arrival: Arrival, changes: Changes) -> str:
    """A module of a runner's name: nothing in the project that is called so, open where it comes with more.

    What the base has of the package makes it the project's own; tests that are named after it and a new build file
    leave it open. Nobody has a project called like a module of Python.
    """
    trait = arrival.trait
    module = trait.what.rpartition(" ")[2]
    if any(_is_of(path, module) for path in changes.before):
        return ""
    own = {f"test_{module}.py", f"{module}_test.py", *(one for one in _BUILD if one not in changes.before)}
    comes_with = {path.rpartition("/")[2] for path in changes.after}
    is_open = trait.kind != plain(trait.kind) or (module not in _OF_PYTHON and not own.isdisjoint(comes_with))
    return WARN if is_open else BLOCK


def _is_of(path: str, module: str) -> bool:
    """True for a file of a module or package of that name at the top of an import path."""
    parts = path.split("/")
    at_root = parts[1:] if parts[0] in ("src", "lib") and len(parts) > 1 else parts
    return path.endswith(".py") and at_root[0].removesuffix(".py") == module


def _is_plugin(path: str) -> bool:
    """True for a module of a package that extends pytest, which says so in its name."""
    return any("pytest" in part for part in path.lower().split("/"))


def _finding(arrival: Arrival, severity: str) -> Finding:
    file, trait = arrival
    says = _SAYS.get(plain(trait.kind), "changes what a run of tests says")
    place = f"{trait.owner}: " if trait.owner else ""
    message = f"{place}`{trait.what}` {says}"
    step = code.next_step(code.HARNESS_TAMPERED)
    if severity == WARN:
        step = "take it out, or ask a human to adopt the change"
    return Finding(code.HARNESS_TAMPERED, severity, file.path, message, step, line=trait.line)
