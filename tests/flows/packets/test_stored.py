"""Which lines kept under a tree are packets, and which packet is the nearest."""

from __future__ import annotations

import pytest

from agentgate_git.evidence.memory import MemoryLedger
from agentgate_git.flows.packets.stored import Lookup, nearest, packets_in_file, packets_of
from agentgate_git.model.commit import Commit, Ident
from agentgate_git.model.evidence import Entry
from agentgate_git.model.oid import empty_tree
from agentgate_git.wire.bundle import read_note
from testing.proposals import line_of, told
from testing.records import SOME_TREE, some_line, some_packet

OTHER_TREE = "d" * 40
PASSED = some_packet()
FAILED = some_packet(codes=("E_TESTS_FAILED",), failed=("tests/test_a.py::test_1",))
SOMEBODY = Ident("Pat", "pat@example.org")


def lookup(*lines: bytes, key: str = SOME_TREE) -> Lookup:
    return packets_of(read_note(key, b"\n".join(lines)))


def commit(number: int, tree: str) -> Commit:
    return Commit(f"{number:040x}", tree, (), SOMEBODY, SOMEBODY, "")


def test_no_note_and_an_empty_note_hold_nothing() -> None:
    assert Lookup() == packets_of(None) == lookup()


def test_every_packet_of_a_tree_is_found_a_failed_one_too() -> None:
    found = lookup(line_of(PASSED), line_of(FAILED))
    assert ({PASSED, FAILED}, ()) == ({stored.packet for stored in found.packets}, found.findings)
    assert {SOME_TREE} == {stored.key for stored in found.packets}


def test_what_is_no_record_and_what_is_another_record_is_told_and_left_out() -> None:
    found = lookup(b"", b"garbage", b"{}", some_line(1), line_of(PASSED), b"\xff\x00")
    assert [PASSED] == [stored.packet for stored in found.packets]
    assert [("E_NOTE_MALFORMED", "warn", SOME_TREE)] * 4 == told(found.findings)


def test_b29_a_packet_under_another_tree_is_told_and_left_out() -> None:
    found = lookup(line_of(some_packet(tree=OTHER_TREE)))
    assert () == found.packets
    assert [("E_SUBJECT_MISMATCH", "warn", SOME_TREE)] == told(found.findings)
    assert OTHER_TREE[:12] in found.findings[0].message


def test_b33_nothing_is_evidence_for_the_empty_tree() -> None:
    tree = empty_tree(SOME_TREE)
    assert Lookup() == lookup(line_of(some_packet(tree=tree)), key=tree)


def test_a_file_speaks_of_the_trees_that_its_packets_name() -> None:
    other = some_packet(tree=OTHER_TREE)
    found = packets_in_file(b"\n".join((line_of(PASSED), b"garbage", line_of(other))))
    assert {(PASSED, SOME_TREE), (other, OTHER_TREE)} == {(stored.packet, stored.key) for stored in found.packets}
    assert ["E_NOTE_MALFORMED"] == [finding.code for finding in found.findings]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xff" * 100, b"{" * 10_000, b"[]\nnull\n1\n"])
def test_a_file_of_anything_is_read_to_its_end(data: bytes) -> None:
    assert () == packets_in_file(data).packets


def test_the_nearest_packet_is_that_of_the_first_commit_that_has_one() -> None:
    ledger = MemoryLedger()
    trees = [f"{number:040x}" for number in range(10, 14)]
    for tree in trees[1:]:
        ledger.append("packets", [Entry(tree, line_of(some_packet(tree=tree)))])
    commits = [commit(number, tree) for number, tree in enumerate(trees)]
    (found,) = nearest(ledger, commits, trees[0])
    assert trees[1] == found.packet.tree
    (found,) = nearest(ledger, [commits[3], *commits], trees[3])
    assert trees[1] == found.packet.tree, "a packet of the tree itself is not one of another tree"
    assert () == nearest(ledger, commits[:1], OTHER_TREE)
    assert () == nearest(ledger, (), trees[0])


def test_a_commit_with_nothing_but_broken_lines_is_passed_over() -> None:
    ledger = MemoryLedger()
    ledger.append("packets", [Entry("1" * 40, some_line(1)), Entry("2" * 40, line_of(some_packet(tree="2" * 40)))])
    (found,) = nearest(ledger, [commit(1, "1" * 40), commit(2, "2" * 40)], SOME_TREE)
    assert "2" * 40 == found.packet.tree
