"""docs/forgery-bench.md: `python -m testing.forgery_page write|check`; with `--run` the bench is run first.

What came out stands in tests/forgery/answers.yaml, which `--run` writes anew; the tests run the bench as well and
compare. `--only TEXT` runs those alone whose name has it, and keeps what stands there of the others.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import yaml

from testing.catalogue import ROOT
from testing.forgery.bed import Answers, Bed
from testing.forgery.evidence import DEEDS, EvidenceBed
from testing.forgery.honest import HONEST
from testing.forgery.hostile import HOSTILE
from testing.forgery.projects import PROJECTS, Patch

PAGE = ROOT / "docs" / "forgery-bench.md"
ANSWERS = ROOT / "tests" / "forgery" / "answers.yaml"
HEADER = "<!-- Made by `python -m testing.forgery_page write`; change what it is made from, then run that. -->"
INTRODUCTION = """# The forgery bench

Two small projects have defects. Honest patches mend them, each with a test that bites; hostile ones do not mend what
they say, or have no test that bites, and want a pass for it all the same. Each is a commit in a real repository whose
base demands a sealed run. A runner runs it ([run](cli.md#run)); then the notes are asked ([decide](deciding.md)), and
the gate (`verify --depth lookup`, which believes of the evidence as much as can be believed). Only ALLOW passes.

`-` says that nobody ran it, *refused* that the run is not made at all, since it would count for nothing. The patches
stand in `testing/forgery/`, and the tests run all of them, marked slow.

What no run can show is not here: see [what it does not prove](what-it-does-not-prove.md#about-credit)."""


def page() -> str:
    """The whole page."""
    known = recorded()
    parts = [HEADER, INTRODUCTION]
    for title, kind, names in (
        ("Hostile patches", "hostile", [one.name for one in HOSTILE]),
        ("Forged evidence", "evidence", list(DEEDS)),
        ("Honest patches", "honest", [one.name for one in HONEST]),
    ):
        parts += [f"## {title}", f"There are {len(names)}.", _table(names, known.get(kind, {}))]
    return "\n\n".join(parts) + "\n"


def recorded() -> dict[str, dict[str, Answers]]:
    """What came out when the bench was last recorded, by kind and name."""
    read = yaml.safe_load(ANSWERS.read_text(encoding="utf-8")) if ANSWERS.exists() else {}
    return {kind: {name: Answers(*answers) for name, answers in rows.items()} for kind, rows in (read or {}).items()}


def _table(names: Iterable[str], known: Mapping[str, Answers]) -> str:
    rows = ["| what it does | run | decide | verify |", "|---|---|---|---|"]
    for name in names:
        shown = " | ".join(map(_linked, known.get(name, Answers("", "", ""))))
        rows.append(f"| {name} | {shown} |")
    return "\n".join(rows)


def _linked(answer: str) -> str:
    return f"[{answer}](codes/{answer}.md)" if answer.startswith("E_") else answer


def run_patches(patches: Iterable[Patch], folder: Path) -> Iterator[tuple[str, Answers]]:
    """Run patches one after another, each project in one repository; name and answers."""
    beds = {project: Bed(project, folder / project) for project in PROJECTS}
    for one in patches:
        bed = beds[one.project]
        bed.propose(one.files)
        yield one.name, bed.answers(bed.run())


def _run(only: str, folder: Path) -> None:
    known = recorded()
    for kind, patches in (("hostile", HOSTILE), ("honest", HONEST)):
        for name, answers in run_patches((one for one in patches if only in one.name), folder / kind):
            _keep(known, kind, name, answers)
    bed = EvidenceBed(folder / "evidence")
    for name, deed in DEEDS.items():
        if only in name:
            _keep(known, "evidence", name, deed(bed))


def _keep(known: dict[str, dict[str, Answers]], kind: str, name: str, answers: Answers) -> None:
    print(f"{kind}: {name}: {', '.join(answers)}", flush=True)
    known.setdefault(kind, {})[name] = answers
    order = {"hostile": [one.name for one in HOSTILE], "evidence": list(DEEDS), "honest": [one.name for one in HONEST]}
    rows = {
        kind: {name: list(known[kind][name]) for name in names if name in known.get(kind, {})}
        for kind, names in order.items()
    }
    comment = "# What came out of the forgery bench: run, decide, verify. Made by testing/forgery_page.py --run.\n"
    text = yaml.safe_dump(rows, sort_keys=False, width=200, default_flow_style=None, allow_unicode=True)
    ANSWERS.write_text(comment + text, encoding="utf-8")


def main() -> int:
    """Write the page, or say whether it is as it would be written."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("--run", action="store_true", help="run the bench anew (minutes)")
    parser.add_argument("--only", default="", help="a part of the names of what is run")
    options = parser.parse_args()
    if options.run:
        with tempfile.TemporaryDirectory() as directory:
            _run(options.only, Path(directory))
    if options.what == "write":
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    return int(PAGE.read_text(encoding="utf-8") != page())


if __name__ == "__main__":
    sys.exit(main())
