"""Configuration files of every format as one tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.model.config_node import LIST, SCALAR, ConfigNode, TreeError
from agentgate_git.model.config_paths import config_format
from agentgate_git.wire.config_tree import MAX_BYTES, read_tree


def plain(node: ConfigNode) -> object:
    """A tree as Python values; a call is its arguments, and its block after them."""
    if node.kind == SCALAR:
        return node.text
    items = [plain(item) for item in node.items]
    entries = {name: plain(value) for name, value in node.entries}
    if node.kind == LIST or not entries:
        return items
    return [*items, entries] if items else entries


TREES: dict[str, tuple[str, str, object]] = {
    "yaml with anchors and merge keys": (
        ".gitlab-ci.yml",
        ".base: &base\n  retry: 1\n  script: [a]\ntest:\n  <<: *base\n  script: !reference [x, y]\n  off: off\n",
        {
            ".base": {"retry": "1", "script": ["a"]},
            "test": {"retry": "1", "script": ["x", "y"], "off": "off"},
        },
    ),
    "yaml with several documents": (".drone.yml", "kind: a\n---\nkind: b\n", [{"kind": "a"}, {"kind": "b"}]),
    "toml": ("pyproject.toml", "[tool.x]\na = true\nb = [1, 'c']\n", {"tool": {"x": {"a": "true", "b": ["1", "c"]}}}),
    "ini": (
        "tox.ini",
        "[testenv]\n# words\ncommands =\n    - pytest\n    mypy  # types\nskip = 1 ; no\n",
        {"testenv": {"commands": ["- pytest", "mypy"], "skip": "1"}},
    ),
    "make": (
        "Makefile",
        "FLAGS += -i\ntest: unit \\\n  lint\n\t@-pytest \\\n\t  -q\n# no\nother:: ; true\n",
        {
            "targets": {
                "test": {"needs": "unit  lint", "recipe": ["@-pytest  -q"]},
                "other": {"needs": "", "recipe": ["true"]},
            },
            "variables": {"FLAGS": "$(FLAGS) -i"},
        },
    ),
    "json with comments": (
        "tsconfig.json",
        '{// words\n"a": [1, "b",], /* more */ "c": {"d": null}}',
        {"a": ["1", "b"], "c": {"d": "null"}},
    ),
    "xml": (
        "pom.xml",
        '<?xml version="1.0"?><p a="1"><b>x</b><b>y</b></p>',
        {"p": {"@a": "1", "b": "y"}},
    ),
    "javascript": (
        "vitest.config.ts",
        "import x from 'y';\nexport default defineConfig({ test: { a: !!process.env.CI, b: /x/, ...c, d: ['e'] } });\n",
        {"x": ["y"], "defineConfig": {"test": {"a": "!!process.env.CI", "b": "/x/", "d": ["e"]}}},
    ),
    "groovy": (
        "build.gradle",
        "test {\n  useJUnitPlatform { excludeTags 'a', 'b' }\n  ignoreFailures = true // no\n}\n",
        {"test": {"useJUnitPlatform": {"excludeTags": ["a", "b"]}, "ignoreFailures": "true"}},
    ),
    "kotlin": (
        "build.gradle.kts",
        'tasks.withType<Test> {\n  useJUnitPlatform { excludeTags("a") }\n}\n',
        {"tasks.withType": ["Test", {"useJUnitPlatform": {"excludeTags": ["a"]}}]},
    ),
    "cmake": (
        "CMakeLists.txt",
        "# no\nset_tests_properties(a PROPERTIES WILL_FAIL TRUE)\n",
        {"set_tests_properties": ["a", "PROPERTIES", "WILL_FAIL", "TRUE"]},
    ),
    "lines": (".rspec", "--color\n\n# no\n--tag ~slow\n", ["--color", "--tag ~slow"]),
    "a script": ("ci/test.sh", "pytest\r\n", "pytest\n"),
    "a mark before the text": ("package.json", '\ufeff{"a": 1}', {"a": "1"}),
}


@pytest.mark.parametrize(("path", "text", "expected"), TREES.values(), ids=TREES)
def test_each_format_is_one_tree(path: str, text: str, expected: object) -> None:
    assert expected == plain(read_tree(path, text.encode()))


def test_lines_are_those_of_the_text() -> None:
    tree = read_tree(".github/workflows/a.yml", b"jobs:\n  a:\n    steps:\n      - run: |\n          x\n          y\n")
    (step,) = tree.get("jobs", "a", "steps").items
    assert (2, 5) == (tree.get("jobs", "a").line, step.get("run").line)
    assert 3 == read_tree("pyproject.toml", b"[a]\n\nb = 1\n").get("a", "b").line
    assert 4 == read_tree("tox.ini", b"[a]\nc =\n  x\n  y\n").get("a", "c").items[1].line
    assert 3 == read_tree("pom.xml", b"<a>\n<b/>\n<c>1</c></a>").get("a", "c").line
    assert 3 == read_tree("package.json", b'{\n"a": {\n"b": 1}}').get("a", "b").line


DEEP = 100_000
REFUSED: dict[str, tuple[str, bytes]] = {
    "yaml that is none": (".travis.yml", b"a: [b\nc: *\n"),
    "yaml nested too deeply": (".travis.yml", b"[" * DEEP),
    "yaml of aliases upon aliases": (
        ".travis.yml",
        b"a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        + b"".join(b"a%d: &a%d [%s]\n" % (n + 1, n + 1, b", ".join([b"*a%d" % n] * 9)) for n in range(9)),
    ),
    "toml that is none": ("pyproject.toml", b"[a\n"),
    "toml nested too deeply": ("pyproject.toml", b"a = " + b"[" * DEEP),
    "json that goes on": ("package.json", b'{"a": 1} }'),
    "json that is no object": ("package.json", b"words"),
    "json nested too deeply": ("package.json", b'{"a":' * DEEP),
    "code nested too deeply": ("build.gradle", b"a {" * DEEP),
    "xml that is none": ("pom.xml", b"<a><b></a>"),
    "xml nested too deeply": ("pom.xml", b"<a>" * DEEP),
    "xml with an entity": ("pom.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    "a file beyond all bounds": ("Makefile", b"#" * (MAX_BYTES + 1)),
}


@pytest.mark.parametrize(("path", "data"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_says_why(path: str, data: bytes) -> None:
    with pytest.raises(TreeError):
        read_tree(path, data)
    assert "" != read_facts(path, data).problem


PATHS = (
    *(".travis.yml", ".github/workflows/a.yml", ".gitlab-ci.yml", "pyproject.toml", "tox.ini", "setup.cfg", "Makefile"),
    *("package.json", "pom.xml", "build.gradle", "Jenkinsfile", "CMakeLists.txt", "ci/test.sh", ".rspec", "noxfile.py"),
    *("vitest.config.ts", "spec/spec_helper.rb", "test/test_helper.exs", ".pre-commit-config.yaml", "codecov.yml"),
)
PIECES = st.sampled_from(
    (
        *(
            b"run: ",
            b"pytest ",
            b"|| true",
            b"'",
            b'"',
            b"$(",
            b"${{",
            b"{",
            b"}",
            b"(",
            b")",
            b"[",
            b"]",
            b"\n",
            b"\t",
        ),
        *(
            b"if ",
            b"then ",
            b"fi ",
            b"case x in ",
            b"esac",
            b"<<EOF\n",
            b"\\",
            b"&",
            b"|",
            b";",
            b"#",
            b":",
            b"=",
            b"<a>",
        ),
        *(
            b"jobs:\n  a:\n",
            b"steps:\n",
            b"sh ",
            b"test",
            b"\xff",
            b"\x00",
            b"for x in y; do ",
            b"done",
            b"!",
            b"*",
            b"- ",
        ),
    )
)


@pytest.mark.parametrize("path", PATHS)
@given(data=st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=40).map(b"".join)))
@settings(max_examples=60, deadline=None)
def test_no_bytes_make_a_reader_fail(path: str, data: bytes) -> None:
    assert path == read_facts(path, data).path


FORMATS = {
    "src/app.yml": "",
    "src/tasks.py": "",
    "README.md": "",
    "deploy/values.yml": "",
    ".github/dependabot.yml": "",
    ".github/ISSUE_TEMPLATE/bug.yml": "",
    "data/package-lock.json": "",
    "src/eslint.js": "",
    "docker-compose.yml": "yaml",
    ".github/workflows/ci.yml": "yaml",
    ".GitHub/workflows/ci.yaml": "yaml",
    ".gitlab/ci/test.yml": "yaml",
    "ci/azure-pipelines-windows.yml": "yaml",
    "packages/a/package.json": "json",
    "packages/a/jest.config.e2e.ts": "code",
    ".mocharc.cjs": "code",
    ".nycrc": "json",
    "tasks.py": "python",
    "scripts/run-tests": "shell",
    "runtests": "shell",
    ".husky/pre-commit": "shell",
    "src/Foo.Tests/Foo.Tests.csproj": "xml",
}


@pytest.mark.parametrize(("path", "expected"), FORMATS.items(), ids=FORMATS)
def test_a_path_alone_says_which_format_is_read(path: str, expected: str) -> None:
    assert expected == config_format(path)
