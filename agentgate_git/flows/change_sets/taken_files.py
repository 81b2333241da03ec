"""Files that did not change and on which a change rests.

Tests newly take a mark, a helper or a base class from them, or a new configuration takes their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.flows.change_sets.started_scripts import starts_other
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import AS_NAME, AS_TEXT, AS_VALUE, Inventory, Offer
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.settings.shadows import configs_wanted, packages_wanted
from agentgate_git.policy.weakening.package_twins import twins_wanted
from agentgate_git.policy.weakening.taken import modules_taken, paths_of
from agentgate_git.source.python.tests import read_inventory

# A test takes from few files, and those from few others: more are not looked at.
MAX_FILES = 40
_HOPS = 3
# Names that a function may turn on when it is called.
_GLOBAL = re.compile(rb"^[ \t]+global[ \t]+([^\n#]{1,400})", re.MULTILINE)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Find = Callable[[str], bytes | None]


def taken_files(
    before: Iterable[FileFacts], after: Iterable[FileFacts], find: Find, forbidden: tuple[str, ...]
) -> tuple[FileFacts, ...]:
    """What those files offer and say, the same on both sides; `find` gives the bytes of a file of the head."""
    old, new = tuple(before), tuple(after)
    known = {one.path for one in (*old, *new)}
    found: list[FileFacts] = []
    wanted = list(modules_taken(old, new))
    left = MAX_FILES
    for _ in range(_HOPS):
        passed_on: list[tuple[str, str]] = []
        for path in (path for taker, dotted in wanted for path in paths_of(taker, dotted)):
            if path in known or left == 0:
                continue
            known.add(path)
            left -= 1
            data = find(path)
            if data is not None:
                offered = read_facts(path, data, forbidden).tests.offers or _constants(path, data, forbidden)
                found.append(FileFacts(path, "", "", Inventory(path, (), offers=offered)))
                passed_on += [(path, one.source) for one in offered if one.how == AS_NAME]
        wanted = passed_on
    for path in (one for one in configs_wanted(old, new) if one not in known):
        known.add(path)
        data = find(path)
        if data is not None:
            found.append(read_facts(path, data))
    found += [
        FileFacts(path, "", "", Inventory(path, ()))
        for path in dict.fromkeys((*packages_wanted(old, new), *twins_wanted(old, new)))
        if path not in known and find(path) is not None
    ]
    return tuple(found)


def with_told(
    before: tuple[FileFacts, ...], after: tuple[FileFacts, ...], find: Find, forbidden: tuple[str, ...]
) -> tuple[FileFacts, ...]:
    """The head, with what changed files of production offer to its tests: a constant by which these are skipped.

    The same tuple where tests take nothing from them.
    """
    wanted = {path for taker, dotted in modules_taken(before, after) for path in paths_of(taker, dotted)}
    told = {}
    for one in after:
        data = find(one.path) if one.path in wanted and one.role == PRODUCTION and not one.tests.offers else None
        offers = _constants(one.path, data, forbidden) if data is not None else ()
        if offers:
            told[one.path] = one._replace(tests=one.tests._replace(offers=offers))
    return tuple(told.get(one.path, one) for one in after) if told else after


def _constants(path: str, data: bytes, forbidden: tuple[str, ...]) -> tuple[Offer, ...]:
    """The switches that a file of production offers, and those that it takes from others and passes on."""
    offered = read_inventory(path, data, forbidden).offers if path.endswith(".py") else ()
    turned = frozenset(b" ".join(_GLOBAL.findall(data)).replace(b",", b" ").split())
    return tuple(one for one in offered if one.how in (AS_NAME, AS_VALUE, AS_TEXT) and one.name.encode() not in turned)


def rests_on_others(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> bool:
    """True for a change of which files that did not change decide what it means."""
    old, new = tuple(before), tuple(after)
    if starts_other(old, new):
        return True
    return bool(modules_taken(old, new) or configs_wanted(old, new) or twins_wanted(old, new))
