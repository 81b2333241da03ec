"""Examples in the documentation of Rust, which `cargo test` compiles and runs: which fences it takes for one."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.inventory import DOCTEST_OF, EXPECTED_FAIL, NOT_COLLECTED, RUNS, CollectedTest
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import fingerprint

MAX_DOCTESTS = 500
_SHOWN = 60
_LINE = pattern_of(r"[ \t]{0,200}//[/!] ?(.*)$")
_FENCE = pattern_of(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`]*)$")
_DEFINES = pattern_of(
    r"[ \t]*(?:pub(?:\([^)]*\))? +)?(?:(?:const|async|unsafe|default|extern(?: \"\w+\")?) +)*"
    r"(?:fn|struct|enum|trait|mod|type|const|static|union|impl|macro_rules!|macro)\b[ <\w,':>]{0,80}?\b(\w+)"
)
_ATTRIBUTE = pattern_of(r"[ \t]*(?:#!?\[|\)\]|\]$|$)")
_EDITION = pattern_of(
    r"edition20\d\d|E\d{4}|ignore-[\w-]+|\{?\.?rust\}?|standalone(?:_crate)?|test_harness|should_panic|no_run"
)
_COMPILED = "compile_fail"
_SEPARATORS = pattern_of(r"[, \t]+")
_CHECKS = pattern_of(r"\bassert\w*!|\bpanic!")


def doctests_of(data: bytes) -> tuple[CollectedTest, ...]:
    """The examples of a file, each by what it documents and by its first line; those of one code are one.

    An example that is not run is there all the same, as what `cargo test` does not collect.
    """
    if b"```" not in data and b"~~~" not in data:
        return ()
    found: dict[str, CollectedTest] = {}
    for one in _read(data.decode("utf-8", "replace").splitlines()):
        found.setdefault(one.name, one)
        if len(found) >= MAX_DOCTESTS:
            break
    return tuple(found.values())


def _read(lines: list[str]) -> Iterator[CollectedTest]:
    """The examples of a file; the name of what they document stands behind them."""
    waiting: list[tuple[int, str, list[str]]] = []
    fence, info, start = "", "", 0
    code: list[str] = []
    for number, line in enumerate(lines, 1):
        told = _LINE.match(line)
        if told is None:
            fence, code = "", []
            if waiting and not _ATTRIBUTE.match(line):
                defined = _DEFINES.match(line)
                owner = defined[1] if defined is not None else "the module"
                yield from (_test(owner, *one) for one in waiting)
                waiting = []
            continue
        mark = _FENCE.match(told[1])
        if mark is not None and not fence:
            fence, info, start, code = mark[1], mark[2].strip(), number, []
        elif mark is not None and mark[1].startswith(fence) and not mark[2].strip():
            waiting.append((start, info, code))
            fence, code = "", []
        elif fence:
            code.append(told[1])
    yield from (_test("the module", *one) for one in waiting)


def _test(owner: str, line: int, info: str, code: list[str]) -> CollectedTest:
    plain = [text.strip() for text in code if text.strip()]
    first = next((one for one in plain if not one.startswith(("#", "use ", "//"))), plain[0] if plain else "")
    told = "\n".join(plain)
    digest = fingerprint(told)
    state, marker = _state(info, told)
    return CollectedTest(f"{DOCTEST_OF}{owner}: {first[:_SHOWN]}", state, line, digest, marker)


def _state(info: str, code: str) -> tuple[str, str]:
    """What becomes of an example by the words on its fence."""
    words = [one for one in _SEPARATORS.split(info) if one]
    marker = f"```{info}"[:_SHOWN]
    if any(_EDITION.fullmatch(one) is None and one != _COMPILED for one in words):
        return NOT_COLLECTED, marker
    if "no_run" in words and _CHECKS.search(code) is not None:
        return NOT_COLLECTED, marker
    return (EXPECTED_FAIL, f"{marker}, which is strict") if "should_panic" in words else (RUNS, "")
