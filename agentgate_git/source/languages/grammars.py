"""The one door to tree-sitter: grammars and query files are loaded here, once a process, when a file needs them.

Grammars are the extra `[languages]`. What is not installed is not an error here: the file is read by its lines
then, and the findings say so.
"""

from __future__ import annotations

import pkgutil

from agentgate_git.model.record import Record
from agentgate_git.source.languages.trials import beginnings, is_garbage
from agentgate_git.source.python.names import TooTangled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node, Parser, QueryCursor, Tree

MAX_MATCHES = 400_000
# Nodes of a syntax tree: as many, and more for each byte. Source that people write has 0.2 to 0.4 for each.
FREE_NODES = 40_000
NODES_PER_BYTE = 0.45
MAX_DEPTH = 2_000
MEAN_DEPTH = 150
MAX_ERRORS = 10_000
# How often a parser may ask for a piece of a file. It asks again where it goes back, in sources that people write less
# than once for each 100 bytes.
FREE_PIECES = 1_000
BYTES_PER_PIECE = 40
_PIECE = 4_096
_BASE_DEPTH = 1_000_000
_GARBAGE = "hardly anything in it is syntax that is read"


class Grammar(Record):
    """A parser and the query that finds what the engine reads."""

    parser: Parser
    cursor: QueryCursor


_LOADED: dict[tuple[str, str], Grammar | None] = {}


def grammar(name: str, query: str) -> Grammar | None:
    """The grammar `name` with `queries/<query>.scm`; None when it is not installed, or is of another format."""
    key = (name, query)
    if key not in _LOADED:
        _LOADED[key] = _load(name, query)
    return _LOADED[key]


def parse(loaded: Grammar, data: bytes) -> tuple[Node, list[tuple[int, dict[str, list[Node]]]]]:
    """The root of the syntax tree and every match of the query, in no order; `TooTangled` for too much or too deep."""
    for known, beginning in beginnings(data):
        if is_garbage(_tried(loaded, beginning).root_node, known, len(beginning)):
            raise TooTangled(_GARBAGE)
    tree = _tried(loaded, data)
    count, limit = tree.root_node.descendant_count, FREE_NODES + int(NODES_PER_BYTE * len(data))
    if count > limit:
        raise TooTangled(f"its syntax has {count} parts; of its size at most {limit} are read")
    _bound_depth(tree)
    _bound_errors(tree.root_node)
    root = loaded.parser.parse(data, tree).root_node
    return root, loaded.cursor.matches(root)


def _tried(loaded: Grammar, data: bytes) -> Tree:
    """A tree without its text, of which each look at it would ask for pieces again; `TooTangled` for too many.

    Parsing once more from this tree, with the text, takes hardly any time and gives the same tree.
    """
    pieces = _Pieces(data)
    tree = loaded.parser.parse(pieces.read)
    if pieces.is_worn_out():
        raise TooTangled("its parser goes back in it too often")
    return tree


class _Pieces:
    """A file as a parser asks for it; where it goes back again and again it takes very long, for a small file too."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = FREE_PIECES + len(data) // BYTES_PER_PIECE

    def read(self, offset: int, _place: object) -> bytes:
        """The next bytes from an offset on; none at the end, and where it was asked for too often."""
        self._left -= 1
        return b"" if self.is_worn_out() else self._data[offset : offset + _PIECE]

    def is_worn_out(self) -> bool:
        """True where the parser did not get all that it asked for; tree-sitter does not take an exception for that."""
        return self._left < 0


def _bound_depth(tree: Tree) -> None:
    """The time a query takes grows with the depth of every node: refuse a tree before it takes long."""
    cursor = tree.walk()
    down, along, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    depth = total = 0
    bound = _BASE_DEPTH + MEAN_DEPTH * tree.root_node.descendant_count
    while depth < MAX_DEPTH and total < bound:
        if down():
            depth += 1
            total += depth
            continue
        while not along():
            if not up():
                return
            depth -= 1
        total += depth
    raise TooTangled("it is nested too deeply to be read")


def _bound_errors(root: Node) -> None:
    """The same for what is no syntax at all, which hangs in one node with very many children."""
    waiting = [root] if root.has_error else []
    for _ in range(MAX_ERRORS):
        if not waiting:
            return
        node = waiting.pop()
        if node.is_error and node.child_count > MAX_ERRORS:
            break
        waiting.extend(child for child in node.children if child.has_error)
    raise TooTangled(_GARBAGE)


def _load(name: str, query: str) -> Grammar | None:
    try:
        from tree_sitter import Language, Parser, Query, QueryCursor  # noqa: PLC0415

        language = Language(_pointer(name))
    except (ImportError, ValueError):
        return None
    source = pkgutil.get_data(__package__, f"queries/{query}.scm") or b""
    cursor = QueryCursor(Query(language, source.decode()), match_limit=MAX_MATCHES)
    return Grammar(Parser(language), cursor)


def _pointer(name: str) -> object:
    """The grammar as tree-sitter takes it; `ImportError` where its wheel is not installed."""
    package = __import__(f"tree_sitter_{name.partition(':')[0]}")
    return getattr(package, f"language_{name.partition(':')[2]}" if ":" in name else "language")()
