"""What a path is for, by its name alone. Runs in a git hook for every staged path: string work only."""

from __future__ import annotations

from agentgate_git.model.known_paths import (
    CI_NAMES,
    CI_TOP_FILES,
    CI_TOP_FOLDERS,
    CONFIG_NAMES,
    FORGE_FOLDERS,
    JS_TOOLS,
    TEST_FOLDERS,
    is_of_tests,
)
from agentgate_git.model.role import CI, CONFIG, DATA, DOCS, HARNESS, LOCK, OTHER, PRODUCTION, TEST
from agentgate_git.source.test_names import RUST, is_beside_tests, is_fixture, is_of_others, language_of

_HARNESS = frozenset(("conftest.py", "sitecustomize.py", "usercustomize.py", "noxfile.py"))
_LOCKS = frozenset(
    (
        *("poetry.lock", "uv.lock", "pdm.lock", "pipfile", "pipfile.lock", "pylock.toml", "conda-lock.yml"),
        *(".python-version", ".tool-versions", "mise.toml", ".mise.toml", "runtime.txt", "environment.yml"),
        *("environment.yaml", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "cargo.lock", "go.sum"),
        *("gemfile.lock", "composer.lock", "dockerfile", "flake.lock"),
    )
)
_CI_TOP = CI_TOP_FOLDERS | FORGE_FOLDERS
_DOC_NAMES = frozenset(("license", "licence", "copying", "notice", "authors", "changelog", "readme", "contributing"))
_DOC_ENDINGS = (".md", ".rst", ".adoc", ".markdown")
_DATA_ENDINGS = (
    ".json",
    ".yaml",
    ".yml",
    ".csv",
    ".tsv",
    ".txt",
    ".xml",
    ".html",
    ".sql",
    ".ambr",
    ".snap",
    ".ini",
    ".golden",
)
_JS_RUNNERS = frozenset(("jest", "vitest", "mocha", "test", "tests", "karma", "jasmine", "ava"))
_JS_SETUPS = frozenset(
    ("setuptests", "setupjest", "setupvitest", "globalsetup", "globalteardown", "aftertests", "beforetests")
)


def role_of(path: str) -> str:
    """The one role of a path, one of model.role.ROLES; `other` is what the name does not tell."""
    folded = path.lower()
    folder, _, name = folded.rpartition("/")
    parts = folder.split("/")
    if name in _HARNESS or (name.startswith("pytest_") and name.endswith(".py") and len(parts) == 1):
        return HARNESS
    if parts[0] in _CI_TOP or name in CI_NAMES or (name in CI_TOP_FILES and not folder) or _is_pipeline(name):
        return DOCS if name.endswith(_DOC_ENDINGS) else CI
    if name in _LOCKS or _is_requirements(parts, name):
        return LOCK
    if name in CONFIG_NAMES or _is_js_config(name):
        return CONFIG
    if _is_js_setup(name):
        return HARNESS
    in_tests = not TEST_FOLDERS.isdisjoint(parts)
    if name.endswith((".py", ".pyi")):
        return TEST if in_tests or is_test_file(path) else PRODUCTION
    if language_of(path):
        return TEST if in_tests or is_beside_tests(path) else PRODUCTION
    if not in_tests and (name.endswith(_DOC_ENDINGS) or name.removesuffix(".txt") in _DOC_NAMES):
        return DOCS
    if name.endswith((*_DATA_ENDINGS, *_DOC_ENDINGS)):
        return DATA
    return OTHER


def _is_pipeline(name: str) -> bool:
    return name.startswith("azure-pipelines") and name.endswith((".yml", ".yaml"))


def _is_js_config(name: str) -> bool:
    """`NAME.config.js` and `.NAMErc` of a tool that runs tests."""
    stem = name[1:].partition("rc")[0] if name.startswith(".") else name.partition(".config.")[0]
    return stem in JS_TOOLS and (name.startswith(".") or ".config." in name)


def _is_js_setup(name: str) -> bool:
    """`jest.setup.ts`, `vitest-teardown.js`, `setupTests.tsx`: what stands before or behind all tests of a project."""
    stem, _, ending = name.partition(".") if name.startswith("setup") else name.rpartition(".")
    if ending.rpartition(".")[2] not in ("js", "cjs", "mjs", "ts", "cts", "mts", "jsx", "tsx"):
        return False
    words = stem.replace("-", ".").replace("_", ".").split(".")
    return stem.replace("-", "").replace("_", "").replace(".", "") in _JS_SETUPS or (
        not {"setup", "teardown"}.isdisjoint(words) and not _JS_RUNNERS.isdisjoint(words)
    )


def is_test_file(path: str) -> bool:
    """True when pytest collects tests from the file by its default names: `test_*.py` and `*_test.py`."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def is_python_production(path: str) -> bool:
    """True for production code in Python, whose symbols can earn credit."""
    return path.endswith(".py") and role_of(path) == PRODUCTION


def holds_tests(path: str) -> bool:
    """True for files whose tests and set-up decide what runs: test files, what lies beside them, conftests.

    A Rust file holds the tests of what it defines.
    """
    language = language_of(path)
    if not language or is_fixture(path) or is_of_others(path):
        return False
    return language == RUST or role_of(path) in (TEST, HARNESS)


def is_test_data(path: str) -> bool:
    """True for data in a folder of tests: what they are given, and what they are held against."""
    is_data = path.lower().endswith(_DATA_ENDINGS) and is_of_tests(path)
    return is_data and role_of(path) == DATA


def is_test_side(path: str) -> bool:
    """True for whatever stands in a test folder or is a test or a harness by name."""
    parts = path.lower().split("/")
    return not TEST_FOLDERS.isdisjoint(parts[:-1]) or role_of(path) in (TEST, HARNESS)


def _is_requirements(parts: list[str], name: str) -> bool:
    is_list = name.endswith((".txt", ".in"))
    return is_list and (name.startswith(("requirements", "constraints")) or parts[-1] == "requirements")
