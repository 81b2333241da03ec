"""E_NOT_JUDGED as advice: files that were read by line patterns, because their grammar is not installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import ADVICE, Finding

_KIND = "read.lines"
_STEP = "install agentgate-git[languages] where the gate runs"


def line_findings(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[Finding]:
    """One finding for each missing grammar, at the first file that wanted it."""
    missing: dict[str, list[str]] = {}
    for facts in (*after, *before):
        if facts.tests.tests:
            for trait in facts.traits:
                if trait.kind == _KIND:
                    missing.setdefault(trait.what, []).append(facts.path)
    for package, paths in missing.items():
        count = len(dict.fromkeys(paths))
        files = f"{count} files were" if count > 1 else "this file was"
        message = f"{package} is not installed: {files} read by line patterns, which see less than a grammar"
        yield Finding(code.NOT_JUDGED, ADVICE, paths[0], message, _STEP)
