"""Rows of a matrix whose failure does not count: `allow_failures` of Travis and AppVeyor, an expression of a forge.

`matrix > value` is `AXIS=VALUE` for each value that a row has, `matrix > allowed` the same for all values of one row
that may fail, a line each. That every row may fail is a mark of the runs themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.expression import Given, on_changes
from agentgate_git.source.settings.matrix_rows import rows_of
from agentgate_git.source.settings.runs import key

# What may stand in an entry of a matrix and says nothing of which row it is.
_SAYS_HOW = frozenset(("name", "script", "install", "before_install", "before_script", "stage", "if", "after_success"))
_GROUPS = frozenset(("matrix", "jobs", "global"))
# Keys of one build that no forge has at the top of a file: the versions of a language are axes of Travis.
_OF_ONE_BUILD = (
    *("language", "environment", "image", "test_script", "build_script"),
    *("rvm", "python", "node_js", "jdk", "php", "perl", "go", "otp_release", "elixir", "ghc", "scala", "compiler"),
)
MAX_ALLOWED = 64
_OF_ROW = pattern_of(r"matrix\.([\w-]+)")
TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.source.settings.matrix_rows import Row


def allowed_rows(tree: ConfigNode, names: frozenset[str], tested: frozenset[str]) -> Iterator[Setting]:
    """The values of every matrix, and the rows that may fail; `tested` are the jobs of a forge that run tests."""
    holders = [node for node in (tree.get("jobs"), tree.get("matrix")) if node.has("allow_failures")]
    # Travis and AppVeyor build one thing, by whatever script.
    listed = {*_listed(tree)} if holders or any(map(tree.has, _OF_ONE_BUILD)) else set[str]()
    yield from (Setting(key("matrix", "value"), one, tree.line) for one in sorted(listed))
    for holder in holders:
        for item in islice(holder.get("allow_failures").items, MAX_ALLOWED):
            if values := tuple(_asked(item, listed)):
                yield Setting(key("matrix", "allowed"), "\n".join(values), item.line or holder.line)
    for name, job in tree.get("jobs").entries:
        if name in tested and (rows := rows_of(job.get("strategy", "matrix"))):
            shown = {f"{axis}={value}" for row in rows for axis, value in row}
            yield from (Setting(key("matrix", "value", name), one, job.line) for one in sorted(shown))
            yield from _let_through(name, job, Given(names, rows))


def _let_through(name: str, job: ConfigNode, given: Given) -> Iterator[Setting]:
    places = (job, *job.get("steps").items)
    asked = [found for one in places if "matrix." in (found := one.get("continue-on-error")).text]
    rows = [row for row in given.rows if any(_is_true_of(row, found.text, given) for found in asked)]
    if len(rows) < len(given.rows):
        for row in rows[:MAX_ALLOWED]:
            shown = "\n".join(f"{axis}={text}" for axis, text in row)
            yield Setting(key("matrix", "allowed", name), shown, asked[0].line)


def _is_true_of(row: Row, text: str, given: Given) -> bool:
    """Whether an expression comes to true in a row; what a row does not have comes to nothing."""
    axes = {axis for axis, _ in row}
    known = _OF_ROW.sub(lambda found: found[0] if found[1] in axes else "false", text)
    return True in on_changes(known, given._replace(rows=(row,)))


def _listed(tree: ConfigNode) -> Iterator[str]:
    """What the axes and the entries of a matrix that is no forge's say."""
    for axis, node in tree.entries:
        if node.kind == LIST and axis not in ("include", "exclude"):
            yield from _of_axis("env" if axis == "environment" else axis, node)
        elif axis in ("env", "environment"):
            for group, held in node.entries:
                yield from _of_axis("env", held) if group in _GROUPS else ()
        elif axis in ("jobs", "matrix"):
            for item in node.get("include").items:
                yield from _values(item)


def _of_axis(axis: str, node: ConfigNode) -> Iterator[str]:
    for item in node.items:
        if item.kind == SCALAR:
            yield f"{axis}={item.text}"
        elif item.kind == TABLE and axis == "env":
            yield from _values(item)


def _asked(item: ConfigNode, listed: set[str]) -> Iterator[str]:
    """The values that an entry of `allow_failures` asks for; one that stands alone may be of any axis."""
    alone = [one for one in listed if one.partition("=")[2] == item.text] if item.kind == SCALAR else []
    yield from alone or _values(item)


def _values(item: ConfigNode) -> Iterator[str]:
    """The values of one entry; a text that stands alone is that of a variable."""
    if item.kind == SCALAR and item.text:
        yield f"env={item.text}"
    for axis, value in item.entries if item.kind == TABLE else ():
        if value.kind == SCALAR and axis not in _SAYS_HOW:
            yield f"{axis}={value.text}"
        elif axis == "env":
            yield from (f"env={one}" for one in value.words())
