"""The formats that findings can be asked for in, by name."""

from __future__ import annotations

from collections.abc import Callable

from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.github import check_github
from agentgate_git.render.gitlab import check_gitlab
from agentgate_git.render.json_format import check_json
from agentgate_git.render.junit import check_junit
from agentgate_git.render.rdjsonl import check_rdjsonl
from agentgate_git.render.sarif import check_sarif
from agentgate_git.render.text import check_text

TEXT = "text"
JSON = "json"

_OTHERS: dict[str, Callable[[CheckResult], str]] = {
    "sarif": check_sarif,
    "junit": check_junit,
    "gitlab": check_gitlab,
    "rdjsonl": check_rdjsonl,
    "github": check_github,
}
CHECK_FORMATS = (TEXT, JSON, *_OTHERS)


def check_output(name: str, result: CheckResult, schema: str) -> str:
    """An answer in one of CHECK_FORMATS, with its last newline; `schema` is what JSON calls itself."""
    if name == TEXT:
        return check_text(result)
    text = check_json(result, schema) if name == JSON else _OTHERS[name](result)
    return text + "\n" if text else ""
