"""The demo as a person reads it."""

from __future__ import annotations

from agentgate_git.model import code
from agentgate_git.model.demo import DemoStep
from agentgate_git.render.demo import demo_step_text, demo_summary_text

ALLOWED = DemoStep("It works.", "git agentgate verify HEAD", code.ALLOW, "REPRODUCED", "all passed", 0, code.ALLOW)
REFUSED = DemoStep("It cheats.", "git agentgate check HEAD", code.SKIP_MARKER, "", "a\x1b[2Jb", 1, code.SKIP_MARKER)


def test_a_step_names_what_was_done_and_what_came_of_it() -> None:
    assert (
        "1. It works.\n   $ git agentgate verify HEAD\n   allowed: ALLOW REPRODUCED (exit 0)\n   all passed\n\n"
    ) == demo_step_text(1, ALLOWED)


def test_a_step_that_does_not_go_as_told_says_so() -> None:
    text = demo_step_text(1, ALLOWED._replace(told=code.STALE))
    assert "THIS IS NOT AS TOLD: expected E_STALE" in text


def test_the_summary_says_what_was_refused_and_why_without_terminal_escapes() -> None:
    assert (
        "Allowed:\n  It works.\n"
        "Refused:\n  It cheats.\n    E_SKIP_MARKER: a\\x1b[2Jb\n"
        "`git agentgate help CODE` explains a code.\n"
    ) == demo_summary_text((ALLOWED, REFUSED))
