"""The merge driver in real merges, rebases and cherry-picks, and what the gate says where no driver ran."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.clone.driver_config import SECTION, driver_command
from agentgate_git.wire.manifest import load_manifest
from agentgate_git.wire.strict_yaml import StrictYamlError
from testing.hooked_repo import assert_passes, assert_refused, write_script
from testing.merges import ATTRIBUTES, BASE, on_branches, text_of, with_driver
from testing.proposals import checked, told
from testing.repo_builder import RepoBuilder

MANIFEST = "entropy.yaml"
INVALID = "E_MANIFEST_INVALID"
MINE = text_of(**BASE, lang="C")
YOURS = text_of(**BASE, umask='"0022"')
OURS = text_of(**BASE | {"tz": "CET"})
THEIRS = text_of(**BASE | {"tz": "JST"})
DROPPED = text_of(tz="UTC", lang="C")


@pytest.fixture
def work(repo: RepoBuilder) -> RepoBuilder:
    """A repository with the driver in place."""
    return with_driver(repo)


def pins(repo: RepoBuilder) -> dict[str, object]:
    return dict(load_manifest((repo.path / MANIFEST).read_bytes()).properties[0].pins)


def conflicts(repo: RepoBuilder, *argv: str) -> str:
    """Run a git command that must end in a conflict of the manifest; the file, which no strict reader takes."""
    assert 1 == repo.run("git", *argv).returncode
    assert repo.git("status", "--porcelain", "--untracked-files=all") in (f"UU {MANIFEST}", f"AA {MANIFEST}")
    data = (repo.path / MANIFEST).read_bytes()
    with pytest.raises(StrictYamlError):
        load_manifest(data)
    return data.decode()


HOW = {
    "merge": ("main", ("merge", "--no-edit", "side")),
    "merge the other way": ("side", ("merge", "--no-edit", "main")),
    "rebase": ("side", ("rebase", "main")),
    "cherry-pick": ("main", ("cherry-pick", "side")),
    "recursive": ("main", ("merge", "--no-edit", "-s", "recursive", "side")),
}


@pytest.mark.parametrize(("branch", "argv"), HOW.values(), ids=HOW)
def test_what_each_side_adds_is_kept(work: RepoBuilder, branch: str, argv: tuple[str, ...]) -> None:
    on_branches(work, main=MINE, side=YOURS).git("checkout", "-q", branch)
    assert_passes(work, *argv)
    assert {"tz": "UTC", "rng_seed": 7, "lang": "C", "umask": "0022"} == pins(work)


@pytest.mark.parametrize(("branch", "argv"), HOW.values(), ids=HOW)
@pytest.mark.parametrize(("mine", "yours"), [(OURS, THEIRS), (DROPPED, YOURS), (YOURS, DROPPED)])
def test_b47_whatever_the_side_a_difference_is_a_conflict(
    work: RepoBuilder, branch: str, argv: tuple[str, ...], mine: str, yours: str
) -> None:
    on_branches(work, main=mine, side=yours).git("checkout", "-q", branch)
    text = conflicts(work, *argv)
    assert (True, True) == (mine in text, yours in text)


def test_b47_a_rebase_of_several_commits(work: RepoBuilder) -> None:
    on_branches(work, main=MINE, side=YOURS).git("checkout", "-q", "side")
    work.commit({MANIFEST: YOURS + "  own: 1\n"})
    work.commit({MANIFEST: YOURS + "  own: 1\n  more: 2\n"})
    assert_passes(work, "rebase", "main")
    assert {"tz": "UTC", "rng_seed": 7, "lang": "C", "umask": "0022", "own": 1, "more": 2} == pins(work)


def test_b47_both_sides_add_the_file(work: RepoBuilder) -> None:
    work.commit({MANIFEST: None})
    on_branches(work, main=MINE, side=YOURS)
    assert_passes(work, "merge", "--no-edit", "side")
    assert {"tz": "UTC", "rng_seed": 7, "lang": "C", "umask": "0022"} == pins(work)


def test_b47_both_sides_add_the_file_with_other_values(work: RepoBuilder) -> None:
    work.commit({MANIFEST: None})
    on_branches(work, main=OURS, side=THEIRS)
    assert "CET" in conflicts(work, "merge", "side")


def criss_cross(work: RepoBuilder, **texts: str) -> None:
    """Two branches, each of which merged the other's first commit and resolved it its own way."""
    on_branches(work, main=OURS, side=THEIRS)
    work.git("branch", "first")
    for branch, other in (("main", "side"), ("side", "first")):
        work.git("checkout", "-q", branch)
        work.git("merge", "-q", other, check=False)
        work.commit({MANIFEST: texts[branch]}, f"merge into {branch}")
    work.git("checkout", "-q", "main")
    assert 2 == len(work.git("merge-base", "--all", "main", "side").splitlines())


def test_b47_criss_cross_with_one_resolution(work: RepoBuilder) -> None:
    """The virtual base is a conflict with longer markers, so it counts as no base."""
    criss_cross(work, main=OURS + "  lang: C\n", side=OURS + '  umask: "0022"\n')
    assert_passes(work, "merge", "--no-edit", "side")
    assert {"tz": "CET", "rng_seed": 7, "lang": "C", "umask": "0022"} == pins(work)


def test_b47_criss_cross_with_two_resolutions(work: RepoBuilder) -> None:
    criss_cross(work, main=OURS, side=THEIRS)
    text = conflicts(work, "merge", "side")
    assert (True, True, 1) == (OURS in text, THEIRS in text, text.count("<<<<<<<"))


def test_b47_markers_have_the_length_that_is_asked_for(work: RepoBuilder) -> None:
    work.commit({".gitattributes": ATTRIBUTES.replace("pins\n", "pins conflict-marker-size=9\n")})
    on_branches(work, main=OURS, side=THEIRS)
    text = conflicts(work, "merge", "side")
    assert f"<<<<<<<<< ours\n{OURS}=========\n{THEIRS}>>>>>>>>> theirs\n" == text
    assert_refused(work, "commit", "-a", "-m", "all of it", code=INVALID)


# Refused, and then committed as it is


def test_b45_a_conflict_cannot_be_committed_as_a_resolution(work: RepoBuilder) -> None:
    on_branches(work, main=OURS, side=THEIRS)
    conflicts(work, "merge", "side")
    assert_refused(work, "commit", "-a", "-m", "all of it", code=INVALID)
    work.git("commit", "-q", "--no-verify", "-a", "-m", "all of it")
    result = checked(work, "HEAD", work.git("rev-parse", "HEAD^"))
    assert ([(INVALID, "block", MANIFEST)], 1) == (told(result.findings), result.exit_status)


@pytest.mark.parametrize("body", ["kill -9 $$\n", "exit 1\n", "exit 200\n", None], ids=["killed", "1", "200", "gone"])
def test_b45_a_driver_that_dies_leaves_no_resolution(work: RepoBuilder, tmp_path: Path, body: str | None) -> None:
    program = tmp_path / "a tool's place" / "git-agentgate"
    if body is not None:
        write_script(program, body)
    work.git("config", f"{SECTION}.driver", driver_command(str(program)))
    on_branches(work, main=MINE, side=YOURS)
    text = conflicts(work, "merge", "side")
    assert (True, True) == (MINE in text, YOURS in text)
    assert_refused(work, "commit", "-a", "-m", "all of it", code=INVALID)


def test_b45_unreadable_yaml_on_one_side(work: RepoBuilder) -> None:
    on_branches(work, main=MINE, side=YOURS + "  tz: CET\n")
    assert "tz: CET" in conflicts(work, "merge", "side")
    assert_refused(work, "commit", "-a", "-m", "all of it", code=INVALID)


def test_the_baseline_has_the_driver_too(work: RepoBuilder) -> None:
    baseline = "entropy.baseline.yaml"
    work.commit({baseline: text_of(**BASE)})
    on_branches(work, baseline, main=MINE, side=YOURS)
    assert_passes(work, "merge", "--no-edit", "side")
    assert {"tz", "rng_seed", "lang", "umask"} == {
        name for name, _ in load_manifest((work.path / baseline).read_bytes()).properties[0].pins
    }


# Where no driver runs


FAR = dict.fromkeys(("tz", "a", "b", "c", "d", "e"), "1")


def test_b43_a_text_merge_on_a_server_that_drops_a_pin_is_refused(work: RepoBuilder, tmp_path: Path) -> None:
    """A forge merges in a bare repository, where neither attributes nor the driver exist."""
    work.commit({MANIFEST: text_of(**FAR)})
    fewer = {name: value for name, value in FAR.items() if name != "tz"}
    on_branches(work, main=text_of(**FAR, lang="C"), side=text_of(**fewer))
    server = RepoBuilder(tmp_path / "server.git", work.environment)
    work.git("clone", "-q", "--bare", str(work.path), str(server.path))
    tree = server.git("merge-tree", "--write-tree", "main", "side")
    assert text_of(**fewer, lang="C") == server.git("show", f"{tree}:{MANIFEST}") + "\n"
    commit = server.git("commit-tree", tree, "-p", "main", "-p", "side", "-m", "merge")
    result = checked(server, commit, "main")
    assert ([("E_PIN_DROPPED", "block", MANIFEST)], 1) == (told(result.findings), result.exit_status)
    text = conflicts(work, "merge", "side")
    assert (True, True) == (text_of(**FAR, lang="C") in text, text_of(**fewer) in text)


@pytest.mark.parametrize("missing", ["driver", "attributes"])
def test_b44_without_the_driver_git_merges_text_and_the_gate_still_refuses(work: RepoBuilder, missing: str) -> None:
    files = {MANIFEST: text_of(**FAR)}
    if missing == "driver":
        work.git("config", "--remove-section", SECTION)
        work.commit(files)
    else:
        work.commit({**files, ".gitattributes": None})
    fewer = {name: value for name, value in FAR.items() if name != "tz"}
    on_branches(work, main=text_of(**FAR, lang="C"), side=text_of(**fewer))
    work.git("merge", "-q", "--no-verify", "-m", "merge", "side")
    assert text_of(**fewer, lang="C") == (work.path / MANIFEST).read_text()
    result = checked(work, "HEAD", work.git("rev-parse", "HEAD^"))
    assert ([("E_PIN_DROPPED", "block", MANIFEST)], 1) == (told(result.findings), result.exit_status)


@pytest.mark.parametrize("is_missing", [True, False])
def test_b44_the_hook_of_a_merge_says_that_the_driver_is_missing(work: RepoBuilder, is_missing: bool) -> None:
    on_branches(work, "other.py", main="X = 1\n", side="Y = 1\n").git("checkout", "-q", "-b", "third", "main~1")
    work.commit({"third.py": "Z = 1\n"})
    if is_missing:
        work.git("config", "--unset", f"{SECTION}.driver")
    said = assert_passes(work, "merge", "--no-edit", "side")
    warning = "agentgate: pins are to be merged by agentgate-pins, which is not configured: git merges them as text"
    assert is_missing == (warning in said)
