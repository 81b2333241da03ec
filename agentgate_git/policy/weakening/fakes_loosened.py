"""E_HARNESS_TAMPERED: what stands in for the real thing in tests, and lets more pass than it did.

A fake that refuses less, a factory that makes trusted users, a variable that switches a check of the product off, and
a golden file that is written anew by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.trait_changes import Changes

_ASK = "take it back, or ask a human to adopt the change"
_REFUSES, _TRUSTS, _DOUBTS, _GOLDEN = "fake.refuses", "fake.trusts", "fake.doubts", "golden.write"
_LAX = "given.value"
# `APP_STRICT = '0'`, `DISABLE_CHECKS = '1'`
_IS_LAX = pattern_of(
    r"\w*(?:STRICT|VALIDAT|VERIFY|ENFORCE|CHECKS?|SECURE|SANITI[SZ]E)\w* = '(?:0|false|off|no|never|none|)'"
    r"|(?:\w*_)?(?:DISABLE|SKIP|BYPASS|IGNORE|NO|ALLOW)_\w*(?:CHECK|VALID|VERIF|AUTH|ERROR|LIMIT|STRICT|INVALID|UNSAFE)\w*"
    r" = '(?:1|true|on|yes)'|\w*(?:UNSAFE|INSECURE|LENIENT|LAX)\w* = '(?:1|true|on|yes)'",
    re.I,
)


def loosened_findings(changes: Changes) -> Iterable[Finding]:
    """Findings for the traits of a whole change set."""
    yield from _refuses_less(changes)
    yield from _trusts_more(changes)
    for file, trait in changes.new(lambda kind: kind == _LAX):
        if _IS_LAX.fullmatch(trait.what):
            yield _finding(WARN, file, trait, f"`{trait.what}` switches a check off before all tests")
    for file, trait in changes.new(lambda kind: kind == _GOLDEN):
        old = changes.before.get(file.path)
        severity = BLOCK if old is not None and changes.defines(old, trait.owner) else WARN
        yield _finding(
            severity, file, trait, f"writes what it compares with, unless it is told not to (`{trait.what}`)"
        )


def _refuses_less(changes: Changes) -> Iterator[Finding]:
    """Errors that a method of a fake raised, and raises no more, where nothing of production changed with it."""
    for file, trait in changes.lost(lambda kind: kind == _REFUSES):
        head = changes.after.get(file.path)
        if head is None or changes.repairs() or not changes.defines(head, trait.owner):
            continue
        if not changes.has(file.path, _REFUSES, trait.owner):
            message = f"the fake refuses nothing any more: `{trait.what}` is gone"
            yield _finding(WARN, head, trait._replace(line=0), message)


def _trusts_more(changes: Changes) -> Iterator[Finding]:
    """A right that a factory of the tests withheld, and gives by default now."""
    doubted = {(one.file.path, one.trait.owner, one.trait.what) for one in changes.lost(lambda kind: kind == _DOUBTS)}
    for file, trait in changes.new(lambda kind: kind == _TRUSTS):
        if (file.path, trait.owner, trait.what) in doubted:
            yield _finding(WARN, file, trait, f"what it makes has {trait.what} by default now")


def _finding(severity: str, file: FileFacts, trait: Trait, text: str) -> Finding:
    step = code.next_step(code.HARNESS_TAMPERED) if severity == BLOCK else _ASK
    place = f"{trait.owner}: " if trait.owner else ""
    return Finding(code.HARNESS_TAMPERED, severity, file.path, f"{place}{text}", step, line=trait.line)
