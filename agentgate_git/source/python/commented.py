"""Tests and checks of Python that stand in comments: what was taken out of a run and left where it stood."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import islice

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.names import flat
from agentgate_git.source.python.source import comments_of, decode_python
from agentgate_git.source.python.text import bounded

COMMENTED_TEST = "commented.test"
COMMENTED_CHECK = "commented.check"
SCRIPT_CHECK = "script.check"
# A file with more of them than that is no file of tests any more.
MAX_COMMENTED = 400
_MAY = pattern_of(
    rb"#[# \t]{0,40}(?:async[ ]{1,4})?"
    rb"(?:def[ ]{1,4}test|assert|self\.(?:assert|fail)|with[ ]{1,4}\w{1,40}\.(?:raises|assert))"
)
_TEST = pattern_of(r"[# \t]*+(?:async +)?def +(test\w*)\(")
# What is prose has neither a comparison nor a call: `assert that it stays`.
_CHECK = pattern_of(
    r"[# \t]*+((?:assert(?:\s+not)?\s+[^#\n]*?(?:[=<>]|\w[(\[.]|\b(?:in|is|not)\b)"
    r"|(?:self\.)?(?:assert|fail)\w*\(|assert_\w+\(|with +\w+\.(?:raises|assert\w+)\()[^\n]*)"
)


def commented_out(data: bytes) -> Iterator[Trait]:
    """The tests by their names, and the checks as they are written, of a file; nothing for bytes that are no Python."""
    if _MAY.search(data) is None:
        return
    try:
        text = decode_python(data).replace("\r\n", "\n").replace("\r", "\n")
    except ValueError:
        return
    yield from islice(_found(text), MAX_COMMENTED)


def of_script(statements: Iterable[ast.stmt]) -> Iterator[Trait]:
    """The checks that are made where a file of tests is run as a script, which no runner does."""
    for statement in statements:
        match statement:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                inner = (one for one, _ in flat(statement.body) if isinstance(one, ast.Assert))
                for one in islice(inner, MAX_COMMENTED):
                    yield Trait(SCRIPT_CHECK, bounded(ast.unparse(one)), one.lineno)


def _found(text: str) -> Iterator[Trait]:
    line = at = 0
    for start, end in comments_of(text):
        comment = text[start:end]
        test, check = _TEST.match(comment), _CHECK.match(comment)
        if test is None and check is None:
            continue
        line += text.count("\n", at, start)
        at = start
        if test is not None:
            yield Trait(COMMENTED_TEST, test[1], line + 1)
        elif check is not None:
            yield Trait(COMMENTED_CHECK, " ".join(check[1].split()), line + 1)
