"""What Python harnesses and production do to a run of tests: items emptied, mocks that assert nothing, skips, stubs."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.checks import weakening_findings
from testing.change_sets import Files, facts_of

ITEMS = "def pytest_collection_modifyitems(items):\n    for item in items:\n        {}\n"
MOCKS = "from unittest import mock\n\n"
CALC = "def total(xs):\n    {}return sum(xs)\n"
SKIPS = "import unittest\n\n\n"
TEST = "from app.calc import total\n\n\ndef test_total({}):\n    {}assert total([1, 2]) == 3\n"
MARKED = "import pytest\nfrom app.calc import total\n\n\ndef test_first():\n    assert total([]) == 0\n\n\n{}"
LAST = "def test_last():\n    assert total([1, 2]) == 3\n"
SET = "monkeypatch.setattr('pathlib.Path.{}', {})\n    "


def worst(base: Files, head: Files) -> str:
    found = {finding.severity for finding in weakening_findings(*facts_of(base, head))}
    return next((one for one in (BLOCK, WARN) if one in found), "")


def conftest(text: str) -> tuple[Files, Files]:
    return {"tests/conftest.py": "import pytest\n"}, {"tests/conftest.py": "import pytest\n" + text}


def production(text: str, head: str = "") -> tuple[Files, Files]:
    return {"app/calc.py": SKIPS + CALC.format("")}, {"app/calc.py": head or SKIPS + CALC.format(text)}


def patched(body: str) -> tuple[Files, Files]:
    return {"tests/test_a.py": TEST.format("", "")}, {"tests/test_a.py": TEST.format("monkeypatch", body)}


def marked(mark: str) -> tuple[Files, Files]:
    return {"tests/test_a.py": MARKED.format(LAST)}, {"tests/test_a.py": MARKED.format(mark + LAST)}


CHANGES: dict[str, tuple[str, tuple[Files, Files]]] = {
    "a property of an item": ("", conftest(ITEMS.format("item.user_properties.append(('a', 1))"))),
    "an item that is wrapped": ("", conftest(ITEMS.format("item.obj = traced(item.obj)"))),
    "a hook that leaves the call to others": (
        "",
        conftest("def pytest_pyfunc_call(pyfuncitem):\n    if pyfuncitem.keywords:\n        return None\n"),
    ),
    "a mock with an assertion more": (
        "",
        conftest(MOCKS + "class Counting(mock.Mock):\n    def assert_count(self, n):\n        assert n\n"),
    ),
    "a mock that is told more": ("", conftest(MOCKS + "mock.Mock.shown = lambda self: repr(self)\n")),
    "an unsupported argument": ("", production("if xs is None:\n        raise NotImplementedError(xs)\n    ")),
    "a decorator for tests": (
        "",
        ({}, {"app/testing.py": "import unittest\n\n\ndef need():\n    raise unittest.SkipTest('no')\n"}),
    ),
    "a patch that fails": ("", patched(SET.format("mkdir", "fail"))),
    "a test that depends on another": (WARN, marked("@pytest.mark.dependency(depends=['test_first'])\n")),
    "a test that others depend on": ("", marked("@pytest.mark.dependency()\n")),
    "a wrapper of a runner": ("", ({}, {"bin/pytest": '#!/bin/sh\nexec python -m pytest "$@"\n'})),
    "a stub that a test puts there": ("", ({}, {"tests/bin/npm": "#!/bin/sh\necho 8.0\n"})),
    "a stub of another name": ("", ({}, {"bin/hello": "#!/bin/sh\necho hello\n"})),
    "a patch that does nothing": (WARN, patched(SET.format("mkdir", "lambda *a, **k: None"))),
    "a new function that skips": (
        WARN,
        production("", SKIPS + CALC.format("") + "\n\ndef need():\n    raise unittest.SkipTest('no')\n"),
    ),
    "an item with another run": (BLOCK, conftest(ITEMS.format("item.runtest = lambda: None"))),
    "an item with another function": (BLOCK, conftest(ITEMS.format("setattr(item, 'obj', lambda *a: True)"))),
    "a hook that says it called": (
        BLOCK,
        conftest("def pytest_pyfunc_call(pyfuncitem):\n    if 'db' in pyfuncitem.fixturenames:\n        return True\n"),
    ),
    "a mock that asserts nothing": (
        BLOCK,
        conftest(MOCKS + "mock.NonCallableMock.assert_called_with = lambda self, *a, **k: None\n"),
    ),
    "mocks that assert nothing, by a list": (
        BLOCK,
        conftest(
            MOCKS
            + "for name in ('assert_called', 'assert_called_with'):\n"
            + "    setattr(mock.Mock, name, lambda self, *a, **k: None)\n"
        ),
    ),
    "production that skips": (BLOCK, production("if xs:\n        raise unittest.SkipTest('rough')\n    ")),
    "a test that depends on none": (BLOCK, marked("@pytest.mark.dependency(depends=['test_never'])\n")),
    "a stub of a runner": (BLOCK, ({}, {"bin/pytest": "#!/bin/sh\n# unit tests\necho '4 passed'\nexit 0\n"})),
}


@pytest.mark.parametrize(("severity", "change"), CHANGES.values(), ids=CHANGES.keys())
def test_what_a_harness_does(severity: str, change: tuple[Files, Files]) -> None:
    assert severity == worst(*change)
