"""Expressions of pipelines: whether a condition can hold when somebody pushes or asks for a review.

One grammar for all: `==`, `!=`, `=~`, `!`, `&&`, `||`, `and`, `or`, `not` and calls (`eq(a, b)`, `startsWith(a, b)`).
Nothing is looked up: what only a run can tell is unknown, and unknown stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agentgate_git.model.branch_names import is_main
from agentgate_git.model.config_node import TreeError
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.shell_guards import is_given

_TOKEN = pattern_of(
    r"\s+|(?P<text>'(?:[^']|'')*'|\"[^\"]*\"|/(?:[^/\\\n]|\\.)+/[a-z]*)|(?P<sign>&&|\|\||==|!=|=~|!~|[!(),=\[\]]|[<>]=?)"
    r"|(?P<name>\$?\{?[A-Za-z_][\w.*:-]*\}?|-?\d[\w.]*)|(?P<other>.)"
)
_AXIS = pattern_of(r"\bmatrix\.([\w.*:-]+)")
_BY_KEY = pattern_of(r"\bmatrix\s*\[")
_EVENTS = pattern_of(
    r"(?:github|gitea|forgejo)\.event_name|\$?\{?CI_PIPELINE_SOURCE\}?|variables\.Build\.Reason|Build\.Reason|"
    r"build\.source|type|\$?\{?DRONE_BUILD_EVENT\}?|CI_PIPELINE_EVENT",
    re.IGNORECASE,
)
# The branch that a pipeline runs for, which on a review is that of the change and never the one it goes to.
_BRANCHES = pattern_of(
    r"(?:github|gitea|forgejo)\.ref(?:_name)?|\$?\{?(?:CI_COMMIT_BRANCH|CI_COMMIT_REF_NAME|CIRRUS_BRANCH|GITHUB_REF(?:_NAME)?)\}?|"
    r"(?:variables\.)?Build\.SourceBranch(?:Name)?|pipeline\.git\.branch|build\.branch|(?:env\.)?BRANCH_NAME",
    re.IGNORECASE,
)
_OF_CHANGE = (
    frozenset(("push", "individualci", "batchedci", "webhook", "ci")),
    frozenset(("pull_request", "pull_request_target", "merge_request_event", "pullrequest", "merge_group", "external")),
)
# Each starts a pipeline, and none of them when code changes.
_RARE = frozenset(
    (
        *("schedule", "workflow_dispatch", "repository_dispatch", "release", "deployment", "issue_comment", "cron"),
        *("web", "api", "chat", "trigger", "pipeline", "manual", "schedules", "schedule_event", "ui", "custom"),
        *("trigger_job", "promote", "rollback", "tag", "resourcetrigger", "buildcompletion", "label", "issues"),
    )
)
# What only who starts a build can give.
_GIVEN_BY_HAND = frozenset(
    (
        *("system.getenv", "system.getproperty", "hasproperty", "project.hasproperty", "findproperty"),
        *("project.findproperty", "boolean.getboolean", "rootproject.hasproperty", "project.properties.get"),
    )
)
_PREDEFINED = pattern_of(r"(?:Build|System|Agent|Environment|Pipeline|CI|TF)\b", re.IGNORECASE)
TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.source.settings.matrix_rows import Row
MAX_TOKENS = 400
MAX_LENGTH = 4_000
MAX_DEPTH = 30
MAX_LOOKED_AT = 150_000
MAX_SUPPOSED = 40_000
_COST_OF_ROW = 10
Value = bool | str | None


class Room:
    """What may be spent on conditions in all: characters of them, each counted for every row they are looked at for."""

    def __init__(self) -> None:
        self._left = MAX_LOOKED_AT
        self._supposed = MAX_SUPPOSED
        self._rows: dict[tuple[int, frozenset[str]], tuple[Row, ...]] = {}
        self._kept: list[tuple[Row, ...]] = []

    def rows_asked(self, text: str, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        """The rows as far as an expression asks for them, each once; they are counted."""
        asked = _AXIS.findall(text)
        if len(asked) != text.count("matrix.") or _BY_KEY.search(text):
            found = rows
        else:
            found = self._projected(rows, frozenset(asked))
        self.spend(min(len(text), MAX_LENGTH) * len(found))
        return found

    def _projected(self, rows: tuple[Row, ...], asked: frozenset[str]) -> tuple[Row, ...]:
        key = (id(rows), asked)
        if key not in self._rows:
            self._kept.append(rows)  # so that nothing else gets its id
            self.spend(len(rows) * _COST_OF_ROW)
            self._rows[key] = tuple(dict.fromkeys(tuple(one for one in row if one[0] in asked) for row in rows))
        return self._rows[key]

    def suppose(self, count: int) -> None:
        """Count characters of a condition of which a part is taken for true or false; TreeError for too many."""
        self._supposed -= count
        if self._supposed < 0:
            raise TreeError("too many of its conditions hang on what an author writes")

    def spend(self, count: int) -> None:
        """Count what is looked at; TreeError where that is too much."""
        self._left -= count
        if self._left < 0:
            raise TreeError("its conditions would have to be looked at for too many rows of its matrix")


class Given(Record):
    """What is known of a pipeline where an expression stands.

    `names` are variables that are set, with `NAME=VALUE` for one that is always the same; `rows` are those of its
    matrix. `is_closed` where a variable that nothing sets is empty, `is_apart` takes a thing that only a run can tell
    for different from the text it is compared with. `room` is what the whole file may spend on its rows.
    """

    names: frozenset[str] = frozenset()
    rows: tuple[Row, ...] = ()
    is_closed: bool = False
    is_apart: bool = False
    room: Room | None = None


NOTHING_GIVEN = Given()


class Facts(Record):
    """What an expression is judged by: `event` is 0 for a push and 1 for a review, `row` one of the matrix."""

    event: int
    given: Given = NOTHING_GIVEN
    row: Row | None = None


def on_changes(text: str, given: Given = NOTHING_GIVEN) -> tuple[Value, Value]:
    """What an expression comes to on a push and on a review: true, false, or None for what only a run can tell.

    Where it asks for the matrix, it is true or false only when it is so in every row.
    """
    rows = given.rows if "matrix." in text and given.rows else (None,)
    if given.room is not None and len(rows) > 1:
        rows = given.room.rows_asked(text, given.rows)
    pushed, asked = (_same_in_all(text, Facts(event, given), rows) for event in (0, 1))
    return (pushed, asked)


def never_on_changes(text: str, given: Given = NOTHING_GIVEN) -> bool:
    """True for a condition that holds neither on a push nor on a review."""
    return on_changes(text, given) == (False, False)


def only_once_merged(text: str, given: Given = NOTHING_GIVEN) -> bool:
    """True for a condition that never holds on a review, and that asks for the branch which changes go to."""
    if on_changes(text, given)[1] is not False or not _asks_for_main(text):
        return False
    return not never_on_changes(text, given)


def _asks_for_main(text: str) -> bool:
    names = [one.strip("'\"") for kind, one in _tokens(text[:MAX_LENGTH]) if kind in ("name", "text")]
    return any(_BRANCHES.fullmatch(one) for one in names) and any(is_main(one) for one in names)


def _same_in_all(text: str, facts: Facts, rows: tuple[Row | None, ...]) -> Value:
    found = {_truth(text, facts._replace(row=row)) for row in rows}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=64)
def _constants(names: frozenset[str]) -> dict[str, str]:
    """The variables that are always the same."""
    return dict(one.split("=", 1) for one in names if "=" in one)


def _truth(text: str, facts: Facts) -> Value:
    if len(text) > MAX_LENGTH:
        return None
    tokens = list(_tokens(text))
    if not tokens or len(tokens) > MAX_TOKENS:
        return None
    parser = _Parser(tokens, facts)
    found = parser.either(0)
    if not parser.is_at_end():
        return None
    return found if found is None else bool(found) and found != "false"


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.finditer(text.replace("${{", " ").replace("}}", " ")):
        if found.lastgroup:
            yield found.lastgroup, found[0]


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]], facts: Facts) -> None:
        self._tokens = tokens
        self._facts = facts
        self._at = 0

    def is_at_end(self) -> bool:
        return self._at >= len(self._tokens)

    def either(self, depth: int) -> Value:
        found = self._both(depth)
        while self._takes("||", "or", "OR"):
            found = _or(found, self._both(depth))
        return found

    def _both(self, depth: int) -> Value:
        found = self._compared(depth)
        while self._takes("&&", "and", "AND"):
            found = _and(found, self._compared(depth))
        return found

    def _compared(self, depth: int) -> Value:
        left = self._one(depth)
        if not self.is_at_end() and self._tokens[self._at][1] in ("==", "!=", "=", "=~", "!~", "<", ">", "<=", ">="):
            sign = self._tokens[self._at][1]
            self._at += 1
            right = self._one(depth)
            if sign in ("==", "=", "!="):
                return _same(left, right, self._facts, sign == "!=")
            return _ordered(left, right, sign)
        return left

    def _one(self, depth: int) -> Value:
        if self.is_at_end() or depth > MAX_DEPTH:
            self._at = len(self._tokens) + 1  # not understood: nothing is said
            return None
        kind, text = self._tokens[self._at]
        self._at += 1
        if text in ("!", "not"):
            found = self._one(depth + 1)
            return None if found is None or _is_event(found) else not found or found == "false"
        if text == "(":
            inner = self.either(depth + 1)
            self._takes(")")
            return inner
        if kind == "text":
            return text if text[0] == "/" else text[1:-1]
        if kind != "name":
            self._at = len(self._tokens) + 1
            return None
        if self._takes("("):
            return _called(text.lower(), self._arguments(depth), self._facts)
        if self._takes("["):
            inner_name = self._tokens[self._at][1].strip("'\"") if not self.is_at_end() else ""
            self._at += 1
            self._takes("]")
            return _named(f"{text}.{inner_name}", self._facts)
        return _named(text, self._facts)

    def _arguments(self, depth: int) -> tuple[Value, ...]:
        found: list[Value] = []
        while not self.is_at_end() and not self._takes(")"):
            before = self._at
            found.append(self.either(depth + 1))
            self._takes(",")
            if self._at == before:
                self._at += 1
        return tuple(found)

    def _takes(self, *texts: str) -> bool:
        if self.is_at_end() or self._tokens[self._at][1] not in texts or self._tokens[self._at][0] == "text":
            return False
        self._at += 1
        return True


def _is_event(value: Value) -> bool:
    return value in (_EVENT, _BRANCH)


_EVENT = "\0event"
_BRANCH = "\0branch"


def _named(name: str, facts: Facts) -> Value:
    if name.lower() in ("true", "false", "null", "nil", "none"):
        return name.lower() == "true" if len(name) > 4 or name.lower() == "true" else ""
    if name[:1].isdigit() or name[:1] == "-":
        return "" if name == "0" else name
    if _EVENTS.fullmatch(name):
        return _EVENT
    if _BRANCHES.fullmatch(name):
        return _BRANCH
    if is_main(name) and "default" in name.lower():
        return "main"
    if name.lower() in _RARE:
        return name
    names = facts.given.names
    holder, _, rest = name.partition(".")
    if holder == "matrix" and facts.row is not None:
        return dict(facts.row).get(rest, "")
    plain = name.strip("${}")
    kept = _constants(names).get(plain)
    kept = _constants(names).get(rest) if kept is None and holder in ("variables", "env") else kept
    if kept is not None:
        return kept.lower() == "true" if kept.lower() in ("true", "false") else kept
    if holder == "params" and rest and rest not in names:
        return ""  # a parameter that no file declares is nothing, unless somebody gives it
    if name.startswith(("inputs.", "github.event.inputs.")) and names.isdisjoint(("workflow_call", "runs")):
        return ""
    if holder == "variables" and "." not in rest and rest and not _PREDEFINED.match(rest):
        return None if rest in names else ""
    if holder == "env" and rest and rest not in names and not rest.startswith(("GITHUB_", "RUNNER_", "CI")):
        return ""
    if facts.given.is_closed and name != plain and plain not in names and not is_given(plain):
        return ""
    return None


def _ordered(left: Value, right: Value, sign: str) -> Value:
    """Numbers are told apart, anything else is unknown."""
    try:
        one, two = float(str(left)), float(str(right))
    except ValueError:
        return None
    return {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}.get(sign)


def _same(left: Value, right: Value, facts: Facts, is_negated: bool) -> Value:
    if _BRANCH in (left, right):
        other = right if left == _BRANCH else left
        is_other = facts.event == 1 and isinstance(other, str) and is_main(other)
        found = False if is_other else None
    elif _is_event(left) or _is_event(right):
        other = right if _is_event(left) else left
        found = _is_started_by(other, facts.event)
    elif left is None or right is None:
        found = False if facts.given.is_apart else None
    else:
        found = _text(left) == _text(right)
    return found if found is None else found != is_negated


def _text(value: Value) -> str:
    return value.lower() if isinstance(value, str) else str(value).lower()


def _is_started_by(value: Value, event: int) -> bool | None:
    if not isinstance(value, str):
        return None
    folded = value.lower()
    if folded in _RARE or folded in _OF_CHANGE[1 - event]:
        return False
    return True if folded in _OF_CHANGE[event] else None


def _called(name: str, arguments: tuple[Value, ...], facts: Facts) -> Value:
    if name in ("eq", "ne") and len(arguments) == 2:
        return _same(arguments[0], arguments[1], facts, name == "ne")
    if name == "and":
        found: Value = True
        for one in arguments:
            found = _and(found, one)
        return found
    if name == "or":
        found = False
        for one in arguments:
            found = _or(found, one)
        return found
    if name == "not":
        return None if not arguments or arguments[0] is None else not arguments[0]
    if name in _GIVEN_BY_HAND:
        is_of_system = isinstance(arguments[0], str) and "env" in name and is_given(arguments[0]) if arguments else True
        return None if is_of_system else ""
    if name in ("failure", "failed", "cancelled", "canceled", "never"):
        return False
    if name in ("always", "succeededorfailed"):
        return True
    if name == "in" and arguments and _is_event(arguments[0]):
        each = [_is_started_by(one, facts.event) for one in arguments[1:]]
        return True if True in each else None if None in each else False
    return None


def _and(left: Value, right: Value) -> Value:
    if _is_no(left) or _is_no(right):
        return False
    return None if left is None or right is None else True


def _or(left: Value, right: Value) -> Value:
    if _is_yes(left) or _is_yes(right):
        return True
    return None if left is None or right is None else False


def _is_no(value: Value) -> bool:
    return value is not None and not _is_event(value) and (not value or value == "false")


def _is_yes(value: Value) -> bool:
    return value is not None and (_is_event(value) or (bool(value) and value != "false"))
