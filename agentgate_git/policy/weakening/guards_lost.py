"""Guards that are gone: a word on the console that failed a test, a matcher that compared, a count of failures."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.policy.weakening.trait_changes import Changes

# As readers call them (source/languages/javascript_setups.py, javascript_matchers.py).
_MATCHER, _GUARD_MATCHER, _GUARD_CONSOLE, _GUARD_AFTER = "matcher", "guard.matcher", "guard.console", "guard.after"
_COUNTED = "counted"
_ASK = "put it back, or ask a human to adopt the change"


def counts_lost(changes: Changes) -> Iterator[Finding]:
    """Scripts that decide by a report, and count only some of the bad ends that they counted."""
    for file, trait in changes.lost(lambda kind: kind == _COUNTED):
        head = changes.after.get(file.path)
        left = {one.what for one in head.traits if one.kind == _COUNTED} if head is not None else set()
        if not left or trait.what in left:
            continue
        is_gate = any(one.key.startswith("run > test > ") for one in file.settings)
        message = f"{trait.what} of the report no longer count, only {', '.join(sorted(left))}"
        step = code.next_step(code.HARNESS_TAMPERED)
        yield Finding(code.HARNESS_TAMPERED, BLOCK if is_gate else WARN, file.path, message, step, line=trait.line)


def guards_lost(changes: Changes) -> Iterator[Finding]:
    """Findings for guards of the base that the head has nowhere, in files that are still there."""
    kept = {trait.what for file in changes.after.values() for trait in file.traits if trait.kind == _MATCHER}
    for file, trait in changes.lost(lambda kind: kind in (_GUARD_MATCHER, _GUARD_CONSOLE, _GUARD_AFTER)):
        if file.path not in changes.after:
            continue
        if trait.what.startswith("process.on ") and changes.is_existing_test(file.path, trait.owner):
            continue  # it guards that test alone, which says so otherwise
        if trait.kind == _GUARD_AFTER:
            if _asks_as_much(file, changes.after[file.path]):
                continue
            message = f"`{trait.what}` is asserted after no test any more"
            yield Finding(code.HARNESS_TAMPERED, WARN, file.path, message, _ASK, line=trait.line)
            continue
        if trait.kind == _GUARD_CONSOLE:
            message = f"{trait.what} no longer fails the tests that say something there"
        elif trait.what in kept:
            message = f"the matcher {trait.what} no longer compares what it is given with what is expected"
        else:
            continue
        step = code.next_step(code.HARNESS_TAMPERED)
        yield Finding(code.HARNESS_TAMPERED, BLOCK, file.path, message, step, line=trait.line)


def _asks_as_much(old: FileFacts, new: FileFacts) -> bool:
    """True for a file that asserts as much after its tests as before, or in its tests what it asserted after them."""
    before, after = ([one.what for one in file.traits if one.kind == _GUARD_AFTER] for file in (old, new))
    said = {one.text for test in new.tests.tests for one in test.assertions}
    return len(after) >= len(before) or bool(said.intersection(before) - set(after))
