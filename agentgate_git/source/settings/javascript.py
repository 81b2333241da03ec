"""Configuration of JavaScript's test tools, in JSON or as literals in code."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.apart import with_groups
from agentgate_git.source.settings.runs import key

# By the last key of a path: leaves out tests, chooses them, takes a failure away, or guards against something.
_EXCLUDES = frozenset(
    (
        *("testPathIgnorePatterns", "excludeSpecPattern", "testIgnore", "grepInvert", "ignore", "exclude", "grep"),
        *("fgrep", "invert", "testNamePattern", "ignoreTestFiles", "specExclude", "disabled", "tagsExclude"),
        *("testRegexIgnore", "modulePathIgnorePatterns", "coveragePathIgnorePatterns"),
    )
)
_INCLUDES = frozenset(
    (
        *("testMatch", "testRegex", "specPattern", "spec", "include", "roots", "testDir", "files", "specs"),
        *("spec_files", "specFiles", "spec_dir", "specDir"),
    )
)
_IGNORING = frozenset(
    (
        *(
            "passWithNoTests",
            "dangerouslyIgnoreUnhandledErrors",
            "ignoreSnapshots",
            "allowOnly",
            "failOnEmptyTestSuite",
        ),
        *("pass-on-failing-test-suite", "passOnFailingTestSuite", "allowUncaught"),
    )
)
_GUARDS = frozenset(
    ("forbidOnly", "forbidPending", "forbid-only", "forbid-pending", "failOnFlakyTests", "errorOnDeprecated")
)
# A run that writes what it should compare with; the values by which it does so only where there is nothing yet.
_WRITES = frozenset(("update", "updateSnapshot", "updateSnapshots", "update-snapshots"))
_WRITES_NEW = frozenset(("new", "missing", "none", "changed-missing"))
# Titles by which a tool chooses tests, in its own section alone: the word means much elsewhere.
_TITLES = {"ava": "match", "jasmine": "filter"}
# Lists of parts of a project, each with tests of its own, by their folders or configurations.
_PARTS = frozenset(("projects", "workspace", "defineWorkspace"))
_RETRIES = frozenset(("retries", "retry", "retryTimes", "flakes", "runMode", "openMode"))
_TOLERANCES = frozenset(
    ("maxDiffPixels", "maxDiffPixelRatio", "threshold", "failureThreshold", "allowedMismatchedPixelRatio")
)
_THRESHOLDS = frozenset(("lines", "functions", "branches", "statements"))
# What karma loads before the tests is no test of the project.
_OF_OTHERS = pattern_of(r"(?:^|/)(?:node_modules|bower_components|jspm_packages|vendor)/")
# A list that starts from what the tool leaves out by itself: `...configDefaults.exclude`.
_DEFAULTS = pattern_of(r"(?:\.\.\.)?\w*[dD]efaults?\w*(?:\.\w+)+")
# Lists of browsers and other ways in which the same tests are run, by what names each of them.
_WAYS = {"projects": "name", "instances": "browser", "capabilities": "browserName", "browsers": ""}
_IN_BROWSERS = frozenset(("playwright", "playwright-ct", "vitest", "vite", "karma", "wdio", "web-test-runner"))
# Where thresholds stand that hold for all files, in one tool or another.
_FOR_ALL = ("thresholds", "coverageThreshold", "coverage", "threshold")
_SECTIONS = ("jest", "mocha", "ava", "nyc", "c8", "vitest", "cypress", "jasmine")


def js_settings(tool: str, tree: ConfigNode) -> Iterator[Setting]:
    """The settings of a tool's own file, whatever nesting it uses."""
    yield from _walk(tool, tree, ())


def package_sections(tree: ConfigNode) -> Iterator[Setting]:
    """Sections of package.json that hold the configuration of a tool."""
    for one in tree.get("workspaces").items:
        if one.text:
            yield Setting(key("registered", "workspaces"), one.text, one.line)
    for name in _SECTIONS:
        if tree.get(name).kind == TABLE:
            yield from _walk(name, tree.get(name), ())


def _walk(tool: str, node: ConfigNode, path: tuple[str, ...]) -> Iterator[Setting]:
    for item in node.items:
        if item.kind == TABLE:
            yield from _walk(tool, item, path)
    for name, value in node.entries:
        yield from _setting(tool, name, value, path)
        if value.kind == TABLE and len(path) < 12:
            yield from _walk(tool, value, (*path, name))
        elif value.items and name in ("projects", "workspace", "suites"):
            yield from with_groups(tool, (_walk(tool, one, path) for one in value.items if one.kind == TABLE))
        if value.items and name in _WAYS and tool.partition(".")[0] in _IN_BROWSERS:
            yield from _ways(tool, name, value)


def _setting(tool: str, name: str, value: ConfigNode, path: tuple[str, ...]) -> Iterator[Setting]:
    if path[-1:] in (("moduleNameMapper",), ("alias",)) and value.kind != TABLE:
        for word in value.words():
            yield Setting(key("mapped", tool), f"{name} -> {word}", value.line)
        return
    in_coverage = any("overage" in one or "hreshold" in one for one in path) or tool in ("c8", "nyc")
    if name in _THRESHOLDS and in_coverage and value.kind == SCALAR:
        holder = next((one for one in path[-1:] if one not in _FOR_ALL), "global")
        yield Setting(key("coverage", "threshold", f"{holder}.{name}"), value.text, value.line)
    elif name == "collectCoverageFrom":
        for word in value.words():
            if word.startswith("!"):
                yield Setting(key("coverage", "omit"), word[1:], value.line)
    elif name in ("check-coverage", "checkCoverage"):
        yield Setting(key("coverage", "check"), value.text, value.line)
    elif name in _EXCLUDES and _is_for_tests(tool, name, path):
        is_omit = in_coverage or name == "coveragePathIgnorePatterns"
        for word in (one for one in value.words() if not _DEFAULTS.fullmatch(one)):
            yield Setting(key("coverage", "omit") if is_omit else key("exclude", tool, name), word, value.line)
    elif name in _INCLUDES and _is_for_tests(tool, name, path) and not in_coverage:
        for word in (one for one in value.words() if not (_OF_OTHERS.search(one) or _DEFAULTS.fullmatch(one))):
            yield Setting(key("include", tool, name), word, value.line)
    elif value.kind == SCALAR and (name in _IGNORING or _writes(tool, name, value.text, path)):
        yield Setting(key("ignoring", tool, name), value.text, value.line)
    elif name == _TITLES.get(tool):
        for word in value.words():
            yield Setting(key("exclude", tool, name), word, value.line)
    elif name in _PARTS and value.items and _has_parts(tool):
        nested = [one for item in value.items for one in item.items if item.kind == LIST]
        for one in (*value.items, *nested):
            if one.kind == SCALAR and one.text:
                yield Setting(key("registered", f"parts of {tool}"), one.text, one.line or value.line)
    elif name in _GUARDS and value.kind == SCALAR:
        yield Setting(key("guard", tool, name), value.text, value.line)
    elif name == "enabled" and path[-1:] == ("typecheck",):
        yield Setting(key("guard", tool, "typecheck"), value.text.lower(), value.line)
    elif name in _RETRIES and value.kind == SCALAR:
        yield Setting(key("retries", tool, name), value.text, value.line)
    elif name in _TOLERANCES and value.kind == SCALAR and not in_coverage:
        yield Setting(key("tolerance", tool, name), value.text, value.line)


def _writes(tool: str, name: str, value: str, path: tuple[str, ...]) -> bool:
    """True for a switch by which snapshots are written anew; `update` alone says so in the part about tests."""
    is_of_tests = tool in ("vitest", "ava", "jest") or not {"test", "snapshot", "snapshotOptions"}.isdisjoint(path)
    if name not in _WRITES or (name == "update" and not is_of_tests):
        return False
    return value.strip("\"'").lower() not in _WRITES_NEW


def _has_parts(tool: str) -> bool:
    return tool.partition(".")[0] in ("jest", "vitest", "vite", "package")


def _ways(tool: str, name: str, value: ConfigNode) -> Iterator[Setting]:
    """The browsers or projects that every test is run for, each by its name."""
    for item in value.items:
        shown = item.get(_WAYS[name]).text if item.kind == TABLE else item.text
        if shown and not shown.startswith((".", "/", "packages")) and "*" not in shown:
            yield Setting(key("ways", tool, name), shown, item.line or value.line)


def _is_for_tests(tool: str, name: str, path: tuple[str, ...]) -> bool:
    """`include`, `exclude` and `files` mean tests only in the part of a file that is about tests."""
    if tool in ("vite", "eslint", "nyc", "c8"):
        return "test" in path or tool in ("nyc", "c8")
    if name in ("include", "exclude", "ignore"):
        return tool not in ("stryker", "eslint") and not {"optimizeDeps", "resolve", "typecheck", "build"} & set(path)
    return True


def npmrc_settings(tree: ConfigNode) -> Iterator[Setting]:
    """.npmrc: a shell for scripts that runs nothing, and scripts that need not be there."""
    for _, section in tree.entries:
        for name, value in section.entries:
            if name == "script-shell" and value.text.rpartition("/")[2] in ("true", "echo", "cat", ":"):
                yield Setting(key("build", "off", "npm script-shell"), value.text, value.line)
            elif name in ("if-present", "dry-run") and value.is_true():
                yield Setting(key("ignoring", "npm", name), "true", value.line)


def tsconfig_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Switches of the TypeScript compiler that make it see more."""
    options = tree.get("compilerOptions")
    for name in ("strict", "noImplicitAny", "strictNullChecks", "noUncheckedIndexedAccess", "noImplicitReturns"):
        if options.has(name):
            yield Setting(key("tsconfig", "strict", name), options.get(name).text.lower(), options.get(name).line)


def eslint_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Rules of ESLint that are switched off."""
    for name, value in tree.entries:
        if name == "rules":
            for rule, level in value.entries:
                word = next(iter(level.words()), "")
                shown = {"0": "off", "1": "warn", "2": "error"}.get(word, word)
                yield Setting(key("level", "eslint", rule), shown, level.line)
                if word in ("off", "0"):
                    yield Setting(key("lint", "eslint", "off"), rule, level.line)
        elif name in ("ignorePatterns", "globalIgnores") or (name == "ignores" and _is_for_all(tree)):
            for word in value.words():
                if not word.startswith("!"):
                    yield Setting(key("lint", "eslint", "exclude"), word, value.line)
        elif value.kind == TABLE:
            yield from eslint_settings(value)
        for item in value.items:
            if item.kind == TABLE:
                yield from eslint_settings(item)


def _is_for_all(part: ConfigNode) -> bool:
    """True for a part of a flat configuration that does nothing but leave files out, which holds for all of it."""
    return all(name in ("ignores", "name") for name, _ in part.entries)


def ignored_by_eslint(tree: ConfigNode) -> Iterator[Setting]:
    """.eslintignore, line by line."""
    for line in tree.items:
        word = line.text.strip()
        if word and not word.startswith(("#", "!")):
            yield Setting(key("lint", "eslint", "exclude"), word, line.line)
