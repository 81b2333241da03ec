"""Findings for a person: the code first, the next step last, and no byte that a terminal obeys."""

from __future__ import annotations

from agentgate_git.model.actor import Classification
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.packet import CaptureResult
from agentgate_git.model.setup import SetupRow
from agentgate_git.model.shown import LogRow, ShownLine
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.printable import printable
from agentgate_git.render.text import capture_text, check_text, log_text, setup_text, shown_text
from testing.records import some_packet

EVIL = "a\x1b[31m\n\r\x07\u202e\u2028\udce5b"
CONTROLS = {"\x1b", "\r", "\x07", "\u202e", "\u2028", "\udce5"}
SHOWN = "a\\x1b[31m\\n\\r\\x07\\u202e\\u2028\\udce5b"
BLOCKING = Finding("E_A", BLOCK, "p", "what", "do this", line=3, commit="c" * 40)
HUMAN = Classification("c" * 40, "human", "U_DEFAULT")


def test_what_prints_is_left_as_it_is() -> None:
    assert "plain ä–日本 text" == printable("plain ä–日本 text")


def test_what_a_terminal_would_obey_is_spelt_out() -> None:
    assert SHOWN == printable(EVIL)


def test_nothing_found() -> None:
    assert "nothing blocks (0 other finding(s)) in 1 commit(s), 0 by agents\n" == check_text(
        CheckResult((), (HUMAN,), 0)
    )
    assert "note: the range is empty\nnothing blocks (0 other finding(s)) in no commits\n" == check_text(
        CheckResult((), (), 0, ("the range is empty",))
    )


def test_a_finding_with_its_place() -> None:
    text = check_text(CheckResult((BLOCKING,), (HUMAN, HUMAN._replace(actor="agent")), 1))
    assert (
        "E_A block p:3 [cccccccccccc]\n"
        "    what\n"
        "    next: do this\n"
        "refused: 1 blocking finding(s) in 2 commit(s), 1 by agents\n"
    ) == text


def test_a_finding_without_a_place() -> None:
    bare = BLOCKING._replace(path="", line=0, commit="", severity=WARN)
    assert check_text(CheckResult((bare,), (), 0)).startswith("E_A warn\n    what\n    next: do this\n")


def test_what_blocks_comes_first_and_the_rest_keeps_its_order() -> None:
    rows = tuple(BLOCKING._replace(code=f"E_{n}", severity=s) for n, s in enumerate((WARN, ADVICE, BLOCK, WARN, BLOCK)))
    lines = [line.split()[0] for line in check_text(CheckResult(rows, (), 1)).splitlines() if line.startswith("E_")]
    assert ["E_2", "E_4", "E_0", "E_1", "E_3"] == lines


def test_no_byte_of_the_author_reaches_the_terminal() -> None:
    finding = Finding("E_A", BLOCK, EVIL, EVIL, EVIL)
    texts = (
        check_text(CheckResult((finding,), (), 1)),
        setup_text((SetupRow("missing", EVIL, EVIL),)),
        capture_text(CaptureResult(some_packet(), True, (finding,), (EVIL,), 1)),
        shown_text((ShownLine("packets", "0" * 64, EVIL, EVIL, b""),)),
        log_text((LogRow("c" * 40, "d" * 40, EVIL, 0, 0, 0, 0),)),
    )
    for text in texts:
        assert not CONTROLS & set(text)
        assert SHOWN in text


def test_a_capture() -> None:
    allowed = capture_text(CaptureResult(some_packet(), True, (), (), 0))
    assert "run of tree aaaaaaaaaaaa passed: 3 passed; recorded, UNSIGNED\n" == allowed
    failed = some_packet(codes=("E_RUN_INCOMPLETE",), outcomes=())
    refused = capture_text(CaptureResult(failed, False, (BLOCKING,), ("why",), 1)).splitlines()
    assert "run of tree aaaaaaaaaaaa is no pass: no tests; NOT recorded" == refused[0]
    assert (True, "note: why") == (refused[1].startswith("E_A block"), refused[-1])


def test_records_of_a_tree() -> None:
    lines = (
        ShownLine("packets", "0123456789abcdef" * 4, "", "passed: 1 passed", b"{}"),
        ShownLine("seals", "f" * 64, "SHA256:abc", "a seal", b"{}"),
        ShownLine("packets", "", "", "line 2 is no record: x", b""),
    )
    assert (
        "packets 0123456789ab (UNSIGNED): passed: 1 passed\n"
        "seals ffffffffffff (signature of SHA256:abc): a seal\n"
        "packets: line 2 is no record: x\n"
    ) == shown_text(lines)
    assert "" == shown_text(())


def test_a_log() -> None:
    rows = (
        LogRow("c" * 40, "d" * 40, "subject", 3, 2, 1, 4),
        LogRow("e" * 40, "f" * 40, "", 0, 0, 0, 0),
    )
    assert (
        "cccccccccccc dddddddddddd 2 of 3 packets pass, 4 verdicts, 1 lines are no records  subject\n"
        "eeeeeeeeeeee ffffffffffff no packet  \n"
    ) == log_text(rows)


def test_a_set_up_with_and_without_something_to_do() -> None:
    assert "nothing to do\n" == setup_text(())
    assert "ok: all\nmissing: hook\n    next: install it\n" == setup_text(
        (SetupRow("ok", "all"), SetupRow("missing", "hook", "install it"))
    )
