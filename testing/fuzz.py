"""Coverage-guided fuzzing of all that reads other people's bytes: `python -m testing.fuzz TARGET FOLDER [-runs=N …]`.

FOLDER holds the inputs to start from and takes those that reach something new. Options that start with a dash go to
libFuzzer (`-runs`, `-seed`, `-max_total_time`, `-timeout` in seconds for one input). An input that makes a reader
raise, or takes longer than the time-out, ends the run with a status that is not zero and is kept as `crash-…` or
`timeout-…` in the directory that it was started in.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["agentgate_git"], enable_loader_override=False):
    from agentgate_git.flows.scan import judge_files
    from agentgate_git.flows.shipped import shipped_registry
    from agentgate_git.model.failure import Failure
    from agentgate_git.model.finding import BLOCK, WARN
    from agentgate_git.model.policy import Policy
    from agentgate_git.policy.authorship import classify
    from agentgate_git.repo.commits import parse_commit
    from agentgate_git.wire.allowed_signers import read_allowed_signers, read_revoked_keys
    from agentgate_git.wire.openpgp import read_public_keys
    from agentgate_git.wire.sshsig import signature_facts

from testing.catalogue import load

# One file of each kind that some reader takes; the first byte of an input picks one.
PATHS = (
    *("tests/test_a.py", "conftest.py", "src/app.py", "sitecustomize.py", "noxfile.py", "pyproject.toml", "tox.ini"),
    *("pytest.ini", "setup.cfg", "Makefile", "package.json", ".github/workflows/ci.yml", ".gitlab-ci.yml"),
    *("azure-pipelines.yml", ".travis.yml", "Jenkinsfile", ".circleci/config.yml", "ci/test.sh", "pom.xml"),
    *("build.gradle", "Cargo.toml", "phpunit.xml", ".rspec", "CMakeLists.txt", "jest.config.js", "a.test.js"),
    *("a.spec.ts", "a_test.go", "src/lib.rs", "src/test/java/ATest.java", "ATest.kt", "ATests.cs", "a_spec.rb"),
    *("tests/ATest.php", "a_test.cpp", "Tests/ATests.swift", "test/a_test.exs", "ASpec.scala", "a_test.dart"),
    *("test/a.bats", ".pre-commit-config.yaml", "entropy.yaml", "entropy.baseline.yaml", "codecov.yml", "justfile"),
)
# Between the file as it was and as it is; an input without it changes nothing into all of it.
CUT = b"\n--8<--\n"
_OID = "1" * 40


def files(data: bytes) -> None:
    """Two versions of one file, through every reader and every check."""
    path = PATHS[data[0] % len(PATHS)] if data else PATHS[0]
    before, cut, after = data[1:].partition(CUT)
    old, new = ({path: before}, {path: after}) if cut else ({}, {path: before})
    result = judge_files(old, new)
    is_told = any(finding.severity in (BLOCK, WARN) for finding in result.findings)
    if result.exit_status != 0 and not is_told:
        raise AssertionError("a rejection without a reason")


def commits(data: bytes) -> None:
    """A commit object: its headers, its message and who made it."""
    try:
        commit = parse_commit(_OID, data)
    except Failure:
        return
    classify(commit, shipped_registry(), Policy())


def signers(data: bytes) -> None:
    """A list of enrolled or revoked keys, an exported key, and an armoured signature."""
    with contextlib.suppress(Failure):
        read_allowed_signers(data)
        read_revoked_keys(data)
    with contextlib.suppress(ValueError):
        read_public_keys(data)
    signature_facts(data.decode("utf-8", "surrogateescape"))


TARGETS: dict[str, Callable[[bytes], None]] = {"files": files, "commits": commits, "signers": signers}


def _seeds(target: str, folder: Path) -> None:
    """What the fuzzer starts from: real files where there are some, else the shape of one."""
    if target != "files":
        shapes = {
            "commits": b"tree " + _OID.encode() + b"\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nm\n\nX: y\n",
            "signers": b'human:a@b namespaces="agentgate" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI a\n',
        }
        (folder / "one").write_bytes(shapes[target])
        return
    for number, (_, base, head, _) in enumerate(load()):
        for path in head.keys() & set(PATHS):
            before = base.get(path, b"")
            (folder / f"{number}").write_bytes(bytes([PATHS.index(path)]) + before + CUT + head[path])


def main() -> None:
    """Hand the target over to libFuzzer, which ends the process."""
    words = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if len(words) != 2 or words[0] not in TARGETS:
        sys.exit(f"{__doc__}\ntargets: {', '.join(TARGETS)}")
    target, folder = words[0], Path(words[1])
    folder.mkdir(parents=True, exist_ok=True)
    _seeds(target, folder)
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    atheris.Setup([sys.argv[0], *options, str(folder)], TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
