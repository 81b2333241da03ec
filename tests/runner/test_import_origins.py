from __future__ import annotations

import json
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


LAYOUTS = (
    "lib/foo/__init__.py",
    "lib/single.py",
    "packages/foo/src/foo/__init__.py",
    "packages/foo/src/foo/bar.py",
    "pkg/_vendor/packaging/version.py",
    "tests/utils.py",
    "tests/attr/__init__.py",
    "docs/conf.py",
    "tests/conftest.py",
)
SITE = "/venv/lib/python3/site-packages"


@pytest.mark.parametrize(
    ("name", "file", "is_foreign"),
    [
        pytest.param("foo.bar", "{run}/packages/foo/src/foo/bar.py", False, id="the-tree's"),
        pytest.param("utils", f"{SITE}/utils.py", False, id="a-name-that-a-test-helper-has-too"),
        pytest.param("packaging.version", f"{SITE}/packaging/version.py", False, id="vendored-and-installed"),
        pytest.param("attr", f"{SITE}/attr/__init__.py", False, id="installed-and-a-folder-of-tests"),
        pytest.param("conf", "/elsewhere/conf.py", False, id="a-module-of-another-project"),
        pytest.param("utils", "/elsewhere/other/utils.py", False, id="another-editable-project's"),
        pytest.param("tomli", "{clone}/.venv/lib/python3/site-packages/tomli.py", False, id="the-clone's-environment"),
        pytest.param("dep", "{clone}/env/src/dep/__init__.py", False, id="checked-out-into-an-environment"),
        pytest.param("conftest", "/elsewhere/tests/conftest.py", False, id="a-name-everybody-uses"),
        pytest.param("foo.bar", "{clone}/packages/foo/src/foo/bar.py", True, id="the-clone's"),
        pytest.param("foo.new", "{clone}/packages/foo/src/foo/new.py", True, id="the-clone's-alone"),
        pytest.param("helper", "{clone}/helper.py", True, id="whatever-its-name"),
        pytest.param("foo", "{link}/lib/foo/__init__.py", True, id="the-clone-through-a-link"),
        pytest.param("foo", "/elsewhere/lib/foo/__init__.py", True, id="another-clone's-package"),
        pytest.param("foo.bar", "/elsewhere/packages/foo/src/foo/bar.py", True, id="another-clone's-module"),
        pytest.param("src.foo.bar", "/elsewhere/packages/foo/src/foo/bar.py", True, id="named-from-in-between"),
        pytest.param("single", "/elsewhere/lib/single.py", True, id="another-clone's-single-file"),
    ],
)
def test_foreign_imports_in_any_layout(name: str, file: str, is_foreign: bool, tmp_path: Path) -> None:
    clone, link, run = tmp_path / "clone", tmp_path / "link", tmp_path / "run"
    run.mkdir()
    (clone / "env").mkdir(parents=True)
    (clone / "env" / "pyvenv.cfg").touch()
    link.symlink_to(clone)
    origin = (name, file.format(clone=clone, link=link, run=run))
    assert ((origin,) if is_foreign else ()) == foreign_imports([origin], LAYOUTS, (), str(run), (str(clone),))


def test_the_run_directory_may_lie_inside_a_checkout(tmp_path: Path) -> None:
    run = tmp_path / "tmp" / "run"
    origins = [("foo", f"{run}/lib/foo/__init__.py"), ("foo._version", f"{run}/lib/foo/_version.py")]
    assert () == foreign_imports(origins, LAYOUTS, (), str(run), (str(tmp_path),))


def test_a_checkout_that_the_tests_run_in_has_files_of_its_own(tmp_path: Path) -> None:
    origins = [("foo._version", f"{tmp_path}/lib/foo/_version.py")]
    assert () == foreign_imports(origins, LAYOUTS, (), str(tmp_path), (str(tmp_path),))


@pytest.mark.parametrize("is_out", [False, True], ids=["to-another-file-of-the-tree", "out-of-the-tree"])
def test_a_link_counts_as_what_it_leads_to(is_out: bool, tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    (tmp_path / "code.py").touch()
    (top / "real.py").touch()
    (top / "linked.py").symlink_to("../code.py" if is_out else "real.py")
    origin = ("linked", str(top / "linked.py"))
    assert ((origin,) if is_out else ()) == foreign_imports([origin], ("linked.py", "real.py"), (), str(top))


@pytest.mark.parametrize(
    ("url", "name", "is_foreign"),
    [
        pytest.param("", "foo", False, id="from-an-index"),
        pytest.param("file:///home/conda/feedstock_root", "foo", False, id="built-by-somebody-else"),
        pytest.param("file://{clone}/tools/helper", "helper", False, id="nothing-that-the-tree-holds"),
        pytest.param("file://{clone}/lib", "foo", True, id="from-the-clone"),
        pytest.param("file://{clone}/lib/dist/foo-1-py3-none-any.whl", "foo", True, id="built-in-the-clone"),
    ],
)
def test_a_copy_installed_from_the_clone(url: str, name: str, is_foreign: bool, tmp_path: Path) -> None:
    clone, site = tmp_path / "a clone", tmp_path / "venv/lib/python3/site-packages"
    info = site / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "RECORD").write_text(f"{name}/__init__.py,,\n")
    if url:
        target = url.format(clone=str(clone).replace(" ", "%20"))
        (info / "direct_url.json").write_text(json.dumps({"url": target, "dir_info": {}}))
    origins = [(name, f"{site}/{name}/__init__.py"), ("attr", f"{site}/attr/__init__.py")]
    expected = tuple(origins[:1]) if is_foreign else ()
    assert expected == foreign_imports(origins, LAYOUTS, (), str(tmp_path / "run"), (str(clone),))
