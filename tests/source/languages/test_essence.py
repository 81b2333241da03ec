"""What production of other languages says: the same where it is only laid out, commented or imported otherwise."""

from __future__ import annotations

import pytest

from agentgate_git.source.languages.essence import essence_of
from agentgate_git.source.test_names import language_of


@pytest.mark.parametrize(
    ("path", "one", "other", "is_same"),
    [
        ("src/a.js", "f(1);\n", "// says one\nf(1);\n", True),
        ("src/a.js", "f(1);\n", "/** Says one. */\nf( 1 );\n\n", True),
        ("src/a.js", "const h = require('https');\nf(1);\n", "f(1);\n", True),
        ("src/a.ts", "export const f = (a: string) => a;\n", "export const f = (a: string): string => a;\n", True),
        ("src/i.ts", "export * from './a';\n", "export { a } from './a';\n", True),
        ("src/A.java", "import a.B;\nclass A { }\n", "class A { // one\n}\n", True),
        ("lib/a.rb", "puts 1 # one\n", "puts 1\n", True),
        ("src/a.js", "f(1);\n", "f(2);\n", False),
        ("src/a.js", "f('a b');\n", "f('a  b');\n", False),
        ("src/a.js", "f('http://a');\n", "f('http://b');\n", False),
        ("src/a.js", "f(`// a`);\n", "f(`// b`);\n", False),
        ("src/a.js", "import './a.css';\nf(1);\n", "f(1);\n", False),
        ("src/a.js", "x(/[/]/, 1);\n", "x(/[/]/, 2);\n", False),
        ("src/a.js", "a = /https?:\\/\\//.test(b);\n", "a = /https?:\\/\\//.exec(b);\n", False),
        ("lib/a.rb", 'puts "#{a} # 1"\n', 'puts "#{a} # 2"\n', False),
        ("src/a.php", "#[A]\nf(1);\n", "f(1);\n", False),
        ("src/a.go", "f(1)\n", "f(1)\ng(2)\n", False),
    ],
)
def test_what_production_says(path: str, one: str, other: str, *, is_same: bool) -> None:
    found = [essence_of(path, language_of(path), text.encode()) for text in (one, other)]
    assert is_same == (found[0] == found[1])
    assert 1 == len(found[0])


def test_what_is_not_told() -> None:
    assert () == essence_of("src/a.c", language_of("src/a.c"), b"int a;\n")
    assert () == essence_of("src/a.js", language_of("src/a.js"), b" " * (1 << 19))
