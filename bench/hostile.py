"""Seconds for each megabyte of files that are made to be slow to read, against the two seconds that one may take."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agentgate_git.flows.scan import judge_files
from bench.harness import Ratio, timed

LIMIT = 2.0
_MEGABYTE = 1_000_000
_SUITE = "tests/test_a.py"


def run(_scratch: Path, _rounds: int) -> list[Ratio]:
    """The slowest shape of each kind of file, changed in its last line and judged once each way."""
    worst: dict[str, tuple[float, str]] = {}
    for kind, shape, path, data in shapes():
        seconds = max(_judged({path: data}, {path: data + b"\n"}), _judged({}, {path: data}))
        worst[kind] = max(worst.get(kind, (0.0, "")), (seconds * _MEGABYTE / len(data), shape))
    return [
        Ratio(f"hostile {kind} of 1 MB, slowest: {shape}", seconds, "two seconds", LIMIT, 1.0)
        for kind, (seconds, shape) in worst.items()
    ]


def _judged(old: dict[str, bytes], new: dict[str, bytes]) -> float:
    return timed(lambda: judge_files(old, new))


def shapes() -> Iterator[tuple[str, str, str, bytes]]:
    """(kind of file, name of the shape, path, about a megabyte of bytes)."""
    for name, head, part, tail in _python():
        yield "Python", name, _SUITE, _filled(head, part, tail)
    for name, path, head, part, tail in _settings():
        yield "configuration", name, path, _filled(head, part, tail)
    for name, path, head, part, tail in _others():
        yield "other languages", name, path, _filled(head, part, tail)


def _filled(head: str, part: str, tail: str) -> bytes:
    count = (_MEGABYTE - len(head) - len(tail)) // len(part)
    return (head + "".join(part.replace("%d", str(n)) if "%d" in part else part for n in range(count)) + tail).encode()


def _python() -> Iterator[tuple[str, str, str, str]]:
    test = "def test_%d():\n    assert total([%d]) == %d\n"
    yield "many tests", "", test, ""
    yield "many tests with decorators", "import pytest\n", "@pytest.mark.a\n@pytest.mark.b(%d)\n" + test, ""
    yield "one long test", "def test_a():\n", "    assert f(%d) == %d\n", ""
    yield "one test with many names", "def test_a():\n", "    v%d = f(%d)\n    assert v%d\n", ""
    yield "one name bound again and again", "def test_a():\n", "    v = f(v)\n    assert v\n", ""
    yield "helpers that call helpers", "def h(x):\n    assert x\n", "def h%d(x):\n    h(x)\n    h%d(x)\n", test
    yield "nested calls", "def test_a():\n    assert ", "f(", "1"
    yield "nested parentheses", "def test_a():\n    assert ", "(", "1"
    yield "a long sum", "def test_a():\n    assert 0", " + x", " == 1\n"
    yield "a long chain of attributes", "def test_a():\n    assert x", ".a", "\n"
    yield "a long chain of comparisons", "def test_a():\n    assert x", " < y", "\n"
    yield "a long chain of and", "def test_a():\n    assert x == 1", " and x == 2", "\n"
    yield "a long elif", "def test_a():\n    if x == 0:\n        pass\n", "    elif x == %d:\n        skip()\n", ""
    yield "many names for one name", "import pytest\na0 = pytest.mark.skip\n", "a = a0\na0 = a\n", test
    yield "a large literal", "import pytest\n@pytest.mark.parametrize('x', [\n", "(%d, 'a'),\n", "])\n" + test
    yield "many classes in a row", "class TestA:\n    pass\n", "class Test%d(TestA):\n    def test(self): pass\n", ""
    yield "classes with many bases", "", "class B%d: pass\n", "class TestA(B1, B2): pass\n"
    yield "empty lines", "", "\n", ""
    yield "comments", "", "# type: ignore\n", ""
    yield "one long string", "X = '", "a", "'\n"
    yield "open brackets", "", "[", ""
    yield "open quotes", "", "'''", ""
    yield "backslashes", "x = 1", " + \\\n1", "\n"
    yield "f-strings", "def test_a():\n", "    assert f'{x:{y}}' == f'{x!r}'\n", ""
    yield "nul bytes", "", "\0", ""
    yield "many doctests", 'def f():\n    """\n', "    >>> f(%d)\n    %d\n", '    """\n'
    yield "many statements", "def test_a():\n", "    pass\n", ""


def _settings() -> Iterator[tuple[str, str, str, str, str]]:
    ci = ".github/workflows/ci.yml"
    yield "many TOML keys", "pyproject.toml", "[tool.pytest.ini_options]\n", "k%d = 'x'\n", ""
    yield "deep TOML", "pyproject.toml", "a = ", "[", ""
    yield "a long TOML key", "pyproject.toml", "a", ".a", " = 1\n"
    yield "many INI keys", "tox.ini", "[pytest]\n", "k%d = x\n", ""
    yield "a long addopts", "tox.ini", "[pytest]\naddopts =", " -k x%d", "\n"
    yield "many sections", "setup.cfg", "", "[s%d]\nk = v\n", ""
    yield "deep JSON", "package.json", "", "[", ""
    yield "many scripts", "package.json", '{"scripts": {', '"s%d": "jest || true",\n', '"t": "x"}}'
    yield "many steps", ci, "jobs:\n  t:\n    steps:\n", "      - run: pytest || true\n", ""
    yield "many jobs", ci, "jobs:\n", "  j%d:\n    steps: [{run: pytest}]\n", ""
    yield "deep YAML", ci, "a: ", "[", ""
    yield "deep YAML by indentation", ci, "a: ", "{a: ", ""
    yield "aliases", ci, "a: &a [x]\n", "b%d: &b%d [*a, *a, *a]\n", ""
    yield "a long script", "ci/test.sh", "set -e\n", "pytest -k x%d || true\n", ""
    yield "open quotes", "ci/test.sh", "pytest ", "'", ""
    yield "command substitution", "ci/test.sh", "", "$(", ""
    yield "many targets", "Makefile", "", "t%d:\n\t-pytest\n", ""
    yield "deep XML", "pom.xml", "", "<a>", ""
    yield "many elements", "pom.xml", "<project>", "<a><b>c</b></a>", "</project>"


def _others() -> Iterator[tuple[str, str, str, str, str]]:
    yield "many tests", "a.test.js", "", "test('t%d', () => { expect(f(%d)).toBe(%d); });\n", ""
    yield "nested describe", "a.test.js", "", "describe('d', () => {", ""
    yield "a long chain", "a.test.js", "expect(x)", ".a", "\n"
    yield "open brackets", "a.test.js", "", "[", ""
    yield "many tests", "a_test.go", "package a\n", "func Test%d(t *testing.T) { t.Skip() }\n", ""
    yield "many tests", "src/lib.rs", "", "#[test]\n#[ignore]\nfn t%d() { assert_eq!(f(), %d); }\n", ""
    yield (
        "many tests",
        "src/test/java/ATest.java",
        "class ATest {\n",
        "@Test void t%d() { assertEquals(1, f()); }\n",
        "}",
    )
    yield "many examples", "a_spec.rb", "", "it('t%d') { expect(f).to eq(%d) }\n", ""
    yield "open braces", "ATest.kt", "", "{", ""
    yield "angle brackets", "a_test.cpp", "", "a<", ""
