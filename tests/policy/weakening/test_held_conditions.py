"""Conditions that look as if they asked for a system, and that hold wherever the project runs."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN

Files = dict[str, str]

TEST = "def test_a():\n    assert total([1]) == 1\n"
HEAD = "import sys, shutil, pytest, unittest\nfrom importlib.util import find_spec\nimport app\nfrom app import total\n"


def around(guard: str = "", before: str = "", **others: str) -> Files:
    return {
        "app/__init__.py": '__version__ = "2.1.0"\n\n\ndef total(numbers):\n    return sum(numbers)\n',
        "app/_fast.py": "",
        "pyproject.toml": '[project]\nname = "app"\nrequires-python = ">=3.10"\n',
        "tests/test_a.py": f"{HEAD}{before}\n\n{guard}\n{TEST}",
        **others,
    }


def found(head: Files, base: Files | None = None) -> list[str]:
    """The severities of what is found."""
    old = {**around(), **{path: text for path, text in head.items() if path != "tests/test_a.py"}, **(base or {})}
    sides = ({path: text.encode() for path, text in side.items()} for side in (old, head))
    return [one.severity for one in judge_files(*sides).findings]


OLD = {"tox.ini": "[tox]\nenvlist = py37, py312\n"}
ALL = {"pyproject.toml": '[project]\nname = "app"\nrequires-python = ">=3.8"\n'}
GET = "try:\n    {}\nexcept ImportError:\n    {}\n"


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(around("@pytest.mark.skipif(sys.version_info >= (3, 8), reason='x')", **OLD), id="3.7 is run"),
        pytest.param(around("@pytest.mark.skipif(sys.version_info >= (3, 10), reason='x')", **ALL), id="3.9 may run"),
        pytest.param(around("@pytest.mark.skipif(sys.version_info < (3, 12), reason='x')"), id="a later Python"),
        pytest.param(around("@pytest.mark.skipif(sys.version_info >= (3, 14), reason='x')"), id="the next Python"),
        pytest.param(
            around("@pytest.mark.skipif(NO_OPENCV, reason='x')", "NO_OPENCV = find_spec('opencv') is None")
            | {"requirements.txt": "opencv\n"},
            id="a module that is asked for",
        ),
        pytest.param(
            around(
                "@pytest.mark.skipif(total is None, reason='x')", GET.format("from numpy import total", "total = None")
            ),
            id="a module of others",
        ),
        pytest.param(
            around(
                "@pytest.mark.skipif(fast is None, reason='x')",
                GET.format("from app import _fast as fast", "fast = None"),
            ),
            id="a part of the project that has to be built",
        ),
        pytest.param(around("@pytest.mark.skipif(app.__version__ > '3', reason='x')"), id="a version that is not here"),
        pytest.param(
            around(
                "@skipUnlessDBFeature('has_select_for_update')",
                "from django.test import skipUnlessDBFeature",
                **{"settings.py": "ENGINE = 'django.db.backends.postgresql'\n"},
            ),
            id="a database that can",
        ),
    ],
)
def test_a_condition_that_may_not_hold_does_not_block(head: Files) -> None:
    assert BLOCK not in found(head)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(around("@pytest.mark.skipif(sys.version_info >= (3, 8), reason='x')"), id="every Python in use"),
        pytest.param(
            around("@pytest.mark.skipif(sys.version_info >= (3, 10), reason='x')"), id="every Python it needs"
        ),
        pytest.param(
            around("@pytest.mark.skipif(MODERN, reason='x')", "MODERN = sys.version_info[:2] > (3, 9)"),
            id="by a constant",
        ),
        pytest.param(
            around("@pytest.mark.skipif(NO_OPENCV, reason='x')", "NO_OPENCV = find_spec('opencv') is None"),
            id="a module that nobody asks for",
        ),
        pytest.param(
            around("@pytest.mark.skipif(not HAS_FROB, reason='x')", "HAS_FROB = shutil.which('frobctl') is not None"),
            id="a program that nobody has",
        ),
        pytest.param(
            around("", GET.format("from app import total", "pytestmark = pytest.mark.skip('not built')")),
            id="the subject itself cannot be imported",
        ),
        pytest.param(
            around(
                "@pytest.mark.skipif(total is None, reason='x')", GET.format("from app import total", "total = None")
            ),
            id="the subject is None",
        ),
        pytest.param(
            around("", "if app.__version__ < '3':\n    pytest.skip('comes with 3.0', allow_module_level=True)"),
            id="the version of the project",
        ),
        pytest.param(
            around(
                "@pytest.mark.skipif(Version(app.__version__) < Version('10.0'), reason='x')",
                "from packaging.version import Version",
            ),
            id="the version as it is parsed",
        ),
        pytest.param(
            around("@skipUnlessDBFeature('has_select_for_update')", "from django.test import skipUnlessDBFeature"),
            id="what SQLite has not",
        ),
    ],
)
def test_a_condition_that_holds_here_blocks(head: Files) -> None:
    assert BLOCK in found(head)


def test_a_feature_of_a_database_that_nobody_knows_warns() -> None:
    head = around("@skipUnlessDBFeature('can_rollback_ddl')", "from django.test import skipUnlessDBFeature")
    assert [WARN] == found(head)
