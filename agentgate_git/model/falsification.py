"""What came of breaking changed symbols one by one under the project's own tests."""

from __future__ import annotations

from agentgate_git.model.record import Record

# Kinds of mutants, in the order in which they are tried; `reverse` is a removed symbol put back.
REVERT = "revert"
UNIFORM = "uniform"
IDENTITY = "identity"
KEYED = "keyed"
STORES = "stores"
BOUNDARY = "boundary"
OPERATOR = "operator"
REVERSE_MUTANT = "reverse"
MUTANT_KINDS = (REVERT, UNIFORM, IDENTITY, KEYED, STORES, BOUNDARY, OPERATOR, REVERSE_MUTANT)

# What became of a mutant, from what says most to what says least. Only a strong kill is worth anything: an assertion
# outside production code failed, and the same cases pass where nothing is broken. `suspect` is such a kill by tests
# that looked at the broken code itself, `unstable` one by cases that fail without any mutant.
STRONG = "strong"
SUSPECT = "suspect"
WEAK = "weak"
TIMEOUT = "timeout"
CRASH = "crash"
UNCLEAR = "unclear"
SURVIVED = "survived"
UNSTABLE = "unstable"
MUTANT_VERDICTS = (STRONG, SUSPECT, WEAK, TIMEOUT, CRASH, UNCLEAR, SURVIVED, UNSTABLE)

# What became of a symbol: a strong kill; one that there was no time to confirm; kills that are worth nothing; none at
# all, or only by cases that do not stand alone; executed, where no more is needed; run by no passing case, or there is
# none; nothing could be broken; the budget was spent before its turn.
FALSIFIED = "falsified"
UNCONFIRMED = "unconfirmed"
ONLY_WEAK = "only_weak"
NEVER_FALSIFIED = "survived"
EXECUTED = "executed"
NOT_EXECUTED = "not_executed"
NO_MUTANT = "no_mutant"
NOT_REACHED = "not_reached"
SYMBOL_STATES = (
    *(FALSIFIED, UNCONFIRMED, ONLY_WEAK, NEVER_FALSIFIED),
    *(EXECUTED, NOT_EXECUTED, NO_MUTANT, NOT_REACHED),
)

# How the reason begins that `untried` has for a kill that was found and does not count.
REFUSED = "the kill by "


class Mutant(Record):
    """One mutant that was tried: its kind, what it changes in words, and one of MUTANT_VERDICTS."""

    kind: str
    label: str
    verdict: str


class Kill(Record):
    """The strong kill of a symbol: the node id of the case, by which mutant, and the first line of what it raised."""

    test: str
    mutant: Mutant
    message: str


class Effort(Record):
    """What the search for one symbol took: how many runs, of how many cases in all, and seconds of clock and processor.

    `covering_seconds` is what all its covering cases took together in the unbroken run, by the clock.
    """

    runs: int = 0
    case_runs: int = 0
    seconds: float = 0.0
    processor_seconds: float = 0.0
    covering_seconds: float = 0.0


class SymbolResult(Record):
    """What is known of one symbol, one of SYMBOL_STATES.

    `executed_by` are the passing cases that ran it, sorted; of what has no code of its own, those that ran anything
    of its file, and the one that fails when it is broken. `mutants` were tried in this order; `untried` says which
    kinds could not be had and why. `is_spent` when the budget ended the search.
    """

    path: str
    name: str
    state: str
    executed_by: tuple[str, ...] = ()
    kill: Kill | None = None
    mutants: tuple[Mutant, ...] = ()
    untried: tuple[str, ...] = ()
    is_spent: bool = False
    effort: Effort = Effort()


class Falsification(Record):
    """One search. `passed` and `not_passed` are the cases of the unbroken run: ids, and (id, why) pairs.

    `cases` are the ids of both in the order in which they ran. With `problems` the search did not
    come to its end, or what it said cannot be relied on: nothing earns credit.
    """

    symbols: tuple[SymbolResult, ...]
    passed: tuple[str, ...]
    not_passed: tuple[tuple[str, str], ...]
    interpreter: str
    problems: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
