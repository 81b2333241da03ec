"""Clocks of production in other languages: what reads the time, and what holds a constant of it."""

from __future__ import annotations

import pytest

from testing.facts import traits

CLOCKS = {
    "a variable of Go": ("token.go", "package a\n\nvar now = time.Now\n", [("entropy.read.clock", "now")]),
    "a function of Go": (
        "token.go",
        "package a\n\nfunc now() time.Time {\n\treturn time.Unix(0, 0)\n}\n",
        [("entropy.fixed.clock", "now")],
    ),
    "put in place at the start": (
        "token.go",
        "package a\n\nfunc init() {\n\tnow = func() time.Time { return time.Unix(0, 0) }\n}\n",
        [("entropy.freeze.clock.suite", "init")],
    ),
    "a method of Ruby": ("lib/a.rb", "def now\n  Time.at(0)\nend\n", [("entropy.fixed.clock", "now")]),
    "a function of Rust": (
        "src/a.rs",
        "fn now() -> DateTime<Utc> {\n    Utc::now()\n}\n",
        [("entropy.read.clock", "now")],
    ),
    "a local variable": ("token.go", "package a\n\nfunc f() {\n\tnow := time.Now()\n}\n", []),
    "a name with the word in it": ("token.go", "package a\n\nvar known = true\nvar at = time.Now\n", []),
}


@pytest.mark.parametrize(("path", "text", "expected"), CLOCKS.values(), ids=CLOCKS)
def test_clocks(path: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == [(one.kind, one.owner) for one in traits(path, text) if one.kind.startswith("entropy.")]
