"""Configuration in which little stands for much is refused and told, and no single line takes a time of its own."""

from __future__ import annotations

import pytest

from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.flows.scan import judge_files
from agentgate_git.model.code import NOT_JUDGED

CI = ".github/workflows/ci.yml"
AXES = "[" + ", ".join(str(at) for at in range(16)) + "]"
STEPS = f"jobs:\n  t:\n    strategy: {{matrix: {{a: {AXES}, b: {AXES}}}}}\n    steps:\n"
ON_ROWS = "      - {if: matrix.a == 'x' && matrix.b == 'y', run: pytest}\n"
OPTIONS = " ".join(f"--deselect a{at}" for at in range(101))
CALLS = "".join(f'f{at}() {{ f{at + 1} "$@" "$@"; }}\n' for at in range(15)) + 'f15() { pytest "$@"; }\nf0 a\n'
LISTS = (
    "def t(c):\n    a = ['b'" + ", 'b'" * 40 + "]\n    d = [a" + ", a" * 40 + "]\n    c.run([d" + ", d" * 40 + "])\n"
)
UNDER = "".join(f"ifdef A{at}\n" for at in range(50))

READ = {
    "conditions on a matrix": (CI, STEPS + ON_ROWS * 10),
    "arguments handed on": ("ci/test.sh", 'f() { pytest "$@" "$@"; }\nf a b c\n'),
    "tasks of tasks": ("pyproject.toml", "[tool.poe.tasks]\nc = 'pytest'\nb = ['c', 'c']\na = ['b', 'b']\n"),
    "nested words of an image": ("Dockerfile", "FROM a\nRUN " + "[" * 100_000 + "\n"),
    "a long variable of an image": ("Dockerfile", "FROM a\nENV " + "a" * 100_000 + "\n"),
    "a long run of an image": ("Dockerfile", "FROM a\nRUN a" + " <<\\\n" * 20_000 + "\n"),
    "a long line of sbt": ("build.sbt", "Test sources " * 15_000 + "\n"),
    "a long list of tox": ("tox.ini", "[tox]\nenvlist = " + "{a," * 400 + ", " * 50_000 + "\n"),
    "a filter of spaces": (".config/nextest.toml", f"[profile.ci]\ndefault-filter = '{' ' * 100_000}x'\n"),
    "brackets that nothing opens": ("build.gradle", "a=1 )" * 20_000),
    "a long name of Ruby": ("a_spec.rb", f"it('t') {{ expect({'a' * 100_000}).to eq(1) }}\n"),
    "spaces before all": ("sitecustomize.py", " " * 100_000 + "x\n"),
}


@pytest.mark.parametrize(("path", "text"), READ.values(), ids=READ)
def test_what_is_little_or_long_is_read(path: str, text: str) -> None:
    assert "" == read_facts(path, text.encode()).problem


REFUSED = {
    "recipes of long values": ("Makefile", "A = " + "x" * 9_000 + "\nt:\n" + "\t$(A)\n" * 12),
    "lines under many conditions": ("Makefile", UNDER + "A = b\n" * 201),
    "conditions on many rows": (CI, STEPS + ON_ROWS * 30),
    "options of a variable": (CI, f"env: {{PYTEST_ADDOPTS: {OPTIONS}}}\n{STEPS}      - run: pytest\n"),
    "many globs of tests": ("jest.config.js", "module.exports = {testMatch: [" + "'a/**/*.js'," * 201 + "]}"),
    "tasks that are lists of tasks": (
        "pyproject.toml",
        "[tool.poe.tasks]\nc = 'true'\nb = [" + "'c'," * 60 + "]\na = [" + "'b'," * 60 + "]\n",
    ),
    "arguments handed on twice": ("ci/test.sh", CALLS),
    "lists of lists of words": ("tasks.py", LISTS),
    "references to long commands": (
        "tox.ini",
        f"[s]\nk = {'x' * 9_000}\n[testenv]\ncommands =\n" + "    {[s]k}\n" * 12,
    ),
    "deep cases": ("tests/cases.json", "[" * 100_000),
}


@pytest.mark.parametrize(("path", "text"), REFUSED.values(), ids=REFUSED)
def test_what_stands_for_too_much_is_told(path: str, text: str) -> None:
    found = judge_files({}, {path: text.encode()}).findings
    assert NOT_JUDGED in {one.code for one in found}


def test_lines_of_coverage_with_many_repeats_are_not_tried_out() -> None:
    base = "[tool.coverage.report]\nexclude_lines = ['pragma: no cover']\n"
    head = base.replace("']", f"', '{'a?.*b*' * 30}']")
    found = judge_files({"pyproject.toml": base.encode()}, {"pyproject.toml": head.encode()}).findings
    assert ["E_GATE_CONFIG"] == [one.code for one in found]
