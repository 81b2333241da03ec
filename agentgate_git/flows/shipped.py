"""What the package brings along as data."""

from __future__ import annotations

import os

import agentgate_git
from agentgate_git.model.registry import AgentRegistry
from agentgate_git.wire.agents import read_registry

_REGISTRY = os.path.join(os.path.dirname(agentgate_git.__file__), "data", "agents.json")


def shipped_registry() -> AgentRegistry:
    """The marks of agents that this version knows."""
    with open(_REGISTRY, "rb") as data:
        return read_registry(data.read())
