"""Build tools that run tests themselves: Gradle, .NET, PHPUnit, Cargo, CMake, RSpec, ExUnit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.runner_options import option_marks
from agentgate_git.source.commands.runner_tables import FILTERED, NARROWED
from agentgate_git.source.commands.shell_status import ShellKind, ran_commands
from agentgate_git.source.settings.apart import with_groups
from agentgate_git.source.settings.ctest_targets import ctest_targets
from agentgate_git.source.settings.expression import never_on_changes
from agentgate_git.source.settings.runs import key, told
from agentgate_git.source.settings.simplecov import simplecov_settings

_BESIDE_TESTS = pattern_of(
    r"report|jacoco|kover|coverage|verification|fixtures|compile|classes\b|jar\b|javadoc|latest|manifest|request|digest|"
    r"process|logging|implementation|runtime|annotation",
    re.IGNORECASE,
)
# Tasks that fail a build for too little coverage, and what `check` waits for that judges.
_VERIFIES = pattern_of(r"overageVerification|koverVerify")
_JUDGES = pattern_of(r"overageVerification|koverVerify|[tT]est$|Lint|detekt|ktlint|spotless|checkstyle|pmd|spotbugs")
# What makes a task, and how a switch says that it is of such a one.
_MAKES = pattern_of(r"(?:project\.)?tasks\.(?:register|create)|task\.?\s?(\w+)?")
OF_TASK = " of task "
_CHECK = pattern_of(r"(?:^|[\s.])check\b")
_EMPTY = pattern_of(r"(?:project\.)?(?:files|objects\.fileCollection|emptyList|listOf|mutableListOf)\(\)|")
_LAMBDA = pattern_of(r"^\w+ -> ")
_TAKEN_OUT = pattern_of(r"exclude|reject|grep_v| - ")
_ASKED_FOR = pattern_of(r"(?:project\.)?hasproperty|boolean\.getboolean|providers\.gradleproperty", re.IGNORECASE)
# What a project of tests leaves out without leaving out tests.
_NO_TEST_FILES = pattern_of(
    r"(?:^|[/\\*])(?:obj|bin|node_modules|artifacts|generated|templates?|testdata|resources|assets|snapshots?|packages|"
    r"testassets|testprojects|TestResults|AssemblyInfo)(?:[/\\*.]|$)|\.g\.|\$\(",
    re.IGNORECASE,
)


def gradle_settings(tree: ConfigNode) -> Iterator[Setting]:
    """build.gradle: blocks and assignments of test tasks; a switch of any task that is called `ignoreFailures`."""
    yield from _gradle(tree, _Task())


class _Task(Record):
    """The blocks around a place: their words, of many the first, and whether tests or `check` are among them.

    `registered` is the task that they make beside `test`.
    """

    words: str = ""
    is_test: bool = False
    is_check: bool = False
    registered: str = ""

    def named(self, last: str) -> str:
        """A switch by its name, and by that of the task beside `test` which it is of."""
        return f"{last}{OF_TASK}{self.registered}" if self.registered else last

    def inside(self, words: str) -> _Task:
        """The same within another block."""
        is_check = self.is_check or _CHECK.search(words) is not None
        return _Task(told(f"{self.words} {words}"), self.is_test or _names_tests(words), is_check, self.registered)


def _gradle(node: ConfigNode, task: _Task) -> Iterator[Setting]:
    for name, value in node.entries:
        head, _, last = name.rpartition(".")
        is_test = (
            task.is_test
            or _names_tests(head)
            or (value.kind == TABLE and any(_names_tests(item.text) for item in value.items))
        )
        if last in ("ignoreFailures", "setIgnoreFailures"):
            yield Setting(key("build", "ignored", task.named("ignoreFailures")), _argument(value), value.line)
        elif last in ("enabled", "setEnabled") and _VERIFIES.search(f"{task.words} {head}"):
            yield Setting(key("build", "guard", f"{last} of {head or task.words}"), _argument(value), value.line)
        elif last in ("enabled", "onlyIf", "setEnabled") and is_test:
            text = _argument(value) if value.kind == SCALAR or value.items else next(iter(_names(value)), "")
            asked = _LAMBDA.sub("", value.text) if value.kind == TABLE else ""
            if never_on_changes(asked) if asked else _ASKED_FOR.match(text):
                text = "false"  # unless somebody asks for it
            yield Setting(key("build", "guard", f"{last} of {head or task.words}"), text, value.line)
        elif last in (
            "exclude",
            "excludeTestsMatching",
            "excludeTags",
            "excludeGroups",
            "excludeCategories",
            "excludePatterns",
        ):
            if is_test or last != "exclude":
                for word in value.words():
                    yield Setting(key("exclude", "gradle", task.named(last)), word, value.line)
        elif last in ("includeTags", "includeTestsMatching", "includeGroups") or (
            last == "include" and (task.is_test or _names_tests(head))
        ):
            for word in value.words():
                yield Setting(key("exclude", "gradle", task.named(last)), word, value.line)
        elif last in ("maxRetries", "maxFailures"):
            yield Setting(key("retries", "gradle", last), _argument(value), value.line)
        elif last in ("failOnNoDiscoveredTests", "failOnPassedAfterRetry") and value.is_false():
            yield Setting(key("ignoring", "gradle", last), "true", value.line)
        elif last == "minimum":
            yield Setting(key("coverage", "threshold", "gradle"), _argument(value), value.line)
        elif (why := _taken_from(name, value, task)) and why:
            yield Setting(key("build", "off", why), "true", value.line)
        if last == "dependsOn" and (task.is_check or _CHECK.search(head)):
            yield from _judged_before(value)
        if value.kind == TABLE:
            words = " ".join(item.text for item in value.items if item.kind == SCALAR)
            inner = f"{name} {words}"
            made = _made(name, value)
            if made:
                task = task._replace(registered=made)
                yield Setting(key("task", "gradle"), made, value.line)
            yield from _gradle(value, task.inside(inner) if "est" in f"{name}{words}" or _CHECK.search(inner) else task)


def _made(name: str, value: ConfigNode) -> str:
    """The task of tests that a block makes: `tasks.register('benchmark', Test) { … }`."""
    found = _MAKES.fullmatch(name)
    if found is None:
        return ""
    if found[1]:
        return found[1] if found[1] != "test" else ""
    words = [item.text.strip("'\"") for item in value.items if item.kind == SCALAR]
    return words[0] if len(words) > 1 and words[1].startswith("Test") and words[0] != "test" else ""


def _judged_before(value: ConfigNode) -> Iterator[Setting]:
    """What `check` waits for, as far as that judges something."""
    for word in value.words():
        if _JUDGES.search(word):
            yield Setting(key("needs", "check"), word.rpartition(".")[2], value.line)


def _names_tests(text: str) -> bool:
    """True for words among which one is a task of tests; what reports, compiles or packs them is none."""
    return any("est" in word and not _BESIDE_TESTS.search(word) for word in text.split())


def _taken_from(name: str, value: ConfigNode, task: _Task) -> str:
    """What takes a task of tests out of a build, empty for anything else."""
    head, _, last = name.rpartition(".")
    words = value.words()
    is_check = task.is_check or _CHECK.search(head)
    if last == "setDependsOn" and is_check and not any(_names_tests(one) for one in words):
        return "setDependsOn of check"
    is_less = head.endswith("dependsOn") and last in ("remove", "removeAll", "clear", "removeIf")
    if is_less and is_check and (last != "remove" or any(_names_tests(one) for one in words)):
        return f"dependsOn.{last} of check"
    if last == "excludedTaskNames" and any(_names_tests(one) for one in words):
        return "excludedTaskNames"
    if not (task.is_test or _names_tests(head)):
        return ""
    if last in ("testClassesDirs", "setTestClassesDirs") and _EMPTY.fullmatch(" ".join(words)):
        return f"{last} of {head or task.words}"
    if (last in ("actions", "setActions") and _EMPTY.fullmatch(" ".join(words))) or last == "deleteAllActions":
        return f"{last} of {head or task.words}"
    return "actions.clear" if name.endswith("actions.clear") else ""


def _names(value: ConfigNode) -> tuple[str, ...]:
    return tuple(name for name, _ in value.entries)


def _argument(value: ConfigNode) -> str:
    return next(iter(value.words()), "").lower()


_LISTING = frozenset(("add_executable", "target_sources", "set", "list", "file"))
# A source of tests that is listed by its name, or all that a pattern finds.
_SOURCE = pattern_of(r"(?:^|[/_*-])[tT]ests?[\w.*-]*\.(?:c|cc|cpp|cxx)$|[tT]ests?\.(?:c|cc|cpp|cxx)$")


def cmake_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Tests of a CMakeLists.txt and the properties that turn their outcome around."""
    for name, value in tree.entries:
        folded = name.lower()
        words = [item.text for item in value.items]
        if folded in _LISTING:
            for word in words:
                if _SOURCE.search(word):
                    yield Setting(key("registered", "sources of tests"), word.rpartition("/")[2], value.line)
        if folded == "add_test":
            yield from _swallowed(words, value.line)
            yield from _given_to_test(words, value)
            yield Setting(
                key("registered", "ctest"), " ".join(words[1:2] if words[:1] == ["NAME"] else words[:1]), value.line
            )
        elif folded in ("enable_testing", "gtest_discover_tests", "catch_discover_tests", "doctest_discover_tests"):
            yield Setting(key("registered", "ctest"), " ".join((folded, *words[:1])), value.line)
            yield from _given_to_test(words, value)
            if "PROPERTIES" in words:
                yield from _properties(words, value.line)
        elif folded in ("set_tests_properties", "set_property"):
            yield from _properties(words, value.line)
        elif folded == "set" and words[:1] in (["CTEST_CUSTOM_TESTS_IGNORE"], ["CTEST_CUSTOM_TEST_IGNORE"]):
            for word in words[1:]:
                yield Setting(key("exclude", "ctest", words[0]), word, value.line)
    yield from ctest_targets(tree)


def _given_to_test(words: list[str], value: ConfigNode) -> Iterator[Setting]:
    """What a test is given that chooses among those in it, or that it is no program of tests at all."""
    for before, text in pairwise(words):
        if before in ("TEST_FILTER", "TEST_SPEC"):
            yield Setting(key("exclude", "ctest", f"{words[0]} {before}"), text, value.line)
        elif before == "COMMAND" and text in ("true", ":", "echo", "/bin/true"):
            yield Setting(key("build", "off", f"{' '.join(words[1:2])} COMMAND"), text, value.line)
    options = [*(f"{name}={one.text}" for name, one in value.entries), *words]
    for mark in option_marks("binary", tuple(word for word in options if word.startswith("-"))):
        kind, _, text = mark.partition(": ")
        if kind == NARROWED:
            yield Setting(key("exclude", "ctest", f"{' '.join(words[:2])} options"), text, value.line)


_GENERATED = pattern_of(r"\$<[^<>]{0,200}>")


def _swallowed(words: list[str], line: int) -> Iterator[Setting]:
    """A test whose command is a shell that takes the failure away."""
    for before, text in pairwise(words):
        plain = _GENERATED.sub("program", text)
        if before == "-c" and any(command.ignored for command in ran_commands(plain, ShellKind())):
            yield Setting(key("build", "ignored", f"{' '.join(words[1:2])} COMMAND"), "true", line)


def _properties(words: list[str], line: int) -> Iterator[Setting]:
    upper = [word.upper() for word in words]
    if "PROPERTIES" not in upper and "PROPERTY" not in upper:
        return
    start = upper.index("PROPERTIES") if "PROPERTIES" in upper else upper.index("PROPERTY")
    tests = " ".join(words[:start])
    for position, name in enumerate(upper[start:], start=start):
        value = words[position + 1] if position + 1 < len(words) else ""
        if name in ("WILL_FAIL", "DISABLED") and value.upper() in ("TRUE", "ON", "1", "YES"):
            yield Setting(key("build", "off", f"{tests} {name}"), "true", line)
        elif name in ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION") or (
            name == "PASS_REGULAR_EXPRESSION" and value in (".*", ".", "", "^")
        ):
            yield Setting(key("build", "ignored", f"{tests} {name}"), "true", line)


def cargo_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Targets of Cargo.toml that are not tested."""
    for item in tree.get("test").items:
        name = item.get("name").text
        yield from _cargo_target(f"test {name}", item, True)
        yield Setting(key("registered", "cargo"), name, item.line)
    yield from _cargo_target("lib", tree.get("lib"), False)
    if tree.get("package", "autotests").is_false():
        yield Setting(key("build", "guard", "autotests"), "false", tree.get("package", "autotests").line)
    for holder in (tree.get("lints"), tree.get("workspace", "lints")):
        for tool, rules in holder.entries:
            for rule, value in rules.entries:
                level = value.get("level").text if value.kind == TABLE else value.text
                yield Setting(key("level", tool, rule), level, value.line)


def _cargo_target(name: str, item: ConfigNode, is_test: bool) -> Iterator[Setting]:
    for option in ("test", "harness", "doctest"):
        if item.get(option).is_false() and (option != "harness" or is_test or name == "lib"):
            yield Setting(key("build", "guard", f"{option} of {name}"), "false", item.get(option).line)


# Switches that make something a failure which else is none.
_GUARDS = frozenset(
    (
        *("TreatWarningsAsErrors", "MSBuildTreatWarningsAsErrors", "EnforceCodeStyleInBuild"),
        *("TreatNoTestsAsError", "MapInconclusiveToFailed", "MapNotRunnableToFailed"),
    )
)


def xml_settings(name: str, tree: ConfigNode) -> Iterator[Setting]:
    """phpunit.xml, .runsettings, project files of .NET, build.xml."""
    tool = "runsettings" if name.endswith(".runsettings") else name.partition(".")[0]
    yield from _xml(tool, tree, "", _has_tests(name, tree))


def _has_tests(name: str, tree: ConfigNode) -> bool:
    """True for a project of .NET whose classes are tests, by its packages or its name."""
    if not name.endswith("proj"):
        return name.startswith("directory.")
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        package = node.get("@Include").text.lower()
        if package.startswith(("xunit", "nunit", "mstest", "microsoft.net.test.sdk", "tunit")):
            return True
        waiting.extend(value for _, value in node.entries)
    return "test" in name or "spec" in name


def _xml(tool: str, node: ConfigNode, above: str = "", is_of_tests: bool = False) -> Iterator[Setting]:
    for name, value in node.entries:
        if name == "Compile" and is_of_tests:
            for word in value.get("@Remove").text.split(";"):
                if word and not _NO_TEST_FILES.search(word):
                    yield Setting(key("exclude", tool, "Compile Remove"), word, value.line)
        elif name == "EnableDefaultCompileItems" and is_of_tests:
            yield Setting(key("build", "guard", name), value.text.lower(), value.line)
        elif (
            name in ("exclude", "TestCaseFilter", "Exclude", "VSTestTestCaseFilter", "Where")
            and value.kind == SCALAR
            and above != "source"
        ):
            yield Setting(key("exclude", tool, f"{above} {name}".strip()), value.text, value.line)
        elif name in ("group",) and above == "exclude":
            yield Setting(key("exclude", tool, "group"), value.text, value.line)
        elif name in ("directory", "file") and above == "testsuite":
            yield Setting(key("include", tool, name), value.text or value.get("#text").text, value.line)
        elif name in _GUARDS:
            yield Setting(key("guard", tool, name), value.text.lower(), value.line)
        elif name in ("IsTestProject", "RunTests", "GenerateTestRunner") and value.kind == SCALAR:
            yield Setting(key("build", "guard", name), value.text.lower(), value.line)
        elif name in ("VSTestNoBuild", "ContinueOnError", "TestTreatNoTestsAsError") and value.kind == SCALAR:
            yield Setting(key("build", "ignored", name), str(value.is_true()).lower(), value.line)
        elif name in ("@haltonfailure", "@haltonerror", "@failonerror") or name.startswith("@failOn"):
            yield Setting(key("build", "guard", f"{above} {name}"), value.text.lower(), value.line)
        elif name.startswith(("@beStrictAbout", "@requireCoverage", "@stopOnError")):
            yield Setting(key("build", "strict", f"{above} {name}"), value.text.lower(), value.line)
        if value.kind == TABLE:
            inner = _xml(tool, value, name, is_of_tests)
            yield from with_groups(tool, (inner,)) if name == "testsuite" else inner


def rspec_settings(tree: ConfigNode) -> Iterator[Setting]:
    """.rspec: options, a line each."""
    words = tuple(word for line in tree.items for word in line.text.split())
    for mark in option_marks("rspec", words):
        kind, _, text = mark.partition(": ")
        yield Setting(key("rspec", kind), text, tree.items[0].line if tree.items else 0)


def ruby_settings(tree: ConfigNode) -> Iterator[Setting]:
    """spec_helper.rb: what the configuration leaves out; a focus that nothing has leaves nothing out."""
    runs_all = any(name.endswith(".run_all_when_everything_filtered") for name, _ in tree.entries)
    for name, value in tree.entries:
        last = name.rpartition(".")[2]
        yield from simplecov_settings(name, value)
        if last == "fail_on_error" and _argument(value) == "false":
            yield Setting(key("ignoring", "rake", name), "true", value.line)
        elif last in ("pattern", "test_globs") or (last == "test_files" and not _TAKEN_OUT.search(value.text)):
            for word in value.words():
                yield Setting(key("include", "rake", last), word, value.line)
        elif last == "test_files":
            yield Setting(key("exclude", "rake", last), value.text, value.line)
        elif last in ("rspec_opts", "options", "spec_opts") and "." in name:
            tool = "rspec" if "spec" in last else "minitest"
            for mark in option_marks(tool, tuple(word for text in value.words() for word in text.split())):
                kind, _, text = mark.partition(": ")
                if kind in (NARROWED, FILTERED):
                    yield Setting(key("exclude", "rake", last), text, value.line)
        elif last in ("filter_run_excluding", "exclusion_filter", "exclude_pattern", "filter_run"):
            if last == "filter_run" and runs_all and "focus" in (*value.words(), *_names(value), ":focus")[0]:
                continue
            shown = [*value.words(), *(f"{one}: {two.text}" for one, two in value.entries)]
            for word in shown:
                yield Setting(key("exclude", "rspec", last), word, value.line)
        elif last == "failure_exit_code" and _argument(value) == "0":
            yield Setting(key("ignoring", "rspec", last), "true", value.line)
        if value.kind == TABLE:
            yield from ruby_settings(value)


def elixir_settings(tree: ConfigNode) -> Iterator[Setting]:
    """test_helper.exs: what ExUnit is started with."""
    for name, value in tree.entries:
        if name in ("ExUnit.start", "ExUnit.configure"):
            for option in ("exclude", "only_test_ids"):
                node = value.get(option)
                words = [*node.words(), *(f"{one}: {two.text}" for one, two in node.entries)]
                for word in words:
                    yield Setting(key("exclude", "exunit", option), word, node.line)
            if value.get("exit_status").text == "0":
                yield Setting(key("ignoring", "exunit", "exit_status"), "true", value.line)
