"""commit-msg: judge the change by its message too, then record in the message that an agent's environment was there."""

from __future__ import annotations

import os
from collections.abc import Mapping

from agentgate_git.flows.environment_trailer import record_environment
from agentgate_git.hook.stages import judge_index


def run_commit_msg(message_file: str, environ: Mapping[str, str]) -> int:
    """`hook commit-msg FILE`; a message is changed only when the commit goes through."""
    status = judge_index(message_file, environ)
    if status == 0:
        record_environment(os.getcwd(), message_file, environ)
    return status
