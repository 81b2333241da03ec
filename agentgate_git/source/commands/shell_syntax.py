"""Shell text as nested commands: lists, pipelines, conditions and loops. Broken text gives what can be made of it."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.shell_words import END, OPERATOR, WORD, Token, shell_tokens

MAX_DEPTH = 30
MAX_ITEMS = 100
SIMPLE = "simple"
GROUP = "group"
IF = "if"
LOOP = "loop"
CASE = "case"
FUNCTION = "function"

_REDIRECTS = frozenset(("<", ">", ">>", ">|", "<&", ">&", "&>", "&>>", "<<", "<<-", "<<<"))
_SIGNS = pattern_of(r"[\s|&;<>()$`\"*?]")
_CLOSERS = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}", ")"))


class Command(Record):
    """One command. A simple one has `words`; `parts` are the lists it is made of.

    For `if` the parts are condition, branch, condition, branch, …, and last the else branch (maybe empty); for a
    loop condition and body, and its words are `for`, the variable, `in` and what it goes over; for a group, a function
    and a case their bodies. A case has for words what it looks at and the patterns of each body, with `|` between
    them. A group in parentheses, which is a shell of its own, has `(` for its words.
    """

    kind: str
    line: int
    words: tuple[str, ...] = ()
    parts: tuple[tuple[Sequence, ...], ...] = ()


class Pipeline(Record):
    """Commands joined by `|`; `is_negated` for one with `!` before it."""

    commands: tuple[Command, ...]
    is_negated: bool = False


class Sequence(Record):
    """Pipelines joined by the operators between them (`&&`, `||`); `is_background` for one that ends in `&`."""

    pipelines: tuple[Pipeline, ...]
    operators: tuple[str, ...]
    is_background: bool = False
    line: int = 0


def shell_commands(text: str) -> tuple[Sequence, ...]:
    """The commands of a script or a step, in its order."""
    parser = _Parser(shell_tokens(text))
    found: list[Sequence] = []
    while not parser.is_at_end():
        found.extend(parser.sequences(frozenset(), 0))
        parser.skip()  # a closing word that opens nothing
    return tuple(found)


class _Parser:
    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens
        self._at = 0

    def is_at_end(self) -> bool:
        return self._at >= len(self._tokens)

    def skip(self) -> None:
        self._at += 1

    def sequences(self, until: frozenset[str], depth: int) -> tuple[Sequence, ...]:
        """Up to one of the closing words, which is left standing; any closer ends it when nothing is awaited."""
        found: list[Sequence] = []
        while not self.is_at_end():
            token = self._tokens[self._at]
            if token.kind == END or (token.kind == OPERATOR and token.text in (";", "&")):
                self._at += 1
                continue
            if self._closes(token, until) or token.text in (";;", ";&", ";;&"):
                break
            before = self._at
            found.append(self._sequence(depth))
            if self._at == before:
                self._at += 1
        return tuple(found)

    def _closes(self, token: Token, until: frozenset[str]) -> bool:
        if token.is_quoted or (token.kind == OPERATOR and token.text != ")"):
            return False
        return token.text in (until or _CLOSERS) or token.text in _CLOSERS

    def _sequence(self, depth: int) -> Sequence:
        line = self._tokens[self._at].line
        pipelines = [self._pipeline(depth)]
        operators: list[str] = []
        while self._is_operator("&&", "||"):
            operators.append(self._tokens[self._at].text)
            self._at += 1
            self._skip_ends()
            pipelines.append(self._pipeline(depth))
        is_background = self._is_operator("&")
        return Sequence(tuple(pipelines), tuple(operators), is_background, line)

    def _pipeline(self, depth: int) -> Pipeline:
        is_negated = False
        while self._is_word("!", "time"):
            is_negated ^= self._tokens[self._at].text == "!"
            self._at += 1
        commands = [self._command(depth)]
        while self._is_operator("|", "|&"):
            self._at += 1
            self._skip_ends()
            commands.append(self._command(depth))
        return Pipeline(tuple(commands), is_negated)

    def _command(self, depth: int) -> Command:
        if self.is_at_end() or depth > MAX_DEPTH:
            self._at += 1
            return Command(SIMPLE, 0)
        token = self._tokens[self._at]
        if token.kind == OPERATOR and token.text == "(":
            return self._group(token, ")", depth)
        if token.kind == WORD and not token.is_quoted:
            if token.text == "{":
                return self._group(token, "}", depth)
            if token.text == "if":
                return self._if(token, depth)
            if token.text in ("while", "until", "for", "select"):
                return self._loop(token, depth)
            if token.text == "case":
                return self._case(token, depth)
        return self._simple(depth)

    def _group(self, opening: Token, closing: str, depth: int) -> Command:
        self._at += 1
        body = self.sequences(frozenset((closing,)), depth + 1)
        self._at += 1
        self._redirects()
        return Command(GROUP, opening.line, (opening.text,) if closing == ")" else (), (body,))

    def _if(self, opening: Token, depth: int) -> Command:
        parts: list[tuple[Sequence, ...]] = []
        word = "if"
        while word in ("if", "elif"):
            self._at += 1
            parts.append(self.sequences(frozenset(("then",)), depth + 1))
            self._at += 1
            parts.append(self.sequences(frozenset(("elif", "else", "fi")), depth + 1))
            word = "" if self.is_at_end() else self._tokens[self._at].text
        if word == "else":
            self._at += 1
            parts.append(self.sequences(frozenset(("fi",)), depth + 1))
        else:
            parts.append(())
        self._at += 1
        self._redirects()
        return Command(IF, opening.line, (), tuple(parts))

    def _loop(self, opening: Token, depth: int) -> Command:
        self._at += 1
        condition: tuple[Sequence, ...] = ()
        words = [opening.text]
        if opening.text in ("while", "until"):
            condition = self.sequences(frozenset(("do",)), depth + 1)
        else:
            while not self.is_at_end() and self._tokens[self._at].text != "do":
                token = self._tokens[self._at]
                words.extend((token.text,) if token.kind == WORD and len(words) < MAX_ITEMS else ())
                self._at += 1
        self._at += 1
        body = self.sequences(frozenset(("done",)), depth + 1)
        self._at += 1
        self._redirects()
        return Command(LOOP, opening.line, tuple(words), (condition, body))

    def _case(self, opening: Token, depth: int) -> Command:
        asked: list[str] = []
        while not self.is_at_end() and self._tokens[self._at].text != "in":
            self._at += 1
            asked.append(self._tokens[self._at - 1].text)
        self._at += 1
        words = [" ".join(asked[1:])]
        bodies: list[tuple[Sequence, ...]] = []
        while not self.is_at_end() and not self._is_word("esac"):
            patterns: list[str] = []
            while not self.is_at_end() and not self._is_operator(")") and not self._is_word("esac"):
                patterns.append(self._tokens[self._at].text)
                self._at += 1
            if self._is_word("esac"):
                break
            self._at += 1
            words.append("".join(patterns).strip("("))
            bodies.append(self.sequences(frozenset(("esac",)), depth + 1))
            if not self.is_at_end() and not self._is_word("esac"):
                self._at += 1
        self._at += 1
        self._redirects()
        return Command(CASE, opening.line, tuple(words), tuple(bodies))

    def _simple(self, depth: int) -> Command:
        words: list[str] = []
        line = self._tokens[self._at].line
        while not self.is_at_end():
            token = self._tokens[self._at]
            if token.kind == OPERATOR and token.text in _REDIRECTS:
                self._at += 2
                continue
            if token.kind == OPERATOR and token.text == "(" and len(words) == 1:
                return self._function(line, words[0], depth)
            if token.kind != WORD:
                break
            words.append(token.text)
            self._at += 1
            if words == ["function"] and not self.is_at_end():
                return self._function(line, self._tokens[self._at].text, depth)
        return Command(SIMPLE, line, tuple(words))

    def _function(self, line: int, name: str, depth: int) -> Command:
        while not self.is_at_end() and not self._is_word("{"):
            if self._tokens[self._at].kind == WORD and self._tokens[self._at].text != name:
                return Command(SIMPLE, line, (name,))
            self._at += 1
        body = self._command(depth + 1)
        return Command(FUNCTION, line, (name,), body.parts)

    def _redirects(self) -> None:
        while self._is_operator(*_REDIRECTS):
            self._at += 2

    def _skip_ends(self) -> None:
        while not self.is_at_end() and self._tokens[self._at].kind == END:
            self._at += 1

    def _is_operator(self, *texts: str) -> bool:
        return not self.is_at_end() and self._tokens[self._at].kind == OPERATOR and self._tokens[self._at].text in texts

    def _is_word(self, *texts: str) -> bool:
        if self.is_at_end():
            return False
        token = self._tokens[self._at]
        return token.kind == WORD and not token.is_quoted and token.text in texts


def quoted(word: str) -> str:
    """A word as a shell takes it for one."""
    return "'" + word.replace("'", "") + "'" if _SIGNS.search(word) else word
