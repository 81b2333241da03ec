"""What evidence answers, for a person and as versioned JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from agentgate_git.model.code import CodeInfo
from agentgate_git.model.explanation import Cited, Explanation, SaidCredit, SaidFreeze
from agentgate_git.render.plain import plain
from agentgate_git.render.printable import printable

EXPLAIN_SCHEMA = "agentgate.explain/1"


def explanation_text(found: Explanation) -> str:
    """The four questions, each with its answers and the lines that they rest on."""
    lines = [f"tree {found.tree[:12]} on base tree {found.base_tree[:12]}, commit {found.commit[:12]}"]
    lines += ["", "Which job wrote the patch?"]
    lines += [f"  {one.job}{_cited(one.line)}" for one in found.authors] or ["  no line says so"]
    lines += [f"  commits are signed by {', '.join(found.commit_signers)}"] if found.commit_signers else []
    lines += ["", "Which job sealed the inputs?"]
    lines += [f"  {one.job}, {one.sealed_at}{_cited(one.line)}" for one in found.seals] or ["  no seal is kept"]
    lines += ["", "Which changed symbols have credit that a test can lose?"]
    lines += [line for one in found.credits for line in _credit(one)] or ["  no credit is kept"]
    lines += ["", "Does a freeze cite that digest, a passing credit, another test and a future expiry?"]
    lines += [line for one in found.freezes for line in _freeze(one)] or ["  no freeze is kept"]
    return "".join(f"{printable(line)}\n" for line in lines)


def explanation_json(found: Explanation, exit_status: int) -> str:
    """`agentgate.explain/1`, one line."""
    told = {name: plain(value) for name, value in found._asdict().items()}
    return json.dumps({"schema": EXPLAIN_SCHEMA, **told, "exit": exit_status}, separators=(",", ":"))


def code_text(info: CodeInfo, page: str) -> str:
    """What a code says, what to do, and its page."""
    return f"{info.code}: {info.title}\nnext: {info.next_step}\n" + (f"\n{page}" if page else "")


def code_json(info: CodeInfo, page: str) -> str:
    """The same as `agentgate.explain/1`, one line."""
    told = {"code": info.code, "title": info.title, "next": info.next_step, "page": page, "exit": 0}
    return json.dumps({"schema": EXPLAIN_SCHEMA, **told}, separators=(",", ":"))


def _credit(one: SaidCredit) -> Iterator[str]:
    yield f"  {one.credit_id}, seal {one.seal_sha256[:12]}{_cited(one.line)}"
    yield f"    credited: {', '.join(one.credited) or 'nothing'}"
    yield from (f"    {name}: {', '.join(values)}" for name, values in _lists(one) if values)
    for probe in one.failed_probes:
        yield f"    does not hold: {probe.name}{f' of {probe.symbol}' if probe.symbol else ''} ({probe.detail})"
    yield from (f"    not enough: the credit {one.problem}" for _ in one.problem[:1])
    yield from (f"    not trusted: {one.untrusted}" for _ in one.untrusted[:1])


def _lists(one: SaidCredit) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("by", one.tests), ("missing", one.missing), ("tautologies", one.tautologies)


def _freeze(one: SaidFreeze) -> Iterator[str]:
    yield f"  {one.test_id}, filed by {one.job}{_cited(one.line)}"
    for answer, what in (
        (one.has_digest, f"cites the digest of a seal that is kept ({one.seal_sha256[:12]})"),
        (one.has_passing_credit, f"cites a credit that passes ({one.credit_id})"),
        (one.is_other_test, "is for another test than those that earned it"),
        (one.has_future_expiry, f"ends in the future ({one.expires_at})"),
    ):
        yield f"    {'yes' if answer else 'NO'}: {what}"
    yield from (f"    counts for nothing: it {one.problem}" for _ in one.problem[:1])


def _cited(line: Cited) -> str:
    signed = f"signed by {', '.join(line.signers)}" if line.signers else "signed by nobody whom the base enrols"
    return f" [{line.ref} {line.sha256[:12]}, {signed}]"
