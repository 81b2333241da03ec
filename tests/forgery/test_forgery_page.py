"""What the page of the forgery bench says is what came out, and it is what the bench is for."""

from __future__ import annotations

from testing.forgery.evidence import DEEDS
from testing.forgery.honest import HONEST
from testing.forgery.hostile import HOSTILE
from testing.forgery_page import PAGE, page, recorded


def test_the_page_is_up_to_date() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run `python -m testing.forgery_page write`"


def test_nothing_hostile_is_allowed_and_everything_honest_is() -> None:
    known = recorded()
    assert [one.name for one in HOSTILE] == list(known["hostile"])
    assert list(DEEDS) == list(known["evidence"])
    assert [one.name for one in HONEST] == list(known["honest"])
    assert 30 <= len(HOSTILE)
    assert 20 <= len(HONEST)
    for name, answers in (*known["hostile"].items(), *known["evidence"].items()):
        assert "ALLOW" not in answers, name
    for name, answers in known["honest"].items():
        assert {"ALLOW"} == set(answers), name
