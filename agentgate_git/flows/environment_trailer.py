"""The commit-msg hook's record of an agent's environment: a trailer, so that whoever judges the commit sees it too."""

from __future__ import annotations

from collections.abc import Mapping

from agentgate_git.flows.shipped import shipped_registry
from agentgate_git.model.registry import ENVIRONMENT_TRAILER
from agentgate_git.policy.authors.agent_marks import environment_mark
from agentgate_git.repo.process import Git


def record_environment(directory: str, message_file: str, environ: Mapping[str, str]) -> str:
    """Add the trailer to a message that is about to be committed; the agent's name, empty when none is at work."""
    mark = environment_mark(environ, shipped_registry())
    if mark is None:
        return ""
    trailer = f"{ENVIRONMENT_TRAILER}: {mark.agent}"
    git = Git.in_repository(directory, environ)
    # Each flag is named, since configuration for trailers could say otherwise.
    flags = ("--in-place", "--no-divider", "--where", "end", "--if-exists", "doNothing", "--if-missing", "add")
    git.run("-c", "trailer.separators=:", "interpret-trailers", *flags, "--trailer", trailer, "--", message_file)
    return mark.agent
