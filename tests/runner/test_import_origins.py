from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.runner.import_roots import import_roots, module_name
from agentgate_git.runner.origins import foreign_imports


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        pytest.param(("pkg/__init__.py", "setup.py"), (), id="flat"),
        pytest.param(("src/pkg/__init__.py", "tests/test_a.py"), ("src",), id="package-below-src"),
        pytest.param(("src/module.py",), ("src",), id="module-below-src"),
        pytest.param(("src/space/pkg/__init__.py",), ("src",), id="namespace-below-src"),
        pytest.param(("src/__init__.py", "src/module.py"), (), id="src-is-a-package"),
        pytest.param(("src/main.c", "src/gen-tables.py"), (), id="nothing-to-import"),
    ],
)
def test_import_roots(paths: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert expected == import_roots(paths)


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        pytest.param("pkg/sub/mod.py", "", "pkg.sub.mod", id="module"),
        pytest.param("src/pkg/__init__.py", "src", "pkg", id="package"),
        pytest.param("pkg/mod.py", "src", "", id="outside-the-root"),
        pytest.param("src/__init__.py", "src", "", id="the-root-itself"),
        pytest.param("pkg/my-script.py", "", "", id="no-identifier"),
        pytest.param("pkg/mod.pyc", "", "", id="no-source"),
    ],
)
def test_module_name(path: str, root: str, expected: str) -> None:
    assert expected == module_name(path, root)


TREE = ("src/pkg/__init__.py", "src/pkg/mod.py", "tests/conftest.py", "conftest.py")


@pytest.mark.parametrize(
    ("name", "file", "is_foreign"),
    [
        pytest.param("pkg.mod", "{top}/src/pkg/mod.py", False, id="the-tree's"),
        pytest.param("pkg.generated", "/elsewhere/pkg/generated.py", False, id="not-provided-by-the-tree"),
        pytest.param("conftest", "/elsewhere/conftest.py", False, id="a-name-everybody-uses"),
        pytest.param("pkg.mod", "{link}/src/pkg/mod.py", False, id="through-a-link-to-the-work-tree"),
        pytest.param("pkg.mod", "/elsewhere/pkg/mod.py", True, id="outside"),
        pytest.param("pkg", "{top}/.venv/lib/python3/site-packages/pkg/__init__.py", True, id="installed-inside"),
        pytest.param("pkg.mod", "{top}/build/lib/pkg/mod.py", True, id="built-inside"),
        pytest.param("src.pkg.mod", "/elsewhere/src/pkg/mod.py", True, id="named-from-the-top"),
    ],
)
def test_foreign_imports(name: str, file: str, is_foreign: bool, tmp_path: Path) -> None:
    top, link = tmp_path / "top", tmp_path / "link"
    top.mkdir()
    link.symlink_to(top)
    origin = (name, file.format(top=top, link=link))
    assert ((origin,) if is_foreign else ()) == foreign_imports([origin], TREE, ("src",), str(top))
