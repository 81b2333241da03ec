"""docs/catalogue.md: `python -m testing.catalogue_page write|check`; with `--run` the executed entries are run first.

The static figures are computed, those of runs stand in tests/catalogue/executed.yaml, which `--run` writes anew.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import fill

import yaml

from testing.catalogue import MISSES, ROOT, Counts, Entry, Judged, count, grouped, judge_all, load
from testing.executed import EXECUTED, LAYERS, executed_cases, run_all

PAGE = ROOT / "docs" / "catalogue.md"
HEADER = "<!-- Made by `python -m testing.catalogue_page write`; change what it is made from, then run that. -->"
INTRODUCTION = """# The catalogue of weakenings

Each entry is one way to turn tests green without repairing the defect: a base whose tests are red, a head that is
weakened, and a near miss, an honest change that looks much like it. The catalogue is not part of this repository; its
tests read it from the folder `shared` beside the clone. Most entries ask for a block, others for a review or a note.

A head is *flagged* when a block or a warning of a fitting code stands on it, *blocked* when one blocks. A near miss has
no business with any finding. What is missed is listed below with its reason;
[misses.yaml](../tests/catalogue/misses.yaml) is compared with what is found in every run of the tests, so an entry
that is found by now may not stay there.

These figures are of entries that the rules were made with. What they are worth beyond is told by catalogues that others
wrote who had not seen the rules (`tests/catalogue/test_blind.py`), each repaired since, so that it took another to say
how much was known then. Of what asks for a block, at first sight and now:

| catalogue | weakenings | flagged | blocked | near misses with a finding, blocked | honest blocked | now |
|---|---|---|---|---|---|---|
| second | 275 | 73 % | 50 % | | | 96 %, 84 % |
| third | 376 | 64 % in Python, 45 % elsewhere | 41 %, 27 % | 27, 7 | 1 of 89 | 95 %, 82 % |
| fourth | 224 | 77 % | 46 % | 27, 4 of 224 | 3 of 80 | 98 %, 89 % |
| fifth | 313 | 74 % in Python, 75 % elsewhere | 58 %, 56 % | 23, 7 of 313 | 2 of 89 | 97 %, 90 % |
| sixth | 459 | 82 % in Python, 77 % elsewhere | 65 %, 64 % | 39, 10 of 527 | 2 of 92 | 98 %, 87 % |
| seventh | 397 | 70 % in Python, 80 % elsewhere | 50 %, 65 % | 32, 7 of 441 | 1 of 96 | 99 %, 77 % |

The sixth was written as the siblings that the published entries leave out. The seventh is what agents do: two of five
of its weakenings stand beside honest edits of other files, which excused a good part of them at first sight. No near
miss and no honest commit of them is blocked now. An eighth would have to say what is known today: some fourth of new
tricks will pass and some four of ten not block, for all that we can tell.
[Real commits](real-commits.md) were weighed as well."""
PUBLISHED = """The four published tools were run over a larger edition of the same catalogue (485 entries, block and
review together); their figures are those of the issue that asked for this page. The cases are ours, and many of them
are made of one changed line, which is not the home ground of tools that look for words.

| tool | flagged | blocked | near misses flagged | near misses blocked |
|---|---|---|---|---|"""
TOOLS = (
    ("checkwash 0.9.0", 50, 40, 23, 2),
    ("diffgate 0.1.0", 19, 12, 9, 6),
    ("tamperguard 0.2.0", 14, 12, 7, 6),
    ("tampercheck 0.1.1", 6, 6, 1, 1),
)
RUNS = """Of the entries that were executed when the catalogue was made, those in Python are run by the tests too
(marked slow): base, head and near miss as commits of a real repository, the head's own run, the outcomes compared with
the base's, and the base's tests on the head's code ([0015](adr/0015-base-tests-on-new-code.md)). A column counts the
heads that its layer speaks against. *run* means that the head's own run is no pass, so that no packet of a pass can be
had for it; some of these are weakened for another runner (unittest, nose2, make), and pytest still fails."""


def page() -> str:
    """The whole page."""
    judged = tuple(judge_all(load()))
    misses = yaml.safe_load(MISSES.read_text(encoding="utf-8"))
    executed = yaml.safe_load(EXECUTED.read_text(encoding="utf-8"))
    parts = [HEADER, INTRODUCTION, "## Beside published tools", *_published(judged), "## The static scan"]
    parts += [_static_table(judged), "## With runs, on executed Python entries", RUNS, _layer_table(judged, executed)]
    parts += ["## What is missed", *_misses(judged, misses)]
    return "\n\n".join(parts) + "\n"


def _published(judged: tuple[Judged, ...]) -> Iterator[str]:
    ours = count(judged)
    every = tuple(one for one in judged if one.entry.action != "info")
    flagged, blocked = (sum(map(is_so, every)) for is_so in (Judged.is_flagged, Judged.is_blocked))
    near = (_percent(part, ours.entries) for part in (ours.near_any, ours.near_blocked))
    rows = [
        ("agentgate-git, static scan", *(_percent(part, len(every)) for part in (flagged, blocked)), *near),
        *((name, *(f"{number} %" for number in numbers)) for name, *numbers in TOOLS),
    ]
    yield "\n".join((PUBLISHED, *("| " + " | ".join(row) + " |" for row in rows)))
    yield (
        f"Of the {ours.block} entries that ask for a block alone, {_percent(ours.flagged, ours.block)} are flagged and"
        f" {_percent(ours.blocked, ours.block)} blocked."
    )


def _static_table(judged: tuple[Judged, ...]) -> str:
    head = "| family | language | entries | to block | flagged | blocked | near misses with a finding | blocked |"
    rows = [head, "|---" * 8 + "|"]
    rows += [_static_row(family, language, count(group)) for (family, language), group in grouped(judged).items()]
    return "\n".join((*rows, _static_row("all", "", count(judged))))


def _static_row(family: str, language: str, row: Counts) -> str:
    numbers = (row.entries, row.block, row.flagged, row.blocked, row.near_any, row.near_blocked)
    return f"| {family} | {language} | " + " | ".join(map(str, numbers)) + " |"


def _layer_table(judged: tuple[Judged, ...], executed: Mapping[str, list[str]]) -> str:
    known = {one.entry.id: one for one in judged}
    families: dict[str, list[str]] = {}
    for name in executed:
        families.setdefault(known[name].entry.family, []).append(name)
    seen = {name: [*(("static",) if known[name].is_flagged() else ()), *layers] for name, layers in executed.items()}
    columns = ("static", *LAYERS)
    head = f"| family | entries | {' | '.join(columns)} | any |"
    rows = [_layer_row(family, families[family], seen) for family in sorted(families)]
    return "\n".join((head, "|---" * (3 + len(columns)) + "|", *rows, _layer_row("all", list(seen), seen)))


def _layer_row(family: str, names: list[str], layers: Mapping[str, list[str]]) -> str:
    numbers = [sum(layer in layers[name] for name in names) for layer in ("static", *LAYERS)]
    seen = sum(bool(layers[name]) for name in names)
    return f"| {family} | " + " | ".join(map(str, (len(names), *numbers, seen))) + " |"


def _misses(judged: tuple[Judged, ...], misses: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    entries = {one.entry.id: one.entry for one in judged}
    for key, title in (
        ("missed", "Entries to block on which the static scan has no block or warning of a fitting code."),
        ("near", "Near misses on which the static scan has a finding."),
        ("unseen", "Executed Python entries that no layer sees."),
    ):
        rows = misses.get(key) or {}
        yield f"{title} {len(rows)}." if rows else f"{title} None."
        if rows:
            yield "\n".join(_miss(entries[name], reason) for name, reason in rows.items())


def _miss(entry: Entry, reason: str) -> str:
    construct = entry.construct.replace("`", "'").replace("|", "\\|")
    text = f"- {entry.id} ({entry.family}, {entry.language}) `{construct}`: {' '.join(reason.split())}"
    return fill(text, 118, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _write_executed() -> None:
    with tempfile.TemporaryDirectory() as directory:
        ran = run_all(executed_cases(), Path(directory))
    for one in ran:
        if one.near:
            print(f"{one.entry.id}: its near miss is rejected by {', '.join(one.near)}", file=sys.stderr)
    text = "".join(sorted(f"{one.entry.id}: [{', '.join(one.head)}]\n" for one in ran))
    comment = "# Which runs see each executed Python entry. Made by testing/catalogue_page.py --run.\n"
    EXECUTED.write_text(comment + text, encoding="utf-8")


def main() -> int:
    """Write the page, or say whether it is as it would be written."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("--run", action="store_true", help="run the executed entries anew (minutes)")
    options = parser.parse_args()
    if options.run:
        _write_executed()
    if options.what == "write":
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    return int(PAGE.read_text(encoding="utf-8") != page())


if __name__ == "__main__":
    sys.exit(main())
