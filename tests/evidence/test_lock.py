"""The advisory lock."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.evidence.lock import writer_lock


def test_a_second_holder_does_not_get_it_and_is_not_stopped(tmp_path: Path) -> None:
    with (
        writer_lock(str(tmp_path), "packets") as first,
        writer_lock(str(tmp_path), "packets", patience=0) as second,
        writer_lock(str(tmp_path), "seals", patience=0) as another_kind,
    ):
        assert (True, False, True) == (first, second, another_kind)


def test_it_is_free_after_the_block_and_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), writer_lock(str(tmp_path), "packets"):
        raise ZeroDivisionError
    with writer_lock(str(tmp_path), "packets", patience=0) as held:
        assert held


def test_where_no_lock_file_can_be_made_the_work_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with writer_lock(str(tmp_path / "file" / "directory"), "packets") as held:
        assert not held
