"""What kind of change a proposal is, for the merge rule."""

from __future__ import annotations

from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import Change, is_file
from agentgate_git.model.commit import Proposal
from agentgate_git.model.role import DOCS
from agentgate_git.model.run_record import PRODUCTION
from agentgate_git.policy.runs.merge_rule import change_of
from agentgate_git.repo.diff import tree_changes
from agentgate_git.source.python.changed_symbols import is_prose_change
from agentgate_git.source.roles import is_python_production, role_of


def class_of(workspace: Workspace, proposal: Proposal) -> str:
    """One of model.run_record.CHANGES. Production that runs the same code as before is prose."""
    rows = tuple(tree_changes(workspace.room, proposal.base_tree, proposal.tip.tree))
    known = change_of(role_of(row.path) for row in rows)
    if known != PRODUCTION:
        return known
    return change_of(DOCS if _is_prose(workspace, row) else role_of(row.path) for row in rows)


def _is_prose(workspace: Workspace, row: Change) -> bool:
    if not is_python_production(row.path) or row.old_mode != row.new_mode or not is_file(row.new_mode):
        return False
    return is_prose_change(*(workspace.objects.read(oid, "blob") for oid in (row.old_oid, row.new_oid)))
