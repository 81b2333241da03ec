"""What of a list of a pipeline stands in comments: `# - 3.9` beneath the versions that tests run with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.runs import key

MAX_COMMENTED = 400
_ITEM = pattern_of(rb"^[ \t]*+#[ \t#]*+-[ \t]++(\S[^\n]{0,200})", 8)


def commented_rows(data: bytes) -> Iterator[Setting]:
    """The items of lists that a file of YAML holds in comments, as they are written but for quotes."""
    line = at = 0
    for found in islice(_ITEM.finditer(data), MAX_COMMENTED):
        line += data.count(b"\n", at, found.start(1))
        at = found.start(1)
        text = found[1].decode("utf-8", "replace").partition(" #")[0].strip().strip("'\"")
        yield Setting(key("matrix", "commented"), text, line + 1)
