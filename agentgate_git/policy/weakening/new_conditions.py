"""Conditions that tests came under, and which of them pick tests by what they are called.

Many tests may stand under the same many conditions: a text of them is taken apart once, and what a condition says
whatever test stands under it is asked once of each.
"""

from __future__ import annotations

from bisect import bisect_left

from agentgate_git.model.inventory import CONDITIONAL, ROW, SETUP, CollectedTest
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record

_BETWEEN = "; "
_OF_TEST = r"name|path|nodeid|originalname|fspath|location"
_PICKS = pattern_of(
    r"\b(?:\w*item|\w*node|\w*test|func|function|it|i|t)\.(?:name|path)\b"
    r"|\.(?:nodeid|originalname|fspath|location|reportinfo)\b"
    r"|\b(?:function|obj|module|cls)\.__(?:name|qualname|file)__"
    rf"|getattr\(\w*(?:item|node|test), '(?:{_OF_TEST})'"
    r"|_testMethodName\b|\bself\.id\(\)"
)
# A test case that asks which of its tests runs, and a handler of what a failed assertion raises.
_OWN_NAME = pattern_of(r"_testMethodName\b|\bself\.id\(\)|\brequest\.node\.(?:name|nodeid|originalname)\b")
_AFTER_FAILURE = pattern_of(r"except \(?(?:\w+, )*(?:builtins\.)?AssertionError\b")
# The same in other languages: what a runner calls the test that is about to run.
_PICKS_ELSEWHERE = pattern_of(
    r"\b(?:currentTest|testInfo|task|ctx\.task|test\.info\(\)|t|suite\.T\(\)|s\.T\(\)|example|meta|metadata)(?:\.|->)"
    r"(?:fullTitle|title|name|Name|fullName|description|full_description|metadata)\b"
    r"|\bmeta(?:data)?\[:(?:full_)?description\]|\bcurrent_test_info\(\)|\bCurrentContext\.Test\b|\bBATS_TEST_\w+"
    r"|\bgetTestMethod\(|\bgetDisplayName\(|\b(?:test|data|get)Name\(|\bdataName\(|\bmethod_name\b|\btestCase\.name\b"
    r"|(?<![\w.$])name(?:\.(?:contains|hasPrefix|hasSuffix|Contains|StartsWith|rfind|find|start_with\?|include\?)\(|==)"
    r"|\.include\?\(name\)|(?<![\w.])test_?name\b"
)
_ASKS_VALUE = pattern_of(r"""\(?[\w.]+ ?===? ?(?:'([^']{2,})'|"([^"]{2,})")\)?""")
_NO_WORD = pattern_of(r"\W+")
_LITERAL = pattern_of(r"'[^']*'|\"[^\"]*\"")
_TEST_NAME = pattern_of(r"(?:^|[^\w.])test_\w|\w_test\.py\b|\bTest[A-Z]\w*")
_SYSTEM = pattern_of(r"\b(?:sys|platform)\.|environ|getenv|getoption|getini")


class _Said(Record):
    """What one condition says: whether it picks tests at all, in Python, elsewhere or above a fixture.

    `names` are the literals that it compares with the name of a test; `value` is all that it asks of a row of
    parameters, `row` is such a row without what is no word.
    """

    is_of_test: bool
    is_of_test_elsewhere: bool
    is_named: bool
    names: tuple[str, ...]
    value: str
    row: str


class NewConditions:
    """What the conditions that tests came under say, for a whole change set."""

    def __init__(self) -> None:
        self._parts: dict[str, frozenset[str]] = {}
        self._said: dict[str, _Said] = {}
        self._new: dict[tuple[str | None, str], frozenset[str]] = {}
        self._together: dict[frozenset[str], _Together] = {}

    def of(self, before: CollectedTest, after: CollectedTest) -> frozenset[str]:
        """The conditions of a test that it was not under before."""
        known = before.condition if before.state == CONDITIONAL else None
        key = (known, after.condition)
        if key not in self._new:
            self._new[key] = self._split(after.condition) - (frozenset[str]() if known is None else self._split(known))
        return self._new[key]

    def pick(self, new: frozenset[str], before: CollectedTest, after: CollectedTest, path: str) -> bool:
        """True where one of the conditions picks this test, or any by its name: it is no system that it asks for."""
        together = self._together.get(new)
        if together is None:
            together = self._together[new] = _Together([self._of_one(one) for one in new])
        if together.is_of_test if path.endswith(".py") else together.is_of_test_elsewhere:
            return True
        if after.kind == SETUP and together.is_named:
            return True
        return after.name.rpartition("::")[2] in together.names or together.are_of_row(before)

    def pick_any(self, condition: str, path: str) -> bool:
        """True for a condition of a new fixture or hook that picks tests by their names."""
        said = self._of_one(condition)
        return said.is_named or (not path.endswith(".py") and _PICKS_ELSEWHERE.search(condition) is not None)

    def _split(self, text: str) -> frozenset[str]:
        if text not in self._parts:
            self._parts[text] = frozenset(text.split(_BETWEEN))
        return self._parts[text]

    def _of_one(self, condition: str) -> _Said:
        if condition not in self._said:
            self._said[condition] = _said(condition)
        return self._said[condition]


class _Together:
    """Several conditions at once: what one of them says, they say."""

    def __init__(self, said: list[_Said]) -> None:
        self.is_of_test = any(one.is_of_test for one in said)
        self.is_of_test_elsewhere = any(one.is_of_test_elsewhere for one in said)
        self.is_named = any(one.is_named for one in said)
        self.names = frozenset(name for one in said for name in one.names)
        self._values = tuple(dict.fromkeys(one.value for one in said if one.value))
        self._rows = tuple(dict.fromkeys(one.row for one in said if one.row))
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}

    def are_of_row(self, test: CollectedTest) -> bool:
        """True where one is a row of parameters, stopped wherever it runs, which the test had.

        So is one that asks for nothing but a value of a row: `name == "one too many"`.
        """
        if not (self._values or self._rows) or not (test.rows or test.fixed):
            return False
        key = (test.rows, test.fixed)
        if key not in self._known:
            self._known[key] = self._has_value(test.rows) or self._has_row((*test.rows, *test.fixed))
        return self._known[key]

    def _has_value(self, rows: tuple[str, ...]) -> bool:
        text = "\0".join(rows)
        return any(f"'{value}'" in text or f'"{value}"' in text for value in self._values)

    def _has_row(self, known: tuple[str, ...]) -> bool:
        if not self._rows:
            return False
        plain = sorted(_NO_WORD.sub("", one.partition(": ")[2] or one) for one in known)
        places = ((row, bisect_left(plain, row)) for row in self._rows)
        return any(at < len(plain) and plain[at].startswith(row) for row, at in places)


def _said(condition: str) -> _Said:
    picks = _PICKS.search(condition) is not None
    literals = _LITERAL.findall(condition)
    is_named = picks or (not _SYSTEM.search(condition) and any(_TEST_NAME.search(text) for text in literals))
    is_of_test = bool(_OWN_NAME.search(condition) or _AFTER_FAILURE.match(condition))
    asked = _ASKS_VALUE.fullmatch(condition)
    value = asked[1] or asked[2] if asked else ""
    is_row = not asked and condition.startswith(ROW)
    return _Said(
        is_of_test,
        is_of_test or _PICKS_ELSEWHERE.search(condition) is not None,
        is_named,
        tuple(text[1:-1] for text in literals) if picks else (),
        value,
        _NO_WORD.sub("", condition.removeprefix(ROW).partition("…")[0]) if is_row else "",
    )
