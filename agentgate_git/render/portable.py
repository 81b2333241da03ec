"""What the formats of other tools have in common: one fingerprint for a finding, and text that any reader takes."""

from __future__ import annotations

from hashlib import sha256

from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.pattern import pattern_of

TOOL = "agentgate-git"

_ORDER = (BLOCK, WARN, ADVICE)
_LINE_NUMBER = pattern_of(r"\bline \d+")
_ODD_BYTE = 0xDC00


def portable(text: str) -> str:
    r"""Text without lone surrogates, which strict JSON and XML readers refuse: the byte 0xe5 is spelt `\xe5`."""
    return "".join(_spelt(char) if "\ud800" <= char <= "\udfff" else char for char in text)


def worst_first(findings: tuple[Finding, ...]) -> tuple[tuple[Finding, str], ...]:
    """Blocking findings first, then warnings, otherwise in the order they came in; each with its fingerprint."""
    pairs = zip(findings, fingerprints(findings), strict=True)
    return tuple(sorted(pairs, key=lambda pair: _ORDER.index(pair[0].severity)))


def fingerprints(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """For each finding 64 hex digits that stay when lines move and commits are made again.

    A sha256 over code, path and message without line numbers. Where these are the same, a count tells the findings
    apart, so no two of one answer share a fingerprint.
    """
    seen: dict[tuple[str, ...], int] = {}
    found = []
    for finding in findings:
        key = (finding.code, finding.path, _LINE_NUMBER.sub("line", finding.message))
        seen[key] = seen.get(key, 0) + 1
        text = "\0".join((*key, str(seen[key])))
        found.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
    return tuple(found)


def with_next_step(finding: Finding) -> str:
    """What was seen and what to do, in two lines."""
    return f"{finding.message}\nnext: {finding.next_step}"


def _spelt(surrogate: str) -> str:
    point = ord(surrogate)
    return f"\\x{point - _ODD_BYTE:02x}" if 0xDC80 <= point <= 0xDCFF else f"\\u{point:04x}"
