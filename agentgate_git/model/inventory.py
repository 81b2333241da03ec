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


class CollectedTest(Record):
    """One test, or with kind `setup` a fixture or hook of a conftest, which decides for the tests of other files.

    `name` is the qualified name (`Class::test_x`), `state` one of STATES.

    `condition` is the source of what decides when `state` is conditional; `marker` is how it is kept from
    running, as a reader would write it (`pytest.mark.skip`, `raise SkipTest`); `line` is where that stands,
    or the definition. `body` is a fingerprint of the statements without markers, comments and positions, empty for
    a body that calls and asserts nothing.
    A test that `runs` can carry a condition too: a guard that never holds where the gate runs tests.
    """

    name: str
    state: str
    line: int
    body: str
    marker: str = ""
    condition: str = ""
    kind: str = TEST


class Inventory(Record):
    """The tests of one file, in its order; `problem` says why the file could not be read, else empty.

    `inherits` are names of classes of other files whose tests run in this one, through a class that inherits them.
    """

    path: str
    tests: tuple[CollectedTest, ...]
    problem: str = ""
    inherits: tuple[str, ...] = ()
