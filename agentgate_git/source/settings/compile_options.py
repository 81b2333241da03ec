"""Options of compilers that make a finding of theirs fail a build, and those by which asserts and warnings vanish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.config_node import ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.runs import key

_CALLS = frozenset(
    (
        *("add_compile_options", "target_compile_options", "add_definitions", "add_compile_definitions"),
        *("target_compile_definitions", "add_link_options", "target_link_options", "set_target_properties"),
        *("target_link_libraries", "set_property", "string", "set", "list"),
    )
)
_OF_TARGET = frozenset(
    ("target_compile_options", "target_compile_definitions", "set_target_properties", "target_link_options")
)
_STRICT = frozenset(("-Werror", "/WX", "-pedantic-errors", "--warn-error"))
_SANITIZER = pattern_of(r"-fsanitize=([\w,-]+)")
_NO_ASSERTS = frozenset(("NDEBUG", "-DNDEBUG", "NDEBUG=1", "-DNDEBUG=1"))
_ON = frozenset(("ON", "TRUE", "1", "YES"))
_OFF = frozenset(("OFF", "FALSE", "0", "NO"))
_FINDS_MORE = pattern_of(
    r"(?i)sanitiz|sanitis|(?:^|_)(?:asan|tsan|ubsan|msan|werror)(?:_|$)|warnings?_as_errors?|fail_on_warning"
)
_OF_TESTS = pattern_of(r"(?:^|_)[tT]ests?$|[tT]est$")


def compile_guards(tool: str, words: Iterable[tuple[str, int]]) -> Iterator[Setting]:
    """What each of the words of a build, which stand with their lines, makes of the findings of a compiler; once."""
    seen: set[str] = set()
    for word, line in words:
        for what, value in _guards(word):
            if what not in seen:
                seen.add(what)
                yield Setting(key("guard", tool, what), value, line)


def _guards(word: str) -> Iterator[tuple[str, str]]:
    if word in _STRICT:
        yield "warnings are errors", "true"
    elif word == "-w":
        yield "warnings at all", "false"
    elif word == "-Wall":
        yield "warnings at all", "true"
    elif found := _SANITIZER.fullmatch(word):
        for one in found[1].split(","):
            yield f"sanitizer {one}", "true"


def cmake_options(tree: ConfigNode) -> Iterator[Setting]:
    """The options of a CMakeLists.txt, and the tests of it that are built with `assert` compiled out."""
    tested = _tested(tree)
    found: list[tuple[str, int]] = []
    for name, value in tree.entries:
        folded = name.lower()
        if folded in ("option", "set") and (switch := _switched(value)) is not None:
            yield Setting(key("guard", "cmake", f"option {switch[0]}"), switch[1], value.line)
        if folded not in _CALLS:
            continue
        words = [word for text in _texts(value) for word in text.strip("\"'").split()]
        found.extend((word, value.line) for word in words)
        if "COMPILE_WARNING_AS_ERROR" in " ".join(words[:-1]) and words[-1:] and words[-1].upper() in _ON:
            found.append(("-Werror", value.line))
        is_of_test = folded in _OF_TARGET and words and (words[0] in tested or _OF_TESTS.search(words[0]))
        if is_of_test and not _NO_ASSERTS.isdisjoint(words):
            yield Setting(key("build", "hollow", words[0]), "NDEBUG", value.line)
    # What is given first may be taken back: `-w` counts wherever it stands.
    found.sort(key=lambda one: one[0] != "-w")
    yield from compile_guards("cmake", found)


def _switched(value: ConfigNode) -> tuple[str, str] | None:
    """(name, truth) of an option that adds what finds more, where it says what it is by default."""
    words = [item.text.strip("\"'") for item in value.items]
    if len(words) < 2 or _FINDS_MORE.search(words[0]) is None:
        return None
    told = [word.upper() for word in words[1:]]
    is_on, is_off = (any(word in signs for word in told) for signs in (_ON, _OFF))
    return (words[0], "true" if is_on else "false") if is_on != is_off else None


def _tested(tree: ConfigNode) -> frozenset[str]:
    """Targets that `add_test` and its kin name."""
    names: set[str] = set()
    for name, value in tree.entries:
        if name.lower() == "add_test" or name.lower().endswith("_discover_tests"):
            names.update(item.text for item in value.items if not item.text.isupper())
    return frozenset(names)


def _texts(value: ConfigNode) -> Iterator[str]:
    """The words of a call; what stands there with a sign of equality is an entry of it."""
    yield from (item.text for item in value.items)
    yield from (f"{name}={one.text}" for name, one in value.entries)


def make_options(variables: ConfigNode) -> Iterator[Setting]:
    """The flags of a Makefile."""
    words = (
        (word, node.line) for name, node in variables.entries if "FLAGS" in name.upper() for word in node.text.split()
    )
    yield from compile_guards("make", words)
