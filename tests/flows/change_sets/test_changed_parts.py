"""What is read of many changed files is the same in one process and in several."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.change_sets import changed_parts
from agentgate_git.flows.change_sets.changed_parts import Pair, read_parts
from agentgate_git.flows.change_sets.facts_cache import FactsCache, facts_of
from agentgate_git.flows.scan import judge_files
from agentgate_git.model.failure import Undecided
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.process import Git
from agentgate_git.source.languages.silences import MAX_SILENCES
from testing.repo_builder import RepoBuilder

COUNT = 40


def changed(tmp_path: Path) -> tuple[Git, tuple[Pair, ...]]:
    """A commit that takes a test's assertion in every second file, and adds a test to the others."""
    repo = RepoBuilder.create(tmp_path / "repo", tmp_path / "home")
    text = "from shop import total\n\n\ndef test_one():\n    assert total([1]) == 1\n"
    repo.commit({f"tests/test_{n}.py": text for n in range(COUNT)})
    first = repo.git("rev-parse", "HEAD^{tree}").strip()
    more = text + "\n\ndef test_two():\n    assert total([]) == 0\n"
    repo.commit({f"tests/test_{n}.py": more if n % 2 else text.replace("== 1", "> 0") for n in range(COUNT)})
    git = Git.in_repository(str(repo.path), repo.environment)
    rows = tree_changes(git, first, repo.git("rev-parse", "HEAD^{tree}").strip())
    return git, tuple(map(Pair.of, rows))


def test_in_several_processes_as_in_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git, pairs = changed(tmp_path)
    with facts_of(git) as cache:
        expected = tuple(read_parts(cache, pairs, ()))
        monkeypatch.setattr(changed_parts, "_MANY", 1)
        monkeypatch.setattr(changed_parts, "_JOB", 3)
        monkeypatch.setattr(changed_parts, "core_count", lambda: 3)
        assert expected == tuple(read_parts(cache, pairs, ()))
    assert COUNT == len(expected)
    assert COUNT // 2 == sum(one.sides is None for one in expected)


def test_a_blob_that_is_missing_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git, pairs = changed(tmp_path)
    monkeypatch.setattr(changed_parts, "_MANY", 1)
    monkeypatch.setattr(changed_parts, "core_count", lambda: 2)
    with facts_of(git) as cache, pytest.raises(Undecided):
        tuple(read_parts(cache, (*pairs, pairs[0]._replace(new="1" * 40)), ()))


def test_production_that_says_nothing_in_either_version_is_told_by_its_names_alone() -> None:
    texts = {"1": b"def total(environ):\n    return 1\n", "2": b"def total(environ):\n    return 2\n"}
    texts["3"] = b"import os\n\n\ndef total(environ):\n    return os.environ['SHOP']\n"
    cache = FactsCache(lambda oids: map(texts.__getitem__, oids))
    quiet, loud = read_parts(cache, (Pair("shop.py", "1", "2"), Pair("shop.py", "1", "3")), ())
    assert quiet.sides is None
    assert loud.sides is not None
    assert [("total",), ("total",)] == [one.defines for one in loud.sides if one]


def test_more_silenced_checks_than_are_read_are_told() -> None:
    old = "".join(f"part_{n} = {n}  # noqa\n" for n in range(MAX_SILENCES + 1))
    found = judge_files({"shop.py": old.encode()}, {"shop.py": (old + "more = 1  # noqa\n").encode()}).findings
    assert ["E_NOT_JUDGED"] == [one.code for one in found]


def dense(count: int, expected: str) -> bytes:
    tests = "".join(f"def test_{n}():\n    assert [f({n}), g(1), h(2)] == [{expected}]\n\n" for n in range(count))
    return f"import pytest\nfrom shop import f, g, h\n\n{tests}".encode()


def test_dense_versions_that_changed_all_over_are_not_compared() -> None:
    old, new = dense(2_600, "1, 2, 3"), dense(2_600, "1, 2, 4")
    found = judge_files({"tests/test_shop.py": old}, {"tests/test_shop.py": new}).findings
    assert [("E_NOT_JUDGED", "block")] == [(one.code, one.severity) for one in found]
    assert "the code of both versions holds" in found[0].message


@pytest.mark.parametrize("path", ["tests/test_shop.py", "shop/totals.py"])
def test_one_test_of_a_dense_file_is_compared(path: str) -> None:
    old = dense(2_600, "1, 2, 3")
    new = old.replace(b"def test_7():", b"@pytest.mark.skip\ndef test_7():", 1)
    found = judge_files({path: old}, {path: new}).findings
    assert [("E_SKIP_MARKER", "block")] == [(one.code, one.severity) for one in found]
