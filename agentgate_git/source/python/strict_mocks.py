"""Stand-ins for a network that fail the test where a request which they wait for is never made."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from agentgate_git.model.inventory import PRESENT, SOUGHT, Assertion
from agentgate_git.source.nodes import last
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.text import Writer

_FLAGS = frozenset(
    (
        *("assert_all_requests_are_fired", "assert_all_called", "assert_all_mocked"),
        *("assert_all_responses_were_requested", "assert_all_requests_were_expected"),
    )
)
# What is strict where it is told nothing.
_STRICT = {"RequestsMock": "assert_all_requests_are_fired"}
_MAKERS = ("RequestsMock", "activate", "mock", "MockRouter", "httpx_mock")


def strict_mocks(function: Function, calls: Mapping[str, list[ast.Call]], writer: Writer) -> Iterator[Assertion]:
    """What they assert of a test; `calls` are those of the test by the last name of what is called."""
    decorators = [one for one in function.decorator_list if isinstance(one, ast.Call) and last(one.func) in _MAKERS]
    for call in (*decorators, *(one for name in _MAKERS for one in calls.get(name, ()))):
        said = {one.arg: one.value for one in call.keywords if one.arg in _FLAGS}
        for flag, value in said.items():
            if isinstance(value, ast.Constant) and value.value is True:
                yield _assertion(call, str(flag), SOUGHT, writer)
        default = _STRICT.get(last(call.func), "")
        if default and default not in said:
            yield _assertion(call, default, PRESENT, writer)


def _assertion(call: ast.Call, flag: str, strength: str, writer: Writer) -> Assertion:
    subject = writer.text(call.func)
    return Assertion(f"{subject} asks {flag}", subject, "asks", flag, strength, call.lineno)
