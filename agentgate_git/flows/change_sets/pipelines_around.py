"""What the pipelines of a head that did not change say about what did."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.flows.change_sets.head_files import MAX_TEXT, HeadFiles, HeadTree
from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.model.facts import FileFacts, Setting
from agentgate_git.model.inventory import Inventory
from agentgate_git.model.role import CI
from agentgate_git.policy.settings.around import ALONE, STARTED, reviews_lost, scripts_lost, tests_reviews
from agentgate_git.source.roles import role_of

_MAX_SCRIPTS = 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]


def pipelines_around(before: Side, after: Side, head: HeadFiles | HeadTree) -> tuple[FileFacts, ...]:
    """What they say, as the facts of a file that both sides have; none where nobody asks."""
    scripts = scripts_lost(before, after)[:_MAX_SCRIPTS]
    is_asked = reviews_lost(before, after)
    if not scripts and not is_asked:
        return ()
    pipelines = tuple(_pipelines(head))
    told = [Setting(STARTED, one) for one in scripts if any(_starts(one, text) for _, text in pipelines)]
    if is_asked and not any(tests_reviews(read_facts(path, text)) for path, text in pipelines):
        told.append(Setting(ALONE, "review"))
    return (FileFacts("", CI, "", Inventory("", ()), tuple(told)),) if told else ()


def _pipelines(head: HeadFiles | HeadTree) -> Iterator[tuple[str, bytes]]:
    return ((path, text) for path, text in head.texts() if role_of(path) == CI and len(text) <= MAX_TEXT)


def _starts(script: str, text: bytes) -> bool:
    """True for a pipeline that starts a script of hatch, pdm, poe, pixi, rye or taskipy by its name."""
    told = re.escape(script.encode())
    return (
        re.search(rb"\b(?:hatch|pdm|poe|pixi|rye|task)\s+(?:run\s+)?(?:[\w.-]+:)?" + told + rb"(?![\w-])", text)
        is not None
    )
