"""What a preprocessor leaves out: the symbols that code stands under, and which of them someone has to define."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import SYMBOL
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.languages.truth import truth
from agentgate_git.source.python.conditions import NEVER
from agentgate_git.source.python.effects import Effect

_DEFINED = pattern_of(r"\bdefined ?\(? ?(\w+) ?\)?")
_NAME = pattern_of(r"(?<![\w.\"])[A-Za-z_]\w*(?![\w(])")
_PLAIN = pattern_of(r"[\w&|!() ]+")
# What a compiler, a build or a library gives by itself, or a system is known by.
_GIVEN = pattern_of(
    r"_\w*|N?DEBUG|RELEASE|TRACE|WIN32|WIN64|HAVE_\w+|HAS_\w+|USE_\w+|ENABLE_\w+|WITH_\w+|G(?:TEST|MOCK)_\w+|BOOST_\w+"
    r"|CATCH_\w+|DOCTEST_\w+|CONFIG_\w+|FEATURE_\w+|true|false|TRUE|FALSE|SWIFT_PACKAGE|targetEnvironment|simulator"
)
_SYSTEM = pattern_of(r"\bos\((\w+)\)")
_VERSION = pattern_of(r"\b(?:swift|compiler)\([<>=]+ ?[\d.]+\)")


def symbols_of(effect: Effect, condition: str) -> tuple[str, ...]:
    """The symbols that someone has to define so that a test is there; none where a compiler may define one."""
    if effect.marker != f"if {condition}" or not _PLAIN.fullmatch(condition):
        return ()
    plain = _DEFINED.sub(r"\1", condition)
    names = tuple(dict.fromkeys(_NAME.findall(plain)))
    if not names or any(_GIVEN.fullmatch(name) for name in names) or truth(_NAME.sub("false", plain), {}) != NEVER:
        return ()
    return tuple(SYMBOL + name for name in names)


class Regions:
    """The parts of a file of Swift between its directives, and what each of them asks."""

    def __init__(self, code: Code) -> None:
        directives = (item for item in code.items if item.kind == "directive")
        self._starts: list[int] = []
        self._asked: list[str] = []
        for start, asked in _regions(code, directives):
            self._starts.append(start)
            self._asked.append(asked)

    def asked(self, span: Span) -> str:
        """What has to hold so that something is there, in words of the gate's system; empty where nothing has to."""
        at = bisect_right(self._starts, span.start) - 1
        return self._asked[at] if at >= 0 else ""


def _regions(code: Code, directives: Iterable[Item]) -> Iterator[tuple[int, str]]:
    held: list[str] = []
    for one in directives:
        text = " ".join(code.text(one.span).split())
        if text.startswith("#if"):
            held.append(text.removeprefix("#if").strip())
        elif text.startswith("#elseif") and held:
            held[-1] = text.removeprefix("#elseif").strip()
        elif text.startswith("#else") and held:
            held[-1] = f"!({held[-1]})"
        elif text.startswith("#endif") and held:
            held.pop()
        else:
            continue
        asked = " && ".join(part if len(held) == 1 else f"({part})" for part in held[-3:])
        asked = _SYSTEM.sub(lambda found: "true" if found[1] == "Linux" else "false", asked)
        yield one.end, _VERSION.sub("true", asked)
