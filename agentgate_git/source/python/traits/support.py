"""Production that is no part of what a project does, by its path: what is there for tests, what builds or shows it."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of

_SUPPORT = pattern_of(r"(?:^|[/_.])(?:py)?tests?(?:ing)?(?:[/_.]|$)|conftest|pytest", re.I)
_SCRIPTS = frozenset(
    (
        *("scripts", "script", "tools", "tool", "bin", "docs", "doc", "examples", "example", "benchmarks", "bench"),
        *("benchmark", "ci", "devtools", "utils", "contrib", "samples", "demo", "demos", "notebooks", "tasks"),
    )
)


def is_support(path: str) -> bool:
    """True for production that is there for tests, as plugins for pytest and `testing` modules are."""
    return bool(_SUPPORT.search(path))


def is_script(path: str) -> bool:
    """True for what builds, shows or serves a project and is no part of it."""
    return not _SCRIPTS.isdisjoint(path.lower().split("/")[:-1]) or path in ("setup.py", "tasks.py")
