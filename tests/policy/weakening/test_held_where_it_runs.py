"""Conditions around what tests assert that hold, or never hold, on the machines that run them."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN

Files = dict[str, str]

IMPORTS = "import os\nimport platform\nimport sys\nfrom pathlib import Path\nimport app\n"
ON_LINUX = """\
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-python@v5
        with: {python-version: "3.12"}
      - run: pytest
"""
ON_BOTH = (
    ON_LINUX.replace("ubuntu-latest", "${{ matrix.os }}") + "    strategy:\n      matrix: {os: [ubuntu, windows]}\n"
)
ELSEWHERE = "on: push\njobs:\n  test:\n    uses: org/shared/.github/workflows/test.yml@v1\n"
NEW = ON_LINUX.replace("run: pytest", "run: tox -e py311,py312")
OLD = ON_LINUX.replace("run: pytest", "run: tox -e py37,py312")


def project(body: str, pipeline: str = ON_LINUX, before: str = "", **others: str) -> Files:
    """A project with one test, what stands before it in its file, and other files by their names with `__` for `/`."""
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    files = {"app.py": "def f(x):\n    return x + 1\n", ".github/workflows/ci.yml": pipeline}
    files["tests/test_a.py"] = f"{IMPORTS}{before}\ndef test_a():\n{indented}"
    return files | {name.replace("__", "/") + ".py": text for name, text in others.items()}


def judged(base: Files, head: Files) -> set[str]:
    sides = ({path: text.encode() for path, text in one.items()} for one in (base, head))
    return {one.severity for one in judge_files(*sides).findings}


INSIDE = "a = app.f(1)\n    assert a == 2"
CHECK = "a = app.f(1)\nassert a == 2"
BASE = project(CHECK)


def left(condition: str) -> str:
    return f"if {condition}:\n    return\n{CHECK}"


def same(head: str, pipeline: str = ON_LINUX, before: str = "") -> tuple[Files, Files]:
    return project(CHECK, pipeline), project(head, pipeline, before)


ALLOWED: dict[str, tuple[Files, Files]] = {
    "what leaves out a system that the gate is not": same(left("sys.platform == 'win32'")),
    "what leaves out Pythons that are out of use": same(left("sys.version_info < (3, 8)")),
    "under a condition that holds on every Linux": same(
        f"if os.name == 'posix':\n    {CHECK.replace(chr(10), chr(10) + '    ')}"
    ),
    "under a member that every Linux has": same(f"import time\nif hasattr(time, 'tzset'):\n    {INSIDE}"),
    "an `or` that only excuses another system": same(CHECK.replace("assert a", "assert os.name == 'nt' or a")),
    "what stood behind the condition at the base": (
        project(left("sys.platform == 'linux'")),
        project(left("sys.platform == 'linux'").replace("a = app.f(1)", "a = app.f(1)\nprint(a)")),
    ),
    "a new test for another system": (
        BASE,
        project(
            CHECK, before="def test_b():\n    if sys.platform == 'linux':\n        return\n    assert app.f(2) == 3\n"
        ),
    ),
    "a new test that waits for what its author has": (
        BASE,
        BASE
        | {
            "tests/test_b.py": f"{IMPORTS}import pytest\n@pytest.mark.skipif(not os.getenv('A_TOKEN'), reason='x')\n"
            "def test_b():\n    assert app.f(2) == 3\n"
        },
    ),
    "a value for each of two systems": (
        project(CHECK, ON_BOTH),
        project("a = app.f(1)\nif os.name == 'nt':\n    assert a == 2\nelse:\n    assert a == 2", ON_BOTH),
    ),
}
WARNED: dict[str, tuple[Files, Files]] = {
    "a system, where a pipeline runs on another": same(left("sys.platform == 'linux'"), ON_BOTH),
    "a system, where another repository has the pipeline": same(left("sys.platform == 'linux'"), ELSEWHERE),
    "a system, where nobody knows who runs the tests": (
        {path: text for path, text in BASE.items() if not path.startswith(".github")},
        {path: text for path, text in project(left("os.name == 'posix'")).items() if not path.startswith(".github")},
    ),
    "the system, and more": same(f"if app is None:\n    print()\nelif sys.platform == 'linux':\n    return\n{CHECK}"),
    "some Pythons in use": same(left("sys.version_info < (3, 12)")),
    "Pythons from one on, where a pipeline has one before": same(left("sys.version_info >= (3, 12)"), NEW),
    "a Python that a pipeline has": same(left("sys.version_info >= (3, 8)"), OLD),
    "pytest, where a pipeline runs another runner": same(
        left("'pytest' in sys.modules"), ON_LINUX.replace("run: pytest", "run: python -m unittest")
    ),
    "what is there or not": same(left("os.path.exists('/opt/tool')")),
    "an `or` beside the assertion": same(CHECK.replace("assert a", "assert sys.platform == 'linux' or a"), ON_BOTH),
    "a variable of one pipeline in a skip": same(
        f"import pytest\nif 'GITHUB_ACTIONS' in os.environ:\n    pytest.skip()\n{CHECK}"
    ),
    "another value where the tests run, the old one elsewhere": same(
        "a = app.f(1)\nif sys.platform == 'linux':\n    assert a == 3\nelse:\n    assert a == 2"
    ),
}
MOVED = CHECK.replace("\n", "\n    ")
BLOCKED: dict[str, tuple[Files, Files]] = {
    "the system": same(left("sys.platform == 'linux'")),
    "any system like it": same(left("os.name == 'posix'")),
    "by the name of the platform": same(left("platform.system() == 'Linux'")),
    "by how it begins": same(left("sys.platform.startswith('lin')")),
    "any that is not another": same(left("sys.platform != 'win32'")),
    "by a constant": same(left("LINUX"), before="LINUX = sys.platform == 'linux'\n"),
    "one of several": same(left("sys.platform in ('linux', 'darwin')")),
    "every Python in use": same(left("sys.version_info >= (3, 8)")),
    "every Python of the pipeline": same(left("sys.version_info >= (3, 11)"), NEW),
    "the system, in place of another condition": (
        project(left("os.path.exists('/opt/tool')")),
        project(left("sys.platform == 'linux'")),
    ),
    "CPython": same(left("platform.python_implementation() == 'CPython'")),
    "pytest": same(left("'pytest' in sys.modules")),
    "that a test runs": same(left("'PYTEST_CURRENT_TEST' in os.environ")),
    "that a test runs, asked in another way": same(left("os.environ.get('PYTEST_CURRENT_TEST')")),
    "the module of the test": same(left("'app' in sys.modules")),
    "a folder of every machine": same(left("os.path.exists('/usr')")),
    "a folder of every machine, as a path": same(left("Path('/etc').is_dir()")),
    "the file of the test": same(left("os.path.exists(__file__)")),
    "a pipeline": same(left("'CI' in os.environ")),
    "a kind of pipeline": same(left("'GITHUB_ACTIONS' in os.environ")),
    "the variable of a kind of pipeline": same(left("os.environ.get('GITHUB_ACTIONS')")),
    "the rest in an else": same(f"if sys.platform == 'linux':\n    pass\nelse:\n    {MOVED}"),
    "the rest behind a case": same(f"match sys.platform:\n    case 'linux':\n        return\n{CHECK}"),
    "an `or` before the assertion": same(CHECK.replace("assert a", "assert sys.platform == 'linux' or a")),
    "an `or` behind the assertion": same(f"{CHECK} or os.name == 'posix'"),
    "a choice in the assertion": same(f"{CHECK} if sys.platform != 'linux' else True"),
    "a test that asserts nothing": (project("app.f(1)"), project("if os.name == 'posix':\n    return\napp.f(1)")),
    "a mark": (
        BASE,
        project(CHECK, before="import pytest\n@pytest.mark.skipif(sys.platform == 'linux', reason='x')"),
    ),
}


@pytest.mark.parametrize(("base", "head"), ALLOWED.values(), ids=ALLOWED)
def test_what_still_runs_where_it_ran_is_allowed(base: Files, head: Files) -> None:
    assert set() == judged(base, head)


@pytest.mark.parametrize(("base", "head"), WARNED.values(), ids=WARNED)
def test_what_may_not_run_any_more_warns(base: Files, head: Files) -> None:
    assert {WARN} == judged(base, head)


@pytest.mark.parametrize(("base", "head"), BLOCKED.values(), ids=BLOCKED)
def test_what_runs_nowhere_any_more_blocks(base: Files, head: Files) -> None:
    assert {BLOCK} == judged(base, head)
