"""Doctests: examples in docstrings, each with what it has to print. A production module that holds some has tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from agentgate_git.model.inventory import (
    BOUND,
    CLOSE,
    DOCTEST_OF,
    EXACT,
    PRESENT,
    RUNS,
    SKIPPED,
    SOUGHT,
    TYPE,
    Assertion,
    CollectedTest,
    Inventory,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.python.fingerprint import digest_of
from agentgate_git.source.python.names import TooTangled
from agentgate_git.source.python.source import read_python
from agentgate_git.source.python.text import bounded

_PROMPT = ">>> "
_MORE = "..."
_DIRECTIVE = "# doctest:"
# Each begins with a literal, which is sought far faster than the start of a line.
_DEFINITIONS = (pattern_of(rb"def ([^(:\n]*)"), pattern_of(rb"class ([^(:\n]*)"))
# A header reaches to the first colon with nothing behind it but a comment, over 31 lines at most.
_END = rb"[ \t]*(?:#[^\n]*)?$"
_LINE = rb"[^\n:]*+(?::(?!" + _END + rb")[^\n:]*+)*+"
_HEADER = pattern_of(
    rb"^[ \t]*(?:async[ ]+def|def|class)[ ]+(\w+)(" + _LINE + rb"(?:\n" + _LINE + rb"){0,30}+):" + _END, re.MULTILINE
)
_MAKERS = (b"__init__", b"__new__", b"__call__")
_MAX_EXAMPLES = 1_000
# What is left of a value that an example hands to one of these.
_ASKING = {
    **dict.fromkeys(("bool", "callable"), PRESENT),
    **dict.fromkeys(("isinstance", "issubclass", "hasattr", "type"), TYPE),
    **dict.fromkeys(("len", "any", "all", "sum", "min", "max"), SOUGHT),
    **dict.fromkeys(("round", "sorted", "set", "int"), CLOSE),
}
SKIP = "# doctest: +SKIP"


class _Example(Record):
    source: str
    want: str
    line: int
    is_skipped: bool


def defined_names(data: bytes) -> tuple[str, ...]:
    """The functions and classes that a file defines, without repeats.

    Read from the lines, because every production file of a history passes here: a name inside a string is taken for
    a definition, which can only hide a warning about a removed test.
    """
    found: dict[bytes, None] = {}
    for _, name in _definitions(data):
        found.update(dict.fromkeys(name.split()[-1:]))
    return tuple(name.decode("utf-8", "replace") for name in found)


def _definitions(data: bytes) -> list[tuple[int, bytes]]:
    """Where the lines start that define something, and the name behind their word, in order."""
    found: list[tuple[int, bytes]] = []
    for pattern in _DEFINITIONS:
        for match in pattern.finditer(data):
            start = data.rfind(b"\n", 0, match.start()) + 1
            if data[start : match.start()].strip() in (b"", b"async"):
                found.append((start, match[1]))
    return sorted(found)


def interfaces(data: bytes) -> tuple[tuple[str, str], ...]:
    """(name, digest) of what a file defines: its parameters or bases without layout, those of a class's makers too.

    What makes an instance counts for the class before it in the file, because that is the name which is called.
    """
    found: dict[tuple[str, str], None] = {}
    owner = b""
    for start, _ in _definitions(data):
        match = _HEADER.match(data, start)
        if match is None:
            continue
        name, header = match.groups()
        if match[0].lstrip().startswith(b"class"):
            owner = name
        digest = digest_of(b"".join(header.split()).replace(b",)", b")").decode("utf-8", "replace"))
        found[name.decode("utf-8", "replace"), digest] = None
        if name in _MAKERS and owner:
            found[owner.decode("utf-8", "replace"), digest] = None
    return tuple(found)


def read_doctests(path: str, data: bytes) -> Inventory:
    """The doctests of a production file, one test for each docstring with examples; broken Python has none, and too
    many examples are the inventory's `problem`.
    """
    if b">>>" not in data:
        return Inventory(path, ())
    source = read_python(data)
    if source.tree is None:
        return Inventory(path, ())
    try:
        return Inventory(path, tuple(doctests(source.tree)))
    except TooTangled as error:
        return Inventory(path, (), str(error))
    except (RecursionError, MemoryError):
        return Inventory(path, ())


def doctests(tree: ast.Module) -> Iterator[CollectedTest]:
    """The doctests of a module and of what it defines, by the dotted name of what they document."""
    stack: list[tuple[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, str]] = [(tree, "")]
    while stack:
        node, name = stack.pop()
        first = node.body[0] if node.body else None
        match first:
            case ast.Expr(value=ast.Constant(value=str(text))) if _PROMPT in text:
                yield from _collected(text, name or "module", first.lineno)
        stack += [
            (inner, f"{name}.{inner.name}" if name else inner.name)
            for inner in reversed(node.body)
            if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        ]


def _collected(text: str, name: str, line: int) -> Iterator[CollectedTest]:
    examples = tuple(_examples(text, line))
    if len(examples) > _MAX_EXAMPLES:
        raise TooTangled(f"the doctest of {name} has more than {_MAX_EXAMPLES} examples")
    if not examples:
        return
    skipped = [one for one in examples if one.is_skipped]
    is_skipped = len(skipped) == len(examples)
    assertions = tuple(_assertion(one) for one in examples if one.want)
    yield CollectedTest(
        f"{DOCTEST_OF}{name}",
        SKIPPED if is_skipped else RUNS,
        skipped[0].line if is_skipped else line,
        digest_of("\n".join(f"{one.source}\n{one.want}" for one in examples)),
        SKIP if is_skipped else "",
        assertions=() if is_skipped else assertions,
        calls=tuple(sorted({word for one in examples for word in _called(one.source)})),
    )


def _examples(text: str, line: int) -> Iterator[_Example]:
    lines = text.expandtabs().split("\n")
    at = 0
    while at < len(lines):
        stripped = lines[at].lstrip()
        if not (stripped.startswith(_PROMPT) or stripped == _PROMPT.strip()):
            at += 1
            continue
        start = at
        indent = len(lines[at]) - len(stripped)
        source = [stripped[len(_PROMPT) :]]
        at += 1
        while at < len(lines) and lines[at][indent:].startswith(_MORE) and lines[at][:indent].isspace() | (not indent):
            source.append(lines[at][indent + len(_MORE) :].removeprefix(" "))
            at += 1
        want = []
        while at < len(lines) and lines[at].strip() and not lines[at].lstrip().startswith(_PROMPT):
            want.append(lines[at][indent:].rstrip())
            at += 1
        yield _example("\n".join(source), "\n".join(want), line + start)


def _example(source: str, want: str, line: int) -> _Example:
    code, _, directives = source.partition(_DIRECTIVE)
    has_skip = "+SKIP" in directives
    return _Example(code.strip(), want, line, has_skip)


def _assertion(example: _Example) -> Assertion:
    node = _parsed(example.source)
    subject, want = bounded(example.source if node is None else ast.unparse(node)), bounded(example.want)
    left = example.want.replace(_MORE, "").strip("[](){}<>'\" \n")
    is_open = _MORE in example.want and "Traceback" not in example.want
    void = ""
    if example.is_skipped:
        void = f"{SKIP} keeps it from running"
    elif is_open and not left:
        void = "what it has to print matches everything"
    strength = SOUGHT if is_open else _told_apart(node)
    return Assertion(bounded(f"{subject} prints {want}"), subject, "prints", want, strength, example.line, void=void)


def _parsed(source: str) -> ast.expr | None:
    try:
        return ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _told_apart(node: ast.expr | None) -> str:
    """What an example tells apart that prints what was asked of a value, in place of the value."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return _ASKING.get(name, EXACT)
        case ast.Compare(left=ast.Call(func=ast.Name(id="abs")), ops=[ast.Lt() | ast.LtE()]):
            return CLOSE
        case ast.Compare(ops=[ast.Eq() | ast.Is()]):
            return EXACT
        case ast.Compare(ops=[ast.In()]) | ast.BoolOp():
            return SOUGHT
        case ast.Compare(ops=[ast.IsNot()]):
            return PRESENT
        case ast.Compare():
            return BOUND
        case _:
            return EXACT


def _called(source: str) -> Iterator[str]:
    for part in source.split("(")[:-1]:
        word = part.rpartition(" ")[2].rpartition(".")[2].strip("([{=,")
        if word.isidentifier():
            yield word
