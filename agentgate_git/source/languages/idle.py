"""Loops that never come round: over a table that stands there empty, over a slice of nothing, from zero below zero."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.emptied import is_emptied
from agentgate_git.source.languages.syntax import Code, Item, Span

NOTHING = "a loop over nothing"

_HEAD = 400
_MAX_NAME = 80
_LONG = 20_000
_LONG_LIST = 2_000
# What a call ends with that goes through a list.
_GOES_THROUGH = (b".forEach", b".map", b".every")
_NOTHING = (
    r"(?:(?:<[^<>()]{1,80}>)?(?:\[\](?: as [\w\[\]<>?]+)?|\{\})|\[\]\(\)|Nil\b|vec!\[\]|array\(\)|0\.\.<?0|0 until 0"
    r"|(?:\[\d*\]|\[\.\.\.\]|map\[[\w.]+\])\*?(?:struct\{[^{}]{0,400}\}|[\w.\[\]*]+)\{\}"
    r"|(?:std::)?(?:vector|list|set|map|initializer_list)<[^{}()]{1,200}>(?:\{\}|\(\))"
    r"|(?:(?:List|Set|Stream|Map|Arrays|Collections|Seq|Vector|Array|Vec|HashMap|IntStream|Enumerable)"
    r"(?:\.|::)(?:<[^()]{0,80}>(?:::)?)?(?:of|empty\w*|asList|new|Empty)|listOf|emptyList|arrayOf|mapOf|setOf|sequenceOf"
    r"|emptyArray|List|Seq|Vector)(?:<[^()]{0,80}>|\[[\w.]+\])?\(\)|(?:List|Seq|Vector|Set|Map)\.empty(?:\[[\w.]+\])?"
    r"|new [\w.]+(?:<[^(){}]{0,200}>)?(?:\[\]\{\}|\[0\]|\(\)(?:\{\})?|\{\}))"
)
# What makes of `[]` a type of Go: `[]int{1}`, `[]byte("a")`; a loop that follows on it is none.
_TYPED = r"[*\w.]+[({](?<!each\{)(?<!\bfor\()(?<!foreach\()(?<!forEach\()"
_CUT = r"[\w.$]{1,80}(?:\[:0\]|\[0:0\]|\[\.\.0\]|\.(?:take|Take|first|limit|prefix|slice|head)\(0(?:,0)?\))"
_OVER = pattern_of(
    rf"(?:for|foreach)\b[^{{}}]{{0,200}}?(?:\brange ?|:| in ?| of ?|<-)&?(?:({_NOTHING}|{_CUT})|(\$?\w+))"
    r"(?:\.(?:iter|into_iter|entries|indices|enumerated|withIndex)\(\))?(?:\)|\{|$)"
    rf"|foreach\((?:({_NOTHING})|(\$\w+)) as "
)
_NEVER = pattern_of(
    r"(?:for|while)\b ?\(?(?:false|0)\)? ?\{|for\b ?\(?(?:\w+ ){0,2}(\w+):?=0 \1<0\b|for \w+:?=?range 0\{"
)
_FILLS = r"(?:add|push|append|Add|insert|put|push_back|emplace_back|addAll|extend|offer)\w*"
_ASKS = "assert|expect|require|should|len|size|count|length|equal"
_EACH = pattern_of(
    rf"(?:({_NOTHING}|{_CUT})|(\$?\w+))(?:\.|->)(?:forEach|each|for_each|ForEach|foreach|each_with_index|onEach)"
)


class Idle:
    """The loops of one file, each looked at once."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._rounds: dict[Span, bool] = {}
        self._gathered: dict[tuple[int, Span], str] = {}
        self._known: dict[tuple[int, Span | None], bool] = {}

    def is_idle(self, loop: Item, body: Span | None) -> bool:
        """True for a loop, or a call that is one, which never comes round; `body` is that of the test around it."""
        if loop.kind not in ("loop", "call"):
            return False
        key = loop.index, body
        if key not in self._known:
            self._known[key] = self._is_idle(loop, body)
        return self._known[key]

    def goes_through_gathered(self, loop: Item, body: Span) -> str:
        """The name of what a loop goes through, where the test binds it to nothing: `calls = []`; else empty.

        It puts nothing into it itself, something that it calls may; and no assertion asks how much is in it.
        """
        if loop.kind != "loop" or body.end - body.start > _LONG:
            return ""
        if (loop.index, body) not in self._gathered:
            self._gathered[loop.index, body] = self._gathered_in(loop, body)
        return self._gathered[loop.index, body]

    def _gathered_in(self, loop: Item, body: Span) -> str:
        found = _OVER.match(self._code.normal(Span(loop.start, min(loop.end, loop.start + _HEAD))))
        name = found[2] or found[4] if found is not None else ""
        if not name or len(name) > _MAX_NAME:
            return ""
        told, text = re.escape(name), self._code.text(body)
        bound = rf"(?<![\w.$]){told}(?: ?: ?[^=,()\n]{{1,80}}?)? ?(?::=|=) ?{_NOTHING}[ \t]*(?:;|\n|$)"
        if re.search(rf"{bound}|\bvar {told} \[\][\w.*]+[ \t]*\n", text) is None:
            return ""
        filled = rf"(?m)^[ \t]*{told}(?: ?\+?=(?![=>]) ?(?!{_NOTHING}[ \t]*;?$)| ?<<|(?:\.|->){_FILLS}\()"
        if re.search(filled, text) is not None:
            return ""
        asked = rf"(?i)(?:{_ASKS})\w*[(. ][^\n]{{0,80}}?(?<![\w$]){told}(?![\w$])"
        asked += rf"|(?<![\w$]){told}(?:\.|->)(?:length|size|count|should\w*|isEmpty|isNotEmpty|empty)\b"
        return "" if re.search(asked, text) is not None else name

    def goes_through_nothing(self, above: Item, item: Item) -> bool:
        """True for a loop around an item that goes through nothing: `[].forEach(…)`, `for (… of CASES.slice(0, 0))`."""
        if above.kind not in ("loop", "call"):
            return False
        if above.kind == "loop":
            right = above.node.child_by_field_name("right")
            through = Span(right.start_byte, right.end_byte) if right is not None else None
        else:
            through = above.part("name")
        if through is None or through.holds(item.span) or through.end - through.start > _LONG_LIST:
            return False
        if above.kind == "call" and not self._code.data[through.start : through.end].endswith(_GOES_THROUGH):
            return False
        if through not in self._rounds:
            self._rounds[through] = is_emptied(self._code.normal(through), self._code.unchanged)
        return self._rounds[through]

    def _is_idle(self, loop: Item, body: Span | None) -> bool:
        if loop.kind == "loop":
            head = self._code.normal(Span(loop.start, min(loop.end, loop.start + _HEAD)))
            found = _OVER.match(head)
            if found is None:
                return _NEVER.match(head) is not None
            literal, name = found[1] or found[3], found[2] or found[4]
        else:
            called = loop.part("name")
            if called is None or called.end - called.start > _HEAD:
                return False
            found = _EACH.fullmatch(self._code.normal(Span(loop.start, called.end)))
            if found is None:
                return False
            literal, name = found[1], found[2]
        return bool(literal) or (bool(name) and self._is_of_nothing(name, body))

    def _is_of_nothing(self, name: str, body: Span | None) -> bool:
        """True for a name that is bound to nothing, and that nothing but the loop speaks of besides."""
        is_once = self._code.count(name) == 2
        if body is None or is_once:
            body = Span(0, len(self._code.data)) if is_once else None
        if body is None or len(name) > _MAX_NAME or body.end - body.start > (_LONG if not is_once else 1 << 18):
            return False
        told = re.escape(name)
        if not is_once and len(re.findall(rf"(?<![\w$]){told}(?![\w$])", self._code.normal(body))) != 2:
            return False
        bound = rf"(?<![\w.$]){told}(?:: ?[^=,()]{{1,80}}?)?(?::=|=)(?:{_NOTHING}|{_CUT})(?![(.\[{{]|{_TYPED})"
        nothing = rf"\bvar {told} ?\[\][\w.*]+ (?!=)|> ?{told}(?:\{{\}}|(?= (?:for|static)\b))"
        return re.search(f"{bound}|{nothing}", self._code.normal(body)) is not None
