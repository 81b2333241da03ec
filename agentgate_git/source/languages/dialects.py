"""The table of languages: one dialect each."""

from __future__ import annotations

from agentgate_git.source import test_names
from agentgate_git.source.languages.dialect import Dialect
from agentgate_git.source.languages.javascript import JavaScript

DIALECTS: dict[str, Dialect] = {
    test_names.JAVASCRIPT: JavaScript(),
}
