"""Which tests of the base's run the head's run silences: packets or runs of ours, with the sources to match moves."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.change_sets.judged_files import changed_facts
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.packet import Packet
from agentgate_git.policy.runs.run_outcomes import RunOutcomes, outcomes_of_packet
from agentgate_git.policy.runs.test_silenced import Silenced, Sources, silenced_tests
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.materialise import list_tree


def sources_of(workspace: Workspace, proposal: Proposal) -> Sources:
    """The inventories of the changed files, and the paths that did not change."""
    rows = tuple(tree_changes(workspace.room, proposal.base_tree, proposal.tip.tree))
    before, after = changed_facts(FactsCache(workspace.objects.blobs), rows, ())
    changed = {row.path for row in rows}
    paths = (entry.path for entry in list_tree(workspace.room, proposal.tip.tree))
    return Sources(
        tuple(one.tests for one in before),
        tuple(one.tests for one in after),
        frozenset(path for path in paths if path not in changed),
    )


def silenced_since(packets: Iterable[Packet], head: RunOutcomes, sources: Sources) -> tuple[Silenced, ...]:
    """What any of the base's packets saw run and the head's run does not; each test once."""
    found: dict[str, Silenced] = {}
    for packet in packets:
        for one in silenced_tests(outcomes_of_packet(packet), head, sources):
            found.setdefault(one.test, one)
    return tuple(found.values())


def is_alike(one: Packet, other: Packet) -> bool:
    """True for runs in the same surroundings, whose outcomes differ for the code's sake alone."""
    fields = ("interpreter", "platform", "argv", "environment")
    return all(getattr(one, field) == getattr(other, field) for field in fields)
