"""Fixes of real projects, judged by a person, and what the search for credit makes of them.

A case of tests/end_to_end/real_fixes/<project>.yaml is a change set on the project's source distribution:

- `base` are the edits (path, old text, new text) that plant a defect on the base, `head` those that make the fix where
  the defect is something missing; `test` is what the head has more at the end of a test file. `args` are pytest's.
- `judged` has every changed symbol that needs anything of the tests: what it `earns` (credit, execution, nothing), `by`
  which tests (beginnings of node ids, any of them), what happens with the fix `reverted` (an assertion of a test
  `fails`, something `breaks`, it goes `unnoticed`; `none` where there was nothing before), and `why`.
- `tautologies` are tests of the head that may not earn anything, with the reason. `corrected` says why a judgement was
  changed after the search had another answer.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from agentgate_git.model.falsification import (
    EXECUTED,
    FALSIFIED,
    REVERSE_MUTANT,
    REVERT,
    STRONG,
    SURVIVED,
    UNSTABLE,
    Falsification,
    SymbolResult,
)
from agentgate_git.model.record import Record
from agentgate_git.model.symbol import ChangedSymbols
from agentgate_git.policy.runs.credit_score import score
from agentgate_git.runner.credit_run import CreditRequest, find_kills
from agentgate_git.runner.environment import scratch_environment
from agentgate_git.runner.import_roots import import_roots
from agentgate_git.source.facts import read_facts
from agentgate_git.source.python.changed_symbols import changed_symbols
from agentgate_git.source.python.changed_tests import changed_tests
from agentgate_git.source.roles import is_python_production
from testing import suites
from testing.sdists import unpacked
from testing.tautology import explain_tautology

CASES = Path(__file__).resolve().parent.parent / "tests" / "end_to_end" / "real_fixes"
PROJECTS = ("packaging", "tenacity")
_SETTINGS = (("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),)


class Judged(Record):
    """What a person says of one changed symbol, by the fields of the data."""

    symbol: str
    earns: str
    why: str
    by: tuple[str, ...] = ()
    reverted: str = "none"


class Fix(Record):
    """One case of the data; edits are (path, old text, new text)."""

    project: str
    name: str
    kind: str
    args: tuple[str, ...]
    base: tuple[tuple[str, str, str], ...]
    head: tuple[tuple[str, str, str], ...]
    test: tuple[tuple[str, str], ...]
    judged: tuple[Judged, ...]
    tautologies: Mapping[str, str]
    corrected: str


class Searched(Record):
    """A case after its search; `alone` is a second one with nothing but its tautologies, where others earned credit
    for what these run too.

    `words` are what the text of each tautology shows, empty where it shows nothing.
    """

    fix: Fix
    changed: ChangedSymbols
    found: Falsification
    alone: Falsification | None
    words: Mapping[str, str]


def load(project: str) -> tuple[Fix, ...]:
    """The cases of one project."""
    rows = yaml.safe_load((CASES / f"{project}.yaml").read_text(encoding="utf-8"))
    return tuple(_fix(project, row) for row in rows)


def _fix(project: str, row: Mapping[str, Any]) -> Fix:
    judged = tuple(Judged(**{**each, "by": tuple(each.get("by", ()))}) for each in row["judged"])
    return Fix(
        project=project,
        name=row["name"],
        kind=row["kind"],
        args=tuple(row["args"]),
        base=_edits(row.get("base", ())),
        head=_edits(row.get("head", ())),
        test=((row["test"]["path"], row["test"]["text"]),) if "test" in row else (),
        judged=judged,
        tautologies=row.get("tautologies", {}),
        corrected=row.get("corrected", ""),
    )


def _edits(rows: Any) -> tuple[tuple[str, str, str], ...]:
    return tuple((row["path"], row["old"].rstrip("\n"), row["new"].rstrip("\n")) for row in rows)


def search_all(project: str, directory: Path) -> Iterator[Searched]:
    """Lay every case of a project out below a directory and look for kills."""
    source = unpacked(project, directory)
    for number, fix in enumerate(load(project)):
        head = directory / f"head-{number}"
        shutil.copytree(source, head)
        yield _search(fix, source, head)


def _search(fix: Fix, source: Path, head: Path) -> Searched:
    changed, request = _request(fix, source, head)
    found = find_kills(request)
    own = tuple(f"{path}::{name}" for path, name in _tautologies(fix))
    executed = {case for result in found.symbols if result.state == FALSIFIED for case in result.executed_by}
    alone = find_kills(request._replace(args=own, mutants=12)) if executed.intersection(own) else None
    return Searched(fix, changed, found, alone, _words(fix, head))


def _request(fix: Fix, source: Path, head: Path) -> tuple[ChangedSymbols, CreditRequest]:
    paths = sorted({path for path, _, _ in (*fix.base, *fix.head)})
    pristine = {path: (source / path).read_text(encoding="utf-8") for path in paths}
    old = {path: data.encode() for path, data in _edited(pristine, fix.base).items()}
    new = {path: data.encode() for path, data in _edited(pristine, fix.head).items()}
    for path, data in new.items():
        (head / path).write_bytes(data)
    for path, text in fix.test:
        with open(head / path, "a", encoding="utf-8") as file:
            file.write(f"\n\n{text}")
    files = [str(path.relative_to(head)) for path in sorted(head.rglob("*.py"))]
    roots = tuple(str(head / root) for root in import_roots(files))
    changed = changed_symbols(old, new)
    return changed, CreditRequest(
        python=sys.executable,
        directory=str(head),
        args=fix.args,
        environment=scratch_environment(os.environ, _SETTINGS, roots),
        nonce=suites.NONCE,
        symbols=changed.changes,
        old_sources=old,
        production=tuple(path for path in files if is_python_production(path)),
        favoured=_favoured(fix, source, head),
        boundaries=2,
        log=f"{head}.log",
    )


def _favoured(fix: Fix, source: Path, head: Path) -> tuple[str, ...]:
    paths = [path for path, _ in fix.test]
    old = {path: (source / path).read_bytes() for path in paths if (source / path).exists()}
    return (*changed_tests(old, {path: (head / path).read_bytes() for path in paths}), *paths)


def _words(fix: Fix, head: Path) -> dict[str, str]:
    tests = [test for path, _ in fix.test for test in read_facts(path, (head / path).read_bytes()).tests.tests]
    named = [(test.name.rpartition("::")[2], test) for test in tests]
    return {name: explain_tautology(test) for name, test in named if name in fix.tautologies}


def _edited(files: Mapping[str, str], edits: tuple[tuple[str, str, str], ...]) -> dict[str, str]:
    made = dict(files)
    for path, old, new in edits:
        assert made[path].count(old) == 1, f"{path} has {old!r} {made[path].count(old)} times"
        made[path] = made[path].replace(old, new)
    return made


def _tautologies(fix: Fix) -> Iterator[tuple[str, str]]:
    """The tautologies as node ids below their file; those in a class follow the name of it in `args`."""
    for path, text in fix.test:
        scope = ""
        for line in text.splitlines():
            word, _, rest = line.strip().removeprefix("async ").partition(" ")
            name = rest.partition("(")[0].partition(":")[0]
            if word == "class" and line.startswith("class"):
                scope = f"{name}::"
            elif word == "def" and name in fix.tautologies:
                yield path, f"{scope}{name}"


def differences(searched: Searched) -> tuple[str, ...]:
    """Where the search and the person disagree; empty when they do not."""
    return tuple(_differences(searched))


def _differences(searched: Searched) -> Iterator[str]:
    fix, found = searched.fix, searched.found
    yield from (f"problem: {problem}" for problem in found.problems)
    yield from (f"{case} does not pass: {why}" for case, why in found.not_passed if why != "skipped")
    results = {f"{result.path} {result.name}": result for result in found.symbols}
    judged = {each.symbol: each for each in fix.judged}
    yield from (f"{name} changed and is not judged" for name in results.keys() - judged.keys())
    yield from (f"{name} is judged and did not change" for name in judged.keys() - results.keys())
    for name in sorted(results.keys() & judged.keys()):
        yield from (f"{name}: {each}" for each in _symbol(results[name], judged[name], fix))
    yield from _score(searched)
    for result in searched.alone.symbols if searched.alone is not None else ():
        if result.kill is not None:
            yield f"{result.name} is falsified by {result.kill.test}, a tautology"


def _score(searched: Searched) -> Iterator[str]:
    """The credit of the run as a whole."""
    credit = score(searched.changed, searched.found, "0" * 64)
    wanted = sorted(each.symbol.replace(" ", "::") for each in searched.fix.judged if each.earns != "nothing")
    if list(credit.credited) != wanted:
        yield f"the run credits {credit.credited}, judged {wanted}"
    for test in credit.tautologies or ():
        if _function_of(test) not in searched.fix.tautologies:
            yield f"the run calls {test} a tautology"


def _symbol(result: SymbolResult, judged: Judged, fix: Fix) -> Iterator[str]:
    if earned(result) != judged.earns:
        yield f"earned {earned(result)} ({result.state}), judged {judged.earns}"
    if reverted(result) != judged.reverted:
        yield f"reverted it {reverted(result)}, judged {judged.reverted}"
    if result.kill is None:
        return
    if judged.by and not result.kill.test.startswith(judged.by):
        yield f"credit is from {result.kill.test}, judged {', '.join(judged.by)}"
    if _function_of(result.kill.test) in fix.tautologies:
        yield f"credit is from {result.kill.test}, a tautology"


def _function_of(case: str) -> str:
    return case.partition("[")[0].rpartition("::")[2]


def earned(result: SymbolResult) -> str:
    """In the words of the data."""
    return {FALSIFIED: "credit", EXECUTED: "execution"}.get(result.state, "nothing")


def reverted(result: SymbolResult) -> str:
    """What happens without the fix, in the words of the data."""
    verdict = next((each.verdict for each in result.mutants if each.kind in (REVERT, REVERSE_MUTANT)), "")
    if not verdict:
        return "none"
    return {STRONG: "fails", SURVIVED: "unnoticed", UNSTABLE: "unnoticed"}.get(verdict, "breaks")
