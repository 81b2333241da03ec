"""The self-test: the corpus is the vectors, a wrong answer is named, and nothing tested is no success."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.selftest import selftest
from agentgate_git.flows.shipped import EXPECTED_CODES
from agentgate_git.model.expected_code import SelftestResult
from agentgate_git.model.failure import Undecided
from testing.command_line import agentgate
from testing.repo_builder import RepoBuilder
from testing.run_cases import MERGE_RULE, VECTORS, corpus

ROWS = len(VECTORS["rows"]) + len(MERGE_RULE["rows"])


def test_the_corpus_that_is_shipped_is_the_vectors() -> None:
    """When it is not: `python -m testing.run_cases >agentgate_git/data/expected_codes.json`."""
    assert corpus() == Path(EXPECTED_CODES).read_text(encoding="utf-8")


def test_every_expected_code_holds() -> None:
    assert SelftestResult(ROWS, ()) == selftest()


def test_an_answer_that_differs_is_named(tmp_path: Path) -> None:
    other = tmp_path / "codes.json"
    other.write_text(corpus().replace('"code": "E_DIGEST_OPEN"', '"code": "E_FROM_THE_FUTURE"', 1), encoding="utf-8")
    assert SelftestResult(ROWS, (("digest-open", "E_FROM_THE_FUTURE", "E_DIGEST_OPEN"),)) == selftest(str(other))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"rows": []}', '{"rows": [{}]}', '{"rows": [], "rows": []}'])
def test_a_corpus_that_tests_nothing_is_no_success(text: str, tmp_path: Path) -> None:
    other = tmp_path / "codes.json"
    other.write_text(text, encoding="utf-8")
    with pytest.raises(Undecided, match=r"codes\.json"):
        selftest(str(other))


def test_a_corpus_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Undecided, match="nowhere"):
        selftest(str(tmp_path / "nowhere"))


def test_the_verb_and_the_row_of_doctor(repo: RepoBuilder) -> None:
    done = agentgate(repo, "selftest")
    assert (0, f"{ROWS} of {ROWS} expected codes hold\n", "") == done
    assert f"ok: {ROWS} expected codes hold\n" in agentgate(repo, "doctor").stdout
