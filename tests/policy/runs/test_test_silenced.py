"""E_TEST_SILENCED: two runs and the sources of what changed, allow rows first."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import TEST_SILENCED
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.runs.run_outcomes import RunOutcomes, outcomes_of_packet
from agentgate_git.policy.runs.test_silenced import Silenced, Sources, silenced_findings, silenced_tests
from agentgate_git.source.python.tests import read_inventory
from testing.records import some_packet

IMPORTS = "import sys\nimport pytest\nfrom app import total\n\n"
A = "def test_a():\n    assert total([1, 2]) == 3\n\n"
B = "def test_b():\n    assert total([]) == 0\n\n"
ROWS = "@pytest.mark.parametrize('x', [1, 2])\ndef test_r(x):\n    assert total([x]) == x\n\n"
METHOD = "class TestOld:\n    def test_a(self):\n        assert total([1, 2]) == 3\n\n"
FILE, OTHER = "tests/test_a.py", "tests/unit/test_other.py"
T_A, T_B = f"{FILE}::test_a", f"{FILE}::test_b"
PASS = {T_A: "passed", T_B: "passed"}
RED = {T_A: "failed", T_B: "passed"}

Files = dict[str, str]
Run = dict[str, str]


def sources(base: Files, head: Files, *unchanged: str) -> Sources:
    before, after = (
        tuple(read_inventory(path, (IMPORTS + text).encode()) for path, text in side.items()) for side in (base, head)
    )
    return Sources(before, after, frozenset(unchanged))


def silenced(base: Run, head: Run, what: Sources, **more: frozenset[str]) -> list[tuple[str, str, str]]:
    found = silenced_tests(RunOutcomes(base), RunOutcomes(head, **more), what)
    return [(one.test, one.what, one.severity) for one in found]


SAME = sources({}, {}, FILE)
ALLOWED: dict[str, tuple[Run, Run, Sources]] = {
    "nothing changed": (PASS, PASS, SAME),
    "a test fails, and is no longer green for all to see": (PASS, RED, SAME),
    "it was skipped before": ({T_A: "skipped"}, {T_A: "skipped"}, SAME),
    "it was skipped before and is gone": ({T_A: "skipped"}, {}, SAME),
    "it was expected to fail before": ({T_A: "xfailed"}, {T_A: "skipped"}, SAME),
    "a repaired one runs": ({T_A: "xfailed"}, {T_A: "passed"}, SAME),
    "a new test": (PASS, {**PASS, f"{FILE}::test_new": "skipped"}, SAME),
    "renamed": (
        PASS,
        {f"{FILE}::test_sum": "passed", T_B: "passed"},
        sources({FILE: A + B}, {FILE: A.replace("test_a", "test_sum") + B}),
    ),
    "moved to another file": (
        PASS,
        {f"{OTHER}::test_a": "passed", T_B: "passed"},
        sources({FILE: A + B}, {FILE: B, OTHER: A}),
    ),
    "moved and changed on the way, under its name": (
        PASS,
        {f"{OTHER}::test_a": "passed", T_B: "passed"},
        sources({FILE: A + B}, {FILE: B, OTHER: A.replace("3", "1 + 2")}),
    ),
    "taken out of its class": (
        {f"{FILE}::TestOld::test_a": "passed"},
        {T_A: "passed"},
        sources({FILE: METHOD}, {FILE: A}),
    ),
    "a parameter set fewer": (
        {f"{FILE}::test_r[1]": "passed", f"{FILE}::test_r[2]": "passed"},
        {f"{FILE}::test_r[1]": "passed"},
        sources({FILE: ROWS}, {FILE: ROWS.replace(", 2", "")}),
    ),
    "parameters with other ids": (
        {f"{FILE}::test_r[1]": "passed", f"{FILE}::test_r[2]": "passed"},
        {f"{FILE}::test_r[one]": "passed"},
        sources({FILE: ROWS}, {FILE: ROWS}),
    ),
    "parametrized at last": (
        {T_A: "passed"},
        {f"{T_A}[1]": "passed", f"{T_A}[2]": "passed"},
        sources({FILE: A}, {FILE: A}),
    ),
    "one of two copies is gone": (
        {T_A: "passed", f"{FILE}::test_copy": "passed"},
        {T_A: "passed", f"{OTHER}::test_copy": "passed"},
        sources({FILE: A + A.replace("test_a", "test_copy")}, {FILE: A, OTHER: A.replace("test_a", "test_copy")}),
    ),
}


@pytest.mark.parametrize(("base", "head", "what"), ALLOWED.values(), ids=ALLOWED.keys())
def test_what_is_no_silence(base: Run, head: Run, what: Sources) -> None:
    assert [] == silenced(base, head, what)


def test_a_red_test_that_is_now_strictly_expected_to_fail_is_told_by_the_repair() -> None:
    assert [] == silenced(RED, {T_A: "xfailed", T_B: "passed"}, SAME, strict_xfails=frozenset((T_A,)))


BLOCKED: dict[str, tuple[Run, Run, Sources, str]] = {
    "b74_skipped": (PASS, {T_A: "skipped", T_B: "passed"}, SAME, "is skipped"),
    "b74_expected_to_fail": (PASS, {T_A: "xfailed", T_B: "passed"}, SAME, "is expected to fail"),
    "red, and skipped": (RED, {T_A: "skipped", T_B: "passed"}, SAME, "is skipped"),
    "red, and expected to fail loosely": (RED, {T_A: "xfailed", T_B: "passed"}, SAME, "is expected to fail"),
    "b73_absent_though_its_file_did_not_change": (PASS, {T_B: "passed"}, SAME, "is no longer collected"),
    "absent though it stands there": (
        PASS,
        {T_B: "passed"},
        sources({FILE: A + B}, {FILE: A + B + "X = 1\n"}),
        "is no longer collected",
    ),
    "renamed out of what is collected": (
        PASS,
        {T_B: "passed"},
        sources({FILE: A + B}, {FILE: A.replace("test_a", "check_a") + B}),
        "is no longer collected",
    ),
    "moved to where it is skipped": (
        PASS,
        {f"{OTHER}::test_a": "skipped", T_B: "passed"},
        sources({FILE: A + B}, {FILE: B, OTHER: A}),
        f"is skipped as {OTHER}::test_a",
    ),
    "no parameters left": (
        {f"{FILE}::test_r[1]": "passed"},
        {f"{FILE}::test_r[x0]": "skipped"},
        sources({FILE: ROWS}, {FILE: ROWS.replace("1, 2", "")}),
        f"is skipped as {FILE}::test_r[x0]",
    ),
}


@pytest.mark.parametrize(("base", "head", "what", "told"), BLOCKED.values(), ids=BLOCKED.keys())
def test_what_was_silenced(base: Run, head: Run, what: Sources, told: str) -> None:
    ((test, said, severity),) = silenced(base, head, what)
    assert (min(base), BLOCK) == (test, severity)
    assert said.startswith(told)


def test_deselected_ids_are_told_apart_from_those_that_are_not_collected() -> None:
    more = frozenset((T_A,))
    assert [(T_A, "is deselected", BLOCK)] == silenced(PASS, {T_B: "passed"}, SAME, deselected=more)


def test_strict_is_no_excuse_for_a_test_that_passed() -> None:
    (one,) = silenced(PASS, {T_A: "xfailed", T_B: "passed"}, SAME, strict_xfails=frozenset((T_A,)))
    assert (T_A, "is expected to fail", BLOCK) == one


WARNED: dict[str, tuple[Run, Run, Sources, str]] = {
    "removed": (PASS, {T_B: "passed"}, sources({FILE: A + B}, {FILE: B}), "is gone"),
    "removed with its file": (PASS, {}, sources({FILE: A + B}, {}), "is gone"),
    "a case of a data file that changed": ({"cases/x.yaml::one": "passed"}, {}, sources({}, {}), "is gone"),
    "inherited from a class that lost it": (
        {"tests/test_sub.py::TestSub::test_a": "passed"},
        {},
        sources({FILE: METHOD}, {FILE: "X = 1\n"}, "tests/test_sub.py"),
        "is gone",
    ),
    "red, and given a condition": (
        RED,
        {T_A: "skipped", T_B: "passed"},
        sources({FILE: A + B}, {FILE: "@pytest.mark.skipif(not has_db(), reason='')\n" + A + B}),
        "is skipped",
    ),
}


@pytest.mark.parametrize(("base", "head", "what", "told"), WARNED.values(), ids=WARNED.keys())
def test_what_is_arguable(base: Run, head: Run, what: Sources, told: str) -> None:
    found = silenced(base, head, what)
    assert {(told, WARN)} == {(said, severity) for _, said, severity in found}


def test_one_finding_a_file_says_what_happened_to_each() -> None:
    many = [Silenced(f"{FILE}::test_{number:02}", "is skipped", BLOCK, 7 if not number else 0) for number in range(12)]
    first, second = silenced_findings([*many, Silenced(f"{OTHER}::test_x", "is gone", WARN)])
    assert (TEST_SILENCED, BLOCK, FILE, 7) == (first.code, first.severity, first.path, first.line)
    assert first.message.startswith(f"12 tests that ran at the base no longer speak: {FILE}::test_00 is skipped; ")
    assert first.message.endswith("; and 2 more")
    assert (WARN, OTHER, f"1 test that ran at the base no longer speaks: {OTHER}::test_x is gone") == (
        second.severity,
        second.path,
        second.message,
    )


def test_a_packet_says_how_each_test_came_out() -> None:
    packet = some_packet(
        outcome_lines=("passed a b.py::t[x y]", "skipped c.py::t"), deselected=("d.py::t",), strict_xfails=("e.py::t",)
    )
    expected = RunOutcomes(
        {"a b.py::t[x y]": "passed", "c.py::t": "skipped"}, frozenset(("d.py::t",)), frozenset(("e.py::t",))
    )
    assert expected == outcomes_of_packet(packet)
