"""Real projects with their own suites, from a commit to a verdict and through every way it can go wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import agentgate_git
from testing.command_line import Done
from testing.command_line import installed as agentgate
from testing.repo_builder import RepoBuilder, with_plugins
from testing.sdists import unpacked

pytestmark = pytest.mark.slow

PYTHON = ("--python", sys.executable)
# packaging has 64,000 tests; its policy, which is read from the base, names the part that is run.
PACKAGING_POLICY = "version: 1\ncapture:\n  pytest_args: [tests/test_markers.py, tests/test_utils.py]\n"


class Project(RepoBuilder):
    """A real project, committed."""

    module: str
    test_file: str
    conftest: str

    def capture(self, *args: str) -> Done:
        return agentgate(self, "capture", "HEAD", *PYTHON, *args)

    def verify(self, *args: str) -> tuple[int, dict[str, Any]]:
        done = agentgate(self, "verify", "HEAD", *PYTHON, "--format", "json", *args)
        answer = done.json()
        assert "agentgate.verify/1" == answer["schema"]
        assert done.status == answer["exit"]
        return done.status, answer["results"][0]

    def append(self, name: str, text: str, message: str) -> str:
        return self.commit(
            {name: (self.path / name).read_text() + text if (self.path / name).exists() else text}, message
        )


PROJECTS = {
    "pluggy": ("src/pluggy/_tracing.py", "testing/test_tracer.py", "testing/conftest.py"),
    "iniconfig": ("src/iniconfig/__init__.py", "testing/test_iniconfig.py", "testing/conftest.py"),
    "packaging": ("src/packaging/utils.py", "tests/test_utils.py", "tests/conftest.py"),
}


def commit_project(name: str, directory: Path, home: Path) -> Project:
    project = Project.create(unpacked(name, directory), home)
    project.environment = with_plugins(project.environment)  # as their authors run them
    project.module, project.test_file, project.conftest = PROJECTS[name]
    project.git("add", "-A", "-f")
    project.git("commit", "-q", "--no-verify", "-m", "import")
    if name == "packaging":
        project.commit({".agentgate/policy.yaml": PACKAGING_POLICY}, "policy")
        project.git("config", "agentgate.target", project.git("rev-parse", "HEAD"))
        project.append(project.module, "\nSTARTED = True\n", "start of a proposal")
    return project


@pytest.fixture(params=["pluggy", "iniconfig", "packaging"])
def project(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> Project:
    return commit_project(request.param, tmp_path, home)


@pytest.fixture
def pluggy(tmp_path: Path, home: Path) -> Project:
    return commit_project("pluggy", tmp_path, home)


def test_from_a_commit_to_a_verdict_and_on(project: Project) -> None:
    assert (4, "E_NO_EVIDENCE") == _answer(project)
    assert 0 == project.capture().status
    captured = project.git("rev-parse", "HEAD")
    status, result = project.verify()
    assert (0, "ALLOW", "REPRODUCED", True) == (status, result["decision"], result["verdict"], result["reran"])
    assert (captured, None) == (result["evidence"][0]["commit"], result["evidence"][0]["signed_by"])

    project.git("commit", "-q", "--amend", "--no-verify", "-m", "another message for the same tree")
    assert (0, "ALLOW") == _answer(project)

    project.append(project.module, "\nADDED = 1\n", "production")
    status, result = project.verify()
    assert (5, "E_STALE", "STALE", ["tree"]) == (status, result["decision"], result["verdict"], result["drifted"])
    assert captured == result["evidence"][0]["commit"]
    assert result["reran"] is False

    project.append(project.test_file, "\n\ndef test_added():\n    assert True\n", "a test")
    status, result = project.verify()
    assert (5, ["tree", "tests", "node_count"]) == (status, result["drifted"])
    assert [f"{project.test_file}::test_added"] == result["drift_detail"]["added"]
    assert [] == result["drift_detail"]["removed"]


def test_broken_code_captured_again_is_failed(project: Project) -> None:
    project.append(project.test_file, "\n\ndef test_broken():\n    assert 1 == 2\n", "broken")
    assert 1 == project.capture().status
    status, result = project.verify()
    assert (1, "E_TESTS_FAILED", "FAILED") == (status, result["decision"], result["verdict"])


def test_b73_a_conftest_that_trims_after_collection_is_no_pass(project: Project) -> None:
    project.append(project.conftest, "\ndef pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n", "trim")
    captured = project.capture()
    assert 1 == captured.status
    assert "E_SELECTION_DRIFT" in captured.stderr
    assert (1, "E_HARNESS_TAMPERED") == _answer(project)


def test_b72_a_conftest_that_exits_is_no_pass(project: Project) -> None:
    project.append(project.conftest, "\nimport os\ndef pytest_runtest_setup(item):\n    os._exit(0)\n", "exit")
    captured = project.capture()
    assert 1 == captured.status
    assert "E_RUN_INCOMPLETE" in captured.stderr
    assert (1, "E_HARNESS_TAMPERED") == _answer(project)


def test_an_editable_install_that_points_elsewhere_is_foreign(pluggy: Project, tmp_path: Path) -> None:
    """In place the tests import what the environment has installed; here that is another copy of the code."""
    other = unpacked("pluggy", tmp_path / "other")
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    paths = (other / "src", Path(pytest.__file__).parent.parent, Path(agentgate_git.__file__).parent.parent)
    site = next((venv / "lib").glob("python*")) / "site-packages"
    (site / "elsewhere.pth").write_text("".join(f"{path}\n" for path in paths))
    done = agentgate(pluggy, "capture", "--python", str(venv / "bin" / "python"))
    assert 1 == done.status
    assert "E_FOREIGN_IMPORT" in done.stderr
    status, result = pluggy.verify("--depth", "lookup")
    assert (1, "E_FOREIGN_IMPORT", "FAILED") == (status, result["decision"], result["verdict"])


def test_a_packet_from_a_file(pluggy: Project, tmp_path: Path) -> None:
    pluggy.capture()
    line = agentgate(pluggy, "ledger", "cat", "packets", pluggy.tree()).stdout
    (tmp_path / "packet.jsonl").write_text(line)
    pluggy.git("update-ref", "-d", "refs/notes/agentgate/packets")
    pluggy.git("update-ref", "-d", "refs/agentgate/kept/packets")
    assert (4, "E_NO_EVIDENCE") == _answer(pluggy)
    status, result = pluggy.verify("--packet", str(tmp_path / "packet.jsonl"))
    assert (0, "ALLOW", "REPRODUCED") == (status, result["decision"], result["verdict"])


def _answer(project: Project) -> tuple[int, str]:
    status, result = project.verify()
    return status, result["decision"]
