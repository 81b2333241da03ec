"""Go: `go test` with the standard library, testify and gomega."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from agentgate_git.model.inventory import NOT_COLLECTED, SKIPPED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import SWALLOWED, Check, condition_check, opposite_check, pair_check
from agentgate_git.source.languages.called import Definition, Title, Word, title_of, units_of, words
from agentgate_git.source.languages.common import rule
from agentgate_git.source.languages.dialect import HOOK, TEST, Unit
from agentgate_git.source.languages.functions import LOOSE, NO_TEST, FunctionDialect
from agentgate_git.source.languages.go_packages import asked_of_package, choosing, difference
from agentgate_git.source.languages.go_tags import is_of_other_system, tag_effects, tags_asked
from agentgate_git.source.languages.go_untold import asserter, is_alone, untold
from agentgate_git.source.languages.helpers import passed_on
from agentgate_git.source.languages.listed import MAX_ROWS
from agentgate_git.source.languages.nearness import with_values
from agentgate_git.source.languages.syntax import Code, Item, Span, span_of, split, unquoted
from agentgate_git.source.python.effects import Effect
from agentgate_git.source.test_names import is_named_test

_TEST_NAME = pattern_of(r"(?:Test|Fuzz|Example)(?:$|[^a-z])")
_GIVEN_TEST = pattern_of(r"\((?:ctx \w+\.Context,)?\w+ ?(?:\*testing\.[TFB]|testing\.TB|\w*TestingT|\w+\.TestingT)\b")
_TESTING = pattern_of(r"\*testing\.[TFB]\b")
# Assertions of the words of an error.
_OF_MESSAGE = {"EqualError": "Equal", "ErrorContains": "Contains"}
_MESSAGES = {"Equal": "exact", "Contains": "sought"}
# Assertions of one value, behind which a message may stand.
_OF_ONE = frozenset(("Error", "True", "False", "Nil", "NotNil", "Empty", "NotEmpty", "Zero", "NotZero"))
_SUBJECT_FIRST = frozenset(("Contains", "NotContains", "Subset", "NotSubset", "Len"))
_TESTERS = frozenset(("t", "tb", "b", "f"))
_FAILING = pattern_of(r"(?:[a-z]\w*|\w*[tT])\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)|panic")
_TRUTH = pattern_of(r"(.+?)([=!]=)(true|false)")
_TABLE_BYTES = 20_000
_EMBEDDED = pattern_of(rb"^[ \t]+\*?([\w\x80-\xff]+)[ \t]*$", re.MULTILINE)
_RANGE = pattern_of(r"\brange (\w+)\b")
_OUTPUT = pattern_of(r"(?://|/\*)\s*(?:unordered )?output:", re.IGNORECASE)
_RUN = pattern_of(r"t\w*\.Run|[a-z]\w*\.Run")
_ASSERTION = pattern_of(
    r"(?:Not)?(?:Equal|EqualValues|Exactly|Same|Nil|Empty|Error|ErrorIs|ErrorAs|ErrorContains|EqualError|Contains|Len|"
    r"Zero|True|False|Panics|Subset|ElementsMatch|Greater|GreaterOrEqual|Less|LessOrEqual|InDelta|InEpsilon|Regexp|"
    r"IsType|Implements|JSONEq|YAMLEq|FileExists|DirExists|Eventually|Never|Positive|Negative|WithinDuration|Condition)f?"
    r"|NoErrorf?|PanicsWithValue|PanicsWithError|NotPanics|DeepEqual|NilError|Assert|Check|ErrorType"
)
_ASSERTERS = pattern_of(r"(?:assert|require|is|must|[a-z]\w*\.(?:Require|Assert)\(\)|s|suite|a|r|ts)\.\w+")
_ASSERTER = pattern_of(r"(?:assert|require|is|must)\.New")
_ENTRIES = frozenset(("Entry", "FEntry", "ginkgo.Entry"))
_PLAIN_SPECS = words(
    "It Specify Entry DescribeTable DescribeTableSubtree",
    "Describe Context When",
    "BeforeEach JustBeforeEach BeforeAll",
)
_SPECS = {
    **{word: one for word, one in _PLAIN_SPECS.items() if word[0].isupper()},
    **{
        f"{lead}{word}": Word(one.kind, SKIPPED)
        for word, one in _PLAIN_SPECS.items()
        for lead in "PX"
        if word[0].isupper()
    },
    **{f"F{word}": Word(one.kind, "", is_focus=True) for word, one in _PLAIN_SPECS.items() if word[0].isupper()},
}


class Go(FunctionDialect):
    """The dialect of `go test`."""

    name = "go"
    grammar = "go"
    query = "go"
    loose_marker = "a name that go test does not run"
    stops = (rule(r"(?:[a-z]\w*|s\.T\(\)|suite\.T\(\))\.(?:Skip|Skipf|SkipNow)|(?:ginkgo\.)?Skip", SKIPPED),)
    fluent = frozenset(("Expect", "Ω", "Eventually", "Consistently"))
    quits = pattern_of(r"(?:os|syscall)\.Exit\(0\)")
    refails = pattern_of(r"\b(?:Fatal\w*|Error\w*|Fail\w*|panic|Exit|require|assert)\b")

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        functions = [_of_own_suite(code, unit._replace(rows=_rows(code, unit))) for unit in super().units(code, path)]
        yield from functions
        yield from self._subtests(code, [unit for unit in functions if unit.kind == TEST])
        if b"ginkgo" in code.data:
            for unit in units_of(_specs(code), focus_is_certain=False):
                is_table = re.match(r"(?:ginkgo\.)?[FPX]?DescribeTable", code.text(unit.span)[:40]) is not None
                yield unit._replace(rows=_entries(code, unit)) if is_table else unit

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        del marks, types, path
        name, parameters = code.text(item.part("name")), code.normal(item.part("params"))
        if name == "TestMain" and "testing.M" in parameters:
            return NO_TEST
        is_method = item.node.type == "method_declaration"
        if is_method:
            if name in ("SetupTest", "SetupSuite", "BeforeTest"):
                return HOOK
            return TEST if _TEST_NAME.match(name) and parameters == "()" else NO_TEST
        if (
            name.startswith("Example")
            and _TEST_NAME.match(name)
            and parameters == "()"
            and not _is_compared(code, item)
        ):
            return LOOSE
        if _TEST_NAME.match(name) and (_TESTING.search(parameters) or name.startswith("Example")):
            return TEST
        return (
            LOOSE
            if _TESTING.search(parameters) and parameters.count(",") == 0 and "*testing.B" not in parameters
            else NO_TEST
        )

    def name_of(self, code: Code, item: Item) -> str:
        name = code.text(item.part("name"))
        if item.node.type != "method_declaration":
            return name
        receiver = item.node.child_by_field_name("receiver")
        found = (
            re.search(r"(\w+)\)?$", receiver.text.decode("utf-8", "replace"))
            if receiver is not None and receiver.text
            else None
        )
        return f"{found[1]}::{name}" if found else name

    def file_effects(self, code: Code, path: str) -> Iterator[Effect]:
        if is_of_other_system(path):
            yield Effect(NOT_COLLECTED, "a file name for another system", 1)
        elif not is_named_test(path):
            yield Effect(NOT_COLLECTED, "a file name that go test does not read", 1)
        yield from tag_effects(code)

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """Build tags that nothing but an option of the command sets."""
        return tags_asked(effect, condition)

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        if item.kind != "call":
            return
        callee = self.callee(code, item)
        if callee.endswith(".Error") and callee[:-6] not in _TESTERS and code.normal(item.part("args")) == "()":
            return  # what an error says
        if _FAILING.fullmatch(callee) and not callee.startswith(("assert.", "require.")):
            yield _failure(code, item, callee)
            return
        if callee in code.once(_failers) and any(above.kind == "if" for above in item.above()):
            yield _failure(code, item, callee)
            return
        name = callee.rpartition(".")[2]
        owner = callee.rpartition(".")[0]
        if _ASSERTION.fullmatch(name) and (_ASSERTERS.fullmatch(callee) or asserter(code, item, owner)):
            yield from self._testify(code, item, callee, name)
            return
        yield from super().checks(code, item)

    def is_own_branch(self, code: Code, branch: Item, item: Item) -> bool:
        callee = self.callee(code, item)
        if (_FAILING.fullmatch(callee) is None and callee not in code.once(_failers)) or callee.startswith(
            ("assert.", "require.")
        ):
            return False
        return next((above for above in item.above() if above.kind == "if"), None) is branch

    def takes_test(self, code: Code, function: Item) -> bool:
        """A helper of any name: `func Equal(t testing.TB, got, want any)`."""
        name, params, body = code.text(function.part("name")), function.part("params"), function.part("body")
        if params is None or body is None or code.normal(Span(params.end, body.start)) not in ("", "bool"):
            return False  # what gives something back prepares it
        return _TEST_NAME.match(name) is None and _GIVEN_TEST.match(code.normal(params)) is not None

    def passes(self, code: Code, item: Item) -> Check | None:
        """What is given the `t` of its test can fail it, whatever it is called."""
        arguments = self.arguments(code, item) if item.kind == "call" else ()
        if code.normal(item.part("name")).startswith("quick."):
            return None  # it gives an error, which is asked for
        if _ASSERTER.fullmatch(code.normal(item.part("name"))):
            return None  # what it makes asserts
        if arguments[:1] not in (("t",), ("tb",)):
            return super().passes(code, item)
        return passed_on(item, self.called(code, item), arguments[1:], is_named=True)

    def void(self, code: Code, item: Item, body: Span) -> str:
        for one in code.inside(body):
            if one.start >= item.start:
                break
            if one.kind == "defer" and "recover()" in (text := code.normal(one.span)) and not self.refails.search(text):
                return SWALLOWED if code.normal(item.part("name")) == "panic" else ""
        callee = self.callee(code, item)
        return untold(code, item, callee, self.arguments(code, item)) or is_alone(code, item, body)

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        yield from super().exits(code)
        for item in code.items:
            if item.kind == "function" and code.text(item.part("name")) == "TestMain":
                text = code.normal(item.part("body"))
                if ".Run()" not in text and not _hands_on(code, item, text):
                    yield item, "TestMain runs no test"
                status = re.search(r"\b(\w+):?=\w+\.Run\(\)", text)
                if status and re.search(rf"\b{status[1]}=0\b", text):
                    yield item, "TestMain makes a success of the status of the tests"

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        """What gomega and ginkgo do with a failure, where it is not what they are made for; options set by hand."""
        del path
        for item in choosing(code):
            yield "env.runner", item, code.normal(item.span)
        for item in code.items if b"RegisterFailHandler" in code.data else ():
            if item.kind == "call" and code.normal(item.part("name")).endswith("RegisterFailHandler"):
                text = code.normal(item.part("args"))
                if "func(" in text and re.search(r"\b(?:Fail|FailNow|Fatalf?|Errorf?|panic)\(", text) is None:
                    yield "hook.outcome", item, "RegisterFailHandler with a handler that fails nothing"

    def _testify(self, code: Code, item: Item, callee: str, name: str) -> Iterator[Check]:
        from_all = with_values(self.arguments(code, item), code.constants)
        is_bound = asserter(code, item, callee.rpartition(".")[0]) is not None
        is_of_package = callee.startswith(("assert.", "require.", "is.", "must.")) and not is_bound
        arguments = from_all[1:] if is_of_package else from_all
        text = f"{callee}({','.join(from_all)})"
        if name.rstrip("f") in ("NoError", "NilError") and arguments:
            yield Check(text, arguments[0], name, "nil", "exact")
        elif name.rstrip("f") == "ErrorIs" and len(arguments) > 1:
            yield Check(text, arguments[0], name, arguments[1], "exact")
        elif name.rstrip("f") in _OF_MESSAGE and len(arguments) > 1:
            relation = _OF_MESSAGE[name.rstrip("f")]
            yield Check(text, f"{arguments[0]}.Error()", relation, arguments[1], _MESSAGES[relation])
        elif arguments:
            plain = name.rstrip("f")
            given = arguments[:1] if plain in _OF_ONE else arguments
            yield pair_check(text, name.removesuffix("f"), given, expected_first=plain not in _SUBJECT_FIRST)

    def _subtests(self, code: Code, tests: list[Unit]) -> Iterator[Unit]:
        """`t.Run` with a name that is written there, under the nearest test around it."""
        known = {unit.span: unit for unit in tests}
        for item in code.items:
            if item.kind != "call" or not _RUN.fullmatch(code.normal(item.part("name"))):
                continue
            arguments = code.arguments(item)
            if (
                len(arguments) != 2
                or arguments[0].type != "interpreted_string_literal"
                or arguments[1].type != "func_literal"
            ):
                continue
            around = next((known[above.span] for above in item.above() if above.span in known), None)
            body = arguments[1].child_by_field_name("body")
            if around and body is not None and not any(above.kind == "loop" for above in item.above()):
                title = unquoted(code.text(Span(arguments[0].start_byte, arguments[0].end_byte)))
                unit = around._replace(name=f"{around.name}::{title}", span=item.span, line=item.line, rows=())
                unit = unit._replace(body=Span(body.start_byte, body.end_byte))
                known[unit.span] = unit
                yield unit


def _of_own_suite(code: Code, unit: Unit) -> Unit:
    """A set-up of a suite of testify stands before the tests of its type, and of all where another type embeds it."""
    owner = unit.name.rpartition("::")[0]
    if unit.kind != HOOK or not owner:
        return unit
    return unit if owner.encode() in code.once(_embedded) else unit._replace(suite=owner)


def _embedded(code: Code) -> frozenset[bytes]:
    """The names that stand on a line of their own, as those of embedded types do."""
    return frozenset(_EMBEDDED.findall(code.data))


def _specs(code: Code) -> Iterator[Definition]:
    """What ginkgo runs: `It` and its kin, tables and each of their entries."""
    for item in code.items:
        name = code.text(item.part("name")).removeprefix("ginkgo.") if item.kind == "call" else ""
        word = _SPECS.get(name)
        if word is None:
            continue
        arguments = code.arguments(item)
        functions = [one for one in arguments if one.type == "func_literal"]
        body = functions[-1].child_by_field_name("body") if functions else None
        title = title_of(code.text(span_of(arguments[0]))) if arguments and word.kind != HOOK else ""
        texts = [code.text(span_of(one)).removeprefix("ginkgo.") for one in arguments[1:] if one.type != "func_literal"]
        effects = (Effect(SKIPPED, "Pending", item.line),) if "Pending" in texts else ()
        focus = "Focus" if "Focus" in texts else ""
        if name.endswith("Entry") and not (word.state or effects or word.is_focus):
            continue  # a row of its table
        whole = item.part("args") if name.endswith("Entry") else span_of(body) if body is not None else None
        if word.kind != HOOK or whole is not None:
            yield Definition(item, item.span, word, name, Title(title, whole, effects, focus))


def _entries(code: Code, unit: Unit) -> tuple[str, ...]:
    """The entries of a table of ginkgo that run."""
    entries = (one for one in code.inside(unit.span) if one.kind == "call" and one.span != unit.span)
    return tuple(code.normal(one.part("args")) for one in entries if code.text(one.part("name")) in _ENTRIES)


def _is_compared(code: Code, example: Item) -> bool:
    """True for an example with a comment that says what it prints: others are compiled, and not run."""
    body = example.part("body")
    if body is None:
        return False
    return any(body.holds(one.span) and _OUTPUT.match(code.text(one.span)) for one in code.comments)


def _hands_on(code: Code, main: Item, text: str) -> bool:
    """True for a `TestMain` that gives its tests to a function of another file: `goleak.VerifyTestMain(m)`."""
    found = re.search(r"(\w+)\*testing\.M|(\w+) \*testing\.M", code.normal(main.part("params")))
    name = (found[1] or found[2]) if found is not None else "m"
    local = {code.text(item.part("name")) for item in code.items if item.kind == "function"}
    given = re.findall(rf"(\w+)\((?:\w+,)?{re.escape(name)}[,)]", text)
    return any(called not in local for called in given)


def _rows(code: Code, unit: Unit) -> tuple[str, ...]:
    """The elements of tables in a test, or of those of its file that it goes through: `[]struct{…}{{…}, {…}}`."""
    inside = [item for item in code.inside(unit.body) if item.kind == "table"]
    through = dict.fromkeys(_RANGE.findall(code.text(unit.body)))
    tables = [
        item.part("body")
        for item in inside
        if "map" not in item.parts or _is_of_rows(code, item) or _is_gone_through(item, through)
    ]
    named = code.once(_of_file)
    of_file = [named[name] for name in through if name in named]
    seeds = (one for one in code.inside(unit.body) if one.kind == "call" and code.text(one.part("name")) == "f.Add")
    rows = (row for table in tables for row in split(code.normal(table)[1:-1]))
    outside = (row for given in of_file for row in given)
    return (*rows, *outside, *(code.normal(one.part("args")) for one in seeds))


def _is_of_rows(code: Code, item: Item) -> bool:
    """True for a map whose values are rows: `{"a": {1, 2}}`."""
    body = item.part("body")
    return body is not None and body.end - body.start < _TABLE_BYTES and ":{" in code.normal(body)


def _is_gone_through(item: Item, through: Container[str]) -> bool:
    """True for a literal that a loop goes through, or the name that it is bound to where it stands."""
    holder = item.node.parent
    holder = holder.parent if holder is not None and holder.type == "expression_list" else holder
    if holder is None or holder.type == "range_clause":
        return holder is not None
    name = holder.child_by_field_name("left") or holder.child_by_field_name("name")
    return name is not None and bool(name.text) and (name.text or b"").decode("utf-8", "replace") in through


def _of_file(code: Code) -> dict[str, tuple[str, ...]]:
    """The rows of tables that stand outside of the functions of a file, by the names of the tables."""
    told = (item for item in code.items if item.kind == "tables")
    outside = (one for one in told if not any(above.kind in ("function", "lambda") for above in one.above()))
    return {code.text(one.part("name")): split(code.normal(one.part("body"))[1:-1])[:MAX_ROWS] for one in outside}


def _failers(code: Code) -> frozenset[str]:
    """The functions of a file that fail a test whenever they are called."""
    found = set()
    for item in code.items:
        if item.kind != "call" or _FAILING.fullmatch(code.normal(item.part("name"))) is None:
            continue
        above = next((one for one in item.above() if one.kind in ("if", "loop", "branch", "lambda", "function")), None)
        if above is not None and above.kind == "function" and _TESTING.search(code.normal(above.part("params"))):
            found.add(code.text(above.part("name")))
    return frozenset(one for one in found if _TEST_NAME.match(one) is None)


def _bare(condition: str) -> str:
    """A condition of Go without a comparison of a truth with a truth, which says no more: `a != true` is `!a`."""
    found = _TRUTH.fullmatch(condition)
    if found is None or any(sign in found[1] for sign in ("&&", "||", "==", "!=")):
        return condition
    is_kept = (found[2] == "==") == (found[3] == "true")
    return found[1] if is_kept else f"!{found[1]}"


def _failure(code: Code, item: Item, callee: str) -> Check:
    """What a failing call checks: the opposite of the condition it stands under."""
    for above in item.above():
        if above.kind == "if" and (then := above.part("then")) is not None:
            condition = _bare(code.normal(above.part("condition")))
            if not then.holds(item.span):
                return condition_check(condition, condition)
            return asked_of_package(condition) or difference(code, above, condition) or opposite_check(condition)
        if above.kind in ("function", "lambda", "branch"):
            break
    return Check(callee, "", "fail", "", "exact")
