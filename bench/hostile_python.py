"""Python that is made to be slow to read: name of the shape, head, part that is repeated, tail."""

from __future__ import annotations

from collections.abc import Iterator

_TEST = "def test_%d():\n    assert total([%d]) == %d\n"

# What is read of a harness and of production too.
ELSEWHERE = frozenset(
    (
        "many tests",
        "one long test",
        "helpers that call helpers",
        "many exits",
        "many fixtures",
        "nested calls",
        "a long chain of and",
        "many patches",
        "many names for one name",
        "a large literal",
        "many doctests",
        "many classes in a row",
        "comments",
        "many silences",
        "one name bound again and again",
        "a long sum",
        "lambdas",
        "a hook of many returns",
        "a long elif of exits",
        "exits under one large condition",
        "a list of tests in a hook",
        "code that asks whether it is tested",
        "answers for single values",
    )
)


def python_shapes() -> Iterator[tuple[str, str, str, str]]:
    """Every shape of Python."""
    yield from _python()
    yield from _python_tests()
    yield from _python_depth()
    yield from _python_helpers()
    yield from _python_skips()
    yield from _python_conditions()
    yield from _python_choices()


def _python() -> Iterator[tuple[str, str, str, str]]:
    yield "one long string", "X = '", "a", "'\n"
    yield "many strings", "X = [\n", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',\n", "]\n"
    yield "open brackets", "", "[", ""
    yield "open quotes", "", "'''", ""
    yield "backslashes", "x = 1", " + \\\n1", "\n"
    yield "nul bytes", "", "\0", ""
    yield "empty lines", "", "\n", ""
    yield "comments", "", "# type: ignore\n", ""
    yield "many silences", "", "x = 1  # noqa: E501\n", ""
    yield "many statements", "def test_a():\n", "    pass\n", ""
    yield "many names for one name", "import pytest\na0 = pytest.mark.skip\n", "a = a0\na0 = a\n", _TEST
    yield "a large literal", "import pytest\n@pytest.mark.parametrize('x', [\n", "(%d, 'a'),\n", "])\n" + _TEST
    yield "a large dictionary", "X = {\n", "    'k%d': [%d, {'a': %d}],\n", "}\n" + _TEST
    yield (
        "a large dictionary in a test",
        "def test_a():\n    x = {\n",
        "    'k%d': [%d],\n",
        "    }\n    assert x == {}\n",
    )
    yield "many imports", "", "import a%d\n", _TEST
    yield "many doctests", 'def f():\n    """\n', "    >>> f(%d)\n    %d\n", '    """\n'
    yield "many functions with doctests", "", 'def f%d():\n    """\n    >>> f(%d)\n    %d\n    """\n', ""
    yield "many exits", "import os\n", "def f%d():\n    os._exit(%d)\n", ""
    yield "many patches", "from unittest import mock\n", "@mock.patch('a.b%d')\ndef test_%d(x):\n    assert x\n", ""
    yield "module statements", "", "f(%d)\n", ""
    yield "module assignments", "", "v%d = f(%d)\n", ""


def _python_tests() -> Iterator[tuple[str, str, str, str]]:
    yield "many tests", "", _TEST, ""
    yield "many short tests", "", "def test_%d():pass\n", ""
    yield "many methods", "class TestA:\n", "    def test_%d(self):\n        assert f(%d) == %d\n", ""
    yield (
        "many unittest methods",
        "import unittest\nclass A(unittest.TestCase):\n",
        "  def test_%d(self):\n   self.assertEqual(f(%d), %d)\n",
        "",
    )
    yield "many tests with decorators", "import pytest\n", "@pytest.mark.a\n@pytest.mark.b(%d)\n" + _TEST, ""
    yield "many decorators", "import pytest\n", "@pytest.mark.a\n", _TEST
    yield "many parametrize rows", "import pytest\n", "@pytest.mark.parametrize('a', [1,2,3])\n" + _TEST, ""
    yield "tests of 400 assertions", "", "def test_%d():\n" + "    assert f(1) == 2\n" * 390, ""
    yield (
        "tests of 50 assertions",
        "",
        "def test_%d():\n" + "".join(f"    assert f({n}) == g({n})\n" for n in range(50)),
        "",
    )
    yield "one long test", "def test_a():\n", "    assert f(%d) == %d\n", ""
    yield "one test with many names", "def test_a():\n", "    v%d = f(%d)\n    assert v%d\n", ""
    yield "one name bound again and again", "def test_a():\n", "    v = f(v)\n    assert v\n", ""
    yield "names in tests", "", "def test_%d():\n    a = f(1)\n    b = g(a)\n    assert a == b\n", ""
    yield "short names", "", "def test_%d():\n a=b=c=d=e=1;a<b;c<d;e<a\n", ""
    yield "tests that raise", "import pytest\n", "def test_%d():\n with pytest.raises(E): f(%d)\n", ""
    yield "tests that skip", "import pytest\n", "@pytest.mark.skipif(x, reason='a')\n" + _TEST, ""
    yield "tests with if", "", "def test_%d():\n if a:\n  return\n assert f(%d) == 1\n", ""
    yield "tests with try", "", "def test_%d():\n try:\n  assert f(%d)\n except E:\n  pass\n", ""
    yield "tests with loops", "", "def test_%d():\n for x in y:\n  assert f(x) == %d\n", ""
    yield "subtests", "", "def test_%d(self):\n with self.subTest(a=%d):\n  self.assertEqual(1, f())\n", ""
    yield "mocks", "", "def test_%d(m):\n m.f.assert_called_once_with(%d, a=1)\n", ""
    yield "f-strings", "def test_a():\n", "    assert f'{x:{y}}' == f'{x!r}'\n", ""
    yield "f-strings in tests", "", "def test_%d():\n  assert f'{x:{y}}{%d}' == f'{x!r}'\n", ""
    yield "lambdas", "", "def test_%d():\n  assert (lambda a: lambda b: a(b))(f)(%d)\n", ""
    yield "comprehensions", "", "def test_%d():\n  assert [x for y in z for x in y if x == %d] == [a for a in b]\n", ""
    yield "all and any", "", "def test_%d():\n  assert all(x == %d for x in y) and any(x for x in z)\n", ""
    yield "calls with many arguments", "", "def test_%d():\n  assert f(" + "a," * 100 + ") == 1\n", ""
    yield "tests of one text", "", "def test_%d():\n  assert f(1) == 1\n", ""
    yield "one test again and again", "", "def test_a():\n  assert f(1) == 1\n", ""


def _python_depth() -> Iterator[tuple[str, str, str, str]]:
    yield "nested calls", "def test_a():\n    assert ", "f(", "1"
    deep = "f(" * 60 + "1" + ")" * 60
    yield "nested calls in tests", "", f"def test_%d():\n    assert {deep} == 1\n", ""
    yield "nested lists in tests", "", "def test_%d():\n    assert " + "[" * 60 + "1" + "]" * 60 + " == 1\n", ""
    yield "nested comprehensions", "", "def test_%d():\n    assert " + "[" * 20 + "a" + " for a in a]" * 20 + "\n", ""
    yield "nested lambdas", "", "def test_%d():\n    assert " + "lambda a: " * 60 + "a\n", ""
    yield "nested conditions", "", "def test_%d():\n    assert " + "a if b else " * 60 + "c\n", ""
    yield "nested not", "", "def test_%d():\n    assert " + "not " * 80 + "c\n", ""
    yield "nested f-strings", "", "def test_%d():\n    assert f'{f\"{f(1)}\"}' == f'{f\"{f(2)}\"}'\n", ""
    blocks = "".join(" " * (n + 1) + f"if a{n}:\n" for n in range(18)) + " " * 19 + "assert f() == 1\n"
    yield "nested blocks", "", "def test_%d():\n" + blocks, ""
    withs = "".join(" " * (n + 1) + f"with a{n}():\n" for n in range(18)) + " " * 19 + "assert f() == 1\n"
    yield "nested with", "", "def test_%d():\n" + withs, ""
    tries = "".join(" " * (n + 1) + "try:\n" for n in range(18)) + " " * 19 + "assert f() == 1\n"
    yield (
        "nested try",
        "",
        "def test_%d():\n" + tries + "".join(" " * n + "except E: pass\n" for n in range(18, 0, -1)),
        "",
    )
    functions = "".join(" " * n + f"def f{n}():\n" for n in range(1, 19)) + " " * 19 + "assert f() == 1\n"
    yield "nested functions", "", "def test_%d():\n" + functions, ""
    called = "".join(" " * n + f"def f{n}():\n" for n in range(1, 19)) + " " * 19 + "assert g() == 1\n"
    called += "".join(" " * n + f"f{n}()\n" for n in range(18, 0, -1))
    yield "nested functions that are called", "", "def test_%d():\n" + called, ""
    classes = "".join(" " * n + f"class Test{n}:\n" for n in range(18)) + " " * 19 + "def test(self): assert f() == 1\n"
    yield "nested classes", "", classes.replace("Test0", "Test%d"), ""
    yield "nested parentheses", "def test_a():\n    assert ", "(", "1"
    yield "a long sum", "def test_a():\n    assert 0", " + x", " == 1\n"
    yield "sums in tests", "", "def test_%d():\n    assert 0" + " + x" * 80 + " == 1\n", ""
    yield "chains of attributes in tests", "", "def test_%d():\n    assert x" + ".a" * 80 + "\n", ""
    yield "chains of calls in tests", "", "def test_%d():\n    x" + ".a()" * 80 + "\n", ""
    yield "chains of subscripts in tests", "", "def test_%d():\n    assert x" + "[0]" * 80 + "\n", ""
    yield "a long chain of attributes", "def test_a():\n    assert x", ".a", "\n"
    yield "a long chain of comparisons", "def test_a():\n    assert x", " < y", "\n"
    yield "a long chain of and", "def test_a():\n    assert x == 1", " and x == 2", "\n"
    yield "chains of and in tests", "", "def test_%d():\n    assert x == 1" + " and x == 2" * 60 + "\n", ""
    yield "chains of or in tests", "", "def test_%d():\n    assert x == 1" + " or x == 2" * 60 + "\n", ""
    yield (
        "conditions of or",
        "",
        "def test_%d():\n    if x == 1" + " or x == 2" * 60 + ": return\n    assert f() == 1\n",
        "",
    )
    yield "a long elif", "def test_a():\n    if x == 0:\n        pass\n", "    elif x == %d:\n        skip()\n", ""


def _python_helpers() -> Iterator[tuple[str, str, str, str]]:
    yield "helpers that call helpers", "def h(x):\n    assert x\n", "def h%d(x):\n    h(x)\n    h%d(x)\n", _TEST
    yield "tests that call one helper", "def h(x):\n" + "    assert x\n" * 300, "def test_%d():\n    h(%d)\n", ""
    yield "calls of one helper", "def h(x):\n    assert x\n    assert x == 1\ndef test_a():\n", "    h(%d)\n", ""
    yield (
        "calls of one helper in tests",
        "def h(x):\n    assert x\n",
        "def test_%d():\n    h(1)\n    h(2)\n    h(3)\n",
        "",
    )
    yield "many fixtures", "import pytest\n", "@pytest.fixture\ndef f%d():\n    yield g(%d)\n", ""
    yield (
        "tests with fixtures",
        "import pytest\n",
        "@pytest.fixture\ndef f%d():\n    assert g(%d)\ndef test_%d(f%d): assert f%d\n",
        "",
    )
    yield "many classes in a row", "class TestA:\n    pass\n", "class Test%d(TestA):\n    def test(self): pass\n", ""
    yield (
        "many classes that inherit tests",
        "class A:\n" + "".join(f"    def test_{n}(self):\n        assert self.f({n}) == {n}\n" for n in range(100)),
        "class Test%d(A):\n    def f(self): pass\n",
        "",
    )
    yield (
        "classes that inherit one another",
        "class Test0:\n    def test(self): assert 1\n",
        "class Test%d(Test%d):\n    def test_%d(self): assert f()\n",
        "",
    )
    yield "classes with many bases", "", "class B%d: pass\n", "class TestA(B1, B2): pass\n"
    yield "names of names", "a = 1\n", "a%d = a\n", "def test_a():\n    assert a9\n"
    yield (
        "setUp",
        "",
        "class Test%d:\n  def setUp(self): self.a = f()\n  def test(self): self.assertEqual(self.a, 1)\n",
        "",
    )
    yield "modules of one method", "", "class Test%d:\n  def test(self): assert f() == %d\n", ""


def _python_skips() -> Iterator[tuple[str, str, str, str]]:
    skips = "".join(f"  if a{n}: pytest.skip()\n" for n in range(300))
    many = " or ".join(f"x == {n}" for n in range(1_200))
    marks = "".join(f"pytest.mark.skipif(a{n}),\n" for n in range(100))
    tries = "".join(" " * (n + 1) + "try:\n" for n in range(18)) + " " * 19 + "assert f() == 1\n"
    caught = "".join(" " * n + "except E: pytest.skip()\n" for n in range(18, 0, -1))
    yield "a helper that skips in many cases", f"import pytest\ndef h():\n{skips}", "def test_%d(): h()\n", ""
    yield (
        "a module that skips in many cases",
        "import pytest\n",
        "if a%d: pytest.skip(allow_module_level=True)\n" + _TEST,
        "",
    )
    yield "many marks for many tests", f"import pytest\nm = [{marks}]\n", f"@m\n{_TEST}", ""
    doubled = "  v%d = " + "v * v + v * v\n" + "  v = v%d + v%d + v%d + v%d\n"
    yield "names that stand for many", "def test_a():\n  v = 1\n", doubled + "  assert v == %d\n", ""
    for name, used in (("decorator", "@d\n" + _TEST), ("fixture", "def test_%d(g): assert g == %d\n")):
        made = "@pytest.fixture\ndef g():\n" if name == "fixture" else "def d(f):\n def w():\n"
        ends = "" if name == "fixture" else "  return f()\n return w\n"
        yield f"a {name} that skips in many cases", f"import pytest\n{made}{skips}{ends}", used, ""
    yield "nested try that skip", "import pytest\n", "def test_%d():\n" + tries + caught, ""
    yield (
        "skips under one large condition",
        f"import pytest\ndef test_a():\n  if {many}:\n",
        "   if a%d: pytest.skip()\n",
        "",
    )
    yield "exits under one large condition", f"import os\ndef f():\n  if {many}: return\n", "  os._exit(%d)\n", ""
    yield "a long elif of exits", "import os\ndef f():\n  if a: pass\n", "  elif a%d: os._exit(1)\n", ""
    yield (
        "a hook of many returns",
        "def pytest_collection_modifyitems(items):\n",
        "  if a%d: return\n  items[:] = []\n",
        "",
    )


def _python_conditions() -> Iterator[tuple[str, str, str, str]]:
    """Conditions that many tests stand under, and that are asked what they say about each."""
    head = "import os\nimport pytest\n"
    skip = "pytest.skip('s', allow_module_level=True)\n"
    own = "@pytest.mark.skipif(x%d, reason='a')\n"
    yield "a module that asks for many variables", head, f"if os.environ.get('A%d') == x%d: {skip}" + _TEST, ""
    yield "a module that asks whether variables are set", head, f"if not os.environ.get('A%d'): {skip}" + _TEST, ""
    yield (
        "tests that ask for variables",
        head,
        "@pytest.mark.skipif(not os.environ.get('A%d'), reason='a')\n" + _TEST,
        "",
    )
    yield "conditions of a module and of tests", head, f"if os.environ.get('A%d') == x: {skip}" + own + _TEST, ""
    yield "conditions that name tests", head, f"if item.name == 'test_%d': {skip}" + _TEST, ""
    row = "@pytest.mark.parametrize('a', ['ab%d', 'c'])\ndef test_%d(a):\n    assert f(a) == %d\n"
    yield "conditions on values of rows", head, f"if v == 'ab%d': {skip}" + row, ""
    marked = "".join(f"pytest.param({n}, marks=pytest.mark.skip), " for n in range(200))
    used = "@pytest.mark.parametrize('a', R)\ndef test_%d(a):\n    assert f(a) == %d\n"
    yield "tests that share stopped rows", f"{head}R = [{marked}]\n", used, ""


def _python_choices() -> Iterator[tuple[str, str, str, str]]:
    """What chooses among tests, and code that knows that it is tested."""
    hook = "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if i.name not in SKIPPED]\n"
    yield "a list of tests in a hook", "SKIPPED = [\n", "'test_a%d',\n", f"]\n{hook}"
    yield "suites", "def load_tests(loader, tests, pattern):\n", "    suite.addTest(A('test_%d'))\n", ""
    yield "code that asks whether it is tested", "import os\n", "if 'PYTEST_CURRENT_TEST' in os.environ: x%d = 1\n", ""
    yield "answers for single values", "def f(x):\n", "    if x == %d: return %d\n", "    return x\n"
    yield (
        "tests of listed rows",
        "R = [\n",
        "(%d, 1),\n",
        "]\ndef test_a():\n    for a, b in R:\n        assert f(a) == b\n",
    )
