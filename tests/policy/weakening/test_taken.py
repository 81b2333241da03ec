"""Marks, helpers and base classes of other files, names that a project configured, variables nobody sets."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.code import SKIP_MARKER
from agentgate_git.model.finding import BLOCK, WARN

Files = dict[str, str]

MARKS = (
    "import pytest\n"
    "slow = pytest.mark.slow\n"
    "broken = pytest.mark.skip(reason='x')\n"
    "on_windows = pytest.mark.skipif('sys.platform == \"win32\"')\n"
    "def need_db():\n    pytest.skip('no db')\n"
    "def later(test):\n    return pytest.mark.xfail(test)\n"
    "class Off:\n    def setup_method(self):\n        pytest.skip('x')\n"
)
TEST = "def test_a():\n    assert total([1, 2]) == 3\n"
OF_CLASS = "class TestA:\n    def test_a(self):\n        assert total([1, 2]) == 3\n"
IMPORTS = "from app import total\nfrom tests.marks import broken, later, need_db, Off, on_windows, slow\n"
BASE: Files = {
    "tests/marks.py": MARKS,
    "tests/deep/again.py": "from tests.marks import broken as postponed\n",
    "tests/test_a.py": "from app import total\n" + TEST,
    "tests/test_k.py": "from app import total\n" + OF_CLASS,
    "checks/check_a.py": "import pytest\nfrom app import total\n" + TEST,
}
ROWED = (
    "import pytest\n@pytest.mark.parametrize('x', [1, pytest.param(2, marks={})])\n"
    "def test_a(x):\n    assert total([x, 2]) == 3\n"
)
UNLESS = "if not HAS_DB:\n    pytest.skip('no db', allow_module_level=True)\n"
SET_BY_NOBODY = (
    "import os\nimport pytest\nneed_full = pytest.mark.skipif(not os.environ.get('FULL_RUN'), reason='full')\n"
)
GUARD = "import os\nimport pytest\nfrom app import total\n"


def severities(head: Files, base: Files = BASE) -> set[tuple[str, str]]:
    old, new = ({path: text.encode() for path, text in side.items()} for side in (base, {**base, **head}))
    return {(finding.code, finding.severity) for finding in judge_files(old, new).findings}


ALLOWED: dict[str, Files] = {
    "a mark that selects": {"tests/test_a.py": f"{IMPORTS}@slow\n{TEST}"},
    "a condition that never holds here": {"tests/test_a.py": f"{IMPORTS}@on_windows\n{TEST}"},
    "a new test that is put off elsewhere is no old one": {"tests/test_a.py": f"{IMPORTS}{TEST}"},
    "another mark under the same name": {"tests/marks.py": MARKS.replace("mark.slow", "mark.quick")},
    "a helper that is new and skips": {"tests/marks.py": MARKS + "def need_net():\n    pytest.skip('x')\n"},
    "a check under a custom name that gets more": {
        "checks/check_a.py": BASE["checks/check_a.py"] + "    assert total([]) == 0\n"
    },
    "a mark that selects on one row": {"tests/test_a.py": f"{IMPORTS}{ROWED.format('slow')}"},
    "a constant that lets tests run": {
        "tests/flags.py": "HAS_DB = True\n",
        "tests/test_a.py": f"import pytest\nfrom app import total\nfrom tests.flags import HAS_DB\n{UNLESS}{TEST}",
    },
    "a new test behind a shared mark whose variable nothing sets": {
        "tests/env.py": SET_BY_NOBODY,
        "tests/test_new.py": f"from app import total\nfrom tests.env import need_full\n@need_full\n{TEST}",
    },
    "a base class that runs under another locale": {
        "tests/cases.py": (
            "class Base:\n    def run(self, result=None):\n        locale('C')\n        return super().run(result)\n"
        ),
        "tests/test_k.py": f"from tests.cases import Base\n{IMPORTS}{OF_CLASS.replace('TestA', 'TestA(Base)')}",
    },
}
WARNED: dict[str, Files] = {
    "a variable that the pipeline sets": {
        "tests/test_a.py": f"{GUARD}@pytest.mark.skipif(not os.environ.get('FULL_RUN'), reason='')\n{TEST}",
        "Makefile": "check:\n\tFULL_RUN=1 pytest\n",
    },
    "a condition that cannot be judged": {
        "tests/test_a.py": f"{GUARD}@pytest.mark.skipif(not db(), reason='')\n{TEST}"
    },
}
BLOCKED: dict[str, Files] = {
    "a mark of another file": {"tests/test_a.py": f"{IMPORTS}@broken\n{TEST}"},
    "a mark of a module": {"tests/test_a.py": f"from app import total\nfrom . import marks\n@marks.broken\n{TEST}"},
    "a mark by a relative import": {
        "tests/test_a.py": f"from app import total\nfrom .marks import broken as b\n@b\n{TEST}"
    },
    "a mark that is passed on": {
        "tests/test_a.py": f"from app import total\nfrom tests.deep.again import postponed\n@postponed\n{TEST}"
    },
    "a mark in a list for the module": {"tests/test_a.py": f"{IMPORTS}pytestmark = [slow, broken]\n{TEST}"},
    "a decorator of another file": {"tests/test_a.py": f"{IMPORTS}@later\n{TEST}"},
    "a helper of another file": {"tests/test_a.py": IMPORTS + TEST.replace("    assert", "    need_db()\n    assert")},
    "a base class of another file": {"tests/test_k.py": IMPORTS + OF_CLASS.replace("TestA", "TestA(Off)")},
    "a mark that others use": {"tests/marks.py": MARKS.replace("mark.slow", "mark.skip(reason='slow')")},
    "a skip under a custom file name": {
        "checks/check_a.py": BASE["checks/check_a.py"].replace("def test_a", "@pytest.mark.skip\ndef test_a")
    },
    "a variable that nothing sets": {
        "tests/test_a.py": f"{GUARD}@pytest.mark.skipif(not os.environ.get('FULL_RUN'), reason='')\n{TEST}"
    },
    "a definition behind a variable that nothing sets": {
        "tests/test_a.py": f"{GUARD}if 'FULL' in os.environ:\n    def test_a():\n        assert total([1, 2]) == 3\n"
    },
    "a mark of another file on one row": {"tests/test_a.py": f"{IMPORTS}{ROWED.format('broken')}"},
    "marks of another file in a tuple on one row": {
        "tests/marks.py": MARKS + "GAPS = (pytest.mark.skip(reason='x'),)\n",
        "tests/test_a.py": f"{IMPORTS}from tests.marks import GAPS\n{ROWED.format('GAPS')}",
    },
    "a constant of another file": {
        "tests/flags.py": "HAS_DB = False\n",
        "tests/test_a.py": f"import pytest\nfrom app import total\nfrom tests.flags import HAS_DB\n{UNLESS}{TEST}",
    },
    "a constant of another file in a mark": {
        "tests/flags.py": "IS_SLOW = 1\n",
        "tests/test_a.py": (
            "import pytest\nfrom app import total\nfrom tests import flags\n"
            f"@pytest.mark.skipif(flags.IS_SLOW, reason='x')\n{TEST}"
        ),
    },
    "a mark of another file whose variable nothing sets": {
        "tests/env.py": SET_BY_NOBODY,
        "tests/test_a.py": f"from app import total\nfrom tests.env import need_full\n@need_full\n{TEST}",
    },
    "a base class of another file that asks for names": {
        "tests/cases.py": (
            "class Calm:\n    def setUp(self):\n        if self._testMethodName in self.unstable:\n"
            "            self.skipTest('x')\n"
        ),
        "tests/test_k.py": f"from tests.cases import Calm\n{IMPORTS}{OF_CLASS.replace('TestA', 'TestA(Calm)')}",
    },
    "a base class of another file that runs some": {
        "tests/cases.py": (
            "class Calm:\n    def run(self, result=None):\n"
            "        if 'test_a' in self.id():\n            return result\n"
            "        return super().run(result)\n"
        ),
        "tests/test_k.py": f"from tests.cases import Calm\n{IMPORTS}{OF_CLASS.replace('TestA', 'TestA(Calm)')}",
    },
}


ROWS_BEFORE = {**BASE, "tests/test_a.py": f"{IMPORTS}{ROWED}".replace("pytest.param(2, marks={})", "2")}


def before(head: Files) -> Files:
    """The base of a head: with rows of parameters where the head has some."""
    return ROWS_BEFORE if "parametrize" in head.get("tests/test_a.py", "") else BASE


@pytest.mark.parametrize("head", ALLOWED.values(), ids=ALLOWED.keys())
def test_nothing_is_said(head: Files) -> None:
    assert set() == severities(head, before(head))


@pytest.mark.parametrize("head", WARNED.values(), ids=WARNED.keys())
def test_what_is_arguable_warns(head: Files) -> None:
    assert {(SKIP_MARKER, WARN)} == severities(head)


@pytest.mark.parametrize("head", BLOCKED.values(), ids=BLOCKED.keys())
def test_what_is_plain_blocks(head: Files) -> None:
    assert {(SKIP_MARKER, BLOCK)} == severities(head, before(head))


OF_JAVASCRIPT = 'test("a", () => {\n  expect(total([1, 2])).toBe(3);\n});\n'


def test_a_variable_that_nothing_sets_in_javascript() -> None:
    base = {"a.test.js": OF_JAVASCRIPT}
    head = {
        "a.test.js": "const maybe = process.env.FULL_RUN ? test : test.skip;\n"
        + OF_JAVASCRIPT.replace("test(", "maybe(")
    }
    assert {(SKIP_MARKER, BLOCK)} == severities(head, base)
    assert {(SKIP_MARKER, WARN)} == severities({**head, "ci.txt": "FULL_RUN=1"}, base)


def test_options_that_several_tests_share_in_javascript() -> None:
    base = {"a.test.js": OF_JAVASCRIPT}
    shared = OF_JAVASCRIPT.replace('"a", (', '"a", shared, (')
    assert {(SKIP_MARKER, BLOCK)} == severities({"a.test.js": "const shared = { skip: true };\n" + shared}, base)
    assert set() == severities({"a.test.js": "const shared = { timeout: 9 };\n" + shared}, base)


def test_a_helper_class_that_gets_a_constructor() -> None:
    server = "class Server:\n    def start(self):\n        assert total([1])\n"
    started = server.replace("    def start", "    def __init__(self):\n        self.a = 1\n    def start")
    assert set() == severities({"tests/server.py": started}, {"tests/server.py": server})
