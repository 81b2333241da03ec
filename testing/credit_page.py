"""docs/credit-cases.md: `python -m testing.credit_page` runs the judged fixes and prints it, `--write` keeps it."""

from __future__ import annotations

import shlex
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from agentgate_git.model.falsification import FALSIFIED, SymbolResult
from agentgate_git.model.symbol import CREDIT, FUNCTIONS, SymbolChange
from testing.real_fixes import PROJECTS, Fix, Judged, Searched, differences, earned, reverted, search_all
from testing.sdists import PINNED

PAGE = Path(__file__).resolve().parent.parent / "docs" / "credit-cases.md"
HEADER = "<!-- Made by `python -m testing.credit_page --write`; change what it is made from, then run that. -->"
INTRODUCTION = """# Credit, case by case

Ten fixes each of two projects as they come from the registry: a defect planted on the base and repaired on the head, or
something missing that is added, with a test that bites or one that does not. For every changed symbol a person wrote
down, before any search was run, what it earns, by which test, and what happens when the fix alone is taken back. The
cases stand in [tests/end_to_end/real_fixes](../tests/end_to_end/real_fixes), the judgements with them, and a test
compares every one of them with what the search finds. `python -m testing.credit_page` runs them and prints this page.

*earns*: `credit` when an assertion of a test fails as soon as the symbol is broken; `execution` where that is enough,
because the same code only stands elsewhere; `nothing` otherwise. *taken back* is what becomes of the tests when the
symbol is what it was: an assertion `fails`, something else `breaks`, or it goes `unnoticed`; `none` where there was
nothing. Credit with `unnoticed` says that tests guard the symbol and that none of them knows the fix.

The cases that are run are those of the test file, or of the classes, that belong to the changed module. All 64,000 of
packaging take minutes, and those of other modules run the changed symbols only in passing. What is slow or drawn by
chance in tenacity's suite is left out, and so is one test that asks whether something took 1.1 milliseconds where a
second was meant: it fails by chance on a busy machine."""
DIFFERENCES = """## Where the search had another answer

At first two of the judgements did not come out; both times the search was wrong, and was repaired for all cases of the
kind.

- *a wait strategy that is a coroutine function*: tenacity's own `test_sleeps` compares milliseconds with 1.1, failed by
  chance while the fix was taken back, and passed in the control run. So a test that fails by chance could earn credit.
  Now a kill must come twice, with a control between the two in which everything is done as for a mutant and nothing
  is broken; a case that does not keep to that is asked no more.
- *the wrapper shows the defaults of what it wraps*: the decorator of a nested function was repaired, and only cases
  that run that function were asked, while the test looks at the function without calling it. Now a symbol of which
  decorators or defaults changed is taken back under the other cases too.

Two things were repaired on the way. Cases were asked by their length alone, so that the test that came with a fix was
often far behind, or beyond the limit of 200 cases; the tests that a change set brings or edits lead now. And after a
kill all remaining mutants of a symbol were still made, though none was tried.

Twenty more defects were planted in the same projects and left to the suites as they are, to look for other kinds:

- A function that runs while modules are imported, such as a decorator, was taken back only after that, where it makes
  no difference any more. It is taken back before the import now.
- Where parameters of a test come from what is broken, the ids of its cases change, and none was found again. They are
  told by their place now.
- In class bodies and values the first lines were broken first, and time was over before the changed one had its turn.

What stays as it is: a test that a broken symbol ends by an exception earns nothing. Taking back the fix of
`BaseRetrying.__getstate__` lets `pickle.dumps` raise TypeError in tests of pickling, which a person would call tests
that bite; they assert nothing that a wrong state could break otherwise."""
COLUMNS = (
    *("case", "symbol", "judged", "taken back", "earned", "taken back", "by", "mutant", "cases", "runs", "asked"),
    *("clock", "processor", "cover"),
)
BUDGETS = """*cases* cover the symbol, and *asked* counts every case in every run of the search for it. A kill takes
three runs of the cases up to the one that fails: mutant, control, mutant. Symbols that earn nothing are broken in every
way that is known, up to 40 mutants. *clock* and *processor* are seconds for the symbol alone, without the unbroken run
before it; *cover* is what all its cases took in that run, by the clock. Measured on two shared cores with Python 3.11,
where other work runs too: the processor's seconds are those to look at."""


def main() -> int:
    """Print the page, and differences to stderr; 1 with differences."""
    with tempfile.TemporaryDirectory() as directory:
        found = [(name, tuple(search_all(name, Path(directory, name)))) for name in PROJECTS]
    text = page(found)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    wrong = [f"{each.fix.name}: {line}" for _, rows in found for each in rows for line in differences(each)]
    print("\n".join(wrong), file=sys.stderr)
    return int(bool(wrong))


def page(found: list[tuple[str, tuple[Searched, ...]]]) -> str:
    """The whole page."""
    parts = [HEADER, INTRODUCTION]
    for name, rows in found:
        parts += [f"## {name} {PINNED[name][0]}", _symbol_table(rows), *map(_case, rows)]
    everything = [each for _, rows in found for each in rows]
    parts += ["## Tests that earn nothing", _tautology_table(everything), DIFFERENCES]
    parts += ["## What it takes", BUDGETS, _budgets(everything)]
    return "\n\n".join(parts) + "\n"


def judged_row(fix: Fix, judged: Judged) -> str:
    """The beginning of a symbol's row, which is the same in every run."""
    return f"| {fix.name} | `{judged.symbol.partition(' ')[2]}` | {judged.earns} | {judged.reverted} |"


def _symbol_table(rows: tuple[Searched, ...]) -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for searched in rows:
        for judged in searched.fix.judged:
            result = next(one for one in searched.found.symbols if f"{one.path} {one.name}" == judged.symbol)
            lines.append(f"{judged_row(searched.fix, judged)} {_found_cells(result)} |")
    return "\n".join(lines)


def _found_cells(result: SymbolResult) -> str:
    effort = result.effort
    by = f"`{result.kill.test.partition('[')[0].rpartition('::')[2]}`" if result.kill is not None else "-"
    mutant = result.kill.mutant.kind if result.kill is not None else "-"
    seconds = (f"{each:.2f}" for each in (effort.seconds, effort.processor_seconds, effort.covering_seconds))
    counts = (len(result.executed_by), effort.runs, effort.case_runs)
    cells = (earned(result), reverted(result), by, mutant, *counts, *seconds)
    return " | ".join(map(str, cells))


def _case(searched: Searched) -> str:
    fix = searched.fix
    lines = [f"**{fix.name}** ({fix.kind}; `pytest {shlex.join(fix.args)}`)."]
    lines += [f"`{each.symbol.partition(' ')[2]}`: {each.why}" for each in fix.judged]
    lines += [f"Corrected: {fix.corrected}"] * bool(fix.corrected)
    return "\n".join(fill(line, 118, break_long_words=False, break_on_hyphens=False) for line in lines)


def _tautology_table(found: list[Searched]) -> str:
    lines = ["| test | judged | what its text shows |", "|---|---|---|"]
    for searched in found:
        for name, reason in searched.fix.tautologies.items():
            lines.append(f"| `{name}` | {reason} | {searched.words.get(name) or '-'} |")
    return "\n".join(lines)


def _budgets(found: list[Searched]) -> str:
    rows = [pair for each in found for pair in _falsified(each)]
    functions = [result for change, result in rows if change.kind in FUNCTIONS and change.needs == CREDIT]
    fresh = [result.effort for _, result in rows if result not in functions]
    lines = [
        "| what | budget, in the median | median | largest | symbols |",
        "|---|---|---|---|---|",
        _median(
            "a function that earned credit, runs of its covering cases",
            1.5,
            [result.effort.case_runs / len(result.executed_by) for result in functions],
        ),
        _median(
            "the same, processor seconds beyond 1.5 such runs",
            0.5,
            [one.effort.processor_seconds - 1.5 * one.effort.covering_seconds for one in functions],
        ),
        _median(
            "what runs at import, processor seconds of a mutant or control",
            1.5,
            [effort.processor_seconds / effort.runs for effort in fresh],
        ),
    ]
    return "\n".join(lines)


def _falsified(searched: Searched) -> Iterator[tuple[SymbolChange, SymbolResult]]:
    changes = {(change.path, change.name): change for change in searched.changed.changes}
    for result in searched.found.symbols:
        if result.state == FALSIFIED:
            yield changes[result.path, result.name], result


def _median(what: str, budget: float, values: list[float]) -> str:
    return f"| {what} | {budget} | {statistics.median(values):.2f} | {max(values):.2f} | {len(values)} |"


if __name__ == "__main__":
    sys.exit(main())
