"""Parts that a matrix cuts a suite into: those of the whole that no row of it runs.

Which of how many parts a run takes stands in its own words: `--shard=${{ matrix.shard }}/4`, `--splits 4 --group …`,
`CI_NODE_TOTAL: 4`, or in one value of an axis, `shard: [1/3, 2/3, 3/3]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import SCALAR, ConfigNode, TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.matrix_rows import values_of
from agentgate_git.source.settings.runs import key

MAX_PARTS = 64
MAX_NODES = 20_000
MAX_AXES = 8
MAX_TEXT = 20_000
_NUMBER = r"(\d{1,3}|\$\{\{\s?matrix\.[\w-]+\s?\}\}|\$\{?\w+\}?)"
_OF = r"(?:\$\{\{\s?matrix\.([\w-]+)\s?\}\}|\$\{?(\w+)\}?)[\"']?"
_BY_SLASH = pattern_of(rf"{_OF}\s?/\s?{_NUMBER}(?![\w/.])")
_TOTAL = pattern_of(
    rf"(?:total|splits|shards|groups|(?:shard|split|group|node|part)[_-]count)[\"']?\s?[=: ]\s?[\"']?{_NUMBER}"
    r"(?![\w/.])",
    re.IGNORECASE,
)
_ASKS = pattern_of(r"shard|split|group|partition|chunk|part$|slice|index|worker|bucket", re.IGNORECASE)
_REFERS = pattern_of(r"\$\{\{\s?matrix\.([\w-]+)|\$\{?(\w+)")
_FRACTION = pattern_of(r"(\d{1,3})/(\d{1,3})")


def shards(tree: ConfigNode) -> Iterator[Setting]:
    """`shards > JOB > AXIS` with what the rows of a job leave out, `3 of 4`, or `all of 4`."""
    left = MAX_NODES
    for name, job in tree.entries:
        for inner, one in job.entries if name == "jobs" else ((name, job),):
            matrix = one.get("strategy", "matrix")
            axes = values_of(matrix) or _listed(one.get("parallel", "matrix"))
            if not axes:
                continue
            texts: list[str] = []
            left = _texts(one, texts, left)
            text = "\n".join(texts)[:MAX_TEXT]
            for axis, values in [*axes.items()][:MAX_AXES]:
                missing = _missing(axis, values, axes, text)
                if missing:
                    yield Setting(key("shards", inner, axis), missing, one.line)


def _listed(matrix: ConfigNode) -> dict[str, set[str]]:
    """The same of GitLab, whose matrix is a list of tables."""
    found: dict[str, set[str]] = {}
    for item in matrix.items:
        for axis, value in item.entries:
            found.setdefault(axis, set()).update(value.words())
    return found


def _texts(node: ConfigNode, found: list[str], left: int) -> int:
    """All that a job says, variables as `NAME: VALUE`; what is left of the nodes that may be looked at."""
    waiting = [("", node)]
    while waiting:
        left -= 1
        if left < 0:
            raise TreeError(f"its jobs have more than {MAX_NODES} parts")
        name, one = waiting.pop()
        if one.kind == SCALAR:
            found.append(f"{name}: {one.text}" if name else one.text)
        waiting.extend((name, item) for item in one.items)
        waiting.extend(entry for entry in one.entries if entry[0] not in ("matrix", "needs", "uses"))
    return left


def _missing(axis: str, values: set[str], axes: dict[str, set[str]], text: str) -> str:
    """The parts that an axis leaves out of a whole; empty for an axis that says nothing of parts."""
    parts = [_FRACTION.fullmatch(one) for one in values]
    if parts and all(parts):
        totals = {int(one[2]) for one in parts if one}
        numbers = {int(one[1]) for one in parts if one}
        return _left_out(numbers, max(totals)) if len(totals) == 1 else ""
    if not values or not all(one.isdigit() and len(one) < 4 for one in values):
        return ""
    total = _total(axis, axes, text)
    return _left_out({int(one) for one in values}, total) if total else ""


def _left_out(numbers: set[int], total: int) -> str:
    """Counted from 1, or from 0 where that is among them."""
    if not 1 < total <= MAX_PARTS or max(numbers) > total:
        return ""
    whole = range(total) if 0 in numbers else range(1, total + 1)
    gone = [str(one) for one in whole if one not in numbers]
    return f"{', '.join(gone) or 'all'} of {total}"


def _total(axis: str, axes: dict[str, set[str]], text: str) -> int:
    """How many parts there are by the words of a job, 0 where it says nothing of that or more than one number."""
    names = {axis, *(name for name, value in _variables(text) if _refers(value) == axis)}
    found = {one[3] for one in _BY_SLASH.finditer(text) if not names.isdisjoint(filter(None, (one[1], one[2])))}
    if not found and _ASKS.search(axis) and any((one[1] or one[2]) == axis for one in _REFERS.finditer(text)):
        found = {one[1] for one in _TOTAL.finditer(text)}
    numbers = {number for one in found for number in (_number(one, axes, text),) if number}
    return numbers.pop() if len(numbers) == 1 else 0


def _variables(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        name, colon, value = line.partition(": ")
        if colon and name.isidentifier():
            yield name, value


def _refers(value: str) -> str:
    found = _REFERS.match(value.strip())
    return (found[1] or found[2]) if found else ""


def _number(word: str, axes: dict[str, set[str]], text: str) -> int:
    """A number as it stands, of an axis that has but one, or of a variable."""
    if word.isdigit():
        return int(word)
    name = _refers(word)
    values = axes.get(name, set()) | {value.strip() for one, value in _variables(text) if one == name}
    plain = [one for one in values if one.isdigit()]
    return int(plain[0]) if len(plain) == 1 else 0
