"""How a sealed run is told: the seal, the tests, each changed symbol, and the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator

from agentgate_git.model.code import ALLOW
from agentgate_git.model.falsification import (
    EXECUTED,
    FALSIFIED,
    NEVER_FALSIFIED,
    NO_MUTANT,
    NOT_EXECUTED,
    NOT_REACHED,
    ONLY_WEAK,
    REFUSED,
    UNCONFIRMED,
    SymbolResult,
)
from agentgate_git.model.run_result import SealedRunResult
from agentgate_git.render.plain import plain
from agentgate_git.render.printable import printable

RUN_SCHEMA = "agentgate.run/1"
_WORDS = {
    EXECUTED: "run by {tests}",
    NEVER_FALSIFIED: "broken {mutants} time(s), and no test failed for it",
    UNCONFIRMED: "earns nothing: {untried}",
    ONLY_WEAK: "broken {mutants} time(s), and no assertion of a test failed for it{refused}",
    NOT_EXECUTED: "run by no test that passes",
    NO_MUTANT: "nothing in it could be broken: {untried}",
    NOT_REACHED: "the search ended before its turn",
}


def sealed_run_text(result: SealedRunResult) -> str:
    """Lines for a reader, the decision last."""
    return "".join(printable(line) + "\n" for line in _lines(result))


def sealed_run_json(result: SealedRunResult) -> str:
    """`agentgate.run/1`, one line."""
    told = {
        "schema": RUN_SCHEMA,
        "rev": result.rev,
        "commit": result.commit,
        "tree": result.tree,
        "base_tree": result.base_tree,
        "decision": result.decision.code,
        "reason": result.decision.reason or None,
        "next": None if result.decision.code == ALLOW else result.decision.next_step(),
        "seal_sha256": result.seal_sha256 or None,
        **{name: plain(getattr(result, name)) for name in ("seal", "packet", "credit", "symbols", "notes")},
        "exit": result.exit_status,
    }
    return json.dumps(told, separators=(",", ":"))


def _lines(result: SealedRunResult) -> Iterator[str]:
    yield from (f"note: {note}" for note in result.notes)
    if result.seal is not None:
        seal = result.seal
        yield (
            f"seal {result.seal_sha256[:12]} of tree {seal.tree[:12]} on {seal.base_tree[:12]}:"
            f" {seal.input_count} input(s), written by {seal.author_job}, run by {seal.runner_job}"
        )
    if result.packet is not None:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in result.packet.outcomes) or "no test ran"
        yield f"tests: {counts}; isolation: {result.packet.isolation}"
    yield from (f"  {symbol.path}::{symbol.name}: {_symbol(symbol)}" for symbol in result.symbols)
    if result.credit is not None:
        credit = result.credit.credit
        yield f"credit: {len(credit.credited)} symbol(s) earned it, {len(credit.missing or ())} did not"
        yield from (f"  missing: {name}" for name in credit.missing or ())
        yield from (f"  cannot fail: {test}" for test in credit.tautologies or ())
    decision = result.decision
    reason = f": {decision.reason}: {decision.next_step()}" if decision.code != ALLOW else ""
    yield f"{decision.code}{reason}"


def _symbol(symbol: SymbolResult) -> str:
    effort = symbol.effort
    took = f" ({effort.runs} run(s) of its cases, {effort.seconds:.1f} s)" if effort.runs else ""
    return f"{_found(symbol)}{took}"


def _found(symbol: SymbolResult) -> str:
    if symbol.state == FALSIFIED and symbol.kill is not None:
        kill = symbol.kill
        return f"{kill.test} failed when it was broken ({kill.mutant.label}): {kill.message}"
    return _WORDS[symbol.state].format(
        tests=", ".join(symbol.executed_by[:3]),
        mutants=len(symbol.mutants),
        untried="; ".join(symbol.untried) or "-",
        refused="".join(f" ({reason})" for reason in symbol.untried if reason.startswith(REFUSED)),
    )
