"""The documentation is made from the code or checked against it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from agentgate_git.hook.stages import STAGES
from agentgate_git.model.paths import POLICY_PATH
from agentgate_git.wire.manifest import dump_manifest, load_manifest
from agentgate_git.wire.policy import read_policy

ROOT = Path(__file__).resolve().parents[2]
YAML_BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def yaml_blocks(page: str) -> list[bytes]:
    return [block.encode() for block in YAML_BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))]


def test_the_documentation_agrees_with_the_code() -> None:
    command = [sys.executable, "tools/generate_docs.py", "check"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_the_policy_and_the_manifest_of_the_formats_page_can_be_read() -> None:
    policy, manifest = yaml_blocks("docs/formats.md")
    assert ("lenient", False) == (read_policy(policy, POLICY_PATH).mode, read_policy(policy).is_builtin)
    assert ["invoice_total_is_stable"] == [one.property_id for one in load_manifest(manifest).properties]


def test_the_baseline_of_the_example_is_the_canonical_form_of_its_manifest() -> None:
    example = ROOT / "examples/invoice"
    manifest = load_manifest((example / "entropy.yaml").read_bytes())
    assert dump_manifest(manifest) == (example / "entropy.baseline.yaml").read_bytes()


def test_the_readme_lists_hooks_that_this_repository_offers() -> None:
    (block,) = yaml_blocks("README.md")
    config = yaml.safe_load(block)
    offered = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    (repo,) = config["repos"]
    ids = [hook["id"] for hook in repo["hooks"]]
    assert set() == set(ids) - offered
    assert set() == set(config["default_install_hook_types"]) - set(STAGES)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs", "changelog.d"])
def test_prose_has_no_long_lines(page: str) -> None:
    path = ROOT / page
    pages = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    long = [
        f"{found.relative_to(ROOT)}:{number}"
        for found in pages
        for number, line in enumerate(found.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120 and not line.startswith(("|", "- `", "    "))
    ]
    assert [] == long


def test_pre_commit_accepts_the_configuration_of_the_readme(tmp_path: Path) -> None:
    config = tmp_path / ".pre-commit-config.yaml"
    config.write_bytes(*yaml_blocks("README.md"))
    command = [sys.executable, "-m", "pre_commit", "validate-config", config]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert ("", "", 0) == (done.stdout, done.stderr, done.returncode)
