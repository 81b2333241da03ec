"""The merge driver as git calls it: three files in, and a result or both versions between markers out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agentgate_git.flows.clone.driver_config import DRIVER, SECTION, driver_command
from agentgate_git.flows.doctor import examine
from agentgate_git.flows.install import install
from agentgate_git.flows.uninstall import uninstall
from agentgate_git.model.setup import BY_HAND, DONE, MISSING, OK, PRESENT, WARNING, SetupRow
from agentgate_git.wire.manifest import dump_manifest, load_manifest
from agentgate_git.wire.strict_yaml import StrictYamlError
from testing.command_line import agentgate
from testing.hooked_repo import TOOLS, git_of, snapshot_of, write_script
from testing.merges import ATTRIBUTES, BASE, text_of
from testing.repo_builder import RepoBuilder

PROGRAM = str(TOOLS / "git-agentgate")
UTC = text_of(tz="UTC")
CET = text_of(tz="CET")
JST = text_of(tz="JST")
COMMENTED = text_of(tz="UTC  # the ledger's zone")

# base, ours, theirs, path, result
MERGED = {
    "nothing changed": (UTC, UTC, UTC, "entropy.yaml", UTC),
    "lines far apart": (
        text_of(a="1", b="2", c="3"),
        text_of(z="0", a="1", b="2", c="3"),
        text_of(a="1", b="2", c="3", d="4"),
        "entropy.yaml",
        text_of(z="0", a="1", b="2", c="3", d="4"),
    ),
    "lines in one place": (
        COMMENTED,
        COMMENTED + "  umask: '0022'  # ours\n",
        COMMENTED + "  lang: C\n",
        "entropy.yaml",
        COMMENTED + "  lang: C\n  umask: '0022'  # ours\n",
    ),
    "b47 no base": ("", UTC, text_of(tz="UTC", lang="C"), "entropy.yaml", text_of(tz="UTC", lang="C")),
    "b47 a base that is a conflict": (
        f"<<<<<<<<< ours\n{UTC}=========\n{CET}>>>>>>>>> theirs\n",
        JST,
        JST + "  lang: C\n",
        "entropy.yaml",
        JST + "  lang: C\n",
    ),
    "equal keys that nobody knows": (
        f"owner: pat\n{UTC}",
        f"owner: pat\n{UTC}  lang: C\n",
        f"owner: pat\n{UTC}  umask: '1'\n",
        "entropy.yaml",
        f"owner: pat\n{UTC}  lang: C\n  umask: '1'\n",
    ),
}
REFUSED = {
    "b47 other values": (UTC, CET, JST, "has the values 'CET' and 'JST'"),
    "b47 a drop": (text_of(**BASE), UTC, text_of(**BASE, lang="C"), "one side dropped the pin rng_seed"),
    "b47 no base, other values": ("", CET, JST, "has the values 'CET' and 'JST'"),
    "b45 no YAML on one side": (UTC, UTC, "version: [", "theirs cannot be read"),
    "b45 nothing on one side": (UTC, "", CET, "ours cannot be read"),
    "b45 markers on one side": (UTC, f"<<<<<<< a\n{UTC}", CET, "a conflict marker is left over"),
    "b45 an alias": (UTC, CET, "version: 1\nx: &a 1\npins: {tz: *a}\n", "theirs cannot be read"),
    "b45 no newline at the end": (UTC, CET.rstrip("\n"), "version: 2", "version 2 is not known"),
    "b45 no UTF-8": (UTC, "version: 1 # \udcff\n", CET, "this is not UTF-8"),
    "unknown keys that differ": (UTC, f"{UTC}owner: pat\n", f"{UTC}owner: kim\n", "differ in `owner`"),
    "comments that no text keeps": (
        text_of(tz="UTC", rng_seed="7"),
        text_of(rng_seed="7", tz="UTC  # a"),
        text_of(tz="UTC  # b", rng_seed="7", lang="C"),
        "no text can be made",
    ),
}


def called(
    repo: RepoBuilder, base: str, ours: str, theirs: str, *, size: int = 7, path: str = "entropy.yaml"
) -> tuple[int, str, str]:
    """Status, messages and the file after one call."""
    repo.write({name: os.fsencode(text) for name, text in (("O", base), ("A", ours), ("B", theirs))})
    done = agentgate(repo, "merge-driver", "--", "O", "A", "B", str(size), path)
    assert "" == done.stdout
    assert [] == [name for name in os.listdir(repo.path) if name.startswith(".agentgate")]
    return done.status, done.stderr, os.fsdecode((repo.path / "A").read_bytes())


@pytest.mark.parametrize(("base", "ours", "theirs", "path", "expected"), MERGED.values(), ids=MERGED)
def test_what_is_merged(repo: RepoBuilder, base: str, ours: str, theirs: str, path: str, expected: str) -> None:
    assert (0, "", expected) == called(repo, base, ours, theirs, path=path)
    assert (0, "", expected) == called(repo, base, theirs, ours, path=path)


def test_a_baseline_is_merged_into_its_canonical_form(repo: RepoBuilder) -> None:
    base, one, other = (
        dump_manifest(load_manifest(text.encode())).decode() for text in (UTC, UTC + "  umask: '1'\n", UTC + "  b: x\n")
    )
    expected = dump_manifest(load_manifest(text_of(tz="UTC", umask="'1'", b="x").encode())).decode()
    assert (0, "", expected) == called(repo, base, one, other, path="sub/entropy.baseline.yaml")


@pytest.mark.parametrize("size", [7, 9, 3])
@pytest.mark.parametrize(("base", "ours", "theirs", "told"), REFUSED.values(), ids=REFUSED)
def test_b45_a_refusal_leaves_both_versions_between_markers(
    repo: RepoBuilder, base: str, ours: str, theirs: str, told: str, size: int
) -> None:
    status, said, text = called(repo, base, ours, theirs, size=size)
    assert (1, True) == (status, told in said)
    markers = [sign * max(size, 7) for sign in "<=>"]
    assert [f"{markers[0]} ours", markers[1], f"{markers[2]} theirs"] == [
        line for line in text.split("\n") if line.startswith(tuple(markers)) and line != "<<<<<<< a"
    ]
    assert ours in text
    assert theirs in text
    with pytest.raises(StrictYamlError, match="conflict marker"):
        load_manifest(text.encode("utf-8", "replace"))


def test_b45_the_mode_of_the_file_stays(repo: RepoBuilder) -> None:
    called(repo, UTC, UTC, UTC)
    for theirs in (UTC, CET):
        (repo.path / "A").chmod(0o640)
        repo.write({"A": UTC, "B": theirs})
        agentgate(repo, "merge-driver", "--", "O", "A", "B", "7", "entropy.yaml")
        assert 0o640 == (repo.path / "A").stat().st_mode & 0o777


def test_b45_a_defect_of_ours_is_a_conflict_too(repo: RepoBuilder) -> None:
    """What crashes in the middle has put the markers there before."""
    repo.write({"O": UTC, "A": CET, "B": JST})
    code = (
        "import sys, agentgate_git.flows.merge_driver as m\n"
        "m.merge_pins = lambda *_: 1 / 0\n"
        "sys.argv[1:] = ['merge-driver', 'O', 'A', 'B', '7', 'entropy.yaml']\n"
        "from agentgate_git.cli.main import main\n"
        "sys.exit(main())\n"
    )
    done = repo.run(sys.executable, "-c", code)
    assert (1, True) == (done.returncode, b"ZeroDivisionError" in done.stderr)
    assert (repo.path / "A").read_text().startswith("<<<<<<< ours\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_b45_killed_in_the_middle_the_file_has_markers(repo: RepoBuilder, number: signal.Signals) -> None:
    repo.write({"O": UTC, "A": CET, "B": JST})
    code = (
        "import os, sys, agentgate_git.flows.merge_driver as m\n"
        f"m.merge_pins = lambda *_: os.kill(os.getpid(), {int(number)})\n"
        "sys.argv[1:] = ['merge-driver', 'O', 'A', 'B', '7', 'entropy.yaml']\n"
        "from agentgate_git.cli.main import main\n"
        "sys.exit(main())\n"
    )
    done = repo.run(sys.executable, "-c", code)
    assert (-9 if number == signal.SIGKILL else 1) == done.returncode
    assert (repo.path / "A").read_text().startswith("<<<<<<< ours\n")


def test_b45_killed_while_it_writes_the_file_is_whole(repo: RepoBuilder) -> None:
    repo.write({"O": UTC, "A": CET, "B": JST})
    code = (
        "import os, sys, agentgate_git.flows.merge_driver as m\n"
        "os.replace = lambda *_: os.kill(os.getpid(), 9)\n"
        "sys.argv[1:] = ['merge-driver', 'O', 'A', 'B', '7', 'entropy.yaml']\n"
        "from agentgate_git.cli.main import main\n"
        "sys.exit(main())\n"
    )
    assert -9 == repo.run(sys.executable, "-c", code).returncode
    assert CET == (repo.path / "A").read_text()


# What git hands to the shell


def shell(repo: RepoBuilder, program: str) -> int:
    """Run the configured command as git would; its status."""
    repo.write({"O": UTC, "A": CET, "B": JST})
    command = driver_command(program).replace("%%", "\0")
    for sign, value in {"O": "O", "A": "A", "B": "B", "L": "7", "P": "'-odd name/entropy.yaml'"}.items():
        command = command.replace(f"%{sign}", value)
    return subprocess.run(
        ["sh", "-c", command.replace("\0", "%")], cwd=repo.path, env=repo.environment, check=False, capture_output=True
    ).returncode


@pytest.mark.parametrize("body", ["kill -9 $$\n", *(f"exit {status}\n" for status in (1, 2, 3, 130)), None])
def test_b45_a_program_that_dies_or_is_gone_leaves_markers(repo: RepoBuilder, tmp_path: Path, body: str | None) -> None:
    program = tmp_path / "it's 100%O odd" / "git-agentgate"
    if body is not None:
        write_script(program, body)
    assert 1 == shell(repo, str(program))
    text = (repo.path / "A").read_text()
    assert (True, True, True) == (text.startswith("<<<<<<< ours\n"), CET in text, JST in text)
    with pytest.raises(StrictYamlError, match="conflict marker"):
        load_manifest(text.encode())


def test_the_program_s_own_answers_are_left_as_they_are(repo: RepoBuilder, tmp_path: Path) -> None:
    body = 'echo "<<<<<<< $*" >A\nexit "${STATUS:-0}"\n'
    program = write_script(tmp_path / "it's 100%O odd" / "git-agentgate", body)
    for status in (0, 1):
        repo.environment["STATUS"] = str(status)
        assert status == shell(repo, str(program))
        assert "<<<<<<< merge-driver -- O A B 7 -odd name/entropy.yaml\n" == (repo.path / "A").read_text()


# install, uninstall, doctor


def driver_row(rows: tuple[SetupRow, ...]) -> list[str]:
    return [row.state for row in rows if "merge driver" in row.message]


def put(repo: RepoBuilder, *, program: str = PROGRAM, asked: bool = False) -> list[str]:
    return driver_row(install(git_of(repo), program, is_native=False, has_attributes=asked))


def test_install_configures_the_driver_and_writes_no_tracked_file(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": UTC})
    assert [DONE, BY_HAND] == put(repo)
    assert "" == repo.git("status", "--porcelain")
    assert driver_command(PROGRAM) == repo.git("config", f"{SECTION}.driver")
    assert [PRESENT, BY_HAND] == put(repo)
    assert [DONE, BY_HAND] == put(repo, program="/another/git-agentgate")


def test_install_needs_no_attributes_where_there_are_no_pins(repo: RepoBuilder) -> None:
    assert [DONE] == put(repo)


def test_install_writes_the_attributes_when_asked(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": UTC, ".gitattributes": "*.bin binary"})
    below = repo.path / "sub"
    below.mkdir()
    assert [DONE, DONE] == put(RepoBuilder(below, repo.environment), asked=True)
    assert f"*.bin binary\n{ATTRIBUTES}" == (repo.path / ".gitattributes").read_text()
    assert [PRESENT] == put(repo, asked=True)
    assert "entropy.yaml: merge: agentgate-pins" == repo.git("check-attr", "merge", "entropy.yaml")


@pytest.mark.parametrize("situation", ["another driver", "a link"])
def test_attributes_that_somebody_else_keeps_are_left_to_them(repo: RepoBuilder, situation: str) -> None:
    repo.commit({"entropy.yaml": UTC, "attributes": "entropy.yaml merge=union\n"})
    path = repo.path / ".gitattributes"
    path.symlink_to("attributes") if situation == "a link" else (repo.path / "attributes").rename(path)
    before = path.read_bytes()
    assert [DONE, BY_HAND] == put(repo, asked=True)
    assert (before, situation == "a link") == (path.read_bytes(), path.is_symlink())


def test_uninstall_takes_the_configuration_out(repo: RepoBuilder) -> None:
    before = snapshot_of(repo)
    put(repo)
    assert [DONE] == driver_row(uninstall(git_of(repo)))
    assert before == snapshot_of(repo)
    repo.commit({".gitattributes": ATTRIBUTES})
    assert [BY_HAND] == driver_row(uninstall(git_of(repo)))
    assert ATTRIBUTES == (repo.path / ".gitattributes").read_text()


def doctor(repo: RepoBuilder) -> list[tuple[str, str]]:
    rows = examine(git_of(repo), repo.environment)
    found = [row for row in rows if row.message.startswith(("pins are", "no attribute", SECTION))]
    assert all(row.next_step or row.state == OK for row in found)
    return [(row.state, row.message) for row in found]


def test_b44_doctor_finds_an_attribute_without_a_driver(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": UTC, ".gitattributes": ATTRIBUTES})
    missing = f"pins are to be merged by {DRIVER}, which is not configured: git merges them as text"
    assert [(MISSING, missing)] == doctor(repo)
    put(repo)
    assert [(OK, f"pins are merged by {PROGRAM}")] == doctor(repo)


def test_b44_doctor_finds_an_attribute_for_another_name(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": UTC, ".gitattributes": ATTRIBUTES.replace(DRIVER, "agentgate")})
    put(repo)
    missing = "pins are to be merged by agentgate, which is not configured: git merges them as text"
    assert [(MISSING, missing)] == doctor(repo)
    repo.git("config", "merge.agentgate.driver", "true")
    assert [(WARNING, f"pins are merged by the driver agentgate, not by {DRIVER}")] == doctor(repo)


def test_b44_doctor_finds_a_driver_without_attributes(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": UTC})
    put(repo)
    said = f"no attribute gives entropy.yaml and entropy.baseline.yaml to the merge driver {DRIVER}"
    assert [(WARNING, said)] == doctor(repo)


def test_b45_doctor_finds_a_driver_whose_program_is_gone(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": UTC, ".gitattributes": ATTRIBUTES})
    put(repo, program="/nowhere/it's 100% gone")
    said = f"{SECTION}.driver runs /nowhere/it's 100% gone, which cannot be started"
    assert [(MISSING, said)] == doctor(repo)
