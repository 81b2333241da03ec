"""What decides whether something is reached: the branches, loops and functions around it."""

from __future__ import annotations

from agentgate_git.source.languages.conditions import bare
from agentgate_git.source.languages.nesting import within
from agentgate_git.source.languages.syntax import Code, Item, Span, lasting
from agentgate_git.source.languages.truth import negation, truth
from agentgate_git.source.python.conditions import DEPENDS

SHOWN = 120
_FEW = 3
_BLOCKS = ("if", "unless", "loop", "branch", "lambda", "function", "handler")


class Guards:
    """The conditions in one file."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._truths: dict[str, str] = {}

    def guards(self, item: Item, body: Span) -> tuple[tuple[str, str], ...]:
        """(text, verdict) of what decides whether an item of a body is reached, innermost first."""
        found = []
        for above in within(item, body):
            guard = self.guard(above, item)
            if guard is not None:
                found.append(guard)
        return tuple(found)

    def truth(self, text: str) -> str:
        """The verdict on a condition, each computed once."""
        if text not in self._truths:
            self._truths[text] = truth(text, self._code.once(lasting))
        return self._truths[text]

    def guard(self, above: Item, item: Item) -> tuple[str, str] | None:
        """(text, verdict) of what one thing around an item asks; None where it asks nothing."""
        if above.kind not in _BLOCKS:
            return None
        if above.kind in ("if", "unless"):
            condition, other = above.part("condition") or _in_brackets(above), above.part("else")
            if condition is not None and condition.holds(item.span):
                return None
            text = bare(self._code.normal(_whole(above, condition)))
            is_other = other is not None and other.holds(item.span)
            if is_other != (above.kind == "unless"):
                text = negation(text)
            return text[:SHOWN], self.truth(text)
        if above.kind == "lambda" and item.span == above.span:
            return None
        if above.kind == "branch":
            return self._case(above), DEPENDS
        return f"{above.kind} on line {above.line}" if above.kind != "lambda" else "a callback", DEPENDS

    def _case(self, branch: Item) -> str:
        """What a branch of a `switch` or `case` hangs on: how the whole of it begins."""
        whole = branch.node.parent
        start = whole.start_byte if whole is not None else branch.start
        head = self._code.normal(Span(max(start, branch.start - SHOWN), min(branch.start + SHOWN // 2, branch.end)))
        return f"branch on line {branch.line}: {head}"


def _in_brackets(above: Item) -> Span | None:
    """What stands between the brackets of an `if` whose grammar has no name for it, as that of Dart."""
    then = above.part("then")
    ends = [one for one in above.node.children[:_FEW] if one.type == "("]
    closes = [one for one in above.node.children if one.type == ")" and then is not None and one.end_byte <= then.start]
    return Span(ends[0].end_byte, closes[-1].start_byte) if ends and closes else None


def _whole(above: Item, condition: Span | None) -> Span | None:
    """All that a `guard` or an `if` asks, which Swift lists one after another: `let x = try? f(), x > 3`."""
    if condition is None or above.node.type not in ("guard_statement", "if_statement"):
        return condition
    asked = above.node.children_by_field_name("condition")
    if len(asked) < 2:
        return condition
    end = asked[-1].end_byte if above.node.type == "guard_statement" else condition.end
    return Span(asked[0].start_byte, max(end, condition.end))
