"""Files that say to one runner which tests it takes: nextest, tarpaulin, Dart, Swift, Mix, Bazel, sbt, TestNG."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_options import option_marks
from agentgate_git.source.commands.runner_tables import FILTERED, IGNORED, NARROWED, OFF, RETRIED
from agentgate_git.source.settings.runs import Around, key, runs

_ALL_TESTS = frozenset(("", "all()", "default()"))
_SWIFT_TESTS = pattern_of(r"\.swift$|(?:^|/)\w*Tests?/?$")
_NO_TESTS = pattern_of(r"\btest/(?:\w+/)*(?:fixtures|support|templates|data)\b")
_NO_PROGRAM = pattern_of(r"(?:/(?:usr/)?bin/)?(?:true|:|echo|printf|cat|env true)(?:\s.*)?")
_OF_BAZEL = frozenset(("test", "build", "common", "coverage", "run", "always"))
_TRIES = pattern_of(r"\"-?-?(?:minSuccessfulTests|minSuccessful|s)\"\s*,\s*\"(\d+)\"")
# Of what stands in several places of one line each is sought by itself: `.*` between them would look again and again.
_TEST = pattern_of(r"[Tt]est\b")
_SOURCES = pattern_of(r"(?:unmanagedSources|sources)\b")
_SBT_FILTER = pattern_of(r"Tests\.(?:Filter|Exclude)\s*[({](.*)")
_SBT_EXCLUDED = pattern_of(r"excludeFilter\s*:?=+\s*")
_SBT_ARGUMENT = pattern_of(r"Tests\.Argument\s*\(")
_SBT_OPTION = pattern_of(r"\"(?:-[lzntsmw]|--exclude-[\w-]+|--include-[\w-]+|--tests)\"")
_SBT_OFF = (
    pattern_of(
        r"[Tt]est\s*/\s*(?:test|skip|sources|unmanagedSources|definedTests)\s*:=\s*(\{\s*\}|\(\)|true|Nil|Seq\(\).*)"
    ),
    pattern_of(r"(?:^|[\s,])(?:test|testFrameworks)\s*:=\s*(\{\s*\}|\(\)|Nil|Seq\(\))"),
)
_SBT_IGNORED = pattern_of(r"(testResult|onFailure|testReportSettings)\s*:=")
_KINDS = {OFF: "off", IGNORED: "ignored"}


def nextest_settings(tree: ConfigNode) -> Iterator[Setting]:
    """nextest.toml: the tests that a profile takes, and how often it tries them."""
    for name, profile in tree.get("profile").entries:
        for holder in (profile, *profile.get("overrides").items):
            chosen = holder.get("default-filter")
            if chosen.text.strip() not in _ALL_TESTS:
                yield Setting(key("exclude", "nextest", f"{name} default-filter"), chosen.text, chosen.line)
            again = holder.get("retries")
            shown = again.get("count").text if again.kind == TABLE else again.text
            if shown:
                yield Setting(key("retries", "nextest", f"{name} retries"), shown, again.line)
        if profile.get("no-tests").text in ("pass", "warn"):
            yield Setting(key("ignoring", "nextest", f"{name} no-tests"), "true", profile.get("no-tests").line)


def tarpaulin_settings(tree: ConfigNode) -> Iterator[Setting]:
    """tarpaulin.toml: what coverage has to reach, what it leaves out, and which tests it runs."""
    for _, part in tree.entries:
        floor = part.get("fail-under")
        if floor.text:
            yield Setting(key("coverage", "fail_under"), floor.text, floor.line)
        for word in part.get("exclude-files").words():
            yield Setting(key("coverage", "omit"), word, part.get("exclude-files").line)
        for word in part.get("exclude").words():
            yield Setting(key("exclude", "tarpaulin", "exclude"), word, part.get("exclude").line)
        if part.get("no-run").is_true():
            yield Setting(key("build", "off", "tarpaulin no-run"), "true", part.get("no-run").line)


def cargo_config_settings(tree: ConfigNode) -> Iterator[Setting]:
    """.cargo/config.toml: a runner that runs nothing, and commands of the project's own."""
    for name, target in tree.get("target").entries:
        runner = target.get("runner")
        if _NO_PROGRAM.fullmatch(" ".join(runner.words())):
            yield Setting(key("build", "off", f"{name} runner"), " ".join(runner.words()), runner.line)
    for name, value in tree.get("alias").entries:
        yield from runs(f"cargo {' '.join(value.words())}", Around(name), (value.line,))


def dart_settings(tree: ConfigNode, place: str = "") -> Iterator[Setting]:
    """dart_test.yaml: what is skipped or left out, for all tests or for those with a tag, but by no preset."""
    for name, value in tree.entries:
        shown = f"{place} {name}".strip()
        if name in ("skip", "markdown_skip") and value.text and not value.is_false():
            yield Setting(key("exclude", "dart", shown), value.text, value.line)
        elif name in ("exclude_tags", "include_tags", "names", "plain_names"):
            for word in value.words():
                yield Setting(key("exclude", "dart", shown), word, value.line)
        elif name in ("paths", "filename"):
            for word in value.words():
                yield Setting(key("include", "dart", name), word, value.line)
        elif name == "retry":
            yield Setting(key("retries", "dart", shown), value.text, value.line)
        elif value.kind == TABLE and name in ("tags", "on_os", "on_platform"):
            for inner, one in value.entries:
                yield from dart_settings(one, f"{shown} {inner}")


def swift_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Package.swift: targets of tests, and the files they are made of."""
    for item in _tables(tree):
        if item.text != "testTarget":
            continue
        name = item.get("name").text
        yield Setting(key("registered", "swift"), name, item.line)
        for word in item.get("sources").words():
            yield Setting(key("exclude", "swift", f"{name} sources"), word, item.get("sources").line)
        for word in item.get("exclude").words():
            if _SWIFT_TESTS.search(word):
                yield Setting(key("exclude", "swift", f"{name} exclude"), word, item.get("exclude").line)


def mix_settings(tree: ConfigNode) -> Iterator[Setting]:
    """mix.exs: commands of the project's own, of which one may stand in front of `mix test`; where its tests are."""
    for item in _tables(tree):
        for name, value in item.entries:
            words = [word for word in value.words() if value.kind in (SCALAR, LIST)]
            if name in ("test_paths", "test_pattern"):
                for word in words:
                    yield Setting(key("include", "mix", name), word, value.line)
            elif name == "threshold" and value.text.replace(".", "").isdigit():
                yield Setting(key("coverage", "threshold", "mix"), value.text, value.line)
            elif name in ("test_ignore_filters", "warn_test_pattern") and not all(map(_NO_TESTS.search, words)):
                yield Setting(key("exclude", "mix", name), " ".join(words), value.line)
            elif any(word.split()[:1] == ["test"] for word in words):
                yield from _alias(name, words, value.line)


def _alias(name: str, words: list[str], line: int) -> Iterator[Setting]:
    for word in words:
        yield from runs(f"mix {word}", Around(name), (line,))
        options = tuple(word.split()[1:]) if word.split()[:1] == ["test"] else ()
        for mark in option_marks("mix test", options) if name == "test" else ():
            kind, _, text = mark.partition(": ")
            if kind in (NARROWED, FILTERED):
                yield Setting(key("exclude", "mix", "test"), text, line)
            elif kind in _KINDS:
                yield Setting(key("build", _KINDS[kind], "mix test"), text, line)


def bazel_settings(tree: ConfigNode) -> Iterator[Setting]:
    """BUILD files: tests that are not run unless somebody names them, and those that are tried again."""
    for rule, value in tree.entries:
        name = value.get("name").text
        if value.kind != TABLE or not (rule.endswith(("_test", "_tests")) or rule == "test_suite") or not name:
            continue
        yield Setting(key("registered", "bazel"), name, value.line)
        for tag in value.get("tags").words():
            is_left_out = tag.startswith("-") if rule == "test_suite" else tag == "manual"
            if is_left_out:
                yield Setting(key("build", "off", f"{name} tags"), tag, value.get("tags").line)
        for word in value.get("args").words():
            if word.startswith(("--gtest_filter=", "--test_filter", "-k", "--test-case-exclude")):
                yield Setting(key("exclude", "bazel", f"{name} args"), word, value.get("args").line)
        if any("incompatible" in word for word in value.get("target_compatible_with").words()):
            yield Setting(key("build", "off", f"{name} target_compatible_with"), "incompatible", value.line)
        if value.get("flaky").is_true():
            yield Setting(key("retries", "bazel", f"{name} flaky"), "3", value.get("flaky").line)


def bazelrc_settings(tree: ConfigNode) -> Iterator[Setting]:
    """.bazelrc: options that every call gets."""
    for line in tree.items:
        words = tuple(line.text.split())
        if not words or words[0].partition(":")[0] not in _OF_BAZEL:
            continue
        for word in words[1:]:
            option, _, value = word.partition("=")
            if option == "--run_under" and _NO_PROGRAM.fullmatch(value):
                yield Setting(key("build", "off", "bazel run_under"), value, line.line)
            elif option == "--test_arg" and value.startswith(("--gtest_filter", "--test_filter", "-k", "-t")):
                yield Setting(key("exclude", "bazel", "test_arg"), value, line.line)
        for mark in option_marks("bazel test", words[1:]):
            kind, _, text = mark.partition(": ")
            if kind in (NARROWED, FILTERED):
                yield Setting(key("exclude", "bazel", text.partition(" ")[0]), text, line.line)
            elif kind == RETRIED:
                yield Setting(key("retries", "bazel", "flaky_test_attempts"), text.rpartition(" ")[2], line.line)


def sbt_settings(tree: ConfigNode) -> Iterator[Setting]:
    """build.sbt, line by line: what leaves tests out, or takes their task away."""
    for line in tree.items:
        text = line.text.partition("//")[0]
        tries = _TRIES.search(text)
        if tries is not None:
            yield Setting(key("score", "sbt", "minSuccessfulTests"), tries[1], line.line)
        for shown in _sbt_exclusions(text):
            yield Setting(key("exclude", "sbt", "testOptions"), shown.strip().rstrip(","), line.line)
        place = f"sbt {text.partition(':=')[0].strip()}"
        for found in (pattern.search(text) for pattern in _SBT_OFF):
            if found is not None:
                yield Setting(key("build", "off", place), found[1].strip().rstrip(","), line.line)
        test = _TEST.search(text)
        ignored = _last(_SBT_IGNORED, text, test.end()) if test is not None else None
        if ignored is not None:
            yield Setting(key("build", "ignored", place), ignored[1], line.line)


def _sbt_exclusions(text: str) -> Iterator[str]:
    """What one line says of tests that are left out."""
    chosen = _SBT_FILTER.search(text)
    if chosen is not None:
        yield chosen[1]
    argument = _SBT_ARGUMENT.search(text)
    given = text[argument.end() :].rpartition(")")[0] if argument is not None else ""
    if _SBT_OPTION.search(given):
        yield given
    test = _TEST.search(text)
    excluded = _last(_SBT_EXCLUDED, text, test.end()) if test is not None else None
    if test is not None and excluded is not None and _SOURCES.search(text, test.end(), excluded.start()):
        yield text[excluded.end() :]


def _last(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    return next(iter(deque(pattern.finditer(text, start), maxlen=1)), None)


def suite_settings(node: ConfigNode, above: str = "") -> Iterator[Setting]:
    """testng.xml: methods and groups that are left out or chosen, and suites that are switched off."""
    for name, value in node.entries:
        if name in ("exclude", "include") and value.has("@name"):
            if name == "exclude" or above == "methods":
                yield Setting(key("exclude", "testng", f"{above} {name}"), value.get("@name").text, value.line)
        elif name == "class":
            yield Setting(key("registered", "testng"), value.get("@name").text, value.line)
        elif name == "@enabled" and above in ("test", "suite"):
            yield Setting(key("build", "guard", f"testng {above} enabled"), value.text.lower(), value.line)
        if value.kind == TABLE:
            yield from suite_settings(value, name)


def _tables(tree: ConfigNode) -> Iterator[ConfigNode]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node.kind == TABLE:
            yield node
        waiting.extend(node.items)
        waiting.extend(value for _, value in node.entries)
