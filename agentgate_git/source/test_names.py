"""Which language a file is in and whether its runner takes it for a test, by its name alone: string work only.

The rules are those of the runners themselves: `*_test.go`, `*.test.ts`, `__tests__/`, `src/test/java`, `*_spec.rb`.
"""

from __future__ import annotations

from itertools import pairwise

JAVASCRIPT = "javascript"
GO = "go"
RUST = "rust"
JAVA = "java"
KOTLIN = "kotlin"
SCALA = "scala"
CSHARP = "csharp"
RUBY = "ruby"
PHP = "php"
CPP = "cpp"
SWIFT = "swift"
ELIXIR = "elixir"
DART = "dart"
SHELL = "shell"
PYTHON = "python"

_ENDINGS = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), JAVASCRIPT),
    **dict.fromkeys(("cpp", "cc", "cxx", "c", "h", "hpp", "hh", "hxx", "cu", "ipp"), CPP),
    **dict.fromkeys(("kt", "kts"), KOTLIN),
    **dict.fromkeys(("scala", "sc"), SCALA),
    **dict.fromkeys(("ex", "exs"), ELIXIR),
    **dict.fromkeys(("sh", "bash", "bats"), SHELL),
    **dict.fromkeys(("php", "phpt"), PHP),
    "py": PYTHON,
    "go": GO,
    "rs": RUST,
    "java": JAVA,
    "cs": CSHARP,
    "rb": RUBY,
    "swift": SWIFT,
    "dart": DART,
}
# What is put behind a name so that no runner takes the file any more.
_PUT_ASIDE = frozenset(
    (
        "disabled",
        "disable",
        "skip",
        "skipped",
        "bak",
        "off",
        "old",
        "orig",
        "ignore",
        "ignored",
        "broken",
        "todo",
        "txt",
    )
)
_FOLDERS = frozenset(
    (
        *("test", "tests", "testing", "spec", "specs", "__tests__", "e2e", "cypress", "androidtest"),
        *("testutil", "testutils", "testhelper", "testhelpers", "testsupport", "testkit", "testlib"),
        *("test_util", "test_utils", "test_helpers", "test_support", "test-utils", "test-helpers", "test-support"),
    )
)
# Where scripts that the product is made of lie, and in which of the folders of tests those that tests are made on.
_OF_PRODUCT = frozenset(("lib", "libexec"))
_OF_FIXTURES = frozenset(("fixtures", "fixture", "testdata"))
_OF_OTHERS = frozenset(("node_modules", "bower_components", "site-packages"))
_JS_WORDS = frozenset(("test", "spec", "cy", "e2e", "tests", "specs", "test-d", "spec-d"))
_STEM_ENDINGS = {
    GO: ("_test",),
    RUBY: ("_spec", "_test"),
    ELIXIR: ("_test",),
    DART: ("_test",),
    SHELL: ("_test", "-test"),
    RUST: ("_test", "_tests"),
    JAVASCRIPT: ("-test", "_test", "-spec", "_spec", "-tests"),
    JAVA: ("Test", "Tests", "TestCase", "IT", "Spec"),
    KOTLIN: ("Test", "Tests", "TestCase", "IT", "Spec"),
    SCALA: ("Test", "Tests", "Spec", "Suite", "IT", "Specs", "Props"),
    CSHARP: ("Test", "Tests", "Spec", "Specs", "Fixture", "TestCase"),
    PHP: ("Test", "TestCase", "Cest"),
    CPP: (
        *("_test", "_tests", "-test", "-tests", ".test", ".tests", "_unittest", "_unittests", "Test", "Tests"),
        *("UnitTest", "_spec"),
    ),
    SWIFT: ("Test", "Tests", "Spec", "TestCase"),
}
_STEM_STARTS = {
    RUBY: ("test_",),
    JAVASCRIPT: ("test-", "test_"),
    JAVA: ("Test",),
    KOTLIN: ("Test",),
    CPP: ("test_", "test-", "Test"),
    SHELL: ("test_", "test-"),
    RUST: ("test_",),
}


def language_of(path: str) -> str:
    """The language of a path by its ending, empty for one that is not read; `x_test.go.disabled` is Go put aside."""
    name = path.rpartition("/")[2]
    if name.endswith((".d.ts", ".min.js", ".min.mjs")):
        return ""
    stem, _, ending = name.rpartition(".")
    found = _ENDINGS.get(ending.lower(), "") if stem else ""
    if not found and ending.lower() in _PUT_ASIDE and "." in stem:
        return _ENDINGS.get(stem.rpartition(".")[2].lower(), "")
    return found


def is_put_aside(path: str) -> bool:
    """True for a source file whose name got an ending that no runner and no compiler takes."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() in _PUT_ASIDE and bool(language_of(path))


def is_named_test(path: str) -> bool:
    """True for a file whose own name, or `__tests__`, makes its usual runner take it; false for every Python file."""
    folder, _, name = path.rpartition("/")
    language = language_of(path)
    if language in ("", PYTHON) or is_put_aside(path):
        return False
    parts = name.split(".")
    stem = name.rpartition(".")[0]
    if language == GO:
        return stem.endswith("_test") and name[0] not in "_." and "testdata" not in folder.split("/")
    if language == JAVASCRIPT and ("__tests__" in folder.split("/") or not _JS_WORDS.isdisjoint(parts[1:-1])):
        return True
    if name.endswith((".bats", ".phpt")):
        return True
    if language == SHELL and not _OF_PRODUCT.isdisjoint(folder.split("/")):
        return False
    return stem.endswith(_STEM_ENDINGS.get(language, ())) or stem.startswith(_STEM_STARTS.get(language, ("\0",)))


def is_fixture(path: str) -> bool:
    """True for a script that tests start: it runs in none of their processes, and fails as they want it to."""
    return language_of(path) == SHELL and not _OF_FIXTURES.isdisjoint(path.split("/")[:-1])


def is_of_others(path: str) -> bool:
    """True for a file of another project that is kept in this one, whose tests its runner leaves out."""
    folders = path.split("/")[:-1]
    if language_of(path) == GO:
        return any(one == "vendor" and "." in other for one, other in pairwise(folders))
    return not _OF_OTHERS.isdisjoint(folders)


def is_beside_tests(path: str) -> bool:
    """True for a file of a language that is read, other than Python, that is named as a test or lies among tests."""
    if language_of(path) in ("", PYTHON):
        return False
    if is_put_aside(path):
        return is_beside_tests(path.rpartition(".")[0])
    if is_named_test(path):
        return True
    folders = path.lower().split("/")[:-1]
    if folders[-1:] == ["t"] and language_of(path) == SHELL:
        return True
    return any(part in _FOLDERS or part.endswith((".tests", ".test", "_tests", "-tests")) for part in folders)
