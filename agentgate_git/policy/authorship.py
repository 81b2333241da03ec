"""Who a commit counts as. One ordered list of rules; the first that matches decides.

Positive evidence of an agent beats a human signature, since git signs an agent's commits with whatever key is
configured. Only in strict mode does the absence of evidence mean agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agentgate_git.model.actor import AGENT, BOT, HUMAN, LENIENT, STRICT, Classification
from agentgate_git.model.commit import Commit
from agentgate_git.model.policy import Policy
from agentgate_git.model.registry import BAD, GOOD, AgentRegistry, SignatureFacts
from agentgate_git.policy.agent_marks import RULES, commit_marks, environment_mark, is_listed_bot, label_of

SIGNATURE_BAD = "A_SIG_BAD"
AGENT_KEY = "A_KEY"
PRESENT = "H_PRESENT"
FILE_KEY = "H_FILEKEY"
BOT_KEY = "B_KEY"
DEFAULT = "U_DEFAULT"


def classify(
    commit: Commit,
    registry: AgentRegistry,
    policy: Policy,
    environment: Mapping[str, str] | None = None,
    signature_facts: SignatureFacts | None = None,
) -> Classification:
    """Who made the commit.

    `environment` is the environment it is being made in, when it is; `signature_facts` what is known about its
    signature (`wire.sshsig.signature_facts` before verification), None for an unsigned one.
    """
    facts = signature_facts or SignatureFacts(status="")
    return (
        _by_agent_key(commit, registry, facts)
        or _by_marks(commit, registry, policy, environment or {})
        or _by_other_keys(commit, registry, policy, facts)
        or Classification(commit.oid, AGENT if policy.mode == STRICT else HUMAN, DEFAULT, "no mark and no enrolled key")
    )


def mode_of(policy: Policy, has_enrolled_human: bool) -> str:
    """The mode that holds: the one the policy names, else lenient until a human's key is enrolled."""
    return policy.mode or (STRICT if has_enrolled_human else LENIENT)


def strongest(classes: Iterable[Classification]) -> str:
    """The class of a range: agent when any commit is, else bot when any is, else human; agent for no commits."""
    actors = {one.actor for one in classes}
    return next((actor for actor in (AGENT, BOT, HUMAN) if actor in actors), AGENT)


def _by_agent_key(commit: Commit, registry: AgentRegistry, facts: SignatureFacts) -> Classification | None:
    if facts.status == BAD:
        return Classification(commit.oid, AGENT, SIGNATURE_BAD, "the signature is invalid, expired or unreadable")
    for key in registry.keys:
        if key.fingerprint == facts.fingerprint:
            return Classification(commit.oid, AGENT, AGENT_KEY, f"signed with the key of {key.agent}")
    if facts.enrolled_as == AGENT:
        return Classification(commit.oid, AGENT, AGENT_KEY, f"signed with an enrolled agent key ({facts.principal})")
    return None


def _by_marks(
    commit: Commit, registry: AgentRegistry, policy: Policy, environment: Mapping[str, str]
) -> Classification | None:
    here = environment_mark(environment, registry)
    marks = (*commit_marks(commit, registry, policy.agents), *((here,) if here else ()))
    if not marks:
        return None
    first = min(marks, key=lambda mark: RULES.index(mark.rule))
    detail = f"{label_of(commit, marks, registry)}: {first.agent}, {first.place} {first.seen}"
    return Classification(commit.oid, AGENT, first.rule, detail)


def _by_other_keys(
    commit: Commit, registry: AgentRegistry, policy: Policy, facts: SignatureFacts
) -> Classification | None:
    if facts.status != GOOD:
        return None
    if facts.enrolled_as == HUMAN and facts.has_presence:
        return Classification(commit.oid, HUMAN, PRESENT, f"signed by {facts.principal}, who touched the key")
    if facts.enrolled_as == HUMAN:
        actor = AGENT if policy.mode == STRICT else HUMAN
        return Classification(commit.oid, actor, FILE_KEY, f"signed with a key file of {facts.principal}")
    if facts.enrolled_as == BOT and is_listed_bot(commit, registry):
        return Classification(commit.oid, BOT, BOT_KEY, f"signed by the bot key of {facts.principal}")
    return None
