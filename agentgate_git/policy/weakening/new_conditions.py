"""Conditions that tests came under, and which of them pick tests by what they are called.

Many tests may stand under the same many conditions: a text of them is taken apart once, and what a condition says
whatever test stands under it is asked once of each.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from agentgate_git.model.inventory import CONDITIONAL, MADE_ROW, ROW, SETUP, CollectedTest
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.policy.weakening.set_apart import needs_own_module

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
_AFTER_FAILURE = pattern_of(
    r"except \(?(?:\w+, )*(?:builtins\.)?(?:AssertionError|Exception|BaseException|TypeError|AttributeError|KeyError"
    r"|IndexError|ValueError|NameError|ZeroDivisionError|RecursionError)\b|except after "
)
# What a handler tries that nobody takes for the code under test: it asks the system, the network, another program.
_ASKS_OUTSIDE = pattern_of(
    r"\bimport\b|\bsubprocess\b|\bsocket\b|\bconnect|\bclient\b|\bdocker|\burlopen|\brequests?\.|\bos\.|\blocale\.|\bping\(|"
    r"\bwhich\(|\bload_?library|\bversion|\bdatabase|\bserver|\bdriver|\bbrowser|\bdownload|\bfetch|\bcheck_(?:output|call)"
    r"|\bget_distribution|\bctypes|\bsys\.|\bplatform\.|\bgetfixturevalue|\bopen\(",
    re.I,
)
# A fixture that compares what the code under test gives with something, and skips by what comes of it.
_BY_RESULT = pattern_of(r"(?:not )?\(?[\w.]+(?:\[[^\]]*\])* (?:==|!=) (?:\w+\.)*\w+\([^()]*\)\)?")
# A loop that leaves out one of the values that it goes through.
_IN_LOOP = pattern_of(
    r"for each of [^;]+; \(?\w+ (?:== (?:'[^']*'|-?\d+)|in [(\[{](?:'[^']*'|-?\d+)(?:, (?:'[^']*'|-?\d+))*,?[)\]}])\)?"
)
_STRICT = "xfail(strict=True)"
# The same in other languages: what a runner calls the test that is about to run.
_PICKS_ELSEWHERE = pattern_of(
    r"\b(?:currentTest|testInfo|task|ctx\.task|test\.info\(\)|t|suite\.T\(\)|s\.T\(\)|example|meta|metadata)(?:\.|->)"
    r"(?:fullTitle|title|name|Name|fullName|description|full_description|metadata)\b"
    r"|\bmeta(?:data)?\[:(?:full_)?description\]|\bcurrent_test_info\(\)|\bCurrentContext\.Test\b|\bBATS_TEST_\w+"
    r"|\bgetTestMethod\(|\bgetDisplayName\(|\b(?:test|data|get)Name\(|\bdataName\(|\bmethod_name\b|\btestCase\.name\b"
    r"|(?<![\w.$])name(?:\.(?:contains|hasPrefix|hasSuffix|Contains|StartsWith|rfind|find|start_with\?|include\?)\(|==)"
    r"|\.include\?\(name\)|(?<![\w.])test_?name\b"
    # A machine as small as those that pipelines run on.
    r"|\b(?:cpus\(\)\.length|hardwareConcurrency|availableParallelism\(\)|NumCPU\(\)|availableProcessors\(\))<=?(?:[4-9]|\d\d)"
)
_ASKS_VALUE = pattern_of(r"""\(?[\w.]+ ?===? ?(?:'([^']{2,})'|"([^"]{2,})")\)?""")
_NO_WORD = pattern_of(r"\W+")
# The module before a call: a table writes `date(2024, 3, 1)`, and a row says of which module it is.
_OF_MODULE = pattern_of(r"\b(?:[A-Za-z_]\w{0,80}\.){1,8}(?=[A-Za-z_]\w{0,80}\()")
# What a row of a table expects no more, so that a filter leaves it out.
_NONE_LAST = pattern_of(r", None\)+$")
_LITERAL = pattern_of(r"'[^']*'|\"[^\"]*\"")
_TEST_NAME = pattern_of(r"(?:^|[^\w.])test_\w|\w_test\.py\b|\bTest[A-Z]\w*")
_SYSTEM = pattern_of(r"\b(?:sys|platform)\.|environ|getenv|getoption|getini")


class _Said(Record):
    """What one condition says: whether it picks tests at all, in Python, elsewhere or above a fixture.

    `names` are the literals that it compares with the name of a test; `value` is all that it asks of a row of
    parameters, `row` is such a row without what is no word; `is_made` where it is one that is made of a table.
    """

    is_of_test: bool
    is_of_test_elsewhere: bool
    is_named: bool
    is_by_result: bool
    names: tuple[str, ...]
    value: str
    row: str
    is_made: bool


class NewConditions:
    """What the conditions that tests came under say, for a whole change set of files with these paths."""

    def __init__(self, paths: frozenset[str]) -> None:
        self._paths = paths
        self._parts: dict[str, frozenset[str]] = {}
        self._said: dict[str, _Said] = {}
        self._new: dict[tuple[str | None, str], frozenset[str]] = {}
        self._together: dict[frozenset[str], _Together] = {}
        self._own: dict[tuple[frozenset[str], str], bool] = {}
        self._in_loop: dict[tuple[str, str], bool] = {}

    def of(self, before: CollectedTest, after: CollectedTest) -> frozenset[str]:
        """The conditions of a test that it was not under before."""
        known = before.condition if before.state == CONDITIONAL else None
        key = (known, after.condition)
        if key not in self._new:
            self._new[key] = self._split(after.condition) - (frozenset[str]() if known is None else self._split(known))
        new = self._new[key]
        if _STRICT in after.marker and set(before.rows) <= set(after.rows):
            # A row that came with a strict mark says what is not done yet.
            return frozenset(
                one for one in new if not one.startswith(ROW) or self._of_all(frozenset((one,))).are_of_row(before)
            )
        return new

    def pick(self, new: frozenset[str], before: CollectedTest, after: CollectedTest, path: str) -> bool:
        """True where one of the conditions picks this test, or any by its name: it is no system that it asks for."""
        together = self._of_all(new)
        if together.is_of_test if path.endswith(".py") else together.is_of_test_elsewhere:
            return True
        if after.kind == SETUP and (together.is_named or together.is_by_result):
            return True
        if self._needs_own_module(new, path) or (after.kind != SETUP and self._is_in_loop(before, after)):
            return True
        return after.name.rpartition("::")[2] in together.names or together.are_of_row(before)

    def pick_any(self, condition: str, path: str) -> bool:
        """True for a condition of a new fixture or hook that picks tests by their names."""
        said = self._of_one(condition)
        return said.is_named or (not path.endswith(".py") and _PICKS_ELSEWHERE.search(condition) is not None)

    def _of_all(self, new: frozenset[str]) -> _Together:
        together = self._together.get(new)
        if together is None:
            together = self._together[new] = _Together([self._of_one(one) for one in new])
        return together

    def _needs_own_module(self, new: frozenset[str], path: str) -> bool:
        key = (new, path)
        if key not in self._own:
            self._own[key] = any(needs_own_module(one, path, self._paths) for one in new)
        return self._own[key]

    def _is_in_loop(self, before: CollectedTest, after: CollectedTest) -> bool:
        """True for a test that leaves out one of the values that it goes through."""
        key = (before.condition, after.condition)
        if key not in self._in_loop:
            fresh = after.condition.removeprefix(before.condition).strip("; ")
            self._in_loop[key] = _IN_LOOP.fullmatch(fresh) is not None
        return self._in_loop[key]

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
        self.is_by_result = any(one.is_by_result for one in said)
        self.names = frozenset(name for one in said for name in one.names)
        self._is_made = any(one.is_made for one in said)
        self._values = tuple(dict.fromkeys(one.value for one in said if one.value))
        self._rows = tuple(dict.fromkeys(one.row for one in said if one.row))
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}

    def are_of_row(self, test: CollectedTest) -> bool:
        """True where one is a row of parameters, stopped wherever it runs, which the test had.

        So is one that asks for nothing but a value of a row: `name == "one too many"`.
        """
        if self._is_made and test.rows:
            return True
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
        plain = sorted(_plain(one.partition(": ")[2] or one) for one in known)
        places = ((row, bisect_left(plain, row)) for row in self._rows)
        return any(at < len(plain) and plain[at].startswith(row) for row, at in places)


def _said(condition: str) -> _Said:
    picks = _PICKS.search(condition) is not None
    literals = _LITERAL.findall(condition)
    is_named = picks or (not _SYSTEM.search(condition) and any(_TEST_NAME.search(text) for text in literals))
    is_of_test = _OWN_NAME.search(condition) is not None or _is_after_failure(condition)
    is_by_result = "." in condition and _BY_RESULT.fullmatch(condition) is not None and not _SYSTEM.search(condition)
    asked = _ASKS_VALUE.fullmatch(condition)
    value = asked[1] or asked[2] if asked else ""
    is_row = not asked and condition.startswith(ROW)
    return _Said(
        is_of_test,
        is_of_test or _PICKS_ELSEWHERE.search(condition) is not None,
        is_named,
        is_by_result,
        tuple(text[1:-1] for text in literals) if picks else (),
        value,
        _plain(_NONE_LAST.sub("", condition.removeprefix(ROW).partition("…")[0])) if is_row else "",
        condition.startswith(MADE_ROW),
    )


def _plain(row: str) -> str:
    """The words of a row alone."""
    return _NO_WORD.sub("", _OF_MODULE.sub("", row))


def _is_after_failure(condition: str) -> bool:
    """True for a handler of what a defect raises, around what the test itself is about to use."""
    found = _AFTER_FAILURE.match(condition)
    if found is None:
        return False
    return "AssertionError" in found[0] or not _ASKS_OUTSIDE.search(condition.partition(" after ")[2])
