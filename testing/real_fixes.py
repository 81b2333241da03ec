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
from agentgate_git.model.symbol import NOTHING, SymbolChange
from agentgate_git.runner.credit_run import CreditRequest, find_kills
from agentgate_git.runner.environment import scratch_environment
from agentgate_git.runner.import_roots import import_roots
from agentgate_git.source.python.changed_symbols import changed_symbols
from agentgate_git.source.roles import role_of
from testing import suites
from testing.sdists import unpacked

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
    """A case after its search; `alone` is a second one with nothing but its tautologies, where others earned credit."""

    fix: Fix
    changes: tuple[SymbolChange, ...]
    found: Falsification
    alone: Falsification | None


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
    request = _request(fix, source, head)
    found = find_kills(request)
    own = [f"{path}::{name}" for path, name in _tautologies(fix)]
    has_credit = any(result.state == FALSIFIED for result in found.symbols)
    alone = find_kills(request._replace(args=tuple(own))) if own and has_credit else None
    return Searched(fix, request.symbols, found, alone)


def _request(fix: Fix, source: Path, head: Path) -> CreditRequest:
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
    changes = changed_symbols(old, new)
    assert changes.problems == ()
    return CreditRequest(
        python=sys.executable,
        directory=str(head),
        args=fix.args,
        environment=scratch_environment(os.environ, _SETTINGS, roots),
        nonce=suites.NONCE,
        symbols=tuple(change for change in changes.changes if change.needs != NOTHING),
        old_sources=old,
        production=tuple(path for path in files if role_of(path) == "production"),
        log=f"{head}.log",
    )


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
    if searched.alone is not None:
        yield from (
            f"{result.name} is falsified by {result.kill.test}, a tautology"
            for result in searched.alone.symbols
            if result.kill is not None
        )


def _symbol(result: SymbolResult, judged: Judged, fix: Fix) -> Iterator[str]:
    if earned(result) != judged.earns:
        yield f"earned {earned(result)} ({result.state}), judged {judged.earns}"
    if reverted(result) != judged.reverted:
        yield f"reverted it {reverted(result)}, judged {judged.reverted}"
    if result.kill is None:
        return
    if judged.by and not result.kill.test.startswith(judged.by):
        yield f"credit is from {result.kill.test}, judged {', '.join(judged.by)}"
    if result.kill.test.partition("[")[0].rpartition("::")[2] in fix.tautologies:
        yield f"credit is from {result.kill.test}, a tautology"


def earned(result: SymbolResult) -> str:
    """In the words of the data."""
    return {FALSIFIED: "credit", EXECUTED: "execution"}.get(result.state, "nothing")


def reverted(result: SymbolResult) -> str:
    """What happens without the fix, in the words of the data."""
    verdict = next((each.verdict for each in result.mutants if each.kind in (REVERT, REVERSE_MUTANT)), "")
    if not verdict:
        return "none"
    return {STRONG: "fails", SURVIVED: "unnoticed", UNSTABLE: "unnoticed"}.get(verdict, "breaks")
