"""E_ASSERT_WEAKENED: what a run of tests had to do, in words now by which it need not: a mock that may stay uncalled,
a rule of an architecture that is frozen or spares a part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.subject_changes import subject_changes
from agentgate_git.policy.weakening.trait_changes import OPEN, Changes, plain

# As readers call them (source/languages/firmness.py).
_FIRM, _LOOSE = "asks.firm", "asks.loose"
_ASK = "put it back, or ask a human to adopt the change"
_WORD = pattern_of(r"[^\W\d]\w*")
_SHOWN = 80


def loosely_asked_findings(changes: Changes) -> Iterable[Finding]:
    """Findings for expectations of the base that the head has in looser words, in the same test of the same file."""
    subject = None
    for path, file in changes.after.items():
        old = changes.before.get(path)
        if old is None or not any(plain(one.kind) == _LOOSE for one in file.traits):
            continue
        was, now = _firm(old), _firm(file)
        known = Counter((one.owner, one.what) for one in old.traits if plain(one.kind) == _LOOSE)
        for trait in file.traits:
            key = (trait.owner, trait.what)
            if plain(trait.kind) != _LOOSE:
                continue
            if known[key] > 0:
                known[key] -= 1
            elif was[key] > now[key]:
                was[key] -= 1
                subject = subject or subject_changes(tuple(changes.before.values()), tuple(changes.after.values()))
                is_moved = subject.has_unread or not subject.moved.isdisjoint(_WORD.findall(trait.what))
                is_sure = not (is_moved or trait.kind.endswith(OPEN))
                step = code.next_step(code.ASSERT_WEAKENED) if is_sure else _ASK
                place = f"{trait.owner}: " if trait.owner else ""
                shown = trait.what if len(trait.what) <= _SHOWN else f"{trait.what[:_SHOWN]}…"
                message = f"{place}`{shown}` is asked for in words by which it need not be met"
                severity = BLOCK if is_sure else WARN
                yield Finding(code.ASSERT_WEAKENED, severity, path, message, step, line=trait.line)


def _firm(file: FileFacts) -> Counter[tuple[str, str]]:
    return Counter((one.owner, one.what) for one in file.traits if one.kind == _FIRM)
