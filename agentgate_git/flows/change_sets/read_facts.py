"""Facts of one file: its tests by `source`, its settings from the tree that `wire` makes of its bytes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from agentgate_git.model.config_node import TreeError
from agentgate_git.model.config_paths import PYTHON, YAML, config_format
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.limits import MAX_SETTINGS
from agentgate_git.source import facts as source_facts


def is_read(path: str) -> bool:
    """True for a path of which some fact is read, by its name alone."""
    return source_facts.is_read(path) or bool(config_format(path))


def read_facts(path: str, data: bytes, forbidden: Iterable[str] = (), *, is_full: bool = True) -> FileFacts:
    """The facts of one file (source.facts.read_facts); never raises, what cannot be read is a `problem`."""
    facts = source_facts.read_facts(path, data, forbidden, is_full=is_full)
    kind = config_format(path)
    if not kind:
        return facts
    return _with_settings(facts, kind, data)


def _with_settings(facts: FileFacts, kind: str, data: bytes) -> FileFacts:
    """Readers of configuration are loaded once a file needs them: a commit of code does without."""
    from agentgate_git.source.settings.bounded import bounded  # noqa: PLC0415
    from agentgate_git.source.settings.commented_rows import commented_rows  # noqa: PLC0415
    from agentgate_git.source.settings.python_tasks import python_task_settings  # noqa: PLC0415
    from agentgate_git.source.settings.read import settings_of  # noqa: PLC0415
    from agentgate_git.wire.config_tree import read_tree  # noqa: PLC0415

    try:
        if kind == PYTHON:
            found = python_task_settings(facts.path, data.decode("utf-8", "replace"))
        else:
            found = settings_of(facts.path, read_tree(facts.path, data))
        settings = tuple(islice(bounded(found), MAX_SETTINGS + 1))
        if kind == YAML and any(one.key.startswith("matrix > value") for one in settings):
            settings = (*settings, *commented_rows(data))
    except TreeError as error:
        return facts._replace(problem=facts.problem or str(error))
    if len(settings) > MAX_SETTINGS:
        problem = f"it makes more than {MAX_SETTINGS} settings"
        return facts._replace(problem=facts.problem or problem)
    return facts._replace(settings=settings)
