"""What tests a source file holds, and whether each of them runs."""

from __future__ import annotations

from agentgate_git.model.record import Record

RUNS = "runs"
CONDITIONAL = "conditional"
SKIPPED = "skipped"
EXPECTED_FAIL = "expected-fail"
NOT_COLLECTED = "not-collected"
STATES = (RUNS, CONDITIONAL, SKIPPED, EXPECTED_FAIL, NOT_COLLECTED)


TEST = "test"
SETUP = "setup"

# Before the values of one row of parameters, in the condition of a test of which that row never runs.
ROW = "parameter "
# The same where the rows are made of a table, and some of them are given the mark.
MADE_ROW = "parameter of a table "


EXACT = "exact"
CLOSE = "close"
SOUGHT = "sought"
BOUND = "bound"
TYPE = "type"
PRESENT = "present"
NONE = "none"
# The relation of what is no assertion: a test calls a stand-in where it called the code under test.
IS_REPLACED = "is replaced"
# The relation of what is no assertion: a stand-in answers with these values for a part of the code under test.
IS_HANDED = "hands over"
# In the marker of a test that its runner keeps for those who ask for it, and that says so.
ON_DEMAND = "which runs on demand"
# The marker of what tests are made of: a macro, a command.
PATTERN = "tests are made of it"
# The marker of a helper that is handed the test itself, so that it can fail it.
TAKES_TEST = "a helper that is handed the test"
# The marker of what stands in a function that nothing calls.
UNCALLED = "a function that nothing calls"
# How the name of a test begins that stands as examples in the docstring of production code.
DOCTEST_OF = "doctest of "
# The name of a knob that is the letters and digits of a comment in a test with rows.
PUT_ASIDE = "put aside"
# How the knob of a test begins that names settings, or what may be some, of another file.
TAKEN = "taken "
# What is no assertion: a test sets what it looks at right before, or lets what it watches do its own work.
IS_SET = "is set"
IS_WATCHED = "is watched"
# Before the name of what is done last before an assertion, with what it is about, and the assertion.
BEHIND = "behind "
# Before the name of what a test does in the end, where it asserts nothing any more.
AT_END = "at the end "
# What is no assertion, and said of a command that a test runs: it has to end well, or nobody says how.
IS_CHECKED = "ends well"
IS_UNCHECKED = "ends"
# The relation of what a helper says that gives up in the end and raises, as one does that waits for something.
GIVES_UP = "raises in the end"
# What an assertion still tells apart, strongest first: one value, values near it, values that contain or match
# something, values beyond a bound, values of one type, anything that is there (truthy, not None, was called), nothing.
STRENGTHS = (EXACT, CLOSE, SOUGHT, BOUND, TYPE, PRESENT, NONE)

# How the name of what a test waits for begins, where it is no variable of the environment: a property of the Java
# machine, a feature of cargo, a build tag, a symbol of a preprocessor, a system, an extension of PHP; and what holds
# wherever CI runs.
PROPERTY = "property "
FEATURE = "feature "
BUILD_TAG = "build tag "
NO_TAG = "a run without the build tag "
SYMBOL = "symbol "
SYSTEM = "system "
EXTENSION = "extension "
NO_CI = "a run without CI"
# What opens a test that holds still under pytest, and how the name begins of what opens one that does so from some
# Python on.
NO_PYTEST = "another runner than pytest"
OLDER_PYTHON = "a Python before 3."
OUT_OF_USE = f"{OLDER_PYTHON}8"
# How the condition of a test begins that waits for what no run of the project has.
NO_RUN = "no run here has "
# A module or a program that tests ask for, and a condition on one that nothing in the repository speaks of.
MODULE = "module "
PROGRAM = "program "
DATABASE = "database "
NAMED = (MODULE, PROGRAM, DATABASE)
# The text of a constant, and a comparison of one that skips a test.
AS_TEXT = "text"
IF_COMPARED = "compared"
UNSPOKEN = "nothing here speaks of "

# In the condition or the relation of an assertion: what has to be there or to happen for it to be made, what a
# comparison leaves out, and how many items of two lists are.
IS_THERE = " is there"
DECIDED = ", which what the test asserts before rules out"
OFF_IN_CI = ", which holds in no pipeline"
REJECTED = "it is rejected"
NOT_ENDED = "`done()` has not been called before"
BUT_FOR = " but for "
CUT_SHORT = "zip leaves out "
IS_IN = "it is in "
FIRST_ONLY = "it is the first of "
# The relation of how many queries of a data base something makes.
QUERIES = "makes queries"
# Before the name of a coroutine that a test runs.
AWAITS = "awaits "
# In the relation of an assertion: two values of which the longer has more items than are compared.
SHORTER = " as far as the shorter goes"
# In the relation of an assertion: what any one item of many passes, and what passes where nothing is there.
ANY_ITEM = "of any item "
OR_MISSING = "is missing or =="


# How the name ends of what a helper is given where its caller says nothing, and of what of that is a bound: nothing
# above it passes, or nothing below it.
BY_DEFAULT = " by default"
AT_MOST = " as a tolerance by default"
AT_LEAST = " as the least by default"


class Assertion(Record):
    """One check that a test makes, in words that can be compared between two versions of a file.

    `text` is the whole check and `subject` what is looked at, as normalised source (no layout, no comments, aliases
    resolved); `relation` names how (`==`, `approx`, `in`, `raises`, `called_with`, …), `expected` the normalised
    other side, `tolerance` what `approx` and its kin allow. `strength` is one of STRENGTHS. `void` says why the check
    can never fail (`it compares a value with itself`, `an except around it swallows it`, `nothing reaches it`),
    empty for one that can. `condition` is what the branches around it ask, empty for one that is always made. `via` is
    the name of the helper that makes it, empty for the test's own. `within` are the last names of context managers
    around it that are not of its file. `truth` is `true` or `false` where that very value alone passes what reads like
    a question for anything that is there: `x is True`, `assertTrue(x)` where types are asked for. `asks` are as in
    CollectedTest. Lines count from 1.
    """

    text: str
    subject: str
    relation: str
    expected: str
    strength: str
    line: int
    tolerance: str = ""
    void: str = ""
    condition: str = ""
    via: str = ""
    within: str = ""
    truth: str = ""
    asks: tuple[str, ...] = ()


class Standing(Record):
    """Whether a test runs (`state`, `marker`, `line`, `condition` as in CollectedTest) apart from one reason."""

    state: str
    marker: str
    line: int
    condition: str = ""


# How one file uses what another offers: as a mark or decorator, by calling it, as a base class; or an import that
# only passes it on.
AS_MARK = "mark"
AS_CALL = "call"
AS_BASE = "base"
AS_NAME = "name"
# What has to be imported, or the test is skipped.
AS_IMPORT = "import"
# A mark on one row of parameters; a constant that stops a test when it is true, or when it is false.
AS_ROW = "row"
# A word by which a run may choose its tests, or leave them out.
AS_TAG = "tag"
# A mark of pytest on a test; one that a conftest leaves out unless an option is given.
AS_MARKED = "marked"
AS_LEFT = "left out"
# A pattern of files that the parameters of a test are made of.
AS_GLOB = "glob"
IF_TRUE = "true"
IF_FALSE = "false"
AS_VALUE = "value"


class Offer(Record):
    """What a name of a test-side module does to a test that uses it; `source` is where an import has it from.

    `asks` are variables of the environment and the like without which it never lets a test run.
    """

    name: str
    how: str
    standing: Standing
    source: str = ""
    asks: tuple[str, ...] = ()


class CollectedTest(Record):
    """One test, or with kind `setup` a fixture or hook of a conftest, which decides for the tests of other files.

    `name` is the qualified name (`Class::test_x`), `state` one of STATES.

    `condition` is the source of what decides when `state` is conditional; `marker` is how it is kept from
    running, as a reader would write it (`pytest.mark.skip`, `raise SkipTest`); `line` is where that stands,
    or the definition. `body` is a fingerprint of the statements without markers, comments and positions, empty for
    a body that calls and asserts nothing.
    A test that `runs` can carry a condition too: a guard that never holds where the gate runs tests.

    `assertions` are what it checks, those of helpers of its own file that it calls included. `rows` are its
    parameter sets (parametrize, subtests over a literal, table tests, `@example`), one normalised text each.
    `calls` are the last names of what it calls, in any order without repeats. `knobs` are (name, value) of what
    softens its runs: hypothesis settings and strategies, retries, timeouts.
    `but_for_name` says what would hold if the runner took its name and that of its file, class or function: set where
    the default names alone keep it from being collected, which a project can configure. `takes` are what decides for
    it in other files: how it is used and its dotted name (`mark tests.marks.slow`). `asks` are variables of the
    environment, or what else one of the words above begins, without which it never runs: someone has to set one.
    `fixed` are the parameters of the fixtures of its file that it asks for, `NAME: VALUE` each. `said` are what
    functions of its file assert with the values that it gives them: relation, subject and expected side on lines of
    their own.
    """

    name: str
    state: str
    line: int
    body: str
    marker: str = ""
    condition: str = ""
    kind: str = TEST
    assertions: tuple[Assertion, ...] = ()
    rows: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    knobs: tuple[tuple[str, str], ...] = ()
    but_for_name: Standing | None = None
    takes: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class Inventory(Record):
    """The tests of one file, in its order; `problem` says why the file could not be read, else empty.

    `swallows` are names of what it defines, or makes a fixture of, and that keeps errors beneath it from rising.
    `inherits` are names of classes of other files whose tests run in this one, through a class that inherits them.
    `offers` are what tests of other files can use of this one. `held` are (name, source) of values that stand under a
    name: constants of the file and its classes, what fixtures and functions without arguments return, what functions
    that assert are given by default. `agrees` are names of what is equal to everything, or makes such a thing. `bases`
    are classes, each with an empty name and with each class of another file that it inherits from; `cleared` are
    (`Class::test_x`, line) of what it inherits and makes no test.
    """

    path: str
    tests: tuple[CollectedTest, ...]
    problem: str = ""
    inherits: tuple[str, ...] = ()
    swallows: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    held: tuple[tuple[str, str], ...] = ()
    agrees: tuple[str, ...] = ()
    bases: tuple[tuple[str, str], ...] = ()
    cleared: tuple[tuple[str, int], ...] = ()
