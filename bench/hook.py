"""The pre-commit hook against Python's own start and one `git diff --cached`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from bench.harness import Ratio, command, in_turn, instructions, interleaved
from testing.repo_builder import RepoBuilder

BIN = Path(sys.executable).parent
TRACKED = 12_500
_FLOOR = "python -I -c pass + git diff --cached"


def staged_repository(path: Path, staged: int) -> RepoBuilder:
    """A repository of 12,500 tracked files with some production modules staged."""
    repo = RepoBuilder.create(path, path.parent / "home")
    body = "".join(f"def function_{i}(x):\n    return x + {i}\n" for i in range(40))
    repo.commit({f"pkg{i % 125}/module_{i}.py": f"# {i}\n{body}" for i in range(TRACKED)})
    repo.write({f"pkg{i % 125}/module_{i}.py": f"# changed {i}\n{body}" for i in range(staged)})
    repo.git("add", "-A")
    return repo


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """1, 1,000 and 10,000 staged files."""
    ratios = []
    for staged, budget in ((1, 2.0), (1_000, 1.5), (10_000, 1.15)):
        repo = staged_repository(scratch / f"staged-{staged}", staged)
        floor = in_turn(
            command([sys.executable, "-I", "-c", "pass"], repo.path, repo.environment),
            command(["git", "diff", "--cached"], repo.path, repo.environment),
        )
        ours = command([str(BIN / "git-agentgate"), "hook", "pre-commit"], repo.path, repo.environment)
        seconds = interleaved({"floor": floor, "ours": ours}, rounds if staged == 1 else max(5, rounds // 3))
        name = f"hook pre-commit, {staged:,} staged file{'s' if staged > 1 else ''}"
        ratios.append(Ratio(name, seconds["ours"], _FLOOR, seconds["floor"], budget))
    return ratios


def run_instructions(scratch: Path) -> list[Ratio]:
    """Instructions of the hook's own process over those of an empty Python."""
    repo = staged_repository(scratch / "instructions", 1)
    out = scratch / "callgrind.out"
    floor = instructions([sys.executable, "-I", "-c", "pass"], repo.path, repo.environment, out)
    hook = [sys.executable, str(BIN / "git-agentgate"), "hook", "pre-commit"]
    ours = instructions(hook, repo.path, repo.environment, out)
    return [Ratio("hook pre-commit, instructions (callgrind)", ours / 1e9, "python -I -c pass", floor / 1e9, 2.0)]


def run_under_managers(scratch: Path, rounds: int) -> list[Ratio]:
    """Under pre-commit and prek, against a Python hook that does nothing."""
    repo = staged_repository(scratch / "managed", 1)
    noop = scratch / "noop"
    noop_repo = RepoBuilder.create(noop, scratch / "home")
    noop_repo.commit(
        {
            "pyproject.toml": '[build-system]\nrequires=["hatchling"]\nbuild-backend="hatchling.build"\n'
            '[project]\nname="noop"\nversion="1"\n[project.scripts]\nnoop="noop:main"\n'
            '[tool.hatch.build.targets.wheel]\ninclude=["noop.py"]\n',
            "noop.py": "def main():\n    return 0\n",
            ".pre-commit-hooks.yaml": "- {id: noop, name: noop, entry: noop, language: python, always_run: true, "
            "pass_filenames: false, require_serial: true}\n",
        }
    )
    ours_repo = _snapshot(scratch / "ours", scratch / "home")
    managers = {"pre-commit": (BIN / "pre-commit", 1.10), "prek": (BIN / "prek", 1.3)}
    ratios = []
    for manager, (program, budget) in managers.items():
        contestants = {}
        homes = {"PRE_COMMIT_HOME": str(scratch / manager), "PREK_HOME": str(scratch / manager)}
        environment = {**repo.environment, **_network(), **homes, "PATH": f"{BIN}:{repo.environment['PATH']}"}
        for name, source, hook in (("floor", noop_repo, "noop"), ("ours", ours_repo, "agentgate-pre-commit")):
            config = scratch / f"{hook}.yaml"
            config.write_text(
                f"repos: [{{repo: {source.path}, rev: {source.git('rev-parse', 'HEAD')}, hooks: [{{id: {hook}}}]}}]\n"
            )
            contestants[name] = command([str(program), "run", "--config", str(config)], repo.path, environment)
        seconds = interleaved(contestants, rounds)
        ratios.append(
            Ratio(f"under {manager}, 1 staged file", seconds["ours"], "a no-op Python hook", seconds["floor"], budget)
        )
    return ratios


def _network() -> dict[str, str]:
    """What the hook managers need to reach a package index as this shell does; prek's installer trusts the system."""
    names = ("PIP_", "UV_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
    kept = {name: value for name, value in os.environ.items() if name.startswith(names)}
    return {"UV_SYSTEM_CERTS": "true", **kept}


def _snapshot(path: Path, home: Path) -> RepoBuilder:
    """This project's tracked and new files as a repository that a hook manager can clone."""
    root = Path(__file__).resolve().parent.parent
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    repo = RepoBuilder.create(path, home)
    repo.commit({name: (root / name).read_bytes() for name in listed if (root / name).is_file()})
    return repo
