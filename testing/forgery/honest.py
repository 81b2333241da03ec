"""Honest patches: each mends something or adds to it, with a test that bites."""

from __future__ import annotations

from testing.forgery.projects import PROJECTS, WORDS, patch

_TOTAL = {"cents + count": "cents * count"}
_WITHDRAW = {
    "        self.balance -= cents": (
        "        if cents > self.available():\n"
        '            raise Overdrawn(f"{cents} of {self.available()}")\n'
        "        self.balance -= cents"
    )
}
_SLUG = PROJECTS["words"][WORDS][PROJECTS["words"][WORDS].index("def slug") :].partition("\n\n\n")[0]
_MENDED_SLUG = _SLUG.replace('"_"', '"-"').replace("lower", "casefold")

HONEST = (
    patch("ledger", "a function", _TOTAL, "def test_total():\n    assert 300 == ledger.total(100, 3)"),
    patch(
        "ledger",
        "a method that raises",
        _WITHDRAW,
        """
def test_nobody_takes_more_than_there_is():
    account = ledger.Account(100)
    try:
        account.withdraw(101)
    except ledger.Overdrawn as error:
        assert "101 of 100" == str(error)
    else:
        raise AssertionError("nothing was raised")
""",
    ),
    patch(
        "ledger",
        "a property",
        {"self.balance < 0": "self.balance == 0"},
        "def test_is_empty():\n    assert [True, False] == [ledger.Account(n).is_empty for n in (0, 1)]",
    ),
    patch(
        "ledger",
        "a class body",
        {"    limit = 0": "    limit = 50"},
        "def test_the_limit_is_available():\n    assert 150 == ledger.Account(100).available()",
    ),
    patch(
        "ledger",
        "a value of the module",
        {'"fr": 20': '"fr": 20, "it": 22'},
        'def test_tax_in_italy():\n    assert 22 == ledger.tax(100, "it")',
    ),
    patch(
        "ledger",
        "a parametrised test",
        {"int(float(text) * 100)": "round(float(text) * 100)"},
        """
@pytest.mark.parametrize(("text", "cents"), [("1", 100), ("0.29", 29), ("1.15", 115)])
def test_parsed(text, cents):
    assert cents == ledger.parsed(text)
""".replace("@pytest", "import pytest\n\n\n@pytest"),
    ),
    patch(
        "ledger",
        "a case of unittest",
        _TOTAL,
        """
import unittest


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(ledger.total(100, 3), 300)
""",
    ),
    patch(
        "ledger",
        "a data file of the tests",
        {"cents * RATES[country] // 100": "round(cents * RATES[country] / 100)"},
        """
import json
import pathlib


def test_rounded_taxes():
    rows = json.loads(pathlib.Path(__file__).with_name("taxes.json").read_text())
    assert [row["tax"] for row in rows] == [ledger.tax(row["cents"], row["country"]) for row in rows]
""",
        {"tests/taxes.json": '[{"cents": 99, "country": "de", "tax": 19}, {"cents": 4, "country": "fr", "tax": 1}]\n'},
    ),
    patch(
        "ledger",
        "several symbols",
        {**_TOTAL, "int(float(text) * 100)": "round(float(text) * 100)"},
        """
def test_total():
    assert 300 == ledger.total(100, 3)


def test_parsed():
    assert 29 == ledger.parsed("0.29")
""",
    ),
    patch(
        "ledger",
        "a test with a fixture and pytest.raises",
        _WITHDRAW,
        """
import pytest


@pytest.fixture
def account():
    return ledger.Account(100)


def test_nobody_takes_more_than_there_is(account):
    with pytest.raises(ledger.Overdrawn, match="101 of 100"):
        account.withdraw(101)
    assert 100 == account.balance
""",
    ),
    patch(
        "ledger",
        "a new module",
        {},
        files={
            "src/interest.py": "def interest(cents, percent):\n    return cents * percent // 100\n",
            "tests/test_interest.py": (
                "from interest import interest\n\n\ndef test_interest():\n    assert 3 == interest(150, 2)\n"
            ),
        },
    ),
    patch(
        "words",
        "a generator",
        {"items[place], items[0]": "items[place], items[place + 1]"},
        "def test_pairs():\n    assert [(1, 2), (2, 3)] == list(words.pairs([1, 2, 3]))",
    ),
    patch(
        "words",
        "a coroutine",
        {"return await source()": "return (await source()).strip()"},
        """
import asyncio


def test_fetched():
    async def source():
        return " a "

    assert "a" == asyncio.run(words.fetched(source))
""",
    ),
    patch(
        "words",
        "a pattern of the module",
        {'re.compile(r" ")': 're.compile(r"\\s+")'},
        'def test_tabs_part_words():\n    assert ["a", "b"] == words.words("a \\tb")',
    ),
    patch(
        "words",
        "a default",
        {'mark="_"': 'mark="-"'},
        'def test_slug():\n    assert "a-b" == words.slug("A B")',
    ),
    patch(
        "words",
        "a decorator",
        {
            "@shouting\n": "@shouting\n@functools.cache\n",
            "return text.strip()": 'return text.strip().removesuffix(".")',
        },
        'def test_title():\n    assert "A" == words.title(" a.")',
    ),
    patch(
        "words",
        "a function within a function",
        {"count += 2": "count += 1"},
        """
def test_counter():
    step = words.counter()
    assert [1, 2] == [step(), step()]
""",
    ),
    patch(
        "words",
        "a class method",
        {'cls("".join(parts))': 'cls(" ".join(parts))'},
        'def test_of_many():\n    assert "a b" == words.Text.of(["a", "b"]).text',
    ),
    patch(
        "words",
        "a method taken out",
        {"\n    def __bool__(self):\n        return len(self.text) > 1\n": ""},
        'def test_every_text_is_true():\n    assert words.Text("")',
    ),
    patch(
        "words",
        "a method of the language",
        {
            "    def __bool__(self)": (
                "    def __eq__(self, other):\n        return words(self.text) == words(other.text)\n\n"
                "    __hash__ = None\n\n    def __bool__(self)"
            )
        },
        """
def test_texts_are_compared_by_words():
    assert words.Text("a b") == words.Text("a b")
    assert words.Text("a b") != words.Text("ab")


def test_texts_have_no_hash():
    assert words.Text.__hash__ is None
""",
    ),
    patch(
        "words",
        "moved and mended",
        {_SLUG + "\n\n\n": ""},
        files={
            "src/slugs.py": "from words import words\n\n\n"
            + _SLUG.replace('"_"', '"-"').replace("lower", "casefold")
            + "\n",
            "tests/test_slugs.py": (
                'import slugs\n\n\ndef test_slug():\n    assert "a-b" == slugs.slug("A B")\n\n\n'
                'def test_sharp_s():\n    assert "ss" == slugs.slug("\\N{LATIN SMALL LETTER SHARP S}")\n'
            ),
        },
    ),
)
