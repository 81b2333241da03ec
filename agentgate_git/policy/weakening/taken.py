"""What tests take from other files of the tests: marks, decorators, helpers and base classes that skip.

Each file tells what it offers and what its tests take; here the two meet, on each side of a change set alone. What an
unchanged file offers is at hand on both sides, or on none.
"""

from __future__ import annotations

import operator as op
import re
from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import (
    AS_BASE,
    AS_CALL,
    AS_MARK,
    AS_NAME,
    AS_ROW,
    AS_TEXT,
    AS_VALUE,
    CONDITIONAL,
    EXPECTED_FAIL,
    IF_COMPARED,
    IF_FALSE,
    IF_TRUE,
    NOT_COLLECTED,
    ROW,
    RUNS,
    SETUP,
    SKIPPED,
    CollectedTest,
    Offer,
    Standing,
)

_STRENGTH = (RUNS, CONDITIONAL, EXPECTED_FAIL, SKIPPED, NOT_COLLECTED)
_HOPS = 4
_COMPARES = {"<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge, "==": op.eq, "!=": op.ne}

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]
    Offers = dict[str, dict[tuple[str, str], Offer]]


def with_taken(before: Side, after: Side) -> tuple[Side, Side]:
    """Both sides, each test as what it takes from other files of its side leaves it.

    What a name offers on both sides stands before the tests of files that did not change, as a fixture does.
    """
    old, new = _offers(before), _offers(after)
    if not (old or new):
        return before, after
    return (
        tuple(_as_taken(one, old, new.get(one.path, {})) for one in before),
        tuple(_as_taken(one, new, old.get(one.path, {})) for one in after),
    )


def modules_taken(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[tuple[str, str], ...]:
    """(path of the file that takes, dotted name) of what tests of the head take and those of the base did not."""
    known = {name for one in before for test in one.tests.tests for name in test.takes}
    found = (
        (one.path, name.split(" ", 2)[1])
        for one in after
        for test in one.tests.tests
        for name in test.takes
        if name not in known
    )
    return tuple(dict.fromkeys(found))


def paths_of(taker: str, dotted: str) -> tuple[str, ...]:
    """Where the module of a dotted name may lie, nearest first, for a file at the path `taker`."""
    module = dotted.rpartition(".")[0]
    folders = taker.split("/")[:-1]
    if dotted.startswith("."):
        level = len(dotted) - len(dotted.lstrip("."))
        module = module.lstrip(".")
        # `from . import x` is written `..x` here, as `from ..x import y` is `..x.y`: both places are looked at.
        ups = [up for up in (level - 1, level - 2) if 0 <= up <= len(folders)]
        tops = [folders[: len(folders) - up] for up in ups]
    else:
        tops = [folders[:end] for end in range(len(folders), -1, -1)]
    inner = module.replace(".", "/")
    places = ("/".join([*top, *([inner] if inner else [])]) for top in tops)
    return tuple(path for place in places for path in (f"{place}.py", f"{place}/__init__.py") if place)


def _offers(side: Side) -> Offers:
    return {
        one.path: {(offer.name, offer.how): offer for offer in one.tests.offers} for one in side if one.tests.offers
    }


def _as_taken(file: FileFacts, offers: Offers, other: dict[tuple[str, str], Offer]) -> FileFacts:
    tests = tuple(_stopped(test, file.path, offers) if test.takes else test for test in file.tests.tests)
    kept = tuple(
        _as_setup(offer) for key, offer in offers.get(file.path, {}).items() if _differs(offer, other.get(key))
    )
    return file._replace(tests=file.tests._replace(tests=(*tests, *kept)))


def _differs(offer: Offer, other: Offer | None) -> bool:
    return other is not None and other.standing[:1] + other.standing[3:] != offer.standing[:1] + offer.standing[3:]


def _as_setup(offer: Offer) -> CollectedTest:
    one = offer.standing
    name = f"{offer.name}()" if offer.how == AS_CALL else f"class_{offer.name}" if offer.how == AS_BASE else offer.name
    return CollectedTest(name, one.state, one.line, "", one.marker, one.condition, kind=SETUP)


def _stopped(test: CollectedTest, path: str, offers: Offers) -> CollectedTest:
    """The test in the strongest state of its own and of what it takes."""
    for taken in test.takes:
        how, dotted, *row = taken.split(" ", 2)
        if how == AS_ROW:
            test = _row_stopped(test, path, dotted, " ".join(row), offers)
            continue
        if how in (IF_TRUE, IF_FALSE):
            value = next((one.marker for one in _found(path, AS_VALUE, dotted, offers)), "")
            if test.state == CONDITIONAL and value == str(how == IF_TRUE):
                marker = f"{dotted.rpartition('.')[2]}, which is {value.lower()}"
                test = test._replace(state=SKIPPED, marker=marker, condition="")
            elif test.state == CONDITIONAL and value and "; " not in test.condition:
                test = test._replace(state=RUNS)
            continue
        if how == IF_COMPARED:
            value = next((one.marker for one in _found(path, AS_TEXT, dotted, offers)), "")
            if value and test.state == CONDITIONAL and holds(value, row[0]):
                test = test._replace(state=SKIPPED, marker=f"{dotted} {row[0].removeprefix('v')}, which is {value}")
                test = test._replace(condition="")
            continue
        for one in _found(path, how, dotted, offers):
            if _STRENGTH.index(one.state) > _STRENGTH.index(test.state):
                marker = f"{dotted.rpartition('.')[2]}, which does {one.marker}"
                test = test._replace(state=one.state, marker=marker, condition=one.condition)
    return test


def holds(value: str, asked: str) -> bool:
    """True where a comparison holds for a version: `< 3` of texts, `v< 3` of what they are parsed to."""
    sign, _, other = asked.partition(" ")
    left, right = (_numbers(value), _numbers(other)) if sign.startswith("v") else (value, other)
    return bool(right) and bool(_COMPARES[sign.removeprefix("v")](left, right))


def _numbers(version: str) -> tuple[int, ...]:
    parts = re.sub(r"(?:\.0+)+$", "", version).split(".")
    return tuple(int(one) for one in parts) if all(one.isdecimal() for one in parts) else ()


def _row_stopped(test: CollectedTest, path: str, dotted: str, row: str, offers: Offers) -> CollectedTest:
    """The test with one row of parameters that a mark of another file keeps from running."""
    for one in _found(path, AS_MARK, dotted, offers):
        if one.state in (SKIPPED, EXPECTED_FAIL, NOT_COLLECTED) and test.state in (RUNS, CONDITIONAL):
            known = f"{test.condition}; " if test.state == CONDITIONAL else ""
            marker = f"{dotted.rpartition('.')[2]}, which does {one.marker}"
            test = test._replace(
                state=CONDITIONAL, marker=marker, condition=f"{known}{ROW}({row})".replace("; (", " (")
            )
    return test


def _found(taker: str, how: str, dotted: str, offers: Offers, hops: int = _HOPS) -> Iterator[Standing]:
    name = dotted.rpartition(".")[2]
    for path in paths_of(taker, dotted) if hops else ():
        there = offers.get(path)
        if there is None or path == taker:
            continue
        if (name, how) in there:
            yield there[name, how].standing
        elif (name, AS_NAME) in there:
            yield from _found(path, how, there[name, AS_NAME].source, offers, hops - 1)
        return
