"""The beginnings of a large file, for a parser to be tried with before it is given the whole.

What is no syntax takes tree-sitter twenty times as long as source. Each beginning ends with a line, and the brackets
that are open there are closed, so that source makes hardly an error in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

FIRST = 96 * 1_024
_GROWTH = 2
# A beginning that is nearly all of a file spares nothing.
_NEARLY_ALL = 0.9
# Of what is new in a beginning: garbage makes an error for each two to five bytes.
_BYTES_PER_ERROR = 6
_BRACKETS = pattern_of(rb"[(\[{)\]}]")
_CLOSES = {b"(": b")", b"[": b"]", b"{": b"}"}


def beginnings(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each beginning of a file of more than FIRST bytes, and where what the one before it had not begins."""
    known, size = 0, FIRST
    while size < _NEARLY_ALL * len(data):
        end = data.rfind(b"\n", known, size) + 1 or size
        yield known, data[:end] + _closing(data[:end])
        known, size = end, size * _GROWTH


def is_garbage(root: Node, known: int, size: int) -> bool:
    """True where the syntax tree of a beginning of so many bytes is hardly more than errors, from `known` on."""
    left = (size - known) // _BYTES_PER_ERROR
    waiting = [root] if root.has_error else []
    while waiting and left >= 0:
        node = waiting.pop()
        if node.end_byte <= known:
            continue
        if node.is_error:
            left -= node.child_count + 1
        waiting.extend(child for child in node.children if child.has_error)
    return left < 0


def _closing(data: bytes) -> bytes:
    """What closes the brackets that are open at the end of a text."""
    waiting: list[bytes] = []
    for found in _BRACKETS.findall(data):
        if found in _CLOSES:
            waiting.append(_CLOSES[found])
        elif waiting and waiting[-1] == found:
            waiting.pop()
    return b"".join(reversed(waiting))
