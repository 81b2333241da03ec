"""What is in a box and what is not, seen by a shell in it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.model.sandbox import AUTO, BUBBLEWRAP, NO_BOX
from agentgate_git.runner.box import Box, box_problem, boxed_argv, find_box_kind
from agentgate_git.runner.interpreter_paths import interpreter_paths
from agentgate_git.runner.limits import Limits, held_by_kernel
from agentgate_git.runner.pins import pins_of
from testing.boxes import as_ordinary_user, running, shell


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


@pytest.fixture
def open_tree() -> Iterator[Path]:
    """The same where any user may write."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        tree = lay_out(Path(folder))
        for path in (tree.parent, *tree.parent.iterdir()):
            path.chmod(0o777)
        yield tree


def lay_out(top: Path) -> Path:
    """The tree of a run beside a clone, its repository, keys, and a home, each with a file of its own name in it."""
    for name in ("tree", "clone", "clone/.git", "clone/pkg", "keys", "home"):
        (top / name).mkdir()
        (top / name / "file").write_text(name)
    return top / "tree"


def show(*paths: Path) -> str:
    return "\n".join(f"cat {path} 2>/dev/null || echo -" for path in paths)


def test_only_what_is_let_in_is_there(tree: Path) -> None:
    top = tree.parent
    box = Box(BUBBLEWRAP, (str(tree),), (str(top / "clone"),), (str(top / "clone/.git"), str(top / "keys")))
    files = [top / name / "file" for name in ("tree", "clone", "clone/pkg", "clone/.git", "keys", "home")]
    assert "treecloneclone/pkg-\n-\n-\n" == shell(box, show(*files), tree)
    writes = "".join(f"echo new 2>/dev/null >{each} && echo {each.parent.name}\n" for each in files)
    assert "tree\n" == shell(box, writes, tree)
    assert ["new\n", "clone", "clone/pkg", "clone/.git", "keys", "home"] == [each.read_text() for each in files]


def test_what_is_let_in_below_what_is_hidden_is_there(tree: Path) -> None:
    top = tree.parent
    box = Box(BUBBLEWRAP, readable=(str(top), str(top / "clone/pkg")), hidden=(str(top / "clone"),))
    assert "tree-\nclone/pkg" == shell(box, show(tree / "file", top / "clone/file", top / "clone/pkg/file"), tree)


def test_what_is_hidden_is_so_by_all_its_names(tree: Path) -> None:
    top = tree.parent
    (top / "other").symlink_to("clone")
    names = [top / "other/.git/file", top / "clone/.git/file", top / "other/pkg/file", top / "clone/file"]
    for hidden in (top / "other/.git", top / "clone/.git/file"):
        box = Box(BUBBLEWRAP, readable=(str(top / "other"),), hidden=(str(hidden), str(top / "clone/file")))
        assert "clone/pkg" == shell(box, show(*names), top / "other/pkg").replace("-\n", "")


def test_private_folders_are_empty_and_go_with_the_box(tree: Path) -> None:
    top = tree.parent
    temp = "/tmp/box-of-a-test/deeper"
    box = Box(BUBBLEWRAP, (str(tree),), home=str(top / "home"), temp_root=temp)
    script = (
        f"cd {top}/home && ls && echo 1 >a && cd {temp} && echo 2 >/tmp/b && echo 3 >c && cat {top}/home/a c /var/tmp/b"
    )
    assert "1\n3\n2\n" == shell(box, script, tree)
    assert ["file"] == os.listdir(top / "home")
    assert not os.path.exists("/tmp/box-of-a-test")


def test_a_box_holds_no_power_over_the_machine(tree: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"{sys.executable} -S -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}), 5)'"
        script = f"""
            {connect} 2>/dev/null && echo reached
            grep CapEff /proc/self/status | tr -d '[:space:]'; echo
            for each in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /etc/hosts /file /dev/file /usr/file; do
                (: >>$each) 2>/dev/null && echo $each
            done
            cat /etc/shadow 2>/dev/null
            ls /var /run
            ps -e 2>/dev/null | wc -l
        """
        box = Box(BUBBLEWRAP, (str(tree),), tuple(interpreter_paths(sys.executable)))
        lines = shell(box, script, tree).split("\n")
        assert ["CapEff:0000000000000000", "/run:", "", "/var:", "tmp"] == lines[:5]
        assert int(lines[5]) < 8
        assert "reached\n" in shell(box._replace(has_network=True), script, tree)


def test_what_an_interpreter_needs_is_told_from_its_files(tmp_path: Path) -> None:
    base, made, code = (tmp_path / name for name in ("base", "made", "code"))
    for folder in (
        base / "bin",
        base / "lib/python3.11",
        made / "bin",
        code / "pkg",
        code / "other",
        tmp_path / "links",
    ):
        folder.mkdir(parents=True)
    site = made / "lib/python3.11/site-packages"
    site.mkdir(parents=True)
    (base / "bin/python").touch()
    (base / "lib/python3.11/os.py").touch()
    (made / "bin/python").write_text("a copy")
    (made / "pyvenv.cfg").write_text(f"home = {base}/bin\nversion = 3.11\n")
    (site / "a.pth").write_text(f"import os; os.abort()\n{code}/other\n/nowhere\n")
    (site / "__editable___a_finder.py").write_text(
        f"MAPPING: dict[str, str] = {{'pkg': '{code}/pkg'}}\nNAMESPACES = x\n"
    )
    (tmp_path / "links/python").symlink_to("../made/bin/python")
    needed = ("links", "made/bin", "made", "base", "code/other", "code/pkg")
    assert tuple(str(tmp_path / each) for each in needed) == tuple(
        sorted(
            interpreter_paths(str(tmp_path / "links/python")),
            key=lambda path: needed.index(path[len(str(tmp_path)) + 1 :]),
        )
    )


def test_an_interpreter_that_a_proposal_changed_is_asked_in_the_box(tree: Path) -> None:
    top = tree.parent
    python = tree / "python"
    python.write_text(f"#!/bin/sh\ncat {top}/keys/file >{top}/home/seen\necho abi 1 1\n")
    python.chmod(0o755)
    box = Box(BUBBLEWRAP, hidden=(str(top / "keys"),), interpreter=(str(tree),))
    assert ("0",) == tuple(value for name, value in pins_of((), str(python), {}, box=box).held if name == "rng_seed")
    assert ["file"] == os.listdir(top / "home")


def test_auto_takes_what_works_and_a_demand_is_not_lowered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert (BUBBLEWRAP, BUBBLEWRAP, NO_BOX) == tuple(map(find_box_kind, (AUTO, BUBBLEWRAP, NO_BOX)))
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    for path, reason in ((tmp_path, "cannot work here (No permissions to create"), (tmp_path / "no", "not installed")):
        monkeypatch.setenv("PATH", str(path))
        box_problem.cache_clear()
        assert NO_BOX == find_box_kind(AUTO)
        assert reason in box_problem()
        with pytest.raises(Undecided, match=r"bubblewrap .*: install bubblewrap"):
            find_box_kind(BUBBLEWRAP)
    monkeypatch.undo()
    box_problem.cache_clear()


def test_an_ordinary_user_has_the_same_box(open_tree: Path) -> None:
    def act() -> None:
        box = Box(BUBBLEWRAP, (str(open_tree),))
        assert "-\ntree" == shell(box, show(open_tree.parent / "keys/file", open_tree / "file"), open_tree)

    assert 0 == as_ordinary_user(act)


def test_the_kernel_counts_processes_for_all_but_root(open_tree: Path) -> None:
    threads = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    script = f"n=0; while [ $n -lt {threads + 150} ]; do sleep 5.51 & n=$((n+1)); done; echo all"
    argv = boxed_argv(Box(BUBBLEWRAP, (str(open_tree),)), ("/bin/sh", "-c", script), str(open_tree), ())
    hold = held_by_kernel(Limits(memory=1 << 30, processes=50, file_bytes=1 << 20))

    def start() -> str:
        done = subprocess.run(argv, preexec_fn=hold, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout

    def act() -> None:
        assert "annot fork" in start()

    assert 0 == as_ordinary_user(act)
    if os.getuid() == 0:
        assert "all\n" == start()
    assert () == running("sleep 5.51")
