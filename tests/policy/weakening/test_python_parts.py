"""E_ASSERT_WEAKENED: whole values of which Python tests compare a part now, each beside honest changes like it."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from testing.weaker_tests import judged, one

GOT = "got, want = total(1), {'a': 1, 'b': 2}\n"
DICT = one("assert total(1) == {'a': 1, 'b': 2}")
LIST = one("assert total(1) == [1, 2, 3]")
FRAMES = "from pandas.testing import assert_frame_equal, assert_series_equal\n\n\n"
FRAME = one("assert_frame_equal(total(1), make(3){})", FRAMES)
NEAR = one("assert_series_equal(total(1), make(3), {})", FRAMES)
ALL = one("assert all(total(1))")
NONE = one("assert not any(total(1))")
LEAST = one("assert min(total(1)) > 3")
ZIPPED = "for a, b in {}:\n    assert a == b"


def rows(old: str, *heads: tuple[str, str, list[str]]) -> list[object]:
    return [pytest.param(old, new, expected, id=name) for name, new, expected in heads]


KINDS = [
    *rows(
        DICT,
        ("both values by their keys", one("got = total(1)\nassert got['a'] == 1\nassert got['b'] == 2"), []),
        (
            "every key and no other",
            one(GOT + "assert got.keys() == want.keys()\nfor k in want:\n    assert got[k] == want[k]"),
            [],
        ),
        ("the keys that are wanted", one(GOT + "for k in want:\n    assert got[k] == want[k]"), [WARN]),
        ("its items", one(GOT + "for k, v in want.items():\n    assert got[k] == v"), [WARN]),
        ("all of its items", one(GOT + "assert all(got[k] == v for k, v in want.items())"), [WARN]),
        ("some of its keys", one(GOT + "for k in ['a']:\n    assert got[k] == want[k]"), [BLOCK]),
        ("a part of both", one(GOT + "assert {k: got[k] for k in ('a',)} == {k: want[k] for k in ('a',)}"), [BLOCK]),
        (
            "both but for a key",
            one(
                GOT + "assert {k: v for k, v in got.items() if k != 'b'} == {k: v for k, v in want.items() if k != 'b'}"
            ),
            [BLOCK],
        ),
        ("what is among it", one(GOT + "assert want.items() <= got.items()"), [BLOCK]),
        ("what it contains", one("case = make()\ncase.assertDictContainsSubset({'a': 1}, total(1))"), [BLOCK]),
        ("what both lose", one(GOT + "for one in (got, want):\n    one.pop('b')\nassert got == want"), [BLOCK]),
        ("what both lose by name", one(GOT + "del got['b'], want['b']\nassert got == want"), [BLOCK]),
        ("what it takes from it", one(GOT + "want['b'] = got['b']\nassert got == want"), [BLOCK]),
        ("what it is updated with", one(GOT + "want.update(got)\nassert got == want"), [BLOCK]),
    ),
    *rows(
        LIST,
        ("pairs of lists of one length", one(ZIPPED.format("zip(total(1), [1, 2, 3], strict=True)")), []),
        (
            "pairs filled up",
            one(ZIPPED.format("itertools.zip_longest(total(1), [1, 2, 3])")),
            [],
        ),
        (
            "pairs beside the length",
            one("got, want = total(1), [1, 2, 3]\nassert len(got) == len(want)\n" + ZIPPED.format("zip(got, want)")),
            [],
        ),
        ("pairs", one(ZIPPED.format("zip(total(1), [1, 2, 3])")), [BLOCK]),
        ("all pairs", one("assert all(a == b for a, b in zip(total(1), [1, 2, 3]))"), [BLOCK]),
    ),
    *rows(
        ALL,
        ("each in a loop", one("for x in total(1):\n    assert x"), []),
        ("any", one("assert any(total(1))"), [BLOCK]),
    ),
    *rows(
        one("assert all(total(1).values())"),
        ("each value in a loop", one("for name, is_set in total(1).items():\n    assert is_set, name"), []),
        ("any value", one("assert any(total(1).values())"), [BLOCK]),
    ),
    *rows(one("assert (total(1) == 3).all()"), ("any of an array", one("assert (total(1) == 3).any()"), [BLOCK])),
    *rows(
        one("assert all(x > 3 for x in total(1))"),
        ("each beyond a bound", one("for x in total(1):\n    assert x > 3"), []),
        ("any beyond a bound", one("assert any(x > 3 for x in total(1))"), [BLOCK]),
    ),
    *rows(NONE, ("not all", one("assert not all(total(1))"), [BLOCK])),
    *rows(
        LEAST,
        ("a higher bound", LEAST.replace("3", "4"), [WARN]),
        ("the greatest", LEAST.replace("min", "max"), [BLOCK]),
    ),
    *rows(one("assert max(total(1)) <= 3"), ("the least", one("assert min(total(1)) <= 3"), [BLOCK])),
    *rows(
        FRAME.format(""),
        ("a table strictly", FRAME.format(", check_dtype=True"), []),
        ("a table, by a narrow tolerance", FRAME.format(", check_exact=False, rtol=1e-5"), []),
        ("a table but for its types", FRAME.format(", check_dtype=False"), [BLOCK]),
        ("a table in any order", FRAME.format(", check_like=True"), [BLOCK]),
        ("a table nearly", FRAME.format(", atol=5"), [BLOCK]),
    ),
    *rows(
        FRAME.format(", check_dtype=False"),
        ("more that is left out", FRAME.format(", check_dtype=False, check_names=False"), [BLOCK]),
        ("less that is left out", FRAME.format(""), []),
    ),
    *rows(
        NEAR.format("atol=0.01"), ("nearer", NEAR.format("atol=0.002"), []), ("farther", NEAR.format("atol=5"), [BLOCK])
    ),
    *rows(
        one("got = total(1)\nnp.testing.assert_allclose(got, make(3))"),
        ("a value of its own", one("got = total(1)\nwant = make(3)\nnp.testing.assert_allclose(got, want)"), []),
        ("a copy", one("got = total(1)\nwant = got.copy()\nnp.testing.assert_allclose(got, want)"), [BLOCK]),
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), KINDS)
def test_parts(old: str, new: str, expected: list[str]) -> None:
    assert expected == judged(new, old)


BESIDE_PRODUCTION = [
    pytest.param(DICT, one(GOT + "del got['b'], want['b']\nassert got == want"), [WARN], id="what both lose"),
    pytest.param(DICT, one(GOT + "for k in ['a']:\n    assert got[k] == want[k]"), [BLOCK], id="some of its keys"),
    pytest.param(LIST, one(ZIPPED.format("zip(total(1), [1, 2, 3])")), [BLOCK], id="pairs"),
    pytest.param(ALL, one("assert any(total(1))"), [WARN], id="any"),
    pytest.param(FRAME.format(""), FRAME.format(", check_dtype=False"), [WARN], id="types"),
]


@pytest.mark.parametrize(("old", "new", "expected"), BESIDE_PRODUCTION)
def test_parts_beside_production(old: str, new: str, expected: list[str]) -> None:
    assert expected == judged(new, old, with_code=True)
