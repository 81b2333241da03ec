"""GitLab's pipeline with the files that it includes: a template of one of them decides for the jobs that extend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.change_sets.head_files import HeadFiles, HeadTree
from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode, TreeError
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import Finding
from agentgate_git.model.inventory import Inventory
from agentgate_git.model.role import CI
from agentgate_git.policy.settings.gate_config import config_findings

_TOP = ".gitlab-ci.yml"
_ENDINGS = (".yml", ".yaml")
_MAX_FILES = 30

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.flows.change_sets.changed_parts import Pair


def included_findings(cache: FactsCache, pairs: Iterable[Pair], head: HeadFiles | HeadTree) -> Iterator[Finding]:
    """What a change of included files does to the jobs of GitLab's pipeline."""
    changed = {one.path: one for one in pairs if one.path.endswith(_ENDINGS)}
    top = head.find(_TOP) if changed.keys() - {_TOP} else None
    if top is None or b"include" not in top:
        return
    own = changed.get(_TOP)
    old_top = cache.data(own.old) if own is not None and own.old else top
    sides = []
    for data, is_old in ((old_top, True), (top, False)):
        tree = _read(data)
        wanted = _included(tree)
        places = dict.fromkeys(path for path in changed if any(fnmatchcase(path, one) for one in wanted))
        places.update(dict.fromkeys(one for one in wanted if "*" not in one))
        texts = {}
        for path in tuple(places)[:_MAX_FILES]:
            pair = changed.get(path)
            oid = (pair.old if is_old else pair.new) if pair is not None else ""
            texts[path] = cache.data(oid) if oid else b"" if pair is not None else head.find(path) or b""
        sides.append((tree, texts))
    if sides[0][1] == sides[1][1]:
        return
    before, after = (_facts(tree, texts) for tree, texts in sides)
    if before is not None and after is not None:
        yield from config_findings((before,), (after,))


def _read(data: bytes) -> ConfigNode:
    from agentgate_git.wire.config_tree import read_tree  # noqa: PLC0415 - a hook does without PyYAML

    try:
        return read_tree(_TOP, data)
    except TreeError:
        return ConfigNode(TABLE, 0)


def _included(tree: ConfigNode) -> tuple[str, ...]:
    """The paths, or patterns of them, of the files of the same repository that a pipeline includes."""
    node = tree.get("include")
    found = list(node.words())
    for item in node.items if node.kind == LIST else (node,):
        if item.kind == TABLE:
            found += item.get("local").words()
    return tuple(one.lstrip("/") for one in found if "://" not in one and one.endswith(_ENDINGS))


def _facts(top: ConfigNode, texts: Mapping[str, bytes]) -> FileFacts | None:
    """The settings of a pipeline in which its own jobs stand, and those of what it includes beneath them."""
    from agentgate_git.source.settings.pipelines import pipeline_settings  # noqa: PLC0415 - as above

    entries = {name: value for name, value in top.entries if name != "include"}
    for data in texts.values():
        for name, value in _read(data).entries:
            entries[name] = _beneath(entries[name], value) if name in entries else value
    try:
        settings = tuple(pipeline_settings(_TOP, top._replace(entries=tuple(entries.items()))))
    except TreeError:
        return None
    return FileFacts(_TOP, CI, "", Inventory(_TOP, ()), settings)


def _beneath(own: ConfigNode, included: ConfigNode) -> ConfigNode:
    """A job with the keys that an included one of its name has besides."""
    if own.kind == SCALAR or included.kind != TABLE:
        return own
    known = {name for name, _ in own.entries}
    return own._replace(entries=(*own.entries, *(pair for pair in included.entries if pair[0] not in known)))
