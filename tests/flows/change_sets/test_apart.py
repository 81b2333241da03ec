"""Another expected value beside other production: a reason only where the test can reach what changed."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import WARN
from agentgate_git.source.python.imported import Modules, names_imported

Files = dict[str, str]

PRICE = "class Unknown(Exception):\n    pass\n\n\ndef price(name):\n    return {'a': 3}[name]\n"
OTHER = "def names(plans):\n    return list(plans)\n"
TEST = "from plan.lookup import price\n\n\ndef test_price():\n    assert price('a') == 3\n"
BASE: Files = {
    "plan/__init__.py": '"""Plans."""\n',
    "plan/lookup.py": PRICE,
    "plan/catalog.py": OTHER,
    "tests/test_lookup.py": TEST,
}


def weak(files: Files) -> Files:
    return {**files, "tests/test_lookup.py": files["tests/test_lookup.py"].replace("== 3", "== 4")}


def edited(path: str, before: str, after: str, base: Files = BASE) -> tuple[Files, Files]:
    """The test expects another value, and one file of production is another one."""
    assert before in base[path]
    return base, weak({**base, path: base[path].replace(before, after)})


def with_test(text: str) -> Files:
    return {**BASE, "tests/test_lookup.py": TEST.replace("\n\n\ndef", f"\n{text}\n\n\ndef")}


def through(line: str, path: str = "plan/lookup.py") -> Files:
    return {**BASE, path: f"{line}\n\n\n{BASE.get(path, '')}"}


CATALOG = ("plan/catalog.py", "list(plans)", "sorted(plans)")
REASONS = {
    "the module itself": edited("plan/lookup.py", "'a': 3", "'a': 4"),
    "what it imports": edited(*CATALOG, through("from plan.catalog import names")),
    "what it imports next to it": edited(*CATALOG, through("from . import catalog")),
    "what the package imports": edited(*CATALOG, through("from .catalog import *", "plan/__init__.py")),
    "what the test imports in a function": edited(*CATALOG, with_test("def used():\n    import plan.catalog")),
    "what the test replaces": edited(*CATALOG, with_test("PATCHED = 'plan.catalog.names'")),
    "what a conftest imports": edited(
        *CATALOG, through("from plan import (  # all\n    catalog,\n)", "tests/conftest.py")
    ),
    "the package it lies in": (
        {**BASE, "plan/lookup/test_lookup.py": TEST, "plan/lookup/__init__.py": "A = 1\n"},
        {**BASE, "plan/lookup/test_lookup.py": TEST.replace("== 3", "== 4"), "plan/lookup/__init__.py": "A = 2\n"},
    ),
    "modules that are found by name": edited(
        *CATALOG, through("from importlib import import_module\nimport_module(N)")
    ),
    "a test that starts programs": edited(*CATALOG, with_test("import subprocess")),
    "a test that goes through all pages": edited(*CATALOG, with_test("from app.testing import Client")),
    "a test of nothing that is found": edited(
        *CATALOG, {**BASE, "tests/test_lookup.py": TEST.replace("plan.lookup", "elsewhere")}
    ),
    "production of another language": (BASE, weak({**BASE, "plan/web/main.js": "export const a = () => 1\n"})),
    "a module that moved": (
        {**BASE, "plan/old.py": PRICE, "tests/test_lookup.py": TEST.replace("lookup", "old")},
        weak(BASE),
    ),
}


@pytest.mark.parametrize(("base", "head"), REASONS.values(), ids=REASONS)
def test_production_that_a_test_reaches_is_a_reason(base: Files, head: Files) -> None:
    assert [] == said(base, head)


APART = {
    "a module that it does not import": edited(*CATALOG),
    "in a layout with src": edited(
        f"src/{CATALOG[0]}",
        *CATALOG[1:],
        {path if path.startswith("tests/") else f"src/{path}": text for path, text in BASE.items()},
    ),
    "beside a docstring of its own module": edited(*CATALOG, {**BASE, "plan/lookup.py": f'"""Prices."""\n{PRICE}'}),
    "scripts": edited("scripts/build.py", "run()", "run(1)", {**BASE, "scripts/build.py": "def main():\n    run()\n"}),
}


@pytest.mark.parametrize(("base", "head"), APART.values(), ids=APART)
def test_other_production_is_none(base: Files, head: Files) -> None:
    (found,) = said(base, head)
    assert (WARN, "tests/test_lookup.py") == found[:2]
    assert "nothing that it reaches changed" in found[2]


def test_a_crash_beside_other_production_only_warns() -> None:
    base = {
        **BASE,
        "tests/test_lookup.py": "import pytest\nfrom plan.lookup import Unknown, price\n\n\n"
        "def test_price():\n    with pytest.raises(Unknown):\n        price('b')\n",
    }
    head = {**base, "plan/catalog.py": OTHER.replace("list", "sorted")}
    head["tests/test_lookup.py"] = base["tests/test_lookup.py"].replace("raises(Unknown)", "raises(AttributeError)")
    assert [WARN] == [one[0] for one in said(base, head)]


NAMED = {
    "import a.b, c as d": ("a.b", "c"),
    "from a import (b, # x\n c)": ("a", "a.b", "a.c"),
    "from . import b": (".", ".b"),
    "from ..a import b as c, d\n": ("..a", "..a.b", "..a.d"),
    "if x: import a\n": ("a",),
    "import os, sys": (),
    "patch('a.b.c')": ("a.b.c",),
}


@pytest.mark.parametrize(("text", "expected"), NAMED.items(), ids=NAMED)
def test_names_that_a_file_imports(text: str, expected: tuple[str, ...]) -> None:
    assert expected == names_imported(text.encode())


def test_where_modules_lie() -> None:
    modules = Modules(("src/a/__init__.py", "src/a/b.py", "lib/c.py", "tests/a/helper.py", "a.txt"))
    assert ("src/a/b.py", "src/a/__init__.py") == modules.found("tests/test_x.py", "a.b")
    assert ("src/a/b.py",) == modules.found("src/a/x.py", ".b")
    assert ("tests/a/helper.py",) == modules.found("tests/a/x.py", ".helper")
    assert () == modules.found("x.py", "...b")


def said(base: Files, head: Files) -> list[tuple[str, str, str]]:
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    found = judge_files(*sides).findings
    return [(one.severity, one.path, one.message) for one in found]
