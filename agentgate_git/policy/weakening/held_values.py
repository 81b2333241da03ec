"""E_ASSERT_WEAKENED: a tolerance, an expected value or a strategy that stands under a name, and is another one now.

The tests that take it say the same as before; what they let pass is decided where the name gets its value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.inventory import AT_LEAST, AT_MOST, BY_DEFAULT
from agentgate_git.model.inventory import TEST as TEST_KIND
from agentgate_git.model.known_paths import is_of_tests
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import DATA, HARNESS, PRODUCTION, TEST
from agentgate_git.policy.weakening.assertion_order import items_of
from agentgate_git.policy.weakening.left_uncompared import added_to, is_of_list, shown
from agentgate_git.policy.weakening.property_thinned import narrowed
from agentgate_git.policy.weakening.subject_changes import subject_changes
from agentgate_git.policy.weakening.test_matching import LIVE

_ASK = "put it back, or ask a human to adopt the change"
_TOLERANCE = frozenset(
    ("eps", "epsilon", "tol", "tols", "tolerance", "slack", "delta", "atol", "rtol", "margin", "fuzz", "leeway", "abs")
)
_DIGITS = frozenset(("places", "digits", "decimals", "decimal", "precision"))
_EXPECTED = pattern_of(r"expect|want|golden|answer|correct|should|snapshot|reference_")
_WORDS = pattern_of(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WORD = pattern_of(r"[^\W\d]\w*")
_NUMBER = pattern_of(r"(?:[\w.]+\()?['\"]?(-?\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?)['\"]?\)?", 2)
_STRATEGY = pattern_of(r"\bst(?:rategies)?\.\w+\(|\bhypothesis\.")
# A thing of a class, and a mock with what it is given.
_MADE = pattern_of(r"(?:\w+\.)*([A-Z]\w*)\(")
_MOCKED = pattern_of(r"(?:\w+\.)*(?:create_autospec|(?:Magic|Async|NonCallable)?Mock)\((.*)\)$", re.DOTALL)
_FAILURE = ".failureException"
_FAILS = ("AssertionError", "failureException")
_WIDE = 10
_JAVASCRIPT = "javascript"
_SHOWN = 80
_DISPLAYS = ("[", "(", "{")
_SLICED = pattern_of(r"(?:(?:list|tuple|sorted)\(\))?\[[^\[\]]*:[^\[\]]*\]|(?:itertools\.)?islice\(, \w+\)")
# What tests leave out, or let pass: the less of it, the better.
_LEFT_OUT = pattern_of(
    r"skip|ignor|exclu|allow|known|xfail|fail|todo|broken|flaky|slow|unsupported|missing|deprecat|exempt|^__|^pytest_"
)


def held_findings(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    """Findings for a whole change set: facts of the changed files at the base and at the head."""
    changes = subject_changes(before, after)
    known = {one.path: dict(one.tests.held) for one in before}
    files = {one.path: one for one in before}
    given: dict[str, bool] = {}
    for file in after:
        old = known.get(file.path)
        for name, value in file.tests.held:
            if name.endswith(_FAILURE) and not value.endswith(_FAILS) and (old or {}).get(name) != value:
                severity = WARN if old is None else BLOCK
                yield _finding(severity, file.path, f"{name} is {_short(value)}: no assertion of its tests fails them")
            elif old is not None and _is_stood_in(old.get(name, ""), value):
                yield _finding(WARN, file.path, f"{name} gives a stand-in, {_short(value)}, for {_short(old[name])}")
            elif old is not None and name in old and old[name] != value:
                stem = file.path.rpartition("/")[2].removesuffix(".py").lower()
                is_told = any(_EXPECTED.search(one) for one in (name.lower(), stem))
                is_expected = is_told or name in _named(file)
                has_reason = changes.has_reason(file.path)
                yield from _changed(file.path, name, old[name], value, is_expected and not has_reason)
                if is_of_tests(file.path):
                    yield from _default(file.path, name, old[name], value, has_reason)
                if is_expected or has_reason or _gains(old[name], value):
                    continue
                if file.path not in given:
                    given[file.path] = _is_given(files[file.path], file)
                if given[file.path]:
                    change = f"{_short(old[name])} became {_short(value)}"
                    message = f"{name}, which tests are given, is another value and nothing else changed: {change}"
                    yield _finding(WARN, file.path, message)
        if old is not None and is_of_tests(file.path) and not changes.moved:
            yield from _fewer(file, old)


def _is_stood_in(old: str, new: str) -> bool:
    """True for a thing of a class that a fixture gave, where it gives a mock now, of the same class or of none."""
    made, mocked = _MADE.match(old), _MOCKED.match(new)
    if made is None or mocked is None or _MOCKED.match(old) is not None:
        return False
    named = _WORD.findall(mocked[1])
    return not named or made[1] in named


def data_findings(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterable[Finding]:
    """One warning where nothing changed but data that tests may be held against, and what explains none of it.

    Tests that were changed with their data are judged by what they say.
    """
    yield from _data_gone(before, after)
    known = {one.path: one for one in before}
    kept = [one for one in after if one.path in known]
    edited = [
        one.path for one in kept if one.role == DATA and is_of_tests(one.path) and not _only_gains(known[one.path], one)
    ]
    if not edited or any(one.role in (TEST, HARNESS) for one in kept) or subject_changes(before, after).has_any:
        return
    more = f" (and {len(edited) - 1} more)" if len(edited) > 1 else ""
    message = f"what tests are given, or held against, is other data and nothing else changed{more}"
    yield _finding(WARN, edited[0], message)


def _is_given(old: FileFacts, new: FileFacts) -> bool:
    """True for a file of JavaScript whose tests stand there as they did: what differs is what they are given."""
    if new.language != _JAVASCRIPT or not old.tests.tests:
        return False
    before, after = ([(one.name, one.state, one.body, one.rows) for one in file.tests.tests] for file in (old, new))
    return before == after


def _gains(old: str, new: str) -> bool:
    """True for a list or an object that has all that it had, and more."""
    return not Counter(items_of(old)) - Counter(items_of(new))


def _only_gains(old: FileFacts, new: FileFacts) -> bool:
    """True for data in which all that was there still is."""
    return bool(old.parts and new.parts) and not Counter(old.parts) - Counter(new.parts)


def _data_gone(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterator[Finding]:
    """Data of tests that is gone, where no other came and nothing changed that may have stopped to ask for it."""
    left = {one.path for one in after}
    gone = [one.path for one in before if one.role == DATA and one.path not in left and is_of_tests(one.path)]
    known = {one.path for one in before}
    others = [one for one in (*before, *after) if one.role in (TEST, HARNESS, PRODUCTION)]
    has_come = any(one.role == DATA and one.path not in known for one in after)
    if gone and not others and not has_come:
        more = f" (and {len(gone) - 1} more)" if len(gone) > 1 else ""
        yield _finding(WARN, gone[0], f"what tests are given is gone, and nothing else changed{more}")


def _named(file: FileFacts) -> frozenset[str]:
    """The names in what the tests of a file expect."""
    return frozenset(
        word for test in file.tests.tests for one in test.assertions for word in _WORD.findall(one.expected)
    )


def _changed(path: str, name: str, old: str, new: str, is_told: bool) -> Iterator[Finding]:
    words = {word.lower() for word in _WORDS.findall(name.rpartition(".")[2])}
    change = f"{_short(old)} became {_short(new)}"
    was, now = _number(old), _number(new)
    if was is not None and now is not None and (words & (_TOLERANCE | _DIGITS)):
        if words & _DIGITS and not words & _TOLERANCE:
            was, now = Decimal(10) ** -was, Decimal(10) ** -now
        if abs(now) > abs(was):
            severity = BLOCK if abs(now) >= _WIDE * abs(was) else WARN
            yield _finding(severity, path, f"{name}, by which tests measure, lets more pass: {change}")
    elif is_of_list(name) and (added := added_to(old, new)):
        yield _finding(WARN, path, f"{name}, which comparisons leave out, holds more: {shown(added)}")
    elif _STRATEGY.search(old) or _STRATEGY.search(new):
        found = narrowed(old, new)
        if found is not None:
            yield _finding(found.severity, path, f"{name} {found.text}")
    elif is_told:
        yield _finding(WARN, path, f"{name}, which tests expect, is another value and nothing else changed: {change}")


def _default(path: str, name: str, old: str, new: str, has_reason: bool) -> Iterator[Finding]:
    """What a helper that asserts is given where its callers say nothing."""
    change = f"{_short(old)} became {_short(new)}"
    was, now = _number(old), _number(new)
    if name.endswith(AT_LEAST) and was is not None and now is not None:
        if now < was:
            severity = BLOCK if was > 0 and now * _WIDE <= was else WARN
            yield _finding(severity, path, f"{name}, below which no value passes, lets more pass: {change}")
    elif name.endswith(BY_DEFAULT) and not name.endswith(AT_MOST) and not has_reason:
        yield _finding(WARN, path, f"{name} is another value for all who call it, and nothing else changed: {change}")


def _fewer(file: FileFacts, old: Mapping[str, str]) -> Iterator[Finding]:
    """Values that stand in a file without tests, for those of others to go through, and are fewer now."""
    if any(one.kind == TEST_KIND and one.state in LIVE for one in file.tests.tests):
        return
    told: set[frozenset[str]] = set()
    for name, value in file.tests.held:
        was = old.get(name, "")
        if not was or was == value or _LEFT_OUT.search(name.lower()):
            continue
        how = _cut_to(was, value)
        if how:
            yield _finding(WARN, file.path, f"{name}, which tests may go through, {how}: {_short(value)}")
        if how or not (was.startswith(_DISPLAYS) and value.startswith(_DISPLAYS)):
            continue
        before, after = Counter(items_of(was)), Counter(items_of(value))
        lost = before - after
        if lost and not after - before and frozenset(lost) not in told:
            told.add(frozenset(lost))
            gone = _short(", ".join(lost))
            yield _finding(WARN, file.path, f"{name}, which tests may go through, is {lost.total()} less: {gone}")


def _cut_to(was: str, now: str) -> str:
    """What became of values that are computed, or of all of them, where that may be fewer; empty for anything else."""
    is_computed = " for " in was or not was.startswith(_DISPLAYS)
    if now.startswith(was[:-1]) and now[len(was) - 1 :].startswith((" and ", " if ")) and " for " in was:
        return "is filtered"
    if was in now and _SLICED.fullmatch(now.replace(was, "", 1)):
        return "is only a part of it"
    is_list = now.startswith(_DISPLAYS) and now[-1:] in "])}" and " for " not in now
    return "is a list that stands there" if is_computed and is_list and was.endswith(("}", "]", ")")) else ""


def _number(text: str) -> Decimal | None:
    """The number that a literal, or a call with one, is made of; None for anything else and for what is huge."""
    match = _NUMBER.fullmatch(text)
    try:
        number = Decimal(match[1].replace("_", "")) if match else None
    except InvalidOperation:
        return None
    return number if number is None or number.adjusted() < 300 else None


def _short(text: str) -> str:
    shown = " ".join(text.split())
    return f"`{shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'}`"


def _finding(severity: str, path: str, message: str) -> Finding:
    step = code.next_step(code.ASSERT_WEAKENED) if severity == BLOCK else _ASK
    return Finding(code.ASSERT_WEAKENED, severity, path, message, step)
