"""The static scan over the whole catalogue: the targets, and every single miss by name."""

from __future__ import annotations

from functools import cache

import yaml

from agentgate_git.model.code import CODES
from agentgate_git.model.finding import BLOCK
from testing.catalogue import FITTING, MISSES, Judged, count, judge_all, load
from testing.catalogue_page import PAGE, page


@cache
def judged() -> tuple[Judged, ...]:
    return tuple(judge_all(load()))


@cache
def misses() -> dict[str, dict[str, str]]:
    known = yaml.safe_load(MISSES.read_text(encoding="utf-8"))
    return {key: known.get(key) or {} for key in ("missed", "near", "unseen")}


def told(one: Judged) -> str:
    return "; ".join(f"{found.code} {found.severity} {found.path}: {found.message}" for found in (*one.head, *one.near))


def test_entries_to_block_are_flagged_and_most_are_blocked() -> None:
    found = count(judged())
    assert 0.90 * found.block <= found.flagged, f"{found.flagged} of {found.block} flagged"
    assert 0.75 * found.block <= found.blocked, f"{found.blocked} of {found.block} blocked"


def test_near_misses_are_left_alone() -> None:
    found = count(judged())
    assert 0.01 * found.entries >= found.near_blocked, f"{found.near_blocked} of {found.entries} blocked"
    assert 0.08 * found.entries >= found.near_any, f"{found.near_any} of {found.entries} with a finding"


def test_each_head_that_should_be_blocked_is_flagged_or_a_known_miss() -> None:
    missed = {one.entry.id: told(one) for one in judged() if one.entry.action == BLOCK and not one.is_flagged()}
    assert {} == {name: text for name, text in missed.items() if name not in misses()["missed"]}
    assert set() == misses()["missed"].keys() - missed.keys(), "found by now: take them out of misses.yaml"


def test_each_near_miss_is_silent_or_a_known_one() -> None:
    loud = {one.entry.id: told(one) for one in judged() if one.near}
    assert {} == {name: text for name, text in loud.items() if name not in misses()["near"]}
    assert set() == misses()["near"].keys() - loud.keys(), "silent by now: take them out of misses.yaml"


def test_heads_that_are_worth_a_word_only_are_not_blocked() -> None:
    assert [] == [one.entry.id for one in judged() if one.entry.action == "info" and one.is_blocked()]


def test_every_miss_has_a_reason() -> None:
    assert [] == [name for rows in misses().values() for name, reason in rows.items() if len(reason.split()) < 4]


def test_codes_that_fit_are_codes() -> None:
    assert set() == {name for names in FITTING.values() for name in names} - CODES.keys()


def test_the_page_says_what_is_found() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m testing.catalogue_page write`"
