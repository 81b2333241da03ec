"""Configuration that is code or nearly so: JSON with comments, JavaScript, Groovy, Kotlin, Ruby, Elixir, CMake.

Nothing is run. What is read are literals, assignments, calls and blocks; whatever else stands there is passed over.
"""

from __future__ import annotations

import re

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode, TreeError, listed, scalar
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record

MAX_DEPTH = 60
MAX_TOKENS = 300_000

_NAME, _TEXT, _NUMBER, _SIGN, _LINE = "name", "text", "number", "sign", "line"
_LONG = r"'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
_SHORT = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`"
_TOKENS = (
    r"(?P<space>[ \t\r\f\v]+|\\\n)"
    r"|(?P<line>\n)"
    r"|(?P<comment>{comment})"
    rf"|(?P<text>{_LONG}|{_SHORT})"
    r"|(?P<number>-?\d[\w.]*)"
    r"|(?P<name>{sigil}[A-Za-z_$][\w$]*(?:[.?!]*[.](?:[A-Za-z_$][\w$]*))*[?!]?)"
    r"|(?P<sign>=>|->|==|!=|\|\||&&|<<|>>|.)"
)
_SLASHES = pattern_of(
    _TOKENS.replace("{sigil}", "@?").replace("{comment}", r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)"), re.DOTALL
)
_HASHES = pattern_of(_TOKENS.replace("{sigil}", "(?:[:@]|--?)?").replace("{comment}", r"\#[^\n]*"), re.DOTALL)
_REGEX = pattern_of(r"/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_REGEX = frozenset((":", "(", ",", "=", "[", "{", "?", "&&", "||", "=>", "return"))
_PASSED = frozenset(
    (
        *("export", "default", "const", "let", "var", "return", "def", "val", "new", "await", "async", "final"),
        *("do", "end", "then", "public", "private", "import", "from", "void", "static"),
    )
)
# Blocks that hold a condition.
_BLOCKS = frozenset(("expression", "onlyIf", "setOnlyIf"))
_MAX_SHOWN = 60
_ESCAPE = pattern_of(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_NEWLINES = {"n": "\n", "t": "\t", "r": "\r"}


class _Token(Record):
    kind: str
    text: str
    line: int


def read_code(text: str, has_hash_comments: bool = False) -> ConfigNode:
    """The statements of a file as one table: see ConfigNode for calls and blocks."""
    parser = _Parser(_tokens(text, _HASHES if has_hash_comments else _SLASHES))
    found = parser.block(0)
    entries = list(found.entries)
    while not parser.is_at_end():  # a bracket that nothing opens
        entries.extend(parser.after_bracket().entries)
    return found._replace(entries=tuple(entries))


def read_json(text: str) -> ConfigNode:
    """The object or list of a JSON file, with comments and trailing commas allowed; anything else is refused."""
    parser = _Parser(_tokens(text.removeprefix("\ufeff"), _SLASHES))
    parser.skip_lines()
    if not parser.is_sign("{") and not parser.is_sign("["):
        raise TreeError("it holds no object")
    node = parser.value(0)
    parser.skip_lines()
    if not parser.is_at_end():
        raise TreeError(f"line {parser.line()}: something stands after its end, or a bracket is missing")
    return node


def _tokens(text: str, pattern: re.Pattern[str]) -> list[_Token]:
    found: list[_Token] = []
    line, at, previous = 1, 0, "("
    while at < len(text):
        match = None
        if text[at] == "/" and previous in _BEFORE_REGEX:
            match = _REGEX.match(text, at)
        kind = _TEXT if match else ""
        if match is None:
            match = pattern.match(text, at)
            if match is None:
                break
            kind = match.lastgroup or ""
        piece = match[0]
        at = match.end()
        if kind not in ("space", "comment"):
            if len(found) >= MAX_TOKENS:
                raise TreeError(f"it has more than {MAX_TOKENS} words")
            found.append(_Token(kind, piece, line))
            previous = piece if kind != _LINE else previous
        line += piece.count("\n")
    return found


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def is_at_end(self) -> bool:
        return self._at >= len(self._tokens)

    def line(self) -> int:
        return self._tokens[min(self._at, len(self._tokens) - 1)].line if self._tokens else 1

    def is_sign(self, *texts: str) -> bool:
        if self.is_at_end():
            return False
        token = self._tokens[self._at]
        return token.kind == _SIGN and token.text in texts

    def skip_lines(self) -> None:
        while not self.is_at_end() and self._tokens[self._at].kind == _LINE:
            self._at += 1

    def after_bracket(self) -> ConfigNode:
        """What stands behind a closing bracket."""
        self._at += 1
        return self.block(0)

    def block(self, depth: int) -> ConfigNode:
        """Statements or pairs up to the closing brace, which is left standing."""
        if depth > MAX_DEPTH:
            raise TreeError(f"it is nested more than {MAX_DEPTH} levels deep")
        line, entries = self.line(), []
        while not self.is_at_end() and not self.is_sign("}", ")", "]"):
            token = self._tokens[self._at]
            if token.kind in (_NAME, _TEXT):
                entries.extend(self._statement(token, depth))
            elif self.is_sign("{"):
                self._at += 1
                entries.extend(self.block(depth + 1).entries)
                self._close("}")
            else:
                is_negated = self.is_sign("!")
                self._at += 1
                if is_negated and not self.is_at_end() and self._tokens[self._at].kind == _NAME:
                    found = self._statement(self._tokens[self._at], depth)
                    entries.extend((f"!{name}", value) for name, value in found)
        return ConfigNode(TABLE, line, entries=tuple(entries))

    def _statement(self, token: _Token, depth: int) -> list[tuple[str, ConfigNode]]:
        self._at += 1
        if token.kind == _NAME and token.text in _PASSED:
            return []
        name = _plain(token)
        if self.is_sign(":", "=", "=>"):
            self._at += 1
            return [(name, self.value(depth + 1)._replace(line=token.line))]
        if self.is_sign(",") or (token.kind == _TEXT and not self.is_sign("(")):
            return []
        items: list[ConfigNode] = []
        entries: list[tuple[str, ConfigNode]] = []
        self._generic(items)
        opening = self._at
        if self.is_sign("("):
            self._arguments(items, entries, depth)
        else:
            self._bare(items, entries, depth)
        opening = self._at if name in _BLOCKS else opening
        shown = self._shown(opening) if name == "if" else ""
        if self.is_sign("{"):
            self._at += 1
            entries.extend(self.block(depth + 1).entries)
            self._close("}")
        shown = self._shown(opening) if name in _BLOCKS else shown
        return [(name, ConfigNode(TABLE, token.line, items=tuple(items), entries=tuple(entries), text=shown))]

    def _shown(self, start: int) -> str:
        """What stands between two brackets, word by word."""
        words = [one.text for one in self._tokens[start : min(self._at, start + _MAX_SHOWN)] if one.kind != _LINE]
        return " ".join(words[1:-1])

    def _generic(self, items: list[ConfigNode]) -> None:
        """`<Test>` of Kotlin is an argument."""
        following = self._tokens[self._at : self._at + 3]
        if len(following) == 3 and following[0].text == "<" and following[2].text == ">":
            items.append(scalar(following[1].text, following[1].line))
            self._at += 3

    def _arguments(self, items: list[ConfigNode], entries: list[tuple[str, ConfigNode]], depth: int) -> None:
        self._at += 1
        while not self.is_at_end() and not self.is_sign(")", "}", "]"):
            before = self._at
            self._argument(items, entries, depth)
            if self._at == before:
                self._at += 1
        self._close(")")

    def _bare(self, items: list[ConfigNode], entries: list[tuple[str, ConfigNode]], depth: int) -> None:
        """Arguments without parentheses end with the line, or where a block begins."""
        while not self.is_at_end() and not self.is_sign("{", "}", ")", "]", ";"):
            if self._tokens[self._at].kind == _LINE:
                break
            before = self._at
            self._argument(items, entries, depth)
            if self._at == before:
                self._at += 1

    def _argument(self, items: list[ConfigNode], entries: list[tuple[str, ConfigNode]], depth: int) -> None:
        token = self._tokens[self._at]
        following = self._tokens[self._at + 1 : self._at + 2]
        if token.kind in (_NAME, _TEXT) and following and following[0].text in (":", "=", "=>"):
            self._at += 2
            entries.append((_plain(token), self.value(depth + 1)._replace(line=token.line)))
        elif token.kind in (_NAME, _TEXT, _NUMBER) or self.is_sign("{", "["):
            node = self.value(depth + 1)
            if node.kind == TABLE and node.entries:
                entries.extend(node.entries)
            else:
                items.append(node)

    def value(self, depth: int) -> ConfigNode:
        """A literal, an object, a list, or what stands there as text; a call around one object is that object."""
        if depth > MAX_DEPTH:
            raise TreeError(f"it is nested more than {MAX_DEPTH} levels deep")
        self.skip_lines()
        if self.is_at_end():
            return scalar("", self.line())
        token = self._tokens[self._at]
        if self.is_sign("{"):
            self._at += 1
            node = self.block(depth + 1)
            self._close("}")
            return node._replace(line=token.line)
        if self.is_sign("["):
            return self._list(token, depth)
        if self.is_sign("(", ":", "-", "!", "%", "~"):
            self._at += 1
            inner = self.value(depth + 1)
            if token.text == "(":
                self._close(")")
                return inner
            return scalar(token.text + inner.text, token.line) if inner.kind == SCALAR else inner
        if token.kind in (_SIGN, _LINE):
            return scalar("", token.line)
        self._at += 1
        if token.kind == _NAME and token.text in _PASSED:
            return self.value(depth + 1)
        return self._named_value(token, depth)

    def _named_value(self, token: _Token, depth: int) -> ConfigNode:
        if token.kind == _NAME and self.is_sign("("):
            items: list[ConfigNode] = []
            entries: list[tuple[str, ConfigNode]] = []
            self._arguments(items, entries, depth)
            if entries or any(item.kind == LIST for item in items):
                return ConfigNode(TABLE, token.line, items=tuple(items), entries=tuple(entries), text=token.text)
            shown = ", ".join(item.text for item in items)
            return scalar(f"{token.text}({shown})", token.line)
        text = _plain(token)
        if token.kind == _NAME and self.is_sign("["):
            inner = self._list(self._tokens[self._at], depth + 1)
            text = f"{text}[{', '.join(inner.words())}]"
        while self.is_sign("+", "?", "||", "&&", "==", "!=", ".", "<", ">", "-", "*"):
            sign = self._tokens[self._at].text
            self._at += 1
            rest = self.value(depth + 1)
            shown = rest.text or " ".join(rest.words())
            joined = f"{text}{shown}" if sign == "+" else f"{text} {sign} {shown}"
            if sign == "?" and self.is_sign(":"):
                self._at += 1
                joined += f" : {self.value(depth + 1).text}"
            text = joined
        return scalar(text, token.line)

    def _list(self, token: _Token, depth: int) -> ConfigNode:
        self._at += 1
        items: list[ConfigNode] = []
        entries: list[tuple[str, ConfigNode]] = []
        while not self.is_at_end() and not self.is_sign("]", "}", ")"):
            before = self._at
            if self.is_sign(",", ";") or self._tokens[self._at].kind == _LINE:
                self._at += 1
                continue
            following = self._tokens[self._at + 1 : self._at + 2]
            if self._tokens[self._at].kind in (_NAME, _TEXT) and following and following[0].text == ":":
                self._argument(items, entries, depth)
            else:
                items.append(self.value(depth + 1))
            if self._at == before:
                self._at += 1
        self._close("]")
        if entries:
            return ConfigNode(TABLE, token.line, items=tuple(items), entries=tuple(entries))
        return listed(token.line, tuple(items))

    def _close(self, sign: str) -> None:
        if self.is_sign(sign):
            self._at += 1


def _plain(token: _Token) -> str:
    text = token.text
    if token.kind != _TEXT or text[0] == "/":
        return text
    width = 3 if len(text) >= 6 and text[:3] in ("'''", '"""') else 1
    return _ESCAPE.sub(_unescaped, text[width:-width])


def _unescaped(found: re.Match[str]) -> str:
    one = found[1]
    return chr(int(one[1:], 16)) if len(one) == 5 else _NEWLINES.get(one, one)
