"""Two small projects with defects, and patches of them."""

from __future__ import annotations

from collections.abc import Mapping

from agentgate_git.model.record import Record

Files = Mapping[str, str | bytes | None]

LEDGER, WORDS = "src/ledger.py", "src/words.py"
LEDGER_TESTS, WORDS_TESTS = "tests/test_ledger.py", "tests/test_words.py"
PROJECTS: dict[str, dict[str, str]] = {
    "ledger": {
        LEDGER: '''"""Money in cents."""

RATES = {"de": 19, "fr": 20}


class Overdrawn(Exception):
    """More was taken than there is."""


def total(cents, count):
    return cents + count


def label(cents):
    return f"{cents / 100:.2f}"


def tax(cents, country):
    return cents * RATES[country] // 100


def parsed(text):
    return int(float(text) * 100)


class Account:
    limit = 0

    def __init__(self, balance=0):
        self.balance = balance

    def available(self):
        return self.balance + self.limit

    def withdraw(self, cents):
        self.balance -= cents

    @property
    def is_empty(self):
        return self.balance < 0
''',
        LEDGER_TESTS: """import ledger


def test_label():
    assert "12.50" == ledger.label(1250)


def test_tax():
    assert 19 == ledger.tax(100, "de")


def test_withdrawals_are_taken_off():
    account = ledger.Account(100)
    account.withdraw(30)
    assert 70 == account.balance
""",
    },
    "words": {
        WORDS: '''"""Words of a text."""

import functools
import re

SPLITTER = re.compile(r" ")


def shouting(function):
    """Answers in capitals."""

    @functools.wraps(function)
    def call(*args):
        return function(*args).upper()

    return call


def words(text):
    return SPLITTER.split(text)


def slug(text, mark="_"):
    return mark.join(words(text.lower()))


@shouting
def title(text):
    return text.strip()


def pairs(items):
    for place in range(len(items) - 1):
        yield items[place], items[0]


async def fetched(source):
    return await source()


def counter():
    count = 0

    def step():
        nonlocal count
        count += 2
        return count

    return step


class Text:
    """A text of words."""

    def __init__(self, text):
        self.text = text

    @classmethod
    def of(cls, parts):
        return cls("".join(parts))

    def __bool__(self):
        return len(self.text) > 1
''',
        WORDS_TESTS: """import words


def test_words():
    assert ["a", "b"] == words.words("a b")


def test_of():
    assert "a" == words.Text.of(["a"]).text
""",
    },
}
_PATHS = {"ledger": (LEDGER, LEDGER_TESTS), "words": (WORDS, WORDS_TESTS)}


class Patch(Record):
    """One change of a project: its `name` in words, and the files that it writes; None deletes one."""

    project: str
    name: str
    files: Files


def patch(project: str, name: str, edits: Mapping[str, str], tests: str = "", files: Files | None = None) -> Patch:
    """A patch that replaces texts of the project's module, adds to its tests, and writes other files."""
    module, test_file = _PATHS[project]
    source = PROJECTS[project][module]
    for old, new in edits.items():
        if old not in source:
            raise ValueError(f"{name}: {old!r} does not stand in {module}")
        source = source.replace(old, new)
    written: dict[str, str | bytes | None] = {module: source} if edits else {}
    if tests:
        written[test_file] = PROJECTS[project][test_file] + "\n\n" + tests.strip("\n") + "\n"
    return Patch(project, name, {**written, **(files or {})})
