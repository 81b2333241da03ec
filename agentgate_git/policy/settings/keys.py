"""Keys of configuration that select or soften tests: each kind of key has one way of getting worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from agentgate_git.model.facts import FileFacts, Setting
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.policy.settings.allowed_rows import rows_allowed, rows_commented
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.common import is_everything, is_ordinary, is_usual_line, takes_code
from agentgate_git.policy.settings.coverage import has_threshold, is_source_file, loosened_together, source_changes
from agentgate_git.policy.settings.excused import is_arguable, is_of_new_task, is_of_new_test, is_taken_apart
from agentgate_git.policy.settings.globs import is_glob, lost
from agentgate_git.policy.settings.installs import released_instead
from agentgate_git.policy.settings.left_out_parts import PARTS, is_gone_for_sure, is_left_out, left_with_its_folder
from agentgate_git.policy.settings.lint import lint_changes
from agentgate_git.policy.settings.mapped import stand_ins_mapped
from agentgate_git.policy.settings.patterns import is_about_tests, narrower_places, no_longer_collected
from agentgate_git.policy.settings.python_tools import python_tool_changes
from agentgate_git.policy.settings.quieted import quieted
from agentgate_git.policy.settings.run import runs_of
from agentgate_git.policy.settings.shards import shards_lost
from agentgate_git.policy.settings.sides import Settings
from agentgate_git.policy.settings.single_keys import number_in, shown_key, single_changes
from agentgate_git.policy.settings.triggers import trigger_changes
from agentgate_git.policy.settings.unbuilt import unbuilt_tests
from agentgate_git.policy.settings.waits import default_runs, starts_lost
from agentgate_git.policy.settings.ways import fewer_ways

# Scripts that a build of Gradle applies, and those that are a project of their own.
_SCRIPTS = (".gradle", ".gradle.kts")
_PROJECTS = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
_GROWING = (
    # A value more takes something away: key, severity, what it says.
    ("exclude > ", BLOCK, "leaves out"),
    ("build > off > ", BLOCK, "is switched off by"),
    ("build > ignored > ", BLOCK, "lets failures pass:"),
    ("build > hollow > ", BLOCK, "takes the force of asserts:"),
    ("ignoring > ", BLOCK, "lets failures pass:"),
    ("coverage > omit", WARN, "is no longer measured:"),
    ("coverage > hidden", WARN, "is no longer measured:"),
    ("coverage > exclude_", ADVICE, "is no longer measured:"),
    ("coverage > informational", WARN, "is only told:"),
    ("rspec > narrowed", BLOCK, "leaves out"),
    ("rspec > filtered", BLOCK, "leaves out"),
    ("rspec > ignored", BLOCK, "lets failures pass:"),
    ("hooks > exclude", WARN, "is hidden from every hook:"),
    ("hooks > ci skip", ADVICE, "is skipped in CI:"),
    ("job > stand-in", WARN, "runs nothing and reports under the name of a job that tests:"),
    ("matrix > exclude", ADVICE, "is left out of the matrix:"),
    ("pytest > addopts > ignored", BLOCK, "lets failures pass:"),
    ("pytest > addopts > off", BLOCK, "does not run tests:"),
    ("pytest > addopts > narrowed", BLOCK, "leaves out"),
    ("pytest > addopts > filtered", BLOCK, "leaves out"),
    ("pytest > addopts > hollow", BLOCK, "takes the force of asserts:"),
    ("pytest > addopts > rewrites", BLOCK, "writes what it should compare with:"),
    ("pytest > addopts > retried", WARN, "runs failures again:"),
    ("pytest > addopts > unplugged", WARN, "runs without a plugin:"),
    ("pytest > retries", WARN, "runs failures again:"),
    ("pytest > plugin", WARN, "loads a plugin of the project into every run:"),
    ("nose > ", BLOCK, "leaves out"),
    ("aggregator > unchecked", BLOCK, "passes whatever the jobs before it came to:"),
)
_LOSING = (
    ("pytest > addopts > wider", BLOCK, "is no longer given:"),
    ("pytest > addopts > measured", WARN, "is no longer given:"),
    ("include > ", WARN, "is no longer among the tests:"),
    ("registered > ", WARN, "is no longer a registered test:"),
    ("scripts > ", WARN, "is no longer among the tests:"),
    ("module > ", WARN, "is no longer built with the others:"),
    ("goal > ", WARN, "is no longer a goal of the build:"),
    ("needs > ", WARN, "is no longer run before it:"),
    ("coverage > source", WARN, "is no longer measured:"),
    ("coverage > include", WARN, "is no longer measured:"),
    ("aggregator > checked", WARN, "no longer looks at the jobs before it:"),
)
_EMPTYING = ("pytest > addopts > off", "pytest > addopts > hollow", "pytest > addopts > ignored")
# Lists without which a tool takes all that it finds.
_FOUND_ANYWAY = ("include > ", "scripts > ", "coverage > source", "coverage > include")
_LISTED = "registered > sources of tests"
_NOISE = frozenset(("", "false", "0", "off", "no", "null", "none", "process.env.ci"))
_OF_ASSERTS = "AssertionError"
# Tools whose own file says nothing but which tests there are and how they run.
_SAYS_ALONE = frozenset(("nextest", "dart", "testng", "runsettings", "bazel"))
_FEW = 3  # files that come with nothing before them: more are a project that starts


def key_changes(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterator[GateChange]:
    """What became worse in the keys of the changed files."""
    base, head = Settings(before), Settings(after)
    base.selections, head.selections = _selections(before), _selections(after)
    head.has_fresh_selection = bool(head.selections - base.selections)
    yield from loosened_together((*_grown(base, head), *_lost(base, head), *single_changes(base, head)))
    yield from shards_lost(base.by_path, head.by_path)
    yield from fewer_ways(base.by_path, head.by_path)
    yield from narrower_places(base.by_path, head.by_path)
    yield from no_longer_collected(base.by_path, head.by_path)
    yield from quieted(base.by_path, head.by_path)
    yield from source_changes(base.by_path, head.by_path)
    yield from lint_changes(base.by_path, head.by_path)
    yield from python_tool_changes(base.by_path, head.by_path)
    yield from default_runs(base.by_path, head.by_path)
    yield from starts_lost(base.by_path, head.by_path)
    yield from trigger_changes(base.by_path, head.by_path)
    for check in (unbuilt_tests, stand_ins_mapped, rows_allowed, released_instead, rows_commented):
        yield from check(base.by_path, head.by_path)


def _selections(files: tuple[FileFacts, ...]) -> Counter[str]:
    """The options of all runs by which they select tests or take in more of them."""
    kinds = ("narrowed: ", "filtered: ", "paths: ", "wider: ", "measured: ")
    marks = (mark for run in runs_of(files) for mark in run.marks if mark.startswith(kinds))
    return Counter(mark.partition(": ")[2] for mark in marks)


def _grown(base: Settings, head: Settings) -> Iterator[GateChange]:
    fresh = head.all - base.all  # what only moved from one file to another is not among them
    for path, settings in head.by_path.items():
        if path not in base.by_path:
            yield from _arrived(path, settings, base, len(head.by_path))
            continue
        had = Counter((one.key, one.value) for one in base.of(path))
        for one in settings:
            rule = next((rule for rule in _GROWING if one.key.startswith(rule[0])), None)
            place = (one.key, one.value)
            if rule is None or one.value.lower() in _NOISE:
                continue
            if had[place] > 0:
                had[place] -= 1
            elif fresh[place] > 0:
                fresh[place] -= 1
                yield from _growth(rule, one, path, base, head)


def _arrived(path: str, settings: tuple[Setting, ...], base: Settings, count: int) -> Iterator[GateChange]:
    """A configuration of pytest that is new, beside tests that ran without it, and that leaves some out by name."""
    for one in settings if path.rpartition("/")[2].startswith(".coveragerc") else ():
        if one.key == "coverage > fail_under" and number_in(one.value) == 0:
            yield GateChange(
                BLOCK, path, one.line, "a new file that coverage reads first asks for none: fail_under = 0"
            )
    is_of_build = path.endswith(_SCRIPTS) and not path.endswith(_PROJECTS)
    if is_of_build and any(other.endswith(_SCRIPTS) for other in base.by_path):
        for one in settings:
            if one.key.startswith("build > ignored > "):
                yield GateChange(
                    WARN, path, one.line, f"{shown_key(one)} of a new script says that failures do not count"
                )
    if base.keys["pytest > section"] or (not base.by_path and count > _FEW):
        return
    for one in settings:
        tool = "".join(one.key.split(" > ")[1:2])
        if one.key.startswith("exclude > ") and tool in _SAYS_ALONE and (one.key, one.value) not in base.all:
            yield GateChange(BLOCK, path, one.line, f"{shown_key(one)} of a new file leaves out {one.value}"[:300])
        is_by_name = one.key == "pytest > addopts > narrowed" and one.value.startswith(
            ("--deselect", "-k not", "--ignore")
        )
        is_one_file = one.key == "pytest > testpaths" and one.value.endswith(".py")
        if is_one_file:
            yield GateChange(WARN, path, one.line, f"testpaths of a new file names {one.value} alone")
        if (is_by_name and is_about_tests(one.value.split()[-1])) or one.key in _EMPTYING:
            yield GateChange(WARN, path, one.line, f"{shown_key(one)} of a new file leaves out {one.value}")


def _growth(
    rule: tuple[str, str, str], one: Setting, path: str, base: Settings, head: Settings
) -> Iterator[GateChange]:
    prefix, severity, says = rule
    more = ""
    if (prefix == "exclude > " and not _bites(one)) or is_of_new_test(one, base, head):
        return
    if is_of_new_task(one, base, head):
        return
    if prefix.startswith("coverage > "):
        severity = "" if head.is_adopted("coverage > ", path, base) else _unmeasured(prefix, one, severity)
        if severity == WARN and _is_for_threshold(one, path, base, head):
            severity = BLOCK
        if prefix.endswith("informational"):
            severity = _told(one, path, base)
    if prefix == "exclude > " and is_arguable(one, base, head):
        severity = WARN
    elif prefix == "exclude > " and is_taken_apart(one, path, base, head):
        severity, more = WARN, ", which another group takes: it has to be run"
    if one.key.endswith(" > methods include") and len(head.named(path, one.key)) > 1:
        severity = WARN  # several may be all there are
    # A value of the same key went as this one came: it was reworded, not added.
    is_reworded = prefix in ("exclude > ", "pytest > addopts > filtered", "rspec > filtered")
    if is_reworded and base.has_beyond(head, path, one.key):
        severity = WARN
    if (
        prefix == "pytest > addopts > narrowed"
        and one.value.startswith("--ignore")
        and not is_about_tests(one.value.split()[-1])
    ):
        severity = ADVICE
    if prefix == "pytest > addopts > retried" and any(_is_of_asserts(other) for other in head.of(path)):
        severity = BLOCK  # not what a network does, but what a test says
    if prefix == "build > off > " and "ITs" in one.key:
        severity = WARN
    if prefix.startswith("pytest > addopts > ") and severity == BLOCK:
        if base.selections[one.value] > head.selections[one.value]:
            return  # it stood in the commands before
        if prefix.endswith("filtered") and head.has_fresh_selection:
            severity = WARN  # a new run may take what this leaves out
    if severity:
        yield GateChange(severity, path, one.line, f"{shown_key(one)} {says} {one.value}"[:300] + more, one.key)


def _is_of_asserts(one: Setting) -> bool:
    """True for an option that has failed assertions run again, and little else."""
    return one.key == "pytest > addopts > spared" and one.value.startswith("--only-rerun") and _OF_ASSERTS in one.value


def _is_for_threshold(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True for what is left out of a count that has to reach a number: one file of the project, or several kinds of
    lines of code at once.
    """
    was_told = any(other.key.startswith("coverage > ") for other in base.of(path))
    if not was_told or not has_threshold(head.all) or not has_threshold(base.all):
        return False
    if one.key == "coverage > omit":
        name = one.value.strip("\"'").removeprefix("*/")
        return is_source_file(name) and not (name in head.by_path and name not in base.by_path)
    known = {other.value for other in base.named(path, one.key)}
    lines = [other.value for other in head.named(path, one.key) if other.value not in known]
    return sum(takes_code(line) > 0 and not is_usual_line(line) for line in lines) > 1


def _told(one: Setting, path: str, base: Settings) -> str:
    """How bad it is that a status of coverage is only told: what a project had set itself is a threshold."""
    place = one.key.rpartition(" > ")[2]
    if any(base.named(path, f"coverage > {name} > {place}") for name in ("threshold", "tolerance")):
        return BLOCK
    return WARN if place.startswith("project") else ADVICE


def _unmeasured(prefix: str, one: Setting, severity: str) -> str:
    """How bad it is that coverage does not count something; empty where most projects do not either."""
    if prefix == "coverage > omit":
        return "" if is_ordinary(one.value) else BLOCK if is_everything(one.value) else WARN
    if prefix == "coverage > hidden":
        return BLOCK if is_everything(one.value) else "" if is_ordinary(one.value) else WARN
    if prefix == "coverage > exclude_":
        if is_usual_line(one.value):
            return ""
        return (severity, WARN, BLOCK)[takes_code(one.value)]
    return severity


def _bites(one: Setting) -> bool:
    """True for an exclusion that can reach tests: not that of folders in which none stand."""
    name = one.key.rpartition(" > ")[2]
    if name in ("testPathIgnorePatterns", "exclude", "ignore", "testIgnore", "excludeSpecPattern", "excludePatterns"):
        return is_about_tests(one.value)
    return True


def _lost(base: Settings, head: Settings) -> Iterator[GateChange]:
    gone = base.all - head.all
    for path, settings in base.by_path.items():
        if path not in head.by_path:
            continue
        has = Counter((one.key, one.value) for one in head.of(path))
        for one in settings:
            rule = next((rule for rule in _LOSING if one.key.startswith(rule[0])), None)
            if rule is None or not one.value:
                continue
            place = (one.key, one.value)
            if has[place] > 0:
                has[place] -= 1
            elif gone[place] <= 0:
                continue  # it stands in another file now
            elif head.selections[one.value] > base.selections[one.value]:
                continue  # the commands have it now
            elif one.key == _LISTED and any(
                _is_named(left, one.value) for left in base.by_path if left not in head.by_path
            ):
                continue  # the file is gone with its line
            elif one.key.startswith(PARTS) and left_with_its_folder(one, path, base, head):
                continue
            elif (is_out := is_left_out(one, path, base, head)) or not _is_replaced(one, path, base, head):
                is_sure = is_out or one.key == _LISTED or is_gone_for_sure(one, path, base, head)
                severity = BLOCK if is_sure else rule[1]
                yield GateChange(severity, path, 0, f"{shown_key(one)}: {one.value} {rule[2].rstrip(':')}", one.key)


def _is_named(path: str, name: str) -> bool:
    return path.rpartition("/")[2] == name


def _is_replaced(one: Setting, path: str, base: Settings, head: Settings) -> bool:
    """True where another value of the same key came as this one went, or the key went with its whole section."""
    if one.key.startswith("goal > ") and head.keys[one.key]:
        return True  # another execution has it
    if one.key.startswith(_FOUND_ANYWAY) and not head.named(path, one.key):
        return True  # back to what the tool finds by itself
    option, _, glob = one.value.partition(" ")
    if is_glob(glob):
        same = (other.value.partition(" ") for other in head.named(path, one.key))
        return not lost((glob,), tuple(value for name, _, value in same if name == option))
    return head.has_beyond(base, path, one.key)
