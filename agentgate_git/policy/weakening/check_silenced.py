"""E_CHECK_SILENCED: comments and attributes that keep a linter, type checker or coverage tool from speaking.

Never blocks: a coded suppression is everyday work. What silences a whole file without saying what for warns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.finding import ADVICE, WARN, Finding
from agentgate_git.model.role import HARNESS, TEST

_PREFIX = "silence."
_FILE = "silence.lint.file"
_CODED = "silence.lint"
_ASSERTED = "silence.lint.asserted"
_SHOWN = 3


def silenced_findings(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[Finding]:
    """One finding for each file that silences more checks than before; what only moved is nothing.

    A coded suppression says nothing in a test, or in a file that is new: there was nothing before that it silences.
    """
    old, new = tuple(before), tuple(after)
    known = Counter(trait.what for facts in old for trait in _silences(facts))
    existed = {facts.path for facts in old}
    for facts in new:
        known.subtract(trait.what for trait in _silences(facts))
    added = {what: -count for what, count in known.items() if count < 0}
    was = {facts.path: Counter(trait.what for trait in _silences(facts)) for facts in old}
    for facts in new:
        here = was.get(facts.path, Counter())
        fresh = []
        for trait in _silences(facts):
            if here[trait.what] > 0:
                here[trait.what] -= 1
            elif added.get(trait.what, 0) > 0:
                added[trait.what] -= 1
                fresh.append(trait)
        yield from _finding(facts, fresh, is_new=facts.path not in existed)


def _silences(facts: FileFacts) -> Iterator[Trait]:
    return (trait for trait in facts.traits if trait.kind.startswith(_PREFIX))


def _finding(facts: FileFacts, fresh: list[Trait], *, is_new: bool) -> Iterator[Finding]:
    is_expected = is_new or facts.role in (TEST, HARNESS)
    told = [trait for trait in fresh if not (is_expected and trait.kind == _CODED)]
    if not told:
        return
    whole = [trait for trait in told if trait.kind == _FILE]
    asserted = [] if is_new else [trait for trait in fresh if trait.kind == _ASSERTED]
    if asserted:
        message = f"an assertion of a type is silenced: {asserted[0].what}"
        step = code.next_step(code.CHECK_SILENCED)
        yield Finding(code.CHECK_SILENCED, WARN, facts.path, message, step, asserted[0].line)
        return
    severity = WARN if whole and not is_new else ADVICE
    first = (whole or told)[0]
    shown = ", ".join(dict.fromkeys(trait.what for trait in (*whole, *told)[:_SHOWN]))
    more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    message = f"checks are silenced {'for the whole file' if whole else 'here'}: {shown}{more}"
    yield Finding(code.CHECK_SILENCED, severity, facts.path, message, code.next_step(code.CHECK_SILENCED), first.line)
