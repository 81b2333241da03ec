"""What tests share, and values that come about by themselves, each beside the honest change that looks like it."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN

Files = dict[str, str]


def judged(base: Files, head: Files) -> set[str]:
    sides = ({path: text.encode() for path, text in one.items()} for one in (base, head))
    return {one.severity for one in judge_files(*sides).findings}


CORE = {"app.py": "def f(x):\n    return x + 1\n"}
CALLS = "import app\nfrom .utils import assert_near, assert_same, names\n"
USER = f"{CALLS}def test_a():\n    assert_near(app.f(1), 2)\n    assert_same(app.f(1), 2)\n"


def shared(text: str, **others: str) -> Files:
    """A project whose tests share a file, with other files by their names with `__` for `/`."""
    more = {name.replace("__", "/") + ".py": text for name, text in others.items()}
    return CORE | {"tests/__init__.py": "", "tests/utils.py": text, "tests/test_a.py": USER} | more


def one(body: str) -> Files:
    text = "".join(f"    {line}\n" for line in body.splitlines())
    return CORE | {"tests/test_a.py": f"import app\ndef test_a(m, rep):\n{text}"}


NEAR = "def assert_near(a, b, within=10):\n    assert abs(a - b) < within\n"
LEAST = "def assert_near(a, b, least=10):\n    assert a.size >= least\n    assert b.size >= least\n"
STRICT = "def assert_same(a, b, strict=True):\n    assert a.eq(b, strict=strict)\n"
SAME = "def assert_same(a, b):\n    if a is b:\n        return\n    assert a.x == b.x\n    assert a.y == b.y\n"
NAMES = 'NAMES = ["a", "b", "c"]\ndef names():\n    return set(NAMES)\n'
YIELDS = "def names():\n    yield 1\n    yield 2\n    yield 3\n"
EQUAL = "assert app.f(1) == 2"
CHECK = f"def check():\n    {EQUAL}\n"
CALLED = "assert m.call_count == 100\nassert rep.ok == 1"
BEGINS = "assert app.f(1).startswith('scrypt:32768:8:1$')\nassert app.f(2) == 3"

INI = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
HOOK = """import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    rep = (yield).get_result()
    if rep.when == "call" and rep.failed:
        rep.outcome = "skipped"
"""


def beside(path: str, text: str) -> Files:
    return CORE | {"tests/test_a.py": USER, path: text}


def configured(names: str) -> Files:
    return beside("pyproject.toml", f"{INI}{names}\n")


ALLOWED: dict[str, tuple[Files, Files]] = {
    "a narrower tolerance by default": (shared(NEAR), shared(NEAR.replace("10", "5"))),
    "a higher least by default": (shared(LEAST), shared(LEAST.replace("=10", "=20"))),
    "another argument with a default": (shared(NEAR), shared(NEAR.replace("within=10", "within=10, msg=''"))),
    "a default of a helper that asserts nothing": (
        shared("def make(size=10):\n    return [0] * size\n"),
        shared("def make(size=10_000):\n    return [0] * size\n"),
    ),
    "a condition of a helper laid out anew": (
        shared(SAME),
        shared(SAME.replace("if a is b", "if (a is b)").replace("assert a.x", "\n    assert a.x")),
    ),
    "a narrower condition of a helper": (shared(SAME.replace("a is b", "a is b or not a")), shared(SAME)),
    "another value in a list": (shared(NAMES), shared(NAMES.replace('"c"', '"d"'))),
    "one more value in a list": (shared(NAMES), shared(NAMES.replace('"c"', '"c", "d"'))),
    "less of what tests leave out": (
        shared('IGNORED = ["a", "b"]\n'),
        shared('IGNORED = ["a"]\n'),
    ),
    "values of what is gone": (
        shared(NAMES) | {"app.py": f"{CORE['app.py']}\ndef c(x):\n    return x\n"},
        shared(NAMES.replace(', "c"', "")),
    ),
    "a function that is called": (one(EQUAL), one(f"{CHECK}check()\nassert check")),
    "a function that is handed on": (one(EQUAL), one(f"{CHECK}m(check)\nassert check")),
    "a value and what stands for it": (
        one("got = m and app.f(1)\nassert got == 2"),
        one("assert (m and app.f(1)) == 2"),
    ),
    "a choice between two calls": (one(EQUAL), one(f"got = app.f(1) if m else app.f(2)\n{EQUAL}\nassert got == 3")),
    "names of files of tests without a gap": (
        configured(""),
        configured('python_files = ["test_[a-m]*.py", "test_[m-z]*.py"]'),
    ),
    "a run of the folder of all tests": (
        beside("Makefile", "test:\n\tpytest\n"),
        beside("Makefile", "test:\n\tpytest tests\n"),
    ),
    "a longer beginning": (one(BEGINS), one(BEGINS.replace("8:1$", "8:1$x"))),
    "a method of a conftest that skips nothing": (
        shared("", tests__conftest="class Client:\n    def get(self, u):\n        return 1\n"),
        shared("", tests__conftest="class Client:\n    def get(self, u):\n        return 2\n"),
    ),
}
WARNED: dict[str, tuple[Files, Files]] = {
    "a slightly wider tolerance by default": (shared(NEAR), shared(NEAR.replace("10", "20"))),
    "a lower least by default": (shared(LEAST), shared(LEAST.replace("=10", "=5"))),
    "a switch of a helper by default": (shared(STRICT), shared(STRICT.replace("=True", "=False"))),
    "another early return of a helper": (
        shared(SAME),
        shared(SAME.replace("    assert a.y", "    if b is not None:\n        return\n    assert a.y")),
    ),
    "an early return of a helper in more cases": (
        shared(SAME),
        shared(SAME.replace("a is b", "a is b or a is not None")),
    ),
    "fewer values for the rows of others": (shared(NAMES), shared(NAMES.replace(', "b", "c"', ""))),
    "fewer values that are returned": (shared(NAMES), shared(NAMES.replace("set(NAMES)", '{"a"}'))),
    "fewer values that are yielded": (shared(YIELDS), shared(YIELDS.replace("    yield 3\n", ""))),
    "fewer values beside an edit of production": (
        shared(NAMES),
        shared(NAMES.replace(', "b", "c"', "")) | {"app.py": CORE["app.py"].replace("x + 1", "1 + x")},
    ),
    "a method that skips": (
        shared("", tests__conftest="import pytest\nclass Client:\n    def get(self, u):\n        return 1\n"),
        shared(
            "",
            tests__conftest="import pytest\nclass Client:\n    def get(self, u):\n        return u and pytest.skip()\n",
        ),
    ),
    "failures of some turned into skips": (
        beside("tests/conftest.py", "import pytest\n"),
        beside("tests/conftest.py", HOOK.replace("rep.failed", "rep.failed and 'net' in item.keywords")),
    ),
    "a run of a part of the tests": (
        beside("Makefile", "test:\n\tpytest\n"),
        beside("Makefile", "test:\n\tpytest tests/unit\n"),
    ),
    "how often at most": (one(CALLED), one(CALLED.replace("== 100", "<= 100"))),
    "the end of a message": (
        one("assert 'HTTPConnectionPool(host=here.example, port=80): Pool is closed.' in str(app.f(1))"),
        one("assert 'Pool is closed.' in str(app.f(1))"),
    ),
    "a shorter beginning": (one(BEGINS), one(BEGINS.replace(":8:1$", ""))),
}
BLOCKED: dict[str, tuple[Files, Files]] = {
    "a far wider tolerance by default": (shared(NEAR), shared(NEAR.replace("10", "100_000"))),
    "names of files of tests with a gap": (
        configured(""),
        configured('python_files = ["test_[a-e]*.py", "test_[g-z]*.py"]'),
    ),
    "failures turned into skips": (beside("tests/conftest.py", "import pytest\n"), beside("tests/conftest.py", HOOK)),
    "hardly any beginning": (one(BEGINS), one(BEGINS.replace("crypt:32768:8:1$", ""))),
    "a function that is only looked at": (one(EQUAL), one(f"{CHECK}assert check")),
    "a function that is asked whether it is there": (one(EQUAL), one(f"{CHECK}assert check is not None")),
    "a function that is asked whether it can be called": (one(EQUAL), one(f"{CHECK}assert callable(check)")),
    "a function with another name": (one(EQUAL), one(f"{CHECK}run = check")),
    "a value behind an `and`": (one(EQUAL), one("got = app.f(1) and 2\nassert got == 2")),
    "a value behind an `and`, in one": (one(EQUAL), one("assert (app.f(1) and 2) == 2")),
    "a value behind a condition": (one(EQUAL), one("got = 2 if app.f(1) else 0\nassert got == 2")),
    "a value in place of what is false": (one(EQUAL), one("got = app.f(1) if m else 2\nassert got == 2")),
    "the second of two": (one(EQUAL), one("got = (app.f(1), 2)[1]\nassert got == 2")),
    "the larger of two": (one(EQUAL), one("got = max(app.f(1), 2)\nassert got == 2")),
}


@pytest.mark.parametrize(("base", "head"), ALLOWED.values(), ids=ALLOWED)
def test_what_asks_as_much_is_allowed(base: Files, head: Files) -> None:
    assert {BLOCK, WARN}.isdisjoint(judged(base, head))


@pytest.mark.parametrize(("base", "head"), WARNED.values(), ids=WARNED)
def test_what_may_ask_less_warns(base: Files, head: Files) -> None:
    assert {WARN} == judged(base, head)


@pytest.mark.parametrize(("base", "head"), BLOCKED.values(), ids=BLOCKED)
def test_what_asks_nothing_any_more_blocks(base: Files, head: Files) -> None:
    assert {BLOCK} == judged(base, head)
