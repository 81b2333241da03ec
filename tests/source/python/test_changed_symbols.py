"""Which symbols an edit changes, kind of edit by kind of edit."""

from __future__ import annotations

import pytest

from agentgate_git.model.symbol import (
    ADDED,
    CREDIT,
    EXECUTION,
    MODIFIED,
    MOVED,
    NOTHING,
    REMOVED,
    RENAMED,
    REVERSE,
    TYPING_ONLY,
    SymbolChange,
)
from agentgate_git.source.python.changed_symbols import changed_symbols, is_prose_change

BASE = '''
"""A module."""
import logging
import os
from functools import lru_cache
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = ["total"]
log = logging.getLogger(__name__)
RATE = 0.2
LIMIT = 16

def total(items, rate=RATE):
    """Add up."""
    # one by one
    return sum(item.price * 2 for item in items)

@lru_cache(maxsize=8)
def cached(x: int) -> int:
    return x + 1

def outer(n):
    def inner(m):
        return m * n
    return inner(2)

def plain(a, b: int = 1) -> str:
    count: int = a
    return "it's " + str(count)

def repeat(n):
    return repeat(n - 1) if n else "end"

@overload
def either(x: int) -> int: ...
@overload
def either(x: str) -> str: ...
def either(x):
    return x

async def fetch(url):
    return await url.get()

class Base:
    kind = "base"

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def grow(self, by):
        self.size += by

    @property
    def area(self):
        return self.size ** 2

    @area.setter
    def area(self, value):
        self.size = value ** 0.5

    @staticmethod
    def helper():
        return 1

class Other(Base):
    width: int = 3

    def narrow(self):
        return Other(self.size - 1)

if os.name == "posix":
    def separator():
        return "/"
else:
    def separator():
        return "\\\\"

os.environ.setdefault("MODE", "x")

if __name__ == "__main__":
    print(total([]))
'''

Edit = tuple[str, str]
# Edits that change nothing that runs. Each is what is replaced and by what.
SILENT: dict[str, list[Edit]] = {
    "comment": [("# one by one", "# each in turn")],
    "docstring": [('"""Add up."""', '"""Add the prices up."""')],
    "docstring_removed": [('    """Add up."""\n', "")],
    "module_docstring": [('"""A module."""', '"""Another text."""')],
    "formatting": [
        ("sum(item.price * 2 for item in items)", "(\n        sum(item.price * 2\n for item in items)\n    )")
    ],
    "quotes": [('"it\'s "', "'it\\'s '")],
    "split_string": [('"it\'s "', '"it" "\'s "')],
    "number_spelling": [("LIMIT = 16", "LIMIT = 0x1_0")],
    "type_ignore": [("return x + 1", "return x + 1  # type: ignore")],
    "pass_added": [("return self.size\n", "pass\n        return self.size\n")],
    "import_added": [("import os\n", "import os\nimport sys\n")],
    "dunder_all": [('["total"]', '["total", "plain"]')],
    "logger": [("getLogger(__name__)", 'getLogger("shop")')],
    "type_checking_block": [("from decimal import Decimal", "from fractions import Fraction")],
    "overload_stub": [("def either(x: str) -> str: ...", "def either(x: bytes) -> bytes: ...")],
    "main_guard": [("print(total([]))", "print(total([1]))")],
    "members_reordered": [
        ("    def __len__(self):\n        return self.size\n\n", ""),
        ("    @staticmethod\n", "    def __len__(self):\n        return self.size\n\n    @staticmethod\n"),
    ],
    "type_alias": [("LIMIT = 16\n", "LIMIT = 16\nNumber = int | None\n")],
}
Row = tuple[str, str, str]
TELLING: dict[str, tuple[list[Edit], list[Row]]] = {
    "function_body": ([("item.price * 2", "item.price * 3")], [("total", MODIFIED, CREDIT)]),
    "default": ([("rate=RATE", "rate=LIMIT")], [("total", MODIFIED, CREDIT)]),
    "parameter_added": ([("def total(items,", "def total(items, more,")], [("total", MODIFIED, CREDIT)]),
    "parameter_annotation": ([("b: int = 1", "b: float = 1")], [("plain", TYPING_ONLY, NOTHING)]),
    "local_annotation": ([("count: int = a", "count: float = a")], [("plain", TYPING_ONLY, NOTHING)]),
    "annotation_under_a_decorator": ([("x: int) -> int:\n    return x", "x: str) -> int:\n    return x")],
                                     [("cached", MODIFIED, CREDIT)]),
    "decorator": ([("maxsize=8", "maxsize=9")], [("cached", MODIFIED, CREDIT)]),
    "decorator_removed": ([("@lru_cache(maxsize=8)\n", "")], [("cached", MODIFIED, CREDIT)]),
    "nested_function": ([("m * n", "m + n")], [("outer.<locals>.inner", MODIFIED, CREDIT)]),
    "around_a_nested_function": ([("inner(2)", "inner(3)")], [("outer", MODIFIED, CREDIT)]),
    "implementation_of_an_overload": ([("def either(x):\n    return x", "def either(x):\n    return [x]")],
                                      [("either", MODIFIED, CREDIT)]),
    "async_body": ([("await url.get()", "await url.read()")], [("fetch", MODIFIED, CREDIT)]),
    "async_to_plain": ([("async def fetch(url):\n    return await", "def fetch(url):\n    return")],
                       [("fetch", MODIFIED, CREDIT)]),
    "method": ([("self.size += by", "self.size -= by")], [("Base.grow", MODIFIED, CREDIT)]),
    "setter": ([("value ** 0.5", "value ** 0.6")], [("Base.area", MODIFIED, CREDIT)]),
    "class_attribute": ([('kind = "base"', 'kind = "basis"')], [("Base.<body>", MODIFIED, CREDIT)]),
    "annotated_field": ([("width: int = 3", "width: float = 3")], [("Other.<body>", MODIFIED, CREDIT)]),
    "base_class": ([("class Other(Base)", "class Other(object)")], [("Other.<body>", MODIFIED, CREDIT)]),
    "value": ([("RATE = 0.2", "RATE = 0.3")], [("module:RATE", MODIFIED, CREDIT)]),
    "module_statement": ([('"MODE", "x"', '"MODE", "y"')], [("<module>", MODIFIED, CREDIT)]),
    "condition_around_a_definition": ([('os.name == "posix"', 'os.name != "nt"')], [("separator", MODIFIED, CREDIT)]),
    "function_added": ([("LIMIT = 16\n", "LIMIT = 16\ndef new():\n    return 1\n")], [("new", ADDED, CREDIT)]),
    "method_added": ([("    def grow(", "    def shrink(self):\n        self.size = 0\n\n    def grow(")],
                     [("Base.shrink", ADDED, CREDIT)]),
    "exception_added": ([("LIMIT = 16\n", "LIMIT = 16\nclass Full(ValueError):\n    pass\n")],
                        [("Full.<body>", ADDED, NOTHING)]),
    "function_renamed": ([("def plain(", "def simple(")], [("simple", RENAMED, EXECUTION)]),
    "function_renamed_that_calls_itself": ([("def repeat", "def again"), ("return repeat", "return again")],
                                           [("again", RENAMED, EXECUTION)]),
    "class_renamed": ([("class Other(Base)", "class Tall(Base)"), ("return Other(", "return Tall(")],
                      [("Tall.<body>", RENAMED, NOTHING), ("Tall.narrow", RENAMED, EXECUTION)]),
    "method_moved_to_another_class": (
        [("    @staticmethod\n    def helper():\n        return 1\n", ""),
         ("    def narrow", "    @staticmethod\n    def helper():\n        return 1\n\n    def narrow")],
        [("Other.helper", RENAMED, EXECUTION)],
    ),
    "function_removed": ([("def outer(n):\n    def inner(m):\n        return m * n\n    return inner(2)\n", "")],
                         [("outer", REMOVED, NOTHING), ("outer.<locals>.inner", REMOVED, NOTHING)]),
    "method_removed": ([("    def grow(self, by):\n        self.size += by\n", "")], [("Base.grow", REMOVED, REVERSE)]),
    "dunder_removed": ([("    def __len__(self):\n        return self.size\n", "")],
                       [("Base.__len__", REMOVED, REVERSE)]),
}  # fmt: skip


def edited(edits: list[Edit]) -> bytes:
    text = BASE
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    return text.encode()


def rows_of(changes: tuple[SymbolChange, ...]) -> list[Row]:
    return [(change.name, change.change, change.needs) for change in changes]


@pytest.mark.parametrize("edits", SILENT.values(), ids=SILENT)
def test_what_changes_nothing(edits: list[Edit]) -> None:
    data = edited(edits)
    assert data != BASE.encode()
    assert ((), ()) == changed_symbols({"shop.py": BASE.encode()}, {"shop.py": data})


@pytest.mark.parametrize(("edits", "expected"), TELLING.values(), ids=TELLING)
def test_what_changes_one_symbol(edits: list[Edit], expected: list[Row]) -> None:
    found = changed_symbols({"shop.py": BASE.encode()}, {"shop.py": edited(edits)})
    assert (expected, ()) == (rows_of(found.changes), found.problems)


def test_the_kinds() -> None:
    found = changed_symbols({}, {"shop.py": BASE.encode()}).changes
    assert {
        "Base.<body>": "class_body",
        "Base.grow": "method",
        "outer": "function",
        "outer.<locals>.inner": "function",
        "module:LIMIT": "value",
        "<module>": "module",
    }.items() <= {change.name: change.kind for change in found}.items()
    assert {(ADDED, CREDIT)} == {(change.change, change.needs) for change in found}


def test_a_symbol_moved_between_files_is_accounted_for_on_both_sides() -> None:
    helper = b"def helper(x):\n    return x + 1\n"
    old = {"a.py": helper + b"A = 1\n", "b.py": b""}
    new = {"a.py": b"from b import helper\nA = 1\n", "b.py": helper}
    expected = SymbolChange("b.py", "helper", "function", MOVED, EXECUTION, "a.py", "helper")
    assert (expected,) == changed_symbols(old, new).changes


def test_a_moved_symbol_that_changed_is_new() -> None:
    old = {"a.py": b"def helper(x):\n    return x + 1\n", "b.py": b""}
    new = {"a.py": b"", "b.py": b"def helper(x):\n    return x + 2\n"}
    assert [("helper", REMOVED, NOTHING), ("helper", ADDED, CREDIT)] == rows_of(changed_symbols(old, new).changes)


def test_a_renamed_file_moves_its_symbols() -> None:
    found = changed_symbols({"old.py": BASE.encode()}, {"new.py": BASE.encode()}).changes
    assert {MOVED} == {change.change for change in found}
    assert {EXECUTION, NOTHING} == {change.needs for change in found}


def test_a_copy_is_new() -> None:
    code = b"def helper(x):\n    return x + 1\n"
    found = changed_symbols({"a.py": code}, {"a.py": code, "b.py": code}).changes
    assert [("helper", ADDED, CREDIT)] == rows_of(found)


def test_a_module_s_own_getattr_leaves_a_hole() -> None:
    old = b"def __getattr__(name):\n    return name\nA = f()\n"
    assert [("__getattr__", REMOVED, REVERSE)] == rows_of(
        changed_symbols({"a.py": old}, {"a.py": b"A = f()\n"}).changes
    )


def test_a_method_taken_from_a_class_that_moved_is_missed_there() -> None:
    body = "    size = 1\n    def keep(self):\n        return 1\n"
    old = {"a.py": f"class C:\n{body}    def gone(self):\n        return 2\n".encode()}
    new = {"b.py": f"class D:\n{body}".encode()}
    (removed,) = (each for each in changed_symbols(old, new).changes if each.change == REMOVED)
    assert SymbolChange("b.py", "D.gone", "method", REMOVED, REVERSE, "a.py", "C.gone") == removed


@pytest.mark.parametrize(
    "data",
    [b"def f(:\n", b"x = 1\n\0", b"a" + b".b" * 60_000 + b"\n", b"# coding: rot13\n"],
    ids=["syntax", "nul", "depth", "codec"],
)
def test_what_cannot_be_read_is_a_problem(data: bytes) -> None:
    found = changed_symbols({"a.py": b"x = f(1)\n", "b.py": b""}, {"a.py": data, "b.py": b"y = f(2)\n"})
    assert [("module:y", ADDED, CREDIT)] == rows_of(found.changes)
    assert ["a.py"] == [path for path, _ in found.problems]


PROSE = {
    "a comment": ("x = f(1)\n", "x = f(1)  # why\n", True),
    "a docstring": ("def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n', True),
    "an annotation": ("def f(a):\n    return a\n", "def f(a: int):\n    return a\n", True),
    "an import for annotations": ("", "from typing import TYPE_CHECKING\n", False),
    "where a name comes from": ("from a import f\n", "from b import f\n", False),
    "what is offered": ("__all__ = ['a']\n", "__all__ = ['b']\n", False),
    "a value": ("x = 1\n", "x = 2\n", False),
    "a function that goes": ("def f():\n    return 1\n", "", False),
    "what cannot be read": ("x = 1\n", "x = = 1\n", False),
}


@pytest.mark.parametrize(("old", "new", "expected"), PROSE.values(), ids=PROSE)
def test_what_is_no_more_than_prose(old: str, new: str, expected: bool) -> None:
    assert expected == is_prose_change(old.encode(), new.encode())
