"""Actions of a workflow that read what tests or scans came to, and fail where it was bad unless told not to."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.source.settings.runs import key

# By the action: the input that decides, what it is where nobody says it, and values by which nothing fails.
_DECIDES = {
    "dorny/test-reporter": ("fail-on-error", "true", ("false",)),
    "phoenix-actions/test-reporting": ("fail-on-error", "true", ("false",)),
    "enricomi/publish-unit-test-result-action": ("fail_on", "test failures", ("nothing",)),
    "mikepenz/action-junit-report": ("fail_on_failure", "false", ("false",)),
    "codecov/codecov-action": ("fail_ci_if_error", "false", ("false",)),
    "actions/dependency-review-action": ("warn-only", "false", ("true",)),
    "aquasecurity/trivy-action": ("exit-code", "0", ("0",)),
}


def report_settings(name: str, node: ConfigNode, place: str) -> Iterator[Setting]:
    """Whether the step of such an action fails; nothing for any other action."""
    action = "/".join(name.partition("@")[0].lower().split("/")[:2])
    found = _DECIDES.get(action)
    if found is None:
        return
    option, default, harmless = found
    value = node.get("with", option)
    said = value.text.strip().lower() or default
    shown = f"{option} of {action.rpartition('/')[2]} in {place}"
    yield Setting(
        key("guard", "report", shown), "false" if said in harmless else "true", value.line or node.get("uses").line
    )
