"""Shell text as words and operators: enough of the grammar to see which commands run, and nothing is expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import TreeError
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record

MAX_TOKENS = 30_000
MAX_OPERATORS = 5_000
WORD = "word"
OPERATOR = "operator"
END = "end"

_SUBSTITUTION = 4_000
_TOKEN = pattern_of(
    r"(?P<skip>[ \t\r\f\v]+|\\\r?\n)"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<end>\n)"
    r"|(?P<operator>&>>?|<<<|<<-?|\d*(?:>>|>\||[<>]&|[<>])|\|\||&&|;;&?|;&|\|&|[|&;()])"
    r"|(?P<plain>[\w./=:@%,+~{}\[\]*?!^-]++(?=[\s|&;()<>]|\Z))"
)
_PIECE = pattern_of(
    r"[^\s\\'\"`$|&;()<>]+"
    r"|\\.|\$'(?:[^'\\]|\\.)*'|'[^']*'|\"(?:[^\"\\]|\\.)*\""
    r"|\$\{\{[^\n]{0,300}?\}\}|\$\{[^}\n]{0,300}\}|`[^`]{0,4000}`|\$",
    re.DOTALL,
)
_ESCAPED = pattern_of(r"\\(.)", re.DOTALL)
_HERE = frozenset(("<<", "<<-"))


class Token(Record):
    """A word without its quotes, an operator, or the end of a line; `line` counts from 1.

    `is_quoted` is true for a word of which some part stood in quotes: it is no keyword then.
    """

    kind: str
    text: str
    line: int
    is_quoted: bool = False


def shell_tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text without here-documents and comments; TreeError for more than are read."""
    return tuple(_Scanner(text).scan())


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._waiting: list[str] = []
        self._is_delimiter = False
        self._budget = 4 * len(text) + _SUBSTITUTION

    def scan(self) -> Iterator[Token]:
        text, count, operators = self._text, 0, 0
        match, size = _TOKEN.match, len(text)
        while self._at < size:
            found = match(text, self._at)
            kind = found.lastgroup if found is not None else WORD
            if found is not None and kind != "end":
                self._at = found.end()
            if found is not None and (kind == "skip" or kind == "comment"):
                self._line += "\n" in found[0]
                continue
            count += 1
            if count > MAX_TOKENS:
                raise TreeError(f"its commands have more than {MAX_TOKENS} words")
            operators += kind == OPERATOR
            if operators > MAX_OPERATORS:
                raise TreeError(f"its commands have more than {MAX_OPERATORS} operators")
            line = self._line
            if found is None or kind == "plain":
                word, is_quoted = self._word() if found is None else (found[0], False)
                if self._is_delimiter:
                    self._waiting.append(word)
                    self._is_delimiter = False
                yield Token(WORD, word, line, is_quoted)
            elif kind == "operator":
                self._is_delimiter = found[0] in _HERE
                yield Token(OPERATOR, found[0].lstrip("0123456789"), line)
            else:
                self._move(found.end())
                yield Token(END, "\n", line)
                self._skip_documents()

    def _move(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _word(self) -> tuple[str, bool]:
        pieces: list[str] = []
        is_quoted = False
        start = self._at
        while self._at < len(self._text):
            if self._budget > 0 and self._text.startswith("$(", self._at):
                end = self._closing(self._at + 1)
                pieces.append(self._text[self._at : end])
                self._move(end)
                continue
            found = _PIECE.match(self._text, self._at)
            if found is None:
                break
            piece = found[0]
            is_quoted = is_quoted or piece[0] in "'\"\\" or piece.startswith("$'")
            pieces.append(_plain(piece))
            self._move(found.end())
        if self._at == start:
            self._move(self._at + 1)  # a quote without its pair, or another sign that starts nothing
        return "".join(pieces), is_quoted

    def _closing(self, start: int) -> int:
        """Where the parenthesis that opens at `start` ends, at most _SUBSTITUTION signs on; far looks are counted."""
        text, depth, quote = self._text, 0, ""
        for at in range(start, min(len(text), start + _SUBSTITUTION)):
            self._budget -= 1
            if quote:
                quote = "" if text[at] == quote else quote
            elif text[at] in "'\"":
                quote = text[at]
            elif text[at] == "(":
                depth += 1
            elif text[at] == ")":
                depth -= 1
                if depth == 0:
                    return at + 1
        return min(len(text), start + 1)

    def _skip_documents(self) -> None:
        for delimiter in self._waiting:
            end = re.compile(rf"^[ \t]*{re.escape(delimiter)}[ \t]*\r?$", re.MULTILINE).search(self._text, self._at)
            self._move(end.end() if end else len(self._text))
        self._waiting.clear()


def _plain(piece: str) -> str:
    if piece[0] == "'":
        return piece[1:-1]
    if piece.startswith("$'"):
        return piece[2:-1]
    if piece[0] == '"':
        return _ESCAPED.sub(r"\1", piece[1:-1])
    if piece[0] == "\\":
        return piece[1:]
    return piece
