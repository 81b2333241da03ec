"""What a comparison leaves out: keys, fields, paths that stand on a list for it, and the names that belong there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_order import literals_of

_LEAVES_OUT = r"(?:ignor|exclud|omit|volatile|unstable|non_?determin|uncompared|not_compared|dont_compare|skip)"
_OF_PARTS = r"(?:key|field|path|column|col|attr|attribute|header|prop|propertie|property|member|part|element|tag)s?"
_LIST = pattern_of(
    rf"(?:\w+\.)*_*(?:{_LEAVES_OUT}\w*?_*{_OF_PARTS}|{_OF_PARTS}_*(?:to_)?{_LEAVES_OUT}\w*)(?:_\w+)?", re.I
)
_QUOTED = r"'[^'\n]{0,99}'|\"[^\"\n]{0,99}\""
_ARGUMENT = pattern_of(
    rf"(?:, ?)?\b({_LEAVES_OUT}\w*)=((?:[\w.]+)?[\[({{](?:{_QUOTED}|[^\[\](){{}}'\"]){{0,100}}[\])}}]|{_QUOTED})"
)
# What differs from run to run by its name: such a list is there for it.
_DIFFERS = pattern_of(
    r"(?i)(?:^|[^a-z])(?:id|uuid|guid|time\w*|date\w*|\w*stamp\w*|\w*_(?:at|on|id|time|date)|hash|digest|etag|nonce|token|pid"
    r"|seed|host\w*|port|duration|elapsed|version\w*|path|cwd|address|created\w*|updated\w*|modified\w*|generated\w*"
    r"|session\w*|trace\w*|request_?id|random\w*|user_?agent|server|mtime|ctime|sha\d*|now|timing\w*)(?:[^a-z]|$)"
)


def is_of_list(name: str) -> bool:
    """True for a name that says that it holds what a comparison leaves out: `IGNORED_KEYS`, `exclude_paths`."""
    return _LIST.fullmatch(name) is not None


def added_to(old: str, new: str) -> tuple[str, ...]:
    """What a list of literals gained that does not differ from run to run by its name; none where it lost some."""
    before, after = literals_of(old), literals_of(new)
    if not before <= after:
        return ()
    return tuple(sorted(one for one in after - before if one[:1] in "'\"" and not _DIFFERS.search(one)))


def left_out_more(old: Iterable[str], new: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(text, what it leaves out beyond before) of assertions that are the same but for such an argument."""
    asked = [text for text in new if _ARGUMENT.search(text)]
    before: dict[str, dict[str, str]] = {}
    for text in old if asked else ():
        before.setdefault(_without(text), _arguments(text))
    found = []
    for text in asked:
        known = before.get(_without(text))
        given = _arguments(text).items() if known is not None else ()
        added = tuple(one for name, value in given for one in added_to((known or {}).get(name, ""), value))
        if added:
            found.append((text, added))
    return tuple(found)


def shown(names: Iterable[str]) -> str:
    """Some of them, for a message."""
    return ", ".join(list(names)[:3])


def _arguments(text: str) -> dict[str, str]:
    return dict(_ARGUMENT.findall(text))


def _without(text: str) -> str:
    return _ARGUMENT.sub("", text).replace("(, ", "(")
