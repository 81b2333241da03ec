"""The checks of pages find what they are for, and leave alone what is fine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(name: str) -> ModuleType:
    spec = util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


checks = load("docs_checks")


@pytest.mark.parametrize(
    ("check", "text"),
    [
        pytest.param(checks.broken_links, "see [that](#a-heading)\n\n## A heading\n", id="a heading of the page"),
        pytest.param(checks.broken_links, "see [that](https://example.org/x)", id="a link that leads outside"),
        pytest.param(checks.broken_links, "```\n[x](nowhere.md)\n```\n", id="no link in a block of code"),
        pytest.param(checks.unknown_commands, "`git agentgate verify HEAD --base main`", id="a verb with an option"),
        pytest.param(checks.unknown_commands, "git agentgate -C there check --staged", id="an option before the verb"),
        pytest.param(checks.unknown_commands, "git agentgate capture -- --lf", id="arguments for pytest"),
        pytest.param(checks.unknown_targets, "run `make test`", id="a target"),
        pytest.param(checks.unknown_codes, "it is E_STALE", id="a code"),
    ],
)
def test_what_is_fine_is_left_alone(check: Callable[..., object], text: str) -> None:
    assert [] == list(check(ROOT, ROOT / "page.md", text))


@pytest.mark.parametrize(
    ("check", "text", "problem"),
    [
        pytest.param(checks.broken_links, "[x](nowhere.md)", "the link nowhere.md leads nowhere", id="no such page"),
        pytest.param(
            checks.broken_links,
            "[x](README.md#nothing)",
            "the link README.md#nothing names a heading that is not there",
            id="no such heading",
        ),
        pytest.param(checks.broken_links, "[x](../x)", "the link ../x leads nowhere", id="outside of the project"),
        pytest.param(
            checks.unknown_commands, "`git agentgate bless`", "`git agentgate bless` is no command", id="no such verb"
        ),
        pytest.param(
            checks.unknown_commands,
            "`git agentgate check --loud`",
            "`git agentgate check` has no option --loud",
            id="no such option",
        ),
        pytest.param(checks.unknown_targets, "`make tea`", "`make tea` is no target of the Makefile", id="target"),
        pytest.param(checks.unknown_codes, "E_NO_SUCH_CODE", "E_NO_SUCH_CODE is no code of model/code.py", id="code"),
    ],
)
def test_what_is_wrong_is_named(check: Callable[..., object], text: str, problem: str) -> None:
    assert [problem] == list(check(ROOT, ROOT / "page.md", text))


def test_a_code_without_a_page_and_a_page_without_a_section_are_named(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs/codes", tmp_path / "codes")
    (tmp_path / "codes/E_STALE.md").unlink()
    page = tmp_path / "codes/E_UNDECIDED.md"
    page.write_text(page.read_text(encoding="utf-8").replace("## Why", "## Because"), encoding="utf-8")
    assert [
        "docs/codes: E_STALE has no page",
        "docs/codes/E_UNDECIDED.md: has no section 'Why'",
    ] == list(checks.code_pages(tmp_path / "codes"))


def test_a_word_that_is_explained_twice_is_named(tmp_path: Path) -> None:
    page = tmp_path / "glossary.md"
    page.write_text("| **base** | one |\n| **Base** | two |\n", encoding="utf-8")
    assert ["docs/glossary.md: 'Base' is explained twice"] == list(checks.glossary(page))


def test_the_changelog_takes_every_fragment_once(tmp_path: Path) -> None:
    for name in ("tools", "changelog.d"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    (tmp_path / "changelog.d/9.fix.md").write_text("Repaired\nsomething.\n", encoding="utf-8")
    command = [sys.executable, "tools/build_changelog.py", "9.9.9", "2026-12-24"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "<!-- releases -->\n\n## 9.9.9 (2026-12-24)\n" in text
    assert text.count("### Repaired\n") == text.count("- Repaired\n  something.\n") == 1
    assert ["README.md"] == [path.name for path in (tmp_path / "changelog.d").iterdir()]
