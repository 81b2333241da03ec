"""What tests of Go ask of its packages: `errors.Is`, `bytes.Equal`, `cmp.Diff`, and what options leave out."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.inventory import BUT_FOR, EXACT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check, pair_check
from agentgate_git.source.languages.syntax import Code, Item, closing, span_of, split

_ASKED = pattern_of(r"!(errors|strings|bytes|slices|maps|reflect|cmp|proto)\.(\w+)\(")
_EMPTY = pattern_of(r'(\w+)!=""|len\((\w+)\)(?:>0|!=0)')
_DIFF = pattern_of(r"(?:cmp|deep|pretty|diff|testdiff|td|assertdiff)\.\w*(?:Diff|Compare|Equal)\(")
_WANTED = pattern_of(r"(?:want|exp)\w*|\w+\.(?:want|exp)\w*|&?(?:\w+\.)?[A-Z]\w*\{.*|map\[.*|\[\].*")
_IGNORES = pattern_of(r"\b(?:Ignore\w+|FilterPath|FilterValues|IgnoreUnexported)\(")
_CHOOSES = pattern_of(
    r"flag\.(?:CommandLine\.)?Set\(\"test\.(?:run|skip|short|list)\",.+\)"
    r"|append\(os\.Args(?:\[:?\w*:?\])?,.*\"-{1,2}test\.(?:run|skip|short|list)\b.*\)"
)
_CALL = 300
# How many things before a comparison may stand between it and what it compares.
_NEAR = 60
_LONG = 2_000


def choosing(code: Code) -> Iterator[Item]:
    """Calls that give `go test` the options by which it chooses among tests: `flag.Set("test.run", "TestA")`."""
    for item in code.items if code.says(b"test.") else ():
        is_short = item.kind == "call" and item.end - item.start < _CALL
        if is_short and _CHOOSES.fullmatch(code.normal(item.span)) is not None:
            yield item


def asked_of_package(condition: str) -> Check | None:
    """What has to be true or the test fails, asked of a package: `!errors.Is(err, ErrLost)`."""
    found = _ASKED.match(condition)
    if found is None or closing(condition, found.end() - 1) != len(condition) - 1:
        return None
    arguments = split(condition[found.end() : -1])
    text = f"!({condition})"
    if len(arguments) < 2:
        return None
    if found[1] == "errors":
        strength = EXACT if found[2] == "Is" else "type"
        return Check(text, arguments[0], f"Error{found[2]}", arguments[1], strength)
    if found[1] == "cmp":
        return _compared(text, arguments)
    is_first = _WANTED.fullmatch(arguments[0]) is not None
    return pair_check(text, found[2], arguments[:2], expected_first=is_first)


def difference(code: Code, branch: Item, condition: str) -> Check | None:
    """What a difference that has to be empty compares: `if diff := cmp.Diff(want, got); diff != ""`."""
    found = _EMPTY.fullmatch(condition)
    if found is None:
        return None
    text = _bound(code, branch, found[1] or found[2])
    called = _DIFF.match(text)
    if called is None or closing(text, called.end() - 1) != len(text) - 1:
        return None
    arguments = split(text[called.end() : -1])
    return _compared(text, arguments) if len(arguments) > 1 else None


def _compared(text: str, arguments: tuple[str, ...]) -> Check:
    is_first = _WANTED.fullmatch(arguments[1]) is None
    expected, subject = arguments[:2] if is_first else arguments[1::-1]
    left_out = ",".join(one for one in arguments[2:] if _IGNORES.search(one))
    return Check(text, subject, f"=={BUT_FOR}{left_out}" if left_out else "==", expected, EXACT)


def _bound(code: Code, branch: Item, name: str) -> str:
    """What a name was bound to last before a branch, in its own head or nearby."""
    head = branch.node.child_by_field_name("initializer")
    if head is not None and head.end_byte - head.start_byte < _LONG:
        left, _, right = code.normal(span_of(head)).partition(":=")
        return right if left == name else ""
    for item in reversed(code.items[max(0, branch.index - _NEAR) : branch.index]):
        if item.kind == "function":
            return ""
        value = item.part("value")
        if item.kind == "constant" and value is not None and code.text(item.part("name")) == name:
            return code.normal(value) if value.end - value.start < _LONG else ""
    return ""
