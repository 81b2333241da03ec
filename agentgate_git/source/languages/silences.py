"""Comments and attributes that silence a checker: linters, type checkers, compilers, coverage.

Each is a trait `silence.lint` with its words as they act, normalised; one that silences everything in a file, or
everything on a line, says so in its kind: `silence.lint.file`, `silence.lint.line`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source import test_names
from agentgate_git.source.languages.syntax import Code, Item
from agentgate_git.source.python.fingerprint import digest_of
from agentgate_git.source.python.names import TooTangled
from agentgate_git.source.python.source import comments_of, decode_python
from agentgate_git.source.word_lines import lines_with

SILENCE = "silence."
CODED = "silence.lint"
LINE = "silence.lint.line"
FILE = "silence.lint.file"
COVERAGE = "silence.coverage"
ASSERTED = "silence.lint.asserted"

MAX_SILENCES = 5_000
_TOLD = 200
# Behind a comment on a line that asserts a type: what it silences is that assertion.
_TYPED = "\x00"


class TooManySilences(TooTangled):
    """More than MAX_SILENCES comments of one file silence a check."""


class _Rule(Record):
    """A pattern at the start of a comment's words, and the kind of trait it makes; the first that fits counts."""

    pattern: str
    kind: str


@cache
def _compiled(rules: tuple[_Rule, ...]) -> re.Pattern[str]:
    """One pattern with a group for each rule, made when it is first asked for: a run meets few of the languages."""
    return re.compile("|".join(f"({rule.pattern})" for rule in rules) or "(?!)", re.IGNORECASE)


def _rules(*rows: tuple[str, str]) -> tuple[_Rule, ...]:
    return tuple(_Rule(pattern, kind) for pattern, kind in rows)


_PYTHON = _rules(
    (r"(?:ruff|flake8)\s*:\s*noqa\s*(?:$|#|--)", FILE),
    (r"(?:ruff|flake8)\s*:\s*noqa\s*:", FILE + ".coded"),
    (r"noqa\s*:\s*[A-Z]+[0-9]", CODED),
    (r"noqa\b(?!\s*:\s*[A-Z])", LINE),
    (r"type\s*:\s*ignore\s*\[", CODED),
    (r"type\s*:\s*ignore\b", LINE),
    (r"(?:pyright|basedpyright)\s*:\s*ignore\s*\[", CODED),
    (r"(?:pyright|basedpyright)\s*:\s*ignore\b", LINE),
    (r"(?:pyright|basedpyright)\s*:\s*(?:basic|off)\b", FILE),
    (r"(?:pyright|basedpyright)\s*:\s*report\w+\s*=\s*(?:false|none)\b", FILE + ".coded"),
    (r"mypy\s*:\s*(?:ignore-errors|disable-error-code)", FILE),
    (r"pylint\s*:\s*skip-file|pylint\s*:\s*disable(?:-next)?\s*=\s*all\b", FILE),
    (r"pylint\s*:\s*disable", CODED),
    (r"nosec\s*:?\s*B[0-9]", CODED),
    (r"nosec\b", LINE),
    (r"nosemgrep\b|noinspection\b|lgtm\b|noqal\b", LINE),
    (r"pyre-(?:ignore-all-errors|unsafe)\b", FILE),
    (r"pyre-(?:ignore|fixme)", CODED),
    (r"pragma\s*:\s*no\s*(?:cover|branch)\b", COVERAGE),
)
_JAVASCRIPT = _rules(
    (r"@ts-nocheck\b", FILE),
    (r"@ts-(?:ignore|expect-error)\b", CODED),
    (r"(?:eslint|oxlint)-disable\s*(?:$|--|\*/)", FILE),
    (r"(?:eslint|oxlint)-disable\s+[\w@]", CODED),
    (r"(?:eslint|oxlint)-disable-(?:next-)?line\s*(?:$|--|\*/)", LINE),
    (r"(?:eslint|oxlint)-disable-(?:next-)?line\b", CODED),
    (r"(?:tslint|jshint|standard)\s*:?\s*disable\b|jshint\s+ignore|tslint:disable", LINE),
    (r"biome-ignore-all\b|deno-lint-ignore-file\b|@flow-nocheck|\$FlowIgnore\[all", FILE),
    (r"biome-ignore\b|deno-lint-ignore\b|\$Flow(?:FixMe|Issue|Ignore|ExpectedError)", CODED),
    (r"(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\b", COVERAGE),
)
_OTHERS = {
    test_names.GO: _rules(
        (r"nolint\s*(?::\s*all\b|$|\s*//)", LINE),
        (r"nolint\s*:\s*\w", CODED),
        (r"lint:(?:file-)?ignore\b", CODED),
        (r"#nosec\b|nosec\b", LINE),
        (r"exhaustive:ignore|revive:disable", CODED),
    ),
    test_names.RUBY: _rules(
        (r"rubocop\s*:\s*(?:disable|todo)\s+all\b", FILE),
        (r"rubocop\s*:\s*(?:disable|todo)\b", CODED),
        (r":nocov:|simplecov-ignore", COVERAGE),
        (r"steep:ignore|typed:\s*(?:ignore|false)|brakeman:ignore", CODED),
    ),
    test_names.PHP: _rules(
        (r"phpcs:ignoreFile\b|@codingStandardsIgnoreFile|@phpstan-ignore-file", FILE),
        (r"@phpstan-ignore(?:-line|-next-line)?\s*$|@phpstan-ignore-(?:next-)?line\b", LINE),
        (r"@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable)|@noinspection|@SuppressWarnings", CODED),
        (r"@codeCoverageIgnore", COVERAGE),
    ),
    test_names.CPP: _rules(
        (r"NOLINTBEGIN\s*(?:$|\(\*\))", FILE),
        (r"NOLINT(?:NEXTLINE|BEGIN)?\s*\((?!\*)", CODED),
        (r"NOLINT(?:NEXTLINE|BEGIN)?\b(?!s)", LINE),
        (r"cppcheck-suppress|coverity\[|-V::|nosec\b", CODED),
        (r"(?:GCOV|LCOV)_EXCL", COVERAGE),
        (r"clang-format off", CODED),
    ),
    test_names.SHELL: _rules(
        (r"shellcheck\s+disable\s*=\s*all\b", FILE),
        (r"shellcheck\s+(?:[\w=,]+\s+)*disable\s*=", CODED),
    ),
    test_names.SWIFT: _rules((r"swiftlint:disable\s+all\b", FILE), (r"swiftlint:disable", CODED)),
    test_names.KOTLIN: _rules((r"ktlint-disable\s*$", LINE), (r"ktlint-disable|noinspection\b", CODED)),
    test_names.JAVA: _rules((r"NOPMD\b|NOSONAR\b", LINE), (r"CHECKSTYLE[:.]?\s*OFF|noinspection\b", CODED)),
    test_names.SCALA: _rules(
        (r"scalastyle\s*:\s*off\s*$", FILE), (r"scalastyle\s*:\s*off|scalafix\s*:\s*off|noinspection", CODED)
    ),
    test_names.CSHARP: _rules((r"ReSharper disable All\b", FILE), (r"ReSharper disable|NOSONAR", CODED)),
    test_names.ELIXIR: _rules(
        (r"credo:disable-for-this-file\s*$", FILE), (r"credo:disable|sobelow_skip|dialyzer", CODED)
    ),
    test_names.DART: _rules(
        (r"ignore_for_file\s*:\s*type=lint\b", FILE),
        (r"ignore_for_file\s*:|ignore\s*:\s*\w", CODED),
        (r"coverage:ignore", COVERAGE),
    ),
    test_names.RUST: (),
}
_RULES = {test_names.PYTHON: _PYTHON, test_names.JAVASCRIPT: _JAVASCRIPT, **_OTHERS}
_MARK = pattern_of(r"^[\s/*#;!<-]*")
# Attributes and directives that are no comments; the kind follows from what they name.
_ATTRIBUTES = {
    test_names.RUST: pattern_of(r"#!?\[(?:allow|expect)\(.*\)\]$|#!?\[cfg_attr\(.*allow\(.*\)\]$"),
    test_names.JAVA: pattern_of(r"@SuppressWarnings\b|@SuppressFBWarnings\b"),
    test_names.KOTLIN: pattern_of(r"@(?:file:)?Suppress\b|@SuppressWarnings\b"),
    test_names.SCALA: pattern_of(r"@(?:nowarn|SuppressWarnings|unchecked)\b"),
    test_names.CSHARP: pattern_of(
        r"#pragma warning disable|\[?(?:\w+:)?SuppressMessage\b|\[?ExcludeFromCodeCoverage\b"
    ),
    test_names.SWIFT: pattern_of(r"@unchecked\b"),
    test_names.CPP: pattern_of(r"#pragma (?:GCC|clang) diagnostic ignored|#pragma warning\(disable"),
}
_BLANKET = {
    test_names.RUST: pattern_of(
        r"#!\[(?:allow|expect)\((?:.*\b)?(?:warnings|unused|clippy::all|clippy::pedantic|dead_code|unused_\w+)\b"
    ),
    test_names.JAVA: pattern_of(r'"all"'),
    test_names.KOTLIN: pattern_of(r'@file:Suppress|"all"'),
    test_names.CSHARP: pattern_of(r"#pragma warning disable$"),
}
# One of these stands in every comment that a rule for Python fits, in small letters.
_PYTHON_WORDS = (
    *(b"noqa", b"ignore", b"pyright", b"mypy", b"pylint", b"nosec", b"nosemgrep", b"noinspection", b"lgtm", b"noqal"),
    *(b"pyre-", b"pragma"),
)
# One of these stands, in small letters, in everything that the pattern below finds, which takes far longer.
_WORDS = (
    *(*_PYTHON_WORDS, b"@ts-", b"lint", b"istanbul", b"$flow", b"rubocop", b"nocov", b"phpstan", b"psalm", b"phpcs"),
    *(b"codingstandards", b"suppress", b"cppcheck", b"coverity", b"gcov", b"lcov", b"shellcheck", b"nopmd", b"nosonar"),
    *(b"checkstyle", b"scalastyle", b"scalafix", b"nowarn", b"resharper", b"credo:", b"sobelow", b"coverage:"),
    *(b"allow", b"expect", b"cfg_attr"),
)
_CHEAP = pattern_of(
    rb"noqa|type:\s*ignore|pyright|pylint|nosec|nosemgrep|mypy:|pyre-|pragma|@ts-|lint|istanbul|[cv]8 ignore|\$Flow|"
    rb"nolint|rubocop|nocov|phpstan|psalm|phpcs|codingStandards|SuppressWarnings|NOLINT|cppcheck|coverity|GCOV|LCOV|"
    rb"shellcheck|swiftlint|Suppress|NOPMD|NOSONAR|CHECKSTYLE|noinspection|scalastyle|scalafix|nowarn|ReSharper|"
    rb"credo:|sobelow|ignore_for_file|ignore:|coverage:|#!?\[\s*(?:allow|expect|cfg_attr)|codeCoverageIgnore|biome-ignore",
    re.IGNORECASE,
)


def may_silence(language: str, data: bytes) -> bool:
    """False where no spelling of a silenced check stands anywhere in the bytes, of Python in no line with a `#`."""
    if language == test_names.PYTHON:
        lowered = data.lower()
        return any(b"#" in lowered[start:end] for start, end in lines_with(_PYTHON_WORDS, lowered))
    if language not in _RULES:
        return False
    lowered = data.lower()
    return any(word in lowered for word in _WORDS) and _CHEAP.search(data) is not None


def _has_python_words(data: bytes) -> bool:
    lowered = data.lower()
    return any(word in lowered for word in _PYTHON_WORDS)


def silences(language: str, code: Code) -> Iterator[Trait]:
    """The silenced checks of a parsed file, in order; `TooManySilences` for more than MAX_SILENCES of them."""
    found = [*_counted(_of_comments(language, ((item.line, code.text(item.span)) for item in code.comments)))]
    found.extend(_of_attributes(language, code, code.items))
    yield from sorted(found, key=lambda trait: trait.line)


def silences_by_line(language: str, data: bytes) -> Iterator[Trait]:
    """The same without a grammar: whatever a line says after a comment mark; `TooManySilences` as above."""
    lines = data.decode("utf-8", "replace").splitlines()
    marks = re.compile(r"(?://|#|/\*)(.*)")
    texts = ((number, found[1]) for number, line in enumerate(lines, 1) if (found := marks.search(line)))
    yield from _counted(_of_comments(language, texts))


def python_silences(data: bytes) -> Iterator[Trait]:
    """The silenced checks of a Python file, by its comments; nothing for bytes that are no Python source.

    `TooManySilences` for more than MAX_SILENCES of them.
    """
    try:
        text = decode_python(data)
    except ValueError:
        return
    yield from _counted(_of_comments(test_names.PYTHON, _python_comments(text)))


def _counted(found: Iterable[Trait]) -> Iterator[Trait]:
    """What was found, `TooManySilences` beyond MAX_SILENCES of it."""
    for count, trait in enumerate(found):
        if count == MAX_SILENCES:
            raise TooManySilences(f"more than {MAX_SILENCES} comments in it silence a check")
        yield trait


def _python_comments(text: str) -> Iterator[tuple[int, str]]:
    """The comments that hold a word of a rule, each with its line; a line is told by counting on from the last."""
    line = at = 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for start, end in comments_of(text):
        comment = text[start:end]
        if _has_python_words(comment.encode("utf-8", "replace")):
            line += text.count("\n", at, start)
            at = start
            code = text[text.rfind("\n", 0, start) + 1 : start]
            yield line + 1, f"{comment}{_TYPED}" if "assert_type(" in code else comment


def _of_comments(language: str, comments: Iterable[tuple[int, str]]) -> Iterator[Trait]:
    """One trait for each thing a comment silences: `# noqa  # type: ignore` are two."""
    rules = _RULES[language]
    fitting = _compiled(rules)
    for line, text in comments:
        for number, row in enumerate(text.splitlines() or [text]):
            for part in re.split(r"#|//", row) if language in (test_names.PYTHON, test_names.RUBY) else [row]:
                words = _MARK.sub("", part).strip().removesuffix("*/").strip()
                fits = fitting.match(words)
                if fits is not None and fits.lastindex is not None:
                    kind = ASSERTED if words.endswith(_TYPED) else rules[fits.lastindex - 1].kind
                    yield Trait(kind, _told(" ".join(words.removesuffix(_TYPED).split())), line + number)


def _of_attributes(language: str, code: Code, items: Iterable[Item]) -> Iterator[Trait]:
    pattern = _ATTRIBUTES.get(language)
    if pattern is None:
        return
    blanket = _BLANKET.get(language)
    seen = set()
    for item in items:
        if item.kind not in ("marker", "directive") or item.start in seen:
            continue
        seen.add(item.start)
        if any(above.kind == "type" and code.text(above.part("name")).startswith("test") for above in item.above()):
            continue
        text = " ".join(code.text(item.span).split())
        if pattern.match(text):
            yield Trait(FILE if blanket is not None and blanket.search(text) else CODED, _told(text), item.line)


def _told(words: str) -> str:
    """What silences a check, as it is told: of very much the beginning, and what differs where all of it does."""
    return words if len(words) <= _TOLD else f"{words[:_TOLD]}…{digest_of(words)}"
