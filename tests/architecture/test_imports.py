"""The folders are the architecture: who may import whom, and what a hook may load."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from testing.repo_builder import RepoBuilder

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "agentgate_git"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Folder by folder: the folders it may import from, besides itself. The same table stands in docs/architecture.md.
ALLOWED = {
    "model": (),
    "source": ("model",),
    "policy": ("model",),
    "wire": ("model",),
    "render": ("model",),
    "repo": ("model",),
    "evidence": ("model", "wire", "repo"),
    "runner": ("model", "wire", "source"),
    "flows": ("model", "source", "policy", "wire", "repo", "evidence", "runner"),
    "cli": ("model", "flows", "render"),
    "hook": ("model", "flows", "render"),
    "inside": (),
    "data": (),
}
# The entry point hands `hook …` over to the hooks.
ENTRY_POINTS = {"__main__.py": {"cli"}, "cli/main.py": {"hook"}}
# Pure folders have no eyes and no hands: no modules that do I/O, read the clock, the environment or chance.
PURE = ("model", "source", "policy", "wire", "render")
IMPURE_MODULES = frozenset(
    (
        *("os", "sys", "pathlib", "shutil", "tempfile", "glob", "fileinput", "mmap", "fcntl", "stat"),
        *("subprocess", "signal", "select", "socket", "ssl", "asyncio", "threading", "multiprocessing", "ctypes"),
        *("time", "datetime", "random", "secrets", "uuid", "platform", "getpass", "locale", "logging"),
        *("importlib", "urllib", "http", "git"),
    )
)
# Packages that take long to load, or are not there for everybody: never at the head of a module.
LATE_PACKAGES = frozenset(("git", "pytest", "rich", "jsonschema", "tree_sitter", "jinja2", "parsl"))
# Modules that may import inside a function, and what for.
LATE_IMPORTS = {
    "cli/main.py": "the command table: a hook loads nothing else",
    "cli/verbs/help.py": "the command table, which has this verb in it",
    "cli/boundary.py": "a crash report, once it has come to that",
    "flows/workspace.py": "PyYAML, only where the base has a policy to read",
    "flows/change_sets/included_pipelines.py": "PyYAML, only where a pipeline includes files that changed",
    "flows/change_sets/judged_files.py": "PyYAML, only where there is a manifest to read",
    "hook/stages.py": "the checks, only when there is something to check",
    "runner/installed.py": "importlib.metadata, once a module of the tree came from where packages are installed",
    "inside/pins/held.py": "what only some processes of a pinned run need",
    "cli/verbs/decide.py": "what reads a repository, which plain files do without",
    "cli/verbs/scan.py": "what reads files, which a history of known findings does without",
    "flows/scan_history.py": "what judges, once a commit is not known",
    "source/facts.py": "readers of languages other than Python, once a file needs one",
    "flows/change_sets/read_facts.py": "readers of configuration, once a file needs one",
    "policy/guarded_names.py": "unicodedata, for the rare path that is not ASCII",
}
# Which of them a folder may import inside a function.
LATE_PACKAGES_OF = {
    "repo": {"git"},
    "flows": {"git"},
    "cli": {"rich"},
    "render": {"rich"},
    "source": {"tree_sitter"},
}
HEAVY = ("typing", "re", "enum", "dataclasses", "subprocess", "json", "argparse", "pathlib", "functools", "collections")

MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 60


@cache
def parsed(path: Path) -> ast.Module:
    """Read once for all questions; nobody changes it."""
    return ast.parse(path.read_bytes(), str(path))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def folder_of(path: Path) -> str:
    return name_of(path).partition("/")[0] if "/" in name_of(path) else ""


def imports(tree: ast.AST, *, with_annotations: bool = True) -> Iterator[tuple[str, ast.stmt]]:
    """Every module that is imported below a node, with the statement."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and is_type_checking(node) and not with_annotations:
            yield from imports(ast.Module(node.orelse, []), with_annotations=with_annotations)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from ((f"{node.module}.{alias.name}", node) for alias in node.names)
        elif not isinstance(node, ast.expr):  # no expression holds a statement
            yield from imports(node, with_annotations=with_annotations)


def is_type_checking(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function below a node, those in functions too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        if not isinstance(node, ast.expr):
            yield from functions(node)


def late_imports(tree: ast.Module) -> Iterator[str]:
    for function in functions(tree):
        yield from (name for name, _ in imports(function))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_folder_imports_only_what_the_table_allows(path: Path) -> None:
    folder = folder_of(path)
    ours = {name.split(".")[1] for name, _ in imports(parsed(path)) if name.startswith("agentgate_git.")}
    allowed = {folder, "__version__", *ALLOWED.get(folder, ()), *ENTRY_POINTS.get(name_of(path), ())}
    assert set() == ours - allowed


def test_the_table_names_every_folder() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert set(ALLOWED) == folders


def test_the_table_of_the_documentation_is_this_one() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    written = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 and cells[0].strip("`/") in ALLOWED:
            written[cells[0].strip("`/")] = tuple(cells[2].replace("–", "").replace("`", "").replace(",", " ").split())
    assert {name: allowed for name, allowed in ALLOWED.items() if name != "data"} == written


@pytest.mark.parametrize("path", [path for path in MODULES if folder_of(path) in PURE], ids=name_of)
def test_pure_folders_do_no_input_or_output(path: Path) -> None:
    tree = parsed(path)
    modules = {name.partition(".")[0] for name, _ in imports(tree, with_annotations=False)}
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    opened = {node.id for node in called if isinstance(node, ast.Name)} & {"open", "print", "input"}
    opened |= {node.attr for node in called if isinstance(node, ast.Attribute)} & {"open", "open_code"}
    assert set() == modules & IMPURE_MODULES | opened


@pytest.mark.parametrize("path", [path for path in MODULES if folder_of(path) == "inside"], ids=name_of)
def test_what_runs_inside_needs_the_standard_library_and_pytest_only(path: Path) -> None:
    foreign = {name.partition(".")[0] for name, _ in imports(parsed(path))} - set(sys.stdlib_module_names)
    assert set() == foreign - {"pytest"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_inside_functions_stand_in_named_places_only(path: Path) -> None:
    late = set(late_imports(parsed(path)))
    if name_of(path) in LATE_IMPORTS:
        assert late != set(), "the module is named and imports nothing late"
        return
    assert set() == {name.partition(".")[0] for name in late} - LATE_PACKAGES_OF.get(folder_of(path), set())


@pytest.mark.parametrize("path", [path for path in MODULES if folder_of(path) != "inside"], ids=name_of)
def test_slow_packages_are_never_loaded_with_a_module(path: Path) -> None:
    tree = parsed(path)
    inside_functions = set(late_imports(tree))
    loaded = {name for name, _ in imports(tree, with_annotations=False)} - inside_functions
    assert set() == {name.partition(".")[0] for name in loaded} & LATE_PACKAGES


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_functions_stay_short(path: Path) -> None:
    tree = parsed(path)
    long = [f.name for f in functions(tree) if (f.end_lineno or 0) - f.lineno + 1 > MAX_FUNCTION_LINES]
    assert [] == long
    assert len(path.read_bytes().splitlines()) <= MAX_MODULE_LINES


def test_broad_excepts_stand_at_the_boundary_only() -> None:
    broad = {
        name_of(path)
        for path in MODULES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name) and node.type.id == "Exception"
    }
    assert {"cli/boundary.py"} == broad


def test_one_module_knows_tree_sitter() -> None:
    users = {
        name_of(path)
        for path in MODULES
        for name, _ in imports(parsed(path), with_annotations=False)
        if name.partition(".")[0] == "tree_sitter"
    }
    assert {"source/languages/grammars.py"} == users


def test_b37_b39_one_module_knows_gitpython_and_none_starts_threads() -> None:
    """GitPython cannot read SHA-256 repositories and its Repo is not safe in threads, so it decides nothing.

    What watches the tests' own threads from inside starts none.
    """
    users = {module: set() for module in ("git", "threading", "concurrent")}
    for path in MODULES:
        for name, _ in imports(parsed(path)):
            users.get(name.partition(".")[0], set()).add(name_of(path))
    assert {"git": {"repo/remote.py"}, "threading": {"inside/execution.py"}, "concurrent": set()} == users


HOOK_PROBE = """
import sys
before = set(sys.modules)
sys.argv = ["git-agentgate", "hook", "pre-commit"]
from agentgate_git.cli.main import main
status = main()
print(status, *sorted(set(sys.modules) - before))
"""


def modules_loaded_by_the_hook(repo: RepoBuilder) -> tuple[int, set[str]]:
    """Run the hook in a bare interpreter and see what it loaded beyond that."""
    done = repo.run(sys.executable, "-I", "-S", "-c", f"import sys; sys.path.append({os.fspath(ROOT)!r})\n{HOOK_PROBE}")
    assert b"" == done.stderr
    status, *names = done.stdout.decode().split()
    return int(status), set(names)


def test_the_pre_commit_hook_loads_no_heavy_module_on_its_pass_path(repo: RepoBuilder) -> None:
    repo.commit({"pkg/core.py": "def one():\n    return 1\n"})
    repo.write({"pkg/core.py": "def one():\n    return 2 - 1\n"})
    repo.git("add", "-A")
    status, names = modules_loaded_by_the_hook(repo)
    assert 0 == status
    assert set() == names & set(HEAVY)


def test_the_pre_commit_hook_loads_the_checks_when_a_change_can_matter(repo: RepoBuilder) -> None:
    repo.commit({"tests/test_core.py": "def test_one():\n    assert 1 == 1\n"})
    repo.write({"tests/test_core.py": "def test_one():\n    assert 2 == 2\n"})
    repo.git("add", "-A")
    done = repo.run(sys.executable, "-m", "agentgate_git", "hook", "pre-commit")
    assert 0 == done.returncode
