"""Searches for kills where something is in the way, and what changed from one version to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.model.falsification import (
    EXECUTED,
    FALSIFIED,
    NEVER_FALSIFIED,
    NOT_EXECUTED,
    NOT_REACHED,
    ONLY_WEAK,
    REVERSE_MUTANT,
    REVERT,
    STRONG,
    UNSTABLE,
)
from agentgate_git.runner.credit_run import find_kills
from testing import suites
from testing.credit import credit_request, falsify, result_of

TOTAL = "def total(items):\n    return sum(items) * 3\n"
HONEST = "import shop\ndef test_a(): assert shop.total([1]) == 3\n"
GETTER = "class C:\n    @property\n    def a(self):\n        return 1\n"
WRONG = "import shop\ndef test_a(): assert shop.total([1]) == 4\n"


def test_with_the_fix_reverted_the_old_failure_is_back(tmp_path: Path) -> None:
    old = "def check(x):\n    return x\n"
    new = "def check(x):\n    if x < 0:\n        raise ValueError(x)\n    return x\n"
    tests = "import pytest, shop\ndef test_a():\n    with pytest.raises(ValueError): shop.check(-1)\n"
    found = falsify(tmp_path / "project", {"shop.py": new, "test_shop.py": tests}, old={"shop.py": old})
    result = result_of(found, "check")
    assert result.kill is not None
    assert (FALSIFIED, REVERT, 1) == (result.state, result.kill.mutant.kind, len(result.mutants))
    assert ("test_shop.py::test_a", "Failed: DID NOT RAISE ValueError") == (result.kill.test, result.kill.message)


@pytest.mark.parametrize(
    ("old", "new", "name", "assertion"),
    [
        ("def f(x=1):\n    return x\n", "def f(x=2):\n    return x\n", "f", "shop.f() > 1"),
        (
            "import functools\ndef f(x):\n    return [x]\n",
            "import functools\n@functools.lru_cache\ndef f(x):\n    return [x]\n",
            "f",
            "shop.f(1) is shop.f(1)",
        ),
        ("class C:\n    a = 1\n", "class C:\n    a = 2\n", "C.<body>", "shop.C.a == 2"),
        ("A = 1\n", "A = 2\n", "module:A", "shop.A == 2"),
        (
            GETTER,
            GETTER + "    @a.setter\n    def a(self, x):\n        pass\n",
            "C.a",
            "shop.C().a in (1, 2) and shop.C.a.fset is not None",
        ),
    ],
    ids=["default", "decorator", "class_attribute", "value", "setter_added"],
)
def test_what_only_runs_at_import_is_reverted_there(
    old: str, new: str, name: str, assertion: str, tmp_path: Path
) -> None:
    files = {"shop.py": new, "test_shop.py": f"import shop\ndef test_a(): assert {assertion}\n"}
    found = falsify(tmp_path / "project", files, old={"shop.py": old})
    assert (FALSIFIED, ()) == (result_of(found, name).state, found.problems)
    assert [STRONG] == [mutant.verdict for mutant in result_of(found, name).mutants if mutant.kind == REVERT]


@pytest.mark.parametrize(
    ("edges", "verdicts"),
    [((9, 10), {"LtE for Lt": "strong", "11 for 10": "strong", "9 for 10": "strong"}),
     ((0, 20), {"LtE for Lt": "survived", "11 for 10": "survived", "9 for 10": "survived"})],
    ids=["asked_for", "not_asked_for"],
)  # fmt: skip
def test_bounds_of_changed_lines_are_moved_by_one(
    edges: tuple[int, int], verdicts: dict[str, str], tmp_path: Path
) -> None:
    code = "def fits(n):\n    return n < 10\n"
    tests = f"import shop\ndef test_a(): assert shop.fits({edges[0]}) and not shop.fits({edges[1]})\n"
    found = falsify(tmp_path / "project", {"shop.py": code, "test_shop.py": tests}, boundaries=5)
    bounds = [mutant for mutant in result_of(found, "fits").mutants if mutant.kind == "boundary"]
    assert FALSIFIED == result_of(found, "fits").state
    assert verdicts == {mutant.label.removesuffix(" in fits"): mutant.verdict for mutant in bounds}


@pytest.mark.parametrize(
    ("assertion", "state"),
    [("not hasattr(shop.C(), '__len__')", FALSIFIED), ("shop.C() is not None", NEVER_FALSIFIED)],
    ids=["seen", "not_seen"],
)
def test_a_removed_dunder_is_put_back(assertion: str, state: str, tmp_path: Path) -> None:
    old = "class C:\n    a = 1\n    def __len__(self):\n        return 1\n"
    files = {"shop.py": "class C:\n    a = 1\n", "test_shop.py": f"import shop\ndef test_a(): assert {assertion}\n"}
    result = result_of(falsify(tmp_path / "project", files, old={"shop.py": old}), "C.__len__")
    assert (state, [REVERSE_MUTANT]) == (result.state, [mutant.kind for mutant in result.mutants])


@pytest.mark.parametrize(("call", "state"), [("shop.new(1)", EXECUTED), ("True", NOT_EXECUTED)], ids=["run", "not_run"])
def test_what_only_has_another_name_needs_to_run(call: str, state: str, tmp_path: Path) -> None:
    files = {"shop.py": "def new(x):\n    return x\n", "test_shop.py": f"import shop\ndef test_a(): {call}\n"}
    found = falsify(tmp_path / "project", files, old={"shop.py": "def old(x):\n    return x\n"})
    assert (state, ()) == (result_of(found, "new").state, result_of(found, "new").mutants)


REWRITES = """
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    {early}
    outcome = yield
    report = outcome.get_result()
    report.outcome = "passed"
    report.longrepr = None
"""
FORKS = """
import os
forks = []
os.register_at_fork(after_in_parent=lambda: forks.append(1))
def pytest_runtest_call(item):
    assert len(forks) < 1, "broken"
"""
HARNESS: dict[str, tuple[dict[str, str], str, str]] = {
    "report_turned_to_passed": ({"conftest.py": REWRITES.format(early="pass")}, WRONG, NOT_EXECUTED),
    "exception_taken_away": ({"conftest.py": REWRITES.format(early="call.excinfo = None")}, WRONG, NOT_EXECUTED),
    "exceptions_swallowed": (
        {
            "conftest.py": """
            import pytest
            @pytest.hookimpl(tryfirst=True)
            def pytest_pyfunc_call(pyfuncitem):
                try:
                    pyfuncitem.obj()
                except BaseException:
                    pass
                return True
            """
        },
        HONEST,
        NEVER_FALSIFIED,
    ),
    "fails_in_every_later_fork": (
        {"conftest.py": FORKS},
        "import shop\ndef test_a(): shop.total([1])\n",
        NEVER_FALSIFIED,
    ),
    "every_test_passes_by_a_protocol_of_its_own": (
        {"conftest.py": "def pytest_runtest_protocol(item, nextitem): return True\n"},
        HONEST,
        NOT_EXECUTED,
    ),
    "fails_where_it_looks_at_the_code": (
        {
            "conftest.py": """
            import shop
            code = shop.total.__code__
            def pytest_runtest_call(item):
                assert shop.total.__code__ is code
            """
        },
        "import shop\ndef test_a(): shop.total([1])\n",
        ONLY_WEAK,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "tests", "state"), HARNESS.values(), ids=HARNESS)
def test_a_harness_that_makes_up_outcomes_earns_nothing(
    files: dict[str, str], tests: str, state: str, tmp_path: Path
) -> None:
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": tests, **files}, mutants=6)
    assert (state, None) == (result_of(found, "total").state, result_of(found, "total").kill)


@pytest.mark.parametrize(
    ("settings", "plugins"),
    [
        ("-x --maxfail=1 -q", ()),
        ("-n 2", ("-p", "xdist")),
        ("--reruns 2", ("-p", "rerunfailures")),
        ("-k test_a --tb=long -vv", ()),
        ("-W error", ()),
    ],
    ids=["maxfail", "xdist", "reruns", "verbose", "warnings"],
)
def test_the_project_s_own_options(settings: str, plugins: tuple[str, ...], tmp_path: Path) -> None:
    names = {"xdist": "xdist", "rerunfailures": "pytest_rerunfailures"}
    args = tuple(names.get(arg, arg) for arg in plugins)
    files = {"pytest.ini": f"[pytest]\naddopts = {settings}\n", "shop.py": TOTAL, "test_shop.py": HONEST}
    found = falsify(tmp_path / "project", files, *args)
    assert (FALSIFIED, ()) == (result_of(found, "total").state, found.problems)


def test_a_file_that_cannot_be_collected_costs_only_itself(tmp_path: Path) -> None:
    files = {"shop.py": TOTAL, "test_shop.py": HONEST, "test_bad.py": "import nowhere_at_all\n"}
    found = falsify(tmp_path / "project", files)
    assert FALSIFIED == result_of(found, "total").state


@pytest.mark.parametrize(
    ("files", "args", "problem"),
    [
        ({"conftest.py": "import os\nos._exit(0)\n"}, (), "the session ended before its time"),
        ({"conftest.py": "raise ValueError\n"}, (), "pytest ended with status 4 before all cases had been tried"),
        ({}, ("--nonsense",), "pytest ended with status 4 before all cases had been tried"),
        (
            {"test_kill.py": "import os, signal\ndef test_a(): os.kill(os.getppid(), signal.SIGKILL)\n"},
            (),
            "the session ended before its time",
        ),
        (
            {
                "conftest.py": """
                import pytest
                @pytest.hookimpl(tryfirst=True)
                def pytest_runtestloop(session): return True
                """
            },
            (),
            "pytest ended with status 0 before all cases had been tried",
        ),
    ],
    ids=["exit_in_conftest", "error_in_conftest", "wrong_argument", "kills_the_session", "takes_the_loop"],
)
def test_a_search_that_does_not_come_to_its_end_says_so(
    files: dict[str, str], args: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": HONEST, **files}, *args)
    assert (problem,) == found.problems


def test_a_case_cannot_speak_for_the_session(tmp_path: Path) -> None:
    forged = """
        import json, os
        import shop
        row = {"tries": [["uniform", "forged", "strong", "test_shop.py::test_a", ""]], "left": [], "spent": False}
        def test_a():
            shop.total([1])
            for number in range(3, 300):
                for line in ({"symbol": 0, "row": row}, {"event": "symbol", "number": 1, "symbol": 0, **row}):
                    try:
                        os.write(number, json.dumps(line).encode() + b"\\n")
                    except OSError:
                        pass
        """
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": forged})
    assert result_of(found, "total").kill is None
    assert () != found.problems


def test_descriptors_that_a_case_closes_cost_only_that_case(tmp_path: Path) -> None:
    closing = "import os\ndef test_close(): os.closerange(3, 4096)\n"
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_a.py": closing, "test_shop.py": HONEST})
    assert (FALSIFIED, ()) == (result_of(found, "total").state, found.problems)
    assert (("test_a.py::test_close", "the process ended with it"),) == found.not_passed


def test_a_case_that_hangs_ends_the_unbroken_run(tmp_path: Path) -> None:
    hanging = "import time\ndef test_z(): time.sleep(600)\n"
    files = {"shop.py": TOTAL, "test_shop.py": HONEST, "test_z.py": hanging}
    found = falsify(tmp_path / "project", files, unbroken_seconds=4)
    assert FALSIFIED == result_of(found, "total").state
    assert ["test_z.py::test_z"] == [case for case, _ in found.not_passed]


def test_no_time_is_left(tmp_path: Path) -> None:
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": HONEST}, seconds=0)
    assert (NOT_REACHED, ()) == (result_of(found, "total").state, found.problems)


def test_a_symbol_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    tests = "import shop\ndef test_a(): shop.total([1])\n"
    result = result_of(falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": tests}, mutants=1), "total")
    assert (True, 1) == (result.is_spent, len(result.mutants))


LUCK = """
from pathlib import Path
import shop
def test_a():
    shop.total([1])
    seen = Path('seen')
    with seen.open('a') as file: file.write('x')
    assert len(seen.read_text()) != 2
"""


def test_a_case_that_fails_by_chance_earns_nothing(tmp_path: Path) -> None:
    """It passes without a mutant, fails with the first one, and passes again without and with it."""
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": LUCK})
    assert (NEVER_FALSIFIED, [UNSTABLE]) == (
        found.symbols[0].state,
        [each.verdict for each in found.symbols[0].mutants],
    )
    assert 3 == found.symbols[0].effort.runs


SEES_THE_SWAP = """
import gc
import shop
KNOWN = gc.get_referents(shop.total)
def test_a():
    shop.total([1])
    assert all(any(each is one for one in KNOWN) for each in gc.get_referents(shop.total))
"""


def test_a_case_that_fails_for_any_other_code_earns_nothing(tmp_path: Path) -> None:
    """The control has other code too, which does the same."""
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": SEES_THE_SWAP})
    assert (NEVER_FALSIFIED, None) == (found.symbols[0].state, found.symbols[0].kill)


@pytest.mark.parametrize(
    ("old", "new", "name", "assertion"),
    [
        ("def f(x=1):\n    return x\n", "def f(x=2):\n    return x\n", "f", "shop.f.__defaults__ == (2,)"),
        (
            "def make():\n    def f(x=1):\n        return x\n    return f\n",
            "def make():\n    def f(x=2):\n        return x\n    return f\n",
            "make.<locals>.f",
            "shop.make().__defaults__ == (2,)",
        ),
        (
            "KNOWN = []\ndef f(x):\n    return x\n",
            "KNOWN = []\n@KNOWN.append\ndef f(x):\n    return x\n",
            "f",
            "len(shop.KNOWN) == 1",
        ),
    ],
    ids=["default", "default_of_a_nested_function", "registered"],
)
def test_what_a_function_is_defined_with_is_seen_without_running_it(
    old: str, new: str, name: str, assertion: str, tmp_path: Path
) -> None:
    tests = f"import shop\ndef test_a(): assert {assertion}\n"
    found = falsify(tmp_path / "project", {"shop.py": new, "test_shop.py": tests}, old={"shop.py": old})
    result = result_of(found, name)
    assert (FALSIFIED, [(REVERT, STRONG)]) == (result.state, [(each.kind, each.verdict) for each in result.mutants])
    assert result.kill is not None
    assert ("test_shop.py::test_a",) == result.executed_by


def test_what_ran_while_modules_were_imported_is_taken_back_before_that(tmp_path: Path) -> None:
    """The decorated function is made at import; a case that only runs the decorator again sees nothing of it."""
    old = "def keep(f):\n    return lambda x: f(x) + 1\n"
    new = "def keep(f):\n    return f\n"
    tests = """
    import shop
    @shop.keep
    def twice(x): return 2 * x
    def test_a(): assert twice(2) == 4
    def test_b(): shop.keep(len)
    """
    found = falsify(tmp_path / "project", {"shop.py": new, "test_shop.py": tests}, old={"shop.py": old})
    kill = result_of(found, "keep").kill
    assert kill is not None
    assert ("test_shop.py::test_a", REVERT) == (kill.test, kill.mutant.kind)


def test_cases_whose_ids_change_with_the_mutant_are_found_by_their_place(tmp_path: Path) -> None:
    tests = """
    import pytest, shop
    @pytest.mark.parametrize('rate', shop.RATES)
    def test_a(rate): assert rate in (1, 3)
    """
    files = {"shop.py": "RATES = (1, 3)\n", "test_shop.py": tests}
    found = falsify(tmp_path / "project", files, old={"shop.py": "RATES = (1, 2)\n"})
    kill = found.symbols[0].kill
    assert kill is not None
    assert ("test_shop.py::test_a[3]", REVERT) == (kill.test, kill.mutant.kind)


LONG = {
    "class_body": ("class C:\n    a = 1\n    b = 1\n    c = {}\n", "C.c == 1", "1 for 2 in C.<body>"),
    "value": ("RATES = {{\n    'a': 1,\n    'b': 1,\n    'c': {},\n}}\n", "RATES['c'] == 1", "1 for 2 in module:RATES"),
}


@pytest.mark.parametrize(("module", "wrong", "label"), LONG.values(), ids=LONG)
def test_changed_lines_are_broken_first(module: str, wrong: str, label: str, tmp_path: Path) -> None:
    """With so few mutants nothing but the changed line gets its turn."""
    files = {"shop.py": module.format(2), "test_shop.py": f"import shop\ndef test_a(): assert shop.{wrong} or 1\n"}
    found = falsify(tmp_path / "project", files, old={"shop.py": module.format(1)}, mutants=6)
    assert label in [mutant.label for mutant in found.symbols[0].mutants]


FAVOURS: dict[str, tuple[tuple[str, ...], str]] = {
    "a_function": (("test_shop.py::test_b",), FALSIFIED),
    "a_file": (("test_b.py",), FALSIFIED),
    "nothing": ((), NEVER_FALSIFIED),
}


@pytest.mark.parametrize(("favoured", "state"), FAVOURS.values(), ids=FAVOURS)
def test_favoured_cases_come_first(favoured: tuple[str, ...], state: str, tmp_path: Path) -> None:
    """Where there are more cases than may be asked, those that the change set brings are among them."""
    idle = "import shop\ndef test_a(): shop.total([1])\n"
    bites = "import shop, time\ndef test_b():\n    time.sleep(0.05)\n    assert shop.total([1]) == 3\n"
    files = {"shop.py": TOTAL, "test_shop.py": idle + bites, "test_b.py": bites}
    request = credit_request(tmp_path / "project", files)._replace(cases=1, favoured=favoured)
    assert state == find_kills(request).symbols[0].state


def test_what_a_broken_case_starts_is_ended_with_it(tmp_path: Path) -> None:
    tests = """
        import os, subprocess, sys
        import shop
        def test_a():
            if shop.total([1]) != 3:
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
                open("pid", "w").write(str(child.pid))
                child.wait()
        """
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": tests}, mutants=1)
    assert "timeout" == result_of(found, "total").mutants[0].verdict
    pid = (tmp_path / "project" / "pid").read_text()
    state = Path(f"/proc/{pid}/stat")
    assert not state.exists() or " Z " in state.read_text()


def test_no_pytest_is_said(tmp_path: Path) -> None:
    python = suites.make_environment(tmp_path / "venv", has_pytest=False)
    with pytest.raises(Undecided, match="pytest cannot be imported there"):
        falsify(tmp_path / "project", {"shop.py": TOTAL}, python=python)


def test_sources_that_are_gone_are_said(tmp_path: Path) -> None:
    request = credit_request(tmp_path / "project", {"shop.py": TOTAL})
    (tmp_path / "project/shop.py").unlink()
    with pytest.raises(Undecided, match="its sources cannot be read there"):
        find_kills(request)


def test_nothing_changed(tmp_path: Path) -> None:
    found = falsify(tmp_path / "project", {"shop.py": TOTAL, "test_shop.py": HONEST}, old={"shop.py": TOTAL})
    assert ((), ("test_shop.py::test_a",), ()) == (found.symbols, found.passed, found.problems)


ACCEPTS = """
import socket, sys, threading
server = socket.create_server(("127.0.0.1", 0))
thread = threading.Thread(target=server.accept, daemon=True)
thread.start()
while sys._current_frames()[thread.ident].f_code is not socket.socket.accept.__code__:
    pass
"""
KNOWS_WHAT_IT_WAS = """
import shop
OLD = shop.total([1])
def test_a(): assert OLD == shop.total([1])
"""


WAITS = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"


@pytest.mark.parametrize(
    ("conftest", "state"),
    [(ACCEPTS, FALSIFIED), (WAITS, NEVER_FALSIFIED)],
    ids=["waits for a connection", "may hold something"],
)
def test_what_a_thread_does_decides_whether_there_are_forks(tmp_path: Path, conftest: str, state: str) -> None:
    """What was computed at import shows whether the mutant came after it."""
    files = {"shop.py": TOTAL, "test_shop.py": KNOWS_WHAT_IT_WAS, "conftest.py": conftest}
    assert state == falsify(tmp_path / "project", files).symbols[0].state


def test_what_a_function_was_is_had_where_it_stands_further_down_now(tmp_path: Path) -> None:
    new = "\n" * 30 + TOTAL
    tests = "import shop\ndef test_a(): assert 9 == shop.total([1, 2])\n"
    old = {"shop.py": TOTAL.replace("3", "4")}
    (result,) = falsify(tmp_path / "project", {"shop.py": new, "test_shop.py": tests}, old=old).symbols
    assert ([("revert", STRONG)], ()) == ([each[::2] for each in result.mutants], result.untried)
