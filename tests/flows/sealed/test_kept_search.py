"""What is kept of a search, and what of it is never believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.sealed.kept_search import KeptSearch, SearchOf
from agentgate_git.model.symbol import CREDIT, FUNCTION, MODIFIED, SymbolChange

CHANGE = SymbolChange("a.py", "f", FUNCTION, MODIFIED, CREDIT, "a.py", "f")
SEARCH = SearchOf("5" * 64, "agentgate-git 1", "/usr/bin/python3", {"a.py": b"old"}, {"a.py": b"new"})
EVENTS = ({"tries": [["revert", "f as it was", "strong", "t.py::a", "no"]], "effort": [3, 3, 0.1, 0.125]},)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of one symbol."""
    KeptSearch(str(tmp_path), SEARCH).keep(CHANGE, EVENTS)
    (file,) = (tmp_path / "agentgate/searches" / SEARCH.seal_sha256).iterdir()
    return file


def recalled(tmp_path: Path, change: SymbolChange = CHANGE, search: SearchOf = SEARCH) -> tuple[object, ...]:
    return KeptSearch(str(tmp_path), search).recall(change)


def test_what_was_kept_comes_back_word_for_word(tmp_path: Path, kept: Path) -> None:
    assert EVENTS == recalled(tmp_path)
    assert (0o600, 0o700) == (kept.stat().st_mode & 0o777, kept.parents[1].stat().st_mode & 0o777)


OTHERS: dict[str, tuple[SymbolChange, SearchOf]] = {
    "symbol": (CHANGE._replace(name="g"), SEARCH),
    "need": (CHANGE._replace(needs="execution"), SEARCH),
    "seal": (CHANGE, SEARCH._replace(seal_sha256="6" * 64)),
    "source": (CHANGE, SEARCH._replace(new={"a.py": b"newer"})),
    "former source": (CHANGE, SEARCH._replace(old={})),
    "tool": (CHANGE, SEARCH._replace(tool="agentgate-git 2")),
    "interpreter": (CHANGE, SEARCH._replace(python="/usr/bin/python3.13")),
}


@pytest.mark.parametrize(("change", "search"), OTHERS.values(), ids=OTHERS)
def test_another_one_finds_nothing(tmp_path: Path, kept: Path, change: SymbolChange, search: SearchOf) -> None:
    assert () == recalled(tmp_path, change, search)
    other = Path(KeptSearch(str(tmp_path), search)._path(change))
    other.parent.mkdir(exist_ok=True)
    kept.rename(other)
    assert () == recalled(tmp_path, change, search), "not even under its name"


def test_what_cannot_be_read_counts_as_not_there(tmp_path: Path, kept: Path) -> None:
    whole = kept.read_bytes()
    for size in range(0, len(whole), 7):
        kept.write_bytes(whole[:size])
        assert () == recalled(tmp_path)
    kept.write_bytes(whole.replace(b"strong", b"weaker"))
    assert () == recalled(tmp_path)
    kept.write_bytes(whole)
    kept.parents[1].chmod(0o770)
    assert () == recalled(tmp_path), "others could have written it"


def test_a_whole_run_forgets_and_the_oldest_go(tmp_path: Path) -> None:
    searches = [KeptSearch(str(tmp_path), SEARCH._replace(seal_sha256=str(n) * 64), 2) for n in range(3)]
    for each in searches:
        each.keep(CHANGE, EVENTS)
    assert [(), EVENTS] == [searches[n].recall(CHANGE) for n in (0, 2)]
    searches[2].forget()
    assert () == searches[2].recall(CHANGE)


def test_what_is_very_long_is_not_kept(tmp_path: Path) -> None:
    search = KeptSearch(str(tmp_path), SEARCH)
    search.keep(CHANGE, ({"tries": "x" * (1 << 20)},))
    assert () == search.recall(CHANGE)
