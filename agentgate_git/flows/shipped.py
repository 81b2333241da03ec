"""What the package brings along as data."""

from __future__ import annotations

import os

import agentgate_git
from agentgate_git.model.registry import AgentRegistry
from agentgate_git.wire.agents import read_registry

_PACKAGE = os.path.dirname(os.path.abspath(agentgate_git.__file__))
EXPECTED_CODES = os.path.join(_PACKAGE, "data", "expected_codes.json")
_REGISTRY = os.path.join(_PACKAGE, "data", "agents.json")


def shipped_registry() -> AgentRegistry:
    """The marks of agents that this version knows."""
    with open(_REGISTRY, "rb") as data:
        return read_registry(data.read())


def shims_directory() -> str:
    """Where the hooks are that git executes."""
    return _folder("shims", "hooks")


def pages_directory() -> str:
    """Where the pages of the codes are."""
    return _folder("codes", "docs/codes")


def example_directory() -> str:
    """Where the example project is."""
    return _folder("examples/invoice", "examples/invoice")


def _folder(in_wheel: str, in_checkout: str) -> str:
    """In the wheel it stands beside the package's modules, in a checkout beside the package."""
    shipped = os.path.join(_PACKAGE, in_wheel)
    return shipped if os.path.isdir(shipped) else os.path.join(os.path.dirname(_PACKAGE), in_checkout)
