"""Which runs are a pass: each row is a real suite and the codes that its packet carries."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.model.code import RUN_INCOMPLETE, SELECTION_DRIFT, TESTS_FAILED
from agentgate_git.runner.conclude import judge
from testing import suites

OK = "def test_ok(): pass\n"
TWO = "def test_one(): pass\ndef test_two(): pass\n"
ONE_BAD = "def test_ok(): pass\ndef test_bad(): assert False\n"
RERUN = """
import pytest
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in range(2):
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        for report in reports:
            if report.failed and attempt == 0:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        if not any(report.outcome == "rerun" for report in reports):
            break
        item._initrequest()
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
"""

RERUN_FROM_THE_START = """
import pytest
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for attempt in range(2):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        for report in reports:
            if report.failed and attempt == 0:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
            if report.outcome == "rerun":
                break
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if report.outcome != "rerun":
            return True
        item._initrequest()
"""

Files = dict[str, str]

ALLOWED: dict[str, Files] = {
    "plain": {"test_a.py": OK},
    "skip_beside_a_pass": {"test_a.py": "import pytest\n@pytest.mark.skip\ndef test_s(): pass\n" + OK},
    "xfail_beside_a_pass": {"test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_x(): assert 0\n" + OK},
    "xpass_beside_a_pass": {"test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_x(): pass\n" + OK},
    "module_skipped_beside_another": {
        "test_a.py": "import pytest\npytest.skip('not here', allow_module_level=True)\n",
        "test_b.py": OK,
    },
    "unittest_case": {"test_a.py": "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\n"},
    "subtests_that_pass": {
        "test_a.py": "def test_a(subtests):\n    for i in range(3):\n        with subtests.test(i=i): assert True\n"
    },
    "deselected_openly": {
        "conftest.py": """
            def pytest_collection_modifyitems(items, config):
                config.hook.pytest_deselected(items=items[1:])
                items[:] = items[:1]
            """,
        "test_a.py": TWO,
    },
    "items_replaced_by_copies": {
        "conftest.py": """
            import copy
            def pytest_collection_modifyitems(items):
                items[:] = [copy.copy(item) for item in items]
            """,
        "test_a.py": TWO,
    },
    "passes_when_run_again": {
        "conftest.py": RERUN,
        "test_a.py": "seen = []\ndef test_a():\n    seen.append(1)\n    assert len(seen) > 1\n",
    },
    "passes_when_started_anew_as_rerunfailures_does": {
        "conftest.py": RERUN_FROM_THE_START,
        "test_a.py": "seen = []\ndef test_a():\n    seen.append(1)\n    assert len(seen) > 1\n",
    },
    "agentgate_flag_in_addopts": {"pytest.ini": "[pytest]\naddopts = --agentgate -p agentgate\n", "test_a.py": OK},
    "b68_quiet_addopts": {"pytest.ini": "[pytest]\naddopts = -qq\n", "test_a.py": OK},
    "b68_conftest_prints_ids": {
        "conftest.py": "def pytest_collection_modifyitems(): print('fake/test_y.py::test_x')\n",
        "test_a.py": OK,
    },
}
REFUSED: dict[str, tuple[Files, tuple[str, ...]]] = {
    "failed": ({"test_a.py": ONE_BAD}, (TESTS_FAILED,)),
    "error_in_teardown": (
        {
            "test_a.py": """
            import pytest
            @pytest.fixture
            def broken():
                yield
                raise ValueError
            def test_a(broken): pass
            """
        },
        (TESTS_FAILED,),
    ),
    "strict_xpass": (
        {"test_a.py": "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_x(): pass\n" + OK},
        (TESTS_FAILED,),
    ),
    "subtest_that_fails": (
        {"test_a.py": "def test_a(subtests):\n    with subtests.test(): assert False\n"},
        (TESTS_FAILED,),
    ),
    "unittest_subtest_that_fails": (
        {
            "test_a.py": """
            import unittest
            class TestA(unittest.TestCase):
                def test_a(self):
                    for i in range(2):
                        with self.subTest(i=i):
                            self.assertEqual(i, 0)
            """
        },
        (TESTS_FAILED,),
    ),
    "collection_error": ({"test_a.py": "import nowhere_at_all\n", "test_b.py": OK}, (RUN_INCOMPLETE,)),
    "no_test": ({"test_a.py": ""}, (RUN_INCOMPLETE,)),
    "b72_exit_in_conftest": ({"conftest.py": "import os\nos._exit(0)\n", "test_a.py": OK}, (RUN_INCOMPLETE,)),
    "b72_exit_in_a_test": ({"test_a.py": OK + "def test_x():\n    import os\n    os._exit(0)\n"}, (RUN_INCOMPLETE,)),
    "b72_exit_at_exit": (
        {"conftest.py": "import atexit, os\natexit.register(os._exit, 0)\n", "test_a.py": ONE_BAD},
        (RUN_INCOMPLETE, TESTS_FAILED),
    ),
    "b72_exit_in_unconfigure": (
        {"conftest.py": "import os\ndef pytest_unconfigure(): os._exit(0)\n", "test_a.py": OK},
        (RUN_INCOMPLETE,),
    ),
    "b72_pytest_exit_with_zero": (
        {"test_a.py": "import pytest\ndef test_a(): pytest.exit('bye', returncode=0)\ndef test_b(): pass\n"},
        (RUN_INCOMPLETE,),
    ),
    "b72_status_put_to_zero": (
        {
            "conftest.py": "def pytest_sessionfinish(session): session.exitstatus = 0\n",
            "test_a.py": ONE_BAD,
        },
        (RUN_INCOMPLETE, TESTS_FAILED),
    ),
    "b72_all_expected_to_fail": (
        {"test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_x(): assert 0\n"},
        (RUN_INCOMPLETE,),
    ),
    "b74_only_xpass": (
        {"test_a.py": "import pytest\n@pytest.mark.xfail\ndef test_x(): pass\n"},
        (RUN_INCOMPLETE,),
    ),
    "b72_collect_only_in_addopts": (
        {"pytest.ini": "[pytest]\naddopts = --co\n", "test_a.py": OK},
        (RUN_INCOMPLETE,),
    ),
    "protocol_taken_over": (
        {"conftest.py": "def pytest_runtest_protocol(): return True\n", "test_a.py": OK},
        (RUN_INCOMPLETE,),
    ),
    "b73_trimmed_in_modifyitems": (
        {
            "conftest.py": """
            def pytest_collection_modifyitems(items, config):
                if not config.option.collectonly:
                    items[:] = items[:1]
            """,
            "test_a.py": TWO,
        },
        (SELECTION_DRIFT,),
    ),
    "b73_trimmed_by_an_outer_wrapper": (
        {
            "conftest.py": """
            import pytest
            @pytest.hookimpl(hookwrapper=True, tryfirst=True)
            def pytest_collection_modifyitems(items):
                items[:] = items[:1]
                yield
            """,
            "test_a.py": TWO,
        },
        (SELECTION_DRIFT,),
    ),
    "b73_trimmed_in_collection_finish": (
        {
            "conftest.py": "def pytest_collection_finish(session): session.items[:] = session.items[:1]\n",
            "test_a.py": TWO,
        },
        (SELECTION_DRIFT,),
    ),
    "b73_trimmed_before_the_loop": (
        {
            "conftest.py": """
            import pytest
            @pytest.hookimpl(tryfirst=True)
            def pytest_runtestloop(session): session.items[:] = session.items[:1]
            """,
            "test_a.py": TWO,
        },
        (RUN_INCOMPLETE, SELECTION_DRIFT),
    ),
    "recorder_thrown_out": (
        {
            "conftest.py": """
            def pytest_configure(config):
                config.pluginmanager.unregister(name="agentgate-recorder")
            """,
            "test_a.py": OK,
        },
        (RUN_INCOMPLETE,),
    ),
    "closes_every_descriptor": (
        {"test_a.py": OK + "def test_x():\n    import os\n    os.closerange(3, 4096)\n"},
        (RUN_INCOMPLETE,),
    ),
    "killed": (
        {"test_a.py": OK + "def test_x():\n    import os\n    os.kill(os.getpid(), 9)\n"},
        (RUN_INCOMPLETE,),
    ),
}


@pytest.mark.parametrize("files", ALLOWED.values(), ids=ALLOWED)
def test_a_pass(files: Files, tmp_path: Path) -> None:
    report = suites.run(tmp_path / "suite", files)
    assert () == judge(report)


@pytest.mark.parametrize(("files", "codes"), REFUSED.values(), ids=REFUSED)
def test_no_pass(files: Files, codes: tuple[str, ...], tmp_path: Path) -> None:
    report = suites.run(tmp_path / "suite", files)
    assert codes == tuple(finding.code for finding in judge(report))
