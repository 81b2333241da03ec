"""Rows of a matrix that may fail: `allow_failures` of Travis and AppVeyor, `continue-on-error` that asks for the row.

Each row is told by its values, those that count as `counted` and those that do not as `allowed`. What a key says that
does nothing but let rows fail (`experimental: true`) tells no row from another.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode, listed, scalar, table
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.expression import Given, on_changes
from agentgate_git.source.settings.matrix_rows import rows_of
from agentgate_git.source.settings.runs import key

_AXES = (
    *("python", "node_js", "rvm", "go", "php", "jdk", "rust", "os", "env", "elixir", "otp_release", "dart", "scala"),
    *("ghc", "julia", "perl", "compiler", "gemfile", "image", "platform", "configuration", "d", "crystal"),
)
_ASKED = pattern_of(r"matrix\.([\w-]+)")
TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.source.settings.matrix_rows import Row


def allowed_rows(tree: ConfigNode) -> Iterator[Setting]:
    """The rows of all matrices of a pipeline, each as a setting `matrix > counted` or `matrix > allowed`."""
    yield from _listed_rows(tree)
    for name, job in tree.get("jobs").entries:
        yield from _asking_rows(name, job)


def _listed_rows(tree: ConfigNode) -> Iterator[Setting]:
    """Travis and AppVeyor: a list of what rows have that may fail."""
    holders = [tree.get(one) for one in ("matrix", "jobs") if tree.get(one).kind == TABLE]
    entries: list[tuple[str, ConfigNode]] = [(name, _as_list(node)) for name, node in tree.entries if name in _AXES]
    entries = [(name, node) for name, node in entries if node.items]
    rows_beside = tuple(item for one in holders for item in one.get("include").items if item.kind == TABLE)
    rows_beside += tuple(item for item in tree.get("environment", "matrix").items if item.kind == TABLE)
    allowed = [item for one in holders for item in one.get("allow_failures").items]
    line = next((one.get("allow_failures").line for one in holders if one.has("allow_failures")), tree.line)
    if not entries and not rows_beside:
        return
    rows = rows_of(table(tree.line, tuple(entries))) if entries else ()
    for row in (*rows, *(tuple(sorted((name, _text(node)) for name, node in item.entries)) for item in rows_beside)):
        yield from _told("", row, line, is_allowed=any(_fits(one, row) for one in allowed))


def _as_list(node: ConfigNode) -> ConfigNode:
    if node.kind == SCALAR:
        return listed(node.line, (scalar(node.text, node.line),) if node.text else ())
    return node if node.kind == LIST else listed(node.line, ())


def _text(node: ConfigNode) -> str:
    return node.text if node.kind == SCALAR else " ".join(node.words())


def _fits(allowed: ConfigNode, row: Row) -> bool:
    """True for a row that has all that an entry of `allow_failures` names, or one value where it names no key."""
    values = dict(row)
    if allowed.kind == SCALAR:
        return allowed.text in values.values()
    named = [(name, _text(node)) for name, node in allowed.entries]
    return bool(named) and all(values.get(name) == value for name, value in named)


def _asking_rows(name: str, job: ConfigNode) -> Iterator[Setting]:
    """A forge's workflow: rows for which `continue-on-error` comes to true, of the job or of a step of it."""
    matrix = job.get("strategy", "matrix")
    rows = rows_of(matrix)
    asking = [job.get("continue-on-error"), *(step.get("continue-on-error") for step in job.get("steps").items)]
    texts = [one.text for one in asking if one.kind == SCALAR and "matrix." in one.text]
    keys = {found for text in texts for found in _ASKED.findall(text)}
    own = {one for one in keys if all(dict(row).get(one, "false") in ("true", "false", "") for row in rows)}
    for row in rows:
        is_allowed = any(True in on_changes(_filled(text, row), Given(rows=(row,))) for text in texts)
        shown = tuple((axis, value) for axis, value in row if axis not in own)
        yield from _told(name, shown, matrix.line, is_allowed=is_allowed)


def _filled(text: str, row: Row) -> str:
    """An expression with what a row does not have as false, which is what it comes to."""
    known = {name for name, _ in row}
    inner = text.strip().removeprefix("${{").removesuffix("}}")
    return _ASKED.sub(lambda found: found[0] if found[1] in known else "false", inner)


def _told(job: str, row: Row, line: int, *, is_allowed: bool) -> Iterator[Setting]:
    shown = ", ".join(f"{axis}={value}" for axis, value in row)
    if shown:
        yield Setting(key("matrix", "allowed" if is_allowed else "counted", job), shown[:200], line)
