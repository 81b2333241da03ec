"""What whoever pushes gets to read: a line a finding."""

from __future__ import annotations

from agentgate_git.model.finding import ADVICE, BLOCK, Finding
from agentgate_git.model.received import RefAnswer
from agentgate_git.render.received import received_lines, refusal_line, summary_line

FINDING = Finding("E_X", BLOCK, "a b.py", "something is wrong", "put it right", 3, "c" * 40)


def test_a_line_has_everything_and_is_one_line() -> None:
    assert [
        "agentgate: refused: refs/heads/x: E_X a b.py:3 [cccccccccccc]: something is wrong; next: put it right"
    ] == received_lines(RefAnswer("refs/heads/x", (FINDING,)))
    bare = Finding("E_X", ADVICE, "", "it\nis", "s\x1b[1mo")
    assert [r"agentgate: advice: E_X: it\nis; next: s\x1b[1mo"] == received_lines(RefAnswer("", (bare,)))
    assert r"agentgate: refused: no\n; next: go" == refusal_line("no\n", "go")


def test_what_blocks_comes_first_and_a_flood_is_cut_with_its_number() -> None:
    many = tuple(FINDING._replace(severity=ADVICE) for _ in range(60))
    lines = received_lines(RefAnswer("refs/heads/x", (*many, FINDING)))
    assert "agentgate: refused:" in lines[0]
    assert 51 == len(lines)
    assert "and 11 more" in lines[-1]


def test_the_last_line_says_what_became_of_the_push() -> None:
    assert "" == summary_line(0, is_one_ref=False)
    assert "the whole push is refused" in summary_line(2, is_one_ref=False)
    assert "agentgate: this ref is refused" == summary_line(1, is_one_ref=True)
