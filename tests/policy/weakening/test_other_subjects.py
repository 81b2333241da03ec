"""E_ASSERT_WEAKENED: tests that look at something else than they did, where production changed beside them."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from testing.weaker_tests import judged, one

COUNTED = one("bad = [1, -1]\nsave(bad)\nassert session.query(Order).count() == 2")
SHOWN = one("main(['a'])\nassert capsys.readouterr().out == '3 words\\n'")
PUBLIC = one("assert app.calc.total([1]) == 3", "import app.calc\n\n\n")
SENT = one("assert encode(b'abc') == b'\\x00abc'")
BACK = "\ndef test_back():\n    assert decode(encode(b'abc')) == b'abc'\n"

BESIDE_PRODUCTION = [
    pytest.param(COUNTED, COUNTED.replace("query(Order)", "scalars(select(Order))"), [], id="asked in another way"),
    pytest.param(COUNTED, COUNTED.replace("== 2", "== 3"), [], id="another value of the same"),
    pytest.param(COUNTED, one("bad = [1, -1]\nsave(bad)\nassert bad[1] == -1"), [WARN], id="what the test made itself"),
    pytest.param(SHOWN, SHOWN.replace("capsys", "capfd"), [], id="the same by another fixture"),
    pytest.param(SHOWN, SHOWN.replace("3 words", "4 words"), [], id="other words"),
    pytest.param(
        SHOWN, one("assert main(['a']) is None\nassert capsys.readouterr().err == ''"), [WARN], id="what is empty"
    ),
    pytest.param(PUBLIC, PUBLIC.replace("total([1])", "scale([1])"), [], id="another public function"),
    pytest.param(PUBLIC, PUBLIC.replace("total([1])", "_sum([1])"), [WARN], id="a private function"),
    pytest.param(SENT, SENT.replace("x00", "x01"), [], id="another wire format"),
    pytest.param(
        SENT, SENT + "\ndef test_back():\n    assert decode(encode(b'abc')) == b'abc'\n", [], id="the way back too"
    ),
    pytest.param(SENT, one("assert decode(encode(b'abc')) == b'abc'"), [WARN], id="only there and back"),
]


@pytest.mark.parametrize(("old", "new", "expected"), BESIDE_PRODUCTION)
def test_other_subjects_beside_production(old: str, new: str, expected: list[str]) -> None:
    assert expected == judged(new, old, with_code=True)


def test_only_there_and_back_blocks_where_nothing_else_changed() -> None:
    assert [BLOCK] == judged(one("assert decode(encode(b'abc')) == b'abc'"), SENT)
