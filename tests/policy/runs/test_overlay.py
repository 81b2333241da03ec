"""Which files a replay runs."""

from __future__ import annotations

from agentgate_git.model.change import TreeEntry
from agentgate_git.policy.runs.overlay import overlay


def entries(**files: str) -> tuple[TreeEntry, ...]:
    return tuple(TreeEntry(path.replace("__", "/"), "100644", oid) for path, oid in files.items())


def is_test(path: str) -> bool:
    return path.startswith("tests")


def overlaid(base: tuple[TreeEntry, ...], head: tuple[TreeEntry, ...]) -> dict[str, str]:
    return {entry.path: entry.oid for entry in overlay(base, head, is_test)}


def test_production_of_the_head_under_tests_of_the_base() -> None:
    base = entries(core="old", gone="old", tests__a="old", tests__b="old")
    head = entries(core="new", added="new", tests__a="new", tests__new="new")
    assert {"core": "new", "added": "new", "tests/a": "old", "tests/b": "old"} == overlaid(base, head)


def test_one_side_alone_gives_that_side() -> None:
    base, head = entries(core="1", tests__a="1"), entries(core="2", tests__a="1")
    assert overlay(base, head, is_test) == head
    assert overlay(base, entries(core="1", tests__a="9"), is_test) == base


def test_a_file_where_the_base_s_tests_have_a_folder_makes_way() -> None:
    assert {"tests/a": "1"} == overlaid(entries(tests__a="1"), (TreeEntry("tests", "100644", "2"),))
    files = overlay(entries(tests__a="1"), (TreeEntry("x", "100644", "2"),), lambda path: path == "tests/a")
    assert ["tests/a", "x"] == [entry.path for entry in files]
    deeper = (TreeEntry("conf/a/b", "100644", "2"),)
    assert {"conf/a": "1"} == {
        entry.path: entry.oid for entry in overlay(entries(conf__a="1"), deeper, "conf/a".__eq__)
    }


def test_the_order_is_git_s_own() -> None:
    base = (TreeEntry("tests/z", "100644", "1"), TreeEntry("tests/a", "100644", "1"))
    assert ["a", "tests/a", "tests/z"] == [entry.path for entry in overlay(base, entries(a="2"), is_test)]
