"""Who a commit counts as. One ordered list of rules; the first that matches decides.

Positive evidence of an agent beats a human signature, since git signs an agent's commits with whatever key is
configured. Only in strict mode does the absence of evidence mean agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.actor import AGENT, BOT, HUMAN, LENIENT, STRICT, Classification, Reason
from agentgate_git.model.commit import Commit
from agentgate_git.model.policy import Policy
from agentgate_git.model.registry import AUTHORED, BAD, GOOD, NEUTRAL, AgentRegistry, KeyMark, SignatureFacts
from agentgate_git.policy.authors.agent_marks import (
    RULES,
    Mark,
    commit_marks,
    environment_mark,
    is_listed_bot,
    label_of,
)

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
    """Who made the commit, with every reason that was seen.

    `environment` is the environment it is being made in, when it is; `signature_facts` what is known about its
    signature (`wire.sshsig.signature_facts` before verification), None for an unsigned one.
    """
    facts = signature_facts or SignatureFacts(status="")
    marks = _marks(commit, registry, policy, environment or {})
    found = (
        *_by_agent_key(commit, registry, facts),
        *_by_marks(commit, registry, marks),
        *_by_other_keys(commit, registry, policy, facts),
        _by_default(commit, registry, policy, facts),
    )
    reasons = (*found[0].reasons, *(reason for one in found[1:-1] for reason in one.reasons))
    return found[0]._replace(reasons=reasons)


def mode_of(policy: Policy, has_enrolled_human: bool) -> str:
    """The mode that holds: the one the policy names, else lenient until a human's key is enrolled."""
    return policy.mode or (STRICT if has_enrolled_human else LENIENT)


def strongest(classes: Iterable[Classification]) -> str:
    """The class of a range: agent when any commit is, else bot when any is, else human; agent for no commits."""
    actors = {one.actor for one in classes}
    return next((actor for actor in (AGENT, BOT, HUMAN) if actor in actors), AGENT)


def _by_agent_key(commit: Commit, registry: AgentRegistry, facts: SignatureFacts) -> Iterator[Classification]:
    if facts.status == BAD:
        problem = facts.problem or "is invalid, expired or unreadable"
        yield _by_signature(commit, AGENT, SIGNATURE_BAD, facts, f"the signature {problem}")
    vendor = _vendor_of(registry, facts, AUTHORED)
    if vendor:
        yield _by_signature(commit, AGENT, AGENT_KEY, facts, f"signed with the key of {vendor.agent}", vendor.agent)
    if facts.enrolled_as == AGENT:
        detail = f"signed with an enrolled agent key ({facts.principal})"
        yield _by_signature(commit, AGENT, AGENT_KEY, facts, detail)


def _marks(commit: Commit, registry: AgentRegistry, policy: Policy, environment: Mapping[str, str]) -> tuple[Mark, ...]:
    """Every mark, the one that decides first."""
    here = environment_mark(environment, registry)
    marks = (*commit_marks(commit, registry, policy.agents), *((here,) if here else ()))
    return tuple(sorted(marks, key=lambda mark: RULES.index(mark.rule)))


def _by_marks(commit: Commit, registry: AgentRegistry, marks: tuple[Mark, ...]) -> Iterator[Classification]:
    if marks:
        first = marks[0]
        detail = f"{label_of(commit, marks, registry)}: {first.agent}, {first.place} {first.seen}"
        reasons = tuple(Reason(mark.rule, mark.place, mark.seen, mark.agent) for mark in marks)
        yield Classification(commit.oid, AGENT, first.rule, detail, reasons)


def _by_other_keys(
    commit: Commit, registry: AgentRegistry, policy: Policy, facts: SignatureFacts
) -> Iterator[Classification]:
    if facts.status != GOOD:
        return
    if facts.enrolled_as == HUMAN and facts.has_presence:
        yield _by_signature(commit, HUMAN, PRESENT, facts, f"signed by {facts.principal}, who touched the key")
    elif facts.enrolled_as == HUMAN:
        actor = AGENT if policy.mode == STRICT else HUMAN
        yield _by_signature(commit, actor, FILE_KEY, facts, f"signed with a key file of {facts.principal}")
    elif facts.enrolled_as == BOT and is_listed_bot(commit, registry):
        yield _by_signature(commit, BOT, BOT_KEY, facts, f"signed by the bot key of {facts.principal}")


def _by_default(commit: Commit, registry: AgentRegistry, policy: Policy, facts: SignatureFacts) -> Classification:
    """What holds for a commit that shows nothing, or only a signature that says nothing about who made it."""
    actor = AGENT if policy.mode == STRICT else HUMAN
    if not facts.status:
        return Classification(commit.oid, actor, DEFAULT, "no mark and no enrolled key")
    forge = _vendor_of(registry, facts, NEUTRAL)
    if facts.enrolled_as == BOT:
        whose = f"the bot key of {facts.principal}, but the author is no bot that is listed"
    elif forge:
        whose = f"the key of {forge.agent}, which signs for people and agents alike"
    else:
        whose = "a key that nobody enrolled"
    return _by_signature(commit, actor, DEFAULT, facts, f"no mark; signed with {whose}", forge.agent if forge else "")


def _by_signature(
    commit: Commit, actor: str, rule: str, facts: SignatureFacts, detail: str, who: str = ""
) -> Classification:
    seen = facts.fingerprint or "of an unknown key"
    reason = Reason(rule, "signature", seen, who or facts.principal)
    return Classification(commit.oid, actor, rule, detail, (reason,))


def _vendor_of(registry: AgentRegistry, facts: SignatureFacts, means: str) -> KeyMark | None:
    """The vendor whose key a signature claims; an OpenPGP key is known by its whole fingerprint or by its id."""
    shown = facts.fingerprint
    is_pgp = bool(shown) and not shown.startswith("SHA256:")
    for key in registry.keys:
        if key.means == means and (key.fingerprint == shown or (is_pgp and shown.endswith(key.fingerprint))):
            return key
    return None
