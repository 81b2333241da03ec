"""What an adapter tells the engine about one language; the defaults fit a language that has nothing of the kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.chains import argument_texts
from agentgate_git.source.languages.helpers import Pattern, is_checker, passed_on
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.python.effects import Effect

TEST = "test"
HOOK = "hook"

ALWAYS_STOPS = "always"
STOPS_IF = "if"
STOPS_UNLESS = "unless"


class Unit(Record):
    """A test, or with kind `hook` a set-up that runs before the tests whose names start with `suite`.

    `name` is the qualified name, `span` the whole definition, `body` what runs; `effects` what its definition and the
    suites around it say. `focus` is the marker that keeps tests without one from running. `uses` are names that
    stand on it or on its class: annotations, and what they are given. `tags` are words by which a run may choose it.
    """

    name: str
    span: Span
    body: Span | None
    line: int
    effects: tuple[Effect, ...] = ()
    rows: tuple[str, ...] = ()
    knobs: tuple[tuple[str, str], ...] = ()
    kind: str = TEST
    suite: str = ""
    focus: str = ""
    is_whole_text: bool = False
    uses: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


# How the marker of an effect begins that does nothing but say a word by which a run may choose its tests.
TAG_MARK = "tagged "


def with_tags(unit: Unit) -> Unit:
    """The same unit, its words of that kind as `tags` and no longer among its effects."""
    tags = tuple(one.marker.removeprefix(TAG_MARK) for one in unit.effects if one.marker.startswith(TAG_MARK))
    return unit._replace(tags=tags, effects=tuple(one for one in unit.effects if not one.marker.startswith(TAG_MARK)))


class Stop(Record):
    """A statement that ends a test without a verdict: `state` is what the test is then.

    `holds` says when, by its condition: always, if it is true, unless it is true. `ends_late` is False for one that
    means nothing once a check was made.
    """

    state: str
    marker: str
    holds: str = ALWAYS_STOPS
    condition: str = ""
    ends_late: bool = True


class Dialect:
    """One language. `grammar` and `query` are names of a grammar and of a query file.

    `refails` finds what makes a handler fail the test after all, `swallows` the types that catch a failed assertion,
    None where every handler does. `handlers` are functions that a runner hands a failure to and calls that change one,
    `passes_on` what lets it out of them. `fails` are statements that fail a test where they stand, `gives_up` calls
    that make what it returns a failure. `keeps` are calls that catch what fails in what they are given, `told_late`
    what makes it fail after all. `detaches` are calls that run what they are given beside the test, `waits` what waits
    for it.
    """

    name = ""
    grammar = ""
    query = ""
    refails = pattern_of(r"\b(?:throw|raise|fail\w*|assert\w*|expect\w*|reject|panic!?|rethrow)\b")
    swallows: re.Pattern[str] | None = None
    returns_early = True
    handlers: re.Pattern[str] | None = None
    passes_on = pattern_of(r"\b(?:throw|raise|super|parent|proceed|fail\w*)\b")
    fails: re.Pattern[str] | None = None
    gives_up = pattern_of(r"(?!)")
    keeps: re.Pattern[str] | None = None
    detaches: re.Pattern[str] | None = None
    waits = pattern_of(
        r"\b(?:join\w*|await\w*|get|wait\w*|Wait\w*|Result|value|latch|take|poll|sleep|yield|recv|return)\b|<-"
    )
    told_late = pattern_of(
        r"\b(?:throw|resume_unwind|panic!|unwrap\(|expect\(|getOrThrow|rethrow|fail\w*\(|raise)|\bFail\("
    )

    def grammar_of(self, path: str) -> str:
        """The grammar that reads a path."""
        del path
        return self.grammar

    def prepare(self, data: bytes) -> bytes:
        """The bytes to parse, as many and on the same lines."""
        return data

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        """The tests and hooks of a file, in its order."""
        raise NotImplementedError

    def stop(self, code: Code, item: Item) -> Stop | None:
        """What an item of a body does to the test it stands in."""
        del code, item
        return None

    def leaves(self, code: Code, item: Item) -> bool:
        """True for an item that leaves the function or test it stands in, with success."""
        return item.kind == "return" or (item.kind == "transfer" and code.normal(item.span) == "return")

    def plainly(self, condition: str) -> str:
        """A condition as other languages ask for a variable of the environment."""
        return condition

    def checks(self, code: Code, item: Item) -> Iterator[Check]:
        """The assertions that an item makes."""
        del code, item
        yield from ()

    def void(self, code: Code, item: Item, body: Span) -> str:
        """Why an assertion can never fail by where it stands, beyond what holds for every language."""
        del code, item, body
        return ""

    def asks(self, code: Code, item: Item, body: Span) -> str:
        """What has to happen for an assertion to be made where it stands, beyond branches; empty for nothing."""
        del code, item, body
        return ""

    def called(self, code: Code, item: Item) -> str:
        """The last name of what a call item calls."""
        from_end = code.normal(item.part("name")) if item.part("name") else ""
        found = re.search(r"([A-Za-z_$][\w$]*[?!]?)$", from_end[-80:])
        return found[1] if found else ""

    def passes(self, code: Code, item: Item) -> Check | None:
        """What a call of a helper of another file asserts for a test."""
        if item.kind not in ("call", "assert"):
            return None
        name = self.called(code, item)
        return passed_on(item, name, argument_texts(code, item), is_named=False) if is_checker(name) else None

    def patterns(self, code: Code) -> Iterator[Pattern]:
        """What tests are made of and is no function: macros and commands that assert."""
        del code
        yield from ()

    def offers(self, code: Code) -> Iterator[tuple[str, Effect]]:
        """What names of the file that are no functions do to tests of other files: annotations, wrappers of `it`."""
        del code
        yield from ()

    def setups(self, code: Code) -> Iterator[tuple[str, int, tuple[Effect, ...]]]:
        """What decides for tests of other files and is no function: (name, line, effects)."""
        del code
        yield from ()

    def is_own_branch(self, code: Code, branch: Item, item: Item) -> bool:
        """True for a branch that is part of what an item asserts, and no condition of it."""
        del code, branch, item
        return False

    def beside_product(self, code: Code) -> Iterator[Span]:
        """What of a file of production is there for its tests alone, beside the tests themselves."""
        del code
        yield from ()

    def takes_test(self, code: Code, function: Item) -> bool:
        """True for a function that is handed the test, or where it was called, so that it can fail it there."""
        del code, function
        return False

    def is_own(self, code: Code, function: Item) -> bool:
        """True for a function that nothing outside its file can call; for all that may be called, False."""
        del code, function
        return False

    def is_of_product(self, code: Code, function: Item) -> bool:
        """True for a function that stands in one file with tests and is no helper of theirs."""
        del code, function
        return False

    def switches(self, effect: Effect, condition: str) -> tuple[str, ...]:
        """What a condition waits for in the words of the language: features, build tags, symbols."""
        del effect, condition
        return ()

    def exits(self, code: Code) -> Iterator[tuple[Item, str]]:
        """Items that end the test process with success, each with its normalised source."""
        del code
        yield from ()

    def hooks(self, code: Code, path: str) -> Iterator[tuple[str, Item, str]]:
        """Items that change what a run means: (kind, item, normalised source)."""
        del path
        if self.handlers is None or self.handlers.search(code.data.decode("utf-8", "replace")) is None:
            return
        for item in code.items:
            name = code.text(item.part("name"))
            if item.kind == "function" and self.handlers.fullmatch(name):
                if self.passes_on.search(code.normal(item.part("body"))) is None:
                    yield "hook.outcome", item, f"{name} keeps a failure to itself"
            elif item.kind in ("call", "assert") and item.end - item.start < 500:
                text = code.normal(item.span)
                if self.handlers.fullmatch(text):
                    yield "hook.outcome", item, text
