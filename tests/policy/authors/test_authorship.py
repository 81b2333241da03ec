"""Who a commit counts as: the vectors of authorship.yaml, the order of the rules, and text that hides marks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.actor import AGENT, BOT, HUMAN, LENIENT, MODES, REPORT, STRICT, Classification
from agentgate_git.model.commit import Commit, Ident
from agentgate_git.model.policy import Policy
from agentgate_git.model.registry import BAD, ENVIRONMENT_TRAILER, GOOD, UNVERIFIED, AgentRegistry, SignatureFacts
from agentgate_git.policy.authors.agent_marks import commit_marks, environment_mark, label_of
from agentgate_git.policy.authors.authorship import classify, strongest
from agentgate_git.wire.agents import read_registry

ROOT = Path(__file__).resolve().parents[3]
CASES = yaml.safe_load((ROOT / "tests" / "cases" / "authorship.yaml").read_text(encoding="utf-8"))
PAT = Ident("Pat Example", "pat@example.org")
CLAUDE_KEY = "SHA256:32dP45eSMmVSt/G/CGvcxl/P+MO3Nwj9xeTh/GSA2wc"
ENROLLED = SignatureFacts(GOOD, "SHA256:x", enrolled_as=HUMAN, principal="human:pat")
PRESENT = ENROLLED._replace(has_presence=True)


@pytest.fixture(scope="module")
def registry() -> AgentRegistry:
    return read_registry((ROOT / "agentgate_git" / "data" / "agents.json").read_bytes())


def commit(message: str = "Fix\n", author: Ident = PAT, committer: Ident = PAT) -> Commit:
    return Commit("a" * 40, "b" * 40, (), author, committer, message)


def commit_of(row: dict[str, Any]) -> Commit:
    people = [re.fullmatch(r"(.*) <(.*)>", row[role]) for role in ("author", "committer")]
    author, committer = (Ident(found[1], found[2]) for found in people if found)
    return commit(row["message"], author, committer)


def facts_of(row: dict[str, Any]) -> SignatureFacts | None:
    if "Claude hosted key" in row["signature"]:
        return SignatureFacts(UNVERIFIED, CLAUDE_KEY)
    if "openpgp" in row["signature"]:
        return SignatureFacts(UNVERIFIED)
    return {"ssh sk-ed25519, flags 0x01": PRESENT, "file key of the person, no presence": ENROLLED}.get(
        row["signature"]
    )


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["id"])
def test_vectors_by_marks_alone(registry: AgentRegistry, row: dict[str, Any]) -> None:
    marked = commit_of(row)
    assert row["expect_markers_only"] == label_of(marked, commit_marks(marked, registry), registry)


FULL = {
    "claude-hosted": (AGENT, "A_KEY"),
    "claude-hosted-rebased-by-person": (AGENT, "A_IDENT"),
    "hosted-key-person-name-no-marker": (AGENT, "A_KEY"),
    "copilot-cloud-merge": (AGENT, "A_IDENT"),
    "copilot-squash": (AGENT, "A_IDENT"),
    "copilot-review-suggestion": (AGENT, "A_IDENT"),
    "devin": (AGENT, "A_IDENT"),
    "claude-action-mixed-id": (AGENT, "A_IDENT"),
    "aider-edit": (AGENT, "A_IDENT"),
    "aider-user-commit": (AGENT, "A_IDENT"),
    "git-assisted-by": (AGENT, "A_TRAILER"),
    "crush-default": (AGENT, "A_TRAILER"),
    "openhands-no-brackets": (AGENT, "A_IDENT"),
    "agent-signs-off": (AGENT, "A_SIGNOFF"),
    "made-with-cursor": (AGENT, "A_TRAILER"),
    "human-given-name-claude": (AGENT, "U_DEFAULT"),
    "human-surname-has-llm": (AGENT, "U_DEFAULT"),
    "vendor-employee": (HUMAN, "H_PRESENT"),
    "assisted-by-person-2013": (AGENT, "U_DEFAULT"),
    "prose-about-footer": (AGENT, "U_DEFAULT"),
    "dependabot": (AGENT, "U_DEFAULT"),
    "evasion-unicode": (AGENT, "A_IDENT"),
    "evasion-clean": (AGENT, "A_ENV"),
}


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["id"])
def test_vectors_in_strict_mode(registry: AgentRegistry, row: dict[str, Any]) -> None:
    found = classify(commit_of(row), registry, Policy(mode=STRICT), row.get("env"), facts_of(row))
    assert FULL[row["id"]] == (found.actor, found.rule)


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["id"])
def test_vectors_in_lenient_mode_differ_by_default_only(registry: AgentRegistry, row: dict[str, Any]) -> None:
    found = classify(commit_of(row), registry, Policy(mode=LENIENT), row.get("env"), facts_of(row))
    actor, rule = FULL[row["id"]]
    assert (HUMAN if rule == "U_DEFAULT" else actor, rule) == (found.actor, found.rule)


def test_people_without_marks_are_human_with_a_present_key(registry: AgentRegistry) -> None:
    for row in CASES:
        if row["expect_markers_only"] == "unlabelled" and "env" not in row and "hosted" not in row["id"]:
            found = classify(commit_of(row), registry, Policy(mode=STRICT), None, PRESENT)
            assert (HUMAN, "H_PRESENT") == (found.actor, found.rule)


BOT_KEY = SignatureFacts(GOOD, "SHA256:b", enrolled_as=BOT, principal="bot:forge")
DEPENDABOT = Ident("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")
SIGNATURES = [
    (PAT, None, (HUMAN, "U_DEFAULT"), (AGENT, "U_DEFAULT")),
    (PAT, PRESENT, (HUMAN, "H_PRESENT"), (HUMAN, "H_PRESENT")),
    (PAT, ENROLLED, (HUMAN, "H_FILEKEY"), (AGENT, "H_FILEKEY")),
    (PAT, PRESENT._replace(status=UNVERIFIED), (HUMAN, "U_DEFAULT"), (AGENT, "U_DEFAULT")),
    (PAT, PRESENT._replace(status=BAD), (AGENT, "A_SIG_BAD"), (AGENT, "A_SIG_BAD")),
    (PAT, PRESENT._replace(enrolled_as=""), (HUMAN, "U_DEFAULT"), (AGENT, "U_DEFAULT")),
    (PAT, ENROLLED._replace(enrolled_as=AGENT), (AGENT, "A_KEY"), (AGENT, "A_KEY")),
    (PAT, SignatureFacts(UNVERIFIED, CLAUDE_KEY), (AGENT, "A_KEY"), (AGENT, "A_KEY")),
    (DEPENDABOT, BOT_KEY, (BOT, "B_KEY"), (BOT, "B_KEY")),
    (DEPENDABOT, None, (HUMAN, "U_DEFAULT"), (AGENT, "U_DEFAULT")),
    (PAT, BOT_KEY, (HUMAN, "U_DEFAULT"), (AGENT, "U_DEFAULT")),
]


@pytest.mark.parametrize(("author", "facts", "lenient", "strict"), SIGNATURES)
def test_signatures(
    registry: AgentRegistry,
    author: Ident,
    facts: SignatureFacts | None,
    lenient: tuple[str, str],
    strict: tuple[str, str],
) -> None:
    for mode, expected in ((LENIENT, lenient), (REPORT, lenient), (STRICT, strict)):
        found = classify(commit(author=author), registry, Policy(mode=mode), None, facts)
        assert expected == (found.actor, found.rule)


def test_a_mark_beats_the_key_of_a_person(registry: AgentRegistry) -> None:
    marked = commit("Fix\n\nCo-authored-by: Claude <noreply@anthropic.com>\n")
    assert "A_IDENT" == classify(marked, registry, Policy(), None, PRESENT).rule


DECLARED = {
    "allow: somebody else": (commit(), (HUMAN, "U_DEFAULT")),
    "author": (commit(author=Ident("Build", "Builder@Example.org")), (AGENT, "A_DECLARED")),
    "committer": (commit(committer=Ident("Build", "builder@example.org")), (AGENT, "A_DECLARED")),
    "co-author": (commit("Fix\n\nCo-authored-by: Build <builder@example.org>\n"), (AGENT, "A_DECLARED")),
    "trailer": (commit("Fix\n\nAI-Agent: our-own\n"), (AGENT, "A_DECLARED")),
}


@pytest.mark.parametrize(("made", "expected"), DECLARED.values(), ids=DECLARED)
def test_what_the_project_declares(registry: AgentRegistry, made: Commit, expected: tuple[str, str]) -> None:
    found = classify(made, registry, Policy(agents=("builder@example.org",)))
    assert expected == (found.actor, found.rule)


ENVIRONMENTS = {
    "allow: a person's shell": ({"PATH": "/usr/bin", "CI": "1", "TERM_PROGRAM": "vscode"}, ""),
    "allow: ambient": ({"CURSOR_TRACE_ID": "x", "CLAUDECODE": "1", "COPILOT_MODEL": "m", "REPL_ID": "r"}, ""),
    "allow: AGENT of something else": ({"AGENT": "monitoring"}, ""),
    "allow: half of a pair": ({"AGENT": "1"}, ""),
    "claude": ({"CLAUDE_CODE_CHILD_SESSION": "1"}, "claude-code"),
    "codex": ({"CODEX_THREAD_ID": "t"}, "openai-codex"),
    "cursor": ({"CURSOR_AGENT": "1"}, "cursor"),
    "pair": ({"AGENT": "1", "OPENCODE": "1"}, "opencode"),
    "any agent that says so": ({"AI_AGENT": "something-new"}, "generic"),
}


@pytest.mark.parametrize(("environment", "agent"), ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_environments(registry: AgentRegistry, environment: dict[str, str], agent: str) -> None:
    mark = environment_mark(environment, registry)
    assert agent == (mark.agent if mark else "")
    assert ("A_ENV" if agent else "U_DEFAULT") == classify(commit(), registry, Policy(), environment).rule


def test_an_environment_that_the_hook_recorded_counts_later(registry: AgentRegistry) -> None:
    recorded = commit(f"Fix\n\n{ENVIRONMENT_TRAILER}: claude-code\n")
    assert (AGENT, "A_ENV") == classify(recorded, registry, Policy())[1:3]


CLAUDE = "Claude <noreply@anthropic.com>"
HIDDEN = {
    "not in the last paragraph": f"Fix\n\nCo-authored-by: {CLAUDE}\n\nSome more words.\n",
    "after a divider": f"Fix\n\n---\nCo-authored-by: {CLAUDE}\n",
    "before a divider": "Fix\n\nAssisted-by: Claude\n---\n a.py | 2 +-\n",
    "blank before the colon": f"Fix\n\nco-authored-by : {CLAUDE}\n",
    "capitals": f"Fix\n\nCO-AUTHORED-BY: {CLAUDE}\n",
    "duplicate keys": f"Fix\n\nCo-authored-by: Sam <sam@example.org>\nCo-authored-by: {CLAUDE}\n",
    "folded value": "Fix\n\nCo-authored-by: Claude\n <noreply@anthropic.com>\n",
    "unicode hyphen": f"Fix\n\nCo\u2011authored\u2011by: {CLAUDE}\n",
    "full-width colon": f"Fix\n\nCo-authored-by\uff1a {CLAUDE}\n",
    "zero-width characters": "Fix\n\nCo-authored-by: Cl\u200baude <noreply@anth\u2060ropic.com>\n",
    "carriage returns": f"Fix\r\n\r\nCo-authored-by: {CLAUDE}\r\n",
    "bare carriage returns": f"Fix\r\rCo-authored-by: {CLAUDE}\r",
    "line separator": f"Fix\n\nWords\u2028Co-authored-by: {CLAUDE}\n",
    "no blank line before": f"Fix\nCo-authored-by: {CLAUDE}\n",
    "among prose": f"Fix\n\nwords and words\nmore words\nCo-authored-by: {CLAUDE}\nlast words\n",
    "address without brackets": "Fix\n\nCo-authored-by: Claude noreply@anthropic.com\n",
}


@pytest.mark.parametrize("message", HIDDEN.values(), ids=HIDDEN)
def test_b66_trailers_are_found_however_they_are_written(registry: AgentRegistry, message: str) -> None:
    assert AGENT == classify(commit(message), registry, Policy()).actor


HONEST = {
    "subject that looks like a trailer": "Co-authored-by: Claude <noreply@anthropic.com> is not a subject\n",
    "prose about an agent": "docs: describe Claude\n\nExplain how Claude and Cursor are told apart.\n",
    "quoted footer": "Fix\n\n> Generated with Crush\n",
    "footer far up": "Fix\n\nGenerated with Crush\n\none\n\ntwo\n\nthree\n",
    "vendor address of a person": "Fix\n\nCo-authored-by: Pat Example <pat@anthropic.com>\n",
    "number without login": "Fix\n\nCo-authored-by: Pat <198982749@example.org>\n",
    "assisted by a person": "Fix\n\nAssisted-by: Sam Example <sam@example.org>\n",
    "made with something else": "Fix\n\nMade-with: love\n",
    "generated by a tool": "Update\n\nGenerated-by: protoc\n",
}


@pytest.mark.parametrize("message", HONEST.values(), ids=HONEST)
def test_what_people_write_is_no_mark(registry: AgentRegistry, message: str) -> None:
    assert (HUMAN, "U_DEFAULT") == classify(commit(message), registry, Policy())[1:3]


def test_the_detail_says_what_was_seen(registry: AgentRegistry) -> None:
    found = classify(commit(f"Fix\n\nCo-authored-by: {CLAUDE}\n"), registry, Policy())
    assert "agent-coauthored: claude-code, coauthor claude <noreply@anthropic.com>" == found.detail


def test_the_strongest_class_of_a_range() -> None:
    human, bot, agent = (Classification("", actor, "") for actor in (HUMAN, BOT, AGENT))
    assert HUMAN == strongest([human, human])
    assert BOT == strongest([human, bot])
    assert AGENT == strongest([human, agent, bot])
    assert AGENT == strongest([])


@given(st.text(max_size=300), st.text(max_size=40), st.sampled_from(MODES))
def test_no_message_crashes_and_marks_only_add(registry: AgentRegistry, message: str, name: str, mode: str) -> None:
    policy = Policy(mode=mode)
    found = classify(commit(message, Ident(name, name)), registry, policy)
    marked = classify(commit(f"Fix\n\n{message}\n\nCo-authored-by: {CLAUDE}\n", Ident(name, name)), registry, policy)
    assert found.actor in (AGENT, HUMAN)
    assert AGENT == marked.actor


def test_long_lines_take_linear_time(registry: AgentRegistry) -> None:
    line = "Assisted-by: a:" + "b " * 100_000 + "<"
    assert HUMAN == classify(commit(f"Fix\n\n{line}\n"), registry, Policy()).actor
