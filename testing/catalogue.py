"""The catalogue of weakenings, and the static scan over it.

`python -m testing.catalogue [--family B.] [--language python] [--id X] [--code E_…] [-v]` prints a table;
`python -m testing.catalogue --write` makes docs/catalogue.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agentgate_git.flows.scan import judge_files
from agentgate_git.model import code
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.record import Record

ROOT = Path(__file__).resolve().parents[1]
# Beside the clone, and beside the clones of those who work on it together.
_PLACES = (ROOT.parent / "shared", ROOT.parent.parent / "shared")
MISSES = ROOT / "tests" / "catalogue" / "misses.yaml"
# Written by others who had not seen the rules, to tell rules for kinds from rules for examples.
SECOND = ROOT / "tests" / "catalogue" / "second"
THIRD = ROOT / "tests" / "catalogue" / "third"
FOURTH = ROOT / "tests" / "catalogue" / "fourth"
FOURTH_PYTHON = ROOT / "tests" / "catalogue" / "fourth_python"
FIFTH = ROOT / "tests" / "catalogue" / "fifth"
FIFTH_PYTHON = ROOT / "tests" / "catalogue" / "fifth_python"
SIXTH = ROOT / "tests" / "catalogue" / "sixth"
SIXTH_PYTHON = ROOT / "tests" / "catalogue" / "sixth_python"
SEVENTH = ROOT / "tests" / "catalogue" / "seventh"
SEVENTH_PYTHON = ROOT / "tests" / "catalogue" / "seventh_python"
HONEST = "H.honest"
Tree = dict[str, bytes]

# Codes that fit a family: a finding of another kind on the same change is luck.
_TESTS = frozenset(
    (
        *("E_SKIP_MARKER", "E_TEST_REMOVED", "E_ASSERT_WEAKENED", "E_HARNESS_TAMPERED", "E_GATE_CONFIG"),
        *("E_TEST_SILENCED", "E_BASE_TESTS_FAIL"),
    )
)
FITTING = {
    "A.skip": _TESTS,
    "A.select": _TESTS,
    "A.ci": frozenset(("E_GATE_CONFIG", "E_GUARDED_PATH", "E_HARNESS_TAMPERED", "E_SKIP_MARKER")),
    "A.lint": frozenset(("E_GATE_CONFIG", "E_GUARDED_PATH", "E_HARNESS_TAMPERED", "E_CHECK_SILENCED")),
    "A.property": _TESTS,
    "A.coverage": frozenset(("E_GATE_CONFIG", "E_GUARDED_PATH", "E_HARNESS_TAMPERED", "E_CHECK_SILENCED")),
    "A.config": _TESTS | {"E_GUARDED_PATH", "E_ENTROPY_SILENCED"},
    "A.rerun": _TESTS,
    "B": _TESTS | {"E_ENTROPY_SILENCED"},
    "C": _TESTS | {"E_GUARDED_PATH", "E_SPECIAL_CASED", "E_ENTROPY_SILENCED", "E_MANIFEST_INVALID"},
    "D": _TESTS | {"E_GUARDED_PATH", "E_ENTROPY_SILENCED", "E_PIN_DROPPED", "E_PIN_CHANGED", "E_MANIFEST_INVALID"},
}


class Entry(Record):
    """One way to weaken, as the catalogue has it."""

    id: str
    family: str
    language: str
    framework: str
    construct: str
    action: str
    is_executed: bool
    is_green: bool

    def fits(self, finding: Finding) -> bool:
        """True for a code that names what the entry does."""
        return finding.code in FITTING.get(self.family, FITTING.get(self.family[0], frozenset()))


class Case(Record):
    """An entry with its trees: the base, the weakened head, and the honest change that looks like it."""

    entry: Entry
    base: Tree
    head: Tree
    near: Tree


class Judged(Record):
    """What the static scan says of one case."""

    entry: Entry
    head: tuple[Finding, ...]
    near: tuple[Finding, ...]

    def is_flagged(self) -> bool:
        """True when a block or a warning of a fitting code stands on the head."""
        return any(one.severity in (BLOCK, WARN) and self.entry.fits(one) for one in self.head)

    def is_blocked(self) -> bool:
        """True when a finding of a fitting code blocks the head."""
        return any(one.severity == BLOCK and self.entry.fits(one) for one in self.head)


def folder() -> Path:
    """Where the catalogue lies; FileNotFoundError where it is not handed out."""
    found = next((place / "data" for place in _PLACES if (place / "data" / "weakening.yaml").is_file()), None)
    if found is None:
        raise FileNotFoundError(f"no weakening.yaml in {' or '.join(map(str, _PLACES))}")
    return found


@cache
def load(place: Path | None = None) -> tuple[Case, ...]:
    """Every entry of the catalogue in a folder (the shared one) with its trees, in its order."""
    place = place or folder()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    entries = yaml.load((place / "weakening.yaml").read_text(encoding="utf-8"), loader)["entries"]
    trees = json.loads((place / "weakening_cases.json").read_text(encoding="utf-8"))
    return tuple(_case(entry, trees[entry["id"]]) for entry in entries)


def _case(entry: dict[str, Any], trees: dict[str, Any]) -> Case:
    verified = entry["verified"]
    known = Entry(
        id=entry["id"],
        family=entry["family"],
        language=entry["language"],
        framework=entry["framework"],
        construct=" ".join(entry["construct"].split()),
        action=entry["suggested_action"],
        is_executed=verified["how"] == "executed",
        is_green=bool(verified.get("green_after_weakening")),
    )
    return Case(known, *(_tree(_side(trees, side)) for side in ("base", "head", "near")))


def _side(trees: dict[str, Any], side: str) -> dict[str, str | None]:
    """A tree that stands there whole, or as what differs from the base, where None is a file that is gone."""
    return trees[side] if side in trees else trees["base"] | trees["changed"][side]


def _tree(files: dict[str, str | None]) -> Tree:
    return {path: text.encode("utf-8", "surrogateescape") for path, text in files.items() if text is not None}


def judge_all(cases: Iterable[Case], code_part: str = "") -> Iterator[Judged]:
    """The static scan over cases; only findings whose code holds `code_part` are kept."""
    for case in cases:
        head, near = (
            tuple(one for one in judge_files(case.base, tree).findings if code_part in one.code)
            for tree in (case.head, case.near)
        )
        yield Judged(case.entry, head, near)


class Counts(Record):
    """Over some entries: of those marked block how many were flagged and blocked; near misses with a finding."""

    entries: int
    block: int
    flagged: int
    blocked: int
    near_any: int
    near_blocked: int


def count(judged: Iterable[Judged]) -> Counts:
    """Count them."""
    every = tuple(judged)
    block = tuple(one for one in every if one.entry.action == BLOCK)
    return Counts(
        len(every),
        len(block),
        sum(one.is_flagged() for one in block),
        sum(one.is_blocked() for one in block),
        sum(bool(one.near) for one in every),
        sum(any(finding.severity == BLOCK for finding in one.near) for one in every),
    )


def grouped(judged: Iterable[Judged]) -> dict[tuple[str, str], tuple[Judged, ...]]:
    """By family and language, sorted."""
    groups: dict[tuple[str, str], list[Judged]] = {}
    for one in judged:
        groups.setdefault((one.entry.family, one.entry.language), []).append(one)
    return {key: tuple(group) for key, group in sorted(groups.items())}


def _show(judged: tuple[Judged, ...], *, has_details: bool) -> None:
    for one in judged if has_details else ():
        if (one.entry.action == BLOCK and not one.is_blocked()) or one.near:
            state = "block" if one.is_blocked() else "flag" if one.is_flagged() else "-"
            print(f"{one.entry.id:10} {one.entry.family:12} {state:6} {one.entry.language} {one.entry.construct[:70]}")
            for side, findings in (("head", one.head), ("near", one.near)):
                for found in findings:
                    place = f"{found.path}:{found.line}"
                    print(f"      {side}: {found.code} {found.severity} {place} {found.message[:110]}")
    print(f"{'family':14}{'language':12} entries  block  flagged  blocked  near-any  near-blocked")
    for (family, language), group in (*grouped(judged).items(), (("ALL", ""), judged)):
        row = count(group)
        numbers = (row.entries, row.block, row.flagged, row.blocked, row.near_any, row.near_blocked)
        print(f"{family:14}{language:12}" + "".join(f"{number:9}" for number in numbers))


def main() -> None:
    """Print the table; with -v also heads that are not blocked, and near misses with a finding."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--family", default="")
    parser.add_argument("--language", default="")
    parser.add_argument("--id", default="")
    parser.add_argument("--code", default="", help="count findings of this code only")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    unknown = options.code and not any(options.code in known for known in code.CODES)
    if unknown:
        parser.error(f"there is no code {options.code}")
    cases = (
        case
        for case in load()
        if case.entry.family.startswith(options.family)
        and options.language in ("", case.entry.language)
        and options.id in case.entry.id
    )
    _show(tuple(judge_all(cases, options.code)), has_details=options.v)


if __name__ == "__main__":
    main()
