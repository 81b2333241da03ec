"""Comments and attributes that silence a checker: which are seen, which only look alike."""

from __future__ import annotations

import pytest

from testing.facts import traits

CODED, LINE, FILE, COVERAGE = "silence.lint", "silence.lint.line", "silence.lint.file", "silence.coverage"
NOTHING = {
    "a string in Python": ("app.py", "URL = 'https://example.org/# noqa'\n"),
    "prose in Python": (
        "app.py",
        "# types: ignoring None is the caller's job\n# ruff: isort: off\n# flake8 is in setup.cfg\n",
    ),
    "a tightening": ("app.py", "# pyright: strict\n# pylint: enable=unused-import\n# mypy: strict\n"),
    "a string in TypeScript": ("app.ts", "const a = '// @ts-nocheck';\n"),
    "the opposite": ("app.ts", "// @ts-check\n/* eslint max-lines: error */\n// eslint-enable\n"),
    "prose in Go": ("app.go", "package a\n// nolint directives are reviewed.x\nfunc f() {}\n"),
    "a denial": ("src/lib.rs", "#![deny(warnings)]\n"),
    "another annotation": ("A.java", "class A { @Deprecated int f() { return 0; } }\n"),
    "a magic comment": ("a.rb", "# frozen_string_literal: true\n"),
    "a word that is longer": ("a.cpp", "// NOLINTs are counted\nint f() { return 0; }\n"),
    "another directive": ("a.cs", "#nullable enable\nclass A { }\n"),
    "a dialect": ("a.sh", "# shellcheck shell=dash\necho\n"),
    "a type": ("a.php", "<?php /** @param int $x */ function f($x) {}\n"),
}
SEEN = {
    "noqa with a code": ("app.py", "import os  # noqa: F401\n", CODED),
    "noqa": ("app.py", "import os  # NOQA\n", LINE),
    "noqa of a file": ("app.py", "# ruff: noqa\nimport os\n", FILE),
    "flake8 of a file": ("app.py", "# flake8: noqa\nimport os\n", FILE),
    "type: ignore": ("app.py", "x = f()  # type: ignore\n", LINE),
    "type: ignore with a code": ("app.py", "x = f()  # type:ignore[arg-type]\n", CODED),
    "pyright": ("app.py", "x = f()  # pyright: ignore\n", LINE),
    "mypy of a file": ("app.py", "# mypy: ignore-errors\n", FILE),
    "pylint of a file": ("app.py", "# pylint: skip-file\n", FILE),
    "pylint": ("app.py", "x = 1  # pylint: disable=invalid-name\n", CODED),
    "nosec": ("app.py", "assert x  # nosec\n", LINE),
    "coverage": ("app.py", "def f():  # pragma: no cover\n    pass\n", COVERAGE),
    "a whole TypeScript file": ("app.ts", "// @ts-nocheck\nlet a;\n", FILE),
    "a line of TypeScript": ("app.tsx", "// @ts-expect-error why\nlet a;\n", CODED),
    "eslint": ("app.js", "/* eslint-disable */\nlet a;\n", FILE),
    "eslint, a rule": ("app.js", "/* eslint-disable no-console */\nlet a;\n", CODED),
    "eslint, a line": ("app.js", "let a; // eslint-disable-line\n", LINE),
    "eslint, a rule on a line": ("app.js", "// eslint-disable-next-line no-console -- why\nlet a;\n", CODED),
    "istanbul": ("app.js", "/* istanbul ignore next */\nlet a;\n", COVERAGE),
    "nolint": ("app.go", "package a\nfunc f() {} //nolint\n", LINE),
    "nolint, a linter": ("app.go", "package a\nfunc f() {} //nolint:errcheck\n", CODED),
    "a whole crate": ("src/lib.rs", "#![allow(warnings)]\nfn f() {}\n", FILE),
    "an item of a crate": ("src/lib.rs", "#[allow(dead_code)]\nfn f() {}\n", CODED),
    "SuppressWarnings": ("A.java", '@SuppressWarnings("unchecked") class A { }\n', CODED),
    "SuppressWarnings of all": ("A.java", '@SuppressWarnings("all") class A { }\n', FILE),
    "Suppress": ("A.kt", '@Suppress("UNCHECKED_CAST") class A\n', CODED),
    "rubocop": ("a.rb", "# rubocop:disable Style/X\n", CODED),
    "rubocop of all": ("a.rb", "# rubocop:disable all\n", FILE),
    "phpstan": ("a.php", "<?php f(); // @phpstan-ignore-line\n", LINE),
    "NOLINT": ("a.cpp", "int f(); // NOLINT\n", LINE),
    "NOLINT, a check": ("a.cpp", "int f(); // NOLINT(misc-x)\n", CODED),
    "a pragma": ("a.cs", "#pragma warning disable\nclass A { }\n", FILE),
    "a pragma with a number": ("a.cs", "#pragma warning disable CS0168\nclass A { }\n", CODED),
    "shellcheck": ("a.sh", "# shellcheck disable=SC2086\necho $1\n", CODED),
    "shellcheck of all": ("a.sh", "# shellcheck disable=all\necho $1\n", FILE),
    "swiftlint": ("a.swift", "// swiftlint:disable force_cast\nlet a = 1\n", CODED),
    "dart": ("a.dart", "// ignore: unused_import\nint a = 1;\n", CODED),
    "credo": ("a.ex", "# credo:disable-for-next-line\nx = 1\n", CODED),
}


@pytest.mark.parametrize(("path", "text"), NOTHING.values(), ids=NOTHING)
def test_what_only_looks_like_it(path: str, text: str) -> None:
    assert [] == traits(path, text)


@pytest.mark.parametrize(("path", "text", "kind"), SEEN.values(), ids=SEEN)
def test_what_silences(path: str, text: str, kind: str) -> None:
    assert [kind] == [trait.kind for trait in traits(path, text)]


def test_two_on_one_line_are_two() -> None:
    assert [CODED, LINE] == [trait.kind for trait in traits("app.py", "import os  # noqa: F401  # type: ignore\n")]


def test_what_a_test_module_allows_is_its_own_business() -> None:
    assert [] == traits("src/lib.rs", "#[cfg(test)] mod tests { #[allow(unused)] #[test] fn a() { assert!(f()); } }")
