"""Files of checkers of other languages than Python: golangci-lint, RuboCop, the analyzer of Dart, PHPStan, Psalm.

The keys are those of every checker: `lint > TOOL > select`, `disable`, `hidden` for files that are not looked at,
`per-file-ignores`, `off` for a single rule, and `level > TOOL > RULE`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.runs import key

_GO = "golangci-lint"
_OF_TESTS = pattern_of(r"_test|test|mock|generated|_gen\b|\.pb\\?\.go|zz_|example|third|vendor|fixture")
_ALL_TEXT = pattern_of(r"[\^(]*\.[*+]\??[)$]*")
# Checks that later versions do not have any more, and those that only lay out, which have a list of their own now.
_DROPPED = frozenset(
    (
        *("golint", "deadcode", "varcheck", "structcheck", "scopelint", "maligned", "interfacer", "exhaustivestruct"),
        *("ifshort", "nosnakecase", "exportloopref", "execinquery", "gomnd", "tenv", "gosimple", "stylecheck"),
        *("megacheck", "gas", "gofmt", "gofumpt", "goimports", "gci", "golines", "typecheck", "goerr113", "logrlint"),
        *("vet", "vetshadow"),
    )
)
_SECTION = pattern_of(r"([\w-]+):")
_PAIR = pattern_of(r"-?\s*([\w-]+):\s*(.+)")
_FENCED = pattern_of(r"(?P<fence>[#~/@%])(?P<inner>.*)(?P=fence)[a-z]*")
_LEVEL = pattern_of(r"level:\s*(\d+|max)")
_ANALYZER = "dart analyzer"
_ANALYZED = {"error": "error", "warning": "warn", "info": "allow", "ignore": "off"}
MAX_LINES = 5_000


def golangci_settings(tree: ConfigNode) -> Iterator[Setting]:
    """.golangci.yml: the linters that look, what they are kept from, and the status they end with."""
    linters = tree.get("linters")
    for option in ("enable", "disable"):
        for word in linters.get(option).words():
            if word not in _DROPPED:
                yield Setting(key("lint", _GO, f"linters {option}"), word, linters.get(option).line)
    bare = linters.get("disable-all")
    if bare.is_true() or linters.get("default").text == "none":
        yield Setting(key("lint", _GO, "bare"), "true", bare.line)
    code = tree.get("run", "issues-exit-code")
    if code.text.strip() == "0":
        yield Setting(key("ignoring", _GO, "issues-exit-code"), "true", code.line)
    issues = tree.get("issues")
    for option in ("new", "new-from-rev", "new-from-merge-base"):
        if issues.get(option).text and not issues.get(option).is_false():
            yield Setting(key("guard", _GO, "all issues"), "false", issues.get(option).line)
    hidden = ((issues, ("exclude-dirs", "exclude-files")), (tree.get("run"), ("skip-dirs", "skip-files")))
    for holder, options in (*hidden, (linters.get("exclusions"), ("paths",))):
        for option in options:
            for word in holder.get(option).words():
                yield Setting(key("lint", _GO, "hidden"), word, holder.get(option).line)
    for rule in (*issues.get("exclude-rules").items, *linters.get("exclusions", "rules").items):
        yield from _go_rule(rule)
    for word in issues.get("exclude").words():
        is_all = _ALL_TEXT.fullmatch(word) is not None
        yield Setting(key("lint", _GO, "disable" if is_all else "off"), "ALL" if is_all else word, issues.line)


def _go_rule(rule: ConfigNode) -> Iterator[Setting]:
    """What one rule takes out of the findings: whole linters of a path, or some of their texts."""
    path, said = rule.get("path").text, rule.get("text").text or rule.get("source").text
    if path and _OF_TESTS.search(path):
        return
    is_whole = not said or _ALL_TEXT.fullmatch(said)
    for word in rule.get("linters").words() or ("every linter",):
        option = "linter hidden" if is_whole else "off"
        yield Setting(key("lint", _GO, option), f"{path or 'everywhere'}: {word}", rule.line)


def rubocop_settings(tree: ConfigNode) -> Iterator[Setting]:
    """.rubocop.yml: the cops and departments that look, and at what."""
    has_any = any(value.get("Enabled").is_true() for name, value in tree.entries if value.kind == TABLE)
    for name, value in tree.entries:
        if value.kind != TABLE:
            continue
        if name == "AllCops":
            for word in value.get("Exclude").words():
                yield Setting(key("lint", "rubocop", "hidden"), word, value.get("Exclude").line)
            if value.get("DisabledByDefault").is_true() and not has_any:
                yield Setting(key("lint", "rubocop", "disable"), "ALL", value.get("DisabledByDefault").line)
            continue
        enabled = value.get("Enabled")
        if enabled.is_true() or enabled.is_false():
            yield Setting(key("level", "rubocop", name), "error" if enabled.is_true() else "off", enabled.line)
        if enabled.is_false():
            yield Setting(key("lint", "rubocop", "off" if "/" in name else "family off"), name, enabled.line)
        for word in value.get("Exclude").words():
            yield Setting(key("lint", "rubocop", "per-file-ignores"), f"{word}: {name}", value.get("Exclude").line)


def analyzer_settings(tree: ConfigNode) -> Iterator[Setting]:
    """analysis_options.yaml: what a finding of the analyzer of Dart is worth, the rules, and what is not looked at."""
    analyzer, rules = tree.get("analyzer"), tree.get("linter", "rules")
    for name, value in analyzer.get("errors").entries:
        level = _ANALYZED.get(value.text.strip().lower())
        if level:
            yield Setting(key("level", _ANALYZER, name), level, value.line)
    for word in analyzer.get("exclude").words():
        yield Setting(key("lint", _ANALYZER, "hidden"), word, analyzer.get("exclude").line)
    for name, value in analyzer.get("language").entries:
        if name.startswith("strict-"):
            yield Setting(key("guard", _ANALYZER, name), "false" if value.is_false() else "true", value.line)
    for name, value in rules.entries:
        yield Setting(key("lint", _ANALYZER, "off" if value.is_false() else "select"), name, value.line)
    for word in rules.words() if not rules.entries else ():
        yield Setting(key("lint", _ANALYZER, "select"), word, rules.line)


def phpstan_settings(tree: ConfigNode) -> Iterator[Setting]:
    """phpstan.neon, line by line: the level, what is not reported and what is not looked at."""
    section = ""
    for item in tree.items[:MAX_LINES]:
        text = item.text
        if level := _LEVEL.fullmatch(text):
            yield Setting(key("level", "phpstan", "level"), "10" if level[1] == "max" else level[1], item.line)
        elif found := _SECTION.fullmatch(text):
            section = found[1] if found[1] not in ("analyse", "analyseAndScan") else section
        elif section in ("ignoreErrors", "excludePaths", "excludes_analyse", "paths"):
            pair = _PAIR.fullmatch(text)
            if pair and pair[1] not in ("message", "rawMessage", "identifier"):
                continue
            word = (pair[2] if pair else text.removeprefix("-")).strip().strip("\"'")
            option = {"ignoreErrors": "off", "paths": "paths"}.get(section, "hidden")
            fenced = _FENCED.fullmatch(word)
            if option == "off" and _ALL_TEXT.fullmatch(fenced["inner"] if fenced else word):
                option, word = "disable", "ALL"
            yield Setting(key("lint", "phpstan", option), word, item.line)


def psalm_settings(tree: ConfigNode) -> Iterator[Setting]:
    """psalm.xml: its level, of which 1 is the strictest, and the kinds of issues that are suppressed."""
    psalm = tree.get("psalm") if tree.has("psalm") else tree
    level = psalm.get("@errorLevel")
    if level.text.isdigit():
        yield Setting(key("level", "psalm", "level"), str(9 - int(level.text)), level.line)
    for name, handler in psalm.get("issueHandlers").entries:
        said = handler.get("@errorLevel")
        if said.text:
            yield Setting(key("level", "psalm", name), "error" if said.text == "error" else "off", said.line)
            if said.text != "error":
                yield Setting(key("lint", "psalm", "off"), name, said.line)
