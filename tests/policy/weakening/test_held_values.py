"""E_ASSERT_WEAKENED where what tests measure by stands under a name: tolerances, expected values, strategies."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.checks import weakening_findings
from testing.weaker_tests import CODE, OTHER_CODE, Files, facts, judged, one

CONSTANT = "EPS = {}\n"
FIXTURE = "@pytest.fixture\ndef tolerance():\n    return Decimal('{}')\n"
YIELDED = "@pytest.fixture\ndef tolerance():\n    yield {}\n"
ATTRIBUTE = "class Base(unittest.TestCase):\n    slack = {}\n"
OF_INSTANCE = "class Base(unittest.TestCase):\n    def setUp(self):\n        self.delta = {}\n"
FUNCTION = "def eps():\n    return {}\n"
PLACES = "PLACES = {}\n"
OTHER = "TIMEOUT = {}\n"
WANTED = "EXPECTED_ROWS = {}\n"
LISTS = "from hypothesis import strategies as st\nlists = {}\n"
FAILURE = "class Base(unittest.TestCase):\n    failureException = {}\n"
OF_ALL = "unittest.TestCase.failureException = {}\n"
BY_METHOD = "class Base(unittest.TestCase):\n    @property\n    def failureException(self):\n        return {}\n"
AT_SETUP = "class Base(unittest.TestCase):\n    def setUp(self):\n        self.failureException = {}\n"
BY_NAME = "setattr(unittest.TestCase, 'failureException', {})\n"


def found(base: Files, head: Files) -> list[str]:
    """The severities of all findings on files that differ."""
    changed = [path for path in base.keys() | head.keys() if base.get(path) != head.get(path)]
    old, new = (facts({path: files[path] for path in changed if path in files}) for files in (base, head))
    return sorted({one.severity for one in weakening_findings(old, new)})


@pytest.mark.parametrize("path", ["tests/conftest.py", "tests/helpers.py", "tests/test_a.py"])
@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        pytest.param(CONSTANT, "1e-3", "1e-6", [], id="a constant that lets less pass"),
        pytest.param(CONSTANT, "1e-6", "0.000001", [], id="in another notation"),
        pytest.param(PLACES, "3", "7", [], id="more places"),
        pytest.param(OTHER, "1", "100", [], id="no tolerance"),
        pytest.param(LISTS, "st.integers()", "st.integers() | st.floats()", [], id="one strategy more"),
        pytest.param(LISTS, "st.integers().map(abs)", "st.integers()", [], id="any number"),
        pytest.param(FAILURE, "AssertionError", "app.StrictAssertionError", [], id="another kind of failure"),
        pytest.param(CONSTANT, "1e-6", "2e-6", [WARN], id="twice as much"),
        pytest.param(LISTS, "st.lists(st.text())", "st.lists(st.text()).filter(len)", [WARN], id="a filter"),
        pytest.param(LISTS, "st.text()", "st.text(alphabet='ab')", [WARN], id="an alphabet"),
        pytest.param(LISTS, "st.text()", "st.text().map(lambda s: s[:1])", [WARN], id="made of them"),
        pytest.param(LISTS, "st.one_of(st.text(), st.none())", "st.text()", [WARN], id="one of two"),
        pytest.param(WANTED, "[1, 2]", "[1]", [WARN], id="an expected value"),
        pytest.param(CONSTANT, "1e-6", "0.5", [BLOCK], id="a constant"),
        pytest.param(CONSTANT, "0", "1", [BLOCK], id="none before"),
        pytest.param(FIXTURE, "0", "0.05", [BLOCK], id="a fixture"),
        pytest.param(YIELDED, "1e-9", "1e-2", [BLOCK], id="a fixture that yields"),
        pytest.param(ATTRIBUTE, "0", "2", [BLOCK], id="an attribute of a class"),
        pytest.param(OF_INSTANCE, "0.1", "10", [BLOCK], id="an attribute of an instance"),
        pytest.param(FUNCTION, "1e-9", "0.1", [BLOCK], id="a function"),
        pytest.param(PLACES, "7", "1", [BLOCK], id="fewer places"),
        pytest.param(LISTS, "st.text()", "st.just('a')", [BLOCK], id="one value"),
        pytest.param(LISTS, "st.text()", "st.sampled_from(['a', 'b'])", [BLOCK], id="two values"),
        pytest.param(FAILURE, "AssertionError", "unittest.SkipTest", [BLOCK], id="a failure that skips"),
        pytest.param(OF_ALL, "AssertionError", "Warning", [BLOCK], id="of every case"),
        pytest.param(BY_METHOD, "AssertionError", "KeyError", [BLOCK], id="by a property"),
        pytest.param(AT_SETUP, "AssertionError", "KeyError", [BLOCK], id="at set-up"),
        pytest.param(BY_NAME, "AssertionError", "unittest.SkipTest", [BLOCK], id="by its name"),
    ],
)
def test_values_under_a_name(path: str, text: str, old: str, new: str, expected: list[str]) -> None:
    assert expected == found({path: text.format(old)}, {path: text.format(new)})


def test_an_expected_value_warns_only_where_nothing_explains_it() -> None:
    old, new = WANTED.format("[1]"), WANTED.format("[2]")
    base = {"tests/rows.py": old, **OTHER_CODE}
    assert [] == found(base, {"tests/rows.py": new, **CODE})
    assert [WARN] == found(base, {"tests/rows.py": new, **OTHER_CODE})


def test_a_constant_that_a_test_of_its_file_expects() -> None:
    base = one("assert total([1, 2]) == ROWS", "ROWS = [1, 2]\n\n\n")
    assert [WARN] == found({"tests/test_a.py": base}, {"tests/test_a.py": base.replace("[1, 2]\n", "[2]\n")})


PROPERTY = (
    "from hypothesis import given, settings, strategies as st\nfrom tests.budget import BUDGET\n\n\n"
    "@settings({})\n@given(st.text())\ndef test_x(text):\n    assert total(text) == 3\n"
)


@pytest.mark.parametrize(
    ("use", "value", "expected"),
    [
        pytest.param("**BUDGET", "{'max_examples': 500}", [], id="more, from a dictionary"),
        pytest.param("max_examples=BUDGET", "300", [], id="more, from a number"),
        pytest.param("**BUDGET", "dict(max_examples=50)", [WARN], id="fewer"),
        pytest.param("**BUDGET", "{'max_examples': 1, 'derandomize': True}", [BLOCK], id="one, from a dictionary"),
        pytest.param("max_examples=BUDGET", "2", [BLOCK], id="two, from a number"),
    ],
)
def test_a_budget_of_another_file(use: str, value: str, expected: list[str]) -> None:
    base = {"tests/test_a.py": PROPERTY.format("max_examples=200")}
    head = {"tests/test_a.py": PROPERTY.format(use), "tests/budget.py": f"BUDGET = {value}\n"}
    assert expected == found(base, head)


MACHINE = (
    "from hypothesis import strategies as st\nfrom hypothesis.stateful import RuleBasedStateMachine, precondition, rule"
    "\n\n\nclass M(RuleBasedStateMachine):\n{}    @rule(k=st.text())\n    def put(self, k):\n"
    "        assert total(k) == 3\n\n    @rule()\n    def get(self):\n        assert total([]) == 0\n\n\n"
    "TestM = M.TestCase\n"
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("st.text()", "st.text() | st.none()", [], id="more values"),
        pytest.param(
            "    @rule(k", "    @precondition(lambda self: self.n < 0)\n    @rule(k", [WARN], id="a condition"
        ),
        pytest.param("st.text()", "st.text().filter(bool)", [WARN], id="fewer values"),
        pytest.param("    @rule()\n", "", [WARN], id="no rule any more"),
        pytest.param("st.text()", "st.just('a')", [BLOCK], id="one value"),
    ],
)
def test_the_rules_of_a_machine(old: str, new: str, expected: list[str]) -> None:
    base = MACHINE.format("")
    assert expected == judged(base.replace(old, new), base)


ROWS = one("for xs, want in [([1], 1), ([2], 2)]:\n    assert total(xs) == want")


def test_other_rows_of_a_loop_warn_unless_code_changed_too() -> None:
    kinds = one("for kind in (Sum, Mean):\n    assert total(kind) == 3")
    assert [] == judged(kinds.replace("Mean", "make.Mean"), kinds)
    head = ROWS.replace("([2], 2)", "([2], 3)")
    assert [] == judged(head, ROWS, with_code=True)
    assert [WARN] == judged(head, ROWS)


EQUAL = "class Money:\n    def __eq__(self, other):\n        {}\n\n\ndef money(text):\n    return Money(text)\n"
FIELDS = "@dataclass\nclass Money:\n    x: int = field({})\n"
EXITS = "class quiet:\n    def __exit__(self, kind, error, where):\n        {}\n"
MANAGER = "import contextlib\n\n\n@contextlib.contextmanager\ndef quiet():\n    {}\n"
RETRY = (
    "def quiet(f):\n    def run(*a):\n        for _ in range(3):\n            try:\n                return f(*a)\n"
    "            except AssertionError as error:\n                last = error\n        {}\n    return run\n"
)


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        pytest.param(EQUAL, "return self.x == other.x", "return self.x is other.x", [], id="another comparison"),
        pytest.param(EQUAL, "return self.x == 1", "return callable(other) and self.x == 1", [], id="and a type"),
        pytest.param(EXITS, "return False", "return kind is KeyError", [], id="another error"),
        pytest.param(MANAGER, "yield", "try:\n        yield\n    finally:\n        close()", [], id="closed"),
        pytest.param(MANAGER, "yield", "with contextlib.suppress(KeyError):\n        yield", [], id="a key"),
        pytest.param(RETRY, "raise last", "raise AssertionError from last", [], id="raised in the end"),
        pytest.param(EQUAL, "return self.x == other.x", "return True", [BLOCK], id="always equal"),
        pytest.param(EQUAL, "return self.x == other.x", "return isinstance(other, Money)", [BLOCK], id="of its type"),
        pytest.param(FIELDS, "default=1", "default=1, compare=False", [BLOCK], id="no field of it"),
        pytest.param(EXITS, "return False", "return True", [BLOCK], id="everything"),
        pytest.param(EXITS, "return False", "return kind is AssertionError", [BLOCK], id="failures"),
        pytest.param(
            EXITS, "return None", "return issubclass(kind, (AssertionError, KeyError))", [BLOCK], id="and others"
        ),
        pytest.param(EXITS, "return False", "return kind is not None", [BLOCK], id="whatever there is"),
        pytest.param(MANAGER, "yield", "with contextlib.suppress(AssertionError):\n        yield", [BLOCK], id="with"),
        pytest.param(MANAGER, "yield", "try:\n        yield\n    except Exception:\n        pass", [BLOCK], id="try"),
        pytest.param(MANAGER, "yield", "return contextlib.suppress(AssertionError)", [BLOCK], id="handed out"),
        pytest.param(RETRY, "raise last", "print(last)", [BLOCK], id="printed in the end"),
    ],
)
def test_a_helper_that_takes_failures_away(text: str, old: str, new: str, expected: list[str]) -> None:
    path = "tests/helpers.py"
    assert expected == found({path: text.format(old)}, {path: text.format(new)})


SUM = "from tests.helpers import quiet, money\n\n\n{}def test_x():\n    assert total([1, 2]) == {}\n"


@pytest.mark.parametrize(
    ("helper", "decorated", "wanted", "expected"),
    [
        pytest.param(RETRY.format("raise last"), "@quiet\n", "3", [], id="retried"),
        pytest.param(EQUAL.format("return self.x == other.x"), "", "money(3)", [], id="made by a helper"),
        pytest.param(RETRY.format("print(last)"), "@quiet\n", "3", [BLOCK], id="retried until it passes or not"),
        pytest.param(EQUAL.format("return True"), "", "money(3)", [BLOCK], id="made by a helper that agrees"),
    ],
)
def test_a_new_helper_that_takes_failures_away(helper: str, decorated: str, wanted: str, expected: list[str]) -> None:
    base = {"tests/test_a.py": SUM.format("", "3")}
    head = {"tests/test_a.py": SUM.format(decorated, wanted), "tests/helpers.py": helper}
    assert expected == [one for one in found(base, head) if one == BLOCK]


GOLDEN = "tests/data/rows.json"


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param({}, {GOLDEN: "[1]"}, [], id="new data"),
        pytest.param({GOLDEN: "[1]"}, {}, [WARN], id="data that is gone"),
        pytest.param({GOLDEN: "[1]"}, {"tests/other.json": "[1]"}, [], id="data that moved"),
        pytest.param({GOLDEN: "[1]", **OTHER_CODE}, CODE, [], id="data that is gone with the code"),
        pytest.param({GOLDEN: "[1]", **OTHER_CODE}, {GOLDEN: "[2]", **CODE}, [], id="with the code"),
        pytest.param({GOLDEN: "[1]", "tests/test_a.py": "A = 1\n"}, {GOLDEN: "[2]", "tests/test_a.py": "A = 2\n"}, [],
                     id="with its tests"),
        pytest.param({"docs/rows.json": "[1]"}, {"docs/rows.json": "[2]"}, [], id="no data of tests"),
        pytest.param({GOLDEN: "[1]"}, {GOLDEN: "[2]"}, [WARN], id="alone"),
        pytest.param({"tests/out.txt": "a"}, {"tests/out.txt": "b"}, [WARN], id="a text"),
        pytest.param({GOLDEN: "[1]"}, {GOLDEN: "[2]", "app/more.py": "def more():\n    return 1\n"}, [WARN],
                     id="with code that is only added"),
        pytest.param({GOLDEN: "[1]"}, {GOLDEN: "[2]", "tests/test_b.py": "def test_b():\n    assert total([]) == 0\n"},
                     [WARN], id="with a new test"),
    ],
)  # fmt: skip
def test_data_of_tests(base: Files, head: Files, expected: list[str]) -> None:
    assert expected == found(base, head)
