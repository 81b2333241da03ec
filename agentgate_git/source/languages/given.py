"""What the functions of a file assert with the values that a test gives them: `check("a", 3)` as it is written out.

It only ever pays for what stood there before: a test that was folded into a function of its file says what it said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.inventory import Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.chains import argument_texts
from agentgate_git.source.languages.dialect import Dialect
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, split

# Calls of helpers in one test, and the length of a text, that are looked at.
_MAX_CALLS = 40
_MAX_TEXT = 400
_WORD = pattern_of(r"[\w$@]+")
_LABEL = pattern_of(r"[a-z]\w*(?::(?!:)|=(?!=))")
_LABELLED = frozenset(("swift", "csharp", "kotlin"))
_CALLS = ("call", "assert", "infix")
_MAX_NAME = 60
# What runs a function that it is given, and such a function by its name alone: `check`, `c.check`, `this::check`.
_TAKES = pattern_of(r"(?:^|[.:\s])(?:Run|forEach|each|map|it|test|specify|assertAll|invoke|apply|call|run|then)$")
_NAMED = pattern_of(r"(?<![\w.:$])(?:&method\(:|(?:[A-Za-z_]\w*)?(?:\.|::))?([A-Za-z_]\w*)(?=\s*[,)])")
_RECEIVER = "this"


class Given:
    """Fills the assertions of helpers with the arguments of their calls; `functions` are those of the file by name."""

    def __init__(self, code: Code, dialect: Dialect, functions: Mapping[str, Item]) -> None:
        self._code = code
        self._dialect = dialect
        self._functions = functions
        self._parameters: dict[str, tuple[str, ...]] = {}

    def said(self, items: Iterable[Item], checks_of: Mapping[str, tuple[Assertion, ...]]) -> Iterator[str]:
        """What the helpers assert that some items call; `checks_of` are their assertions, by their names."""
        left = _MAX_CALLS
        for item in items:
            name = self._dialect.called(self._code, item) if item.kind in _CALLS else ""
            checks = checks_of.get(name, ())
            if not checks or left == 0:
                continue
            left -= 1
            values = self._values(name, item)
            for one in checks:
                if values and not (one.void or one.condition) and len(one.text) < _MAX_TEXT:
                    yield key_of(one.relation, filled(one.subject, values), filled(one.expected, values))

    def _values(self, name: str, item: Item) -> dict[str, str]:
        """The parameters of a helper with what one call gives it."""
        is_infix = item.kind == "infix"
        left = self._code.normal(item.part("left")) if is_infix else ""
        right = (self._code.normal(item.part("right")),)
        given: tuple[str, ...] = right if is_infix else argument_texts(self._code, item)
        if self._dialect.name in _LABELLED:
            given = tuple(_LABEL.sub("", one, count=1) if _LABEL.match(one) else one for one in given)
        names = self._names(name)
        if len(given) > len(names) or any(len(one) > _MAX_TEXT for one in given):
            return {}
        found = dict(zip(names, given, strict=False))
        return found | {_RECEIVER: left} if left else found

    def _names(self, name: str) -> tuple[str, ...]:
        if name not in self._parameters:
            item = self._functions[name]
            start, body = item.part("name"), item.part("body")
            head = Span(start.end if start else item.start, body.start if body else item.end)
            text = self._code.normal(head) if head.start <= head.end <= head.start + 5 * _MAX_TEXT else ""
            opening = text.find("(")
            end = closing(text, opening) if opening >= 0 else -1
            told = split(text[opening + 1 : end]) if end > 0 else ()
            self._parameters[name] = tuple(self._name(one) for one in told)
        return self._parameters[name]

    def _name(self, parameter: str) -> str:
        """The name of a parameter in its declaration: `want: &str`, `final int n`, `in string`."""
        told, colon, _ = re.split(r"(?<![=!<>])=(?![=>])", parameter)[0].partition(":")
        words = _WORD.findall(told)
        if not words:
            return ""
        found: list[str] = words[:1] if self._dialect.name == "go" and not colon else words[-1:]
        return found[0]


def handed_on(code: Code, item: Item, functions: Mapping[str, Item]) -> Iterator[str]:
    """The functions of a file that a call is given by their names, and runs: `t.Run(name, c.check)`, `all.each(f)`."""
    name, args = item.part("name"), item.part("args")
    if not functions or name is None or args is None or args.end - args.start > _MAX_TEXT:
        return
    if _TAKES.search(code.text(Span(max(name.start, name.end - _MAX_NAME), name.end))) is None:
        return
    yield from (found[1] for found in _NAMED.finditer(code.text(args)) if found[1] in functions)


def key_of(relation: str, subject: str, expected: str) -> str:
    """An assertion as it can be found again: how, of what and against what."""
    return f"{relation}\n{subject}\n{expected}"


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with values in the place of names that stand in it."""
    names = "|".join(re.escape(name) for name in values if name)
    if not names:
        return text
    return re.sub(rf"(?<![\w$.\"])(?:{names})(?![\w$\"])", lambda found: values[found[0]], text)
