"""The shipped registry of agents."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from agentgate_git.model.registry import AgentRegistry
from agentgate_git.wire.agents import dump_registry, read_registry

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = (ROOT / "agentgate_git" / "data" / "agents.json").read_bytes()


@pytest.fixture(scope="module")
def registry() -> AgentRegistry:
    return read_registry(SHIPPED)


def test_the_shipped_bytes_are_canonical(registry: AgentRegistry) -> None:
    assert SHIPPED == dump_registry(registry)


def test_it_is_what_the_builder_makes() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "build_agents.py", "check"], capture_output=True, cwd=ROOT)
    assert (0, b"") == (done.returncode, done.stdout)


def test_every_table_has_rows(registry: AgentRegistry) -> None:
    tables = ("identities", "trailers", "footers", "variables", "keys", "bots", "words")
    assert [] == [table for table in tables if not getattr(registry, table)]


def test_every_pattern_compiles_and_none_matches_everything_but_the_declared_ones(registry: AgentRegistry) -> None:
    patterns = [
        *(mark.email_pattern or mark.name_pattern for mark in registry.identities if not mark.email),
        *(
            mark.value_pattern
            for mark in registry.trailers
            if not mark.is_declared and "Entire" not in mark.key_pattern
        ),
        *(mark.line_pattern for mark in registry.footers),
    ]
    assert [] == [pattern for pattern in patterns if re.fullmatch(pattern, "Pat Example <pat@example.org>")]


def test_variables_of_peoples_own_shells_are_left_out(registry: AgentRegistry) -> None:
    names = {mark.name for mark in registry.variables}
    assert set() == names & {"CURSOR_TRACE_ID", "CLAUDECODE", "TERM_PROGRAM", "PATH", "CI", "COPILOT_MODEL", "REPL_ID"}
    assert {"CLAUDE_CODE_CHILD_SESSION", "CODEX_THREAD_ID", "CURSOR_AGENT", "AI_AGENT"} <= names


@pytest.mark.parametrize("data", [b"{}", b'{"format": 2}', b"[]", b"no json"])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"registry|Expecting"):
        read_registry(data)
