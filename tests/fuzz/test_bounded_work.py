"""What takes more work than a file of its size is given is refused and told; no test here looks at a clock."""

from __future__ import annotations

import pytest

from agentgate_git.flows.change_sets.read_facts import MAX_SETTINGS, read_facts
from agentgate_git.flows.scan import judge_files
from agentgate_git.model.code import NOT_JUDGED
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.source.languages.garbage import (
    MAX_ANGLES,
    MAX_DART_WORDS_IN_A_ROW,
    MAX_OPEN,
    MAX_WORDS_IN_A_ROW,
    garbage,
)
from agentgate_git.source.languages.grammars import grammar
from agentgate_git.source.languages.running import MAX_RUNNING
from agentgate_git.source.languages.silences import MAX_SILENCES
from agentgate_git.source.languages.syntax import FREE_ITEMS
from agentgate_git.source.languages.trials import FIRST, beginnings, is_garbage
from agentgate_git.source.python.places import MAX_ASSERTIONS
from agentgate_git.source.python.source import FREE_PARTS, overwork
from agentgate_git.wire.config_tree import MAX_BYTES

SUITE = "tests/test_a.py"
TEST = b"def test_a():\n    assert total([1]) == 1\n"
JAVASCRIPT = b"test('a', () => { expect(f(1)).toBe(1) })\n"
HELPER = b"def check(x):\n" + b"    assert x\n" * 300
CHAIN = b"test('a', () => { expect(x)" + b".a()" * 60 + b" })\n"


def scripts(count: int) -> bytes:
    return b'{"scripts": {' + b",".join(b'"s%d": "jest"' % at for at in range(count)) + b"}}"


def spaced(count: int) -> bytes:
    """Tests as densely as people write them."""
    return b"".join(b"def test_%d():\n    assert total([1]) == 1\n\n\n%s\n" % (at, b"#" * 90) for at in range(count))


def nested(count: int, inner: str) -> str:
    """`if` within `if`, and a statement in the last."""
    return "".join(f"{' ' * at}if a{at}:\n" for at in range(1, count)) + " " * count + inner + "\n"


def branches(count: int, inner: str) -> bytes:
    """An `elif` after another, and a statement in the last."""
    listed = "".join(f"    elif x == {at}:\n        y = {at}\n" for at in range(1, count))
    return f"import os\ndef f(x):\n    if x == 0:\n        y = 0\n{listed}        {inner}\n".encode()


def skips(count: int, tests: int) -> bytes:
    """Tests of one helper that skips on so many conditions."""
    helper = "".join(f"    if a{at}:\n        pytest.skip()\n" for at in range(count))
    listed = "".join(f"def test_{at}():\n    h()\n    assert f({at}) == {at}\n" for at in range(tests))
    return f"import pytest\ndef h():\n{helper}{listed}".encode()


def doubled(names: int) -> bytes:
    """Names that each stand for the one before eight times."""
    listed = "".join(f"    v{at} = {' + '.join([f'v{at - 1}'] * 8)}\n" for at in range(1, names))
    return f"def test_a():\n    v0 = 1\n{listed}    assert v{names - 1} == f()\n".encode()


READ = {
    "as many assertions as are read": (SUITE, b"def test_a():\n" + b"    assert f() == 1\n" * MAX_ASSERTIONS),
    "a large literal of text": (SUITE, b"ROWS = [\n" + b"    'some words of text',\n" * 9_000 + b"]\n" + TEST),
    "a long comment": (SUITE, b"# words and words and words\n" * 9_000 + TEST),
    "many ordinary tests": (SUITE, spaced(1_500)),
    "a name bound again and again": (SUITE, b"def test_a():\n" + b"    f = g(1)\n    assert f.a() == f.b()\n" * 450),
    "many classes that inherit a test": (
        SUITE,
        b"class TestA:\n    def test_a(self):\n        assert f()\n"
        + b"".join(b"class Test%d(TestA):\n    pass\n" % at for at in range(300)),
    ),
    "many comments that silence": ("src/app.py", b"x = 1  # noqa\n" * MAX_SILENCES),
    "many settings": ("package.json", scripts(MAX_SETTINGS // 2)),
    "many tests of a helper that skips": (SUITE, skips(3, 300)),
    "names that stand for one another": (SUITE, doubled(40)),
    "a long elif": ("src/app.py", branches(150, "os._exit(0)")),
    "some nesting": ("src/app.py", f"import os\ndef f():\n{nested(20, 'os._exit(0)')}".encode()),
    "many tests of another language": ("a.test.js", JAVASCRIPT * 600),
}


@pytest.mark.parametrize(("path", "data"), READ.values(), ids=READ)
def test_what_people_write_is_read(path: str, data: bytes) -> None:
    facts = read_facts(path, data)
    assert ("", "") == (facts.tests.problem, facts.problem)


REFUSED = {
    "too many assertions": (SUITE, b"def test_a():\n" + b"    assert f() == 1\n" * (MAX_ASSERTIONS + 1)),
    "too many assertions of a helper": (SUITE, HELPER + b"def test_a():\n" + b"    check(1)\n" * 4),
    "too many assertions of set-ups": (
        SUITE,
        b"class TestA:\n    def setup_method(self):\n"
        + b"        assert f()\n" * MAX_ASSERTIONS
        # its own assertion is one too many
        + b"    def test_a(self):\n        assert f()\n",
    ),
    "tests of one helper": (SUITE, HELPER + b"".join(b"def test_%d():\n    check(1)\n" % at for at in range(600))),
    "dense tests": (SUITE, b"".join(b"def test_%d():assert f(1)==1\n" % at for at in range(6_000))),
    "dense code in strings that are code": (SUITE, b"x = f'" + b"{f(a)}{g(b)}" * 8_000 + b"'\n" + TEST),
    "brackets": (SUITE, b"x = [" + b"[]," * 50_000 + b"]\n" + TEST),
    "classes that inherit many tests": (
        SUITE,
        b"class A:\n"
        + b"".join(b"    def test_%d(self):\n        assert self.f()\n" % at for at in range(100))
        + b"".join(b"class Test%d(A):\n    def f(self): pass\n" % at for at in range(300)),
    ),
    "tests of a helper that skips in many cases": (SUITE, skips(300, 400)),
    "statements nested very deeply": ("src/app.py", f"import os\ndef f():\n{nested(45, 'os._exit(0)')}".encode()),
    "a hook nested deeply": (
        "tests/conftest.py",
        f"def pytest_collection_modifyitems(items):\n{nested(25, 'items[:] = []')}".encode(),
    ),
    "too many comments that silence": ("src/app.py", b"x = 1  # noqa\n" * (MAX_SILENCES + 1)),
    "too many comments of a test": ("a.test.js", b"// eslint-disable-next-line\n" * (MAX_SILENCES + 1) + JAVASCRIPT),
    "too many comments of other production": ("src/a.js", b"// eslint-disable-line\n" * (MAX_SILENCES + 1)),
    "too many doctests in one text": ("src/app.py", b'"""\n' + b">>> f()\n1\n" * 2_000 + b'"""\n'),
    "too many settings": ("package.json", scripts(MAX_SETTINGS + 1)),
    "a large configuration": ("package.json", b'{"a": "' + b"x" * MAX_BYTES + b'"}'),
    "targets and variables": ("Makefile", b"".join(b"A%d = 1\nt%d:\n\tpytest\n" % (at, at) for at in range(700))),
    "too many items": ("a.test.js", JAVASCRIPT * (FREE_ITEMS // 2)),
    "assertions of another language": (
        "a.test.js",
        b"test('a', () => {\n" + b"expect(f()).toBe(1);\n" * 1_001 + b"});\n",
    ),
    "chains of calls": ("a.test.js", CHAIN * 100),
    "open brackets": ("a_test.dart", b"[" * (MAX_OPEN + 1)),
    "open angles": ("ATests.cs", b"a<" * (MAX_ANGLES + 1)),
    "words in a row": ("src/test/java/ATest.java", b"a " * (MAX_WORDS_IN_A_ROW + 1)),
    "words of Dart in a row": ("a_test.dart", b"a " * (MAX_DART_WORDS_IN_A_ROW + 1)),
    "quotes": ("ATests.cs", b"\"'" * 3_000),
    "brackets that nothing opens": ("a.test.js", b"a ] " * (MAX_OPEN + 1)),
    "no words": ("a.spec.ts", b"a '.' / + " * 2_500),
    "no syntax": ("a.spec.ts", b"a'.' " * (FIRST // 4)),
    "no syntax behind much that is": ("a.spec.ts", b"f(a.b, [1, 2]);\n" * (FIRST // 14) + b"a'.' " * (FIRST // 4)),
    "a parser that goes back": ("ATest.kt", b"import a.b\nclass A { fun b() { c(1) } }\n" * 500),
    "the second of them, in the same process": ("ATest.kt", b"import a.b\nclass B { fun b() { c(1) } }\n" * 500),
}


@pytest.mark.parametrize(("path", "data"), REFUSED.values(), ids=REFUSED)
def test_what_takes_too_much_work_is_told_and_never_skipped(path: str, data: bytes) -> None:
    facts = read_facts(path, data)
    assert facts.tests.problem or facts.problem
    found = judge_files({}, {path: data}).findings
    assert NOT_JUDGED in {one.code for one in found if one.severity in (BLOCK, WARN)}


@pytest.mark.parametrize(
    ("path", "base", "head"),
    [
        ("package.json", scripts(MAX_SETTINGS + 1), scripts(3)),
        ("src/app.py", b"x = 1  # noqa\n" * (MAX_SILENCES + 1), b"x = 1\n"),
        (SUITE, b"def test_a():\n" + b"    assert f()\n" * (MAX_ASSERTIONS + 1), TEST),
    ],
    ids=["settings", "production", "tests"],
)
def test_a_base_that_could_not_be_read_is_told_and_may_be_repaired(path: str, base: bytes, head: bytes) -> None:
    found = judge_files({path: base}, {path: head}).findings
    assert [WARN] == [one.severity for one in found if one.code == NOT_JUDGED]


def table(rows: int) -> bytes:
    listed = "".join(f"    ({at}, {at + 1}),\n" for at in range(rows))
    given = f"@pytest.mark.parametrize('a, b', [\n{listed}])"
    return f"import pytest\n{given}\ndef test_a(a, b):\n    assert f(a) == b\n".encode()


def marks(marker: str) -> bytes:
    names = "".join(f"name_{at} = {at}\n" for at in range(300))
    return f"import pytest\n{names}slow = pytest.mark.{marker}\n".encode()


def asks(count: int) -> bytes:
    return b"if (process.env.JEST_WORKER_ID) { f(); }\n" * count


TAKES = b"from tests.marks import slow\n@slow\ndef test_a():\n    assert f() == 1\n"


def table_of_names(last: str) -> bytes:
    names = "".join(f"    'NAME_{at}',\n" for at in range(300))
    return f"import os\nNAMES = [\n{names}    '{last}',\n]\nFOUND = [os.environ.get(one) for one in NAMES]\n".encode()


LONG_COMMENT = b"x = 1  # pylint: disable=" + b",".join(b"code-%d" % at for at in range(40))
LONG_LINE = b"f(%s);" % (b"1," * 3_000)
FAR_ON = {
    "rows": ("E_ASSERT_WEAKENED", {SUITE: table(400)}, {SUITE: table(300)}),
    "names that others take": (
        "E_SKIP_MARKER",
        {SUITE: TAKES, "tests/marks.py": marks("slow")},
        {SUITE: TAKES, "tests/marks.py": marks("skip")},
    ),
    "a question in a long line": ("E_SPECIAL_CASED", {"src/a.js": LONG_LINE}, {"src/a.js": LONG_LINE + asks(1)}),
    "a name in a long table": (
        "E_SPECIAL_CASED",
        {"src/app.py": table_of_names("NAME")},
        {"src/app.py": table_of_names("PYTEST_CURRENT_TEST")},
    ),
    "the last of many branches": (
        "E_SPECIAL_CASED",
        {"src/app.py": branches(60, "pass")},
        {"src/app.py": branches(60, "return 'PYTEST_CURRENT_TEST' in os.environ")},
    ),
    "the end of a long comment": (
        "E_CHECK_SILENCED",
        {"src/app.py": LONG_COMMENT + b"\n"},
        {"src/app.py": LONG_COMMENT + b",all-else\n"},
    ),
    "the end of a line that is run at the start": (
        "E_HARNESS_TAMPERED",
        {"src/a.pth": b"import a; " + b"f(); " * 40 + b"\n"},
        {"src/a.pth": b"import a; " + b"f(); " * 40 + b"g()\n"},
    ),
    "too many questions": (NOT_JUDGED, {"src/a.js": asks(1)}, {"src/a.js": asks(MAX_RUNNING + 1)}),
}


@pytest.mark.parametrize(("code", "base", "head"), FAR_ON.values(), ids=FAR_ON)
def test_what_stands_far_on_is_seen_or_told(code: str, base: dict[str, bytes], head: dict[str, bytes]) -> None:
    assert code in {one.code for one in judge_files(base, head).findings}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("javascript", b"const rows = [\n" + b"  [1, 2, [3]],\n" * 20_000 + b"];\n"),
        (
            "javascript",
            b"describe('a', () => {\n" + b"  it('b', () => { expect(f({ a: 1 })).toBe(2) });\n" * 6_000 + b"});\n",
        ),
        ("cpp", b"namespace a {\n" + b"TEST(A, B) { EXPECT_EQ(f(1), (2)); }\n" * 8_000 + b"}\n"),
    ],
    ids=["one table", "one suite", "one namespace"],
)
def test_the_beginning_of_source_is_no_garbage(name: str, data: bytes) -> None:
    loaded = grammar(name, name)
    assert loaded is not None
    trials = [(known, part, loaded.parser.parse(part).root_node) for known, part in beginnings(data)]
    assert len(trials) > 1
    assert [False] * len(trials) == [is_garbage(root, known, len(part)) for known, part, root in trials]


def test_words_of_strings_and_comments_are_no_work() -> None:
    words = b"w " * (2 * FREE_PARTS)
    assert "" == overwork(b"# " + words + b"\nX = '" + words + b"'\n", is_test=True)
    assert "words and brackets" in overwork(words, is_test=True)


@pytest.mark.parametrize(
    "data",
    [
        b"for (int i = 0; i < n; i++) { f(a < b); }\n" * 500,
        b"f([" * 100 + b"])" * 100,
        b"x = ['', '', ''];\n" * 500,
        b"  ['a', '1'], ['\xc3\xa4', 'ae'], [-1, +2],\n" * 500,
        b"switch (a) { case 1): b() }\n" * 500,
        b"// words and words, as people write them in a comment of some lines\n" * 100,
    ],
    ids=["comparisons", "nesting", "empty texts", "tables", "closed once too often", "prose"],
)
def test_source_is_no_garbage(data: bytes) -> None:
    assert "" == garbage("dart", data)
